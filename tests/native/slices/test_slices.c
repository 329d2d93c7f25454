/* Ranks of sets, numbers of positions, lists and names of slices, and how many positions there are. */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/bits.h"
#include "check.h"
#include "kernel/kernel.h"
#include "slices/binomial.h"
#include "slices/index.h"
#include "slices/material.h"

static const char *const VARIANTS[] = {"english", "international"}; /* one for each board */
enum { BOARDS = 2, WHOLE_RANGE = 3000000, SLICES_MAX = 512 };

static const struct board *board_at(int number)
{
    return kernel_find(VARIANTS[number])->board;
}

/* ---- sets ---- */

static void test_binomials(void)
{
    for (int n = 0; n <= BINOMIAL_SQUARES; n++)
        for (int k = 0; k <= BINOMIAL_PIECES; k++) {
            const uint64_t sum = k == 0 ? 1 : n == 0 ? 0 : binomial(n - 1, k - 1) + binomial(n - 1, k);
            CHECK(binomial(n, k) == sum);
        }
    CHECK(binomial(32, 4) == 35960 && binomial(50, 12) == UINT64_C(121399651100));
}

/* Every set of a size in turn, where there are few enough; its rank, and the way back. */
static void check_all_sets(int squares, int size)
{
    const uint64_t count = binomial(squares, size);
    uint64_t set = bits_below(size), before = 0, wrong = 0;
    for (uint64_t rank = 0; rank < count; rank++) {
        wrong += subset_rank(set) != rank || subset_unrank(rank, size) != set || bit_count(set) != size;
        wrong += set >> squares != 0 || (rank > 0 && set <= before); /* colex order is that of the numbers */
        before = set;
        if (size > 0)
            set = subset_next(set);
    }
    CHECK(wrong == 0);
    CHECK(before == bits_below(size) << (squares - size));
}

/* The same along a grid, with both ends. */
static void check_some_sets(int squares, int size)
{
    const uint64_t count = binomial(squares, size), step = count / 100000 + 1;
    uint64_t wrong = 0;
    for (uint64_t rank = 0; rank < count;
         rank = rank + step < count || rank + 1 == count ? rank + step : count - 1) {
        const uint64_t set = subset_unrank(rank, size);
        wrong += subset_rank(set) != rank || bit_count(set) != size || set >> squares != 0;
        wrong += rank + 1 < count && subset_rank(subset_next(set)) != rank + 1;
    }
    CHECK(wrong == 0);
}

static void test_ranks_of_sets(void)
{
    for (int b = 0; b < BOARDS; b++)
        for (int size = 0; size <= BINOMIAL_PIECES; size++) {
            const int squares = board_at(b)->squares;
            if (binomial(squares, size) <= WHOLE_RANGE)
                check_all_sets(squares, size);
            else
                check_some_sets(squares, size);
        }
    CHECK(subset_next(UINT64_C(1) << 62) == UINT64_C(1) << 63);
}

/* ---- positions ---- */

/* All sets of `size` pieces on squares first..end-1; returns their number. */
static uint64_t list_sets(int first, int end, int size, uint64_t *sets)
{
    const uint64_t count = binomial(end - first, size);
    for (uint64_t rank = 0; rank < count; rank++)
        sets[rank] = subset_unrank(rank, size) << first;
    return count;
}

static uint64_t index_of(const struct board *board, const struct ordering *ordering,
                         const struct index_shape *shape, uint64_t own_men, uint64_t own_kings,
                         uint64_t other_men, uint64_t other_kings)
{
    uint64_t ranks[PIECE_SETS];
    index_ranks(board->squares, ordering, own_men, own_kings, other_men, other_kings, ranks);
    return index_of_ranks(shape, ranks);
}

/* Every placement has its own number below the size; those without shared squares are as many as is said. */
static void check_numbers(const struct board *board, const struct ordering *ordering, struct material m,
                          int nesting)
{
    static uint64_t own_men[30000], own_kings[30000], other_men[30000], other_kings[30000];
    struct index_shape shape;
    uint64_t positions = 0, valid = 0, repeated = 0, placements = 0;
    CHECK(index_shape(board, m, nesting, &shape) == DAME_OK);
    CHECK(material_positions(board, m, &positions) == DAME_OK);
    const uint64_t counts[4] = {
        list_sets(0, board->men_squares, m.own_men, own_men),
        list_sets(0, board->squares, m.own_kings, own_kings),
        list_sets(board->squares - board->men_squares, board->squares, m.other_men, other_men),
        list_sets(0, board->squares, m.other_kings, other_kings),
    };
    uint8_t *seen = calloc(shape.size, 1);
    for (uint64_t a = 0; a < counts[0]; a++)
        for (uint64_t b = 0; b < counts[1]; b++)
            for (uint64_t c = 0; c < counts[2]; c++)
                for (uint64_t d = 0; d < counts[3]; d++) {
                    const uint64_t index = index_of(board, ordering, &shape, own_men[a], own_kings[b],
                                                    other_men[c], other_kings[d]);
                    const uint64_t all = own_men[a] | own_kings[b] | other_men[c] | other_kings[d];
                    if (index >= shape.size) {
                        CHECK(!"an index beyond the slice");
                        continue;
                    }
                    repeated += seen[index]++;
                    placements++;
                    valid += bit_count(all) == material_pieces(m);
                }
    CHECK(repeated == 0 && placements == shape.size && valid == positions);
    free(seen);
}

