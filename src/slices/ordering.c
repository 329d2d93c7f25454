#include "slices/ordering.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "slices/binomial.h"

/* Number the places of a grid along a spiral: round the edge clockwise, then round what is left. */
static void number_spiral(int rows, int columns, uint8_t *numbers)
{
    int top = 0, left = 0, bottom = rows - 1, right = columns - 1;
    uint8_t next = 0;
    while (top <= bottom && left <= right) {
        for (int c = left; c <= right; c++)
            numbers[top * columns + c] = next++;
        for (int r = top + 1; r <= bottom; r++)
            numbers[r * columns + right] = next++;
        for (int c = right - 1; c >= left && bottom > top; c--)
            numbers[bottom * columns + c] = next++;
        for (int r = bottom - 1; r > top && right > left; r--)
            numbers[r * columns + left] = next++;
        top++;
        left++;
        bottom--;
        right--;
    }
}

/* Number the first `squares` squares of each half without gaps. */
static void number_squares(const struct board *board, int squares, struct set_order *order)
{
    uint8_t spiral[HALF_SQUARES_MAX];
    number_spiral(board->rows / 2, board->columns, spiral);
    for (int half = 0; half < 2; half++) {
        uint8_t next = 0;
        for (int number = 0; number < board->squares / 2; number++)
            for (int square = 0; square < squares; square++) {
                const int row = square / board->columns, column = square % board->columns;
                if (row % 2 == half && spiral[row / 2 * board->columns + column] == number)
                    order->number[square] = next++;
            }
        *(half == 0 ? &order->even : &order->odd) = next;
    }
    for (int square = 0; square < squares; square++)
        if (square / board->columns % 2 != 0)
            order->odd_rows |= bit_at(square);
}

static void fill_bytes(int squares, struct set_order *order)
{
    for (int byte = 0; byte < 256; byte++)
        order->ones[byte] = (uint8_t)bit_count((uint64_t)byte);
    order->bytes = (squares + 7) / 8;
    for (int i = 0; i < order->bytes; i++)
        for (int byte = 0; byte < 256; byte++)
            for (uint64_t left = (uint64_t)byte << 8 * i; left != 0; left &= left - 1) {
                const int square = bit_lowest(left);
                if (square < squares)
                    order->spread[i][byte] |=
                        bit_at(order->number[square] + ((order->odd_rows >> square & 1) != 0 ? 32 : 0));
            }
}

static void fill_ranks(struct set_order *order)
{
    const int most = order->even > order->odd ? order->even : order->odd;
    order->half_bytes = (most + 7) / 8;
    for (int i = 0; i < order->half_bytes; i++)
        for (int before = 0; before <= PIECES_MAX; before++)
            for (int byte = 0; byte < 256; byte++) {
                uint64_t rank = 0;
                int k = before;
                for (uint64_t left = (uint64_t)byte << 8 * i; left != 0; left &= left - 1)
                    if (++k <= PIECES_MAX)
                        rank += binomial(bit_lowest(left), k);
                order->rank[i][before][byte] = (uint32_t)rank; /* at most C(25, 12) */
            }
}

/* The first rank of the sets with so many pieces on odd board rows: the even numbers come first. */
static void fill_starts(struct set_order *order)
{
    for (int pieces = 0; pieces <= PIECES_MAX; pieces++) {
        uint64_t next = 0;
        for (int parity = 0; parity < 2; parity++)
            for (int odd = parity; odd <= pieces; odd += 2) {
                order->start[pieces][odd] = next;
                order->step[pieces][odd] = binomial(order->even, pieces - odd);
                next += order->step[pieces][odd] * binomial(order->odd, odd);
            }
    }
}

static void fill_order(const struct board *board, int squares, struct set_order *order)
{
    number_squares(board, squares, order);
    fill_bytes(squares, order);
    fill_ranks(order);
    fill_starts(order);
}

enum dame_status ordering_create(const struct board *board, struct ordering **out)
{
    struct ordering *ordering = calloc(1, sizeof *ordering);
    if (ordering == NULL)
        return DAME_NO_MEMORY;
    fill_order(board, board->men_squares, &ordering->men);
    fill_order(board, board->squares, &ordering->kings);
    *out = ordering;
    return DAME_OK;
}

void ordering_destroy(struct ordering *ordering)
{
    free(ordering);
}
