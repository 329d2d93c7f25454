/* The value of positions: dame_probe_wdl, dame_probe_dtw, dame_probe_dtz, dame_probe_many. */
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

dame_status dame_probe_wdl(const struct dame_tables *tables, const struct dame_position *position, int clock,
                           int *wdl, struct dame_error *error)
{
    char detail[DETAIL_MAX] = "";
    struct position seen;
    struct missing_table missing;
    error_clear(error);
    enum dame_status status = position_from_public(board_of(tables), position, &seen, detail);
    if (status == DAME_OK)
        status = probe_wdl_clock(tables->library, &seen, clock, wdl, &missing, detail);
    return error_from_probe(error, status, NULL, &missing, tables->draw_plies, detail);
}

dame_status dame_probe_dtw(const struct dame_tables *tables, const struct dame_position *position, int *wdl,
                           int *plies, struct dame_error *error)
{
    char detail[DETAIL_MAX] = "";
    struct position seen;
    struct missing_table missing;
    error_clear(error);
    enum dame_status status = position_from_public(board_of(tables), position, &seen, detail);
    if (status == DAME_OK)
        status = probe_dtw(tables->library, &seen, wdl, plies, &missing, detail);
    return error_from_probe(error, status, NULL, &missing, tables->draw_plies, detail);
}

dame_status dame_probe_dtz(const struct dame_tables *tables, const struct dame_position *position, int clock,
                           int *wdl, int *plies, struct dame_error *error)
{
    char detail[DETAIL_MAX] = "";
    struct position seen;
    struct missing_table missing;
    error_clear(error);
    enum dame_status status = position_from_public(board_of(tables), position, &seen, detail);
    if (status == DAME_OK)
        status = probe_dtz_clock(tables->library, &seen, clock, wdl, plies, &missing, detail);
    return error_from_probe(error, status, NULL, &missing, tables->draw_plies, detail);
}

struct many {
    const struct dame_tables *tables;
    const struct dame_position *positions;
    size_t count;
    int8_t *wdl;
    dame_status *statuses;
};

static enum dame_status probe_item(void *context, uint64_t item, int worker)
{
    (void)worker;
    const struct many *many = context;
    const size_t first = (size_t)item * POSITIONS_PER_ITEM;
    const size_t left = many->count - first;
    const size_t end = left < POSITIONS_PER_ITEM ? many->count : first + POSITIONS_PER_ITEM;
    for (size_t i = first; i < end; i++) {
        int wdl = DAME_NO_VALUE;
        const dame_status status = dame_probe_wdl(many->tables, &many->positions[i], 0, &wdl, NULL);
        many->wdl[i] = (int8_t)wdl;
        if (many->statuses != NULL)
            many->statuses[i] = status;
    }
    return DAME_OK;
}

dame_status dame_probe_many(const struct dame_tables *tables, const struct dame_position *positions,
                            size_t count, int threads, int8_t *wdl, dame_status *statuses)
{
    struct many many = {tables, positions, count, wdl, statuses};
    const uint64_t items = count / POSITIONS_PER_ITEM + (count % POSITIONS_PER_ITEM != 0);
    return public_status(threads_run(threads, items, probe_item, &many, NULL));
}
