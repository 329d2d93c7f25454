/* library_resolve: play every pending capture out, and answer every threat, once and for all. */
#include "base/threads.h"
#include "probe/direct.h"
#include "probe/walk.h"

struct resolve {
    const struct library *library;
    const struct slot *slot;
    struct index_sets sets;
    atomic_uint_fast64_t *progress;
    struct first_fault fault;
};

/* The value of a position with a capture or a threat pending, into the table. Drawn ones have no distance. */
static enum dame_status resolve_position(const struct library *library, const struct slot *slot,
                                         const struct position *position, uint64_t index, struct fault *fault)
{
    const enum metric metric = slot->header.metric;
    int wdl, plies;
    enum dame_status status = library_value(library, position, &wdl, fault);
    if (status != DAME_OK)
        return status;
    if (!metric_has_plies(metric)) {
        values_set(slot->packed, index, value_from_wdl(wdl));
        return DAME_OK;
    }
    if (wdl == 0)
        return DAME_OK;
    status = library_plies(library, metric, position, wdl, &plies, fault);
    if (status == DAME_OK)
        slot->packed[index] = (uint8_t)coding_to_byte(slot->header.coding, plies);
    return status;
}

static enum dame_status resolve_runs(void *context, uint64_t item, int worker)
{
    (void)worker;
    struct resolve *resolve = context;
    const struct library *library = resolve->library;
    const struct slot *slot = resolve->slot;
    const uint64_t step = walk_runs_per_item(&slot->shape);
    const uint64_t runs = walk_runs(&slot->shape);
    const uint64_t first = item * step;
    const uint64_t end = runs - first < step ? runs : first + step;
    struct walk walk = walk_start(&slot->shape, &resolve->sets, first, end);
    struct fault fault;
    fault_clear(&fault);
    const bool threats = !metric_has_plies(slot->header.metric) && library_answers_threats(library);
    const unsigned wanted = threats ? ATTACK_OWN | ATTACK_OTHER : ATTACK_OWN;
    while (walk_next(&walk)) {
        if ((library->kernel->attacks(&walk.position) & wanted) == 0)
            continue;
        const enum dame_status status = resolve_position(library, slot, &walk.position, walk.index, &fault);
        if (status != DAME_OK) {
            first_fault_offer(&resolve->fault, &fault);
            return status;
        }
    }
    if (resolve->progress != NULL)
        atomic_fetch_add(resolve->progress, (end - first) * walk_run_length(&slot->shape));
    return DAME_OK;
}

static enum dame_status resolve_slot(struct library *library, struct slot *slot, int threads,
                                     const atomic_bool *cancel, atomic_uint_fast64_t *progress,
                                     struct missing_table *missing, char *detail)
{
    struct resolve resolve = {
        .library = library, .slot = slot, .progress = progress, .fault = first_fault_none()};
    const uint64_t step = walk_runs_per_item(&slot->shape);
    const uint64_t items = (walk_runs(&slot->shape) + step - 1) / step;
    enum dame_status status = index_sets_create(library->kernel->board, library->ordering,
                                                slot->header.material, &slot->shape, &resolve.sets);
    if (status != DAME_OK)
        return status;
    status = threads_run(threads, items, resolve_runs, &resolve, cancel);
    index_sets_destroy(&resolve.sets);
    slot_set_packed(slot, slot->packed);
    if (status == DAME_OK)
        slot->resolved = true;
    else
        fault_report(&resolve.fault.fault, missing, detail);
    direct_update(library, slot);
    return status;
}

/* A capture leads to fewer pieces, so by then what it leads to is a single look-up; a threat takes one ply
   more. Values come before distances. Stopped half way, a slice holds a mixture of true values and
   don't-cares, and is still read as don't-cares. */
enum dame_status library_resolve(struct library *library, int max_pieces, int threads,
                                 const atomic_bool *cancel, atomic_uint_fast64_t *progress,
                                 struct missing_table *missing, char *detail)
{
    enum dame_status status = DAME_OK;
    for (int pieces = 2; pieces <= max_pieces && pieces <= library->largest; pieces++)
        for (int metric = METRIC_WDL; metric < METRICS; metric++)
            for (int i = 0; i < library->count && status == DAME_OK; i++) {
                struct slot *slot = &library->slots[i];
                if (slot->packed != NULL && !slot->resolved && slot->header.metric == (enum metric)metric &&
                    material_pieces(slot->header.material) == pieces)
                    status = resolve_slot(library, slot, threads, cancel, progress, missing, detail);
            }
    return status;
}
