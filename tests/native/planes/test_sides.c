/* Sides, their classes, rows of masks and king moves, and free values: against the same facts found for one
   arrangement at a time. */
#include <stdlib.h>
#include <string.h>

#include "base/bits.h"
#include "boards/steps.h"
#include "check.h"
#include "kernel/kernel.h"
#include "kernel/rows/unit.h"
#include "planes/king_moves.h"
#include "planes/planes.h"
#include "planes/rows.h"
#include "planes/side.h"
#include "slices/material.h"

enum { PIECES = 4, SLICES_MAX = 24 };

static struct side *sides[PIECES + 1][PIECES + 1]; /* [men][kings] */
static struct steps steps;

static const struct board *board(void)
{
    return kernel_find("english")->board;
}

static bool row_bit(const uint64_t *row, uint64_t bit)
{
    return row[bit / 64] >> bit % 64 & 1;
}

/* One arrangement of a class. */
struct arrangement {
    uint64_t men, kings;
};

static struct arrangement arrangement_at(const struct side *side, uint32_t class, uint64_t row)
{
    return (struct arrangement){
        .men = side->men_set[side->class_start[class] + row / side->king_sets],
        .kings = side->king_set[row % side->king_sets],
    };
}

static int advance_of(uint64_t men)
{
    int advance = 0;
    for (int square = 0; square < board()->squares; square++)
        if (men >> square & 1)
            advance += square / board()->columns;
    return advance;
}

/* ---- classes ---- */

static void test_shape(const struct side *side)
{
    struct side_shape shape;
    CHECK(side_shape(board(), side->men, side->kings, true, &shape) == DAME_OK);
    uint64_t widest = 0, words = 0;
    for (uint32_t class = 0; class < side->class_count; class++) {
        const uint64_t width = side_width(side, class);
        CHECK(width == side->columns[class].width);
        widest = width > widest ? width : widest;
        words += row_words(width);
    }
    CHECK(shape.arrangements == (uint64_t)side->men_sets * side->king_sets);
    CHECK(shape.classes == side->class_count && shape.widest == widest && shape.column_words == words);
}

/* The three partitions of side.h, which every other part relies on. */
static enum side_partition expected_partition(const struct side *side)
{
    if (side->kings >= 2)
        return PARTITION_SINGLE;
    return side->kings == 0 && side->men <= 2 ? PARTITION_WHOLE : PARTITION_GROUPED;
}

static void test_class_order(const struct side *side)
{
    CHECK(side->partition == expected_partition(side));
    CHECK(side->class_start[0] == 0 && side->class_start[side->class_count] == side->men_sets);
    CHECK(side->partition != PARTITION_SINGLE || side->class_count == side->men_sets);
    CHECK(side->partition != PARTITION_WHOLE || side->class_count == 1);
    for (uint32_t class = 0; class < side->class_count; class++) {
        CHECK(side->class_start[class] < side->class_start[class + 1]);
        if (side->partition == PARTITION_GROUPED &&
            class > 0) /* none is left out: a man's move leads to the next class */
            CHECK(side->advance[class] == side->advance[class - 1] + 1);
        for (uint32_t place = side->class_start[class]; place < side->class_start[class + 1]; place++) {
            const uint64_t men = side->men_set[place];
            const uint64_t rank = subset_rank(men);
            const int advance = advance_of(men);
            CHECK(side->advance[class] == (side->partition == PARTITION_WHOLE ? 0 : advance) &&
                  bit_count(men) == side->men);
            CHECK(rank < side->men_sets && side->place[rank] == place && side_class_of(side, men) == class);
            if (side->partition == PARTITION_SINGLE)
                CHECK(rank == class && side->group_start == NULL);
            else
                CHECK(side->group_start[advance] <= place && place < side->group_start[advance + 1]);
            if (place > side->class_start[class]) {
                const uint64_t before = side->men_set[place - 1];
                CHECK(advance_of(before) < advance || (advance_of(before) == advance && before < men));
            }
        }
        for (uint64_t row = 0; row < side_width(side, class); row++) {
            const struct arrangement a = arrangement_at(side, class, row);
            CHECK(side_row(side, class, a.men, a.kings) == row);
        }
    }
    for (uint32_t rank = 0; rank < side->king_sets; rank++)
        CHECK(subset_rank(side->king_set[rank]) == rank && bit_count(side->king_set[rank]) == side->kings);
}

/* ---- masks ---- */

