/* Win, draw and loss as table files hold them. Free values copy the value before them, which lengthens runs;
   at the start of a chunk they copy the first value that is not free. */
#include <string.h>

#include "base/bits.h"
#include "build/chunks.h"

enum {
    FILL_STATES = 3, /* the value before: draw, win, loss */
    FILL_SIZE = FILL_STATES << 12
};

static void make_fill(uint8_t fill[FILL_SIZE])
{
    for (unsigned state = 0; state < FILL_SIZE; state++) {
        unsigned won = state & 15, lost = state >> 4 & 15, free_bits = state >> 8 & 15, before = state >> 12;
        unsigned packed = 0;
        for (int i = 0; i < 4; i++) {
            if (!(free_bits >> i & 1))
                before = (won >> i & 1) | (lost >> i & 1) << 1;
            packed |= (before & 3) << 2 * i;
        }
        fill[state] = (uint8_t)packed;
    }
}

/* The value that leading free values copy: the first that is not free, a draw if there is none. */
static unsigned first_value(const struct chunk *chunk)
{
    for (uint64_t i = 0; i < chunk->count; i++)
        if (!(chunk->free[i / 64] >> i % 64 & 1))
            return (unsigned)(chunk->won[i / 64] >> i % 64 & 1) |
                   (unsigned)(chunk->lost[i / 64] >> i % 64 & 1) << 1;
    return 0;
}

/* Up to 64 values. Most words hold one value throughout, which is seen at once. */
static void fill_word(const uint8_t fill[FILL_SIZE], uint64_t won, uint64_t lost, uint64_t free_bits,
                      int count, unsigned *before, uint8_t *out)
{
    uint64_t other_won = *before == 1 ? ~won : won, other_lost = *before == 2 ? ~lost : lost;
    if (count == 64 && ((other_won | other_lost) & ~free_bits) == 0) {
        memset(out, (int)(*before * 0x55), 16);
        return;
    }
    for (int i = 0; i < count; i += 4) {
        unsigned w = (unsigned)(won >> i & 15), l = (unsigned)(lost >> i & 15),
                 f = (unsigned)(free_bits >> i & 15);
        out[i / 4] = fill[*before << 12 | f << 8 | l << 4 | w];
        *before = out[i / 4] >> 6;
    }
}

static void write_values(const struct chunk *chunk, const void *context, uint8_t *out)
{
    const uint8_t *fill = context;
    unsigned before = first_value(chunk);
    for (uint64_t i = 0; i < chunk->count; i += 64) {
        int n = chunk->count - i < 64 ? (int)(chunk->count - i) : 64;
        fill_word(fill, chunk->won[i / 64], chunk->lost[i / 64], chunk->free[i / 64], n, &before,
                  out + i / 4);
    }
    if (chunk->count % 4 != 0) /* bits past the last value are zero */
        out[chunk->count / 4] &= (uint8_t)bits_below(2 * (int)(chunk->count % 4));
}

enum dame_status solver_encode(struct solver *solver, struct material material, uint64_t first,
                               uint64_t count, uint8_t *out, int threads, const atomic_bool *cancel)
{
    /* [value before, four bits free, four bits lost, four bits won] -> four values */
    uint8_t fill[FILL_SIZE];
    make_fill(fill);
    struct chunk_form form = {.values_per_byte = 4, .write = write_values, .context = fill};
    return chunks_encode(solver, material, first, count, &form, out, threads, cancel);
}