static void test_numbers_of_positions(void)
{
    for (int b = 0; b < BOARDS; b++) {
        struct ordering *ordering;
        CHECK(ordering_create(board_at(b), &ordering) == DAME_OK);
        for (int pieces = 2; pieces <= 3; pieces++) {
            struct material list[SLICES_MAX];
            const int count = material_list(pieces, list);
            for (int i = 0; i < count; i++)
                check_numbers(board_at(b), ordering, list[i], (5 * i + pieces) % NESTINGS);
        }
        ordering_destroy(ordering);
    }
}

/* All sets by their ranks, to be freed: the ranks are a permutation. */
static uint64_t *sets_by_rank(const struct set_order *order, int squares, int pieces)
{
    const uint64_t count = binomial(squares, pieces);
    uint64_t *sets = malloc(count * sizeof *sets), wrong = 0;
    for (uint64_t i = 0; i < count; i++)
        sets[i] = UINT64_MAX;
    for (uint64_t i = 0; i < count; i++) {
        uint8_t size;
        const uint64_t set = subset_unrank(i, pieces), rank = ordering_rank(order, set, &size);
        wrong += rank >= count || size != pieces || sets[rank] != UINT64_MAX;
        if (rank < count)
            sets[rank] = set;
    }
    CHECK(wrong == 0);
    return sets;
}

/* Sets with an even number of squares on odd rows come first, then those with fewer of them. */
static void check_order(const struct board *board, const struct set_order *order, int squares, int pieces)
{
    const uint64_t count = binomial(squares, pieces);
    uint64_t wrong = 0, last_odd = 0, *sets = sets_by_rank(order, squares, pieces);
    bool last_parity = false;
    for (uint64_t rank = 0; rank < count; rank++) {
        uint64_t odd = 0;
        for (uint64_t left = sets[rank]; left != 0; left &= left - 1)
            odd += (uint64_t)(bit_lowest(left) / board->columns % 2);
        wrong += (odd % 2 != 0) < last_parity;
        if ((odd % 2 != 0) == last_parity)
            wrong += odd < last_odd;
        last_parity = odd % 2 != 0;
        last_odd = odd;
    }
    CHECK(wrong == 0);
    free(sets);
}

static void test_orders_of_sets(void)
{
    for (int b = 0; b < BOARDS; b++) {
        struct ordering *ordering;
        const struct board *board = board_at(b);
        CHECK(ordering_create(board, &ordering) == DAME_OK);
        for (int pieces = 0; pieces <= 4; pieces++) {
            check_order(board, &ordering->men, board->men_squares, pieces);
            check_order(board, &ordering->kings, board->squares, pieces);
        }
        ordering_destroy(ordering);
    }
}

/* The picture in ordering.h: the first and the last of the squares on even rows. */
static void test_the_spiral(void)
{
    static const int EVEN_ROWS[] = {1, 2, 3, 4, 12, 20, 28, 27, 26, 25, 17, 9, 10, 11, 19, 18};
    struct ordering *ordering;
    CHECK(ordering_create(board_at(0), &ordering) == DAME_OK);
    for (int i = 0; i < 16; i++) {
        CHECK(ordering->kings.number[EVEN_ROWS[i] - 1] == i);
        CHECK(ordering->kings.number[EVEN_ROWS[i] - 1 + 4] == i); /* odd rows alike */
        uint8_t size;
        CHECK(ordering_rank(&ordering->kings, bit_at(EVEN_ROWS[i] - 1), &size) == (uint64_t)i && size == 1);
    }
    CHECK(ordering->men.even == 16 && ordering->men.odd == 12);
    ordering_destroy(ordering);
}

