#include "probe/verify.h"

#include <assert.h>
#include <pthread.h>

#include "base/hash.h"
#include "base/threads.h"
#include "position/outcome.h"
#include "probe/library_private.h"
#include "probe/placement.h"
#include "probe/walk.h"

enum { SAMPLES_PER_ITEM = 1024 };

/* Samples of a large slice are drawn in groups of neighbours, which read the same blocks: reading those takes
   longer than all else. A slice has so many groups at least before they grow. */
enum { GROUPS_LEAST = 4096, GROUP_MOST = 64 };
_Static_assert(SAMPLES_PER_ITEM % GROUP_MOST == 0, "no group belongs to two items");

struct verify {
    const struct library *library;
    const struct slot *slot;      /* win, draw, loss */
    const struct slot *distances; /* or NULL */
    struct index_sets sets;       /* of `slot` */
    struct outcome_rule rule;
    uint64_t samples, seed;
    atomic_uint_fast64_t *progress;
    pthread_mutex_t lock; /* of the sum */
    struct verify_report sum;
    struct first_fault fault;
};

static const struct verify_report NOTHING = {.longest_win = NO_PLIES, .longest_loss = NO_PLIES};

static void note_wrong(struct verify_report *report, const struct position *position, uint64_t index,
                       struct outcome stored, struct outcome derived)
{
    if (report->wrong++ > 0 && report->first_wrong_index <= index)
        return;
    report->first_wrong = *position;
    report->first_wrong_index = index;
    report->first_wrong_stored = stored.wdl;
    report->first_wrong_derived = derived.wdl;
    report->first_wrong_stored_plies = stored.plies;
    report->first_wrong_derived_plies = derived.plies;
}

static void count_outcome(struct verify_report *report, struct outcome outcome)
{
    report->positions++;
    report->win += outcome.wdl > 0;
    report->draw += outcome.wdl == 0;
    report->loss += outcome.wdl < 0;
    int *longest = outcome.wdl > 0 ? &report->longest_win : &report->longest_loss;
    if (outcome.plies > *longest)
        *longest = outcome.plies;
}

/* Result and distance by what all moves lead to. */
static enum dame_status derive_with_plies(const struct verify *verify, const struct position *position,
                                          const struct position_list *list, struct outcome *out,
                                          struct fault *fault)
{
    const struct library *library = verify->library;
    const enum metric metric = verify->distances->header.metric;
    *out = outcome_no_move(library->kernel->rules);
    for (int i = 0; i < list->count; i++) {
        const struct position *after = &list->positions[i];
        const struct move_nature move = nature_between(library->kernel->board, position, after);
        struct outcome next = {.plies = NO_PLIES};
        enum dame_status status = library_value(library, after, &next.wdl, fault);
        if (status == DAME_OK && i > 0 && -next.wdl < out->wdl)
            continue; /* no distance makes it better than another move */
        if (status == DAME_OK && next.wdl != 0 && !metric_ends_phase(metric, move))
            status = library_plies(library, metric, after, next.wdl, &next.plies, fault);
        if (status != DAME_OK)
            return status;
        next = outcome_of_move(verify->rule, next, move);
        if (i == 0 || outcome_is_better(next, *out))
            *out = next;
    }
    return DAME_OK;
}

static inline enum dame_status derive(const struct verify *verify, const struct position *position,
                                      const struct position_list *list, struct outcome *out,
                                      struct fault *fault)
{
    if (verify->distances != NULL)
        return derive_with_plies(verify, position, list, out, fault);
    out->plies = NO_PLIES;
    return library_best(verify->library, list->positions, list->count, &out->wdl, fault);
}

/* The index of the same placement in the table of distances. */
static inline uint64_t distance_index(const struct verify *verify, uint64_t index)
{
    uint64_t ranks[PIECE_SETS];
    if (verify->distances->shape.nesting == verify->slot->shape.nesting)
        return index;
    for (int piece_set = 0; piece_set < PIECE_SETS; piece_set++)
        ranks[piece_set] = index_rank(&verify->slot->shape, (enum piece_set)piece_set, index);
    return index_of_ranks(&verify->distances->shape, ranks);
}

/* What the tables say of a position without a capture, even if no position has such a distance. A threat that
   one ply answers has no value of its own there. */
