#include "build/free_values.h"

#include <stdbool.h>
#include <string.h>

#include "slices/rows.h"

static bool has(uint32_t set, int square)
{
    return set >> square & 1;
}

/* A man may jump unless one of the mover's own kings stands on the landing square. */
static void add_men_captures(const struct columns *kings, const struct steps *steps, struct run run,
                             size_t words, uint64_t *out)
{
    uint32_t others = run.other_men | run.other_kings, fixed = others | run.own_men;
    for (uint32_t men = run.own_men; men != 0; men &= men - 1)
        for (int direction = 0; direction < DIRECTIONS_DOWN; direction++) {
            int over = steps->next[bit_lowest(men)][direction];
            int landing = over >= 0 && has(others, over) ? steps->next[over][direction] : -1;
            if (landing < 0 || has(fixed, landing))
                continue;
            for (size_t i = 0; i < words; i++)
                out[i] |= ~kings->king[landing][i];
        }
}

static void add_king_captures(const struct columns *kings, const struct steps *steps, struct run run,
                              size_t words, uint64_t *out)
{
    uint32_t others = run.other_men | run.other_kings, fixed = others | run.own_men;
    for (uint32_t left = others; left != 0; left &= left - 1)
        for (int direction = 0; direction < DIRECTIONS; direction++) {
            int over = bit_lowest(left);
            int landing = steps->next[over][direction], from = steps->next[over][DIRECTIONS - 1 - direction];
            if (landing < 0 || from < 0 || has(fixed, landing) || has(fixed, from))
                continue;
            for (size_t i = 0; i < words; i++)
                out[i] |= kings->king[from][i] & ~kings->king[landing][i];
        }
}

void free_values(const struct side *kings, const struct steps *steps, struct run run, uint64_t *out)
{
    const struct columns *columns = &kings->columns[0];
    size_t words = row_words(kings->king_sets);
    uint32_t others = run.other_men | run.other_kings;
    if ((run.other_men & run.other_kings) != 0 || (others & run.own_men) != 0) {
        memset(out, 0xFF, words * sizeof *out);
        return;
    }
    row_clear(out, words);
    add_men_captures(columns, steps, run, words, out);
    if (kings->kings == 0)
        return;
    add_king_captures(columns, steps, run, words, out);
    for (uint32_t fixed = others | run.own_men; fixed != 0; fixed &= fixed - 1)
        row_or_into(out, columns->king[bit_lowest(fixed)], words);
}
