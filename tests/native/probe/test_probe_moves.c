/* What every move of a position leads to, and the order of moves: against the obvious values and
   distances. */
#include "probe/moves.h"

#include "distance_library.h"
#include "position/outcome.h"
#include "probe/distance.h"

static struct move_list moves;
static struct move_value values[MOVES_MAX];
static int order[MOVES_MAX];

static int replies_of(const struct position *p)
{
    struct position_list list;
    CHECK(kernel_list_successors(english(), p, &list) == DAME_OK);
    return list.count;
}

static int plies_of(const struct distances *all, const struct position *p)
{
    const struct material m = material_of(p);
    const int slice = material_own(m) == 0 ? -1 : slice_of(m);
    return slice < 0 ? 0 : all->plies[slice][index_in(&slices[slice], p)];
}

/* With so many plies played. */
static int value_with_clock(const struct distances *all, const struct position *p, int clock)
{
    return value_within(all, p, all->draw_rule.plies == 0 ? NO_DISTANCE - 1 : all->draw_rule.plies - clock);
}

/* Whether neither the counter nor the phase ends with the move; without a rule there is no counter. */
static bool goes_on(const struct distances *all, const struct position *before, const struct position *after)
{
    const bool capture = material_own(material_of(after)) !=
                         material_pieces(material_of(before)) - material_own(material_of(before));
    const bool man_move = bits_reverse(after->other_men, 32) != before->own_men;
    return !capture && (all->metric == METRIC_DTC || !man_move);
}

static int count_losing_replies(const struct distances *all, const struct position *p, int clock)
{
    struct position_list list;
    int count = 0;
    CHECK(kernel_list_successors(english(), p, &list) == DAME_OK);
    for (int i = 0; i < list.count; i++)
        count += value_with_clock(all, &list.positions[i],
                                  goes_on(all, p, &list.positions[i]) ? clock + 1 : 0) > 0;
    return count;
}

static bool is_right(const struct distances *all, const struct position *before, int clock,
                     const struct position *after, const struct move_value *value)
{
    const enum metric metric = all->metric;
    const bool quiet = goes_on(all, before, after), has_reply = replies_of(after) != 0;
    const int then = quiet && all->draw_rule.plies != 0 ? clock + 1 : 0;
    const bool drawn_by_rule = has_reply && all->draw_rule.plies != 0 && then == all->draw_rule.plies;
    const int theirs = drawn_by_rule ? 0 : value_with_clock(all, after, then);
    const int plies = theirs == 0                           ? NO_PLIES
                      : all->metric != METRIC_DTW && !quiet ? 1
                                                            : plies_of(all, after) + 1;
    const int traps = theirs != 0 || drawn_by_rule ? 0 : count_losing_replies(all, after, then);
    return value->wdl == -theirs && value->plies[metric] == plies && value->traps == traps &&
           value->clock == then && value->ends == (!has_reply || drawn_by_rule);
}

/* By the one metric that there is. */
static bool is_better(enum metric metric, const struct move_value *a, const struct move_value *b)
{
    if (a->wdl != b->wdl)
        return a->wdl > b->wdl;
    if (a->wdl == 0)
        return a->traps > b->traps;
    if (a->wdl > 0 && a->plies[metric] == b->plies[metric])
        return a->ends && !b->ends;
    return a->wdl > 0 ? a->plies[metric] < b->plies[metric] : a->plies[metric] > b->plies[metric];
}

static bool is_ordered(enum metric metric, int count)
{
    bool seen[MOVES_MAX] = {false};
    moves_order(values, count, order);
    for (int i = 0; i < count; i++) {
        if (order[i] < 0 || order[i] >= count || seen[order[i]])
            return false;
        seen[order[i]] = true;
    }
    for (int i = 1; i < count; i++) {
        const struct move_value *a = &values[order[i - 1]], *b = &values[order[i]];
        if (is_better(metric, b, a) || (!is_better(metric, a, b) && order[i - 1] > order[i]))
            return false;
    }
    return true;
}

