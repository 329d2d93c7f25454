/* What a file of win, draw and loss is coded with, found out from samples: the order of its values, the size
   of its blocks, the probabilities. */
#include <stdlib.h>

#include "build/encoder.h"
#include "build/nesting.h"
#include "build/samples.h"
#include "tables/values.h"

enum {
    TRIAL_VALUES = 1 << 14, /* of a block while nestings are compared */
    TRIALS_FIRST = 32,      /* blocks for every nesting */
    TRIALS_LAST = 192,      /* blocks for those that are left */
    NESTINGS_LEFT = 4,
    LARGE_VALUES = 1 << 24, /* of slices whose nesting must be near the planes */
    /* Beside larger slices the samples are few, so more nestings are judged. */
    FAR_VALUES = 1 << 28,
    /* What one that is not near must save then, since writing it takes longer: a part of the file, and a bit
       for so many values. */
    FAR_PERCENT = 1,
    FAR_VALUES_A_BIT = 8192,
    FAR_WORDS = 1 << 23,      /* that may be fetched for one matrix of it */
    TRIALS_LARGE = 192,       /* blocks for each of these */
    COUNTED_VALUES = 1 << 22, /* in blocks that the probabilities are counted in */
    /* Bits of a stored block besides its code: checksum, entry, what the code begins with. */
    BLOCK_COST = 8 * 7,
    /* What a block may take to decode on average, in decisions of some 6 ns. */
    BLOCK_WORK = 3000,
    WORK_VALUES = 1 << 13, /* blocks that hold no more may take longer */
    TRIAL_ROUNDS = 2,      /* of counting while nestings are compared */
    MODEL_ROUNDS = 3
};

/* A model for the samples. It decides which values free places get, so every round counts them anew, with the
   model of the round before; `counts` holds what the first round counts, with the default model. */
static enum dame_status fit_model(const struct samples *samples, int rounds, struct model *model,
                                  struct model_counts *counts, uint8_t *bytes, size_t *size)
{
    enum dame_status status = DAME_OK;
    *size = model_write(counts, model, bytes);
    for (int round = 1; round < rounds && status == DAME_OK; round++) {
        status = samples_count(samples, model, counts);
        *size = model_write(counts, model, bytes);
    }
    return status;
}

/* Still larger slices may not fit into memory, where only a nesting near the planes is quick enough. */
static const uint64_t FAR_MOST = UINT64_C(1) << 31;

static bool is_near_or_quick(const struct index_shape *shape)
{
    return nesting_is_near(shape) || gatherer_words(shape) <= FAR_WORDS;
}

/* How many blocks are drawn in each round. */
struct trials {
    const struct solver *solver;
    uint32_t blocks[2];
    int threads; /* for the samples of one nesting, where there are many: nestings are too few to share */
    bool large;  /* nestings that are not near are dearer */
};

static enum dame_status samples_bits(const struct samples *samples, uint64_t *bits)
{
    struct model model;
    struct model_counts *counts = malloc(sizeof *counts);
    uint8_t bytes[MODEL_BYTES_MAX];
    size_t size;
    if (counts == NULL)
        return DAME_NO_MEMORY;
    model_default(&model);
    enum dame_status status = samples_count(samples, &model, counts);
    if (status == DAME_OK)
        status = fit_model(samples, TRIAL_ROUNDS, &model, counts, bytes, &size);
    *bits = model_bits(counts, &model) + (uint64_t)samples->count * BLOCK_COST;
    free(counts);
    return status;
}

