/* Win, draw and loss as runs of equal values: how a table file holds them before zstd (FORMAT.md).

   Three values, so a run that ends is followed by one of two: nearly always the one that stood before it.
   Only where it is the third value is that said.

       code   = value, length, next, length, next ...   the last run ends with the block: no length
       length = 255, ..., 255, rest                    255 for each, a rest of 0 to 254; at least 1
       next   = nothing, or 0                          the value before; 0: the third one

   Of a run whose end is free, since values between it and the next do not matter, the end is put where a run
   ended one row before: zstd finds what repeats. */
#ifndef DAME_TABLES_RUNS_H
#define DAME_TABLES_RUNS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { RUNS_FREE = 3, RUNS_VALUES_MAX = 1 << 16 };

/* Whether all values that are not free are the same, and which (0 if all are free). */
bool runs_are_one(const uint8_t *values, size_t count, uint8_t *value);

/* Encode `count` values (0, 1, 2 or RUNS_FREE; at most RUNS_VALUES_MAX) in rows of `row` into at most
   `capacity` bytes. Returns their number, 0 if that does not suffice. */
size_t runs_encode(const uint8_t *values, size_t count, uint64_t row, uint8_t *out, size_t capacity);

/* Decode into `count` packed values (values.h), unused bits zero; false if `code` does not stand for exactly
   so many. */
bool runs_decode(const uint8_t *code, size_t size, uint8_t *packed, size_t count);

#endif
