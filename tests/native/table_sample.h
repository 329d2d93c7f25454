/* A table file that holds blocks of all kinds, to be spoilt in every way. */
#ifndef DAME_TESTS_TABLE_SAMPLE_H
#define DAME_TESTS_TABLE_SAMPLE_H

#include "base/bytes.h"
#include "base/hash.h"
#include "table_file.h"

/* Of the header, see FORMAT.md. */
enum { AT_NESTING = 14, AT_TABLE_HASH = 112, AT_HEADER_HASH = 120 };

enum { SAMPLE_BLOCKS = 16, SAMPLE_BYTES = 3968 };

struct sample {
    struct table_header header;
    uint8_t packed[SAMPLE_BLOCKS * TABLE_BLOCK_MIN];
    uint8_t *file; /* to be freed */
    size_t size;
};

/* KKvK. Four kinds of blocks in turn: one value; runs of 100; runs of 10, which the toy codec makes shorter;
   a mess. `dictionary` is one byte, or NULL. */
static inline void sample_make(struct sample *sample, const uint8_t *dictionary)
{
    memset(sample, 0, sizeof *sample);
    sample->header = test_header(&BOARD_8X8, "english", "KKvK", TABLE_BLOCK_MIN, 0, 0, 0);
    for (uint64_t i = 0; i < sample->header.values; i++) {
        const uint64_t block = i / (TABLE_BLOCK_MIN * VALUES_PER_BYTE);
        const uint64_t values[4] = {block / 4 % 3, i / 100 % 3, i / 10 % 2, i * i / 7 % 3};
        values_set(sample->packed, i, (int)values[block % 4]);
    }
    sample->file = test_file_with(&BOARD_8X8, sample->header, dictionary, sample->packed, &sample->size);
}

/* Make the checksums of the block table and of the header right again. */
static inline void sign_file(uint8_t *file, uint32_t blocks)
{
    store_u64(file + AT_TABLE_HASH, hash_bytes(file + TABLE_HEADER_SIZE, (size_t)blocks * TABLE_ENTRY_SIZE));
    store_u64(file + AT_HEADER_HASH, hash_bytes(file, AT_HEADER_HASH));
}

static inline enum dame_status open_english(const char *path, struct table **table, char *detail)
{
    return table_open(path, "english", &BOARD_8X8, &TOY_CODEC, table, detail);
}

/* Open and read everything, as a user who wants to be sure. */
static inline enum dame_status open_and_check(const char *path, char *detail)
{
    struct table *table;
    enum dame_status status = open_english(path, &table, detail);
    if (status != DAME_OK)
        return status;
    status = table_check(table, NULL, detail);
    table_close(table);
    return status;
}

#endif
