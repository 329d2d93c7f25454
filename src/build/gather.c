#include "build/gather.h"

#include <stdlib.h>
#include <string.h>

#include "build/packer.h"
#include "build/pinned.h"
#include "planes/transpose.h"
#include "tables/coder.h"

enum {
    SPREAD_WIDTH = 32,     /* of rows whose order is a matter of tables */
    MATRIX_MOST = 1 << 25, /* bits of a matrix that is transposed */
    ROW_WORTH = 4,         /* bits of a row that are ordered as quickly as one is taken by itself */
    TURNED_LINES = 6,      /* columns that are picked as quickly as 64 of them are turned */
    /* Words of a row that are fetched in the time that one bit takes by itself: in a large slice every bit is
       somewhere else in memory. */
    BIT_WORDS = 1,
    BIT_WORDS_LARGE = 8,
    LARGE_VALUES = 1 << 24
};

/* Rows of values, packed as in tables/values.h: their low bits and their high bits, both set for CODER_FREE.
 */
struct pair_row {
    uint64_t *low, *high;
};

/* One block of the planes. */
struct block_view {
    const uint64_t *won, *lost, *stored;
    size_t row_words;
};

static inline uint64_t value_of(const struct block_view *view, size_t row, size_t column)
{
    const size_t at = row * view->row_words + column / 64;
    const int bit = (int)(column % 64);
    const uint64_t free = ~view->stored[at];
    return ((view->won[at] | free) >> bit & 1) | ((view->lost[at] | free) >> bit & 1) << 1;
}

/* Walking through a part of a file. */
struct walk {
    const struct gatherer *gatherer;
    const struct places *places;
    uint64_t ranks[PIECE_SETS];
    struct pinned pinned;
    enum dame_status status;
    struct packer packer;
    struct pair_row row;    /* with a word to spare */
    uint8_t *bytes;         /* the values of a row, a byte each */
    struct pair_row matrix; /* this and the next are allocated when first used */
    struct pair_row strip;  /* 64 rows of the planes */
    size_t matrix_words;
};

/* The block of two classes; false if it cannot be had: walk->status says why. */
static inline bool view_block(struct walk *walk, uint32_t row_class, uint32_t column_class,
                              struct block_view *out)
{
    const struct planes *planes = walk->places->planes;
    walk->status = pinned_move(&walk->pinned, planes, planes_block(planes, row_class, column_class));
    if (walk->status != DAME_OK)
        return false;
    *out = (struct block_view){walk->pinned.values.won, walk->pinned.values.lost, walk->pinned.stored,
                               walk->places->row_words[column_class]};
    return true;
}

static size_t row_width_words(const struct gatherer *gatherer)
{
    return (gatherer->width + 63) / 64;
}

/* Append `count` bits of a row of a block, from bit `from` on, at bit `at` of the row. */
static inline void append_bits(const struct block_view *view, size_t row, uint64_t from, uint64_t count,
                               struct pair_row out, uint64_t at)
{
    const size_t start = row * view->row_words;
    for (uint64_t done = 0; done < count;) {
        const uint64_t source = from + done, target = at + done;
        const int shift = (int)(source % 64), to = (int)(target % 64);
        const uint64_t left = count - done, room = (uint64_t)(64 - (shift > to ? shift : to));
        const int n = (int)(left < room ? left : room);
        const size_t word = start + (size_t)(source / 64);
        const uint64_t mask = bits_below(n), free = ~view->stored[word];
        const uint64_t low = (view->won[word] | free) >> shift & mask;
        const uint64_t high = (view->lost[word] | free) >> shift & mask;
        if (to == 0) {
            out.low[target / 64] = low;
            out.high[target / 64] = high;
        } else {
            out.low[target / 64] |= low << to;
            out.high[target / 64] |= high << to;
        }
        done += (uint64_t)n;
    }
}

