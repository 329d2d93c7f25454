#include "slices/material.h"

#include "slices/binomial.h"

static char *write_side(char *to, int kings, int men)
{
    while (kings-- > 0)
        *to++ = 'K';
    while (men-- > 0)
        *to++ = 'M';
    return to;
}

void material_name(struct material m, char *name)
{
    name = write_side(name, m.own_kings, m.own_men);
    *name++ = 'v';
    name = write_side(name, m.other_kings, m.other_men);
    *name = '\0';
}

static const char *read_side(const char *from, uint8_t *kings, uint8_t *men)
{
    for (*kings = 0; *from == 'K' && *kings < PIECES_MAX; from++)
        ++*kings;
    for (*men = 0; *from == 'M' && *men < PIECES_MAX; from++)
        ++*men;
    return *kings + *men > 0 ? from : NULL;
}

enum dame_status material_parse(const char *name, struct material *out)
{
    struct material m;
    name = read_side(name, &m.own_kings, &m.own_men);
    if (name == NULL || *name != 'v')
        return DAME_BAD_ARGUMENT;
    name = read_side(name + 1, &m.other_kings, &m.other_men);
    if (name == NULL || *name != '\0' || material_pieces(m) > PIECES_MAX)
        return DAME_BAD_ARGUMENT;
    *out = m;
    return DAME_OK;
}

int material_list(int pieces, struct material *out)
{
    int count = 0;
    for (int men = 0; men <= pieces; men++)
        for (int own = pieces - 1; own >= 1; own--)
            for (int own_men = own < men ? own : men; own_men >= 0; own_men--) {
                int other = pieces - own;
                int other_men = men - own_men;
                if (other_men > other)
                    continue;
                if (out != NULL)
                    out[count] = (struct material){(uint8_t)own_men, (uint8_t)(own - own_men),
                                                   (uint8_t)other_men, (uint8_t)(other - other_men)};
                count++;
            }
    return count;
}

/* How many own men stand on the other side's crown row decides how many squares are left for its men. Kings
   take what is left. */
enum dame_status material_positions(const struct board *board, struct material m, uint64_t *positions)
{
    uint64_t total = 0;
    int squares = board->squares;
    int middle = board->squares - 2 * board->columns; /* board rows that men of both sides may use */
    for (int home = 0; home <= m.own_men && home <= board->columns; home++) {
        int inside = m.own_men - home; /* own men where the other side's may stand as well */
        if (inside > middle)
            continue;
        uint64_t ways = binomial(board->columns, home) * binomial(middle, inside);
        int room = board->men_squares - inside;
        uint64_t product;
        if (m.other_men > room || __builtin_mul_overflow(ways, binomial(room, m.other_men), &product) ||
            __builtin_add_overflow(total, product, &total))
            return DAME_TOO_LARGE;
    }
    int left = squares - m.own_men - m.other_men;
    if (__builtin_mul_overflow(total, binomial(left, m.own_kings), &total) ||
        __builtin_mul_overflow(total, binomial(left - m.own_kings, m.other_kings), &total))
        return DAME_TOO_LARGE;
    *positions = total;
    return DAME_OK;
}