/* Returns how many moves are wrong. */
static uint64_t wrong_moves(const struct library *library, const struct distances *all,
                            const struct position *position, int clock)
{
    struct position_list after;
    CHECK(moves_probe(library, position, clock, &moves, values, NULL) == DAME_OK);
    CHECK(kernel_list_successors(english(), position, &after) == DAME_OK);
    if (all->draw_rule.plies != 0 && clock == all->draw_rule.plies)
        return moves.count != 0;
    if (moves.count != after.count)
        return 1;
    uint64_t wrong = !is_ordered(all->metric, moves.count);
    for (int i = 0; i < moves.count; i++)
        wrong += !is_right(all, position, clock, &after.positions[i], &values[i]);
    return wrong;
}

static void test_every_position(const struct distances *all)
{
    struct library *library = distance_library(all, false, true, true);
    const int n = all->draw_rule.plies, clocks[] = {0, n == 0 ? 0 : 1, n == 0 ? 0 : n - 1, n};
    uint64_t wrong = 0, number = 0;
    for (int i = 0; i < slice_count; i++) {
        struct walk walk = walk_slice(&slices[i]);
        while (walk_next(&walk))
            if (material_pieces(slices[i].material) == 2 || number++ % 23 == 0)
                for (size_t c = 0; c < (n == 0 ? 1 : sizeof clocks / sizeof clocks[0]); c++)
                    wrong += wrong_moves(library, all, &walk.position, clocks[c]);
    }
    CHECK(wrong == 0 && number > 100000);
    library_destroy(library);
}

/* White king 15 and man 21 against the king on 4, as Black sees it from the other end: with a full counter
   there are no moves, though a move of the man would win. */
static void test_full_counter(const struct distances *all)
{
    struct library *library = distance_library(all, false, true, true);
    const struct position position = {bit_at(32 - 21), bit_at(32 - 15), 0, bit_at(32 - 4)};
    CHECK(moves_probe(library, &position, 3, &moves, values, NULL) == DAME_OK && moves.count == 5);
    moves_order(values, moves.count, order);
    CHECK(values[order[0]].wdl == 1 && values[order[0]].clock == 0);
    CHECK(moves_probe(library, &position, 4, &moves, values, NULL) == DAME_OK && moves.count == 0);
    CHECK(moves_probe(library, &position, 5, &moves, values, NULL) == DAME_BAD_ARGUMENT);
    CHECK(moves_probe(library, &position, -1, &moves, values, NULL) == DAME_BAD_ARGUMENT);
    library_destroy(library);
}

/* A man on its last step and a king, but of three pieces only the table after crowning is there. */
static void test_unknown_moves(void)
{
    struct distances *all = naive_distances((struct outcome_rule){METRIC_DTW, {0}});
    struct library *library;
    struct table_header header;
    const struct position position = {bit_at(24), bit_at(0), 0, bit_at(3)}, bad = {1, 1, 0, 2};
    int known = 0;
    CHECK(library_create("english", &TOY_CODEC, 1 << 16, &library) == DAME_OK);
    const int slice = slice_of(slice_named("KvKK"));
    add_table(library, &header, value_bytes(all, slice, &header), false);
    CHECK(moves_probe(library, &position, 0, &moves, values, NULL) == DAME_OK && moves.count == 4);
    moves_order(values, moves.count, order);
    for (int i = 0; i < moves.count; i++) {
        const struct move_value *value = &values[order[i]];
        CHECK((value->wdl != MOVE_UNKNOWN) == (i < 2) && (i < 2) == moves.moves[order[i]].crowned);
        CHECK(value->plies[METRIC_DTW] == NO_PLIES && value->plies[METRIC_DTZ] == NO_PLIES);
        CHECK(i < 2 || (value->missing.metric == METRIC_WDL &&
                        material_equal(value->missing.material, slice_named("KvKM"))));
        known += value->wdl != MOVE_UNKNOWN;
    }
    CHECK(known == 2 && order[2] < order[3]);
    CHECK(moves_probe(library, &bad, 0, &moves, values, NULL) == DAME_BAD_POSITION);
    library_destroy(library);
    naive_distances_free(all);
}