/* The row of the sets across, for the ranks of the other ones. */
static inline void fetch_row(struct walk *walk, struct pair_row out)
{
    const struct places *places = walk->places;
    const struct side *columns = places->planes->columns;
    const uint32_t row_class = places->class_of[OTHER_MEN][walk->ranks[OTHER_MEN]];
    const size_t row = (size_t)(places->inside[OTHER_MEN][walk->ranks[OTHER_MEN]] +
                                places->inside[OTHER_KINGS][walk->ranks[OTHER_KINGS]]);
    if (walk->gatherer->across == OWN_KINGS) {
        struct block_view view;
        if (!view_block(walk, row_class, places->class_of[OWN_MEN][walk->ranks[OWN_MEN]], &view))
            return;
        append_bits(&view, row, places->inside[OWN_MEN][walk->ranks[OWN_MEN]], walk->gatherer->width, out, 0);
        return;
    }
    uint64_t at = 0;
    for (uint32_t class = 0; class < columns->class_count; class++) {
        struct block_view view;
        if (!view_block(walk, row_class, class, &view))
            return;
        const uint64_t width = side_width(columns, class);
        append_bits(&view, row, 0, width, out, at);
        at += width;
    }
}

/* Bit by bit, with one piece set that varies: `count` ranks of it from where the walk stands. */
static inline __attribute__((always_inline)) void put_each(struct walk *walk, enum piece_set inner,
                                                           size_t count)
{
    const struct places *places = walk->places;
    uint64_t ranks[PIECE_SETS];
    memcpy(ranks, walk->ranks, sizeof ranks);
    uint32_t row_class = places->class_of[OTHER_MEN][ranks[OTHER_MEN]];
    uint32_t column_class = places->class_of[OWN_MEN][ranks[OWN_MEN]];
    struct block_view view;
    if (!view_block(walk, row_class, column_class, &view))
        return;
    for (size_t done = 0; done < count;) {
        const int n = count - done < SPREAD_WIDTH ? (int)(count - done) : SPREAD_WIDTH;
        uint64_t pairs = 0;
        for (int i = 0; i < n; i++, ranks[inner]++) {
            if (inner == OTHER_MEN)
                row_class = places->class_of[OTHER_MEN][ranks[OTHER_MEN]];
            if (inner == OWN_MEN)
                column_class = places->class_of[OWN_MEN][ranks[OWN_MEN]];
            if (piece_set_is_men(inner))
                if (!view_block(walk, row_class, column_class, &view))
                    return;
            const uint64_t row =
                places->inside[OTHER_MEN][ranks[OTHER_MEN]] + places->inside[OTHER_KINGS][ranks[OTHER_KINGS]];
            const uint64_t column =
                places->inside[OWN_MEN][ranks[OWN_MEN]] + places->inside[OWN_KINGS][ranks[OWN_KINGS]];
            pairs |= value_of(&view, (size_t)row, (size_t)column) << 2 * i;
        }
        packer_put(&walk->packer, pairs, n);
        done += (size_t)n;
    }
}

static void put_bits_of(struct walk *walk, enum piece_set inner, size_t count)
{
    switch (inner) {
    case OTHER_MEN:
        put_each(walk, OTHER_MEN, count);
        break;
    case OWN_MEN:
        put_each(walk, OWN_MEN, count);
        break;
    case OTHER_KINGS:
        put_each(walk, OTHER_KINGS, count);
        break;
    default:
        put_each(walk, OWN_KINGS, count);
    }
}

/* Eight bits as the low bits of eight bytes. */
static inline uint64_t bits_to_bytes(uint64_t bits)
{
    const uint64_t each = (bits * UINT64_C(0x0101010101010101)) & UINT64_C(0x8040201008040201);
    return (each + UINT64_C(0x7F7F7F7F7F7F7F7F)) >> 7 & UINT64_C(0x0101010101010101);
}

/* A part of a line of the sets across. */
static void put_line(struct walk *walk, size_t count)
{
    const struct gatherer *gatherer = walk->gatherer;
    const size_t from = (size_t)walk->ranks[gatherer->across];
    if (count * ROW_WORTH < gatherer->width && gatherer->width > SPREAD_WIDTH) {
        put_bits_of(walk, gatherer->across, count);
        return;
    }
    const struct pair_row row = walk->row;
    fetch_row(walk, row);
    if (gatherer->spread != NULL) {
        const uint64_t (*spread)[256] = (const uint64_t (*)[256])gatherer->spread;
        const uint64_t low = row.low[0], high = row.high[0];
        const uint64_t even = spread[0][low & 0xFF] | spread[1][low >> 8 & 0xFF] |
                              spread[2][low >> 16 & 0xFF] | spread[3][low >> 24 & 0xFF];
        const uint64_t odd = spread[0][high & 0xFF] | spread[1][high >> 8 & 0xFF] |
                             spread[2][high >> 16 & 0xFF] | spread[3][high >> 24 & 0xFF];
        packer_put(&walk->packer, (even | odd << 1) >> 2 * from, (int)count);
        return;
    }
    uint8_t *bytes = walk->bytes;
    for (size_t i = 0; i < gatherer->width; i += 8)
        store_u64(bytes + i, bits_to_bytes(row.low[i / 64] >> i % 64 & 0xFF) |
                                 bits_to_bytes(row.high[i / 64] >> i % 64 & 0xFF) << 1);
    const uint32_t *column = gatherer->column + from;
    for (size_t done = 0; done < count; done += SPREAD_WIDTH, column += SPREAD_WIDTH) {
        const int n = count - done < SPREAD_WIDTH ? (int)(count - done) : SPREAD_WIDTH;
        uint64_t pairs = 0;
        for (int i = 0; i < n; i++)
            pairs |= (uint64_t)bytes[column[i]] << 2 * i;
        packer_put(&walk->packer, pairs, n);
    }
}

