#include "build/places.h"

#include <stdlib.h>

#include "slices/binomial.h"

/* Where the sets of one piece set stand; `set` is seen by the side that it belongs to. */
static void place_set(const struct places *places, enum piece_set piece_set, uint64_t rank, uint64_t set)
{
    const uint64_t plain = subset_rank(set);
    if (!piece_set_is_men(piece_set)) {
        places->inside[piece_set][rank] = plain;
        return;
    }
    const struct side *side = piece_set == OTHER_MEN ? places->planes->rows : places->planes->columns;
    const uint32_t class = side->class_of[plain];
    places->class_of[piece_set][rank] = class;
    places->inside[piece_set][rank] =
        (uint64_t)(side->place[plain] - side->class_start[class]) * side->king_sets;
}

enum dame_status places_create(const struct ordering *ordering, const struct planes *planes, int nesting,
                               struct places *out)
{
    const struct board *board = planes->rows->board;
    struct places places = {.planes = planes};
    enum dame_status status = index_shape(board, planes->material, nesting, &places.shape);
    if (status != DAME_OK)
        return status;
    for (int piece_set = 0; piece_set < PIECE_SETS && status == DAME_OK; piece_set++) {
        const size_t sets = (size_t)places.shape.sets[piece_set];
        const bool men = piece_set_is_men((enum piece_set)piece_set);
        places.inside[piece_set] = malloc(sets * sizeof *places.inside[piece_set]);
        if (men)
            places.class_of[piece_set] = malloc(sets * sizeof *places.class_of[piece_set]);
        if (places.inside[piece_set] == NULL || (men && places.class_of[piece_set] == NULL)) {
            status = DAME_NO_MEMORY;
            break;
        }
        const struct set_order *order = index_order(ordering, (enum piece_set)piece_set);
        uint64_t set = bits_below(index_pieces(planes->material, (enum piece_set)piece_set));
        for (size_t i = 0; i < sets; i++) {
            uint8_t pieces;
            place_set(&places, (enum piece_set)piece_set, ordering_rank(order, set, &pieces), set);
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
    for (int piece_set = 0; piece_set < PIECE_SETS; piece_set++)
        free(places->inside[piece_set]);
    free(places->row_words);
    free(places->class_of[OTHER_MEN]);
    free(places->class_of[OWN_MEN]);
    *places = (struct places){0};
}

/* The bit of one placement, given by its ranks in the file. */
static uint64_t bit_of(const struct places *places, const uint64_t ranks[PIECE_SETS])
{
    const uint32_t row_class = places->class_of[OTHER_MEN][ranks[OTHER_MEN]];
    const uint32_t column_class = places->class_of[OWN_MEN][ranks[OWN_MEN]];
    const uint64_t row =
        places->inside[OTHER_MEN][ranks[OTHER_MEN]] + places->inside[OTHER_KINGS][ranks[OTHER_KINGS]];
    return plane_bit(planes_block(places->planes, row_class, column_class),
                     64 * row * places->row_words[column_class]) +
           places->inside[OWN_MEN][ranks[OWN_MEN]] + places->inside[OWN_KINGS][ranks[OWN_KINGS]];
}

/* The bits of `count` neighbours that differ in one piece set alone, from rank `from` of it on. For men that
   is the block of the planes, for kings the place in a block. */
static void find_run(const struct places *places, enum piece_set inner, const uint64_t ranks[PIECE_SETS],
                     size_t count, uint64_t *bits)
{
    const struct planes *planes = places->planes;
    const uint64_t from = ranks[inner], *inside = places->inside[inner] + from;
    const size_t classes = planes->columns->class_count;
    const uint32_t row_class = places->class_of[OTHER_MEN][ranks[OTHER_MEN]];
    const uint32_t column_class = places->class_of[OWN_MEN][ranks[OWN_MEN]];
    const uint64_t row_words = planes_row_words(planes, column_class);
    if (!piece_set_is_men(inner)) {
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
        for (size_t i = 0; i < count; i++)
            bits[i] = plane_bit((uint32_t)(class_of[i] * classes + column_class),
                                64 * (inside[i] + other_kings) * row_words + column);
        return;
    }
    const uint64_t row = places->inside[OTHER_MEN][ranks[OTHER_MEN]] + other_kings;
    for (size_t i = 0; i < count; i++)
        bits[i] = plane_bit((uint32_t)(row_class * classes + class_of[i]),
                            64 * row * places->row_words[class_of[i]] + inside[i] + own_kings);
}

void places_find(const struct places *places, uint64_t first, size_t count, uint64_t *bits)
{
    const struct index_shape *shape = &places->shape;
    const enum piece_set inner = NESTING[shape->nesting][PIECE_SETS - 1];
    uint64_t ranks[PIECE_SETS];
    for (int piece_set = 0; piece_set < PIECE_SETS; piece_set++)
        ranks[piece_set] = index_rank(shape, (enum piece_set)piece_set, first);
    for (size_t done = 0; done < count;) {
        const uint64_t left = shape->sets[inner] - ranks[inner];
        const size_t n = left < count - done ? (size_t)left : count - done;
        find_run(places, inner, ranks, n, bits + done);
        done += n;
        ranks[inner] = 0;
        for (int i = PIECE_SETS - 2; i >= 0; i--) { /* the next set of the next slower piece set, and so on */
            const enum piece_set piece_set = NESTING[shape->nesting][i];
            if (++ranks[piece_set] < shape->sets[piece_set])
                break;
            ranks[piece_set] = 0;
        }
    }
}
