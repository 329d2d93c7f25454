#include "slices/small_sets.h"

#include <stdlib.h>

#include "slices/binomial.h"

/* What the squares that a set misses, from its n-th one on, add to its number. */
static uint64_t missing(int n)
{
    uint64_t number = 0;
    for (int i = n < 0 ? 0 : n; i < SMALL_SET; i++)
        number += binomial(SMALL_BOARD, i + 1);
    return number;
}

static uint64_t small_set_number(uint64_t set)
{
    uint64_t number = 0;
    int i = 0;
    for (; set != 0; set &= set - 1, i++)
        number += binomial(bit_lowest(set), i + 1);
    return number + missing(i);
}

static small_side number(enum piece_set piece_set, uint64_t number)
{
    const bool kings = piece_set == OWN_KINGS || piece_set == OTHER_KINGS;
    return kings ? number << SMALL_KINGS_SHIFT : number;
}

/* What the n-th piece of its piece set adds. */
static small_side piece(enum piece_set piece_set, int n, int square)
{
    const bool crowned = piece_set == OWN_MEN     ? square >= SMALL_BOARD - SMALL_ROW
                         : piece_set == OTHER_MEN ? square < SMALL_ROW
                                                  : false;
    if (n >= SMALL_SET || crowned)
        return (small_side)SMALL_MATERIALS << SMALL_MATERIAL_SHIFT;
    return number(piece_set, binomial(square, n + 1)) + (SMALL_PIECE[piece_set] << SMALL_MATERIAL_SHIFT);
}

/* The parts of a side with so many men. No look-up finds the men that are missing, nor the last kings: the
   first one adds what these do. */
static void fill_side(struct small_sets *sets, bool up, int men)
{
    const enum piece_set man = up ? OTHER_MEN : OWN_MEN, king = up ? OTHER_KINGS : OWN_KINGS;
    for (int i = 0; i < SMALL_SIDE; i++)
        for (int square = 0; square <= 2 * SMALL_BOARD; square++) {
            const int n = i - men; /* if it is a king */
            small_side part = 0;
            if (square < SMALL_BOARD)
                part = piece(man, i, square);
            else if (n >= 0 && square < 2 * SMALL_BOARD)
                part = piece(king, n, square - SMALL_BOARD);
            else if (n >= 0)
                part = number(king, missing(n) - missing(n + 1));
            if (i == 0)
                part += number(man, missing(men)) + number(king, missing(SMALL_SIDE - men));
            sets->part[up][men][i][square] = part;
        }
}

/* The ranks of the men or of the kings on `squares` squares, for either side. */
static void fill_ranks(struct small_sets *sets, const struct set_order *order, int squares,
                       enum piece_set own, enum piece_set other)
{
    for (int pieces = 0; pieces <= SMALL_SET; pieces++) {
        uint64_t set = bits_below(pieces);
        for (uint64_t left = binomial(squares, pieces); left > 0; left--) {
            uint8_t size;
            const uint16_t rank = (uint16_t)ordering_rank(order, set, &size); /* below C(32, 4) */
            sets->rank[own][small_set_number(set)] = rank;
            sets->rank[other][small_set_number(bits_reverse(set, SMALL_BOARD))] = rank;
            if (left > 1)
                set = subset_next(set);
        }
    }
}

enum dame_status small_sets_create(const struct board *board, const struct ordering *ordering,
                                   struct small_sets **out)
{
    *out = NULL;
    if (board->squares != SMALL_BOARD || board->columns != SMALL_ROW)
        return DAME_OK;
    struct small_sets *sets = malloc(sizeof *sets);
    if (sets == NULL)
        return DAME_NO_MEMORY;
    for (int men = 0; men <= SMALL_PIECES; men++) {
        fill_side(sets, false, men);
        fill_side(sets, true, men);
    }
    fill_ranks(sets, &ordering->men, board->men_squares, OWN_MEN, OTHER_MEN);
    fill_ranks(sets, &ordering->kings, board->squares, OWN_KINGS, OTHER_KINGS);
    *out = sets;
    return DAME_OK;
}
