#include "tables/coder.h"

#include <assert.h>
#include <string.h>

#include "base/bytes.h"
#include "tables/values.h"

enum mode { MODE_COUNT, MODE_ENCODE, MODE_DECODE };

static const uint64_t LOW_BITS = UINT64_C(0x5555555555555555);

enum { STATE_LOW = 1 << 16, DEVIATIONS = 4 };

struct block {
    const struct lines *lines;
    const struct model *model;
    const uint8_t *packed;            /* to be encoded */
    struct model_counts *counts;      /* MODE_COUNT */
    struct coder_decision *decisions; /* MODE_ENCODE */
    size_t decision_count;
    const uint8_t *at; /* MODE_DECODE: the next bytes of the code */
    uint32_t state;
    uint8_t *out; /* where the values go */
    uint64_t word;
    int bits;
    uint32_t row_count;
    uint64_t rows[LINES_ROWS_MAX];
    uint8_t deviations[LINES_ROWS_MAX];
};

/* All bits or none: what a compiler makes no branch of, since it would be guessed wrong every third time. */
static inline uint32_t mask_if(bool condition)
{
    return 0U - (uint32_t)condition;
}

static inline void decide(struct block *block, uint32_t start, uint32_t parts)
{
    block->decisions[block->decision_count++] = (struct coder_decision){(uint16_t)start, (uint16_t)parts};
}

/* Take what has been read out of the state, and refill it. */
static inline void take(struct block *block, uint32_t slot, uint32_t start, uint32_t parts)
{
    block->state = parts * (block->state >> MODEL_BITS) + slot - start;
    if (__builtin_expect(block->state < STATE_LOW, 0)) {
        block->state = block->state << 16 | load_u16(block->at);
        block->at += 2;
    }
}

static inline bool row_deviates(struct block *block, unsigned context, bool deviates, enum mode mode)
{
    const uint32_t same = block->model->rows[context];
    if (mode == MODE_DECODE) {
        const uint32_t slot = block->state & (MODEL_ONE - 1);
        deviates = slot >= same;
        take(block, slot, deviates ? same : 0, deviates ? MODEL_ONE - same : same);
    } else if (mode == MODE_ENCODE) {
        decide(block, deviates ? same : 0, deviates ? MODEL_ONE - same : same);
    } else {
        block->counts->rows[context][deviates]++;
    }
    return deviates;
}

static inline void put_value(struct block *block, unsigned context, unsigned value, enum mode mode)
{
    const uint32_t entry = block->model->values[context], one = entry & 0xFFFF, two = entry >> 16;
    if (mode == MODE_COUNT)
        block->counts->values[context][value]++;
    else
        decide(block,
               value == 0   ? 0
               : value == 1 ? one
                            : two,
               value == 0   ? one
               : value == 1 ? two - one
                            : MODEL_ONE - two);
}

static inline unsigned value_at(uint64_t row, int place)
{
    return (unsigned)(row >> 2 * place & 3);
}

/* What stands around a value. `row` is what is known of its own row. */
static inline unsigned context_of(const uint64_t near[LINES_NEAR], uint64_t row, int place,
                                  const uint8_t beside[])
{
    const int first = beside[0], second = beside[1];
    return value_at(near[0], place) + 3 * value_at(near[1], place) + 9 * value_at(near[2], place) +
           27 * (value_at(near[0], first) + 3 * value_at(near[1], first)) +
           243 * (value_at(row, first) + 3 * value_at(row, second));
}

/* Code the values of a row at `todo` (bit 2 n of value n); the first of the rows resembles it most. */
static inline uint64_t put_values(struct block *block, const uint8_t beside[][LINES_BESIDE],
                                  const uint64_t near[LINES_NEAR], uint64_t todo, uint64_t wanted,
                                  enum mode mode)
{
    uint64_t row = near[0] & ~(todo * 3);
    for (; todo != 0; todo &= todo - 1) {
        const int place = bit_lowest(todo) / 2;
        const unsigned context = context_of(near, row, place, beside[place]);
        unsigned value = value_at(wanted, place);
        if (value == CODER_FREE)
            value = model_guess(block->model, context);
        put_value(block, context, value, mode);
        row |= (uint64_t)value << 2 * place;
    }
    return row;
}

