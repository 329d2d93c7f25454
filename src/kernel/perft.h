/* Counts the leaves of the tree of legal moves. The last ply is counted from sets, not played. */
#ifndef DAME_KERNEL_PERFT_H
#define DAME_KERNEL_PERFT_H

#include "base/count.h"
#include "kernel/captures.h"
#include "kernel/perft_memory.h"

struct perft {
    bool paths;
    enum dame_status status;
    const atomic_bool *cancel; /* may be NULL */
    struct perft_memory memory;
};

static leaf_count perft_down(struct perft *run, const struct board_position *position, int depth);
static leaf_count perft_up(struct perft *run, const struct board_position *position, int depth);

/* Many times the stack that the deepest count needs. A ply has a frame of 300 bytes; one with a
   capture has a list of captures besides, but there are fewer of those than pieces. */
enum { PERFT_STACK = 16 << 20, PERFT_SHALLOW = 2 /* up to here any stack is enough */ };

/* *total += times * more. */
static ALWAYS_INLINE void perft_add(struct perft *run, leaf_count *total, uint64_t times, leaf_count more)
{
    const bool fits = times == 1 ? count_add(total, more) : count_add_times(total, times, more);
    if (!fits && run->status == DAME_OK)
        run->status = DAME_OVERFLOW;
}

/* Asked before every piece of work that is more than a few hundred positions or one search for captures. */
static inline bool perft_stopped(struct perft *run)
{
    if (run->cancel != NULL && atomic_load_explicit(run->cancel, memory_order_relaxed))
        run->status = DAME_CANCELLED;
    return run->status != DAME_OK;
}

/* Captures of men that only go forwards, all at once. `men` have made at least one jump, or none with
   `started` false. They never come back to a square, so neither the piece a man has jumped nor the square it
   left can stand in its way, and no two paths of a man are the same move. One call follows the men whose
   jumps so far went the same ways; their squares differ. */
static uint64_t count_men_captures(word men, word targets, word empty, bool started, bool down)
{
    const int left = forwards(STEP_SHORT, down);
    const int right = forwards(STEP_LONG, down);
    const word to_left = jumpers(men, targets, empty, left);
    const word to_right = jumpers(men, targets, empty, right);
    uint64_t count = started ? (uint64_t)bit_count(men & ~(to_left | to_right)) : 0;
    if (to_left != 0)
        count += count_men_captures(stepped(stepped(to_left, left), left), targets, empty, true, down);
    if (to_right != 0)
        count += count_men_captures(stepped(stepped(to_right, right), right), targets, empty, true, down);
    return count;
}

/* Leaves below all captures, depth >= 1. */
static NEVER_INLINE leaf_count perft_captures(struct perft *run, struct board_position position, int depth,
                                              bool down)
{
    if (perft_stopped(run))
        return 0;
    struct capture_list list;
    const enum dame_status status = find_captures(position, down, &list, NULL);
    if (status != DAME_OK) {
        run->status = status;
        return 0;
    }
    if (depth == 1 && !run->paths)
        return (leaf_count)list.count;
    leaf_count total = 0;
    for (int i = 0; i < list.count; i++) {
        const struct capture *capture = &list.captures[i];
        const struct board_position next =
            moved(position, capture->origin, capture->end, capture->captured, capture->crowned);
        const leaf_count below = depth == 1 ? 1
                                 : down     ? perft_up(run, &next, depth - 1)
                                            : perft_down(run, &next, depth - 1);
        perft_add(run, &total, run->paths ? capture->paths : 1, below);
    }
    return total;
}

/* Leaves at depth 1: each was found one by one, so 64 bits are plenty. */
static ALWAYS_INLINE uint64_t perft_last(struct perft *run, struct board_position position, bool down)
{
    uint64_t captures = 0;
    if (can_capture(position, down)) {
        const bool simple = !RULES.men_capture_backwards && RULES.crowning == CROWNING_STOPS &&
                            RULES.men_capture_kings && RULES.priority == PRIORITY_FREE;
        if (simple && (position.own & position.kings) == 0)
            captures = count_men_captures(position.own, position.other, empties(position), false, down);
        else
            captures = (uint64_t)perft_captures(run, position, 1, down);
        if (!RULES.capture_optional)
            return captures;
    }
    return captures + (uint64_t)count_quiet_moves(position, down);
}

static ALWAYS_INLINE leaf_count perft_next(struct perft *run, struct board_position position, int depth,
                                           bool down)
{
    return down ? perft_down(run, &position, depth) : perft_up(run, &position, depth);
}

/* Leaves below all quiet moves, depth >= 2. */
static ALWAYS_INLINE leaf_count perft_quiet(struct perft *run, struct board_position position, int depth,
                                            bool down)
{
    uint64_t last = 0; /* the sum of the last ply */
    leaf_count total = 0;
    word from, to;
    struct quiet_walk walk = quiet_walk_start(position, down);
    while (quiet_walk_next(&walk, position, down, &from, &to)) {
        const bool crowned = (to & crown_row(down)) != 0;
        const struct board_position next = moved(position, from, to, 0, crowned);
        if (depth == 2)
            last += perft_last(run, next, !down);
        else
            perft_add(run, &total, 1, perft_next(run, next, depth - 1, !down));
    }
    return total + last;
}

/* Leaves at depth 2 or more. */
static ALWAYS_INLINE leaf_count perft_count(struct perft *run, struct board_position position, int depth,
                                            bool down)
{
    leaf_count total = 0;
    if (can_capture(position, down)) {
        total = perft_captures(run, position, depth, down);
        if (!RULES.capture_optional)
            return total;
    }
    /* A constant: the last ply is compiled into the walk. */
    const leaf_count quiet =
        depth == 2 ? perft_quiet(run, position, 2, down) : perft_quiet(run, position, depth, down);
    perft_add(run, &total, 1, quiet);
    return total;
}

static ALWAYS_INLINE leaf_count perft_side(struct perft *run, struct board_position position, int depth,
                                           bool down)
{
    if (perft_stopped(run))
        return 0;
    if (depth == 1)
        return perft_last(run, position, down);
    if (run->memory.entries == NULL || depth < PERFT_MEMORY_DEPTH)
        return perft_count(run, position, depth, down);
    const uint32_t depth_and_side = 2 * (uint32_t)depth + down;
    struct perft_entry *pair = perft_memory_pair(&run->memory, &position, depth_and_side);
    leaf_count leaves;
    if (perft_memory_find(pair, &position, depth_and_side, &leaves))
        return leaves;
    leaves = perft_count(run, position, depth, down);
    if (run->status == DAME_OK)
        perft_memory_keep(pair, &position, depth_and_side, leaves);
    return leaves;
}

static leaf_count perft_down(struct perft *run, const struct board_position *position, int depth)
{
    return perft_side(run, *position, depth, true);
}

static leaf_count perft_up(struct perft *run, const struct board_position *position, int depth)
{
    return perft_side(run, *position, depth, false);
}

#endif
