#include "build/samples.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/threads.h"
#include "tables/values.h"

enum {
    ROW_WORK = 2,
    LOOK = 32 /* blocks that are counted before one looks whether it is too much */
};

void samples_destroy(struct samples *samples)
{
    lines_destroy(&samples->lines);
    free(samples->first);
    free(samples->packed);
    *samples = (struct samples){0};
}

static size_t sample_values(const struct samples *samples, uint64_t i)
{
    const uint64_t left = samples->places->shape.size - samples->first[i];
    return (size_t)(left < samples->block_values ? left : samples->block_values);
}

struct drawing {
    const struct gatherer *gatherer;
    struct samples *samples;
    uint32_t drawn;
    bool *kept;
};

static enum dame_status draw_one(void *context, uint64_t item, int worker)
{
    const struct drawing *drawing = context;
    const struct samples *samples = drawing->samples;
    const uint64_t values = samples->block_values, size = samples->places->shape.size;
    const uint64_t blocks = (size + values - 1) / values;
    const uint64_t from = blocks * item / drawing->drawn, to = blocks * (item + 1) / drawing->drawn;
    uint8_t *packed = samples->packed + item * samples->step, value;
    (void)worker;
    samples->first[item] = (from + hash_number(item) % (to - from)) * values;
    const size_t count = sample_values(samples, item);
    const enum dame_status status = gather(drawing->gatherer, samples->first[item], count, packed);
    drawing->kept[item] = status == DAME_OK && !coder_is_one(packed, count, &value);
    return status;
}

/* Close the gaps that blocks of one value leave. */
static void keep_drawn(const struct drawing *drawing)
{
    struct samples *samples = drawing->samples;
    for (uint32_t i = 0; i < drawing->drawn; i++) {
        if (!drawing->kept[i])
            continue;
        if (i != samples->count)
            memcpy(samples->packed + samples->count * samples->step, samples->packed + i * samples->step,
                   samples->step);
        samples->first[samples->count++] = samples->first[i];
    }
}

enum dame_status samples_draw(const struct solver *solver, const struct gatherer *gatherer,
                              uint64_t block_values, uint32_t most, int threads, struct samples *out)
{
    const struct places *places = gatherer->places;
    struct samples samples = {.places = places,
                              .block_values = block_values,
                              .step = (size_t)values_bytes(block_values) + CODER_SLACK,
                              .threads = threads};
    enum dame_status status = lines_create(solver->kernel->board, solver->ordering, places->planes->material,
                                           &places->shape, block_values, &samples.lines);
    if (status != DAME_OK)
        return status;
    const uint64_t blocks = (places->shape.size + block_values - 1) / block_values;
    struct drawing drawing = {gatherer, &samples, blocks < most ? (uint32_t)blocks : most, NULL};
    samples.first = malloc(drawing.drawn * sizeof *samples.first);
    samples.packed = malloc(drawing.drawn * samples.step);
    drawing.kept = calloc(drawing.drawn, sizeof *drawing.kept);
    if (samples.first == NULL || samples.packed == NULL || drawing.kept == NULL)
        status = DAME_NO_MEMORY;
    if (status == DAME_OK)
        status = threads_run(threads, drawing.drawn, draw_one, &drawing, NULL);
    if (status == DAME_OK)
        keep_drawn(&drawing);
    else
        samples_destroy(&samples);
    free(drawing.kept);
    *out = samples;
    return status;
}

struct counting {
    const struct samples *samples;
    const struct model *model;
    uint32_t from;
    struct model_counts *counts; /* of each worker */
};

static enum dame_status count_one(void *context, uint64_t item, int worker)
{
    const struct counting *counting = context;
    const struct samples *samples = counting->samples;
    const uint64_t i = counting->from + item;
    coder_count(&samples->lines, counting->model, samples->first[i], sample_values(samples, i),
                samples->packed + i * samples->step, &counting->counts[worker]);
    return DAME_OK;
}

/* What all workers have counted. */
static void add_counts(const struct model_counts *counts, int workers, struct model_counts *out)
{
    memset(out, 0, sizeof *out);
    for (int worker = 0; worker < workers; worker++) {
        for (int i = 0; i < MODEL_ROWS; i++)
            for (int j = 0; j < 2; j++)
                out->rows[i][j] += counts[worker].rows[i][j];
        for (int i = 0; i < MODEL_VALUES; i++)
            for (int j = 0; j < 3; j++)
                out->values[i][j] += counts[worker].values[i][j];
    }
}

/* Count `step` blocks at a time, until there are more decisions than `most`. */
static enum dame_status count_in_steps(const struct samples *samples, const struct model *model,
                                       uint32_t step, uint64_t most, struct model_counts *out, bool *fits)
{
    const int workers = samples->threads < THREADS_MAX ? samples->threads : THREADS_MAX;
    struct counting counting = {samples, model, 0, calloc((size_t)workers, sizeof *counting.counts)};
    if (counting.counts == NULL)
        return DAME_NO_MEMORY;
    enum dame_status status = DAME_OK;
    *fits = true;
    memset(out, 0, sizeof *out);
    for (; counting.from < samples->count && *fits && status == DAME_OK; counting.from += step) {
        const uint32_t left = samples->count - counting.from;
        status = threads_run(workers, left < step ? left : step, count_one, &counting, NULL);
        add_counts(counting.counts, workers, out);
        *fits = samples_work(out) <= most;
    }
    free(counting.counts);
    return status;
}

enum dame_status samples_count(const struct samples *samples, const struct model *model,
                               struct model_counts *out)
{
    bool fits;
    return count_in_steps(samples, model, samples->count, UINT64_MAX, out, &fits);
}

uint64_t samples_work(const struct model_counts *counts)
{
    uint64_t work = 0;
    for (int i = 0; i < MODEL_ROWS; i++)
        work += ROW_WORK * ((uint64_t)counts->rows[i][0] + counts->rows[i][1]);
    for (int i = 0; i < MODEL_VALUES; i++)
        work += (uint64_t)counts->values[i][0] + counts->values[i][1] + counts->values[i][2];
    return work;
}

enum dame_status samples_count_at_most(const struct samples *samples, uint64_t most, struct model_counts *out,
                                       bool *fits)
{
    struct model model;
    model_default(&model);
    return count_in_steps(samples, &model, LOOK, most, out, fits);
}