/* Eight pairs of bits as bytes, and back. */
static inline uint64_t bytes_of(uint64_t pairs)
{
    uint64_t bytes = pairs & 0xFFFF;
    bytes = (bytes | bytes << 24) & UINT64_C(0x000000FF000000FF);
    bytes = (bytes | bytes << 12) & UINT64_C(0x000F000F000F000F);
    return (bytes | bytes << 6) & UINT64_C(0x0303030303030303);
}
static inline uint64_t pairs_of(uint64_t bytes)
{
    bytes = (bytes | bytes >> 6) & UINT64_C(0x000F000F000F000F);
    bytes = (bytes | bytes >> 12) & UINT64_C(0x000000FF000000FF);
    return (bytes | bytes >> 24) & 0xFFFF;
}

/* A row for the decoder, a byte for each value. */
struct wide_row {
    uint8_t
        above[LINE_VALUES]; /* what stands in the rows that resemble it: near[0] + 3 near[1] + 9 near[2] */
    uint8_t before[LINE_VALUES];     /* 27 (near[0] + 3 near[1]) */
    uint8_t values[LINE_VALUES + 1]; /* and room for one that is none */
};

static inline void widen(const uint64_t near[LINES_NEAR], uint64_t row, int length, struct wide_row *out)
{
    for (int i = 0; i < length; i += 8) {
        const uint64_t two = bytes_of(near[0] >> 2 * i) + 3 * bytes_of(near[1] >> 2 * i);
        store_u64(out->above + i, two + 9 * bytes_of(near[2] >> 2 * i));
        store_u64(out->before + i, 27 * two);
        store_u64(out->values + i, bytes_of(row >> 2 * i));
    }
}

static inline uint64_t narrow(const struct wide_row *row, int length)
{
    uint64_t out = 0;
    for (int i = 0; i < length; i += 8)
        out |= pairs_of(load_u64(row->values + i)) << 2 * i;
    return out;
}

/* The same the other way round, where nearly all of the time goes. A processor waits for nothing as long as
   for the value before, which is part of the context: so the probabilities for each that it may be are
   fetched before it is known. Nothing but the refill is a branch: the others would be guessed wrong too
   often. */
static inline uint64_t take_values(struct block *block, const struct lines *lines, const struct line *line,
                                   const uint64_t near[LINES_NEAR], uint64_t todo)
{
    const uint8_t (*beside)[LINES_BESIDE] = lines->beside[line->half];
    const uint16_t (*weights)[LINE_VALUES + 1] = lines->weights[line->half];
    struct wide_row row;
    const uint64_t known = near[0] & ~(todo * 3);
    widen(near, known, line->length, &row);
    const uint32_t *values = block->model->values;
    uint32_t state = block->state;
    const uint8_t *at = block->at;
    uint32_t above = 0, top = 0; /* all bits set: the last value was not 0; it was 2 */
    unsigned last = LINE_VALUES; /* resembles nothing */
    for (; todo != 0; todo &= todo - 1) {
        const unsigned place = (unsigned)bit_lowest(todo) / 2, first = beside[place][0],
                       second = beside[place][1];
        const uint32_t *entries = values + row.above[place] + row.before[first] +
                                  243 * (row.values[first] + 3 * row.values[second]);
        const unsigned weight = weights[place][last];
        const uint32_t entry_0 = entries[0], entry_1 = entries[weight], entry_2 = entries[2 * weight];
        row.values[last] = (uint8_t)((above & 1) + (top & 1));
        const uint32_t entry = entry_0 ^ ((entry_0 ^ entry_1) & above) ^ ((entry_1 ^ entry_2) & top);
        const uint32_t one = entry & 0xFFFF, two = entry >> 16, slot = state & (MODEL_ONE - 1);
        above = mask_if(slot >= one);
        top = mask_if(slot >= two);
        const uint32_t start = (one & above) + ((two - one) & top);
        const uint32_t parts = one + ((two - one - one) & above) + ((MODEL_ONE - two - two + one) & top);
        state = parts * (state >> MODEL_BITS) + slot - start;
        if (__builtin_expect(state < STATE_LOW, 0)) {
            state = state << 16 | load_u16(at);
            at += 2;
        }
        last = place;
    }
    block->state = state;
    block->at = at;
    row.values[last] = (uint8_t)((above & 1) + (top & 1));
    return narrow(&row, line->length);
}

