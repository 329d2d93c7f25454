/* From planes to table files: values in the order of a file, one chunk of SOLVER_CHUNK values after the
   other. Chunks are independent of each other, so that the bytes do not depend on the threads. */
#ifndef DAME_BUILD_CHUNKS_H
#define DAME_BUILD_CHUNKS_H

#include "build/solver.h"

/* Values of a chunk: a bit of each row for every one. The rows end with a word of zeros. */
struct chunk {
    uint64_t count;
    const uint64_t *won, *lost;
    const uint64_t *free; /* pieces share a square, or a capture is pending: the file may hold anything */
};

/* How a file holds them. */
struct chunk_form {
    int values_per_byte;
    bool with_distance; /* `out` holds the distance of every value, plies, when `write` is called */
    void (*write)(const struct chunk *chunk, const void *context, uint8_t *out);
    const void *context;
};

/* Write the values first..first + count - 1 of a slice; the limits are those of solver_encode. */
enum dame_status chunks_encode(struct solver *solver, struct material material, uint64_t first,
                               uint64_t count, const struct chunk_form *form, uint8_t *out, int threads,
                               const atomic_bool *cancel);

#endif
