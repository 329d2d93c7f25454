/* The direct way to a value, on every processor, against the long one: all English slices of two and three
   pieces, either side to move, through the cache and from memory, resolved or not; any bits; and the ranks of
   small sets. */
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

static uint64_t count(uint64_t bits)
{
    return (uint64_t)bit_count(bits);
}

static uint64_t lowest(uint64_t bits)
{
    return bits == 0 ? 64 : (uint64_t)bit_lowest(bits);
}

/* Both ranks and the material of one side. */
static bool is_side_wrong(const struct small_sets *sets, const struct ordering *ordering, bool up,
                          uint64_t men, uint64_t kings)
{
    uint8_t men_count, kings_count;
    const enum piece_set man = up ? OTHER_MEN : OWN_MEN, king = up ? OTHER_KINGS : OWN_KINGS;
    const small_side side = small_side_of(sets, up, men, kings, count, lowest);
    const uint64_t men_turned = up ? bits_reverse(men, SMALL_BOARD) : men,
                   kings_turned = up ? bits_reverse(kings, SMALL_BOARD) : kings;
    const uint64_t men_rank = ordering_rank(&ordering->men, men_turned, &men_count),
                   kings_rank = ordering_rank(&ordering->kings, kings_turned, &kings_count);
    const uint64_t material = side >> SMALL_MATERIAL_SHIFT;
    const uint64_t crowned = men_turned >> (SMALL_BOARD - SMALL_ROW);
    if (crowned != 0 || men_count > SMALL_SET || kings_count > SMALL_SET)
        return material < SMALL_MATERIALS;
    return small_set_rank(sets, man, side) != men_rank || small_set_rank(sets, king, side) != kings_rank ||
           material != men_count * SMALL_PIECE[man] + kings_count * SMALL_PIECE[king];
}

static void test_small_sets(void)
{
    struct ordering *ordering;
    struct small_sets *sets;
    uint64_t wrong = 0;
    CHECK(ordering_create(&BOARD_8X8, &ordering) == DAME_OK);
    CHECK(small_sets_create(&BOARD_8X8, ordering, &sets) == DAME_OK && sets != NULL);
    for (int pieces = 0; pieces <= SMALL_SIDE; pieces++)
        for (uint64_t i = 0; i < binomial(SMALL_BOARD, pieces); i++) {
            const uint64_t set = subset_unrank(i, pieces);
            for (uint64_t men = set;; men = (men - 1) & set) { /* all ways to make some of them men */
                wrong += is_side_wrong(sets, ordering, false, men, set & ~men) +
                         is_side_wrong(sets, ordering, true, men, set & ~men);
                if (men == 0)
                    break;
            }
        }
    CHECK(wrong == 0);
    free(sets);
    CHECK(small_sets_create(&BOARD_10X10, ordering, &sets) == DAME_OK && sets == NULL);
    ordering_destroy(ordering);
}

/* As Black sees a position in which White is to move. */
static struct position as_black(struct position p)
{
    return position_turned(position_exchanged(p), 32);
}

static bool find(const struct library *library, const struct direct_way *way, const struct position *black,
                 bool white, int *wdl)
{
    int resolved = 2; /* no value */
    const bool found = way->value(library, black, &black->other_men, white, wdl);
    if (!way->resolved(library, black, &black->other_men, white, &resolved))
        return found;
    CHECK(found && *wdl == resolved);
    return true;
}

/* Every position that is one look-up is found if `complete`, and none has another value. */
static void test_values(const struct library *library, const struct direct_way *way, bool complete)
{
    uint64_t wrong = 0, found = 0, expected = 0;
    for (int i = 0; i < slice_count; i++) {
        struct walk walk = walk_slice(&slices[i]);
        while (walk_next(&walk)) {
            const struct position black = as_black(walk.position);
            const int value = slices[i].values[walk.index];
            int wdl = value, white_wdl = value;
            found += find(library, way, &walk.position, false, &wdl);
            found += find(library, way, &black, true, &white_wdl);
            wrong += wdl != value || white_wdl != value;
            expected += library->slots[0].resolved || library->kernel->attacks(&walk.position) == 0;
        }
    }
    CHECK(wrong == 0);
    CHECK(!complete || found == 2 * expected);
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
        if (!find(library, way, &black, white, &wdl))
            continue;
        found++;
        if (white)
            seen = as_black(black);
        wrong += position_check(&BOARD_8X8, &black, NULL) != DAME_OK ||
                 probe_wdl(library, &seen, &expected, NULL, NULL) != DAME_OK || wdl != expected;
    }
    CHECK(wrong == 0 && found > RANDOM / 100);
    const struct position empty = {0};
    int wdl;
    CHECK(!find(library, way, &empty, false, &wdl) && !find(library, way, &empty, true, &wdl));
}

static void test_way(const struct direct_way *way)
{
    struct library *cached = open_library(PIECES, true, NULL), *packed = open_library(PIECES, false, NULL);
    test_values(cached, way, false); /* blocks that are not in the cache are not read */
    test_values(packed, way, true);
    test_any_bits(packed, way);
    CHECK(library_resolve(packed, PIECES, 2, NULL, NULL, NULL, NULL) == DAME_OK);
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
    struct library *library = open_library(PIECES, false, NULL);
    if (library->direct_way != &DIRECT_WAY_BASE)
        test_way(library->direct_way);
    library_destroy(library);
    naive_free();
    return check_result();
}
