/* Libraries of tables with the obvious distances of naive_distance.h. */
#ifndef DAME_TESTS_DISTANCE_LIBRARY_H
#define DAME_TESTS_DISTANCE_LIBRARY_H

#include "check.h"
#include "naive_distance.h"
#include "probe/library.h"
#include "table_file.h"

static inline struct table_header value_facts(const struct distances *all, int i)
{
    char name[MATERIAL_NAME_MAX];
    uint64_t positions;
    material_name(slices[i].material, name);
    CHECK(material_positions(&BOARD_8X8, slices[i].material, &positions) == DAME_OK);
    struct table_header header = test_header(&BOARD_8X8, "english", name, 1024, all->win[i],
                                             positions - all->win[i] - all->loss[i], all->loss[i]);
    header.draw_rule = all->draw_rule;
    header.nesting = slices[i].shape.nesting;
    return header;
}

/* Anything at all where a table need not hold the value. */
static inline uint8_t *value_bytes(const struct distances *all, int i, struct table_header *header)
{
    *header = value_facts(all, i);
    uint8_t *packed = calloc(layout_value_bytes(header), 1);
    for (uint64_t index = 0; index < header->values; index++)
        values_set(packed, index, (int)(index * 7 / 5 % 3));
    struct walk walk = walk_slice(&slices[i]);
    while (walk_next(&walk))
        if (all->draw_rule.plies != 0 ? !english()->must_capture(&walk.position)
                                      : must_be_stored(&walk.position))
            values_set(packed, walk.index, value_from_wdl(all->wdl[i][walk.index]));
    return packed;
}

/* The same for distances; draws are anything, too. */
static inline uint8_t *distance_bytes(const struct distances *all, int i, struct table_header *header)
{
    *header = with_distances(value_facts(all, i), all->metric, all->draw_rule, all->longest_win[i],
                             all->longest_loss[i]);
    uint8_t *bytes = malloc(header->values);
    for (uint64_t index = 0; index < header->values; index++)
        bytes[index] = (uint8_t)(index * 7 / 5 % (layout_largest_byte(header) + 1U));
    struct walk walk = walk_slice(&slices[i]);
    while (walk_next(&walk)) {
        const uint8_t plies = all->plies[i][walk.index];
        if (all->wdl[i][walk.index] != 0 && !english()->must_capture(&walk.position))
            bytes[walk.index] = all->metric == METRIC_DTW ? (uint8_t)((plies + 1) / 2) : plies;
    }
    return bytes;
}

static inline void add_table(struct library *library, const struct table_header *header, uint8_t *bytes,
                             bool file)
{
    char detail[DETAIL_MAX] = "";
    if (file) {
        size_t size;
        uint8_t *whole = test_file(&BOARD_8X8, header, bytes, &size);
        write_file(test_path("one.table"), whole, size);
        free(whole);
        CHECK(library_add_file(library, test_path("one.table"), detail) == DAME_OK);
        CHECK(unlink(test_path("one.table")) == 0); /* it is still open */
    } else {
        CHECK(library_add_values(library, header, bytes, detail) == DAME_OK);
    }
    free(bytes);
}

/* Tables of all slices, in files or in memory. */
static inline struct library *distance_library(const struct distances *all, bool files, bool values,
                                               bool distances)
{
    struct library *library;
    struct table_header header;
    CHECK(library_create("english", &TOY_CODEC, 1 << 16, &library) == DAME_OK);
    for (int i = 0; i < slice_count; i++) {
        if (distances) {
            uint8_t *bytes = distance_bytes(all, i, &header);
            add_table(library, &header, bytes, files);
        }
        if (values) {
            uint8_t *bytes = value_bytes(all, i, &header);
            add_table(library, &header, bytes, files);
        }
    }
    return library;
}

/* All in memory but the distances of one slice. */
static inline struct library *distance_library_without(const struct distances *all, int left_out)
{
    struct library *library = distance_library(all, false, true, false);
    struct table_header header;
    for (int i = 0; i < slice_count; i++)
        if (i != left_out) {
            uint8_t *bytes = distance_bytes(all, i, &header);
            add_table(library, &header, bytes, false);
        }
    return library;
}

#endif
