/* A table file that holds blocks of all forms, to be spoilt in every way. */
#ifndef DAME_TESTS_TABLE_SAMPLE_H
#define DAME_TESTS_TABLE_SAMPLE_H

#include "base/bytes.h"
#include "base/hash.h"
#include "table_file.h"

enum { SAMPLE_BLOCKS = 16, SAMPLE_VALUES = 15872 };

enum sample_form {
    SAMPLE_PLAIN,     /* win, draw and loss with the default model */
    SAMPLE_MODEL,     /* with a model of their own */
    SAMPLE_DISTANCES, /* dtz */
    SAMPLE_FORMS
};

struct sample {
    struct table_header header;
    uint8_t packed[SAMPLE_VALUES + 1024];
    uint8_t *file; /* to be freed */
    size_t size;
};

/* Whether both hold the same `count` values from number `first` on. Where pieces share a square there is
   none. */
static inline bool sample_same(const struct sample *sample, uint64_t first, uint64_t count, const uint8_t *a,
                               const uint8_t *b)
{
    struct ordering *ordering;
    struct index_shape shape;
    struct index_sets sets;
    bool same = true;
    if (ordering_create(&BOARD_8X8, &ordering) != DAME_OK ||
        index_shape(&BOARD_8X8, sample->header.material, 0, &shape) != DAME_OK ||
        index_sets_create(&BOARD_8X8, ordering, sample->header.material, &shape, &sets) != DAME_OK)
        abort();
    for (uint64_t i = 0; i < count; i++) {
        uint64_t all = 0;
        for (int piece_set = 0; piece_set < PIECE_SETS; piece_set++)
            all |= sets.of[piece_set][index_rank(&shape, (enum piece_set)piece_set, first + i)];
        same &=
            bit_count(all) < 3 || layout_value(&sample->header, a, i) == layout_value(&sample->header, b, i);
    }
    index_sets_destroy(&sets);
    ordering_destroy(ordering);
    return same;
}

/* Where the entries begin. */
static inline uint8_t *sample_entries(const struct sample *sample)
{
    return sample->file + sample->size - (size_t)load_u32(sample->file + AT(entry_count)) * TABLE_ENTRY_SIZE;
}

/* A model for some of the blocks. */
static inline size_t sample_model(const struct sample *sample, uint8_t *bytes)
{
    struct test_coding *coding = test_coding_create(&BOARD_8X8, &sample->header, NULL, 0);
    struct model_counts *counts = calloc(1, sizeof *counts);
    uint8_t packed[TABLE_BLOCK_MIN + CODER_SLACK] = {0};
    for (uint32_t block = 1; block < SAMPLE_BLOCKS - 1; block += 4) {
        memcpy(packed, sample->packed + block * TABLE_BLOCK_MIN, TABLE_BLOCK_MIN);
        coder_count(&coding->lines, &coding->model, (uint64_t)block * TABLE_BLOCK_MIN * VALUES_PER_BYTE,
                    TABLE_BLOCK_MIN * VALUES_PER_BYTE, packed, counts);
    }
    const size_t size = model_write(counts, &coding->model, bytes);
    free(counts);
    test_coding_destroy(coding);
    return size;
}

/* KKvK in sixteen blocks, of four sorts in turn: one value; two that change slowly; two that change quickly;
   a mess. */
static inline void sample_make(struct sample *sample, enum sample_form form)
{
    memset(sample, 0, sizeof *sample);
    sample->header = test_header(&BOARD_8X8, "english", "KKvK", TABLE_BLOCK_MIN, 0, 0, 0);
    if (form == SAMPLE_DISTANCES) {
        sample->header.win = sample->header.draw;
        sample->header.draw = 0;
        sample->header.block_size = 1024;
        sample->header = with_distances(sample->header, METRIC_DTZ, (struct draw_rule){0}, 3, -1);
    }
    for (uint64_t i = 0; i < SAMPLE_VALUES; i++) {
        const uint64_t block = i / 1024;
        const uint64_t values[4] = {block / 4 % 3, i / 100 % 3, i / 10 % 2, i * i / 7 % 3};
        if (form == SAMPLE_DISTANCES)
            sample->packed[i] = (uint8_t)(values[block % 4] + 1);
        else
            values_set(sample->packed, i, (int)values[block % 4]);
    }
    uint8_t model[MODEL_BYTES_MAX];
    const size_t size = form == SAMPLE_MODEL ? sample_model(sample, model) : 0;
    sample->file =
        test_file_with(&BOARD_8X8, sample->header, model, (uint32_t)size, sample->packed, &sample->size);
    sample->header.model_size = (uint32_t)size;
}

/* Make the checksums of the block table and of the header right again. */
static inline void sign_file(uint8_t *file, size_t size)
{
    const size_t table = (size_t)load_u32(file + AT(entry_count)) * TABLE_ENTRY_SIZE;
    store_u64(file + AT(table_hash), hash_bytes(file + size - table, table));
    store_u64(file + AT(header_hash), hash_bytes(file, AT(header_hash)));
}

static inline enum dame_status open_english(const char *path, struct table **table, char *detail)
{
    return table_open(NULL, path, "english", &BOARD_8X8, &TOY_CODEC, table, detail);
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
