#include "build/places.h"

#include <stdlib.h>

#include "slices/binomial.h"

/* Where the sets of one kind stand; `set` is seen by the side that it belongs to. */
static void place_set(const struct places *places, enum kind kind, uint64_t rank, uint64_t set)
{
    const uint64_t plain = subset_rank(set);
    if (!kind_is_men(kind)) {
        places->inside[kind][rank] = plain;
        return;
    }
    const struct side *side = kind == OTHER_MEN ? places->planes->rows : places->planes->columns;
    const uint32_t class = side->class_of[plain];
    places->class_of[kind][rank] = class;
    places->inside[kind][rank] = (uint64_t)(side->place[plain] - side->class_start[class]) * side->king_sets;
}

enum dame_status places_create(const struct ordering *ordering, const struct planes *planes, int nesting,
                               struct places *out)
{
    const struct board *board = planes->rows->board;
    struct places places = {.planes = planes};
    enum dame_status status = index_shape(board, planes->material, nesting, &places.shape);
    if (status != DAME_OK)
        return status;
    for (int kind = 0; kind < KINDS && status == DAME_OK; kind++) {
        const size_t sets = (size_t)places.shape.sets[kind];
        const bool men = kind_is_men((enum kind)kind);
        places.inside[kind] = malloc(sets * sizeof *places.inside[kind]);
        if (men)
            places.class_of[kind] = malloc(sets * sizeof *places.class_of[kind]);
        if (places.inside[kind] == NULL || (men && places.class_of[kind] == NULL)) {
            status = DAME_NO_MEMORY;
            break;
        }
        const struct set_order *order = index_order(ordering, (enum kind)kind);
        uint64_t set = bits_below(index_pieces(planes->material, (enum kind)kind));
        for (size_t i = 0; i < sets; i++) {
            uint8_t pieces;
            place_set(&places, (enum kind)kind, ordering_rank(order, set, &pieces), set);
            if (i + 1 < sets)
                set = subset_next(set);
        }
    }
    const uint32_t classes = planes->columns->class_count;
    places.row_words = malloc(classes * sizeof *places.row_words);
    if (places.row_words == NULL)
        status = DAME_NO_MEMORY;
    for (uint32_t class = 0; class < classes && status == DAME_OK; class++)
        places.row_words[class] = planes_row_words(planes, class);
    if (status != DAME_OK) {
        places_destroy(&places);
        return status;
    }
    *out = places;
    return DAME_OK;
}

void places_destroy(struct places *places)
{
    for (int kind = 0; kind < KINDS; kind++)
        free(places->inside[kind]);
    free(places->row_words);
    free(places->class_of[OTHER_MEN]);
    free(places->class_of[OWN_MEN]);
    *places = (struct places){0};
}

/* The bit of one placement, given by its ranks in the file. */
static uint64_t bit_of(const struct places *places, const uint64_t ranks[KINDS])
{
    const uint32_t row_class = places->class_of[OTHER_MEN][ranks[OTHER_MEN]];
    const uint32_t column_class = places->class_of[OWN_MEN][ranks[OWN_MEN]];
    const uint64_t row =
        places->inside[OTHER_MEN][ranks[OTHER_MEN]] + places->inside[OTHER_KINGS][ranks[OTHER_KINGS]];
    return 64 * planes_at(places->planes, row_class, column_class, row) +
           places->inside[OWN_MEN][ranks[OWN_MEN]] + places->inside[OWN_KINGS][ranks[OWN_KINGS]];
}

/* The bits of `count` neighbours that differ in one kind alone, from rank `from` of it on. For men that is
   the block of the planes, for kings the place in a block. */
static void find_run(const struct places *places, enum kind inner, const uint64_t ranks[KINDS], size_t count,
                     uint64_t *bits)
{
    const struct planes *planes = places->planes;
    const uint64_t from = ranks[inner], *inside = places->inside[inner] + from;
    const size_t classes = planes->columns->class_count;
    const uint32_t row_class = places->class_of[OTHER_MEN][ranks[OTHER_MEN]];
    const uint32_t column_class = places->class_of[OWN_MEN][ranks[OWN_MEN]];
    const uint64_t row_words = planes_row_words(planes, column_class);
    if (!kind_is_men(inner)) {
        const uint64_t step = inner == OWN_KINGS ? 1 : 64 * row_words;
        const uint64_t base = bit_of(places, ranks) - inside[0] * step;
        for (size_t i = 0; i < count; i++)
            bits[i] = base + inside[i] * step;
        return;
    }
    const uint32_t *class_of = places->class_of[inner] + from;
    const uint64_t own_kings = places->inside[OWN_KINGS][ranks[OWN_KINGS]];
    const uint64_t other_kings = places->inside[OTHER_KINGS][ranks[OTHER_KINGS]];
    if (inner == OTHER_MEN) {
        const uint64_t column = places->inside[OWN_MEN][ranks[OWN_MEN]] + own_kings;
        const size_t *offset = planes->offset + column_class;
        for (size_t i = 0; i < count; i++)
            bits[i] = 64 * (offset[class_of[i] * classes] + (inside[i] + other_kings) * row_words) + column;
        return;
    }
    const uint64_t row = places->inside[OTHER_MEN][ranks[OTHER_MEN]] + other_kings;
    const size_t *offset = planes->offset + row_class * classes;
    for (size_t i = 0; i < count; i++)
        bits[i] = 64 * (offset[class_of[i]] + row * places->row_words[class_of[i]]) + inside[i] + own_kings;
}

void places_find(const struct places *places, uint64_t first, size_t count, uint64_t *bits)
{
    const struct index_shape *shape = &places->shape;
    const enum kind inner = NESTING[shape->nesting][KINDS - 1];
    uint64_t ranks[KINDS];
    for (int kind = 0; kind < KINDS; kind++)
        ranks[kind] = index_rank(shape, (enum kind)kind, first);
    for (size_t done = 0; done < count;) {
        const uint64_t left = shape->sets[inner] - ranks[inner];
        const size_t n = left < count - done ? (size_t)left : count - done;
        find_run(places, inner, ranks, n, bits + done);
        done += n;
        ranks[inner] = 0;
        for (int i = KINDS - 2; i >= 0; i--) { /* the next set of the kind outside, and so on */
            const enum kind kind = NESTING[shape->nesting][i];
            if (++ranks[kind] < shape->sets[kind])
                break;
            ranks[kind] = 0;
        }
    }
}
