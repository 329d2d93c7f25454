/* Blocks of planes at rest, packed: for files that live no longer than a build.

   A block is cut into pieces of 64 bytes (the last one may be shorter, a multiple of 8). Near rows are alike,
   so of each piece only that is kept in which it differs from the one that is most like it, a few rows above:

       choice    at which place of ROWS_ABOVE (pack.c) stands how many rows above that is, times 2; place 0:
                 nowhere, the piece differs from zeros. And 1 if it differs at all; only then there are
       mask      a bit for each byte that differs, 8 bytes
       literals  for each byte that differs: the exclusive or of the two

   All that, for up to PACK_PART bytes of the block, makes one part of the packed bytes: all its choices, all
   its masks, all its literals. Each of these three strings stands there in the shortest form:

       form 0    a byte, if all bytes of the string are that
       form 1    the string itself
       form 2    a prefix code (planes/huffman.h)

   Planes and distances never stand in the same part. Before the parts stand the length of a row of the planes
   and that of all planes, in words (4 bytes each). Rows of distances are 8 times as long. Of rows that are
   shorter than a piece, as many as cover one count as one. */
#ifndef DAME_PLANES_PACK_H
#define DAME_PLANES_PACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "planes/huffman.h"

enum { PACK_PART = 1 << 17, PACK_PIECE = 64 };

/* Working memory of one thread, of no particular content. */
struct pack_scratch {
    uint8_t choices[PACK_PART / PACK_PIECE], masks[PACK_PART / 8], literals[PACK_PART];
    struct huffman_table table;
};

/* Pack a block of `size` bytes: the planes, whose rows are `row_bytes` long (0: they have none), and
   distances, a byte for each bit of a plane, from byte `plane_bytes` on. All three are multiples of 8.
   *packed is the number of bytes written, at most `capacity`; 0: there would be more. The same input gives
   the same bytes. */
void pack(const void *bytes, size_t size, size_t plane_bytes, size_t row_bytes, struct pack_scratch *scratch,
          void *out, size_t capacity, size_t *packed);

/* The inverse, where `size` is that of what was packed. False: these bytes are none of pack's. Damaged ones
   may become other bytes, but nothing is read or written outside. */
bool unpack(const void *packed, size_t packed_size, struct pack_scratch *scratch, void *out, size_t size);

#endif
