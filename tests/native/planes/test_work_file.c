/* Work files that were cut, damaged or belong to something else: never a wrong block, and what is sound is
 * found. */
#include <errno.h>
#include <sys/stat.h>

#include "base/hash.h"
#include "check.h"
#include "planes/store.h"
#include "planes/work_layout.h"
#include "store_sample.h"
#include "test_folder.h"

enum { BLOCKS = 8, FILE_MAX = 8192, IDENTITY = 77 };

static const uint64_t SIZES[BLOCKS] = {0, 8, 320, 200, 1600, 640, 512, 24};

static struct store *store;
static uint8_t sound[FILE_MAX];
static size_t sound_size;
static uint64_t ends[BLOCKS + 1]; /* of the record of each block, and of a second one of block 2 */

static enum dame_status open_file(struct shelf **shelf, char *detail)
{
    return shelf_open(store, test_path("one.work"), IDENTITY, BLOCKS, SIZES, shelf, detail);
}

static void make_sound(void)
{
    struct shelf *shelf;
    struct stat found;
    CHECK(open_file(&shelf, NULL) == DAME_OK);
    for (uint32_t i = 0; i <= BLOCKS; i++) {
        const uint32_t block = i < BLOCKS ? i : 2;
        CHECK(sample_put(shelf, block, SIZES[block], i < BLOCKS ? 0 : 4, NULL) == DAME_OK);
        CHECK(stat(test_path("one.work"), &found) == 0);
        ends[i] = (uint64_t)found.st_size;
    }
    shelf_close(shelf, false);
    FILE *file = fopen(test_path("one.work"), "rb");
    sound_size = fread(sound, 1, sizeof sound, file);
    fclose(file);
    CHECK(sound_size == ends[BLOCKS] && sound_size < sizeof sound);
}

static unsigned version_of(uint32_t block, size_t size)
{
    return block == 2 && size >= ends[BLOCKS] ? 4 : 0;
}

/* All blocks are made again where they are missing, and then all are there, also for the next one. */
static void heal(struct shelf *shelf, size_t size)
{
    for (uint32_t i = 0; i < BLOCKS; i++)
        if (!shelf_has(shelf, i))
            CHECK(sample_put(shelf, i, SIZES[i], version_of(i, size), NULL) == DAME_OK);
    shelf_close(shelf, false);
    CHECK(open_file(&shelf, NULL) == DAME_OK);
    for (uint32_t i = 0; i < BLOCKS; i++)
        CHECK(sample_check(shelf, i, SIZES[i], version_of(i, size)));
    shelf_close(shelf, false);
}

/* Every length that a file has while it is written. */
static void test_cut(void)
{
    for (size_t size = 0; size <= sound_size; size++) {
        struct shelf *shelf;
        write_file(test_path("one.work"), sound, size);
        CHECK(open_file(&shelf, NULL) == DAME_OK);
        for (uint32_t i = 0; i < BLOCKS; i++) {
            CHECK(shelf_has(shelf, i) == (size >= ends[i]));
            CHECK(size < ends[i] || sample_check(shelf, i, SIZES[i], version_of(i, size)));
        }
        heal(shelf, size);
    }
}

static bool starts_with(const char *text, const char *start)
{
    return strncmp(text, start, strlen(start)) == 0;
}

/* One byte changed: at most one record is lost. Behind a damaged second record of block 2 stands the first.
 */
static void test_damaged(void)
{
    for (size_t at = 0; at < sound_size; at++) {
        struct shelf *shelf = NULL;
        char detail[DETAIL_MAX] = "", wanted[DETAIL_MAX];
        uint32_t lost = 0;
        sound[at] ^= (uint8_t)(1 + at % 255);
        write_file(test_path("one.work"), sound, sound_size);
        sound[at] ^= (uint8_t)(1 + at % 255);
        const enum dame_status status = open_file(&shelf, detail);
        CHECK(status == (at < WORK_HEADER_SIZE ? DAME_CORRUPT_TABLE : DAME_OK));
        if (status != DAME_OK) {
            snprintf(wanted, sizeof wanted, "%s: %s", test_path("one.work"),
                     at < 8 ? "not a work file" : "checksum of the header");
            CHECK(strcmp(detail, wanted) == 0);
            continue;
        }
        for (uint32_t i = 0; i < BLOCKS; i++) {
            const bool was_there = shelf_has(shelf, i);
            const void *content;
            if (!was_there || shelf_pin(shelf, i, &content, detail) != DAME_OK) {
                lost++;
                snprintf(wanted, sizeof wanted, "%s: block %d: ", test_path("one.work"), (int)i);
                CHECK(!was_there || starts_with(detail, wanted));
                CHECK(!shelf_has(shelf, i));
                CHECK(shelf_pin(shelf, i, &content, detail) == DAME_CORRUPT_TABLE);
                continue;
            }
            CHECK(sample_is(content, SIZES[i], i, version_of(i, sound_size)) ||
                  (i == 2 && at >= ends[BLOCKS - 1] && sample_is(content, SIZES[i], i, 0)));
            shelf_unpin(shelf, i);
            if (i == 2 && at >= ends[BLOCKS - 1] && sample_is(content, SIZES[i], i, 0))
                CHECK(sample_put(shelf, 2, SIZES[2], 4, NULL) == DAME_OK);
        }
        CHECK(lost <= 1);
        heal(shelf, sound_size);
    }
}