/* Room for so many words. */
static enum dame_status allocate_matrix(struct walk *walk, size_t words)
{
    const size_t row = row_width_words(walk->gatherer) + 1;
    if (walk->strip.low == NULL)
        walk->strip.low = malloc(2 * 64 * row * sizeof(uint64_t));
    if (walk->matrix_words < words) {
        free(walk->matrix.low);
        walk->matrix.low = malloc(2 * words * sizeof(uint64_t));
        walk->matrix_words = words;
    }
    if (walk->matrix.low == NULL || walk->strip.low == NULL)
        return DAME_NO_MEMORY;
    walk->matrix.high = walk->matrix.low + words;
    walk->strip.high = walk->strip.low + 64 * row;
    return DAME_OK;
}

/* One column of at most 64 rows. */
static inline uint64_t pick_column(const uint64_t *rows, size_t stride, int count, size_t column)
{
    uint64_t bits = 0;
    for (int i = count - 1; i >= 0; i--)
        bits = bits << 1 | (rows[(size_t)i * stride + column / 64] >> column % 64 & 1);
    return bits;
}

/* 64 columns of 64 rows. */
static inline void transpose_words(const uint64_t *rows, size_t stride, int count, uint64_t *out,
                                   size_t out_stride)
{
    uint64_t block[64];
    for (int i = 0; i < count; i++)
        block[i] = rows[(size_t)i * stride];
    for (int i = count; i < 64; i++)
        block[i] = 0;
    transpose_64(block);
    for (size_t i = 0; i < 64; i++)
        out[i * out_stride] = block[i];
}

/* All columns of 64 rows. */
static void turn_strip(const struct walk *walk, int count, size_t strip, size_t strips)
{
    const size_t words = row_width_words(walk->gatherer), stride = words + 1;
    for (size_t word = 0; word < words; word++) {
        const size_t at = word * 64 * strips + strip;
        transpose_words(walk->strip.low + word, stride, count, walk->matrix.low + at, strips);
        transpose_words(walk->strip.high + word, stride, count, walk->matrix.high + at, strips);
    }
}

/* `lines` columns of 64 rows, those of the sets across from where the walk stands. */
static void pick_strip(const struct walk *walk, size_t lines, int count, size_t strip, size_t strips)
{
    const size_t stride = row_width_words(walk->gatherer) + 1;
    const uint32_t *column = walk->gatherer->column + walk->ranks[walk->gatherer->across];
    for (size_t line = 0; line < lines; line++) {
        walk->matrix.low[line * strips + strip] = pick_column(walk->strip.low, stride, count, column[line]);
        walk->matrix.high[line * strips + strip] = pick_column(walk->strip.high, stride, count, column[line]);
    }
}

/* Go on to the next set of piece set number `place` (the quickest first), and so on, below number `end`. */
static void step(struct walk *walk, int place, int end)
{
    for (; place < end; place++) {
        const enum piece_set piece_set = walk->gatherer->order[place];
        if (++walk->ranks[piece_set] < walk->places->shape.sets[piece_set])
            return;
        walk->ranks[piece_set] = 0;
    }
}

/* How values of a part of the file are found. */
enum way { BY_BIT, BY_LINE, BY_PICKING, BY_TURNING };

/* Fill the matrix whose lines are sets across, their bits the sets of all faster piece sets: all columns of
   the rows, or `lines` of them. */
