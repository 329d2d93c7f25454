/* Write the inputs that fuzz_table and fuzz_runs begin with: make_corpus FOLDER. Run it again after a change
   of the format. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "native/table_sample.h"

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

static void put_sample(const char *name, const uint8_t *dictionary)
{
    struct sample sample;
    sample_make(&sample, dictionary);
    put_table(name, sample.file, sample.size);
    free(sample.file);
}

/* One block of 1024 values or bytes. */
static void put_small(const char *name, const struct table_header *header, const uint8_t *dictionary,
                      const uint8_t *bytes)
{
    size_t size;
    uint8_t *file = test_file_with(&BOARD_8X8, *header, dictionary, bytes, &size);
    put_table(name, file, size);
    free(file);
}

static void put_tables(void)
{
    const uint8_t dictionary[1] = {7};
    uint8_t bytes[1024] = {0};
    const struct table_header wdl = test_header(&BOARD_8X8, "english", "KvK", TABLE_BLOCK_MIN, 0, 0, 0);
    put_sample("sample", NULL);
    put_sample("dictionary", dictionary);
    put_small("fill", &wdl, NULL, bytes);
    memset(bytes, 0x55, 100);
    put_small("code", &wdl, NULL, bytes);
    for (size_t i = 0; i < 1024; i++)
        values_set(bytes, i, i / 7 % 2 == 0);
    put_small("zstd", &wdl, dictionary, bytes);
    for (size_t i = 0; i < 1024; i++)
        values_set(bytes, i, (int)(i * i / 7 % 3));
    put_small("raw", &wdl, NULL, bytes);
    for (size_t i = 0; i < 1024; i++)
        bytes[i] = (uint8_t)(i / 40 % 7);
    const struct table_header facts = test_header(&BOARD_8X8, "english", "KvK", 1024, 300, 392, 300);
    const struct table_header dtw = with_distances(facts, METRIC_DTW, 0, 11, 10);
    const struct table_header dtz = with_distances(facts, METRIC_DTZ, 40, 6, 6);
    put_small("dtw", &dtw, NULL, bytes);
    put_small("dtz", &dtz, dictionary, bytes);

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

static void put_runs(const char *name, size_t count, size_t row, const uint8_t *bytes, size_t size)
{
    const uint8_t front[3] = {(uint8_t)(count - 1), (uint8_t)((count - 1) >> 8), (uint8_t)(row - 1)};
    FILE *file = new_file("fuzz_runs", name);
    fwrite(front, 1, sizeof front, file);
    fwrite(bytes, 1, size, file);
    fclose(file);
}

static void put_codes(void)
{
    static const struct {
        const char *name;
        size_t count, size;
        uint8_t code[12];
    } CODES[] = {
        {"one", 1, 1, {0}},
        {"win", 65536, 1, {1}},
        {"loss", 33, 1, {2}},
        {"never", 5, 1, {3}},
        {"two_runs", 100, 2, {0, 50}},
        {"third", 100, 3, {0, 50, 0}},
        {"thirds", 100, 9, {0, 1, 0, 1, 0, 1, 0, 1, 0}},
        {"long", 65536, 4, {1, 255, 255, 3}},
        {"step", 1000, 3, {1, 255, 0}},
        {"endless", 1000, 3, {1, 255, 255}},
        {"no_length", 10, 2, {1, 0}},
        {"full", 10, 2, {1, 10}},
        {"almost_full", 10, 2, {1, 9}},
        {"many", 64, 11, {2, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10}},
    };
    for (size_t i = 0; i < sizeof CODES / sizeof CODES[0]; i++)
        put_runs(CODES[i].name, CODES[i].count, 28, CODES[i].code, CODES[i].size);
    struct sample sample;
    sample_make(&sample, NULL);
    for (size_t block = 0; block < 4; block++) {
        char name[16];
        snprintf(name, sizeof name, "values_%d", (int)block);
        put_runs(name, 1024, 28, sample.packed + block * TABLE_BLOCK_MIN, 64);
    }
    for (size_t i = 0; i < 256; i++) /* rows with values that are free */
        sample.packed[i] = (uint8_t)(i % 7 < 2 ? 0x55 : i % 7 < 4 ? 0xFF : 0xA7);
    put_runs("rows", 1024, 28, sample.packed, 256);
    free(sample.file);
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
    return 0;
}