/* The file is damaged or cut while the shelf is open. */
static void test_damaged_later(void)
{
    struct shelf *shelf;
    char detail[DETAIL_MAX] = "", wanted[DETAIL_MAX];
    const void *content;
    write_file(test_path("one.work"), sound, sound_size);
    CHECK(open_file(&shelf, NULL) == DAME_OK);
    CHECK(truncate(test_path("one.work"), (off_t)ends[3] - 1) == 0);
    CHECK(shelf_pin(shelf, 3, &content, detail) == DAME_CORRUPT_TABLE);
    snprintf(wanted, sizeof wanted, "%s: block 3: file ends too early", test_path("one.work"));
    CHECK(strcmp(detail, wanted) == 0 && !shelf_has(shelf, 3));
    CHECK(sample_check(shelf, 1, SIZES[1], 0));
    shelf_close(shelf, false);

    write_file(test_path("one.work"), sound, sound_size);
    CHECK(open_file(&shelf, NULL) == DAME_OK);
    FILE *file = fopen(test_path("one.work"), "rb+");
    fseek(file, (long)ends[3], SEEK_SET);
    fputs("nonsense", file);
    fclose(file);
    CHECK(shelf_pin(shelf, 4, &content, detail) == DAME_CORRUPT_TABLE);
    snprintf(wanted, sizeof wanted, "%s: block 4: head of its record", test_path("one.work"));
    CHECK(strcmp(detail, wanted) == 0);
    shelf_close(shelf, false);
}

/* One damaged block that is read takes the other one with it: whoever opens the file next finds neither. */
static void test_damaged_together(void)
{
    struct shelf *shelf;
    const void *content;
    write_file(test_path("one.work"), sound, sound_size);
    CHECK(open_file(&shelf, NULL) == DAME_OK);
    FILE *file = fopen(test_path("one.work"), "rb+");
    for (int block = 3; block <= 4; block++) {
        fseek(file, (long)ends[block] - 1, SEEK_SET);
        fputc(~sound[ends[block] - 1] & 0xFF, file);
    }
    fclose(file);
    CHECK(shelf_pin(shelf, 4, &content, NULL) == DAME_CORRUPT_TABLE && shelf_has(shelf, 3));
    shelf_close(shelf, false);
    CHECK(open_file(&shelf, NULL) == DAME_OK);
    for (uint32_t i = 0; i < BLOCKS; i++)
        CHECK(shelf_has(shelf, i) == (i < 3 || i > 4));
    heal(shelf, sound_size);
}

/* A content with a right checksum that the codec refuses, and one byte too many in it. */
static void test_packed(void)
{
    const struct work_facts facts = {IDENTITY, work_shape(SIZES, BLOCKS), BLOCKS};
    uint8_t bytes[WORK_HEADER_SIZE + WORK_HEAD_SIZE + 10] = {0};
    uint8_t *content = bytes + WORK_HEADER_SIZE + WORK_HEAD_SIZE;
    for (uint32_t packed = 9; packed <= 10; packed++) {
        struct shelf *shelf;
        char detail[DETAIL_MAX] = "", wanted[DETAIL_MAX];
        const void *pinned;
        content[0] = packed == 9 ? 201 : 200; /* words; the block has 200 */
        const struct work_head head = {4, packed, WORK_PACKED, hash_bytes(content, packed)};
        work_pack_header(&facts, bytes);
        work_pack_head(&facts, WORK_HEADER_SIZE, &head, bytes + WORK_HEADER_SIZE);
        write_file(test_path("one.work"), bytes, WORK_HEADER_SIZE + WORK_HEAD_SIZE + packed);
        CHECK(open_file(&shelf, NULL) == DAME_OK && shelf_has(shelf, 4));
        CHECK(shelf_pin(shelf, 4, &pinned, detail) == DAME_CORRUPT_TABLE && !shelf_has(shelf, 4));
        snprintf(wanted, sizeof wanted, "%s: block 4: packed content", test_path("one.work"));
        CHECK(strcmp(detail, wanted) == 0);
        shelf_close(shelf, false);
    }
}

