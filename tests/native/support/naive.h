/* An obvious solver: the English slices of two and three pieces (or NAIVE_PIECES), one position after the
   other, going round until nothing changes. What the builder and the probe say is compared with it. */
#ifndef DAME_TESTS_NAIVE_H
#define DAME_TESTS_NAIVE_H

#include <stdlib.h>
#include <string.h>

#include "base/bits.h"
#include "check.h"
#include "kernel/kernel.h"
#include "probe/walk.h"
#include "slices/index.h"
#include "slices/material.h"

#ifndef NAIVE_PIECES
#define NAIVE_PIECES 3
#endif

enum { PIECES = NAIVE_PIECES, SLICES_MAX = 48, UNKNOWN = 2 };

struct solved {
    struct material material;
    struct index_shape shape; /* the slices use nestings of all sorts */
    struct index_sets sets;
    int8_t *values; /* of every index: 1, -1, 0, UNKNOWN */
    uint64_t win, draw, loss;
};

static struct solved slices[SLICES_MAX];
static int slice_count;

static inline const struct kernel *english(void)
{
    return kernel_find("english");
}

static inline struct material slice_named(const char *name)
{
    struct material m = {0};
    CHECK(material_parse(name, &m) == DAME_OK);
    return m;
}

static inline struct material material_of(const struct position *p)
{
    return (struct material){(uint8_t)bit_count(p->own_men), (uint8_t)bit_count(p->own_kings),
                             (uint8_t)bit_count(p->other_men), (uint8_t)bit_count(p->other_kings)};
}

static inline const struct ordering *english_ordering(void)
{
    static struct ordering *ordering;
    if (ordering == NULL)
        CHECK(ordering_create(english()->board, &ordering) == DAME_OK);
    return ordering;
}

/* A nesting for the tables of this material: another one for each, as good as any. */
static inline int test_nesting(struct material m)
{
    struct index_shape shape;
    const int nesting = (m.own_men * 7 + m.own_kings * 5 + m.other_men * 3 + m.other_kings * 11) % NESTINGS;
    CHECK(index_shape(english()->board, m, nesting, &shape) == DAME_OK);
    return index_same_nesting(&shape);
}

static inline uint64_t index_in(const struct solved *slice, const struct position *p)
{
    uint64_t ranks[PIECE_SETS];
    index_ranks(english()->board->squares, english_ordering(), p->own_men, p->own_kings, p->other_men,
                p->other_kings, ranks);
    return index_of_ranks(&slice->shape, ranks);
}

/* The other side could capture if it were to move. */
static inline bool is_threatened(const struct position *p)
{
    const struct position passed = position_turned(position_exchanged(*p), 32);
    return english()->must_capture(&passed);
}

/* Before the first placement of a slice. */
static inline struct walk walk_slice(const struct solved *slice)
{
    return walk_start(&slice->shape, &slice->sets, 0, walk_runs(&slice->shape));
}

static inline int solved_value(const struct position *p)
{
    const struct material material = material_of(p);
    if (material_own(material) == 0)
        return -1;
    for (int i = 0; i < slice_count; i++)
        if (material_equal(slices[i].material, material))
            return slices[i].values[index_in(&slices[i], p)];
    CHECK(!"a slice is missing");
    return 0;
}

/* UNKNOWN while the successors do not decide it. */
static inline int value_from_moves(const struct position *p)
{
    struct position_list list;
    CHECK(kernel_list_successors(english(), p, &list) == DAME_OK);
    int best = -1;
    for (int i = 0; i < list.count; i++) {
        const int value = solved_value(&list.positions[i]);
        if (value == -1)
            return 1;
        if (value != 1)
            best = value == 0 && best != UNKNOWN ? 0 : UNKNOWN;
    }
    return best;
}

static inline bool naive_sweep(struct solved *slice)
{
    bool changed = false;
    struct walk walk = walk_slice(slice);
    while (walk_next(&walk)) {
        CHECK(walk.index == index_in(slice, &walk.position));
        int8_t *value = &slice->values[walk.index];
        if (*value != UNKNOWN)
            continue;
        *value = (int8_t)value_from_moves(&walk.position);
        changed |= *value != UNKNOWN;
    }
    return changed;
}

/* What nobody can force is a draw. Placements that do not exist become draws as well. */
static inline void naive_finish(struct solved *slice)
{
    for (uint64_t i = 0; i < slice->shape.size; i++)
        if (slice->values[i] == UNKNOWN)
            slice->values[i] = 0;
    struct walk walk = walk_slice(slice);
    while (walk_next(&walk)) {
        slice->win += slice->values[walk.index] == 1;
        slice->draw += slice->values[walk.index] == 0;
        slice->loss += slice->values[walk.index] == -1;
    }
}

/* Fills `slices`, fewer pieces first, in the order of material_list. */
static inline void naive_solve_all(void)
{
    for (int pieces = 2; pieces <= PIECES; pieces++) {
        struct material list[SLICES_MAX];
        const int count = material_list(pieces, list);
        const int first = slice_count;
        for (int i = 0; i < count; i++) {
            struct solved *slice = &slices[slice_count++];
            slice->material = list[i];
            CHECK(index_shape(english()->board, list[i], test_nesting(list[i]), &slice->shape) == DAME_OK);
            CHECK(index_sets_create(english()->board, english_ordering(), list[i], &slice->shape,
                                    &slice->sets) == DAME_OK);
            slice->values = malloc(slice->shape.size);
            memset(slice->values, UNKNOWN, slice->shape.size);
        }
        bool changed = true;
        while (changed) {
            changed = false;
            for (int i = first; i < slice_count; i++)
                changed |= naive_sweep(&slices[i]);
        }
        for (int i = first; i < slice_count; i++)
            naive_finish(&slices[i]);
    }
}

static inline void naive_free(void)
{
    for (int i = 0; i < slice_count; i++) {
        free(slices[i].values);
        index_sets_destroy(&slices[i].sets);
    }
    ordering_destroy((struct ordering *)(uintptr_t)english_ordering());
}

/* With that side to move, a capture is pending or none threatens. */
static inline bool is_known_at_once(const struct position *p)
{
    return english()->must_capture(p) || !is_threatened(p);
}

/* Whether a table must hold the value: not of captures, not of threats that one ply answers. */
static inline bool must_be_stored(const struct position *p)
{
    struct position_list list;
    bool all_known = true;
    if (english()->must_capture(p))
        return false;
    if (!is_threatened(p))
        return true;
    CHECK(kernel_list_successors(english(), p, &list) == DAME_OK);
    for (int i = 0; i < list.count; i++) {
        const bool known = is_known_at_once(&list.positions[i]);
        all_known &= known;
        if (known && solved_value(&list.positions[i]) == -1)
            return false;
    }
    return !all_known;
}

#endif
