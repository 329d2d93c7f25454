#include "build/samples.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/threads.h"
#include "tables/values.h"

enum {
    ROW_WORK = 2,
    LOOK = 64 /* blocks that are drawn and counted before one looks whether it is too much */
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
    const uint64_t left = samples->gatherer->places->shape.size - samples->first[i];
    return (size_t)(left < samples->block_values ? left : samples->block_values);
}

struct drawing {
    const struct samples *samples;
    bool *kept; /* of those that are drawn now */
};

/* A block of its part of the slice, behind those that are kept. */
static enum dame_status draw_one(void *context, uint64_t item, int worker)
{
    const struct drawing *drawing = context;
    const struct samples *samples = drawing->samples;
    const uint64_t values = samples->block_values, size = samples->gatherer->places->shape.size;
    const uint64_t blocks = (size + values - 1) / values, part = samples->drawn + item;
    const uint64_t from = blocks * part / samples->parts, to = blocks * (part + 1) / samples->parts;
    const size_t at = samples->count + (size_t)item;
    uint8_t *packed = samples->packed + at * samples->step, value;
    (void)worker;
    samples->first[at] = (from + hash_number(part) % (to - from)) * values;
    const size_t count = sample_values(samples, at);
    const enum dame_status status = gather(samples->gatherer, samples->first[at], count, packed);
    drawing->kept[item] = status == DAME_OK && !coder_is_one(packed, count, &value);
    return status;
}

/* Close the gaps that blocks of one value leave. */
static void keep_drawn(struct samples *samples, const bool *kept, uint32_t drawn)
{
    uint32_t to = samples->count;
    for (uint32_t i = 0; i < drawn; i++) {
        const size_t from = samples->count + i;
        if (!kept[i])
            continue;
        if (from != to)
            memcpy(samples->packed + to * samples->step, samples->packed + from * samples->step,
                   samples->step);
        samples->first[to++] = samples->first[from];
    }
    samples->count = to;
    samples->drawn += drawn;
}

enum dame_status samples_draw(struct samples *samples, uint32_t most)
{
    const uint32_t left = samples->parts - samples->drawn, count = left < most ? left : most;
    struct drawing drawing = {samples, calloc(count, sizeof *drawing.kept)};
    if (drawing.kept == NULL && count != 0)
        return DAME_NO_MEMORY;
    const enum dame_status status = threads_run(samples->threads, count, draw_one, &drawing, NULL);
    if (status == DAME_OK)
        keep_drawn(samples, drawing.kept, count);
    free(drawing.kept);
    return status;
}

enum dame_status samples_create(const struct solver *solver, const struct gatherer *gatherer,
                                uint64_t block_values, uint64_t values, int threads, struct samples *out)
{
    const struct places *places = gatherer->places;
    const uint64_t size = places->shape.size;
    struct samples samples = {.gatherer = gatherer, .threads = threads < THREADS_MAX ? threads : THREADS_MAX};
    for (;; block_values /= 2) {
        const enum dame_status status =
            lines_create(solver->kernel->board, solver->ordering, places->planes->material, &places->shape,
                         block_values, &samples.lines);
        if (status != DAME_OK)
            return status;
        if (lines_rows(&samples.lines, block_values) <= LINES_ROWS_MAX)
            break;
        lines_destroy(&samples.lines);
    }
    const uint64_t blocks = (size + block_values - 1) / block_values;
    const uint64_t most = values / block_values < SAMPLES_MAX ? values / block_values : SAMPLES_MAX;
    samples.block_values = block_values;
    samples.parts = (uint32_t)(blocks < most ? blocks : most);
    samples.step = (size_t)values_bytes(block_values) + CODER_SLACK;
    samples.first = malloc(samples.parts * sizeof *samples.first);
    samples.packed = malloc(samples.parts * samples.step);
    if (samples.first == NULL || samples.packed == NULL) {
        samples_destroy(&samples);
        return DAME_NO_MEMORY;
    }
    *out = samples;
    return DAME_OK;
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

/* Add what all workers have counted. */
static void add_counts(const struct model_counts *counts, int workers, struct model_counts *out)
{
    for (int worker = 0; worker < workers; worker++) {
        for (int i = 0; i < MODEL_ROWS; i++)
            for (int j = 0; j < 2; j++)
                out->rows[i][j] += counts[worker].rows[i][j];
        for (int i = 0; i < MODEL_VALUES; i++)
            for (int j = 0; j < 3; j++)
                out->values[i][j] += counts[worker].values[i][j];
    }
}

/* Add what blocks from number `from` on meet. */
static enum dame_status count_from(const struct samples *samples, const struct model *model, uint32_t from,
                                   struct model_counts *out)
{
    const int workers = samples->threads;
    struct counting counting = {samples, model, from, calloc((size_t)workers, sizeof *counting.counts)};
    if (counting.counts == NULL)
        return DAME_NO_MEMORY;
    const enum dame_status status = threads_run(workers, samples->count - from, count_one, &counting, NULL);
    add_counts(counting.counts, workers, out);
    free(counting.counts);
    return status;
}

enum dame_status samples_count(const struct samples *samples, const struct model *model,
                               struct model_counts *out)
{
    memset(out, 0, sizeof *out);
    return count_from(samples, model, 0, out);
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

enum dame_status samples_draw_and_count(struct samples *samples, uint64_t work, struct model_counts *out,
                                        bool *fits)
{
    struct model model;
    enum dame_status status = DAME_OK;
    model_default(&model);
    memset(out, 0, sizeof *out);
    *fits = true;
    while (samples->drawn < samples->parts && *fits && status == DAME_OK) {
        const uint32_t before = samples->count;
        status = samples_draw(samples, LOOK);
        if (status == DAME_OK)
            status = count_from(samples, &model, before, out);
        /* Each of those that are not drawn yet may be kept. */
        const uint64_t most = samples->count + samples->parts - samples->drawn;
        *fits = samples_work(out) <= most * work;
    }
    return status;
}
