/* What a file of win, draw and loss is coded with, found out from samples: the order of its values, the size
   of its blocks, the probabilities. The same samples are drawn whatever the number of threads. */
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "build/encoder.h"
#include "build/nesting.h"
#include "tables/values.h"

enum {
    TRIAL_VALUES = 1 << 14, /* of a block while nestings are compared */
    TRIALS_FIRST = 32,      /* blocks for every nesting */
    TRIALS_LAST = 192,      /* blocks for those that are left */
    NESTINGS_LEFT = 4,
    LARGE_VALUES = 1 << 24,   /* of slices whose nesting must be near the planes */
    TRIALS_LARGE = 192,       /* blocks for each of these */
    COUNTED_VALUES = 1 << 22, /* in blocks that the probabilities are counted in */
    SAMPLES_MAX = 512,
    /* Bits of a stored block besides its code: checksum, entry, what the code begins with. */
    BLOCK_COST = 8 * 7,
    /* What a block may take to decode on average, in decisions of some 6 ns. */
    BLOCK_WORK = 3000,
    WORK_VALUES = 1 << 13, /* blocks that hold no more may take longer */
    ROW_WORK = 2,
    WORK_LOOKS = 8 /* blocks that are counted before one looks whether it is too much */
};

/* Blocks of a slice that hold more than one value. */
struct samples {
    const struct places *places;
    struct lines lines;
    uint64_t block_values;
    uint32_t drawn, count; /* blocks; those of them that are kept */
    uint64_t *first;
    uint8_t *packed;
    size_t step; /* bytes of one */
};

static void samples_destroy(struct samples *samples)
{
    lines_destroy(&samples->lines);
    free(samples->first);
    free(samples->packed);
    *samples = (struct samples){0};
}

static size_t sample_values(const struct samples *samples, uint32_t i)
{
    const uint64_t left = samples->places->shape.size - samples->first[i];
    return (size_t)(left < samples->block_values ? left : samples->block_values);
}

/* One block from each of `most` equal parts of the slice. */
static enum dame_status samples_draw(const struct solver *solver, const struct gatherer *gatherer,
                                     uint64_t block_values, uint32_t most, struct samples *out)
{
    const struct encoder *encoder = solver->encoder;
    const struct places *places = gatherer->places;
    struct samples samples = {.places = places,
                              .block_values = block_values,
                              .step = (size_t)values_bytes(block_values) + CODER_SLACK};
    enum dame_status status = lines_create(solver->kernel->board, solver->ordering, encoder->planes->material,
                                           &places->shape, block_values, &samples.lines);
    if (status != DAME_OK)
        return status;
    const uint64_t blocks = (places->shape.size + block_values - 1) / block_values;
    samples.drawn = blocks < most ? (uint32_t)blocks : most;
    samples.first = malloc(samples.drawn * sizeof *samples.first);
    samples.packed = malloc(samples.drawn * samples.step);
    if (samples.first == NULL || samples.packed == NULL) {
        samples_destroy(&samples);
        return DAME_NO_MEMORY;
    }
    for (uint32_t i = 0; i < samples.drawn && status == DAME_OK; i++) {
        const uint64_t from = blocks * i / samples.drawn, to = blocks * (i + 1) / samples.drawn;
        uint8_t *packed = samples.packed + samples.count * samples.step, value;
        samples.first[samples.count] = (from + hash_number(i) % (to - from)) * block_values;
        const size_t count = sample_values(&samples, samples.count);
        status = gather(gatherer, samples.first[samples.count], count, packed);
        samples.count += status == DAME_OK && !coder_is_one(packed, count, &value);
    }
    if (status != DAME_OK)
        samples_destroy(&samples);
    *out = samples;
    return status;
}

static void samples_count_one(const struct samples *samples, const struct model *model, uint32_t i,
                              struct model_counts *out)
{
    coder_count(&samples->lines, model, samples->first[i], sample_values(samples, i),
                samples->packed + i * samples->step, out);
}

static void samples_count(const struct samples *samples, const struct model *model, struct model_counts *out)
{
    memset(out, 0, sizeof *out);
    for (uint32_t i = 0; i < samples->count; i++)
        samples_count_one(samples, model, i, out);
}

/* A model for the samples. It decides which values free places get, so every round counts them anew, with the
   model of the round before; `counts` holds what the first round counts, with the default model. */
static void samples_model(const struct samples *samples, int rounds, struct model *model,
                          struct model_counts *counts, uint8_t *bytes, size_t *size)
{
    *size = model_write(counts, model, bytes);
    for (int round = 1; round < rounds; round++) {
        samples_count(samples, model, counts);
        *size = model_write(counts, model, bytes);
    }
}

