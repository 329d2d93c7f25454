#include "probe/value.h"

#include <assert.h>

#include "base/threads.h"
#include "probe/library_private.h"

enum { ROWS_PER_ITEM = 4096, ROWS_AHEAD = 128 };

enum dame_status library_stored(const struct library *library, const struct slot *slot, uint64_t index,
                                int *value, struct fault *fault)
{
    if (slot->packed != NULL) {
        *value = layout_value(&slot->header, slot->packed, index);
        return DAME_OK;
    }
    const uint32_t number = (uint32_t)(slot - library->slots);
    enum dame_status status = cache_value(library->cache, slot->table, number, index, value, fault->detail);
    if (status != DAME_OK)
        fault_name_slice(fault, slot);
    return status;
}

static enum dame_status value_at(const struct library *library, struct place place, int *wdl,
                                 struct fault *fault)
{
    int value;
    if (place.slot == NULL)
        return fault_missing(fault, place.material, METRIC_WDL);
    const enum dame_status status = library_stored(library, place.slot, place.index, &value, fault);
    if (status == DAME_OK)
        *wdl = value_to_wdl(value);
    return status;
}

/* Of a position without captures and threats. */
static enum dame_status stored_value(const struct library *library, const struct position *position, int *wdl,
                                     struct fault *fault)
{
    return value_at(library, library_place(library, METRIC_WDL, position), wdl, fault);
}

/* The moves of a position with a capture pending, in a frame of their own: the list is large. */
static enum dame_status play_captures(const struct library *library, const struct position *position,
                                      int *wdl, struct fault *fault)
{
    struct position_list list;
    enum dame_status status = library->kernel->successors(position, &list);
    if (status != DAME_OK)
        return status;
    return library_best(library, &list, wdl, fault);
}

/* The value of a position without a capture, in which the other side threatens one, if one ply tells it:
 *known says whether it does. The tables hold the others (kernel/threats.h). */
