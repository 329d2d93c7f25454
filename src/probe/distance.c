#include "probe/distance.h"

#include "position/outcome.h"
#include "probe/library_private.h"

/* The distance after the captures that keep the result. All moves of a lost position keep it. */
static enum dame_status best_plies(const struct library *library, enum metric metric,
                                   const struct position *positions, int count, int wdl, int *plies,
                                   struct fault *fault)
{
    enum dame_status status = DAME_OK;
    *plies = NO_PLIES;
    for (int i = 0; i < count; i++) {
        int theirs = -wdl, after;
        if (wdl > 0)
            status = library_value(library, &positions[i], &theirs, fault);
        if (status == DAME_OK && theirs != -wdl)
            continue;
        if (status == DAME_OK)
            status = library_plies(library, metric, &positions[i], theirs, &after, fault);
        if (status != DAME_OK)
            return status;
        if (*plies == NO_PLIES || (wdl > 0 ? after + 1 < *plies : after + 1 > *plies))
            *plies = after + 1;
        if (wdl > 0 && *plies == 1)
            break;
    }
    if (*plies == NO_PLIES)
        return detail_fail(fault->detail, DAME_CORRUPT_TABLE, "values contradict each other");
    return DAME_OK;
}

static __attribute__((noinline)) enum dame_status play_many_captures(const struct library *library,
                                                                     enum metric metric,
                                                                     const struct position *position, int wdl,
                                                                     int *plies, struct fault *fault)
{
    struct position_list list;
    const enum dame_status status = kernel_list_successors(library->kernel, position, &list);
    if (status != DAME_OK)
        return status;
    return best_plies(library, metric, list.positions, list.count, wdl, plies, fault);
}

static enum dame_status play_captures(const struct library *library, enum metric metric,
                                      const struct position *position, int wdl, int *plies,
                                      struct fault *fault)
{
    struct position few[FEW_POSITIONS];
    struct successors found;
    const enum dame_status status = library->kernel->successors(position, few, FEW_POSITIONS, &found);
    if (status != DAME_OK)
        return status;
    if (found.count > FEW_POSITIONS)
        return play_many_captures(library, metric, position, wdl, plies, fault);
    return best_plies(library, metric, few, found.count, wdl, plies, fault);
}

static enum dame_status stored_plies(const struct library *library, struct place place, int wdl, int *plies,
                                     struct fault *fault)
{
    int byte;
    enum dame_status status = library_stored(place.slot, place.index, &byte, fault);
    if (status != DAME_OK)
        return status;
    const bool odd = outcome_is_odd(library->kernel->rules, wdl > 0);
    *plies = coding_from_byte(place.slot->header.coding, byte, odd);
    if (odd && *plies < 1)
        return detail_fail(fault->detail, DAME_CORRUPT_TABLE, "a %s without a distance",
                           wdl > 0 ? "win" : "loss");
    return DAME_OK;
}

enum dame_status library_plies(const struct library *library, enum metric metric,
                               const struct position *position, int wdl, int *plies, struct fault *fault)
{
    assert(wdl != 0 && metric_has_plies(metric));
    if ((position->own_men | position->own_kings) == 0) {
        *plies = 0;
        return DAME_OK;
    }
    if ((position->other_men | position->other_kings) == 0) {
        *plies = 1;
        return DAME_OK;
    }
    const struct place place = library_place(library, metric, position);
    const bool resolved = place.slot != NULL && place.slot->resolved;
    if (!resolved && library->kernel->must_capture(position)) {
        *plies = 1;
        return metric_ends_phase(metric, BY_CAPTURE)
                   ? DAME_OK
                   : play_captures(library, metric, position, wdl, plies, fault);
    }
    if (place.slot == NULL)
        return fault_missing(fault, place.material, metric);
    return stored_plies(library, place, wdl, plies, fault);
}

static enum dame_status value_and_plies(const struct library *library, enum metric metric,
                                        const struct position *position, struct outcome *out,
                                        struct fault *fault)
{
    enum dame_status status = library_check(library, metric, position, fault);
    out->plies = NO_PLIES;
    if (status == DAME_OK)
        status = library_value(library, position, &out->wdl, fault);
    if (status == DAME_OK && out->wdl != 0)
        status = library_plies(library, metric, position, out->wdl, &out->plies, fault);
    return status == DAME_NO_TABLE ? library_end(library, position, out) : status;
}

enum dame_status library_check_clock(const struct library *library, int clock, char *detail)
{
    const struct draw_rule rule = library_draw_rule(library);
    if (clock < 0 || (rule.plies != 0 && clock > rule.plies))
        return detail_fail(detail, DAME_BAD_ARGUMENT, "clock %d", clock);
    return DAME_OK;
}

/* With a full counter the game is over, whatever the tables hold. In a frame of its own: the list is
   large. */
static enum dame_status full_counter(const struct library *library, const struct position *position,
                                     int clock, struct outcome *out, struct fault *fault)
{
    struct position_list list;
    enum dame_status status = position_check(library->kernel->board, position, fault->detail);
    if (status == DAME_OK)
        status = kernel_list_successors(library->kernel, position, &list);
    if (status != DAME_OK)
        return status;
    const bool over = outcome_at_end(library->kernel->rules->misere, list.count != 0,
                                     library_draw_rule(library), clock, out);
    assert(over);
    (void)over;
    return DAME_OK;
}

enum dame_status probe_plies(const struct library *library, enum metric metric,
                             const struct position *position, int clock, int *wdl, int *plies,
                             struct missing_table *missing, char *detail)
{
    const struct draw_rule rule = library_draw_rule(library);
    struct fault fault;
    fault_clear(&fault);
    struct outcome found;
    enum dame_status status = library_check_clock(library, clock, fault.detail);
    if (status == DAME_OK && draw_rule_is_full(rule, clock))
        status = full_counter(library, position, clock, &found, &fault);
    else if (status == DAME_OK)
        status = value_and_plies(library, metric, position, &found, &fault);
    if (status != DAME_OK) {
        fault_report(&fault, missing, detail);
        return status;
    }
    const bool drawn = rule.plies != 0 && found.plies > rule.plies - clock;
    *wdl = drawn ? 0 : found.wdl;
    *plies = drawn ? NO_PLIES : found.plies;
    return DAME_OK;
}

enum dame_status probe_wdl_clock(const struct library *library, const struct position *position, int clock,
                                 int *wdl, struct missing_table *missing, char *detail)
{
    int plies;
    const struct draw_rule rule = library_draw_rule(library);
    if (clock > 0 && rule.plies != 0)
        return probe_plies(library, metric_of_rule(rule), position, clock, wdl, &plies, missing, detail);
    const enum dame_status status = library_check_clock(library, clock, detail);
    return status == DAME_OK ? probe_wdl(library, position, wdl, missing, detail) : status;
}