static void test_masks(const struct side *side)
{
    uint64_t wrong = 0;
    for (uint32_t class = 0; class < side->class_count; class++) {
        const struct columns *columns = &side->columns[class];
        const uint64_t width = side_width(side, class);
        uint64_t maybe = 0, all = UINT64_MAX;
        for (uint64_t bit = 0; bit < row_words(width) * 64; bit++) {
            if (bit >= width) { /* nothing stands behind the last arrangement */
                for (int square = 0; square < board()->squares; square++)
                    wrong += row_bit(columns->man[square], bit) || row_bit(columns->king[square], bit) ||
                             row_bit(columns->empty[square], bit);
                wrong += row_bit(columns->sound, bit);
                continue;
            }
            const struct arrangement a = arrangement_at(side, class, bit);
            maybe |= a.men;
            all &= a.men;
            wrong += row_bit(columns->sound, bit) != ((a.men & a.kings) == 0);
            for (int square = 0; square < board()->squares; square++) {
                const bool man = a.men >> square & 1, king = a.kings >> square & 1;
                wrong += row_bit(columns->man[square], bit) != man;
                wrong += row_bit(columns->king[square], bit) != king;
                wrong += row_bit(columns->empty[square], bit) != (!man && !king);
            }
        }
        CHECK(columns->maybe_men == maybe && columns->all_men == all);
    }
    CHECK(wrong == 0);
}

/* ---- one piece less ---- */

/* Take the man or the king off `square` in all arrangements of a class that hold it. What is left must run
   through one class of the smaller side in its order, and miss only arrangements that use the square
   themselves. */
static void check_one_piece_less(const struct side *side, const struct side *smaller, uint32_t class,
                                 int square, bool king)
{
    const uint32_t bit = UINT32_C(1) << square;
    uint32_t smaller_class = 0;
    uint64_t before = 0, taken = 0, first = 0;
    bool in_order = true;
    for (uint64_t row = 0; row < side_width(side, class); row++) {
        struct arrangement a = arrangement_at(side, class, row);
        if (((king ? a.kings : a.men) & bit) == 0)
            continue;
        if (king)
            a.kings &= ~bit;
        else
            a.men &= ~bit;
        const uint32_t to = side_class_of(smaller, a.men);
        const uint64_t place = side_row(smaller, to, a.men, a.kings);
        in_order = in_order && (taken == 0 || (to == smaller_class && place > before));
        first = taken == 0 ? place : first;
        smaller_class = to;
        before = place;
        taken++;
    }
    CHECK(in_order);
    if (taken == 0)
        return;
    /* A class may become a part of a larger one: the run of the men that are left, or of their total
       advance. */
    uint64_t from = 0, end = side_width(smaller, smaller_class);
    const struct arrangement left = arrangement_at(smaller, smaller_class, first);
    if (side->partition == PARTITION_SINGLE && smaller->partition != PARTITION_SINGLE) {
        from = side_row(smaller, smaller_class, left.men, smaller->king_set[0]);
        end = from + smaller->king_sets;
    } else if (side->partition == PARTITION_GROUPED && smaller->partition == PARTITION_WHOLE) {
        from = (uint64_t)smaller->group_start[advance_of(left.men)] * smaller->king_sets;
        end = (uint64_t)smaller->group_start[advance_of(left.men) + 1] * smaller->king_sets;
    }
    uint64_t kept = 0;
    for (uint64_t row = from; row < end; row++) {
        const struct arrangement a = arrangement_at(smaller, smaller_class, row);
        kept += ((king ? a.kings : a.men) & bit) == 0;
    }
    CHECK(kept == taken);
}

static void test_one_piece_less(const struct side *side)
{
    for (int king = 0; king < 2; king++) {
        if ((king ? side->kings : side->men) == 0)
            continue;
        const struct side *smaller = sides[side->men - !king][side->kings - king];
        for (uint32_t class = 0; class < side->class_count; class++)
            for (int square = 0; square < board()->squares; square++)
                check_one_piece_less(side, smaller, class, square, king);
    }
}

/* ---- king moves ---- */

static void test_steps(void)
{
    for (int from = 0; from < board()->squares; from++)
        for (int direction = 0; direction < DIRECTIONS; direction++) {
            const int row = from / 4, column = 2 * (from % 4) + (row % 2 == 0);
            const int to_row = row + (direction < DIRECTIONS_DOWN ? 1 : -1), to = steps.next[from][direction];
            CHECK(to == -1 || to / 4 == to_row);
            if (to >= 0) {
                const int to_column = 2 * (to % 4) + (to_row % 2 == 0);
                CHECK(abs(to_column - column) == 1 && steps.next[to][DIRECTIONS - 1 - direction] == from);
            }
        }
    int neighbours = 0;
    for (int from = 0; from < board()->squares; from++)
        for (int direction = 0; direction < DIRECTIONS; direction++)
            neighbours += steps.next[from][direction] >= 0;
    CHECK(neighbours == 2 * 49); /* 7 x 7 pairs of neighbours */
}

