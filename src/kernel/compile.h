/* Compiles the kernels of one page of rules, which share all code: the including file has defined
   KERNEL_FAMILY, the name of the page, and included it; the build has defined KERNEL_INSTRUCTION_SET, the
   name of the instruction set (`isa`) that it is compiled for. */
#ifndef DAME_KERNEL_COMPILE_H
#define DAME_KERNEL_COMPILE_H

#include "base/threads.h"
#include "kernel/captures.h"
#include "kernel/moves.h"
#include "kernel/perft.h"
#include "kernel/rows/solve.h"
#include "kernel/rows/solve_plies.h"
#include "kernel/rows/threats.h"

#define KERNEL_JOIN_(family, isa) kernels_##family##_##isa
#define KERNEL_JOIN(family, isa)  KERNEL_JOIN_(family, isa)
#define KERNELS                   KERNEL_JOIN(KERNEL_FAMILY, KERNEL_INSTRUCTION_SET)

static enum dame_status add_quiet_moves(struct board_position position, struct move_list *out)
{
    struct quiet_walk walk = quiet_walk_start(position, true);
    word from, to;
    while (quiet_walk_next(&walk, position, true, &from, &to)) {
        if (out->count == MOVES_MAX)
            return DAME_TOO_LARGE;
        const bool king = (from & position.kings) != 0;
        out->moves[out->count++] = (struct move){
            .path = {square_index(from), square_index(to)},
            .length = 2,
            .by_king = king,
            .crowned = !king && (to & crown_row(true)) != 0,
            .paths = 1,
        };
    }
    return DAME_OK;
}

static enum dame_status kernel_moves(const struct position *position, struct move_list *out)
{
    const struct board_position board = board_position_from(position);
    out->count = 0;
    if (can_capture(board, true)) {
        struct capture_list list;
        const enum dame_status status = find_captures(board, true, &list, out->moves);
        if (status != DAME_OK)
            return status;
        out->count = list.count;
        if (!RULES.capture_optional)
            return DAME_OK;
    }
    return add_quiet_moves(board, out);
}

static inline enum dame_status add_successor(struct board_position next, struct position *positions,
                                             int capacity, struct successors *out)
{
    if (out->count == MOVES_MAX)
        return DAME_TOO_LARGE;
    if (out->count < capacity)
        positions[out->count] = position_turned(board_position_to(next), BOARD.squares);
    out->count++;
    return DAME_OK;
}

static enum dame_status kernel_successors(const struct position *position, struct position *positions,
                                          int capacity, struct successors *out)
{
    const struct board_position board = board_position_from(position);
    out->count = 0;
    const bool captures = can_capture(board, true);
    out->captures = captures && !RULES.capture_optional;
    if (captures) {
        struct capture_list list;
        enum dame_status status = find_captures(board, true, &list, NULL);
        for (int i = 0; i < list.count && status == DAME_OK; i++) {
            const struct capture *capture = &list.captures[i];
            status = add_successor(
                moved(board, capture->origin, capture->end, capture->captured, capture->crowned), positions,
                capacity, out);
        }
        if (status != DAME_OK || !RULES.capture_optional)
            return status;
    }
    struct quiet_walk walk = quiet_walk_start(board, true);
    word from, to;
    while (quiet_walk_next(&walk, board, true, &from, &to)) {
        const enum dame_status status =
            add_successor(moved(board, from, to, 0, (to & crown_row(true)) != 0), positions, capacity, out);
        if (status != DAME_OK)
            return status;
    }
    return DAME_OK;
}

static bool kernel_must_capture(const struct position *position)
{
    return !RULES.capture_optional && can_capture(board_position_from(position), true);
}

static unsigned kernel_attacks(const struct position *position)
{
    if (RULES.capture_optional)
        return 0;
    const struct board_position board = board_position_from(position);
    const struct board_position passed = {.own = board.other, .other = board.own, .kings = board.kings};
    return (can_capture_anyhow(board, true) ? ATTACK_OWN : 0U) |
           (can_capture_anyhow(passed, false) ? ATTACK_OTHER : 0U);
}

struct perft_call {
    struct perft *run;
    const struct board_position *board;
    int depth;
    leaf_count leaves;
};

static enum dame_status perft_called(void *context)
{
    struct perft_call *call = context;
    call->leaves = perft_down(call->run, call->board, call->depth);
    return call->run->status;
}

static enum dame_status kernel_perft(const struct position *position, int depth, bool paths, uint64_t memory,
                                     const atomic_bool *cancel, leaf_count *count)
{
    if (depth < 0)
        return DAME_BAD_ARGUMENT;
    if (depth > TREE_DEPTH_MAX)
        return DAME_TOO_LARGE;
    struct perft run = {.paths = paths, .status = DAME_OK, .cancel = cancel};
    const struct board_position board = board_position_from(position);
    run.status = perft_memory_create(memory, cancel, &run.memory);
    if (run.status != DAME_OK)
        return run.status;
    struct perft_call call = {.run = &run, .board = &board, .depth = depth, .leaves = 1};
    enum dame_status status = DAME_OK;
    if (depth > PERFT_SHALLOW)
        status = threads_call(PERFT_STACK, perft_called, &call);
    else if (depth > 0)
        status = perft_called(&call);
    if (status == DAME_OK)
        *count = call.leaves;
    memory_destroy(&run.memory.memory);
    return status;
}

static const struct row_kernel ROWS = {.fill_steps = fill_steps,
                                       .scratch_words = scratch_words,
                                       .solve = solve_unit,
                                       .solve_plies = solve_plies,
                                       .add_captures = add_captures,
                                       .find_threats = find_threats};

#define KERNEL(member)                                                                                       \
    {.rules = &FAMILY[member],                                                                               \
     .board = &BOARD,                                                                                        \
     .moves = kernel_moves,                                                                                  \
     .successors = kernel_successors,                                                                        \
     .must_capture = kernel_must_capture,                                                                    \
     .attacks = kernel_attacks,                                                                              \
     .perft = kernel_perft,                                                                                  \
     .rows = &ROWS}

extern const struct kernel KERNELS[FAMILY_MAX];

/* A place without a rule set has rules without an id. */
const struct kernel KERNELS[FAMILY_MAX] = {KERNEL(0), KERNEL(1), KERNEL(2), KERNEL(3), KERNEL(4), KERNEL(5)};

#endif
