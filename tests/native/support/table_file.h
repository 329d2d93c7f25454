/* Small table files for the tests, and a toy codec in place of zstd: pairs of a run length and a byte. */
#ifndef DAME_TESTS_TABLE_FILE_H
#define DAME_TESTS_TABLE_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/status.h"
#include "boards/board.h"
#include "slices/index.h"
#include "slices/material.h"
#include "tables/coder.h"
#include "tables/layout.h"
#include "tables/reader.h"
#include "tables/values.h"
#include "tables/writer.h"
#include "test_folder.h"

/* Where a field of the header stands. */
#define AT(field) offsetof(struct header_bytes, field)

static const struct board BOARD_8X8 = {.squares = 32, .columns = 4, .rows = 8, .men_squares = 28};
static const struct board BOARD_10X10 = {.squares = 50, .columns = 5, .rows = 10, .men_squares = 45};

static inline size_t toy_encode(const uint8_t *source, size_t size, uint8_t *target)
{
    size_t written = 0;
    for (size_t i = 0; i < size;) {
        size_t run = 1;
        while (i + run < size && run < 255 && source[i + run] == source[i])
            run++;
        target[written++] = (uint8_t)run;
        target[written++] = source[i];
        i += run;
    }
    return written;
}

enum { TOY_MAGIC_SIZE = 4 };

/* The frame begins with the magic number of zstd, which is not in the file. */
static inline enum dame_status toy_decode(void *context, const uint8_t *source, size_t size, uint8_t *target,
                                          size_t capacity, size_t *written)
{
    (void)context;
    *written = 0;
    if (size < TOY_MAGIC_SIZE || memcmp(source, "\x28\xB5\x2F\xFD", TOY_MAGIC_SIZE) != 0)
        return DAME_CORRUPT_TABLE;
    for (size_t i = TOY_MAGIC_SIZE; i + 1 < size; i += 2) {
        if (source[i] > capacity - *written)
            return DAME_TOO_LARGE;
        memset(target + *written, source[i + 1], source[i]);
        *written += source[i];
    }
    return DAME_OK;
}

static const struct codec TOY_CODEC = {toy_decode, NULL};

/* The facts of a table; the counts are made up if win, draw and loss are all 0. */
static inline struct table_header test_header(const struct board *board, const char *variant,
                                              const char *name, uint32_t block_size, uint64_t win,
                                              uint64_t draw, uint64_t loss)
{
    struct table_header header = {
        .block_size = block_size,
        .win = win,
        .draw = draw,
        .loss = loss,
        .longest_win = TABLE_NO_DISTANCE,
        .longest_loss = TABLE_NO_DISTANCE,
    };
    struct index_shape shape;
    if (material_parse(name, &header.material) != DAME_OK ||
        index_shape(board, header.material, 0, &shape) != DAME_OK)
        abort();
    if (win + draw + loss == 0 && material_positions(board, header.material, &header.draw) != DAME_OK)
        abort();
    snprintf(header.variant, sizeof header.variant, "%s", variant);
    header.values = shape.size;
    header.block_count = (uint32_t)layout_block_count(&header);
    return header;
}

/* The same facts for a table of distances; -1: there is no win or loss. */
static inline struct table_header with_distances(struct table_header header, enum metric metric,
                                                 struct draw_rule draw_rule, int longest_win,
                                                 int longest_loss)
{
    header.metric = metric;
    header.coding = metric_page(metric)->coding;
    header.draw_rule = draw_rule;
    header.longest_win = longest_win < 0 ? TABLE_NO_DISTANCE : (uint16_t)longest_win;
    header.longest_loss = longest_loss < 0 ? TABLE_NO_DISTANCE : (uint16_t)longest_loss;
    header.block_count = (uint32_t)layout_block_count(&header);
    return header;
}

/* What win, draw and loss of a file are coded with. */
struct test_coding {
    struct lines lines;
    struct model model;
};

static inline struct test_coding *test_coding_create(const struct board *board,
                                                     const struct table_header *header, const uint8_t *model,
                                                     size_t model_size)
{
    struct test_coding *coding = calloc(1, sizeof *coding);
    struct ordering *ordering;
    struct index_shape shape;
    if (coding == NULL || !model_read(model, model_size, &coding->model) ||
        ordering_create(board, &ordering) != DAME_OK ||
        index_shape(board, header->material, header->nesting, &shape) != DAME_OK ||
        lines_create(board, ordering, header->material, &shape,
                     (uint64_t)header->block_size * VALUES_PER_BYTE, &coding->lines) != DAME_OK)
        abort();
    ordering_destroy(ordering);
    return coding;
}