static inline enum dame_status stored_outcome(const struct verify *verify, const struct position *position,
                                              uint64_t index, struct outcome *out, struct fault *fault)
{
    int value;
    enum dame_status status = DAME_OK;
    *out = (struct outcome){.plies = NO_PLIES};
    if (verify->slot->resolved || verify->library->kernel->attacks(position) == 0) {
        status = library_stored(verify->slot, index, &value, fault);
        out->wdl = value_to_wdl(value);
    } else {
        status = library_value(verify->library, position, &out->wdl, fault);
    }
    if (status != DAME_OK || out->wdl == 0 || verify->distances == NULL)
        return status;
    status = library_stored(verify->distances, distance_index(verify, index), &value, fault);
    if (status == DAME_OK)
        out->plies = coding_from_byte(verify->distances->header.coding, value,
                                      outcome_is_odd(verify->library->kernel->rules, out->wdl > 0));
    return status;
}

static inline enum dame_status verify_position(const struct verify *verify, const struct position *position,
                                               uint64_t index, struct position_list *list,
                                               struct verify_report *report, struct fault *fault)
{
    struct outcome derived, stored;
    enum dame_status status = kernel_list_successors(verify->library->kernel, position, list);
    if (status == DAME_OK)
        status = derive(verify, position, list, &derived, fault);
    if (status != DAME_OK)
        return status;
    count_outcome(report, derived);
    if (list->captures)
        return DAME_OK; /* the tables may hold anything there */
    status = stored_outcome(verify, position, index, &stored, fault);
    if (status == DAME_OK && !outcome_equal(stored, derived))
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
        note_wrong(sum, &found->first_wrong, found->first_wrong_index,
                   (struct outcome){found->first_wrong_stored, found->first_wrong_stored_plies},
                   (struct outcome){found->first_wrong_derived, found->first_wrong_derived_plies});
        sum->wrong = wrong;
    }
    sum->positions += found->positions;
    sum->win += found->win;
    sum->draw += found->draw;
    sum->loss += found->loss;
    if (found->longest_win > sum->longest_win)
        sum->longest_win = found->longest_win;
    if (found->longest_loss > sum->longest_loss)
        sum->longest_loss = found->longest_loss;
    pthread_mutex_unlock(&verify->lock);
    if (verify->progress != NULL)
        atomic_fetch_add(verify->progress, found->positions);
    return DAME_OK;
}

static enum dame_status verify_runs(void *context, uint64_t item, int worker)
{
    (void)worker;
    struct verify *verify = context;
    const struct slot *slot = verify->slot;
    const uint64_t step = walk_runs_per_item(&slot->shape);
    const uint64_t runs = walk_runs(&slot->shape);
    const uint64_t first = item * step;
    const uint64_t end = runs - first < step ? runs : first + step;
    struct walk walk = walk_start(&slot->shape, &verify->sets, first, end);
    struct position_list list;
    struct verify_report found = NOTHING;
    struct fault fault;
    fault_clear(&fault);
    enum dame_status status = DAME_OK;
    while (status == DAME_OK && walk_next(&walk))
        status = verify_position(verify, &walk.position, walk.index, &list, &found, &fault);
    return finish_item(verify, status, &found, &fault);
}

/* Any seed starts a good stream. */
static uint64_t random_next(uint64_t *state)
{
    const uint64_t number = hash_number(*state);
    *state += HASH_STEP;
    return number;
}

static bool placement_of(const struct verify *verify, uint64_t index, struct position *out)
{
    return placement_at(&verify->slot->shape, &verify->sets, verify->slot->header.material, index, out);
}

/* Draw indices until pieces do not share squares. Every slice has such placements. */
static uint64_t random_placement(const struct verify *verify, uint64_t *state, struct position *out)
{
    for (;;) {
        const uint64_t index = random_next(state) % verify->slot->shape.size;
        if (placement_of(verify, index, out))
            return index;
    }
}

/* The one that follows; behind the last one the first. */
static uint64_t next_placement(const struct verify *verify, uint64_t index, struct position *out)
{
    do
        index = (index + 1) % verify->slot->shape.size;
    while (!placement_of(verify, index, out));
    return index;
}

