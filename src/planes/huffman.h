/* Strings of bytes in a prefix code of their own: Huffman's, with at most HUFFMAN_BITS bits a byte.

       lengths   for each byte value in turn the bits of its code, half a byte, the low half first; after a 0,
                 which means that the value does not occur, the number of values behind it that do not either
       sizes     of four streams of bits, 2 bytes each
       streams   byte i of the string is coded in stream i % 4, from the highest bit of each byte on

   Codes are canonical: they rise with their length, and those of equal length with the byte value. There are
   four streams since a processor decodes them side by side. */
#ifndef DAME_PLANES_HUFFMAN_H
#define DAME_PLANES_HUFFMAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { HUFFMAN_BITS = 11, HUFFMAN_COUNT_MAX = 1 << 17 };

/* What the next HUFFMAN_BITS bits begin with: the length of a code, and its byte value << 8. */
struct huffman_table {
    uint16_t entries[1 << HUFFMAN_BITS];
};

/* Code `count` bytes, at most HUFFMAN_COUNT_MAX and not all of them equal. Returns the bytes written, 0 if
   they would be more than `capacity`. */
size_t huffman_encode(const uint8_t *bytes, size_t count, uint8_t *out, size_t capacity);

/* Decode `count` bytes from a code at the beginning of `size` bytes. Returns the bytes it takes there, 0 if
   it is none. */
size_t huffman_decode(const uint8_t *code, size_t size, struct huffman_table *table, uint8_t *bytes,
                      size_t count);

#endif
