/* The choice among captures where the rules make one: first it is found out which order (key, captures.h) is
   the greatest one in each position of a row, then the values of the captures that have it are taken. */
#ifndef DAME_KERNEL_ROWS_PRIORITY_H
#define DAME_KERNEL_ROWS_PRIORITY_H

#include "kernel/captures.h"
#include "kernel/rows/ends.h"

/* The keys that occur in a row, the greatest first, and in which positions. */
struct row_priority {
    int count, most; /* keys so far, and how many there can be */
    bool decided;    /* the second walk */
    uint64_t *keys;  /* [most] */
    int *number;     /* [most] which of `rows` */
    uint64_t *rows;  /* [most] first: a capture of this key exists; then: it is the greatest one */
    uint64_t *chosen;
};

static inline bool rules_choose(void)
{
    return RULES.priority != PRIORITY_FREE;
}

/* How many keys a row can have if so many men and kings are there to be captured: all orders of them. */
static inline size_t keys_most(int men, int kings)
{
    if (!rules_choose())
        return 0;
    if (RULES.priority == PRIORITY_KING_FIRST)
        return 2;
    if (RULES.priority == PRIORITY_MOST)
        return (size_t)(men + kings);
    if (RULES.priority == PRIORITY_MOST_KINGS)
        return (size_t)((men + 1) * (kings + 1) - 1);
    return 2 * (size_t)(binomial(men + kings + 2, men + 1) - 1);
}

static inline uint64_t *key_row(const struct row_work *work, int at)
{
    return work->choice->rows + (size_t)work->choice->number[at] * work->row.words;
}

/* First walk: captures of this key exist in `reach`. */
static inline void note_key(const struct row_work *work, uint64_t key, const uint64_t *reach)
{
    struct row_priority *choice = work->choice;
    int at = 0;
    while (at < choice->count && choice->keys[at] > key)
        at++;
    if (at == choice->count || choice->keys[at] != key) {
        assert(choice->count < choice->most);
        for (int i = choice->count; i > at; i--) {
            choice->keys[i] = choice->keys[i - 1];
            choice->number[i] = choice->number[i - 1];
        }
        choice->keys[at] = key;
        choice->number[at] = choice->count++;
        row_clear(key_row(work, at), work->row.words);
    }
    row_or_into(key_row(work, at), reach, work->row.words);
}

/* Every position keeps its greatest key. */
static inline void decide_keys(const struct row_work *work, uint64_t *scratch)
{
    row_clear(scratch, work->row.words);
    for (int at = 0; at < work->choice->count; at++) {
        uint64_t *rows = key_row(work, at);
        for (size_t i = 0; i < work->row.words; i++) {
            const uint64_t found = rows[i];
            rows[i] = found & ~scratch[i];
            scratch[i] |= found;
        }
    }
    work->choice->decided = true;
}

/* The path ends on `square` for the positions in `reach`, as far as the rules allow this capture there. */
static inline void path_ends(const struct row_work *work, const struct row_capture *capture, int square,
                             const uint64_t *reach, const uint64_t *taken)
{
    if (!rules_choose()) {
        capture_ends(work, capture, square, reach, taken);
        return;
    }
    if (!work->choice->decided) {
        note_key(work, capture->key, reach);
        return;
    }
    int at = 0;
    while (work->choice->keys[at] != capture->key)
        at++;
    const uint64_t *greatest = key_row(work, at);
    uint64_t any = 0, *chosen = work->choice->chosen;
    for (size_t i = 0; i < work->row.words; i++) {
        chosen[i] = reach[i] & greatest[i];
        any |= chosen[i];
    }
    if (any != 0)
        capture_ends(work, capture, square, chosen, taken);
}

#endif
