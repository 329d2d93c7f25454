#include "probe/value.h"

#include <assert.h>

#include "probe/direct.h"

enum dame_status library_stored(const struct slot *slot, uint64_t index, int *value, struct fault *fault)
{
    if (slot->packed != NULL) {
        *value = layout_value(&slot->header, slot->packed, index);
        return DAME_OK;
    }
    enum dame_status status = cache_value(slot->cached, index, value, fault->detail);
    if (status != DAME_OK)
        fault_name_table(fault, slot);
    return status;
}

enum dame_status library_value_at(struct place place, int *wdl, struct fault *fault)
{
    int value;
    if (place.slot == NULL)
        return fault_missing(fault, place.material, METRIC_WDL);
    const enum dame_status status = library_stored(place.slot, place.index, &value, fault);
    if (status == DAME_OK)
        *wdl = value_to_wdl(value);
    return status;
}

/* Of a position without captures and threats. */
static enum dame_status stored_value(const struct library *library, const struct position *position, int *wdl,
                                     struct fault *fault)
{
    return library_value_at(library_place(library, METRIC_WDL, position), wdl, fault);
}

static __attribute__((noinline)) enum dame_status play_many_captures(const struct library *library,
                                                                     const struct position *position,
                                                                     int *wdl, struct fault *fault)
{
    struct position_list list;
    const enum dame_status status = kernel_list_successors(library->kernel, position, &list);
    return status == DAME_OK ? library_best(library, list.positions, list.count, wdl, fault) : status;
}

/* The value of a position with a capture pending, from its moves. */
static __attribute__((noinline)) enum dame_status
play_captures(const struct library *library, const struct position *position, int *wdl, struct fault *fault)
{
    struct position few[FEW_POSITIONS];
    struct successors found;
    const enum dame_status status = library->kernel->successors(position, few, FEW_POSITIONS, &found);
    if (status != DAME_OK)
        return status;
    if (found.count > FEW_POSITIONS)
        return play_many_captures(library, position, wdl, fault);
    return library_best(library, few, found.count, wdl, fault);
}

static enum dame_status best_answer(const struct library *library, const struct position *positions,
                                    int count, bool *known, int *wdl, struct fault *fault)
{
    enum dame_status status;
    int best = count == 0 ? library_no_move(library) : -1;
    *known = true;
    for (int i = 0; i < count; i++) {
        const struct position *after = &positions[i];
        const unsigned attacks = library->kernel->attacks(after);
        int value;
        if (attacks == ATTACK_OTHER) {
            *known = false;
            continue;
        }
        if ((attacks & ATTACK_OWN) != 0)
            status = play_captures(library, after, &value, fault);
        else
            status = stored_value(library, after, &value, fault);
        if (status != DAME_OK)
            return status;
        if (-value > best)
            best = -value;
        if (best == 1) {
            *known = true;
            break;
        }
    }
    *wdl = best;
    return DAME_OK;
}

static __attribute__((noinline)) enum dame_status answer_by_many(const struct library *library,
                                                                 const struct position *position, bool *known,
                                                                 int *wdl, struct fault *fault)
{
    struct position_list list;
    const enum dame_status status = kernel_list_successors(library->kernel, position, &list);
    if (status != DAME_OK)
        return status;
    return best_answer(library, list.positions, list.count, known, wdl, fault);
}

/* The value of a position without a capture, in which the other side threatens one, if one ply tells it:
   `*known` says whether it does. The tables hold the others (kernel/rows/threats.h). */
static enum dame_status answer_threat(const struct library *library, const struct position *position,
                                      bool *known, int *wdl, struct fault *fault)
{
    struct position few[FEW_POSITIONS];
    struct successors found;
    const enum dame_status status = library->kernel->successors(position, few, FEW_POSITIONS, &found);
    if (status != DAME_OK)
        return status;
    if (found.count > FEW_POSITIONS)
        return answer_by_many(library, position, known, wdl, fault);
    return best_answer(library, few, found.count, known, wdl, fault);
}