static enum dame_status answer_threat(const struct library *library, const struct position *position,
                                      bool *known, int *wdl, struct fault *fault)
{
    struct position_list list;
    enum dame_status status = library->kernel->successors(position, &list);
    if (status != DAME_OK)
        return status;
    int best = list.count == 0 ? library_no_move(library) : -1;
    *known = true;
    for (int i = 0; i < list.count; i++) {
        const struct position *after = &list.positions[i];
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
    return value_at(library, place, wdl, fault);
}

enum dame_status library_best(const struct library *library, const struct position_list *list, int *wdl,
                              struct fault *fault)
{
    enum dame_status failure = DAME_OK;
    int best = list->count == 0 ? library_no_move(library) : -1;
    for (int i = 0; i < list->count && best < 1; i++) {
        int value;
        const enum dame_status status = library_value(library, &list->positions[i], &value, fault);
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

enum dame_status position_check(const struct board *board, const struct position *position, char *detail)
{
    const struct position p = *position;
    const uint64_t own = p.own_men | p.own_kings;
    const uint64_t other = p.other_men | p.other_kings;
    if (((own | other) & ~bits_below(board->squares)) != 0)
        return detail_fail(detail, DAME_BAD_POSITION, "a piece stands off the board");
    if (((own & other) | (p.own_men & p.own_kings) | (p.other_men & p.other_kings)) != 0)
        return detail_fail(detail, DAME_BAD_POSITION, "two pieces stand on one square");
    if ((p.own_men & ~bits_below(board->men_squares)) != 0 || (p.other_men & bits_below(board->columns)) != 0)
        return detail_fail(detail, DAME_BAD_POSITION, "a man stands on the row where it would be crowned");
    return DAME_OK;
}

static int pieces_of(const struct position *p)
{
    return bit_count(p->own_men | p->own_kings | p->other_men | p->other_kings);
}

enum dame_status library_check(const struct library *library, enum table_metric metric,
                               const struct position *position, struct fault *fault)
{
    const struct position *p = position;
    enum dame_status status = position_check(library->kernel->board, p, fault->detail);
    if (status != DAME_OK || pieces_of(p) <= PIECES_MAX)
        return status;
    const struct material material = {(uint8_t)bit_count(p->own_men), (uint8_t)bit_count(p->own_kings),
                                      (uint8_t)bit_count(p->other_men), (uint8_t)bit_count(p->other_kings)};
    return fault_missing(fault, material, metric);
}

/* Whether the value is a single look-up, and where; the memory is asked for. */
static bool library_look_ahead(const struct library *library, const struct position *position,
                               struct place *place)
{
    if ((position->own_men | position->own_kings) == 0 || (position->other_men | position->other_kings) == 0)
        return false;
    *place = library_place(library, METRIC_WDL, position);
    const struct slot *slot = place->slot;
    if (slot == NULL)
        return false;
    if (!slot->resolved && library->kernel->attacks(position) != 0)
        return false;
    if (slot->packed != NULL)
        __builtin_prefetch(slot->packed + place->index / VALUES_PER_BYTE);
    else
        cache_prefetch(library->cache, slot->table, (uint32_t)(slot - library->slots), place->index);
    return true;
}

static enum dame_status checked_value(const struct library *library, const struct position *position,
                                      int *wdl, struct fault *fault)
{
    enum dame_status status = library_check(library, METRIC_WDL, position, fault);
    return status == DAME_OK ? library_value(library, position, wdl, fault) : status;
}

enum dame_status probe_wdl(const struct library *library, const struct position *position, int *wdl,
                           struct missing_table *missing, char *detail)
{
    struct fault fault = fault_none();
    const enum dame_status status = checked_value(library, position, wdl, &fault);
    if (status != DAME_OK)
        fault_report(&fault, missing, detail);
    return status;
}

struct many {
    const struct library *library;
    const uint64_t *rows;
    size_t count;
    int8_t *out;
    struct first_fault fault;
};

/* A row as the side to move sees it. The bits are still unchecked: those off the board must not get lost. */
static enum dame_status position_from_row(const struct board *board, const uint64_t *row,
                                          struct position *out)
{
    if (row[4] > 1 || ((row[0] | row[1] | row[2] | row[3]) & ~bits_below(board->squares)) != 0)
        return DAME_BAD_POSITION;
    *out = (struct position){row[0], row[1], row[2], row[3]};
    if (row[4] == 1)
        *out = (struct position){
            bits_reverse(row[0], board->squares),
            bits_reverse(row[1], board->squares),
            bits_reverse(row[2], board->squares),
            bits_reverse(row[3], board->squares),
        };
    return DAME_OK;
}

enum { PENDING = -126 }; /* in `out`: the value is looked up in the second pass */

/* First pass: find every place and ask for its memory; what is no single look-up is done at once. */
static enum dame_status look_ahead(struct many *many, size_t first, size_t count, struct place *places,
                                   struct fault *fault)
{
    const struct library *library = many->library;
    for (size_t i = 0; i < count; i++) {
        struct position position;
        int8_t *out = &many->out[first + i];
        int wdl;
        enum dame_status status =
            position_from_row(library->kernel->board, many->rows + (first + i) * PROBE_WORDS, &position);
        if (status == DAME_OK)
            status = library_check(library, METRIC_WDL, &position, fault);
        if (status == DAME_OK && library_look_ahead(library, &position, &places[i])) {
            *out = PENDING;
            continue;
        }
        if (status == DAME_OK)
            status = library_value(library, &position, &wdl, fault);
        if (status == DAME_OK)
            *out = (int8_t)wdl;
        else if (status == DAME_NO_TABLE)
            *out = PROBE_MISSING;
        else if (status == DAME_BAD_POSITION)
            *out = PROBE_ILLEGAL;
        else
            return status;
    }
    return DAME_OK;
}

static enum dame_status probe_rows(void *context, uint64_t item, int worker)
{
    (void)worker;
    struct many *many = context;
    struct fault fault = fault_none();
    struct place places[ROWS_AHEAD];
    enum dame_status status = DAME_OK;
    const size_t end = many->count - (size_t)item * ROWS_PER_ITEM < ROWS_PER_ITEM
                           ? many->count
                           : (size_t)(item + 1) * ROWS_PER_ITEM;
    for (size_t first = (size_t)item * ROWS_PER_ITEM; first < end && status == DAME_OK; first += ROWS_AHEAD) {
        const size_t count = end - first < ROWS_AHEAD ? end - first : ROWS_AHEAD;
        status = look_ahead(many, first, count, places, &fault);
        for (size_t i = 0; i < count && status == DAME_OK; i++) {
            int wdl = 0;
            if (many->out[first + i] != PENDING)
                continue;
            status = value_at(many->library, places[i], &wdl, &fault);
            many->out[first + i] = (int8_t)wdl;
        }
    }
    if (status != DAME_OK)
        first_fault_offer(&many->fault, &fault);
    return status;
}

enum dame_status probe_many(const struct library *library, const uint64_t *rows, size_t count, int8_t *out,
                            int threads, const atomic_bool *cancel, char *detail)
{
    struct many many = {
        .library = library, .rows = rows, .count = count, .out = out, .fault = first_fault_none()};
    const uint64_t items = count / ROWS_PER_ITEM + (count % ROWS_PER_ITEM != 0);
    const enum dame_status status = threads_run(threads, items, probe_rows, &many, cancel);
    if (status != DAME_OK)
        fault_report(&many.fault.fault, NULL, detail);
    return status;
}
