#include "kernel/unit.h"

#include "slices/rows.h"

enum { MATRICES = 6, SCRATCH_ROWS = 3 * (PIECES_MAX + 4) };

static size_t padded_rows(uint64_t rows)
{
    return (size_t)(row_words(rows) * 64);
}

static size_t half_words(uint64_t rows, uint64_t columns)
{
    size_t flags = 2 * padded_rows(rows) / sizeof(uint64_t);
    return MATRICES * padded_rows(rows) * row_words(columns) + flags;
}

enum dame_status unit_memory_words(const struct side_shape *a, const struct side_shape *b, uint64_t *words)
{
    uint64_t rows = a->widest, columns = b->widest, cells;
    if (__builtin_mul_overflow(rows + 64, columns + 64, &cells) || cells > SIZE_MAX / 64)
        return DAME_TOO_LARGE;
    uint64_t widest = rows > columns ? rows : columns;
    *words = half_words(rows, columns) + half_words(columns, rows) + SCRATCH_ROWS * (row_words(widest) + 1);
    return DAME_OK;
}

static uint64_t *lay_half(struct half *half, uint64_t rows, uint64_t columns, uint64_t *memory)
{
    uint64_t **matrices[MATRICES] = {&half->won,      &half->lost,     &half->quiet,
                                     &half->cornered, &half->seen_won, &half->seen_lost};
    for (int i = 0; i < MATRICES; i++) {
        *matrices[i] = memory;
        memory += padded_rows(rows) * row_words(columns);
    }
    half->changed = (uint8_t *)memory;
    half->stale = half->changed + padded_rows(rows);
    return memory + 2 * padded_rows(rows) / sizeof(uint64_t);
}

void unit_memory_lay(struct unit_memory *memory, const struct side *a, uint32_t a_class, const struct side *b,
                     uint32_t b_class)
{
    uint64_t rows = side_width(a, a_class), columns = side_width(b, b_class);
    uint64_t *next = lay_half(&memory->halves[0], rows, columns, memory->memory);
    memory->scratch = lay_half(&memory->halves[1], columns, rows, next);
}