enum dame_status library_value(const struct library *library, const struct position *position, int *wdl,
                               struct fault *fault)
{
    if ((position->own_men | position->own_kings) == 0) {
        *wdl = library_no_move(library);
        return DAME_OK;
    }
    if ((position->other_men | position->other_kings) == 0) {
        *wdl = -library_no_move(library);
        return DAME_OK;
    }
    const struct place place = library_place(library, METRIC_WDL, position);
    if (place.slot != NULL && place.slot->resolved) {
        *wdl = value_to_wdl(values_get(place.slot->packed, place.index));
        return DAME_OK;
    }
    const unsigned attacks = library->kernel->attacks(position);
    if ((attacks & ATTACK_OWN) != 0)
        return play_captures(library, position, wdl, fault);
    if (place.slot == NULL)
        return fault_missing(fault, place.material, METRIC_WDL);
    if (attacks != 0 && library_answers_threats(library)) {
        bool known;
        const enum dame_status status = answer_threat(library, position, &known, wdl, fault);
        if (status != DAME_OK || known)
            return status;
    }
    return library_value_at(place, wdl, fault);
}

enum dame_status library_best(const struct library *library, const struct position *after, int count,
                              int *wdl, struct fault *fault)
{
    enum dame_status failure = DAME_OK;
    int best = count == 0 ? library_no_move(library) : -1;
    for (int i = 0; i < count && best < 1; i++) {
        int value;
        const enum dame_status status = library_value(library, &after[i], &value, fault);
        if (status == DAME_NO_TABLE)
            failure = status;
        else if (status != DAME_OK)
            return status;
        else if (-value > best)
            best = -value;
    }
    if (failure != DAME_OK && best < 1)
        return failure;
    *wdl = best;
    return DAME_OK;
}

static int pieces_of(const struct position *p)
{
    return bit_count(p->own_men | p->own_kings | p->other_men | p->other_kings);
}

/* No table has so many pieces. */
static __attribute__((noinline)) enum dame_status
too_many_pieces(enum metric metric, const struct position *p, struct fault *fault)
{
    const struct material material = {(uint8_t)bit_count(p->own_men), (uint8_t)bit_count(p->own_kings),
                                      (uint8_t)bit_count(p->other_men), (uint8_t)bit_count(p->other_kings)};
    return fault_missing(fault, material, metric);
}

static inline __attribute__((always_inline)) enum dame_status
check(const struct library *library, enum metric metric, const struct position *position, struct fault *fault)
{
    const enum dame_status status = position_check(library->kernel->board, position, fault->detail);
    if (status != DAME_OK || pieces_of(position) <= PIECES_MAX)
        return status;
    return too_many_pieces(metric, position, fault);
}

enum dame_status library_check(const struct library *library, enum metric metric,
                               const struct position *position, struct fault *fault)
{
    return check(library, metric, position, fault);
}

/* In a frame of its own: the list is large. */
__attribute__((noinline)) enum dame_status library_end(const struct library *library,
                                                       const struct position *position, struct outcome *out)
{
    struct position_list list;
    const enum dame_status status = kernel_list_successors(library->kernel, position, &list);
    if (status != DAME_OK)
        return status;
    return outcome_at_end(library->kernel->rules->misere, list.count != 0, (struct draw_rule){0}, 0, out)
               ? DAME_OK
               : DAME_NO_TABLE;
}

static enum dame_status checked_value(const struct library *library, const struct position *position,
                                      int *wdl, struct fault *fault)
{
    struct outcome end = {.wdl = 0};
    enum dame_status status = check(library, METRIC_WDL, position, fault);
    if (status == DAME_OK)
        status = library_value(library, position, wdl, fault);
    if (status != DAME_NO_TABLE)
        return status;
    status = library_end(library, position, &end);
    if (status == DAME_OK)
        *wdl = end.wdl;
    return status;
}

enum dame_status probe_wdl(const struct library *library, const struct position *position, int *wdl,
                           struct missing_table *missing, char *detail)
{
    struct fault fault;
    fault_clear(&fault);
    const enum dame_status status = checked_value(library, position, wdl, &fault);
    if (status != DAME_OK)
        fault_report(&fault, missing, detail);
    return status;
}

bool probe_direct(const struct library *library, const void *black_pieces, const void *white_pieces,
                  unsigned white, int *wdl)
{
    return library->probe_direct(library, black_pieces, white_pieces, white, wdl);
}

bool probe_direct_others(const struct library *library, const void *black_pieces, const void *white_pieces,
                         unsigned white, int *wdl)
{
    return library->probe_direct != library->direct_way->value &&
           library->direct_way->value(library, black_pieces, white_pieces, white, wdl);
}