/* The low bit of each pair in which two rows differ. */
static inline uint64_t difference(uint64_t a, uint64_t b)
{
    return ((a ^ b) | (a ^ b) >> 1) & LOW_BITS;
}

static const uint8_t DISSENT[LINE_VALUES + 1] = {0, 1, 2, 3, 4, 4, 5, 5, 5, 6, 6, 6, 6, 7, 7, 7, 7,
                                                 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7};
static const uint8_t DEVIATION[LINE_VALUES + 1] = {0, 1, 1, 2, 2, 2, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3,
                                                   3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3};

/* The rows that a row resembles, of those that stand in the block. */
struct near {
    uint64_t rows[LINES_NEAR];
    uint8_t deviations[LINES_NEAR];
};

/* How many rows back the row stands in which another set of the third kind makes the difference; far away if
   there is none. */
struct slow {
    uint64_t squares, taken[2], back[LINES_NEAR];
    bool overlap;
};

struct nearest {
    uint64_t back[LINES_NEAR];
    int count;
};

static inline void add_near(const struct block *block, uint64_t back, struct nearest *found)
{
    if (back != 0 && back <= block->row_count && found->count < LINES_NEAR)
        found->back[found->count++] = back;
}

/* Where the three stand: FORMAT.md has the order of preference. */
static void search_near(const struct block *block, const struct line *line, const struct line_set *set,
                        const struct slow *slow, struct near *near)
{
    const uint64_t step = block->lines->line_count;
    struct nearest found = {.count = 0};
    for (int i = 0; i < LINES_NEAR; i++) {
        add_near(block, set->near[i] * step, &found);
        if (i == 1)
            add_near(block, slow->back[0], &found);
        add_near(block, line->near[i], &found);
    }
    add_near(block, slow->back[1], &found);
    add_near(block, slow->back[2], &found);
    for (int i = 0; i < LINES_NEAR; i++) {
        const int at = i < found.count ? i : found.count - 1;
        const uint32_t row = at < 0 ? 0 : block->row_count - (uint32_t)found.back[at];
        near->rows[i] = at < 0 ? 0 : block->rows[row];
        near->deviations[i] = at < 0 ? DEVIATIONS - 1 : block->deviations[row];
    }
}

/* The same without a search, for nearly all rows. */
static inline void find_near(const struct block *block, const struct line *line, const struct line_set *set,
                             const struct slow *slow, bool single, struct near *near)
{
    const uint32_t count = block->row_count, step = single ? 1 : block->lines->line_count;
    const uint32_t second = single ? set->near[1] : line->near[0];
    const uint64_t third = !single                  ? (uint64_t)set->near[1] * step
                           : slow->back[0] <= count ? slow->back[0]
                                                    : set->near[2];
    if (second == 0 || third == 0 || second > count || third > count ||
        (uint64_t)set->near[0] * step > count) {
        search_near(block, line, set, slow, near);
        return;
    }
    const uint32_t rows[LINES_NEAR] = {count - set->near[0] * step, count - second, count - (uint32_t)third};
    for (int i = 0; i < LINES_NEAR; i++) {
        near->rows[i] = block->rows[rows[i]];
        near->deviations[i] = block->deviations[rows[i]];
    }
}

