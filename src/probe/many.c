/* probe_many: two passes over a few rows of the argument at a time, so that memory is asked for well before
   it is read. */
#include "base/threads.h"
#include "probe/direct.h"
#include "probe/value.h"

enum { ROWS_PER_ITEM = 4096, ROWS_AHEAD = 128 };

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
        *out = position_turned(*out, board->squares);
    return DAME_OK;
}

/* The place of a row whose value is one look-up the direct way. */
static bool direct_row(const struct library *library, const uint64_t *row, struct place *place)
{
    if (row[4] > 1)
        return false;
    const uint64_t *black = row + 2 * row[4], *white = row + 2 - 2 * row[4];
    const struct direct *direct =
        library->direct_way->place(library, black, white, row[4] == 1, &place->index);
    if (direct == NULL)
        return false;
    place->slot = &library->slots[direct->slot - 1];
    return true;
}

/* The place of a legal position whose value is one look-up. */
static bool find_place(const struct library *library, const struct position *position, struct place *place)
{
    if ((position->own_men | position->own_kings) == 0 || (position->other_men | position->other_kings) == 0)
        return false;
    *place = library_place(library, METRIC_WDL, position);
    return place->slot != NULL && (place->slot->resolved || library->kernel->attacks(position) == 0);
}

static void prefetch(struct place place)
{
    if (place.slot->packed != NULL)
        __builtin_prefetch(place.slot->packed + place.index / VALUES_PER_BYTE);
    else
        cache_prefetch(place.slot->cached, place.index);
}

enum { PENDING = -126 }; /* in `out`: the value is looked up in the second pass */

/* Its place, or at once its value. */
static enum dame_status look_at_row(const struct library *library, const uint64_t *row, struct place *place,
                                    int8_t *out, struct fault *fault)
{
    struct position position;
    struct outcome end;
    int wdl = PENDING;
    if (direct_row(library, row, place)) {
        *out = PENDING;
        return DAME_OK;
    }
    enum dame_status status = position_from_row(library->kernel->board, row, &position);
    if (status == DAME_OK)
        status = library_check(library, METRIC_WDL, &position, fault);
    if (status == DAME_OK && !find_place(library, &position, place))
        status = library_value(library, &position, &wdl, fault);
    if (status == DAME_NO_TABLE && (status = library_end(library, &position, &end)) == DAME_OK)
        wdl = end.wdl;
    *out = (int8_t)wdl;
    if (status == DAME_NO_TABLE)
        *out = PROBE_MISSING;
    else if (status == DAME_BAD_POSITION)
        *out = PROBE_ILLEGAL;
    else
        return status;
    return DAME_OK;
}

/* First pass: find every place and ask for its memory; what is no single look-up is done at once. */
static enum dame_status look_ahead(struct many *many, size_t first, size_t count, struct place *places,
                                   struct fault *fault)
{
    enum dame_status status = DAME_OK;
    for (size_t i = 0; i < count && status == DAME_OK; i++) {
        int8_t *out = &many->out[first + i];
        status = look_at_row(many->library, many->rows + (first + i) * PROBE_WORDS, &places[i], out, fault);
        if (status == DAME_OK && *out == PENDING)
            prefetch(places[i]);
    }
    return status;
}

static enum dame_status probe_rows(void *context, uint64_t item, int worker)
{
    (void)worker;
    struct many *many = context;
    struct fault fault;
    fault_clear(&fault);
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
            status = library_value_at(places[i], &wdl, &fault);
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
