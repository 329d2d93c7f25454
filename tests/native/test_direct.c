/* The direct way to a value, on every processor, against the long one: all English slices of two and three
   pieces, either side to move, through the cache and from memory; any bits; and the ranks of small sets. */
#include "check.h"
#include "naive_library.h"

#include "probe/direct.h"
#include "probe/value.h"
#include "slices/binomial.h"

enum { RANDOM = 200000 };

static uint64_t next_random(uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + 1442695040888963407U;
    return *state >> 16;
}

static uint64_t lowest(uint64_t bits)
{
    return (uint64_t)bit_lowest(bits);
}

static uint64_t wrong_rank(const struct small_sets *sets, const struct ordering *ordering, enum kind kind,
                           uint64_t set)
{
    uint64_t rest;
    uint8_t pieces;
    const bool other = kind == OTHER_MEN || kind == OTHER_KINGS;
    const uint32_t number = small_set_number(sets, kind, set, &rest, lowest);
    const uint64_t turned = other ? bits_reverse(set, SMALL_BOARD) : set;
    return (rest & bits_below(SMALL_BOARD)) != 0 ||
           small_set_rank(sets, kind, number) !=
               ordering_rank(index_order(ordering, kind), turned, &pieces) ||
           number >> SMALL_MATERIAL_SHIFT != pieces * SMALL_PIECE[kind];
}

static void test_small_sets(void)
{
    struct ordering *ordering;
    struct small_sets *sets;
    uint64_t wrong = 0, rest;
    CHECK(ordering_create(&BOARD_8X8, &ordering) == DAME_OK);
    CHECK(small_sets_create(&BOARD_8X8, ordering, &sets) == DAME_OK && sets != NULL);
    for (int pieces = 0; pieces <= SMALL_SET; pieces++)
        for (uint64_t i = 0; i < binomial(SMALL_BOARD, pieces); i++) {
            const uint64_t set = subset_unrank(i, pieces);
            wrong +=
                wrong_rank(sets, ordering, OWN_KINGS, set) + wrong_rank(sets, ordering, OTHER_KINGS, set);
            if (set >> BOARD_8X8.men_squares == 0)
                wrong += wrong_rank(sets, ordering, OWN_MEN, set);
            if ((set & bits_below(SMALL_ROW)) == 0)
                wrong += wrong_rank(sets, ordering, OTHER_MEN, set);
        }
    CHECK(wrong == 0);
    (void)small_set_number(sets, OWN_KINGS, 0x1F, &rest, lowest); /* five squares are too many */
    CHECK((rest & bits_below(SMALL_BOARD)) == 0x10);
    free(sets);
    CHECK(small_sets_create(&BOARD_10X10, ordering, &sets) == DAME_OK && sets == NULL);
    ordering_destroy(ordering);
}

static struct position turned(struct position p)
{
    return (struct position){bits_reverse(p.own_men, 32), bits_reverse(p.own_kings, 32),
                             bits_reverse(p.other_men, 32), bits_reverse(p.other_kings, 32)};
}

/* As Black sees a position in which White is to move. */
static struct position as_black(struct position p)
{
    const struct position seen = turned(p);
    return (struct position){seen.other_men, seen.other_kings, seen.own_men, seen.own_kings};
}

/* Every position that is one look-up is found if `complete`, and none has another value. */
static void test_values(const struct library *library, const struct direct_way *way, bool complete)
{
    uint64_t wrong = 0, found = 0, quiet = 0;
    for (int i = 0; i < slice_count; i++) {
        struct walk walk = walk_slice(&slices[i]);
        while (walk_next(&walk)) {
            const struct position black = as_black(walk.position);
            const int value = slices[i].values[walk.index];
            int wdl = value, white_wdl = value;
            found += way->value(library, &walk.position, false, &wdl);
            found += way->value(library, &black, true, &white_wdl);
            wrong += wdl != value || white_wdl != value;
            quiet += library->kernel->attacks(&walk.position) == 0;
        }
    }
    CHECK(wrong == 0);
    CHECK(!complete || found == 2 * quiet);
}

/* Whatever the bits, the direct way finds nothing but values of legal positions. */
static void test_any_bits(const struct library *library, const struct direct_way *way)
{
    uint64_t random = 1, wrong = 0, found = 0;
    for (int i = 0; i < RANDOM; i++) {
        uint64_t sets[4] = {0};
        for (uint64_t pieces = 1 + next_random(&random) % 7; pieces > 0; pieces--)
            sets[next_random(&random) % 4] |= bit_at((int)(next_random(&random) % (i % 8 == 0 ? 64 : 32)));
        const struct position black = {sets[0], sets[1], sets[2], sets[3]};
        struct position seen = black;
        const bool white = next_random(&random) % 2 != 0;
        int wdl, expected;
        if (!way->value(library, &black, white, &wdl))
            continue;
        found++;
        if (white)
            seen = as_black(black);
        wrong += position_check(&BOARD_8X8, &black, NULL) != DAME_OK ||
                 probe_wdl(library, &seen, &expected, NULL, NULL) != DAME_OK || wdl != expected;
    }
    CHECK(wrong == 0 && found > RANDOM / 100);
}

static void test_way(const struct direct_way *way)
{
    struct library *cached = open_library(PIECES, true, NULL), *packed = open_library(PIECES, false, NULL);
    test_values(cached, way, false); /* blocks that are not in the cache are not read */
    test_values(packed, way, true);
    test_any_bits(packed, way);
    library_destroy(cached);
    library_destroy(packed);
}

int main(void)
{
    naive_solve_all();
    test_small_sets();
    test_way(&DIRECT_WAY_BASE);
    if (direct_way() != &DIRECT_WAY_BASE)
        test_way(direct_way());
    naive_free();
    return check_result();
}