static inline void code_row(struct block *block, const struct line *line, const struct near *near,
                            uint64_t todo, uint64_t wanted, bool single, enum mode mode)
{
    uint64_t row = near->rows[0];
    uint8_t deviation = near->deviations[0];
    if (todo != 0) {
        const uint64_t dissent =
            (difference(near->rows[0], near->rows[1]) | difference(near->rows[0], near->rows[2])) & todo;
        unsigned context = DISSENT[bit_count(dissent)];
        for (int i = 0; i < LINES_NEAR; i++)
            context = context * DEVIATIONS + near->deviations[i];
        const uint64_t must = todo & ~(wanted & wanted >> 1);
        deviation = 0;
        if (row_deviates(block, context, (difference(row, wanted) & must) != 0, mode)) {
            row = mode == MODE_DECODE
                      ? take_values(block, block->lines, line, near->rows, todo)
                      : put_values(block, block->lines->beside[line->half], near->rows, todo, wanted, mode);
            deviation = DEVIATION[bit_count(difference(row, near->rows[0]) & todo)];
        }
    }
    if (!single && line->length < LINE_VALUES) { /* for longer lines that resemble it */
        const int end = 2 * line->length;
        row = (row & bits_below(end)) | (row >> (end - 2) & 3) * LOW_BITS << end;
    }
    block->rows[block->row_count] = row;
    block->deviations[block->row_count++] = deviation;
}

static inline uint64_t load_values(const uint8_t *packed, size_t at)
{
    const uint64_t low = load_u64(packed + at / 4), high = packed[at / 4 + 8];
    const int shift = (int)(at % 4) * 2;
    return low >> shift | (shift == 0 ? 0 : high << (64 - shift));
}

static inline void store_values(struct block *block, uint64_t values, int count)
{
    const int bits = 2 * count;
    values &= bits_below(bits);
    block->word |= values << block->bits;
    block->bits += bits;
    if (block->bits >= 64) {
        store_u64(block->out, block->word);
        block->out += 8;
        block->bits -= 64;
        block->word = block->bits == 0 ? 0 : values >> (bits - block->bits);
    }
}

/* Where a block begins. */
struct start {
    uint32_t ranks[KINDS - 1], line, offset;
};

static struct start find_start(const struct lines *lines, uint64_t first)
{
    struct start start;
    const uint32_t rank = (uint32_t)(first % lines->inner);
    uint64_t rest = first / lines->inner;
    for (int i = 0; i < KINDS - 1; i++) {
        start.ranks[i] = (uint32_t)(rest % lines->set_count[i]);
        rest /= lines->set_count[i];
    }
    uint32_t low = 0, high = lines->line_count;
    while (high - low > 1) {
        const uint32_t middle = low + (high - low) / 2;
        *(lines->lines[middle].first <= rank ? &low : &high) = middle;
    }
    start.line = low;
    start.offset = rank - lines->lines[low].first;
    return start;
}

/* The sets of the two slowest kinds together. */
static struct slow slow_sets(const struct lines *lines, const struct start *start)
{
    const struct line_set *a = &lines->sets[1][start->ranks[1]], *b = &lines->sets[2][start->ranks[2]];
    struct slow slow = {
        .squares = a->squares | b->squares,
        .taken = {a->taken[0] | b->taken[0], a->taken[1] | b->taken[1]},
        .overlap = (a->squares & b->squares) != 0,
    };
    for (int i = 0; i < LINES_NEAR; i++)
        slow.back[i] =
            a->near[i] == 0 ? UINT64_MAX : (uint64_t)a->near[i] * lines->set_count[0] * lines->line_count;
    return slow;
}

/* The next sets of the slower kinds. */
static void step_slow(const struct lines *lines, struct start *start)
{
    for (int i = 1; i < KINDS - 1; i++) {
        if (++start->ranks[i] < lines->set_count[i])
            return;
        start->ranks[i] = 0;
    }
}