static void test_king_moves_of(const struct side *side, const struct kernel *kernel)
{
    struct king_moves *table;
    const bool flying = kernel->rules->moves->flying_kings;
    CHECK(king_moves_create(side, &steps, flying, &table) == DAME_OK);
    for (uint32_t rank = 0; rank < side->king_sets; rank++) {
        /* On an empty board these are the mover's legal moves. */
        const struct position position = {0, side->king_set[rank], 0, 0};
        struct move_list list;
        CHECK(kernel->moves(&position, &list) == DAME_OK);
        CHECK(table->start[rank + 1] - table->start[rank] == (uint32_t)list.count);
        for (int i = 0; i < list.count; i++) {
            const int from = list.moves[i].path[0], to = list.moves[i].path[1];
            const uint64_t moved = (position.own_kings & ~bit_at(from)) | bit_at(to);
            bool near = false;
            for (int direction = 0; direction < DIRECTIONS; direction++)
                near |= steps.next[from][direction] == to;
            const uint32_t expected = (uint32_t)subset_rank(moved) << KING_MOVE_SHIFT |
                                      (uint32_t)(near ? KING_MOVE_FIRST : 0) | (uint32_t)to;
            int found = 0;
            for (uint32_t at = table->start[rank]; at < table->start[rank + 1]; at++)
                found += table->moves[at] == expected;
            CHECK(found == 1);
        }
    }
    king_moves_destroy(table);
}

static void test_king_moves(const struct side *side)
{
    test_king_moves_of(side, kernel_find("english"));
    test_king_moves_of(side, kernel_find("russian"));
}

/* ---- planes ---- */

/* A block for each pair of classes, as large as was foretold. */
static void test_planes(struct store *store, struct material m)
{
    const struct side *rows = sides[m.other_men][m.other_kings], *columns = sides[m.own_men][m.own_kings];
    const struct blocks_home home = {.store = store};
    struct planes *planes;
    struct side_shape shapes[2];
    uint64_t bytes, words = 0;
    CHECK(planes_create(&home, rows, columns, false, &planes) == DAME_OK);
    for (uint32_t r = 0; r < rows->class_count; r++)
        for (uint32_t c = 0; c < columns->class_count; c++) {
            const struct block *block = &planes->values.blocks[planes_block(planes, r, c)];
            CHECK(block->words == side_width(rows, r) * row_words(side_width(columns, c)));
            words += block->words;
        }
    const uint64_t blocks = (uint64_t)rows->class_count * columns->class_count;
    CHECK(planes->values.count == blocks);
    CHECK(side_shape(board(), rows->men, rows->kings, true, &shapes[0]) == DAME_OK);
    CHECK(side_shape(board(), columns->men, columns->kings, true, &shapes[1]) == DAME_OK);
    CHECK(planes_bytes(&shapes[0], &shapes[1], false, &bytes) == DAME_OK);
    CHECK(bytes >= 2 * sizeof(uint64_t) * words + blocks * sizeof(struct block));
    planes_destroy(planes, true);
}

static void test_all_planes(void)
{
    struct store *store;
    CHECK(store_create(0, &PACK_CODEC, &store) == DAME_OK);
    for (int pieces = 2; pieces <= PIECES; pieces++) {
        struct material list[2 * SLICES_MAX];
        const int count = material_list(pieces, list);
        for (int i = 0; i < count; i++)
            test_planes(store, list[i]);
    }
    store_destroy(store);
}

/* ---- limits ---- */

static void test_limits(void)
{
    struct side *side = NULL;
    struct side_shape shape;
    CHECK(side_create(kernel_find("international")->board, 1, 1, true, &side) == DAME_OK);
    CHECK(side->king_sets == 50 && side->men_sets == 45);
    side_destroy(side);
    side = NULL;
    CHECK(side_create(board(), 7, 6, true, &side) == DAME_TOO_LARGE);
    CHECK(side_create(board(), 0, 12, true, &side) == DAME_TOO_LARGE && side == NULL);
    CHECK(side_shape(board(), 13, 0, true, &shape) == DAME_TOO_LARGE);
    CHECK(side_shape(board(), -1, 2, true, &shape) == DAME_TOO_LARGE);
    for (int men = 0; men <= PIECES_MAX; men++)
        for (int kings = 0; men + kings <= PIECES_MAX; kings++) {
            CHECK(side_shape(board(), men, kings, true, &shape) == DAME_OK);
            CHECK(shape.arrangements == binomial(28, men) * binomial(32, kings));
            CHECK(shape.classes >= 1 && shape.widest <= shape.arrangements);
            CHECK(shape.column_words * 64 >= shape.arrangements);
        }
    side_destroy(NULL);
    planes_destroy(NULL, true);
    king_moves_destroy(NULL);
}

int main(void)
{
    kernel_find("english")->rows->fill_steps(&steps);
    test_steps();
    for (int men = 0; men <= PIECES; men++)
        for (int kings = 0; men + kings <= PIECES; kings++)
            CHECK(side_create(board(), men, kings, true, &sides[men][kings]) == DAME_OK);
    for (int men = 0; men <= PIECES; men++)
        for (int kings = 0; men + kings <= PIECES; kings++) {
            const struct side *side = sides[men][kings];
            test_shape(side);
            test_class_order(side);
            if (men + kings < PIECES) /* the largest take too long one bit at a time */
                test_masks(side);
            if (men + kings < PIECES)
                test_one_piece_less(side);
        }
    for (int kings = 0; kings < PIECES; kings++)
        test_king_moves(sides[0][kings]);
    test_all_planes();
    test_limits();
    for (int men = 0; men <= PIECES; men++)
        for (int kings = 0; men + kings <= PIECES; kings++)
            side_destroy(sides[men][kings]);
    return check_result();
}
