/* Blocks from all over a slice, in which is counted what a model is made from. The same ones are drawn, and
   the same is counted, whatever the number of threads. */
#ifndef DAME_BUILD_SAMPLES_H
#define DAME_BUILD_SAMPLES_H

#include "build/gather.h"
#include "build/solver_state.h"
#include "tables/coder.h"

struct samples {
    const struct places *places;
    struct lines lines;
    uint64_t block_values;
    uint32_t count; /* blocks: of those drawn the ones that hold more than one value */
    uint64_t *first;
    uint8_t *packed;
    size_t step; /* bytes of one */
    int threads; /* that draw and count */
};

/* One block from each of `most` equal parts of the slice. DAME_NO_MEMORY, DAME_TOO_LARGE. Free with
   samples_destroy. */
enum dame_status samples_draw(const struct solver *solver, const struct gatherer *gatherer,
                              uint64_t block_values, uint32_t most, int threads, struct samples *out);
void samples_destroy(struct samples *samples);

/* What coding all of them meets. DAME_NO_MEMORY. */
enum dame_status samples_count(const struct samples *samples, const struct model *model,
                               struct model_counts *out);

/* Decisions that were counted; a row is worth two values. */
uint64_t samples_work(const struct model_counts *counts);

/* The same with the default model, unless there are more decisions than `most`: then *fits is false, and
   `out` holds a part only. */
enum dame_status samples_count_at_most(const struct samples *samples, uint64_t most, struct model_counts *out,
                                       bool *fits);

#endif
