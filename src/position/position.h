/* A position of single pieces: four sets of squares, bit = square - 1, without gaps.

   Everywhere in the core it is seen by the side to move, which moves down (towards the high bits): a
   position with White to move is turned by 180 degrees first. Functions that take a position as it lies on
   the board say so. */
#ifndef DAME_POSITION_POSITION_H
#define DAME_POSITION_POSITION_H

#include <stdbool.h>
#include <stdint.h>

#include "base/bits.h"
#include "base/status.h"
#include "boards/board.h"

struct position {
    uint64_t own_men, own_kings, other_men, other_kings; /* `own`: of the side to move */
};

/* The board turned by 180 degrees; each side keeps its pieces. */
static inline struct position position_turned(struct position position, int squares)
{
    return (struct position){
        .own_men = bits_reverse(position.own_men, squares),
        .own_kings = bits_reverse(position.own_kings, squares),
        .other_men = bits_reverse(position.other_men, squares),
        .other_kings = bits_reverse(position.other_kings, squares),
    };
}

/* The same board with the other side to move. */
static inline struct position position_exchanged(struct position position)
{
    return (struct position){
        .own_men = position.other_men,
        .own_kings = position.other_kings,
        .other_men = position.own_men,
        .other_kings = position.own_kings,
    };
}

/* The own piece on `from` has gone to `to`, where it stands as a king or a man, and the other side is to
   move. The board is not turned, so this serves positions as they lie as well. */
static inline struct position position_moved(struct position before, uint64_t from, uint64_t to,
                                             uint64_t captured, bool king)
{
    return position_exchanged((struct position){
        .own_men = (before.own_men & ~from) | (king ? 0 : to),
        .own_kings = (before.own_kings & ~from) | (king ? to : 0),
        .other_men = before.other_men & ~captured,
        .other_kings = before.other_kings & ~captured,
    });
}

/* Whether there are pieces, all on squares of their own on the board, and no man where it would be crowned.
 */
static inline bool position_is_sound(const struct board *board, const struct position *position)
{
    const struct position p = *position;
    const uint64_t own = p.own_men | p.own_kings, other = p.other_men | p.other_kings, all = own | other;
    const uint64_t shared = (own & other) | (p.own_men & p.own_kings) | (p.other_men & p.other_kings);
    const uint64_t uncrowned =
        (p.own_men & ~bits_below(board->men_squares)) | (p.other_men & bits_below(board->columns));
    return ((all & ~bits_below(board->squares)) | shared | uncrowned) == 0 && all != 0;
}

/* What is wrong with a position that is not sound: DAME_BAD_POSITION, and the reason in `detail`. */
enum dame_status position_refuse(const struct board *board, const struct position *position, char *detail);

/* DAME_OK, or DAME_BAD_POSITION and the reason in `detail` (base/detail.h, may be NULL). Every probe asks, so
   a sound position is told from others without a call. */
static inline enum dame_status position_check(const struct board *board, const struct position *position,
                                              char *detail)
{
    return position_is_sound(board, position) ? DAME_OK : position_refuse(board, position, detail);
}

#endif
