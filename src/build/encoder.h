/* What the files that encode a slice share. */
#ifndef DAME_BUILD_ENCODER_H
#define DAME_BUILD_ENCODER_H

#include "build/gather.h"
#include "build/solver_state.h"
#include "tables/coder.h"

struct encoder {
    struct planes *planes;
    struct places places;
    struct gatherer gatherer; /* of win, draw and loss */
    enum metric metric;       /* of what is encoded */
    uint64_t block_values;    /* what solver_encode_fit found */
    struct lines lines;
    struct model model;
};

/* Distances as a file holds them. Draws have none, so they are as free as captures. */
enum dame_status encoder_gather_distances(const struct encoder *encoder, const struct places *places,
                                          uint64_t first, size_t count, uint8_t *out);

/* What solver_encode_fit does for win, draw and loss, and for distances. */
enum dame_status encoder_fit_values(struct solver *solver, int threads, const atomic_bool *cancel,
                                    struct solver_coding *out);
enum dame_status encoder_fit_distances(struct solver *solver, const struct compressor *compressor,
                                       int threads, const atomic_bool *cancel, struct solver_coding *out);

#endif
