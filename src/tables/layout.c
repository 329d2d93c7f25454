#include "tables/layout.h"

#include <assert.h>
#include <stddef.h>
#include <string.h>

#include "base/bytes.h"
#include "base/hash.h"
#include "slices/index.h"
#include "tables/coder.h"

static_assert(sizeof(struct header_bytes) == TABLE_HEADER_SIZE, "bytes have no gaps between them");

static const uint8_t MAGIC[8] = {0x8A, 'D', 'A', 'M', 'E', '\r', '\n', 0x1A};
static const char RESERVED[] = "header: reserved bytes are not zero";

uint64_t layout_value_bytes(const struct table_header *header)
{
    return header->coding == CODING_VALUES ? values_bytes(header->values) : header->values;
}

uint8_t layout_largest_byte(const struct table_header *header)
{
    assert(header->coding != CODING_VALUES);
    const int win = layout_longest(header->longest_win), loss = layout_longest(header->longest_loss);
    const int most = win > loss ? win : loss;
    const int byte = most < 0 ? 0 : coding_to_byte(header->coding, most);
    assert(byte <= UINT8_MAX);
    return (uint8_t)byte;
}

bool layout_values_occur(const struct table_header *header, const uint8_t *bytes, size_t size)
{
    if (header->coding == CODING_VALUES)
        return !values_contain_never(bytes, size);
    uint8_t most = 0;
    for (size_t i = 0; i < size; i++)
        most = bytes[i] > most ? bytes[i] : most;
    return most <= layout_largest_byte(header);
}

uint64_t layout_block_count(const struct table_header *header)
{
    const uint64_t bytes = layout_value_bytes(header);
    return bytes / header->block_size + (bytes % header->block_size != 0);
}

uint32_t layout_block_bytes(const struct table_header *header, uint32_t block)
{
    assert(block < header->block_count);
    const uint64_t left = layout_value_bytes(header) - (uint64_t)block * header->block_size;
    return left < header->block_size ? (uint32_t)left : header->block_size;
}

static bool variant_is_sound(const char *variant)
{
    int length = 0;
    while (length < TABLE_VARIANT_SIZE && variant[length] != '\0') {
        const char c = variant[length++];
        if (!(('a' <= c && c <= 'z') || ('0' <= c && c <= '9') || c == '_'))
            return false;
    }
    if (length == 0 || length == TABLE_VARIANT_SIZE)
        return false;
    for (; length < TABLE_VARIANT_SIZE; length++)
        if (variant[length] != '\0')
            return false;
    return true;
}

static enum dame_status corrupt(char *detail, const char *text)
{
    return detail_fail(detail, DAME_CORRUPT_TABLE, "%s", text);
}

/* The longest of `count` wins or losses: it is there if there are any, and fits into a byte and the draw
   rule. */
static bool longest_is_sound(const struct table_header *header, uint16_t longest, uint64_t count)
{
    if (!metric_has_plies(header->metric) || count == 0)
        return longest == TABLE_NO_DISTANCE;
    return coding_to_byte(header->coding, longest) <= UINT8_MAX &&
           (header->draw_rule.plies == 0 || longest <= header->draw_rule.plies);
}

/* CODING_HALVES: wins have odd distances and losses even ones, or the other way round. Otherwise not both of
   the longest ones are 0: without a move a side has always lost, or in giveaway always won. */
static bool longest_fit(const struct table_header *header)
{
    const uint16_t win = header->longest_win, loss = header->longest_loss;
    if (!longest_is_sound(header, win, header->win) || !longest_is_sound(header, loss, header->loss))
        return false;
    if (!metric_has_plies(header->metric) || header->win == 0 || header->loss == 0)
        return true;
    return header->coding == CODING_HALVES ? win % 2 != loss % 2 : win != 0 || loss != 0;
}