static void expect_refused(uint64_t identity, uint32_t blocks, const uint64_t *sizes, enum dame_status wanted,
                           const char *what)
{
    struct shelf *shelf;
    struct stat before, after;
    char detail[DETAIL_MAX] = "", text[DETAIL_MAX];
    snprintf(text, sizeof text, "%s: %s", test_path("one.work"), what);
    CHECK(stat(test_path("one.work"), &before) == 0);
    CHECK(shelf_open(store, test_path("one.work"), identity, blocks, sizes, &shelf, detail) == wanted);
    CHECK(strcmp(detail, text) == 0);
    CHECK(stat(test_path("one.work"), &after) == 0 && before.st_size == after.st_size);
}

static void test_of_something_else(void)
{
    uint64_t others[BLOCKS];
    write_file(test_path("one.work"), sound, sound_size);
    expect_refused(IDENTITY + 1, BLOCKS, SIZES, DAME_WRONG_VARIANT, "a work file of something else");
    expect_refused(IDENTITY, BLOCKS - 1, SIZES, DAME_WRONG_VARIANT, "a work file with other blocks");
    memcpy(others, SIZES, sizeof others);
    others[5] += 8;
    expect_refused(IDENTITY, BLOCKS, others, DAME_WRONG_VARIANT, "a work file with other blocks");
    uint8_t version[FILE_MAX];
    memcpy(version, sound, sound_size);
    version[8] = 1;
    store_u64(version + 32, hash_bytes(version, 32));
    write_file(test_path("one.work"), version, sound_size);
    expect_refused(IDENTITY, BLOCKS, SIZES, DAME_WRONG_VARIANT, "a work file of another version");
    write_file(test_path("one.work"), (const uint8_t *)"a letter", 8);
    expect_refused(IDENTITY, BLOCKS, SIZES, DAME_CORRUPT_TABLE, "not a work file");
}

/* Neither a link nor a directory nor a pipe is followed, emptied or waited for. */
static void test_no_regular_file(void)
{
    char path[sizeof test_folder + 64], detail[DETAIL_MAX] = "", text[DETAIL_MAX];
    struct shelf *shelf;
    snprintf(path, sizeof path, "%s", test_path("link.work"));
    CHECK(symlink(test_path("target"), path) == 0);
    snprintf(text, sizeof text, "%s: %s", path, strerror(ELOOP));
    CHECK(shelf_open(store, path, IDENTITY, BLOCKS, SIZES, &shelf, detail) == DAME_IO && errno == ELOOP);
    CHECK(strcmp(detail, text) == 0);
    CHECK(shelf_open(store, test_folder, IDENTITY, BLOCKS, SIZES, &shelf, detail) == DAME_IO &&
          errno == EISDIR);
    snprintf(path, sizeof path, "%s", test_path("pipe.work"));
    CHECK(mkfifo(path, 0600) == 0);
    snprintf(text, sizeof text, "%s: not a regular file", path);
    CHECK(shelf_open(store, path, IDENTITY, BLOCKS, SIZES, &shelf, detail) == DAME_IO);
    CHECK(strcmp(detail, text) == 0);
}

/* A name that became another file's is noticed when the file needs a descriptor again. */
static void test_replaced(void)
{
    enum { OTHERS = 100 }; /* more than have a descriptor at a time */
    struct shelf *shelf, *others[OTHERS];
    char detail[DETAIL_MAX] = "", text[DETAIL_MAX];
    const void *content;
    write_file(test_path("one.work"), sound, sound_size);
    CHECK(open_file(&shelf, NULL) == DAME_OK);
    CHECK(rename(test_path("one.work"), test_folder) != 0); /* the path is that of a file */
    CHECK(unlink(test_path("one.work")) == 0);
    write_file(test_path("kept.work"), sound, sound_size);
    write_file(test_path("one.work"), sound, sound_size);
    for (int i = 0; i < OTHERS; i++) {
        char name[32];
        snprintf(name, sizeof name, "other_%d.work", i);
        CHECK(shelf_open(store, test_path(name), 1, BLOCKS, SIZES, &others[i], NULL) == DAME_OK);
    }
    snprintf(text, sizeof text, "%s: was replaced while it was open", test_path("one.work"));
    CHECK(shelf_pin(shelf, 4, &content, detail) == DAME_CORRUPT_TABLE && strcmp(detail, text) == 0);
    for (int i = 0; i < OTHERS; i++)
        shelf_close(others[i], true);
    shelf_close(shelf, true);
}

int main(void)
{
    CHECK(store_create(0, &RUNS, &store) == DAME_OK);
    make_sound();
    test_cut();
    test_damaged();
    test_damaged_later();
    test_damaged_together();
    test_packed();
    test_of_something_else();
    test_no_regular_file();
    test_replaced();
    store_destroy(store);
    return check_result();
}