static void fill_matrix(struct walk *walk, enum way way, size_t lines)
{
    const struct gatherer *gatherer = walk->gatherer;
    const size_t strips = (size_t)(gatherer->rows + 63) / 64, stride = row_width_words(gatherer) + 1;
    for (int place = 0; place < gatherer->depth; place++)
        walk->ranks[gatherer->order[place]] = 0;
    for (size_t strip = 0; strip < strips; strip++) {
        const uint64_t left = gatherer->rows - strip * 64;
        const int count = left < 64 ? (int)left : 64;
        for (int i = 0; i < count && walk->status == DAME_OK; i++) {
            fetch_row(walk, (struct pair_row){walk->strip.low + (size_t)i * stride,
                                              walk->strip.high + (size_t)i * stride});
            step(walk, 0, gatherer->depth);
        }
        if (way == BY_TURNING)
            turn_strip(walk, count, strip, strips);
        else
            pick_strip(walk, lines, count, strip, strips);
    }
}

/* A part of a line of the matrix. */
static inline void put_matrix_line(struct walk *walk, size_t line, size_t strips, size_t from, size_t count)
{
    const uint64_t *low = walk->matrix.low + line * strips, *high = walk->matrix.high + line * strips;
    for (size_t done = 0; done < count;) {
        const size_t at = from + done;
        const int shift = (int)(at % 64), room = 64 - shift < 32 ? 64 - shift : 32;
        const int n = count - done < (size_t)room ? (int)(count - done) : room;
        const uint64_t pairs = bits_to_pairs(low[at / 64] >> shift & UINT32_MAX) |
                               bits_to_pairs(high[at / 64] >> shift & UINT32_MAX) << 1;
        packer_put(&walk->packer, pairs, n);
        done += (size_t)n;
    }
}

/* The quickest way to so many values; words of rows are fetched, or turned, in vain if there are few. */
static enum way find_way(const struct gatherer *gatherer, uint64_t count)
{
    const uint64_t rows = gatherer->rows, words = row_width_words(gatherer);
    if (gatherer->depth == 0)
        return BY_LINE;
    if (64 * rows * words <= MATRIX_MOST && TURNED_LINES * rows * words <= count)
        return BY_TURNING;
    const uint64_t worth = gatherer->places->shape.size > LARGE_VALUES ? BIT_WORDS_LARGE : BIT_WORDS;
    return gatherer->words <= worth * count ? BY_PICKING : BY_BIT;
}

/* `count` values, line by line of the fastest piece set. */
static enum dame_status put_lines(struct walk *walk, enum way way, uint64_t count)
{
    const enum piece_set inner = walk->gatherer->order[0];
    for (uint64_t done = 0; done < count && walk->status == DAME_OK;) {
        const uint64_t left = walk->places->shape.sets[inner] - walk->ranks[inner];
        const size_t n = (size_t)(left < count - done ? left : count - done);
        if (way == BY_LINE)
            put_line(walk, n);
        else
            put_bits_of(walk, inner, n);
        walk->ranks[inner] += n - 1;
        step(walk, 0, PIECE_SETS);
        done += n;
    }
    return walk->status;
}

/* `count` values from `row` of the matrix on; all of them are of the same sets slower than the one across. */
static enum dame_status put_matrix(struct walk *walk, enum way way, uint64_t row, uint64_t count)
{
    const struct gatherer *gatherer = walk->gatherer;
    const size_t strips = (size_t)(gatherer->rows + 63) / 64;
    const size_t lines = (size_t)((row + count + gatherer->rows - 1) / gatherer->rows);
    const size_t most = way == BY_TURNING ? row_width_words(gatherer) * 64 : lines;
    const uint32_t *column = gatherer->column + walk->ranks[gatherer->across];
    const enum dame_status status = allocate_matrix(walk, most * strips);
    if (status != DAME_OK)
        return status;
    fill_matrix(walk, way, lines);
    for (size_t line = 0; line < lines; line++) {
        const uint64_t left = gatherer->rows - row;
        const size_t n = (size_t)(left < count ? left : count);
        put_matrix_line(walk, way == BY_TURNING ? column[line] : line, strips, (size_t)row, n);
        count -= n;
        row = 0;
    }
    return walk->status;
}

