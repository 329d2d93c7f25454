/* Obvious distances for the slices of naive.h, round by round: after round r every position is known that is
   decided within r plies. Under a rule that n plies without a zeroing move are a draw, the rounds are the
   plies that are left until then, and they end after n of them; so the rule needs no other definition than
   itself.

   Distances to the end of the game: one group for each number of pieces. Distances to a zeroing move: such a
   move starts the count again, so what it leads to must be finished: groups are all positions of one number
   of men and of one advance of them together, more advanced ones first. */
#ifndef DAME_TESTS_NAIVE_DISTANCE_H
#define DAME_TESTS_NAIVE_DISTANCE_H

#include "naive.h"
#include "position/outcome.h"

enum { NO_DISTANCE = 255 };

struct distances {
    enum metric metric;
    struct draw_rule draw_rule;
    int8_t *wdl[SLICES_MAX];                    /* of every index of slices[i] */
    uint8_t *plies[SLICES_MAX];                 /* NO_DISTANCE: drawn, or not yet known */
    uint64_t win[SLICES_MAX], loss[SLICES_MAX]; /* counts, and the longest distances: -1 if there is none */
    int longest_win[SLICES_MAX], longest_loss[SLICES_MAX];
    int longest;
};

static inline int slice_of(struct material m)
{
    for (int i = 0; i < slice_count; i++)
        if (material_equal(slices[i].material, m))
            return i;
    CHECK(!"a slice is missing");
    return 0;
}

/* The value of a position for the side to move if it is decided within `plies` plies, 0 otherwise. */
static inline int value_within(const struct distances *all, const struct position *p, int plies)
{
    const struct material m = material_of(p);
    if (material_own(m) == 0)
        return -1;
    const int slice = slice_of(m);
    const uint64_t index = index_in(&slices[slice], p);
    return all->plies[slice][index] <= plies ? all->wdl[slice][index] : 0;
}

/* The value within `round` plies by the moves. */
static inline int value_in_round(const struct distances *all, const struct position *p, int round)
{
    struct position_list list;
    CHECK(kernel_list_successors(english(), p, &list) == DAME_OK);
    if (list.count == 0)
        return -1;
    if (round == 0)
        return 0;
    int best = -1;
    for (int i = 0; i < list.count; i++) {
        const bool man_move = bits_reverse(list.positions[i].other_men, 32) != p->own_men;
        const bool fresh = (all->metric == METRIC_DTZ && (list.captures || man_move)) ||
                           (all->metric == METRIC_DTC && list.captures);
        const int value = -value_within(all, &list.positions[i], fresh ? NO_DISTANCE - 1 : round - 1);
        best = value > best ? value : best;
    }
    return best;
}

static inline int advance_of_men(const struct position *p)
{
    int advance = 0;
    for (uint64_t men = p->own_men; men != 0; men &= men - 1)
        advance += bit_lowest(men) / 4;
    for (uint64_t men = p->other_men; men != 0; men &= men - 1)
        advance += 7 - bit_lowest(men) / 4;
    return advance;
}

/* Positions with so many pieces and, unless they are -1, so many men with that advance. */
struct group {
    int pieces, men, advance;
};

static inline bool naive_round(struct distances *all, struct group group, int round)
{
    bool changed = false;
    for (int i = 0; i < slice_count; i++) {
        const struct material m = slices[i].material;
        if (material_pieces(m) != group.pieces || (group.men >= 0 && m.own_men + m.other_men != group.men))
            continue;
        struct walk walk = walk_slice(&slices[i]);
        while (walk_next(&walk)) {
            if (all->plies[i][walk.index] != NO_DISTANCE ||
                (group.men >= 0 && advance_of_men(&walk.position) != group.advance))
                continue;
            const int value = value_in_round(all, &walk.position, round);
            if (value == 0)
                continue;
            all->wdl[i][walk.index] = (int8_t)value;
            all->plies[i][walk.index] = (uint8_t)round;
            changed = true;
        }
    }
    return changed;
}

/* A round of distances to the end that changes nothing is the last one only if nothing that is known of fewer
   pieces comes into play later. */
static inline void naive_group(struct distances *all, struct group group)
{
    const int most = all->draw_rule.plies != 0 ? all->draw_rule.plies : NO_DISTANCE - 1;
    bool changed = true;
    for (int round = 0;
         round <= most && (changed || round <= (all->metric == METRIC_DTZ ? 1 : all->longest + 1)); round++) {
        changed = naive_round(all, group, round);
        if (changed && round > all->longest)
            all->longest = round;
        CHECK(!(changed && round == NO_DISTANCE - 1));
    }
}

static inline void count_distances(struct distances *all, int i)
{
    all->longest_win[i] = all->longest_loss[i] = -1;
    struct walk walk = walk_slice(&slices[i]);
    while (walk_next(&walk)) {
        const int wdl = all->wdl[i][walk.index], plies = all->plies[i][walk.index];
        int *longest = wdl > 0 ? &all->longest_win[i] : &all->longest_loss[i];
        all->win[i] += wdl > 0;
        all->loss[i] += wdl < 0;
        if (wdl != 0 && plies > *longest)
            *longest = plies;
    }
}

/* Of all slices of naive.h. */
static inline struct distances *naive_distances(struct outcome_rule rule)
{
    struct distances *all = calloc(1, sizeof *all);
    all->metric = rule.metric;
    all->draw_rule = rule.draw_rule;
    for (int i = 0; i < slice_count; i++) {
        all->wdl[i] = calloc(slices[i].shape.size, 1);
        all->plies[i] = malloc(slices[i].shape.size);
        memset(all->plies[i], NO_DISTANCE, slices[i].shape.size);
    }
    for (int pieces = 2; pieces <= PIECES; pieces++)
        if (rule.metric != METRIC_DTZ)
            naive_group(all, (struct group){pieces, -1, 0});
        else
            for (int men = 0; men <= pieces; men++)
                for (int advance = 6 * men; advance >= 0; advance--)
                    naive_group(all, (struct group){pieces, men, advance});
    for (int i = 0; i < slice_count; i++)
        count_distances(all, i);
    return all;
}

static inline void naive_distances_free(struct distances *all)
{
    for (int i = 0; i < slice_count; i++) {
        free(all->wdl[i]);
        free(all->plies[i]);
    }
    free(all);
}

#endif
