/* Write the inputs that fuzz_table, fuzz_coder, fuzz_pack and fuzz_work begin with: make_corpus FOLDER. Run
   it again after a change of the format. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "native/support/store_sample.h"
#include "native/support/table_sample.h"
#include "planes/pack.h"

static const char *folder;

static FILE *new_file(const char *target, const char *name)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", folder, target);
    mkdir(path, 0777);
    snprintf(path, sizeof path, "%s/%s/%s", folder, target, name);
    FILE *file = fopen(path, "wb");
    if (file == NULL) {
        perror(path);
        exit(1);
    }
    return file;
}

/* With the checksums as they are, with all of them made right, and so without a codec; see fuzz_table.c. */
static void put_table(const char *name, const uint8_t *bytes, size_t size)
{
    static const struct {
        const char *name;
        uint8_t what;
    } FORMS[] = {{"", 0}, {"_signed", 31}, {"_unread", 63}};
    for (int form = 0; form < 3; form++) {
        char full[64];
        snprintf(full, sizeof full, "%s%s", name, FORMS[form].name);
        FILE *file = new_file("fuzz_table", full);
        fputc(FORMS[form].what, file);
        fwrite(bytes, 1, size, file);
        fclose(file);
    }
}

static void put_sample(const char *name, enum sample_form form)
{
    struct sample sample;
    sample_make(&sample, form);
    put_table(name, sample.file, sample.size);
    free(sample.file);
}

/* One block of 1024 values or bytes. */
static void put_small(const char *name, const struct table_header *header, const uint8_t *bytes)
{
    size_t size;
    uint8_t *file = test_file(&BOARD_8X8, header, bytes, &size);
    put_table(name, file, size);
    free(file);
}

static void put_tables(void)
{
    uint8_t bytes[1024] = {0};
    const struct table_header wdl = test_header(&BOARD_8X8, "english", "KvK", TABLE_BLOCK_MIN, 0, 0, 0);
    put_sample("sample", SAMPLE_PLAIN);
    put_sample("model", SAMPLE_MODEL);
    put_sample("distances", SAMPLE_DISTANCES);
    put_small("fill", &wdl, bytes);
    memset(bytes, 0x55, 100);
    put_small("code", &wdl, bytes);
    for (size_t i = 0; i < 1024; i++)
        values_set(bytes, i, (int)(i * i / 7 % 3));
    put_small("raw", &wdl, bytes);
    for (size_t i = 0; i < 1024; i++)
        bytes[i] = (uint8_t)(i / 40 % 7);
    const struct table_header facts = test_header(&BOARD_8X8, "english", "KvK", 1024, 300, 392, 300);
    const struct table_header dtw = with_distances(facts, METRIC_DTW, (struct draw_rule){0}, 11, 10);
    const struct table_header dtz =
        with_distances(facts, METRIC_DTZ, (struct draw_rule){DRAW_PLIES, 40}, 6, 6);
    put_small("dtw", &dtw, bytes);
    put_small("dtz", &dtz, bytes);

    const struct table_header odd = test_header(&BOARD_10X10, "international", "MvK", 1024, 0, 0, 0);
    uint8_t *packed = calloc(layout_value_bytes(&odd), 1);
    for (size_t i = 0; i < odd.values; i++)
        values_set(packed, i, (int)(i / 30 % 3));
    size_t size;
    uint8_t *file = test_file(&BOARD_10X10, &odd, packed, &size);
    put_table("international", file, size);
    free(file);
    for (size_t i = 0; i < odd.values; i++) /* stored as it is, with two values less than its bytes hold */
        values_set(packed, i, (int)(i * i / 7 % 3));
    file = test_file(&BOARD_10X10, &odd, packed, &size);
    put_table("padding", file, size);
    free(file);
    free(packed);
}

static void put_code(const char *name, uint8_t slice, uint8_t block, const uint8_t *model, size_t model_size,
                     const uint8_t *bytes, size_t size)
{
    const uint8_t front[3] = {slice, block, (uint8_t)model_size};
    FILE *file = new_file("fuzz_coder", name);
    fwrite(front, 1, sizeof front, file);
    if (model_size != 0)
        fwrite(model, 1, model_size, file);
    fwrite(bytes, 1, size, file);
    fclose(file);
}

/* Slice 5 is KKvM in nesting 1, and so on; see fuzz_coder.c. */
static void put_codes(void)
{
    struct sample sample;
    sample_make(&sample, SAMPLE_MODEL);
    uint8_t model[MODEL_BYTES_MAX];
    const size_t model_size = sample_model(&sample, model);
    const uint8_t *entries = sample_entries(&sample), *at = sample.file + TABLE_HEADER_SIZE + model_size;
    for (uint32_t block = 0; block < 4; block++) {
        char name[32];
        snprintf(name, sizeof name, "values_%d", (int)block);
        put_code(name, (uint8_t)(block * 5), (uint8_t)block, NULL, 0, sample.packed + block * TABLE_BLOCK_MIN,
                 256);
        snprintf(name, sizeof name, "model_%d", (int)block);
        put_code(name, (uint8_t)(block * 5 + 1), (uint8_t)(7 * block), model,
                 model_size < 256 ? model_size : 0, sample.packed + block * TABLE_BLOCK_MIN, 256);
        const struct block_entry entry = layout_unpack_entry(entries + block * TABLE_ENTRY_SIZE);
        const uint32_t stored = layout_stored_bytes(&sample.header, block, entry);
        snprintf(name, sizeof name, "code_%d", (int)block);
        if (stored != 0)
            put_code(name, 0, 0, model, model_size < 256 ? model_size : 0, at + TABLE_CHECKSUM_SIZE,
                     stored - TABLE_CHECKSUM_SIZE);
        at += stored;
    }
    free(sample.file);
    for (size_t i = 0; i < 256; i++) /* with values that are free */
        sample.packed[i] = (uint8_t)(i % 7 < 2 ? 0x55 : i % 7 < 4 ? 0xFF : 0xA7);
    put_code("free", 3, 200, NULL, 0, sample.packed, 256);
    static const uint8_t FEW[] = {0, 0, 1, 0}, MANY[] = {0xFF, 0xFF, 0xFF, 0xFF, 1, 2, 3, 4, 5, 6};
    put_code("few", 0, 0, NULL, 0, FEW, sizeof FEW);
    put_code("many", 7, 1, NULL, 0, MANY, sizeof MANY);
}