/* A power of two. */
static uint64_t group_of_samples(uint64_t samples)
{
    uint64_t group = 1;
    while (group < GROUP_MOST && samples / (2 * group) >= GROUPS_LEAST)
        group *= 2;
    return group;
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
    struct verify_report found = NOTHING;
    struct fault fault;
    fault_clear(&fault);
    enum dame_status status = DAME_OK;
    const uint64_t group = group_of_samples(verify->samples);
    uint64_t index = 0;
    for (uint64_t i = 0; i < count && status == DAME_OK; i++) {
        struct position position;
        index = i % group == 0 ? random_placement(verify, &state, &position)
                               : next_placement(verify, index, &position);
        status = verify_position(verify, &position, index, &list, &found, &fault);
    }
    return finish_item(verify, status, &found, &fault);
}

/* The slots of a slice; DAME_NO_TABLE if one is not there. */
static enum dame_status find_slots(struct verify *verify, struct material material, enum metric metric,
                                   struct missing_table *missing)
{
    const struct library *library = verify->library;
    const struct draw_rule rule = library_draw_rule(library);
    if ((unsigned)metric >= METRICS)
        return DAME_BAD_ARGUMENT;
    if (!metric_has_plies(metric))
        metric = metric_of_rule(rule);
    verify->rule = (struct outcome_rule){metric, rule};
    const enum metric wanted[] = {METRIC_WDL, metric};
    const struct slot **slots[] = {&verify->slot, &verify->distances};
    for (int i = 0; i < (metric_has_plies(metric) ? 2 : 1); i++) {
        const int number = library_find(library, material, wanted[i]);
        if (number < 0) {
            *missing = (struct missing_table){material, wanted[i]};
            return DAME_NO_TABLE;
        }
        *slots[i] = &library->slots[number];
    }
    return DAME_OK;
}

/* The common frame of both forms. */
static enum dame_status run(struct verify *verify, struct material material, enum metric metric,
                            work_function work, int threads, const atomic_bool *cancel,
                            struct verify_report *report, char *detail)
{
    *report = verify->sum = NOTHING;
    enum dame_status status = find_slots(verify, material, metric, &report->missing);
    if (status != DAME_OK)
        return status;
    const uint64_t step =
        work == verify_samples ? SAMPLES_PER_ITEM : walk_runs_per_item(&verify->slot->shape);
    const uint64_t things = work == verify_samples ? verify->samples : walk_runs(&verify->slot->shape);
    status = index_sets_create(verify->library->kernel->board, verify->library->ordering, material,
                               &verify->slot->shape, &verify->sets);
    if (status != DAME_OK)
        return status;
    if (pthread_mutex_init(&verify->lock, NULL) != 0) {
        index_sets_destroy(&verify->sets);
        return DAME_NO_MEMORY;
    }
    verify->fault = first_fault_none();
    status = threads_run(threads, things / step + (things % step != 0), work, verify, cancel);
    pthread_mutex_destroy(&verify->lock);
    index_sets_destroy(&verify->sets);
    *report = verify->sum;
    if (status != DAME_OK)
        fault_report(&verify->fault.fault, &report->missing, detail);
    return status;
}

static bool counts_agree(const struct verify_report *report, const struct slot *slot)
{
    const struct table_header *header = &slot->header;
    if (report->win != header->win || report->draw != header->draw || report->loss != header->loss)
        return false;
    return !metric_has_plies(header->metric) ||
           (report->longest_win == layout_longest(header->longest_win) &&
            report->longest_loss == layout_longest(header->longest_loss));
}

enum dame_status verify_slice(const struct library *library, struct material material, enum metric metric,
                              int threads, const atomic_bool *cancel, atomic_uint_fast64_t *progress,
                              struct verify_report *report, char *detail)
{
    struct verify verify = {.library = library, .progress = progress};
    const enum dame_status status =
        run(&verify, material, metric, verify_runs, threads, cancel, report, detail);
    if (status == DAME_OK)
        report->counts_agree = counts_agree(report, verify.slot) &&
                               (verify.distances == NULL || counts_agree(report, verify.distances));
    return status;
}

enum dame_status verify_sample(const struct library *library, struct material material, enum metric metric,
                               uint64_t count, uint64_t seed, int threads, const atomic_bool *cancel,
                               atomic_uint_fast64_t *progress, struct verify_report *report, char *detail)
{
    struct verify verify = {.library = library, .progress = progress, .samples = count, .seed = seed};
    return run(&verify, material, metric, verify_samples, threads, cancel, report, detail);
}
