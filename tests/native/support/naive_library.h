/* Libraries of tables with the obvious values of naive.h. */
#ifndef DAME_TESTS_NAIVE_LIBRARY_H
#define DAME_TESTS_NAIVE_LIBRARY_H

#include "naive.h"
#include "probe/library.h"
#include "table_file.h"

/* Values as a builder packs them: anything at all where a table need not hold the value. */
static inline uint8_t *packed_values(const struct solved *slice, struct table_header *header)
{
    char name[MATERIAL_NAME_MAX];
    material_name(slice->material, name);
    *header = test_header(&BOARD_8X8, "english", name, 1024, slice->win, slice->draw, slice->loss);
    header->nesting = slice->shape.nesting;
    uint8_t *packed = calloc(layout_value_bytes(header), 1);
    for (uint64_t i = 0; i < slice->shape.size; i++)
        values_set(packed, i, (int)(i * 7 / 5 % 3));
    struct walk walk = walk_slice(slice);
    while (walk_next(&walk))
        if (must_be_stored(&walk.position))
            values_set(packed, walk.index, value_from_wdl(slice->values[walk.index]));
    return packed;
}

/* All slices up to `pieces` in files, in the cache or in memory. */
static inline struct library *open_library(int pieces, bool files, const char *left_out)
{
    struct library *library;
    char detail[DETAIL_MAX];
    CHECK(library_create("english", &TOY_CODEC, 1 << 16, &library) == DAME_OK);
    for (int i = 0; i < slice_count; i++) {
        struct table_header header;
        char name[MATERIAL_NAME_MAX];
        material_name(slices[i].material, name);
        if (material_pieces(slices[i].material) > pieces || (left_out != NULL && strcmp(name, left_out) == 0))
            continue;
        uint8_t *packed = packed_values(&slices[i], &header);
        if (files) {
            size_t size;
            uint8_t *file = test_file(&BOARD_8X8, &header, packed, &size);
            write_file(test_path(name), file, size);
            free(file);
            CHECK(library_add_file(library, test_path(name), detail) == DAME_OK);
            CHECK(library_add_file(library, test_path(name), detail) == DAME_OK); /* passed over */
        } else {
            CHECK(library_add_values(library, &header, packed, detail) == DAME_OK);
        }
        free(packed);
    }
    return library;
}

#endif