/* A block, and the same packed; see fuzz_pack.c. */
static void put_block(const char *name, const uint8_t *block, size_t size, size_t planes, size_t row_bytes)
{
    static struct pack_scratch scratch;
    uint8_t packed[4096];
    size_t packed_size;
    pack(block, size, planes, row_bytes, &scratch, packed, sizeof packed, &packed_size);
    for (int is_packed = 0; is_packed < 2; is_packed++) {
        char full[64];
        snprintf(full, sizeof full, "%s%s", name, is_packed ? "_packed" : "");
        FILE *file = new_file("fuzz_pack", full);
        fputc((int)(row_bytes / 8), file);
        fputc((int)((is_packed ? size : planes) / 8 % 256), file);
        fputc((int)((is_packed ? size : planes) / 8 / 256), file);
        fwrite(is_packed ? packed : block, 1, is_packed ? packed_size : size, file);
        fclose(file);
    }
}

static void put_blocks(void)
{
    uint8_t block[2048] = {0};
    put_block("empty", block, 0, 0, 0);
    put_block("zeros", block, sizeof block, sizeof block, 8);
    for (size_t i = 0; i < sizeof block; i++)
        block[i] = (uint8_t)(i * i % 7 == 0 ? i * i / 300 : 0);
    put_block("sparse", block, sizeof block, sizeof block, 64);
    for (size_t i = 0; i < sizeof block; i++) /* rows of 64 bytes, with a deviation in each */
        block[i] = (uint8_t)(i % 64 * (i % 64) % 23 * 11 + (i % 65 == 0));
    put_block("rows", block, sizeof block, sizeof block, 64);
    put_block("odd_rows", block, 1000, 1000, 24);
    put_block("no_rows", block, 1000, 1000, 0);
    put_block("short", block, 40, 40, 8);
    put_block("distances", block, 1000, 200, 24);
}

/* A work file with blocks of all forms, one of them twice; as it is, cut, and with checksums made right. */
static void put_work(void)
{
    static const uint64_t SIZES[] = {0, 8, 320, 200, 1600, 640, 512, 24}; /* those of fuzz_work.c */
    enum { BLOCKS = sizeof SIZES / sizeof SIZES[0], IDENTITY = 77 };
    static uint8_t bytes[1 << 14];
    char path[4096], sealed[4096];
    snprintf(path, sizeof path, "%s", test_path("corpus.work"));
    snprintf(sealed, sizeof sealed, "%s", test_path("corpus.part"));
    struct store *store;
    struct shelf *shelf;
    if (store_create(0, &RUNS, &store) != DAME_OK ||
        shelf_open_in_parts(store, IDENTITY, BLOCKS, SIZES, &shelf, NULL) != DAME_OK ||
        shelf_begin_part(shelf, path, NULL) != DAME_OK)
        abort();
    for (uint32_t i = 0; i <= BLOCKS; i++)
        if (sample_put(shelf, i % BLOCKS, SIZES[i % BLOCKS], i / BLOCKS, NULL) != DAME_OK)
            abort();
    if (shelf_seal_part(shelf, 7, sealed, NULL) != DAME_OK)
        abort();
    shelf_close(shelf, false);
    store_destroy(store);
    FILE *from = fopen(sealed, "rb");
    if (from == NULL)
        abort();
    const size_t size = fread(bytes, 1, sizeof bytes, from);
    fclose(from);
    static const struct {
        const char *name;
        uint8_t what;
        size_t cut;
    } FORMS[] = {{"sound", 0, 0},  {"signed", 7, 0},       {"heads", 3, 0},
                 {"torn", 0, 500}, {"header", 1, 100},     {"short", 7, 900},
                 {"part", 8, 0},   {"part_signed", 15, 0}, {"part_torn", 8, 30}};
    for (size_t i = 0; i < sizeof FORMS / sizeof FORMS[0]; i++) {
        FILE *file = new_file("fuzz_work", FORMS[i].name);
        fputc(FORMS[i].what, file);
        fwrite(bytes, 1, size - FORMS[i].cut, file);
        fclose(file);
    }
}

int main(int count, char **arguments)
{
    if (count != 2) {
        fprintf(stderr, "usage: %s FOLDER\n", arguments[0]);
        return 2;
    }
    folder = arguments[1];
    put_tables();
    put_codes();
    put_blocks();
    put_work();
    return 0;
}