static inline __attribute__((always_inline)) bool code_rows(struct block *block, uint64_t first, size_t count,
                                                            const uint8_t *end, bool single, enum mode mode)
{
    const struct lines *lines = block->lines;
    struct start start = find_start(lines, first);
    struct slow slow = slow_sets(lines, &start);
    for (size_t done = 0;;) {
        const struct line_set *set = &lines->sets[0][start.ranks[0]];
        const uint64_t squares = set->squares | slow.squares;
        const bool overlap = slow.overlap || (set->squares & slow.squares) != 0;
        const uint64_t taken[2] = {set->taken[0] | slow.taken[0], set->taken[1] | slow.taken[1]};
        for (uint32_t i = start.line; i < (single ? 1 : lines->line_count); i++) {
            const struct line *line = &lines->lines[i];
            const int from = (int)start.offset, most = line->length - from;
            const int n = count - done < (size_t)most ? (int)(count - done) : most;
            uint64_t todo = 0, wanted = 0;
            if (!overlap && (single || (line->squares & squares) == 0))
                todo = LOW_BITS & ~lines_taken(lines, line, taken) & bits_below(2 * (from + n)) &
                       ~bits_below(2 * from);
            if (mode != MODE_DECODE)
                wanted = load_values(block->packed, done) << 2 * from;
            struct near near;
            find_near(block, line, set, &slow, single, &near);
            code_row(block, line, &near, todo, wanted, single, mode);
            if (mode == MODE_DECODE) {
                store_values(block, block->rows[block->row_count - 1] >> 2 * from, n);
                if (block->at > end)
                    return false;
            }
            done += (size_t)n;
            start.offset = 0;
            if (done == count)
                return true;
        }
        start.line = 0;
        if (++start.ranks[0] == lines->set_count[0]) {
            start.ranks[0] = 0;
            step_slow(lines, &start);
            slow = slow_sets(lines, &start);
        }
    }
}

/* Code a block of at most LINES_ROWS_MAX rows. */
static inline __attribute__((always_inline)) bool code_block(struct block *block, uint64_t first,
                                                             size_t count, const uint8_t *end, enum mode mode)
{
    return block->lines->line_count == 1 ? code_rows(block, first, count, end, true, mode)
                                         : code_rows(block, first, count, end, false, mode);
}

bool coder_is_one(const uint8_t *packed, size_t count, uint8_t *value)
{
    bool met[4] = {false};
    for (size_t i = 0; i < count; i++)
        met[values_get(packed, i)] = true;
    *value = met[1] ? 1 : met[2] ? 2 : 0;
    return met[0] + met[1] + met[2] <= 1;
}

void coder_count(const struct lines *lines, const struct model *model, uint64_t first, size_t count,
                 const uint8_t *packed, struct model_counts *counts)
{
    struct block block;
    block.lines = lines;
    block.model = model;
    block.packed = packed;
    block.counts = counts;
    block.row_count = 0;
    code_block(&block, first, count, NULL, MODE_COUNT);
}

/* From the last decision to the first: what is decoded comes out the other way round. */
static size_t write_code(const struct block *block, struct coder_scratch *scratch, uint8_t *out,
                         size_t capacity)
{
    uint8_t *const end = scratch->code + sizeof scratch->code, *at = end;
    uint32_t state = STATE_LOW;
    for (size_t i = block->decision_count; i-- > 0;) {
        const struct coder_decision decision = block->decisions[i];
        if (state >> (32 - MODEL_BITS) >= decision.parts) {
            at -= 2;
            store_u16(at, (uint16_t)state);
            state >>= 16;
        }
        state = (state / decision.parts << MODEL_BITS) + state % decision.parts + decision.start;
    }
    at -= 4;
    store_u32(at, state);
    const size_t size = (size_t)(end - at);
    if (size > capacity)
        return 0;
    memcpy(out, at, size);
    return size;
}

size_t coder_encode(const struct lines *lines, const struct model *model, uint64_t first, size_t count,
                    const uint8_t *packed, struct coder_scratch *scratch, uint8_t *out, size_t capacity)
{
    struct block block;
    block.lines = lines;
    block.model = model;
    block.packed = packed;
    block.decisions = scratch->decisions;
    block.decision_count = 0;
    block.row_count = 0;
    code_block(&block, first, count, NULL, MODE_ENCODE);
    return write_code(&block, scratch, out, capacity);
}

bool coder_decode(const struct lines *lines, const struct model *model, uint64_t first, size_t count,
                  const uint8_t *code, size_t size, uint8_t *packed)
{
    if (!coder_size_is_sound(size))
        return false;
    struct block block;
    block.lines = lines;
    block.model = model;
    block.at = code + 4;
    block.state = load_u32(code);
    block.out = packed;
    block.word = 0;
    block.bits = 0;
    block.row_count = 0;
    if (block.state < STATE_LOW || !code_block(&block, first, count, code + size, MODE_DECODE))
        return false;
    for (int i = 0; i < block.bits; i += 8)
        block.out[i / 8] = (uint8_t)(block.word >> i);
    return block.at == code + size && block.state == STATE_LOW;
}
