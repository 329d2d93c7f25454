#include "probe/verify.h"

#include <assert.h>
#include <pthread.h>

#include "base/threads.h"
#include "probe/library_private.h"
#include "probe/walk.h"

enum { SAMPLES_PER_ITEM = 1024 };

struct verify {
    const struct library *library;
    const struct slot *slot;
    uint64_t samples, seed;
    atomic_uint_fast64_t *progress;
    pthread_mutex_t lock; /* of the sum */
    struct verify_report sum;
    struct first_fault fault;
};

static void note_wrong(struct verify_report *report, const struct position *position, uint64_t index,
                       int stored, int derived)
{
    if (report->wrong++ > 0 && report->first_wrong_index <= index)
        return;
    report->first_wrong = *position;
    report->first_wrong_index = index;
    report->first_wrong_stored = stored;
    report->first_wrong_derived = derived;
}

static inline enum dame_status verify_position(const struct verify *verify, const struct position *position,
                                               uint64_t index, struct position_list *list,
                                               struct verify_report *report, struct fault *fault)
{
    const struct library *library = verify->library;
    int derived;
    enum dame_status status = library->kernel->successors(position, list);
    if (status == DAME_OK)
        status = library_best(library, list, &derived, fault);
    if (status != DAME_OK)
        return status;
    report->positions++;
    report->win += derived > 0;
    report->draw += derived == 0;
    report->loss += derived < 0;
    if (list->captures)
        return DAME_OK; /* the table may hold anything there */
    int stored;
    status = library_stored(library, verify->slot, index, &stored, fault);
    if (status == DAME_OK && stored != derived)
        note_wrong(report, position, index, stored, derived);
    return status;
}

/* The end of an item: add what it found, or keep why it failed. */
static enum dame_status finish_item(struct verify *verify, enum dame_status status,
                                    const struct verify_report *found, const struct fault *fault)
{
    if (status != DAME_OK) {
        first_fault_offer(&verify->fault, fault);
        return status;
    }
    pthread_mutex_lock(&verify->lock);
    struct verify_report *sum = &verify->sum;
    if (found->wrong > 0) {
        const uint64_t wrong = sum->wrong + found->wrong;
        note_wrong(sum, &found->first_wrong, found->first_wrong_index, found->first_wrong_stored,
                   found->first_wrong_derived);
        sum->wrong = wrong;
    }
    sum->positions += found->positions;
    sum->win += found->win;
    sum->draw += found->draw;
    sum->loss += found->loss;
    pthread_mutex_unlock(&verify->lock);
    if (verify->progress != NULL)
        atomic_fetch_add(verify->progress, found->positions);
    return DAME_OK;
}

static enum dame_status verify_rows(void *context, uint64_t item, int worker)
{
    (void)worker;
    struct verify *verify = context;
    const struct slot *slot = verify->slot;
    const uint64_t step = walk_rows_per_item(&slot->shape);
    const uint64_t rows = walk_rows(&slot->shape);
    const uint64_t first = item * step;
    const uint64_t end = rows - first < step ? rows : first + step;
    struct walk walk =
        walk_start(verify->library->kernel->board, &slot->shape, slot->header.material, first, end);
    struct position_list list;
    struct verify_report found = {0};
    struct fault fault = fault_none();
    enum dame_status status = DAME_OK;
    while (status == DAME_OK && walk_next(&walk))
        status = verify_position(verify, &walk.position, walk.index, &list, &found, &fault);
    return finish_item(verify, status, &found, &fault);
}

/* SplitMix64 (Steele, Lea, Flood 2014): any seed starts a good stream. */
static uint64_t random_next(uint64_t *state)
{
    uint64_t z = *state += UINT64_C(0x9E3779B97F4A7C15);
    z = (z ^ z >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ z >> 27) * UINT64_C(0x94D049BB133111EB);
    return z ^ z >> 31;
}

