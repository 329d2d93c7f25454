#include "api/position.h"

#include "base/detail.h"

enum dame_status position_from_public(const struct board *board, const struct dame_position *position,
                                      struct position *out, char *detail)
{
    const struct dame_position *p = position;
    const uint64_t pieces = p->black_men | p->black_kings | p->white_men | p->white_kings;
    if (p->side != DAME_BLACK && p->side != DAME_WHITE)
        return detail_fail(detail, DAME_BAD_POSITION, "side %d", p->side);
    if ((pieces & ~bits_below(board->squares)) != 0)
        return detail_fail(detail, DAME_BAD_POSITION, "a piece stands off the board");
    if (p->side == DAME_BLACK)
        *out = (struct position){p->black_men, p->black_kings, p->white_men, p->white_kings};
    else
        *out = position_turned((struct position){p->white_men, p->white_kings, p->black_men, p->black_kings},
                               board->squares);
    return DAME_OK;
}

struct dame_position position_to_public(const struct board *board, const struct position *position, int side)
{
    if (side == DAME_BLACK)
        return (struct dame_position){.black_men = position->own_men,
                                      .black_kings = position->own_kings,
                                      .white_men = position->other_men,
                                      .white_kings = position->other_kings,
                                      .side = side};
    const struct position p = position_turned(*position, board->squares);
    return (struct dame_position){.black_men = p.other_men,
                                  .black_kings = p.other_kings,
                                  .white_men = p.own_men,
                                  .white_kings = p.own_kings,
                                  .side = side};
}
