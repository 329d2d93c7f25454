/* A position inside a kernel: three words in the layout of the board, and the steps on it.

   The two sides are taken in turn without turning the board, so a function that needs to know which way the
   men go has a parameter `down`. It is a constant wherever speed matters. */
#ifndef DAME_KERNEL_BOARD_POSITION_H
#define DAME_KERNEL_BOARD_POSITION_H

#include "base/bits.h"
#include "position/position.h"

#define ALWAYS_INLINE inline __attribute__((always_inline))
#define NEVER_INLINE  __attribute__((noinline))

struct board_position {
    word own, other; /* pieces of the side to move and of the other side */
    word kings;      /* of both sides */
};

/* Pieces one diagonal step further; `step` is STEP_SHORT or STEP_LONG, negative upwards. Going round the
   ends of the word instead of out of it is harmless: what goes round lands beyond the board, and one
   rotation serves all four directions. */
static ALWAYS_INLINE word stepped(word bits, int step)
{
    const unsigned turn = (unsigned)step & 63;
    return bits << turn | bits >> (-turn & 63);
}

/* The direction of `step` for a side that moves down, and its reflection for one that moves up. */
static ALWAYS_INLINE int forwards(int step, bool down)
{
    return down ? step : -step;
}

static ALWAYS_INLINE word crown_row(bool down)
{
    return down ? BOTTOM_ROW : TOP_ROW;
}

static ALWAYS_INLINE word empties(struct board_position position)
{
    return BOARD_SQUARES & ~(position.own | position.other);
}

/* Pieces of the other side that a man of the side to move may capture. */
static ALWAYS_INLINE word man_targets(struct board_position position)
{
    return RULES.men_capture_kings ? position.other : position.other & ~position.kings;
}

static inline struct board_position board_position_from(const struct position *position)
{
    return (struct board_position){
        .own = board_spread(position->own_men | position->own_kings),
        .other = board_spread(position->other_men | position->other_kings),
        .kings = board_spread(position->own_kings | position->other_kings),
    };
}

static inline struct position board_position_to(struct board_position position)
{
    return (struct position){
        .own_men = board_pack(position.own & ~position.kings),
        .own_kings = board_pack(position.own & position.kings),
        .other_men = board_pack(position.other & ~position.kings),
        .other_kings = board_pack(position.other & position.kings),
    };
}

/* PDN number - 1 of the square that is the only one in `bit`. */
static inline uint8_t square_index(word bit)
{
    return (uint8_t)bit_lowest(board_pack(bit));
}

/* The position after a move of the piece on `from`, seen by the other side. */
static ALWAYS_INLINE struct board_position moved(struct board_position position, word from, word to,
                                                 word captured, bool crowned)
{
    const bool king = (position.kings & from) != 0;
    return (struct board_position){
        .own = position.other & ~captured,
        .other = (position.own & ~from) | to,
        .kings = (position.kings & ~(from | captured)) | (king || crowned ? to : 0),
    };
}

#endif
