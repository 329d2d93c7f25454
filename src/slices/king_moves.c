#include "slices/king_moves.h"

#include <assert.h>
#include <stdlib.h>

/* Every step from a square to its neighbour, with the other kings anywhere else. */
static uint64_t count_moves(const struct board *board, const struct steps *steps, int kings)
{
    uint64_t neighbours = 0;
    for (int square = 0; square < board->squares; square++)
        for (int direction = 0; direction < DIRECTIONS; direction++)
            neighbours += steps->next[square][direction] >= 0;
    return kings == 0 ? 0 : neighbours * binomial(board->squares - 2, kings - 1);
}

uint64_t king_moves_bytes(const struct board *board, const struct steps *steps, int kings)
{
    return sizeof(uint32_t) * (binomial(board->squares, kings) + 1 + count_moves(board, steps, kings));
}

enum dame_status king_moves_create(const struct side *side, const struct steps *steps,
                                   struct king_moves **out)
{
    struct king_moves *table = calloc(1, sizeof *table);
    if (table == NULL)
        return DAME_NO_MEMORY;
    size_t most = (size_t)count_moves(side->board, steps, side->kings);
    table->start = calloc((size_t)side->king_sets + 1, sizeof *table->start);
    table->moves = calloc(most + 1, sizeof *table->moves);
    if (table->start == NULL || table->moves == NULL) {
        king_moves_destroy(table);
        return DAME_NO_MEMORY;
    }
    uint32_t count = 0;
    for (uint32_t rank = 0; rank < side->king_sets; rank++) {
        uint32_t kings = side->king_set[rank];
        table->start[rank] = count;
        for (uint32_t left = kings; left != 0; left &= left - 1) {
            int from = bit_lowest(left);
            for (int direction = 0; direction < DIRECTIONS; direction++) {
                int to = steps->next[from][direction];
                if (to < 0 || (kings >> to & 1))
                    continue;
                uint32_t moved = (kings & ~(UINT32_C(1) << from)) | UINT32_C(1) << to;
                table->moves[count++] = (uint32_t)subset_rank(moved) << KING_MOVE_SHIFT | (uint32_t)to;
            }
        }
    }
    assert(count == most);
    table->start[side->king_sets] = count;
    *out = table;
    return DAME_OK;
}

void king_moves_destroy(struct king_moves *moves)
{
    if (moves == NULL)
        return;
    free(moves->start);
    free(moves->moves);
    free(moves);
}
