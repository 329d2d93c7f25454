#include "tables/layout.h"

#include <assert.h>
#include <string.h>

#include "base/bytes.h"
#include "base/hash.h"
#include "slices/index.h"
#include "tables/coder.h"

/* Offsets of the fields. */
enum {
    AT_MAGIC = 0,
    AT_VERSION = 8,
    AT_METRIC = 10,
    AT_CODING = 11,
    AT_DRAW_PLIES = 12,
    AT_NESTING = 14,
    AT_RESERVED = 15,
    AT_MATERIAL = 16,
    AT_BLOCK_SIZE = 20,
    AT_VALUES = 24,
    AT_WIN = 32,
    AT_DRAW = 40,
    AT_LOSS = 48,
    AT_LONGEST_WIN = 56,
    AT_LONGEST_LOSS = 58,
    AT_ENTRY_COUNT = 60,
    AT_FILE_SIZE = 64,
    AT_VARIANT = 72,
    AT_DICTIONARY_SIZE = 104,
    AT_DICTIONARY_HASH = 108,
    AT_TABLE_HASH = 112,
    AT_HEADER_HASH = 120
};

static_assert(AT_VARIANT + TABLE_VARIANT_SIZE == AT_DICTIONARY_SIZE, "fields overlap");
static_assert(AT_HEADER_HASH + 8 == TABLE_HEADER_SIZE, "the checksum ends the header");

static const uint8_t MAGIC[8] = {0x8A, 'D', 'A', 'M', 'E', '\r', '\n', 0x1A};

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

/* A distance of `count` wins or losses: there is one if there are any, and its byte is one. */
static bool longest_is_sound(const struct table_header *header, uint16_t longest, uint64_t count)
{
    if (!metric_has_plies(header->metric) || count == 0)
        return longest == TABLE_NO_DISTANCE;
    return coding_to_byte(header->coding, longest) <= UINT8_MAX &&
           (header->draw_rule.plies == 0 || longest <= header->draw_rule.plies);
}

/* Where a byte holds half the plies, wins and losses never take the same number of them, be it modulo 2; and
   only one of the two can take none. */
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
    if (header->dictionary_size > TABLE_DICTIONARY_MAX ||
        (header->dictionary_size == 0 && header->dictionary_hash != 0))
        return corrupt(detail, "header: dictionary");
    if (header->file_size > INT64_MAX ||
        header->file_size <
            TABLE_HEADER_SIZE + (uint64_t)header->entry_count * TABLE_ENTRY_SIZE + header->dictionary_size)
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
    switch (entry.kind) {
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

void layout_pack_header(const struct table_header *header, uint8_t *bytes)
{
    memset(bytes, 0, TABLE_HEADER_SIZE);
    memcpy(bytes + AT_MAGIC, MAGIC, sizeof MAGIC);
    store_u16(bytes + AT_VERSION, TABLE_VERSION);
    bytes[AT_METRIC] = (uint8_t)header->metric;
    bytes[AT_CODING] = (uint8_t)header->coding;
    store_u16(bytes + AT_DRAW_PLIES, (uint16_t)header->draw_rule.plies);
    bytes[AT_MATERIAL] = header->material.own_men;
    bytes[AT_MATERIAL + 1] = header->material.own_kings;
    bytes[AT_MATERIAL + 2] = header->material.other_men;
    bytes[AT_MATERIAL + 3] = header->material.other_kings;
    store_u32(bytes + AT_BLOCK_SIZE, header->block_size);
    store_u64(bytes + AT_VALUES, header->values);
    store_u64(bytes + AT_WIN, header->win);
    store_u64(bytes + AT_DRAW, header->draw);
    store_u64(bytes + AT_LOSS, header->loss);
    store_u16(bytes + AT_LONGEST_WIN, header->longest_win);
    store_u16(bytes + AT_LONGEST_LOSS, header->longest_loss);
    store_u32(bytes + AT_ENTRY_COUNT, header->entry_count);
    store_u64(bytes + AT_FILE_SIZE, header->file_size);
    memcpy(bytes + AT_VARIANT, header->variant, TABLE_VARIANT_SIZE);
    bytes[AT_NESTING] = header->nesting;
    store_u32(bytes + AT_DICTIONARY_SIZE, header->dictionary_size);
    store_u32(bytes + AT_DICTIONARY_HASH, header->dictionary_hash);
    store_u64(bytes + AT_TABLE_HASH, header->table_hash);
    store_u64(bytes + AT_HEADER_HASH, hash_bytes(bytes, AT_HEADER_HASH));
}

/* From the outside inwards: is it such a file, is it whole, do we know the version, and only then the fields.
 */
enum dame_status layout_unpack_header(const uint8_t *bytes, struct table_header *header, char *detail)
{
    if (memcmp(bytes + AT_MAGIC, MAGIC, sizeof MAGIC) != 0)
        return corrupt(detail, "not a table file");
    if (load_u64(bytes + AT_HEADER_HASH) != hash_bytes(bytes, AT_HEADER_HASH))
        return corrupt(detail, "header checksum");
    if (load_u16(bytes + AT_VERSION) != TABLE_VERSION)
        return detail_fail(detail, DAME_CORRUPT_TABLE, "unknown format version %u",
                           load_u16(bytes + AT_VERSION));
    if (bytes[AT_RESERVED] != 0)
        return corrupt(detail, "header: reserved bytes are not zero");
    struct table_header found = {
        .metric = bytes[AT_METRIC],
        .coding = bytes[AT_CODING],
        .draw_rule = {DRAW_PLIES, load_u16(bytes + AT_DRAW_PLIES)},
        .material = {bytes[AT_MATERIAL], bytes[AT_MATERIAL + 1], bytes[AT_MATERIAL + 2],
                     bytes[AT_MATERIAL + 3]},
        .block_size = load_u32(bytes + AT_BLOCK_SIZE),
        .values = load_u64(bytes + AT_VALUES),
        .win = load_u64(bytes + AT_WIN),
        .draw = load_u64(bytes + AT_DRAW),
        .loss = load_u64(bytes + AT_LOSS),
        .longest_win = load_u16(bytes + AT_LONGEST_WIN),
        .longest_loss = load_u16(bytes + AT_LONGEST_LOSS),
        .entry_count = load_u32(bytes + AT_ENTRY_COUNT),
        .file_size = load_u64(bytes + AT_FILE_SIZE),
        .table_hash = load_u64(bytes + AT_TABLE_HASH),
        .nesting = bytes[AT_NESTING],
        .dictionary_size = load_u32(bytes + AT_DICTIONARY_SIZE),
        .dictionary_hash = load_u32(bytes + AT_DICTIONARY_HASH),
    };
    memcpy(found.variant, bytes + AT_VARIANT, TABLE_VARIANT_SIZE);
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
    store_u16(bytes, (uint16_t)(entry.kind << LENGTH_BITS | entry.more << FILL_BITS | entry.length));
}

struct block_entry layout_unpack_entry(const uint8_t *bytes)
{
    const uint16_t packed = load_u16(bytes), length = packed & ((1U << LENGTH_BITS) - 1);
    const uint8_t kind = (uint8_t)(packed >> LENGTH_BITS);
    if (kind != BLOCK_FILL)
        return (struct block_entry){.length = length, .kind = kind};
    return (struct block_entry){
        .length = length & ((1U << FILL_BITS) - 1), .kind = kind, .more = (uint8_t)(length >> FILL_BITS)};
}
