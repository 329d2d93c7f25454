#include "build/unit_blocks.h"

/* The block of a unit in the planes with one side to move. */
static uint32_t block_of(const struct unit *unit, int side)
{
    const struct mover *reader = &unit->movers[1 - side];
    return planes_block(unit->results[side], reader->own_class, reader->other_class);
}

/* How many blocks a unit has: one if both sides write the same. */
static int blocks_of(const struct unit *unit)
{
    return unit->results[0] == unit->results[1] && block_of(unit, 0) == block_of(unit, 1) ? 1 : 2;
}

bool unit_is_there(const struct unit *unit)
{
    return blocks_has(&unit->results[0]->values, block_of(unit, 0)) &&
           blocks_has(&unit->results[1]->values, block_of(unit, 1));
}

/* Whether the work on a unit looks at the moves of one side. */
static bool side_moves(const struct unit *unit, enum pair_work kind, int side)
{
    if (kind != PAIR_THREATS || unit->threats == THREATS_VALUES)
        return true;
    return unit->threats == THREATS_STORED && planes_has_stored(unit->results[side]);
}

/* The blocks that a unit reads, but for those of the pair that are taken anyway. */
static enum dame_status find_reads(const struct solver *solver, const struct open_pair *pair,
                                   const struct unit *unit, enum pair_work kind, struct read_list *out)
{
    const bool backwards = solver->kernel->rules->moves->men_capture_backwards;
    const unsigned reads = kind == PAIR_SOLVE     ? READS_QUIET | READS_CAPTURES
                           : kind == PAIR_THREATS ? READS_QUIET
                                                  : READS_CAPTURES;
    enum dame_status status = DAME_OK;
    for (int side = 0; side < 2 && status == DAME_OK; side++) {
        const struct planes *after = unit->results[1 - side];
        if (!side_moves(unit, kind, side))
            continue;
        status = reads_find(&unit->movers[side], backwards, reads, out);
        if (status == DAME_OK && kind == PAIR_THREATS && after->values.may_leave)
            status = read_list_add(out, after, block_of(unit, 1 - side)); /* moves inside the unit */
    }
    size_t kept = 0;
    for (size_t i = 0; i < out->count; i++) {
        const struct planes *planes = out->blocks[i].planes;
        if (!pair->is_loading || (planes != pair->results[0] && planes != pair->results[1]))
            out->blocks[kept++] = out->blocks[i];
    }
    out->count = kept;
    return status;
}

/* Room for what is written. `taken` counts the sides that were seen to; one whose `stored` is not wanted
   needs none. */
static enum dame_status take_results(struct unit *unit, enum pair_work kind, int *taken)
{
    enum dame_status status = DAME_OK;
    for (int side = 0; side < blocks_of(unit) && status == DAME_OK; side++, *taken += status == DAME_OK) {
        struct planes *planes = unit->results[side];
        unit->stored[side] = NULL;
        if (kind == PAIR_SOLVE) {
            status = blocks_take(&planes->values, block_of(unit, side));
        } else if (planes_has_stored(planes)) {
            status = blocks_take(&planes->stored, block_of(unit, side));
            if (status == DAME_OK)
                unit->stored[side] = blocks_at(&planes->stored, block_of(unit, side));
        }
    }
    return status;
}

/* Put what was written, or give it up. */
static enum dame_status put_results(const struct unit *unit, enum pair_work kind, int taken,
                                    enum dame_status status)
{
    for (int side = 0; side < taken; side++) {
        struct planes *planes = unit->results[side];
        struct blocks *blocks = kind == PAIR_SOLVE ? &planes->values : &planes->stored;
        if (kind != PAIR_SOLVE && !planes_has_stored(planes))
            continue;
        if (status == DAME_OK)
            status = blocks_put(blocks, block_of(unit, side));
        if (status != DAME_OK)
            blocks_give_up(blocks, block_of(unit, side));
    }
    return status;
}

enum dame_status unit_run(const struct solver *solver, const struct open_pair *pair, struct unit *unit,
                          enum pair_work kind,
                          enum dame_status (*work)(const struct unit *unit, struct unit_memory *memory),
                          struct unit_memory *memory)
{
    struct hold hold = {0};
    int taken = 0;
    const bool writes = kind == PAIR_SOLVE || (kind == PAIR_THREATS && unit->threats != THREATS_VALUES);
    enum dame_status status = find_reads(solver, pair, unit, kind, &hold.list);
    if (status == DAME_OK)
        status = hold_pin(&hold);
    if (status == DAME_OK && writes)
        status = take_results(unit, kind, &taken);
    if (status == DAME_OK)
        status = work(unit, memory);
    status = put_results(unit, kind, taken, status);
    hold_release(&hold);
    return status;
}
