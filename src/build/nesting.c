#include "build/nesting.h"

#include "base/threads.h"
#include "build/gather.h"

struct candidates {
    const struct nesting_judge *judge;
    int round, count;
    int nestings[NESTINGS];
    uint64_t costs[NESTINGS];
};

bool nesting_is_near(const struct index_shape *shape)
{
    enum piece_set order[PIECE_SETS];
    const int count = index_by_speed(shape, order);
    const enum piece_set across = gatherer_across(shape);
    const bool any_men = shape->sets[OTHER_MEN] > 1 || shape->sets[OWN_MEN] > 1;
    return (!any_men || piece_set_is_men(order[count - 1])) && (order[0] == across || order[1] == across);
}

/* The nestings of the slice that differ. */
static enum dame_status find_candidates(const struct planes *planes, struct candidates *candidates)
{
    for (int nesting = 0; nesting < NESTINGS; nesting++) {
        struct index_shape shape;
        enum dame_status status = index_shape(planes->rows->board, planes->material, nesting, &shape);
        if (status != DAME_OK)
            return status;
        if (index_same_nesting(&shape) == nesting &&
            (candidates->judge->allows == NULL || candidates->judge->allows(&shape)))
            candidates->nestings[candidates->count++] = nesting;
    }
    return DAME_OK;
}

static enum dame_status judge_candidate(void *context, uint64_t item, int worker)
{
    struct candidates *candidates = context;
    (void)worker;
    return candidates->judge->cost(candidates->judge->context, candidates->nestings[item], candidates->round,
                                   &candidates->costs[item]);
}

/* The cheapest ones first; equal ones stay in their order. */
static void sort_candidates(struct candidates *candidates)
{
    int *nestings = candidates->nestings;
    uint64_t *costs = candidates->costs;
    for (int i = 1; i < candidates->count; i++) {
        const uint64_t cost = costs[i];
        const int nesting = nestings[i];
        int at = i;
        for (; at > 0 && costs[at - 1] > cost; at--) {
            costs[at] = costs[at - 1];
            nestings[at] = nestings[at - 1];
        }
        costs[at] = cost;
        nestings[at] = nesting;
    }
}

enum dame_status nesting_choose(const struct planes *planes, const struct nesting_judge *judge, int threads,
                                const atomic_bool *cancel, int *out)
{
    struct candidates candidates = {.judge = judge};
    enum dame_status status = find_candidates(planes, &candidates);
    if (candidates.count <= judge->kept)
        candidates.round = judge->rounds - 1;
    for (; candidates.round < judge->rounds && candidates.count > 1 && status == DAME_OK;
         candidates.round++) {
        if (candidates.round > 0 && candidates.count > judge->kept)
            candidates.count = judge->kept;
        status = threads_run(threads, (uint64_t)candidates.count, judge_candidate, &candidates, cancel);
        if (status == DAME_OK)
            sort_candidates(&candidates);
    }
    *out = candidates.nestings[0];
    return status;
}
