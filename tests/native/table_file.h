/* Small table files for the tests, and a toy codec in place of zstd: pairs of a run length and a byte. */
#ifndef DAME_TESTS_TABLE_FILE_H
#define DAME_TESTS_TABLE_FILE_H

#include <dirent.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/status.h"
#include "boards/board.h"
#include "slices/index.h"
#include "slices/material.h"
#include "tables/layout.h"
#include "tables/reader.h"
#include "tables/values.h"
#include "tables/writer.h"

static const struct board BOARD_8X8 = {.squares = 32, .columns = 4, .rows = 8, .men_squares = 28};
static const struct board BOARD_10X10 = {.squares = 50, .columns = 5, .rows = 10, .men_squares = 45};

static char test_folder[] = "/tmp/dame_test_XXXXXX";

static inline void remove_test_folder(void)
{
    char path[sizeof test_folder + 256];
    DIR *folder = opendir(test_folder);
    for (struct dirent *entry; folder != NULL && (entry = readdir(folder)) != NULL;) {
        snprintf(path, sizeof path, "%s/%s", test_folder, entry->d_name);
        unlink(path);
    }
    closedir(folder);
    rmdir(test_folder);
}

/* The path of a file in a folder that goes when the program ends. The next call writes over it. */
static inline const char *test_path(const char *name)
{
    static char path[sizeof test_folder + 64];
    static bool made;
    if (!made && (mkdtemp(test_folder) == NULL || atexit(remove_test_folder) != 0))
        abort();
    made = true;
    snprintf(path, sizeof path, "%s/%s", test_folder, name);
    return path;
}

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

static inline enum dame_status toy_decode(void *context, const uint8_t *source, size_t size, uint8_t *target,
                                          size_t capacity, size_t *written)
{
    (void)context;
    *written = 0;
    for (size_t i = 0; i + 1 < size; i += 2) {
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
        index_shape(board, header.material, &shape) != DAME_OK)
        abort();
    if (win + draw + loss == 0 && material_positions(board, header.material, &header.draw) != DAME_OK)
        abort();
    snprintf(header.variant, sizeof header.variant, "%s", variant);
    header.values = shape.size;
    header.block_count = (uint32_t)layout_block_count(&header);
    return header;
}

/* The same facts for a table of distances; -1: there is no win or loss. */
static inline struct table_header with_distances(struct table_header header, enum table_metric metric,
                                                 int draw_plies, int longest_win, int longest_loss)
{
    header.metric = (uint8_t)metric;
    header.coding = (uint8_t)metric;
    header.draw_plies = (uint16_t)draw_plies;
    header.longest_win = longest_win < 0 ? TABLE_NO_DISTANCE : (uint16_t)longest_win;
    header.longest_loss = longest_loss < 0 ? TABLE_NO_DISTANCE : (uint16_t)longest_loss;
    header.block_count = (uint32_t)layout_block_count(&header);
    return header;
}

/* A whole file in memory, to be freed; aborts if the writer refuses it. */
static inline uint8_t *test_file(const struct board *board, const struct table_header *header,
                                 const uint8_t *packed, size_t *size)
{
    const size_t front = writer_size(header->block_count);
    uint8_t *file = malloc(front + layout_value_bytes(header));
    struct block_entry *entries = calloc(header->block_count, sizeof *entries);
    uint8_t *toy = malloc(2 * (size_t)header->block_size);
    if (file == NULL || entries == NULL || toy == NULL)
        abort();
    size_t end = front;
    for (uint32_t block = 0; block < header->block_count; block++) {
        const uint8_t *bytes = packed + (size_t)block * header->block_size;
        const uint32_t length = layout_block_bytes(header, block);
        const size_t short_length = toy_encode(bytes, length, toy);
        if (writer_is_fill((enum table_coding)header->coding, bytes, length)) {
            entries[block] = writer_entry(BLOCK_FILL, bytes, 1);
        } else if (short_length < length) {
            entries[block] = writer_entry(BLOCK_ZSTD, toy, short_length);
            memcpy(file + end, toy, short_length);
        } else {
            entries[block] = writer_entry(BLOCK_RAW, bytes, length);
            memcpy(file + end, bytes, length);
        }
        end += layout_stored_bytes(entries[block]);
    }
    char detail[DETAIL_MAX];
    if (writer_write(header, board, entries, file, front, detail) != DAME_OK) {
        fprintf(stderr, "writer_write: %s\n", detail);
        abort();
    }
    free(entries);
    free(toy);
    *size = end;
    return file;
}

static inline void write_file(const char *path, const uint8_t *bytes, size_t size)
{
    FILE *file = fopen(path, "wb");
    if (file == NULL || fwrite(bytes, 1, size, file) != size || fclose(file) != 0)
        abort();
}

#endif
