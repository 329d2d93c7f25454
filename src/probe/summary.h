/* One value of every cache line of a preloaded table whose values are all alike, which two of five lines are.
   Summaries of all tables of five pieces fit into the processor's second cache, the tables do not. */
#ifndef DAME_PROBE_SUMMARY_H
#define DAME_PROBE_SUMMARY_H

#include "tables/values.h"

enum { SUMMARY_LINE_BYTES = 64, SUMMARY_LINE_VALUES = SUMMARY_LINE_BYTES * VALUES_PER_BYTE };

/* Whole lines that hold `bytes` bytes. */
static inline uint64_t summary_lines(uint64_t bytes)
{
    return bytes / SUMMARY_LINE_BYTES + (bytes % SUMMARY_LINE_BYTES != 0);
}

/* The value of each of `lines` lines packed likewise, VALUE_NEVER where they differ. */
void summary_make(const uint8_t *packed, uint64_t lines, uint8_t *summary);

/* 1, 0, -1 as the value at `index` says, from `summary` if possible. Without a branch, which would often be
   mispredicted: where a summary knows, the first value of the table is read, which is at hand. */
static inline int summary_wdl(const uint8_t *packed, const uint8_t *summary, uint64_t index)
{
    static const int8_t WDL[VALUES_PER_BYTE][VALUES_PER_BYTE] = {
        [VALUE_DRAW] = {0, 0, 0, 0},
        [VALUE_WIN] = {1, 1, 1, 1},
        [VALUE_LOSS] = {-1, -1, -1, -1},
        [VALUE_NEVER] = {[VALUE_DRAW] = 0, [VALUE_WIN] = 1, [VALUE_LOSS] = -1},
    };
    const unsigned common = (unsigned)values_get(summary, index / SUMMARY_LINE_VALUES);
    const uint64_t unknown = -(uint64_t)((common + 1) >> 2); /* all bits set for VALUE_NEVER */
    const unsigned byte = packed[(index & unknown) / VALUES_PER_BYTE];
    return WDL[common][byte >> index % VALUES_PER_BYTE * 2 & 3];
}

#endif
