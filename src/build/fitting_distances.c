/* The order of a file of distances, found out from samples: the nestings with the fewest runs of equal bytes,
   and of these the one that compresses best. */
#include <string.h>

#include "build/encoder.h"
#include "build/nesting.h"

enum {
    SAMPLES = 64, /* parts of a slice in which runs are counted */
    SAMPLE_VALUES = 2048,
    NESTINGS_LEFT = 8, /* that are compressed */
    TRIALS = 24        /* blocks, at most */
};

struct trial {
    const struct solver *solver;
    const struct compressor *compressor;
};

/* How often the byte changes in samples from the whole slice. */
static enum dame_status count_runs(const struct encoder *encoder, const struct places *places, uint64_t *runs)
{
    const uint64_t size = places->shape.size;
    *runs = 0;
    for (int sample = 0; sample < SAMPLES; sample++) {
        uint8_t bytes[SAMPLE_VALUES];
        const uint64_t first = size / SAMPLES * (uint64_t)sample;
        const size_t count = size - first < SAMPLE_VALUES ? (size_t)(size - first) : SAMPLE_VALUES;
        const enum dame_status status = encoder_gather_distances(encoder, places, first, count, bytes);
        if (status != DAME_OK)
            return status;
        for (size_t i = 1; i < count; i++)
            *runs += bytes[i] != bytes[i - 1];
    }
    return DAME_OK;
}

/* What some blocks from the whole slice take when they are compressed. */
static enum dame_status compress_blocks(const struct trial *trial, const struct places *places,
                                        uint64_t *cost)
{
    const uint64_t size = places->shape.size, blocks = (size + SOLVER_BLOCK_BYTES - 1) / SOLVER_BLOCK_BYTES;
    *cost = 0;
    for (uint64_t block = 0; block < blocks; block += (blocks + TRIALS - 1) / TRIALS) {
        uint8_t bytes[SOLVER_BLOCK_BYTES];
        const uint64_t first = block * SOLVER_BLOCK_BYTES;
        const size_t count =
            size - first < SOLVER_BLOCK_BYTES ? (size_t)(size - first) : (size_t)SOLVER_BLOCK_BYTES;
        size_t compressed;
        enum dame_status status =
            encoder_gather_distances(trial->solver->encoder, places, first, count, bytes);
        if (status != DAME_OK)
            return status;
        if (memcmp(bytes, bytes + 1, count - 1) == 0)
            continue; /* takes an entry of the block table alone */
        status = trial->compressor->size(trial->compressor->context, bytes, count, &compressed);
        if (status != DAME_OK)
            return status;
        *cost += compressed;
    }
    return DAME_OK;
}

static enum dame_status trial_cost(void *context, int nesting, int round, uint64_t *cost)
{
    const struct trial *trial = context;
    const struct encoder *encoder = trial->solver->encoder;
    struct places places;
    enum dame_status status = places_create(trial->solver->ordering, encoder->planes, nesting, &places);
    if (status != DAME_OK)
        return status;
    if (round == 0)
        status = count_runs(encoder, &places, cost);
    else
        status = compress_blocks(trial, &places, cost);
    places_destroy(&places);
    return status;
}

enum dame_status encoder_fit_distances(struct solver *solver, const struct compressor *compressor,
                                       int threads, const atomic_bool *cancel, struct solver_coding *out)
{
    struct encoder *encoder = solver->encoder;
    struct trial trial = {solver, compressor};
    const struct nesting_judge judge = {
        .cost = trial_cost, .context = &trial, .rounds = compressor == NULL ? 1 : 2, .kept = NESTINGS_LEFT};
    out->block_bytes = SOLVER_BLOCK_BYTES;
    out->model_size = 0;
    out->together = 1;
    enum dame_status status = nesting_choose(encoder->planes, &judge, threads, cancel, &out->nesting);
    if (status == DAME_OK)
        status = places_create(solver->ordering, encoder->planes, out->nesting, &encoder->places);
    encoder->block_values = SOLVER_BLOCK_BYTES;
    return status;
}