static void test_nestings(void)
{
    struct index_shape shape;
    for (int nesting = 0; nesting < NESTINGS; nesting++) {
        unsigned piece_sets = 0;
        for (int i = 0; i < PIECE_SETS; i++)
            piece_sets |= 1U << NESTING[nesting][i];
        CHECK(piece_sets == 15);
        CHECK(nesting == 0 || memcmp(NESTING[nesting - 1], NESTING[nesting], PIECE_SETS) < 0);
        CHECK(index_shape(board_at(0), (struct material){1, 1, 1, 1}, nesting, &shape) == DAME_OK);
        CHECK(index_same_nesting(&shape) == nesting);
        CHECK(shape.stride[NESTING[nesting][PIECE_SETS - 1]] == 1);
        CHECK(index_shape(board_at(0), (struct material){0, 1, 0, 0}, nesting, &shape) == DAME_OK);
        CHECK(index_same_nesting(&shape) == 0); /* one piece set alone: all are the same */
    }
    CHECK(index_shape(board_at(0), (struct material){1, 1, 1, 1}, NESTINGS, &shape) == DAME_BAD_ARGUMENT);
    CHECK(index_shape(board_at(0), (struct material){1, 1, 1, 1}, -1, &shape) == DAME_BAD_ARGUMENT);
}

/* All sets of a slice are those of its ranks. */
static void test_sets(void)
{
    struct index_shape shape;
    struct index_sets sets;
    struct ordering *ordering;
    const struct board *board = board_at(0);
    const struct material m = {1, 2, 2, 1};
    CHECK(ordering_create(board, &ordering) == DAME_OK);
    CHECK(index_shape(board, m, 13, &shape) == DAME_OK);
    CHECK(index_sets_create(board, ordering, m, &shape, &sets) == DAME_OK);
    for (int piece_set = 0; piece_set < PIECE_SETS; piece_set++) {
        uint64_t wrong = 0;
        const struct set_order *order = index_order(ordering, (enum piece_set)piece_set);
        const bool other = piece_set == OTHER_MEN || piece_set == OTHER_KINGS;
        for (uint64_t rank = 0; rank < shape.sets[piece_set]; rank++) {
            const uint64_t set = sets.of[piece_set][rank];
            uint8_t size;
            wrong += ordering_rank(order, other ? bits_reverse(set, board->squares) : set, &size) != rank;
            wrong += size != index_pieces(m, (enum piece_set)piece_set);
        }
        CHECK(wrong == 0);
    }
    index_sets_destroy(&sets);
    ordering_destroy(ordering);
}

/* FORMAT.md: Black's king on 2, White's on 10. */
static void test_the_documented_number(void)
{
    struct index_shape shape;
    struct ordering *ordering;
    CHECK(ordering_create(board_at(0), &ordering) == DAME_OK);
    CHECK(index_shape(board_at(0), (struct material){0, 1, 0, 1}, 0, &shape) == DAME_OK &&
          shape.size == 1024);
    CHECK(index_of(board_at(0), ordering, &shape, 0, bit_at(1), 0, bit_at(9)) == 961);
    ordering_destroy(ordering);
}

static void test_shapes_of_many_pieces(void)
{
    struct index_shape shape;
    for (int b = 0; b < BOARDS; b++)
        for (int pieces = 2; pieces <= PIECES_MAX; pieces++) {
            struct material list[SLICES_MAX];
            const int count = material_list(pieces, list);
            for (int i = 0; i < count; i++) {
                uint64_t positions = 0;
                CHECK(index_shape(board_at(b), list[i], i % NESTINGS, &shape) == DAME_OK);
                CHECK(material_positions(board_at(b), list[i], &positions) == DAME_OK);
                CHECK(positions <= shape.size);
            }
        }
    CHECK(index_shape(board_at(0), (struct material){12, 0, 1, 0}, 0, &shape) == DAME_TOO_LARGE);
}

/* ---- materials ---- */

static int find_material(const struct material *list, int count, struct material m)
{
    for (int i = 0; i < count; i++)
        if (material_equal(list[i], m))
            return i;
    return -1;
}

static void check_list(int pieces)
{
    struct material list[SLICES_MAX];
    const int count = material_list(pieces, NULL);
    CHECK(count <= SLICES_MAX && material_list(pieces, list) == count);
    int combinations = 0;
    for (int own = 1; own < pieces; own++)
        combinations += (own + 1) * (pieces - own + 1);
    CHECK(count == combinations);
    for (int i = 0; i < count; i++) {
        const struct material m = list[i];
        CHECK(material_pieces(m) == pieces && material_own(m) > 0 && material_other(m) > 0);
        CHECK(find_material(list, count, m) == i);
        CHECK(material_equal(material_mirror(material_mirror(m)), m));
        CHECK(find_material(list, count, material_mirror(m)) >= 0);
        struct material crowned = m;
        crowned.own_men--;
        crowned.own_kings++;
        if (m.own_men > 0) /* seen by the other side afterwards */
            CHECK(find_material(list, i, material_mirror(crowned)) >= 0);
    }
}