/* Draw indices until pieces do not share squares. Every slice has such placements. */
static uint64_t random_placement(const struct verify *verify, uint64_t *state, struct position *out)
{
    const struct index_shape *shape = &verify->slot->shape;
    const struct material m = verify->slot->header.material;
    const int squares = verify->library->kernel->board->squares;
    for (;;) {
        const uint64_t index = random_next(state) % shape->size;
        uint64_t rest = index;
        struct position p;
        p.own_kings = subset_unrank(rest % shape->own_kings, m.own_kings);
        rest /= shape->own_kings;
        p.other_kings = bits_reverse(subset_unrank(rest % shape->other_kings, m.other_kings), squares);
        rest /= shape->other_kings;
        p.own_men = subset_unrank(rest % shape->own_men, m.own_men);
        p.other_men = bits_reverse(subset_unrank(rest / shape->own_men, m.other_men), squares);
        if (bit_count(p.own_men | p.own_kings | p.other_men | p.other_kings) == material_pieces(m)) {
            *out = p;
            return index;
        }
    }
}

static enum dame_status verify_samples(void *context, uint64_t item, int worker)
{
    (void)worker;
    struct verify *verify = context;
    const uint64_t left = verify->samples - item * SAMPLES_PER_ITEM;
    const uint64_t count = left < SAMPLES_PER_ITEM ? left : SAMPLES_PER_ITEM;
    /* A stream for every item, far away from those of its neighbours. */
    uint64_t state = verify->seed;
    state = random_next(&state) ^ item;
    state = random_next(&state);
    struct position_list list;
    struct verify_report found = {0};
    struct fault fault = fault_none();
    enum dame_status status = DAME_OK;
    for (uint64_t i = 0; i < count && status == DAME_OK; i++) {
        struct position position;
        const uint64_t index = random_placement(verify, &state, &position);
        status = verify_position(verify, &position, index, &list, &found, &fault);
    }
    return finish_item(verify, status, &found, &fault);
}

/* The common frame of both forms. */
static enum dame_status run(struct verify *verify, struct material material, work_function work, int threads,
                            const atomic_bool *cancel, struct verify_report *report, char *detail)
{
    const int number = library_find(verify->library, material);
    *report = (struct verify_report){0};
    if (number < 0) {
        report->missing = material;
        return DAME_NO_TABLE;
    }
    verify->slot = &verify->library->slots[number];
    if (verify->slot->header.draw_plies != 0)
        return detail_fail(detail, DAME_NOT_SUPPORTED,
                           "tables with draw_plies cannot be verified move by move");
    const uint64_t step =
        work == verify_samples ? SAMPLES_PER_ITEM : walk_rows_per_item(&verify->slot->shape);
    const uint64_t things = work == verify_samples ? verify->samples : walk_rows(&verify->slot->shape);
    if (pthread_mutex_init(&verify->lock, NULL) != 0)
        return DAME_NO_MEMORY;
    verify->fault = first_fault_none();
    const enum dame_status status =
        threads_run(threads, things / step + (things % step != 0), work, verify, cancel);
    pthread_mutex_destroy(&verify->lock);
    *report = verify->sum;
    if (status != DAME_OK)
        fault_report(&verify->fault.fault, &report->missing, detail);
    return status;
}

enum dame_status verify_slice(const struct library *library, struct material material, int threads,
                              const atomic_bool *cancel, atomic_uint_fast64_t *progress,
                              struct verify_report *report, char *detail)
{
    struct verify verify = {.library = library, .progress = progress};
    const enum dame_status status = run(&verify, material, verify_rows, threads, cancel, report, detail);
    if (status == DAME_OK) {
        const struct table_header *header = &verify.slot->header;
        report->counts_agree =
            report->win == header->win && report->draw == header->draw && report->loss == header->loss;
    }
    return status;
}

enum dame_status verify_sample(const struct library *library, struct material material, uint64_t count,
                               uint64_t seed, int threads, const atomic_bool *cancel,
                               atomic_uint_fast64_t *progress, struct verify_report *report, char *detail)
{
    struct verify verify = {.library = library, .progress = progress, .samples = count, .seed = seed};
    return run(&verify, material, verify_samples, threads, cancel, report, detail);
}