static inline void test_coding_destroy(struct test_coding *coding)
{
    if (coding != NULL)
        lines_destroy(&coding->lines);
    free(coding);
}

/* The code of a block: of values, or the bytes of distances as they are. Returns its size, 0 if a code is not
   shorter than the packed values. */
static inline size_t block_code(const struct table_header *header, const struct test_coding *coding,
                                uint32_t block, const uint8_t *bytes, uint8_t *code)
{
    const uint32_t size = layout_block_bytes(header, block);
    if (header->coding != CODING_VALUES) {
        memcpy(code, bytes, size);
        return size;
    }
    const uint64_t first = (uint64_t)block * header->block_size * VALUES_PER_BYTE;
    const uint64_t left = header->values - first, most = (uint64_t)header->block_size * VALUES_PER_BYTE;
    uint8_t *packed = calloc(1, size + CODER_SLACK);
    struct coder_scratch *scratch = malloc(sizeof *scratch);
    memcpy(packed, bytes, size);
    const size_t length = coder_encode(&coding->lines, &coding->model, first,
                                       (size_t)(left < most ? left : most), packed, scratch, code, size - 1);
    free(scratch);
    free(packed);
    return length;
}

static inline size_t put_payload(uint8_t *file, const uint8_t *payload, size_t size)
{
    store_u32(file, writer_checksum(payload, size));
    memcpy(file + TABLE_CHECKSUM_SIZE, payload, size);
    return TABLE_CHECKSUM_SIZE + size;
}

/* Write a block in the shortest of the forms there are; returns what it takes in the file. */
static inline size_t test_block(const struct table_header *header, const struct test_coding *coding,
                                uint32_t block, const uint8_t *bytes, struct block_entry *entry,
                                uint8_t *file)
{
    const uint32_t size = layout_block_bytes(header, block);
    const bool values = header->coding == CODING_VALUES;
    const bool one_value = !values || bytes[0] == 0 || bytes[0] == 0x55 || bytes[0] == 0xAA;
    if (one_value && memcmp(bytes, bytes + 1, size - 1) == 0) {
        *entry = writer_entry(BLOCK_FILL, bytes, 1);
        return 0;
    }
    uint8_t *code = malloc(size), *toy = malloc(2 * (size_t)size);
    const size_t length = block_code(header, coding, block, bytes, code);
    const size_t short_length = values ? length : toy_encode(code, length, toy);
    enum block_form form = BLOCK_RAW;
    const uint8_t *payload = bytes;
    size_t payload_size = size;
    if (short_length != 0 && short_length < size) {
        form = values ? BLOCK_CODE : BLOCK_ZSTD;
        payload = values ? code : toy;
        payload_size = short_length;
    }
    *entry = writer_entry(form, payload, payload_size);
    const size_t written = put_payload(file, payload, payload_size);
    free(code);
    free(toy);
    return written;
}

/* A whole file in memory, to be freed; aborts if the writer refuses it. */
static inline uint8_t *test_file_with(const struct board *board, struct table_header header,
                                      const uint8_t *model, uint32_t model_size, const uint8_t *packed,
                                      size_t *size)
{
    header.model_size = model_size;
    const size_t front = writer_size(model_size);
    uint8_t *file = malloc(front + layout_value_bytes(&header) +
                           (size_t)header.block_count * (TABLE_CHECKSUM_SIZE + TABLE_ENTRY_SIZE));
    struct block_entry *entries = calloc(header.block_count, sizeof *entries);
    if (file == NULL || entries == NULL)
        abort();
    const bool values = header.coding == CODING_VALUES;
    struct test_coding *coding = values ? test_coding_create(board, &header, model, model_size) : NULL;
    size_t end = front;
    for (uint32_t block = 0; block < header.block_count; block++)
        end += test_block(&header, coding, block, packed + (size_t)block * header.block_size, &entries[block],
                          file + end);
    test_coding_destroy(coding);
    end += writer_table(entries, header.block_count, file + end);
    char detail[DETAIL_MAX];
    if (writer_write(&header, board, entries, model, file, front, detail) != DAME_OK) {
        fprintf(stderr, "writer_write: %s\n", detail);
        abort();
    }
    free(entries);
    *size = end;
    return file;
}

static inline uint8_t *test_file(const struct board *board, const struct table_header *header,
                                 const uint8_t *packed, size_t *size)
{
    return test_file_with(board, *header, NULL, 0, packed, size);
}

#endif