enum dame_status layout_check(const struct table_header *header, char *detail)
{
    if ((unsigned)header->metric >= METRICS)
        return corrupt(detail, "header: unknown metric");
    if (header->coding != metric_page(header->metric)->coding)
        return corrupt(detail, "header: no such coding for this metric");
    if ((unsigned)header->draw_rule.counter >= DRAW_COUNTERS || header->draw_rule.plies < 0 ||
        header->draw_rule.plies > DRAW_RULE_PLIES_MAX)
        return corrupt(detail, "header: draw rule");
    if (!metric_allows(header->metric, header->draw_rule))
        return detail_fail(detail, DAME_CORRUPT_TABLE, "header: %s with %s",
                           metric_page(header->metric)->name, draw_rule_page(header->draw_rule)->name);
    if (!longest_fit(header))
        return corrupt(detail, "header: longest win or loss");
    if (material_own(header->material) == 0 || material_other(header->material) == 0 ||
        material_pieces(header->material) > PIECES_MAX)
        return corrupt(detail, "header: material");
    if (header->nesting >= NESTINGS)
        return corrupt(detail, "header: nesting");
    const uint32_t size = header->block_size;
    if (size < TABLE_BLOCK_MIN || size > TABLE_BLOCK_MAX || (size & (size - 1)) != 0)
        return corrupt(detail, "header: block size");
    if (header->values == 0 || header->block_count != layout_block_count(header))
        return corrupt(detail, "header: number of blocks");
    if (header->entry_count == 0 || header->entry_count > header->block_count ||
        header->block_count > (uint64_t)header->entry_count * TABLE_FILLS_MAX)
        return corrupt(detail, "header: number of entries");
    if (header->coding != CODING_VALUES && (header->model_size != 0 || header->model_hash != 0))
        return corrupt(detail, RESERVED);
    if (header->model_size > TABLE_MODEL_MAX || (header->model_size == 0 && header->model_hash != 0))
        return corrupt(detail, "header: model");
    if (header->file_size > INT64_MAX ||
        header->file_size <
            TABLE_HEADER_SIZE + (uint64_t)header->entry_count * TABLE_ENTRY_SIZE + header->model_size)
        return corrupt(detail, "header: file size");
    if (!variant_is_sound(header->variant))
        return corrupt(detail, "header: variant");
    return DAME_OK;
}

enum dame_status layout_check_slice(const struct table_header *header, const struct board *board,
                                    char *detail)
{
    struct index_shape shape;
    uint64_t positions;
    uint64_t sum;
    if (index_shape(board, header->material, header->nesting, &shape) != DAME_OK ||
        header->values != shape.size)
        return corrupt(detail, "header: number of values");
    if (index_same_nesting(&shape) != header->nesting) /* so that the same slice has one name for its order */
        return corrupt(detail, "header: nesting");
    if (material_positions(board, header->material, &positions) != DAME_OK ||
        __builtin_add_overflow(header->win, header->draw, &sum) ||
        __builtin_add_overflow(sum, header->loss, &sum) || sum != positions)
        return corrupt(detail, "header: win, draw and loss do not add up");
    return DAME_OK;
}

enum dame_status layout_check_entry(const struct table_header *header, uint32_t block,
                                    struct block_entry entry, char *detail)
{
    const uint32_t bytes = layout_block_bytes(header, block);
    const uint64_t last_values = header->values % (uint64_t)layout_values_per_byte(header);
    const bool has_padding = entry.more == header->block_count - 1 - block && last_values != 0;
    const uint32_t byte = entry.length;
    bool sound = false;
    switch (entry.form) {
    case BLOCK_FILL:
        if (header->coding == CODING_VALUES)
            sound = byte == 0 || ((byte == 0x55 || byte == 0xAA) && !has_padding);
        else
            sound = byte <= layout_largest_byte(header);
        sound = sound && entry.more < header->block_count - block;
        break;
    case BLOCK_CODE:
        sound = header->coding == CODING_VALUES && coder_size_is_sound(entry.length) && entry.length < bytes;
        break;
    case BLOCK_ZSTD:
        sound = header->coding != CODING_VALUES && 0 < entry.length && entry.length < bytes;
        break;
    case BLOCK_RAW:
        sound = entry.length == 0;
        break;
    default:
        break;
    }
    if (!sound)
        return detail_fail(detail, DAME_CORRUPT_TABLE, "block %u: entry in the block table", block);
    return DAME_OK;
}

static uint64_t header_hash(const uint8_t *bytes)
{
    return hash_bytes(bytes, offsetof(struct header_bytes, header_hash));
}

