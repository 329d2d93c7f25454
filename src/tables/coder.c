#include "tables/coder.h"

#include <assert.h>
#include <string.h>

#include "base/bytes.h"
#include "tables/decisions.h"
#include "tables/values.h"

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

/* How many rows back the row stands in which another set of the third piece set makes the difference; far
   away if there is none. */
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
                            uint64_t pending, uint64_t wanted, bool single, enum mode mode)
{
    uint64_t row = near->rows[0];
    uint8_t deviation = near->deviations[0];
    if (pending != 0) {
        const uint64_t dissent =
            (difference(near->rows[0], near->rows[1]) | difference(near->rows[0], near->rows[2])) & pending;
        unsigned context = DISSENT[bit_count(dissent)];
        for (int i = 0; i < LINES_NEAR; i++)
            context = context * DEVIATIONS + near->deviations[i];
        const uint64_t must = pending & ~(wanted & wanted >> 1);
        deviation = 0;
        if (row_deviates(block, context, (difference(row, wanted) & must) != 0, mode)) {
            row = mode == MODE_DECODE ? take_values(block, block->lines, line, near->rows, pending)
                                      : put_values(block, block->lines->beside[line->half], near->rows,
                                                   pending, wanted, mode);
            deviation = DEVIATION[bit_count(difference(row, near->rows[0]) & pending)];
        }
    }
    if (!single && line->length < LINE_VALUES) { /* for longer lines that resemble it */
        const int end = 2 * line->length;
        row = (row & bits_below(end)) | (row >> (end - 2) & 3) * LOW_BITS << end;
    }
    assert(block->row_count < LINES_ROWS_MAX);
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
    uint32_t ranks[PIECE_SETS - 1], line, offset;
};

static struct start find_start(const struct lines *lines, uint64_t first)
{
    struct start start;
    const uint32_t rank = (uint32_t)(first % lines->inner);
    uint64_t rest = first / lines->inner;
    for (int i = 0; i < PIECE_SETS - 1; i++) {
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

/* The sets of the two slowest piece sets together. */
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

/* The next sets of the slower piece sets. */
static void step_slow(const struct lines *lines, struct start *start)
{
    for (int i = 1; i < PIECE_SETS - 1; i++) {
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
            uint64_t pending = 0, wanted = 0;
            if (!overlap && (single || (line->squares & squares) == 0))
                pending = LOW_BITS & ~lines_taken(lines, line, taken) & bits_below(2 * (from + n)) &
                          ~bits_below(2 * from);
            if (mode != MODE_DECODE)
                wanted = load_values(block->packed, done) << 2 * from;
            struct near near;
            find_near(block, line, set, &slow, single, &near);
            code_row(block, line, &near, pending, wanted, single, mode);
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
    uint64_t low = 0, high = 0, none = 0; /* not zero: a win, a loss, a draw is among the values */
    for (size_t i = 0; i < count; i += 32) {
        const size_t n = count - i < 32 ? count - i : 32;
        uint8_t last[8] = {0};
        const uint8_t *from = n < 32 ? memcpy(last, packed + i / 4, (n + 3) / 4) : packed + i / 4;
        const uint64_t pairs = load_u64(from), odd = pairs >> 1;
        const uint64_t mask = LOW_BITS & bits_below((int)(2 * n));
        low |= pairs & ~odd & mask;
        high |= odd & ~pairs & mask;
        none |= ~(pairs | odd) & mask;
    }
    *value = low != 0 ? 1 : high != 0 ? 2 : 0;
    return (low != 0) + (high != 0) + (none != 0) <= 1;
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
