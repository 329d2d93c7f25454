/* The inside of the coder: what is decided for a block, written down or read, one row's values after the
   other. */
#ifndef DAME_TABLES_DECISIONS_H
#define DAME_TABLES_DECISIONS_H

#include "base/bytes.h"
#include "tables/coder.h"

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

/* All bits or none, without a branch, which the processor would mispredict every third time. */
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

/* Code the values of a row at `pending` (bit 2 n of value n); the first of the rows resembles it most. */
static inline uint64_t put_values(struct block *block, const uint8_t beside[][LINES_BESIDE],
                                  const uint64_t near[LINES_NEAR], uint64_t pending, uint64_t wanted,
                                  enum mode mode)
{
    uint64_t row = near[0] & ~(pending * 3);
    for (; pending != 0; pending &= pending - 1) {
        const int place = bit_lowest(pending) / 2;
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

/* Read the values that put_values writes, where nearly all of the time goes. A processor waits for nothing
   as long as for the value before, which is part of the context: so the probabilities for each that it may
   be are fetched before it is known. Nothing but the refill is a branch: others would be mispredicted too
   often. */
static inline uint64_t take_values(struct block *block, const struct lines *lines, const struct line *line,
                                   const uint64_t near[LINES_NEAR], uint64_t pending)
{
    const uint8_t (*beside)[LINES_BESIDE] = lines->beside[line->half];
    const uint16_t (*weights)[LINE_VALUES + 1] = lines->weights[line->half];
    struct wide_row row;
    const uint64_t known = near[0] & ~(pending * 3);
    widen(near, known, line->length, &row);
    const uint32_t *values = block->model->values;
    uint32_t state = block->state;
    const uint8_t *at = block->at;
    uint32_t above = 0, top = 0; /* all bits set: the last value was not 0; it was 2 */
    unsigned last = LINE_VALUES; /* resembles nothing */
    for (; pending != 0; pending &= pending - 1) {
        const unsigned place = (unsigned)bit_lowest(pending) / 2, first = beside[place][0],
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

#endif
