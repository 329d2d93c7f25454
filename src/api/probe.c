/* The value of positions: dame_probe_wdl, dame_probe_dtw, dame_probe_dtz, dame_probe_dtc, dame_probe_many. */
#include <stddef.h>
#include <string.h>

#include "api/error.h"
#include "api/handle.h"
#include "api/position.h"
#include "base/threads.h"
#include "probe/distance.h"
#include "probe/value.h"

enum { POSITIONS_PER_ITEM = 1024 };

static const struct board *board_of(const struct dame_tables *tables)
{
    return library_kernel(tables->library)->board;
}

static inline bool side_is_known(const struct dame_position *position)
{
    return position->side == DAME_BLACK || position->side == DAME_WHITE;
}

/* What the three probes have in common. `metric` is a constant wherever this is called. */
static inline dame_status probe(const struct dame_tables *tables, enum metric metric,
                                const struct dame_position *position, int clock, int *wdl, int *plies,
                                struct dame_error *error)
{
    char detail[DETAIL_MAX];
    struct position seen;
    struct missing_table missing;
    detail[0] = '\0';
    error_clear(error);
    enum dame_status status = position_from_public(board_of(tables), position, &seen, detail);
    if (status == DAME_OK && metric_has_plies(metric))
        status = probe_plies(tables->library, metric, &seen, clock, wdl, plies, &missing, detail);
    else if (status == DAME_OK)
        status = probe_wdl_clock(tables->library, &seen, clock, wdl, &missing, detail);
    return error_from_probe(error, status, NULL, &missing, tables, detail);
}

_Static_assert(offsetof(struct dame_position, black_kings) == offsetof(struct dame_position, black_men) + 8 &&
                   offsetof(struct dame_position, white_kings) ==
                       offsetof(struct dame_position, white_men) + 8,
               "two words of each side, as probe_direct has them");

/* In a frame of its own: most probes are answered without. */
static __attribute__((noinline)) dame_status probe_values(const struct dame_tables *tables,
                                                          const struct dame_position *position, int clock,
                                                          int *wdl, struct dame_error *error)
{
    if (clock == 0 && side_is_known(position) &&
        probe_direct_others(tables->library, &position->black_men, &position->white_men,
                            position->side == DAME_WHITE, wdl)) {
        error_clear(error);
        return DAME_STATUS_OK;
    }
    return probe(tables, METRIC_WDL, position, clock, wdl, NULL, error);
}

dame_status dame_probe_wdl(const struct dame_tables *tables, const struct dame_position *position, int clock,
                           int *wdl, struct dame_error *error)
{
    if (clock == 0 && side_is_known(position) &&
        probe_direct(tables->library, &position->black_men, &position->white_men,
                     position->side == DAME_WHITE, wdl)) {
        error_clear(error);
        return DAME_STATUS_OK;
    }
    return probe_values(tables, position, clock, wdl, error);
}

dame_status dame_probe_dtw(const struct dame_tables *tables, const struct dame_position *position, int *wdl,
                           int *plies, struct dame_error *error)
{
    return probe(tables, METRIC_DTW, position, 0, wdl, plies, error);
}

dame_status dame_probe_dtz(const struct dame_tables *tables, const struct dame_position *position, int clock,
                           int *wdl, int *plies, struct dame_error *error)
{
    return probe(tables, METRIC_DTZ, position, clock, wdl, plies, error);
}

dame_status dame_probe_dtc(const struct dame_tables *tables, const struct dame_position *position, int clock,
                           int *wdl, int *plies, struct dame_error *error)
{
    return probe(tables, METRIC_DTC, position, clock, wdl, plies, error);
}

struct many {
    const struct dame_tables *tables;
    const struct dame_position *positions;
    size_t count;
    int8_t *wdl;
    dame_status *statuses;
};

/* A position that the batch of the core could not answer: why? */
static void probe_alone(const struct many *many, size_t i)
{
    int wdl = DAME_NO_VALUE;
    const dame_status status = dame_probe_wdl(many->tables, &many->positions[i], 0, &wdl, NULL);
    many->wdl[i] = (int8_t)wdl;
    if (many->statuses != NULL)
        many->statuses[i] = status;
}

static enum dame_status probe_item(void *context, uint64_t item, int worker)
{
    (void)worker;
    const struct many *many = context;
    const size_t first = (size_t)item * POSITIONS_PER_ITEM, left = many->count - first;
    const size_t count = left < POSITIONS_PER_ITEM ? left : POSITIONS_PER_ITEM;
    uint64_t rows[POSITIONS_PER_ITEM][PROBE_WORDS];
    if (count == 0)
        return DAME_OK;
    for (size_t i = 0; i < count; i++) {
        const struct dame_position *p = &many->positions[first + i];
        const uint64_t white[PROBE_WORDS] = {p->white_men, p->white_kings, p->black_men, p->black_kings, 1};
        const uint64_t black[PROBE_WORDS] = {p->black_men, p->black_kings, p->white_men, p->white_kings,
                                             p->side == DAME_BLACK ? 0 : UINT64_MAX}; /* no such side */
        memcpy(rows[i], p->side == DAME_WHITE ? white : black, sizeof white);
    }
    int8_t *wdl = many->wdl + first;
    const enum dame_status status = probe_many(many->tables->library, rows[0], count, wdl, 1, NULL, NULL);
    for (size_t i = 0; i < count; i++)
        if (status != DAME_OK || wdl[i] == PROBE_MISSING || wdl[i] == PROBE_ILLEGAL)
            probe_alone(many, first + i);
        else if (many->statuses != NULL)
            many->statuses[first + i] = DAME_STATUS_OK;
    return DAME_OK;
}

dame_status dame_probe_many(const struct dame_tables *tables, const struct dame_position *positions,
                            size_t count, int threads, int8_t *wdl, dame_status *statuses)
{
    struct many many = {tables, positions, count, wdl, statuses};
    const uint64_t items = count / POSITIONS_PER_ITEM + (count % POSITIONS_PER_ITEM != 0);
    return public_status(threads_run(threads, items, probe_item, &many, NULL));
}