void layout_pack_header(const struct table_header *header, uint8_t *bytes)
{
    struct header_bytes *at = (struct header_bytes *)bytes;
    memset(at, 0, sizeof *at);
    memcpy(at->magic, MAGIC, sizeof MAGIC);
    store_u16(at->version, TABLE_VERSION);
    at->metric[0] = (uint8_t)header->metric;
    at->coding[0] = (uint8_t)header->coding;
    store_u16(at->draw_plies, (uint16_t)header->draw_rule.plies);
    at->draw_counter[0] = (uint8_t)header->draw_rule.counter;
    at->nesting[0] = header->nesting;
    at->material[0] = header->material.own_men;
    at->material[1] = header->material.own_kings;
    at->material[2] = header->material.other_men;
    at->material[3] = header->material.other_kings;
    store_u32(at->block_size, header->block_size);
    store_u64(at->values, header->values);
    store_u64(at->win, header->win);
    store_u64(at->draw, header->draw);
    store_u64(at->loss, header->loss);
    store_u16(at->longest_win, header->longest_win);
    store_u16(at->longest_loss, header->longest_loss);
    store_u32(at->entry_count, header->entry_count);
    store_u64(at->file_size, header->file_size);
    memcpy(at->variant, header->variant, sizeof at->variant);
    store_u32(at->model_size, header->model_size);
    store_u32(at->model_hash, header->model_hash);
    store_u64(at->table_hash, header->table_hash);
    store_u64(at->header_hash, header_hash(bytes));
}

/* From the outside inwards: is it such a file, is it whole, do we know the version, and only then the
   fields. */
enum dame_status layout_unpack_header(const uint8_t *bytes, struct table_header *header, char *detail)
{
    const struct header_bytes *at = (const struct header_bytes *)bytes;
    if (memcmp(at->magic, MAGIC, sizeof MAGIC) != 0)
        return corrupt(detail, "not a table file");
    if (load_u64(at->header_hash) != header_hash(bytes))
        return corrupt(detail, "header checksum");
    if (load_u16(at->version) != TABLE_VERSION)
        return detail_fail(detail, DAME_CORRUPT_TABLE, "unknown format version %u", load_u16(at->version));
    if (at->draw_counter[0] >= DRAW_COUNTERS || (at->draw_counter[0] != 0 && load_u16(at->draw_plies) == 0))
        return corrupt(detail, RESERVED);
    struct table_header found = {
        .metric = at->metric[0],
        .coding = at->coding[0],
        .draw_rule = {(enum draw_counter)at->draw_counter[0], load_u16(at->draw_plies)},
        .material = {at->material[0], at->material[1], at->material[2], at->material[3]},
        .block_size = load_u32(at->block_size),
        .values = load_u64(at->values),
        .win = load_u64(at->win),
        .draw = load_u64(at->draw),
        .loss = load_u64(at->loss),
        .longest_win = load_u16(at->longest_win),
        .longest_loss = load_u16(at->longest_loss),
        .entry_count = load_u32(at->entry_count),
        .file_size = load_u64(at->file_size),
        .table_hash = load_u64(at->table_hash),
        .nesting = at->nesting[0],
        .model_size = load_u32(at->model_size),
        .model_hash = load_u32(at->model_hash),
    };
    memcpy(found.variant, at->variant, sizeof found.variant);
    if (found.block_size != 0)
        found.block_count = (uint32_t)layout_block_count(&found); /* layout_check sees whether it fits */
    enum dame_status status = layout_check(&found, detail);
    if (status == DAME_OK)
        *header = found;
    return status;
}

enum { LENGTH_BITS = 14, FILL_BITS = 8 };

static_assert(TABLE_BLOCK_MAX <= 1 << LENGTH_BITS, "a shorter length than a block's fits into an entry");
static_assert(TABLE_FILLS_MAX == 1 << (LENGTH_BITS - FILL_BITS), "their number fits beside the byte");

void layout_pack_entry(struct block_entry entry, uint8_t *bytes)
{
    assert(entry.length < 1U << LENGTH_BITS && entry.more < TABLE_FILLS_MAX);
    store_u16(bytes, (uint16_t)(entry.form << LENGTH_BITS | entry.more << FILL_BITS | entry.length));
}

struct block_entry layout_unpack_entry(const uint8_t *bytes)
{
    const uint16_t packed = load_u16(bytes), length = packed & ((1U << LENGTH_BITS) - 1);
    const uint8_t form = (uint8_t)(packed >> LENGTH_BITS);
    if (form != BLOCK_FILL)
        return (struct block_entry){.length = length, .form = form};
    return (struct block_entry){
        .length = length & ((1U << FILL_BITS) - 1), .form = form, .more = (uint8_t)(length >> FILL_BITS)};
}
