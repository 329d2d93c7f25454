/* Material: how many men and kings each side has, seen by the side to move. One material is one slice. */
#ifndef DAME_SLICES_MATERIAL_H
#define DAME_SLICES_MATERIAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "boards/board.h"

enum { PIECES_MAX = 12, MATERIAL_NAME_MAX = 2 * PIECES_MAX + 2 };

struct material {
    uint8_t own_men, own_kings, other_men, other_kings;
};

static inline int material_own(struct material m)
{
    return m.own_men + m.own_kings;
}
static inline int material_other(struct material m)
{
    return m.other_men + m.other_kings;
}
static inline int material_pieces(struct material m)
{
    return material_own(m) + material_other(m);
}

/* The same pieces seen by the other side. */
static inline struct material material_mirror(struct material m)
{
    return (struct material){m.other_men, m.other_kings, m.own_men, m.own_kings};
}

static inline bool material_equal(struct material a, struct material b)
{
    return a.own_men == b.own_men && a.own_kings == b.own_kings && a.other_men == b.other_men &&
           a.other_kings == b.other_kings;
}

/* Own pieces first, kings before men: "KKMvKM". Writes at most MATERIAL_NAME_MAX bytes, zero included. */
void material_name(struct material m, char *name);

/* The inverse. DAME_BAD_ARGUMENT for anything material_name does not write. */
enum dame_status material_parse(const char *name, struct material *out);

/* All slices of exactly `pieces` pieces with at least one on each side, in the order in which they can be
   solved: fewer men first. Returns their number; writes them if `out` is not NULL. */
int material_list(int pieces, struct material *out);

/* Placements of the material on the board for one side to move; no man on its crown row.
   DAME_TOO_LARGE if the number does not fit. */
enum dame_status material_positions(const struct board *board, struct material m, uint64_t *positions);

#endif
