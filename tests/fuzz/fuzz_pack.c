/* Packed blocks of planes: any bytes are refused, or unpack to something that packs again; any bytes of a
   block come back as they were.

       input = words of a row (1 byte), words of the block (2 bytes), bytes

   The bytes are taken as a packed block of that size, and as a block whose planes are of that size; what is
   left is distances. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "planes/pack.h"

enum { FRONT = 3 };

static struct pack_scratch scratch;

static void require(int condition, const char *what)
{
    if (condition)
        return;
    fprintf(stderr, "fuzz_pack: %s\n", what);
    abort();
}

/* Memory of exactly this size, so that every byte too far shows. */
static uint8_t *exactly(const uint8_t *bytes, size_t size)
{
    uint8_t *copy = calloc(1, size == 0 ? 1 : size);
    require(copy != NULL, "no memory");
    if (bytes != NULL && size != 0)
        memcpy(copy, bytes, size);
    return copy;
}

static void pack_and_unpack(const uint8_t *block, size_t size, size_t plane_bytes, size_t row_bytes)
{
    const size_t capacity = 2 * size + 100;
    uint8_t *packed = exactly(NULL, capacity), *found = exactly(NULL, size);
    size_t packed_size;
    pack(block, size, plane_bytes, row_bytes, &scratch, packed, capacity, &packed_size);
    require(0 < packed_size && packed_size <= capacity, "packed bytes do not fit");
    uint8_t *exact = exactly(packed, packed_size);
    require(unpack(exact, packed_size, &scratch, found, size), "packed bytes are refused");
    require(memcmp(found, block, size) == 0, "another block");
    free(exact);
    free(found);
    free(packed);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < FRONT)
        return 0;
    const size_t row_bytes = 8 * (size_t)data[0], block_size = 8 * (size_t)load_u16(data + 1);
    uint8_t *bytes = exactly(data + FRONT, size - FRONT), *block = exactly(NULL, block_size);
    if (unpack(bytes, size - FRONT, &scratch, block, block_size))
        pack_and_unpack(block, block_size, block_size, row_bytes);
    const size_t whole_words = (size - FRONT) / 8 * 8;
    pack_and_unpack(bytes, whole_words, block_size < whole_words ? block_size : whole_words, row_bytes);
    free(block);
    free(bytes);
    return 0;
}
