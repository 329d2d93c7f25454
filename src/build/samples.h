/* Blocks from all over a slice, in which is counted what a model is made from. The same ones are drawn, and
   the same is counted, whatever the number of threads. */
#ifndef DAME_BUILD_SAMPLES_H
#define DAME_BUILD_SAMPLES_H

#include "build/gather.h"
#include "build/solver_state.h"
#include "tables/coder.h"

struct samples {
    const struct gatherer *gatherer;
    struct lines lines;
    uint64_t block_values;
    uint32_t parts; /* of the slice, all of the same size: one block is drawn from each */
    uint32_t drawn;
    uint32_t count; /* blocks: of those drawn the ones that hold more than one value */
    uint64_t *first;
    uint8_t *packed;
    size_t step; /* bytes of one */
    int threads; /* that draw and count */
};

/* Room for blocks of `values` values together, or for all blocks of the slice, but at most SAMPLES_MAX. A
   block has `block_values` values, or half as many, and so on, if a coder cannot take so many rows.
   `gatherer` must live as long. DAME_NO_MEMORY, DAME_TOO_LARGE. Free with samples_destroy. */
enum { SAMPLES_MAX = 512 };
enum dame_status samples_create(const struct solver *solver, const struct gatherer *gatherer,
                                uint64_t block_values, uint64_t values, int threads, struct samples *out);
void samples_destroy(struct samples *samples);

/* Draw the next `most` blocks, if there are so many. DAME_NO_MEMORY, and what gather gives. */
enum dame_status samples_draw(struct samples *samples, uint32_t most);

/* What coding all that were drawn meets. DAME_NO_MEMORY. */
enum dame_status samples_count(const struct samples *samples, const struct model *model,
                               struct model_counts *out);

/* Decisions that were counted; a row is worth two values. */
uint64_t samples_work(const struct model_counts *counts);

/* Draw all blocks and count with the default model, unless there are more decisions than `work` for each
   block: then *fits is false, and not all are drawn. */
enum dame_status samples_draw_and_count(struct samples *samples, uint64_t work, struct model_counts *out,
                                        bool *fits);

#endif
