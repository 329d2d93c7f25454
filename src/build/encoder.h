/* What the files that encode a slice share. */
#ifndef DAME_BUILD_ENCODER_H
#define DAME_BUILD_ENCODER_H

#include "base/memory.h"
#include "build/places.h"
#include "build/solver_state.h"
#include "tables/coder.h"

struct encoder {
    struct planes *planes;
    struct places places;
    /* Values of win, draw and loss as pairs of words, low bits and high bits: neighbours in a file stand far
       apart in the planes, and one place in memory for all that is known of a position is quicker than
       three. */
    struct memory pairs;
    enum metric metric;          /* of what is encoded */
    atomic_uint_fast64_t blocks; /* encoded so far */
    uint64_t block_values;       /* what solver_encode_fit found */
    struct lines lines;
    struct model model;
};

/* Values of win, draw and loss from number `first` on, packed as in tables/values.h, or CODER_FREE. `packed`
   is zero and has room for CODER_SLACK bytes more. */
void encoder_gather(const struct encoder *encoder, const struct places *places, uint64_t first, size_t count,
                    uint8_t *packed);

/* Distances as a file holds them. Draws have none, so they are as free as captures. */
void encoder_gather_distances(const struct encoder *encoder, const struct places *places, uint64_t first,
                              size_t count, uint8_t *out);

/* What solver_encode_fit does for win, draw and loss, and for distances. */
enum dame_status encoder_fit_values(struct solver *solver, int threads, const atomic_bool *cancel,
                                    struct solver_coding *out);
enum dame_status encoder_fit_distances(struct solver *solver, const struct compressor *compressor,
                                       int threads, const atomic_bool *cancel, struct solver_coding *out);

#endif
