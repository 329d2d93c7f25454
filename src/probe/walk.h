/* Walks through the legal placements of a slice in the order of the indices of one table. A run is
   the neighbouring indices in which only the fastest piece set changes (slices/index.h). */
#ifndef DAME_PROBE_WALK_H
#define DAME_PROBE_WALK_H

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>

#include "kernel/kernel.h"
#include "slices/index.h"
#include "tables/values.h"

struct walk {
    struct position position; /* the present placement */
    uint64_t index;           /* and its index */

    const struct index_shape *shape;
    const struct index_sets *sets;
    uint64_t next, end;         /* the index to look at next, and where to stop */
    uint64_t ranks[PIECE_SETS]; /* of `next` */
    uint64_t taken; /* squares of the three slow piece sets; all squares if two of them share one */
};

static inline uint64_t walk_run_length(const struct index_shape *shape)
{
    return shape->sets[NESTING[shape->nesting][PIECE_SETS - 1]];
}

static inline uint64_t walk_runs(const struct index_shape *shape)
{
    return shape->size / walk_run_length(shape);
}

/* Runs that make one item of parallel work. A multiple of the values in a byte, so that no two items share
   one. */
static inline uint64_t walk_runs_per_item(const struct index_shape *shape)
{
    const uint64_t values = 1 << 15;
    return (values / walk_run_length(shape) + 1) * VALUES_PER_BYTE;
}

static inline uint64_t *walk_bitboard(struct position *position, enum piece_set piece_set)
{
    switch (piece_set) {
    case OTHER_MEN:
        return &position->other_men;
    case OWN_MEN:
        return &position->own_men;
    case OTHER_KINGS:
        return &position->other_kings;
    default:
        return &position->own_kings;
    }
}

/* Put the pieces of the slow piece sets on the board. */
static inline void walk_enter_run(struct walk *walk)
{
    walk->taken = 0;
    for (int i = 0; i < PIECE_SETS - 1; i++) {
        const enum piece_set piece_set = NESTING[walk->shape->nesting][i];
        const uint64_t set = walk->sets->of[piece_set][walk->ranks[piece_set]];
        *walk_bitboard(&walk->position, piece_set) = set;
        walk->taken = (walk->taken & set) != 0 ? ~UINT64_C(0) : walk->taken | set;
    }
}

/* Before the first placement of the runs first..end-1. */
static inline struct walk walk_start(const struct index_shape *shape, const struct index_sets *sets,
                                     uint64_t first, uint64_t end)
{
    assert(first < end && end <= walk_runs(shape));
    const uint64_t length = walk_run_length(shape);
    struct walk walk = {.shape = shape, .sets = sets, .next = first * length, .end = end * length};
    for (int piece_set = 0; piece_set < PIECE_SETS; piece_set++)
        walk.ranks[piece_set] = index_rank(shape, (enum piece_set)piece_set, walk.next);
    walk_enter_run(&walk);
    return walk;
}

static inline void walk_step_run(struct walk *walk)
{
    for (int i = PIECE_SETS - 2; i >= 0; i--) {
        const enum piece_set piece_set = NESTING[walk->shape->nesting][i];
        if (++walk->ranks[piece_set] < walk->shape->sets[piece_set])
            break;
        walk->ranks[piece_set] = 0;
    }
    walk_enter_run(walk);
}

/* Go to the next placement; false behind the last. */
static inline bool walk_next(struct walk *walk)
{
    const enum piece_set fast = NESTING[walk->shape->nesting][PIECE_SETS - 1];
    const uint64_t *sets = walk->sets->of[fast], count = walk->shape->sets[fast];
    while (walk->next < walk->end) {
        if (walk->ranks[fast] == count) {
            walk->ranks[fast] = 0;
            walk_step_run(walk);
        }
        if (walk->taken == ~UINT64_C(0)) { /* no placement in this run */
            walk->next += count - walk->ranks[fast];
            walk->ranks[fast] = count;
            continue;
        }
        const uint64_t set = sets[walk->ranks[fast]++];
        walk->index = walk->next++;
        if ((set & walk->taken) == 0) {
            *walk_bitboard(&walk->position, fast) = set;
            return true;
        }
    }
    return false;
}

#endif
