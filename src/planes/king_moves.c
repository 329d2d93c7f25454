#include "planes/king_moves.h"

#include <assert.h>
#include <stdlib.h>

/* How many moves all sets of kings have together: for each move of one king, the sets of the others that
   leave its way free. */
static uint64_t count_moves(const struct board *board, const struct steps *steps, bool flying, int kings)
{
    uint64_t count = 0;
    for (int square = 0; square < board->squares && kings > 0; square++)
        for (int direction = 0; direction < DIRECTIONS; direction++) {
            int distance = 1;
            for (int to = steps->next[square][direction]; to >= 0; to = steps->next[to][direction]) {
                count += binomial(board->squares - 1 - distance, kings - 1);
                if (!flying)
                    break;
                distance++;
            }
        }
    return count;
}

uint64_t king_moves_bytes(const struct board *board, const struct steps *steps, bool flying, int kings)
{
    return sizeof(uint32_t) *
           (binomial(board->squares, kings) + 1 + count_moves(board, steps, flying, kings));
}

/* The moves of one king in one direction; returns their number. */
static uint32_t list_moves(const struct steps *steps, bool flying, uint64_t kings, int from, int direction,
                           uint32_t *out)
{
    uint32_t count = 0;
    for (int to = steps->next[from][direction]; to >= 0 && (kings >> to & 1) == 0;
         to = steps->next[to][direction]) {
        const uint64_t moved = (kings & ~bit_at(from)) | bit_at(to);
        out[count] = (uint32_t)subset_rank(moved) << KING_MOVE_SHIFT |
                     (uint32_t)(count == 0 ? KING_MOVE_FIRST : 0) | (uint32_t)to;
        count++;
        if (!flying)
            break;
    }
    return count;
}

enum dame_status king_moves_create(const struct side *side, const struct steps *steps, bool flying,
                                   struct king_moves **out)
{
    struct king_moves *table = calloc(1, sizeof *table);
    if (table == NULL)
        return DAME_NO_MEMORY;
    size_t most = (size_t)count_moves(side->board, steps, flying, side->kings);
    table->start = calloc((size_t)side->king_sets + 1, sizeof *table->start);
    table->moves = calloc(most + 1, sizeof *table->moves);
    if (table->start == NULL || table->moves == NULL) {
        king_moves_destroy(table);
        return DAME_NO_MEMORY;
    }
    uint32_t count = 0;
    for (uint32_t rank = 0; rank < side->king_sets; rank++) {
        const uint64_t kings = side->king_set[rank];
        table->start[rank] = count;
        for (uint64_t left = kings; left != 0; left &= left - 1)
            for (int direction = 0; direction < DIRECTIONS; direction++)
                count += list_moves(steps, flying, kings, bit_lowest(left), direction, table->moves + count);
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
