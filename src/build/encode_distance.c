/* Distances as table files hold them. Draws have none, so they are as free as captures: free values copy the
   byte before them, at the start of a chunk the first byte that is not free. */
#include <string.h>

#include "base/bits.h"
#include "build/chunks.h"
#include "build/solver_state.h"

/* Wins are odd and losses even, so that a byte goes up to 510 plies; which of the two is in the other file.
 */
static uint8_t coded(enum distance distance, uint8_t plies)
{
    if (distance == DISTANCE_DTW)
        return (uint8_t)((plies + 1) / 2);
    return plies;
}

/* Values in the word `i` that are not free. */
static uint64_t stored_bits(const struct chunk *chunk, uint64_t i)
{
    return (chunk->won[i] | chunk->lost[i]) & ~chunk->free[i];
}

/* The first byte that is not free, 0 if there is none. Bits past the last value are zero. */
static uint8_t first_byte(const struct chunk *chunk, enum distance distance, const uint8_t *plies)
{
    for (uint64_t i = 0; i * 64 < chunk->count; i++)
        if (stored_bits(chunk, i) != 0)
            return coded(distance, plies[i * 64 + (uint64_t)bit_lowest(stored_bits(chunk, i))]);
    return 0;
}

/* Up to 64 values; most words are free or stored throughout. Returns the last byte. */
static inline uint8_t code_word(enum distance distance, uint64_t stored, int count, uint8_t before,
                                uint8_t *bytes)
{
    if (stored == 0) {
        memset(bytes, before, (size_t)count);
        return before;
    }
    if (count == 64 && stored == ~UINT64_C(0)) {
        for (int i = 0; i < 64; i++)
            bytes[i] = coded(distance, bytes[i]);
        return bytes[63];
    }
    for (int i = 0; i < count; i++) {
        before = stored >> i & 1 ? coded(distance, bytes[i]) : before;
        bytes[i] = before;
    }
    return before;
}

static void write_distances(const struct chunk *chunk, const void *context, uint8_t *out)
{
    enum distance distance = *(const enum distance *)context;
    uint8_t before = first_byte(chunk, distance, out);
    for (uint64_t i = 0; i * 64 < chunk->count; i++) {
        uint64_t left = chunk->count - i * 64;
        int count = left < 64 ? (int)left : 64;
        before = code_word(distance, stored_bits(chunk, i), count, before, out + i * 64);
    }
}

enum dame_status solver_encode_distance(struct solver *solver, struct material material, uint64_t first,
                                        uint64_t count, uint8_t *out, int threads, const atomic_bool *cancel)
{
    if (solver->distance == DISTANCE_NONE)
        return DAME_NOT_SUPPORTED;
    struct chunk_form form = {
        .values_per_byte = 1, .with_distance = true, .write = write_distances, .context = &solver->distance};
    return chunks_encode(solver, material, first, count, &form, out, threads, cancel);
}
