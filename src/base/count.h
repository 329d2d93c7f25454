/* Counts of leaves (perft), which soon pass 64 bits: 40 plies of two kings do. Sums and products that do
   not fit into 128 bits are reported. */
#ifndef DAME_BASE_COUNT_H
#define DAME_BASE_COUNT_H

#include <stdbool.h>
#include <stdint.h>

typedef unsigned __int128 leaf_count;

/* *total += more; false, with *total undefined, if that does not fit. */
static inline bool count_add(leaf_count *total, leaf_count more)
{
    return !__builtin_add_overflow(*total, more, total);
}

/* *total += times * more, likewise. */
static inline bool count_add_times(leaf_count *total, uint64_t times, leaf_count more)
{
    leaf_count product;
    return !__builtin_mul_overflow(more, (leaf_count)times, &product) && count_add(total, product);
}

/* The upper and the lower 64 bits. */
static inline uint64_t count_high(leaf_count count)
{
    return (uint64_t)(count >> 64);
}

static inline uint64_t count_low(leaf_count count)
{
    return (uint64_t)count;
}

#endif