enum dame_status gather(const struct gatherer *gatherer, uint64_t first, size_t count, uint8_t *packed)
{
    const struct index_shape *shape = &gatherer->places->shape;
    const size_t words = row_width_words(gatherer) + 1;
    struct walk walk = {.gatherer = gatherer, .places = gatherer->places, .packer = {.out = packed}};
    walk.row.low = malloc(2 * words * sizeof(uint64_t) + 64 * words);
    enum dame_status status = walk.row.low == NULL ? DAME_NO_MEMORY : DAME_OK;
    if (status == DAME_OK) {
        walk.row.high = walk.row.low + words;
        walk.bytes = (uint8_t *)(walk.row.high + words);
    }
    const uint64_t part = gatherer->rows * gatherer->width; /* values of one matrix */
    for (uint64_t done = 0; done < count && status == DAME_OK;) {
        const uint64_t at = (first + done) % part, left = part - at;
        const uint64_t n = left < count - done ? left : count - done;
        const enum way way = find_way(gatherer, n);
        for (int piece_set = 0; piece_set < PIECE_SETS; piece_set++)
            walk.ranks[piece_set] = index_rank(shape, (enum piece_set)piece_set, first + done);
        if (way == BY_TURNING || way == BY_PICKING)
            status = put_matrix(&walk, way, at % gatherer->rows, n);
        else
            status = put_lines(&walk, way, n);
        done += n;
    }
    if (status == DAME_OK)
        packer_end(&walk.packer);
    pinned_release(&walk.pinned, gatherer->places->planes);
    free(walk.row.low);
    free(walk.matrix.low);
    free(walk.strip.low);
    return status;
}

/* How many piece sets are faster than the one across, and their sets together. */
static int find_rows(const struct index_shape *shape, const enum piece_set order[PIECE_SETS], uint64_t *rows)
{
    const enum piece_set across = gatherer_across(shape);
    int depth = 0;
    for (*rows = 1; order[depth] != across; depth++)
        *rows *= shape->sets[order[depth]];
    return depth;
}

static uint64_t words_of(const struct index_shape *shape, uint64_t rows)
{
    enum { ROW_WORDS = 4 }; /* that are fetched while a row is found */
    return rows * ((shape->sets[gatherer_across(shape)] + 63) / 64 + ROW_WORDS);
}

uint64_t gatherer_words(const struct index_shape *shape)
{
    enum piece_set order[PIECE_SETS];
    uint64_t rows;
    index_by_speed(shape, order);
    find_rows(shape, order, &rows);
    return words_of(shape, rows);
}

/* The bit of every set across. */
static void fill_columns(const struct places *places, struct gatherer *gatherer)
{
    const struct side *columns = places->planes->columns;
    for (uint32_t rank = 0; rank < gatherer->width; rank++) {
        const uint32_t inside = (uint32_t)places->inside[gatherer->across][rank];
        gatherer->column[rank] = gatherer->across == OWN_KINGS
                                     ? inside
                                     : columns->class_start[places->class_of[OWN_MEN][rank]] + inside;
    }
}

static void fill_spread(struct gatherer *gatherer)
{
    memset(gatherer->spread, 0, 4 * sizeof *gatherer->spread);
    for (uint32_t rank = 0; rank < gatherer->width; rank++) {
        const uint32_t column = gatherer->column[rank];
        for (unsigned byte = 0; byte < 256; byte++)
            if ((byte >> column % 8 & 1) != 0)
                gatherer->spread[column / 8][byte] |= UINT64_C(1) << 2 * rank;
    }
}

enum dame_status gatherer_create(const struct places *places, struct gatherer *out)
{
    const struct index_shape *shape = &places->shape;
    struct gatherer gatherer = {.places = places, .across = gatherer_across(shape)};
    index_by_speed(shape, gatherer.order);
    gatherer.width = (uint32_t)shape->sets[gatherer.across];
    gatherer.depth = find_rows(shape, gatherer.order, &gatherer.rows);
    gatherer.words = words_of(shape, gatherer.rows);
    gatherer.column = malloc(gatherer.width * sizeof *gatherer.column);
    if (gatherer.width <= SPREAD_WIDTH)
        gatherer.spread = malloc(4 * sizeof *gatherer.spread);
    if (gatherer.column == NULL || (gatherer.width <= SPREAD_WIDTH && gatherer.spread == NULL)) {
        gatherer_destroy(&gatherer);
        return DAME_NO_MEMORY;
    }
    fill_columns(places, &gatherer);
    if (gatherer.spread != NULL)
        fill_spread(&gatherer);
    *out = gatherer;
    return DAME_OK;
}

void gatherer_destroy(struct gatherer *gatherer)
{
    free(gatherer->column);
    free(gatherer->spread);
    *gatherer = (struct gatherer){0};
}
