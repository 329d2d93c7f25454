#include "position/position.h"

#include <assert.h>

#include "base/detail.h"

enum dame_status position_refuse(const struct board *board, const struct position *position, char *detail)
{
    const struct position p = *position;
    const uint64_t own = p.own_men | p.own_kings;
    const uint64_t other = p.other_men | p.other_kings;
    assert(!position_is_sound(board, position));
    if (((own | other) & ~bits_below(board->squares)) != 0)
        return detail_fail(detail, DAME_BAD_POSITION, "a piece stands off the board");
    if (((own & other) | (p.own_men & p.own_kings) | (p.other_men & p.other_kings)) != 0)
        return detail_fail(detail, DAME_BAD_POSITION, "two pieces stand on one square");
    if ((own | other) == 0)
        return detail_fail(detail, DAME_BAD_POSITION, "there is no piece on the board");
    return detail_fail(detail, DAME_BAD_POSITION, "a man stands on the row where it would be crowned");
}