static void test_lists(void)
{
    static const int COUNTS[] = {0, 0, 4, 12, 25, 44, 70}; /* 85 slices of 2..5 pieces */
    for (int pieces = 2; pieces <= PIECES_MAX; pieces++) {
        check_list(pieces);
        if (pieces < (int)(sizeof COUNTS / sizeof COUNTS[0]))
            CHECK(material_list(pieces, NULL) == COUNTS[pieces]);
    }
    CHECK(material_list(1, NULL) == 0);
}

static void test_names(void)
{
    for (int pieces = 2; pieces <= PIECES_MAX; pieces++) {
        struct material list[SLICES_MAX];
        const int count = material_list(pieces, list);
        for (int i = 0; i < count; i++) {
            char name[MATERIAL_NAME_MAX];
            struct material read = {0};
            material_name(list[i], name);
            CHECK((int)strlen(name) == pieces + 1);
            CHECK(material_parse(name, &read) == DAME_OK && material_equal(read, list[i]));
        }
    }
    char name[MATERIAL_NAME_MAX];
    material_name((struct material){1, 2, 1, 1}, name);
    CHECK(strcmp(name, "KKMvKM") == 0);
    static const char *const BAD[] = {
        "",
        "v",
        "K",
        "Kv",
        "vK",
        "MKvK",
        "KvMK",
        "kvk",
        "KvKvK",
        " KvK",
        "KvK ",
        "K vK",
        "KVK",
        "KKKKKKKKKKKKKvK",
        "KKKKKKKKKKKKvK",
        "KvMMMMMMMMMMMMM",
        "KxK",
        "KvKX",
        "K-K",
        "KvK.wdl",
    };
    struct material m = {9, 9, 9, 9};
    for (size_t i = 0; i < sizeof BAD / sizeof BAD[0]; i++)
        CHECK(material_parse(BAD[i], &m) == DAME_BAD_ARGUMENT);
    CHECK(m.own_men == 9);
}

/* ---- how many positions ---- */

static uint64_t all_positions(const struct board *board, int pieces)
{
    struct material list[SLICES_MAX];
    const int count = material_list(pieces, list);
    uint64_t total = 0;
    for (int i = 0; i < count; i++) {
        uint64_t positions = 0;
        CHECK(material_positions(board, list[i], &positions) == DAME_OK);
        CHECK(!__builtin_add_overflow(total, positions, &total));
    }
    return total;
}

/* Multiply a polynomial, cut off behind x^PIECES_MAX, by (1 + factor x)^times. */
static void multiply(uint64_t polynomial[PIECES_MAX + 1], uint64_t factor, int times)
{
    for (; times > 0; times--)
        for (int i = PIECES_MAX; i > 0; i--) {
            uint64_t product;
            CHECK(!__builtin_mul_overflow(polynomial[i - 1], factor, &product));
            CHECK(!__builtin_add_overflow(polynomial[i], product, &polynomial[i]));
        }
}

/* A square of the first and the last board row may hold pieces of three piece sets, any other square pieces
   of four; less the placements of one side alone, whose own crown row holds only kings. */
static void test_totals_by_counting_squares(void)
{
    for (int b = 0; b < BOARDS; b++) {
        const struct board *board = board_at(b);
        uint64_t all[PIECES_MAX + 1] = {1}, alone[PIECES_MAX + 1] = {1};
        multiply(all, 3, 2 * board->columns);
        multiply(all, 4, board->squares - 2 * board->columns);
        multiply(alone, 1, board->columns);
        multiply(alone, 2, board->men_squares);
        for (int pieces = 2; pieces <= PIECES_MAX; pieces++)
            CHECK(all_positions(board, pieces) == all[pieces] - 2 * alone[pieces]);
    }
}

static void test_published_totals(void)
{
    static const uint64_t TOTALS[] = {
        3488, 196032, 6209316, 139450808, 2426085676, 34243113624, 403190250561,
    };
    for (int pieces = 2; pieces <= 8; pieces++)
        CHECK(all_positions(board_at(0), pieces) == TOTALS[pieces - 2]);
}

int main(void)
{
    test_binomials();
    test_ranks_of_sets();
    test_numbers_of_positions();
    test_the_documented_number();
    test_orders_of_sets();
    test_the_spiral();
    test_nestings();
    test_sets();
    test_shapes_of_many_pieces();
    test_lists();
    test_names();
    test_totals_by_counting_squares();
    test_published_totals();
    return check_result();
}