/* The bits that samples take in one nesting. */
static enum dame_status nesting_cost(void *context, int nesting, int round, uint64_t *cost)
{
    const struct trials *trials = context;
    const struct solver *solver = trials->solver;
    struct places places = {0};
    struct gatherer gatherer = {0};
    struct samples samples = {0};
    const int threads = trials->blocks[round] > TRIALS_FIRST ? trials->threads : 1;
    enum dame_status status = places_create(solver->ordering, solver->encoder->planes, nesting, &places);
    if (status == DAME_OK)
        status = gatherer_create(&places, &gatherer);
    if (status == DAME_OK)
        status = samples_create(solver, &gatherer, TRIAL_VALUES,
                                (uint64_t)trials->blocks[round] * TRIAL_VALUES, threads, &samples);
    if (status == DAME_OK)
        status = samples_draw(&samples, UINT32_MAX);
    *cost = 0;
    if (status == DAME_OK && samples.count != 0)
        status = samples_bits(&samples, cost);
    if (status == DAME_OK && trials->large && !nesting_is_near(&places.shape))
        *cost += *cost / 100 * FAR_PERCENT + samples.drawn * samples.block_values / FAR_VALUES_A_BIT;
    samples_destroy(&samples);
    gatherer_destroy(&gatherer);
    places_destroy(&places);
    return status;
}

/* The largest blocks that are decoded quickly enough, in the order of encoder->places. */
static enum dame_status fit_blocks(struct solver *solver, int threads, const atomic_bool *cancel,
                                   struct model_counts *counts, struct solver_coding *out)
{
    struct encoder *encoder = solver->encoder;
    for (uint64_t values = CODER_VALUES_MAX;; values /= 2) {
        if (cancel != NULL && atomic_load(cancel))
            return DAME_CANCELLED;
        struct samples samples;
        bool fits;
        enum dame_status status =
            samples_create(solver, &encoder->gatherer, values, COUNTED_VALUES, threads, &samples);
        if (status != DAME_OK)
            return status;
        values = samples.block_values;
        status =
            samples_draw_and_count(&samples, values > WORK_VALUES ? BLOCK_WORK : UINT32_MAX, counts, &fits);
        if (status == DAME_OK && !fits) {
            samples_destroy(&samples);
            continue;
        }
        if (status == DAME_OK)
            status = fit_model(&samples, MODEL_ROUNDS, &encoder->model, counts, out->model, &out->model_size);
        encoder->lines = samples.lines;
        encoder->block_values = values;
        out->block_bytes = (uint32_t)values_bytes(values);
        out->together = (uint32_t)(2 * encoder->gatherer.words / values + 1);
        samples.lines = (struct lines){0};
        samples_destroy(&samples);
        return status;
    }
}

enum dame_status encoder_fit_values(struct solver *solver, int threads, const atomic_bool *cancel,
                                    struct solver_coding *out)
{
    struct encoder *encoder = solver->encoder;
    struct index_shape shape;
    enum dame_status status = index_shape(solver->kernel->board, encoder->planes->material, 0, &shape);
    if (status != DAME_OK)
        return status;
    const bool large = shape.size > LARGE_VALUES;
    struct trials trials = {solver, {TRIALS_FIRST, TRIALS_LAST}, threads, large};
    if (large) /* few samples would keep the wrong ones */
        trials.blocks[0] = TRIALS_LARGE;
    struct nesting_judge judge = {
        .cost = nesting_cost, .context = &trials, .rounds = large ? 1 : 2, .kept = NESTINGS_LEFT};
    if (large)
        judge.allows = shape.size > FAR_VALUES && shape.size <= FAR_MOST ? is_near_or_quick : nesting_is_near;
    status = nesting_choose(encoder->planes, &judge, threads, cancel, &out->nesting);
    if (status != DAME_OK)
        return status;
    struct model_counts *counts = malloc(sizeof *counts);
    if (counts == NULL)
        return DAME_NO_MEMORY;
    status = places_create(solver->ordering, encoder->planes, out->nesting, &encoder->places);
    if (status == DAME_OK)
        status = gatherer_create(&encoder->places, &encoder->gatherer);
    if (status == DAME_OK)
        status = fit_blocks(solver, threads, cancel, counts, out);
    free(counts);
    return status;
}
