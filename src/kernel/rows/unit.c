#include "kernel/rows/unit.h"

#include "planes/rows.h"

enum { MATRICES = 6 };

/* Flags of rows, and with distances two bytes for every bit of a row. */
static size_t half_words(uint64_t rows, uint64_t columns, enum metric metric)
{
    size_t cells = row_padded(rows) * row_words(columns), flags = 3 * row_padded(rows) / sizeof(uint64_t);
    size_t bytes = !metric_has_plies(metric) ? 0 : 2 * 64 / sizeof(uint64_t) * cells;
    return MATRICES * cells + flags + bytes;
}

enum dame_status unit_memory_words(const struct row_kernel *rows, const struct side_shape *a,
                                   const struct side_shape *b, enum metric metric, uint64_t *words)
{
    uint64_t width = a->widest, columns = b->widest, cells;
    if (__builtin_mul_overflow(width + 64, columns + 64, &cells) || cells > SIZE_MAX / 64)
        return DAME_TOO_LARGE;
    const size_t scratch_a = rows->scratch_words(b->men, b->kings, row_words(columns));
    const size_t scratch_b = rows->scratch_words(a->men, a->kings, row_words(width));
    *words = half_words(width, columns, metric) + half_words(columns, width, metric) +
             (scratch_a > scratch_b ? scratch_a : scratch_b);
    return DAME_OK;
}

static uint64_t *lay_half(struct half *half, uint64_t rows, uint64_t columns, enum metric metric,
                          uint64_t *memory)
{
    uint64_t **matrices[MATRICES] = {&half->won,      &half->lost,     &half->quiet,
                                     &half->cornered, &half->seen_won, &half->seen_lost};
    size_t cells = row_padded(rows) * row_words(columns);
    for (int i = 0; i < MATRICES; i++) {
        *matrices[i] = memory;
        memory += cells;
    }
    uint8_t *bytes = (uint8_t *)memory;
    uint8_t **flags[] = {&half->changed, &half->stale, &half->due};
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++) {
        *flags[i] = bytes;
        bytes += row_padded(rows);
    }
    if (metric_has_plies(metric)) {
        half->win_in = bytes;
        half->lose_in = bytes + 64 * cells;
        bytes += 2 * 64 * cells;
    }
    return (uint64_t *)(void *)bytes;
}

void unit_memory_lay(struct unit_memory *memory, enum metric metric, const struct side *a, uint32_t a_class,
                     const struct side *b, uint32_t b_class)
{
    uint64_t rows = side_width(a, a_class), columns = side_width(b, b_class);
    uint64_t *next = lay_half(&memory->halves[0], rows, columns, metric, memory->memory);
    memory->scratch = lay_half(&memory->halves[1], columns, rows, metric, next);
}