/* A game that is over needs no table: Black's man on 12 is blocked by the men on 16 and 19. */
static void test_end_without_tables(void)
{
    struct library *library;
    const struct position blocked = {bit_at(11), 0, bit_at(15) | bit_at(18), 0};
    const uint64_t row[PROBE_WORDS] = {bit_at(11), 0, bit_at(15) | bit_at(18), 0, 0};
    int8_t many = PROBE_MISSING;
    int wdl = UNKNOWN, plies = UNKNOWN;
    CHECK(library_create("english", NULL, 1 << 16, &library) == DAME_OK);
    CHECK(moves_probe(library, &blocked, 0, &moves, values, NULL) == DAME_OK && moves.count == 0);
    CHECK(probe_wdl(library, &blocked, &wdl, NULL, NULL) == DAME_OK && wdl == -1);
    CHECK(probe_plies(library, METRIC_DTW, &blocked, 0, &wdl, &plies, NULL, NULL) == DAME_OK && wdl == -1 &&
          plies == 0);
    CHECK(probe_many(library, row, 1, &many, 1, NULL, NULL) == DAME_OK && many == -1);
    library_destroy(library);
    CHECK(library_create("english_giveaway", NULL, 1 << 16, &library) == DAME_OK);
    CHECK(probe_plies(library, METRIC_DTZ, &blocked, 0, &wdl, &plies, NULL, NULL) == DAME_OK && wdl == 1 &&
          plies == 0);
    library_destroy(library);
}

static struct move_value made(int wdl, int dtw, int dtz, int traps, bool ends)
{
    return (struct move_value){
        .wdl = wdl, .plies = {NO_PLIES, dtw, dtz, NO_PLIES}, .traps = traps, .ends = ends};
}

/* Numbers of moves as the digits of a number, the best one first. */
static int order_of(const struct move_value *given, int count)
{
    int digits = 0;
    moves_order(given, count, order);
    for (int i = 0; i < count; i++)
        digits = digits * 10 + order[i] + 1;
    return digits;
}

static void test_mixed_distances(void)
{
    const int none = NO_PLIES;
    const struct move_value all_groups[] = {
        made(MOVE_UNKNOWN, none, none, 0, false),
        made(-1, 4, 1, 0, false),
        made(0, none, none, 0, false),
        made(0, none, none, 2, false),
        made(1, 9, 1, 0, false),
        made(1, 7, 3, 0, false),
        made(-1, 6, 1, 0, false),
    };
    CHECK(order_of(all_groups, 7) == 6543721);
    const struct move_value one_without_dtw[] = {made(1, 7, 3, 0, false), made(1, none, 1, 0, false)};
    CHECK(order_of(one_without_dtw, 2) == 21);
    const struct move_value of_two_tables[] = {made(1, 7, none, 0, false), made(1, none, 1, 0, false),
                                               made(1, none, none, 0, true)};
    CHECK(order_of(of_two_tables, 3) == 312);
    const struct move_value one_ends[] = {made(1, none, 1, 0, false), made(1, none, 1, 0, true)};
    CHECK(order_of(one_ends, 2) == 21);
    const struct move_value equal[] = {made(1, 3, 1, 0, false), made(1, 3, 1, 0, false),
                                       made(-1, 2, 2, 0, false), made(-1, 2, 2, 0, false)};
    CHECK(order_of(equal, 4) == 1234);
    CHECK(order_of(equal, 0) == 0);
}

int main(void)
{
    static const struct outcome_rule CASES[] = {{METRIC_DTW, {0}},
                                                {METRIC_DTZ, {0}},
                                                {METRIC_DTZ, {DRAW_PLIES, 4}},
                                                {METRIC_DTZ, {DRAW_PLIES, 10}},
                                                {METRIC_DTC, {0}},
                                                {METRIC_DTC, {DRAW_CAPTURES, 4}},
                                                {METRIC_DTC, {DRAW_CAPTURES, 12}}};
    naive_solve_all();
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        struct distances *all = naive_distances(CASES[i]);
        test_every_position(all);
        if (all->metric == METRIC_DTZ && all->draw_rule.plies == 4)
            test_full_counter(all);
        naive_distances_free(all);
    }
    test_unknown_moves();
    test_end_without_tables();
    test_mixed_distances();
    naive_free();
    return check_result();
}
