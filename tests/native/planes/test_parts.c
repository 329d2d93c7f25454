/* Parts of a shelf that several processes make: whole, or not there. */
#include <errno.h>
#include <sys/stat.h>

#include "check.h"
#include "planes/store.h"
#include "planes/work_layout.h"
#include "store_sample.h"
#include "test_folder.h"

enum { BLOCKS = 8, FILE_MAX = 8192, IDENTITY = 77, NOTE = 1234 };

static const uint64_t SIZES[BLOCKS] = {0, 8, 320, 200, 1600, 640, 512, 24};

static struct store *store;

static struct shelf *open_in_parts(void)
{
    struct shelf *shelf;
    CHECK(shelf_open_in_parts(store, IDENTITY, BLOCKS, SIZES, &shelf, NULL) == DAME_OK);
    return shelf;
}

/* A name of its own for the call of test_path that follows. */
static const char *named(char path[sizeof test_folder + 64], const char *name)
{
    snprintf(path, sizeof test_folder + 64, "%s", test_path(name));
    return path;
}

/* Every second block from `first` on. */
static void put_half(struct shelf *shelf, uint32_t first, unsigned version)
{
    for (uint32_t i = first; i < BLOCKS; i += 2)
        CHECK(sample_put(shelf, i, SIZES[i], version, NULL) == DAME_OK);
}

static void make_half(const char *name, uint32_t first, unsigned version)
{
    char partial[sizeof test_folder + 64], complete[sizeof test_folder + 64];
    struct shelf *shelf = open_in_parts();
    CHECK(shelf_begin_part(shelf, named(partial, "being_made"), NULL) == DAME_OK);
    put_half(shelf, first, version);
    CHECK(access(named(complete, name), F_OK) != 0); /* nobody sees it before it is complete */
    CHECK(shelf_seal_part(shelf, NOTE + first, complete, NULL) == DAME_OK);
    CHECK(access(partial, F_OK) != 0 && access(complete, F_OK) == 0);
    for (uint32_t i = 0; i < BLOCKS; i++)
        CHECK(shelf_has(shelf, i) == (i % 2 == first));
    CHECK(sample_check(shelf, first, SIZES[first], version));
    shelf_close(shelf, true);
    CHECK(access(complete, F_OK) == 0); /* parts belong to all */
}

static void test_two_parts(void)
{
    uint64_t note;
    make_half("even", 0, 0);
    make_half("odd", 1, 0);
    struct shelf *shelf = open_in_parts();
    CHECK(shelf_add_part(shelf, test_path("odd"), &note, NULL) == DAME_OK && note == NOTE + 1);
    CHECK(!shelf_has(shelf, 0) && shelf_has(shelf, 1));
    CHECK(shelf_add_part(shelf, test_path("even"), &note, NULL) == DAME_OK && note == NOTE);
    for (uint32_t i = 0; i < BLOCKS; i++)
        CHECK(sample_check(shelf, i, SIZES[i], 0));
    shelf_close(shelf, false);
}

/* The one that was there first stays. */
static void test_made_twice(void)
{
    struct stat before, after;
    uint64_t note;
    CHECK(stat(test_path("even"), &before) == 0);
    char partial[sizeof test_folder + 64];
    struct shelf *shelf = open_in_parts();
    CHECK(shelf_add_part(shelf, test_path("even"), &note, NULL) == DAME_OK);
    CHECK(sample_check(shelf, 4, SIZES[4], 0)); /* it is in memory now */
    CHECK(shelf_begin_part(shelf, named(partial, "again"), NULL) == DAME_OK);
    put_half(shelf, 0, 0);
    CHECK(shelf_seal_part(shelf, NOTE, test_path("even"), NULL) == DAME_OK);
    CHECK(stat(test_path("even"), &after) == 0 && before.st_ino == after.st_ino);
    CHECK(access(partial, F_OK) != 0);
    for (uint32_t i = 0; i < BLOCKS; i += 2)
        CHECK(sample_check(shelf, i, SIZES[i], 0));
    shelf_close(shelf, false);
}

/* One that was given up vanishes, and blocks cannot be put without one. */
static void test_given_up(void)
{
    char partial[sizeof test_folder + 64], detail[DETAIL_MAX] = "";
    struct shelf *shelf = open_in_parts();
    CHECK(sample_put(shelf, 2, SIZES[2], 0, detail) == DAME_BAD_ARGUMENT);
    CHECK(strcmp(detail, "block 2: no part was begun") == 0);
    CHECK(shelf_begin_part(shelf, named(partial, "given_up"), NULL) == DAME_OK);
    put_half(shelf, 0, 0);
    CHECK(access(partial, F_OK) == 0);
    shelf_close(shelf, false);
    CHECK(access(partial, F_OK) != 0);
    shelf = open_in_parts();
    CHECK(shelf_begin_part(shelf, named(partial, "no/such/folder"), detail) == DAME_IO && errno == ENOENT);
    shelf_close(shelf, false);
}

/* A part that is cut anywhere, or has a byte changed, is refused as a whole, or a block of it is. */
static void test_damaged(void)
{
    static uint8_t sound[FILE_MAX], bytes[FILE_MAX];
    FILE *file = fopen(test_path("even"), "rb");
    const size_t size = fread(sound, 1, sizeof sound, file);
    fclose(file);
    CHECK(size > WORK_HEADER_SIZE && size < sizeof sound);
    for (size_t at = 0; at < 2 * size; at++) {
        struct shelf *shelf = open_in_parts();
        char detail[DETAIL_MAX] = "";
        uint64_t note = 0;
        uint32_t there = 0, sound_ones = 0;
        memcpy(bytes, sound, size);
        if (at >= size)
            bytes[at - size] ^= (uint8_t)(1 + at % 255);
        write_file(test_path("bad"), bytes, at < size ? at : size);
        const enum dame_status status = shelf_add_part(shelf, test_path("bad"), &note, detail);
        CHECK(status == DAME_CORRUPT_TABLE || (status == DAME_OK && at >= size));
        CHECK(status == DAME_OK || strstr(detail, "bad: ") != NULL);
        for (uint32_t i = 0; i < BLOCKS; i++) {
            const void *content;
            if (!shelf_has(shelf, i))
                continue;
            there++;
            if (shelf_pin(shelf, i, &content, detail) == DAME_OK) {
                CHECK(sample_is(content, SIZES[i], i, 0));
                shelf_unpin(shelf, i);
                sound_ones++;
            }
        }
        CHECK(status == DAME_OK ? there == BLOCKS / 2 && sound_ones + 1 >= there && note == NOTE
                                : there == 0);
        shelf_close(shelf, false);
    }
}

static void test_refused(void)
{
    struct shelf *shelf = open_in_parts();
    char detail[DETAIL_MAX] = "";
    uint64_t note;
    CHECK(shelf_add_part(shelf, test_path("nothing"), &note, detail) == DAME_IO && errno == ENOENT);
    CHECK(access(test_path("nothing"), F_OK) != 0); /* and it is not made */
    shelf_close(shelf, false);
    CHECK(shelf_open_in_parts(store, IDENTITY + 1, BLOCKS, SIZES, &shelf, NULL) == DAME_OK);
    CHECK(shelf_add_part(shelf, test_path("even"), &note, detail) == DAME_WRONG_VARIANT);
    CHECK(strstr(detail, "a work file of something else") != NULL);
    shelf_close(shelf, false);
}

int main(void)
{
    CHECK(store_create(0, &RUNS, &store) == DAME_OK);
    test_two_parts();
    test_made_twice();
    test_given_up();
    test_damaged();
    test_refused();
    store_destroy(store);
    return check_result();
}