static void samples_count_default(const struct samples *samples, struct model_counts *out)
{
    struct model model;
    model_default(&model);
    samples_count(samples, &model, out);
}

/* How many blocks are drawn in each round. */
struct trials {
    const struct solver *solver;
    uint32_t blocks[2];
};

/* The bits that samples take in one nesting. */
static enum dame_status samples_cost(void *context, int nesting, int round, uint64_t *cost)
{
    const struct trials *trials = context;
    const struct solver *solver = trials->solver;
    struct places places;
    struct gatherer gatherer;
    struct samples samples;
    enum dame_status status = places_create(solver->ordering, solver->encoder->planes, nesting, &places);
    if (status != DAME_OK)
        return status;
    status = gatherer_create(&places, &gatherer);
    if (status == DAME_OK)
        status = samples_draw(solver, &gatherer, TRIAL_VALUES, trials->blocks[round], &samples);
    if (status != DAME_OK) {
        gatherer_destroy(&gatherer);
        places_destroy(&places);
        return status;
    }
    struct model model;
    struct model_counts *counts = malloc(sizeof *counts);
    uint8_t bytes[MODEL_BYTES_MAX];
    size_t size;
    if (counts == NULL)
        status = DAME_NO_MEMORY;
    else if (samples.count == 0)
        *cost = 0;
    else {
        samples_count_default(&samples, counts);
        samples_model(&samples, 2, &model, counts, bytes, &size);
        *cost = model_bits(counts, &model) + (uint64_t)samples.count * BLOCK_COST;
    }
    free(counts);
    samples_destroy(&samples);
    gatherer_destroy(&gatherer);
    places_destroy(&places);
    return status;
}

static uint64_t work_of(const struct model_counts *counts)
{
    uint64_t work = 0;
    for (int i = 0; i < MODEL_ROWS; i++)
        work += ROW_WORK * ((uint64_t)counts->rows[i][0] + counts->rows[i][1]);
    for (int i = 0; i < MODEL_VALUES; i++)
        work += (uint64_t)counts->values[i][0] + counts->values[i][1] + counts->values[i][2];
    return work;
}

/* The same as samples_count_default, but false, and not all is counted, if blocks take more to decode than
   they may. */
static bool samples_count_quick(const struct samples *samples, struct model_counts *out)
{
    const uint64_t most = (uint64_t)BLOCK_WORK * samples->count;
    struct model model;
    model_default(&model);
    memset(out, 0, sizeof *out);
    for (uint32_t i = 0; i < samples->count; i++) {
        samples_count_one(samples, &model, i, out);
        if (i % WORK_LOOKS == 0 && work_of(out) > most)
            return false;
    }
    return work_of(out) <= most;
}

/* The largest blocks that are decoded quickly enough, in the order of encoder->places. */
static enum dame_status fit_blocks(struct solver *solver, const atomic_bool *cancel,
                                   struct model_counts *counts, struct solver_coding *out)
{
    struct encoder *encoder = solver->encoder;
    for (uint64_t values = CODER_VALUES_MAX;; values /= 2) {
        if (cancel != NULL && atomic_load(cancel))
            return DAME_CANCELLED;
        struct samples samples;
        const uint64_t most = COUNTED_VALUES / values;
        enum dame_status status = samples_draw(solver, &encoder->gatherer, values,
                                               most < SAMPLES_MAX ? (uint32_t)most : SAMPLES_MAX, &samples);
        if (status != DAME_OK)
            return status;
        bool fits = lines_rows(&samples.lines, values) <= LINES_ROWS_MAX;
        if (fits && values > WORK_VALUES)
            fits = samples_count_quick(&samples, counts);
        else if (fits)
            samples_count_default(&samples, counts);
        if (!fits && values > TABLE_BLOCK_MIN * VALUES_PER_BYTE) {
            samples_destroy(&samples);
            continue;
        }
        samples_model(&samples, 3, &encoder->model, counts, out->model, &out->model_size);
        encoder->lines = samples.lines;
        encoder->block_values = values;
        out->block_bytes = (uint32_t)values_bytes(values);
        samples.lines = (struct lines){0};
        samples_destroy(&samples);
        return DAME_OK;
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
    /* All of the few that a large slice may have are judged exactly at once. */
    struct trials trials = {solver, {TRIALS_FIRST, TRIALS_LAST}};
    if (large)
        trials.blocks[0] = TRIALS_LARGE;
    const struct nesting_judge judge = {.cost = samples_cost,
                                        .context = &trials,
                                        .rounds = large ? 1 : 2,
                                        .kept = NESTINGS_LEFT,
                                        .near_only = large};
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
        status = fit_blocks(solver, cancel, counts, out);
    free(counts);
    return status;
}
