/* A whole work file, however spoilt: it is refused, or the blocks in it are sound, are the same each time,
   and the others can be made again.

   Checksums would keep a fuzzer out of everything that lies behind them. So the first byte of an input says
   whether they are made right before the file is opened, and whether it is opened as a part that another
   process has sealed; the rest is the file. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/hash.h"
#include "native/support/store_sample.h"
#include "planes/work_layout.h"

enum { SIGN_HEADER = 1, SIGN_HEADS = 2, SIGN_CONTENTS = 4, AS_PART = 8 };

enum { BLOCKS = 8, FILE_MAX = 1 << 16, IDENTITY = 77 };

static const uint64_t SIZES[BLOCKS] = {0, 8, 320, 200, 1600, 640, 512, 24};

static void require(int condition, const char *what)
{
    if (condition)
        return;
    fprintf(stderr, "fuzz_work: %s\n", what);
    abort();
}

static void sign(uint8_t *file, size_t size, int what)
{
    const struct work_facts facts = {IDENTITY, work_shape(SIZES, BLOCKS), BLOCKS};
    if (what & SIGN_HEADER && size >= WORK_HEADER_SIZE)
        work_pack_header(&facts, file);
    for (uint64_t at = WORK_HEADER_SIZE; what & SIGN_HEADS && at + WORK_HEAD_SIZE <= size;) {
        struct work_head head = {load_u32(file + at + 4) % BLOCKS, load_u32(file + at + 8),
                                 (enum work_form)(load_u32(file + at + 12) % WORK_FORMS),
                                 load_u64(file + at + 16)};
        if (head.packed > size - at - WORK_HEAD_SIZE)
            head.packed = (uint32_t)(size - at - WORK_HEAD_SIZE);
        if (what & SIGN_CONTENTS && head.form != WORK_FILL)
            head.check = hash_bytes(file + at + WORK_HEAD_SIZE, head.packed);
        work_pack_head(&facts, at, &head, file + at);
        at = work_behind(at, head.packed);
    }
}

/* The same file each time; work files are no links, so it needs a name. */
static const char *put_file(const uint8_t *bytes, size_t size)
{
    static char path[4096];
    static int number = -1;
    if (number < 0) {
        const char *folder = getenv("TMPDIR");
        snprintf(path, sizeof path, "%s/fuzz_work_XXXXXX", folder == NULL ? "/tmp" : folder);
        number = mkstemp(path);
        require(number >= 0, "no temporary file");
    }
    require(ftruncate(number, (off_t)size) == 0, "the temporary file cannot be cut");
    require(pwrite(number, bytes, size, 0) == (ssize_t)size, "the temporary file cannot be written");
    return path;
}

static void remove_file(void)
{
    unlink(put_file(NULL, 0));
}

static struct shelf *open_shelf(struct store *store, const char *path, enum dame_status *status)
{
    struct shelf *shelf = NULL;
    char detail[DETAIL_MAX] = "";
    *status = shelf_open(store, path, IDENTITY, BLOCKS, SIZES, &shelf, detail);
    require(*status == DAME_OK || detail[0] != '\0', "no reason is given");
    return shelf;
}

/* The hash of a block that is there; 0: it is not, or it is damaged. */
static uint64_t read_block(struct shelf *shelf, uint32_t block)
{
    const void *content;
    char detail[DETAIL_MAX] = "";
    if (!shelf_has(shelf, block))
        return 0;
    const enum dame_status status = shelf_pin(shelf, block, &content, detail);
    require(status == DAME_OK || (status == DAME_CORRUPT_TABLE && detail[0] != '\0'), "a status of no block");
    require(shelf_has(shelf, block) == (status == DAME_OK), "a damaged block is there");
    if (status != DAME_OK)
        return 0;
    require(load_u64((const uint8_t *)content + SIZES[block]) == 0, "bytes behind a block");
    const uint64_t hash = hash_bytes(content, SIZES[block]);
    shelf_unpin(shelf, block);
    return hash;
}

static void check_shelf(struct store *store, struct shelf *shelf, const char *path)
{
    uint64_t hashes[BLOCKS];
    enum dame_status status;
    for (uint32_t i = 0; i < BLOCKS; i++) {
        hashes[i] = read_block(shelf, i);
        require(read_block(shelf, i) == hashes[i], "a block is read in two ways");
        if (hashes[i] == 0) {
            require(sample_put(shelf, i, SIZES[i], 0, NULL) == DAME_OK, "a block is not made again");
            hashes[i] = read_block(shelf, i);
        }
    }
    shelf_close(shelf, false);
    shelf = open_shelf(store, path, &status);
    require(status == DAME_OK, "a healed file is refused");
    for (uint32_t i = 0; i < BLOCKS; i++)
        require(read_block(shelf, i) == hashes[i], "a block of a healed file is another one");
    shelf_close(shelf, false);
}

/* A part is whole, or nothing of it is there; and it is only read. */
static void check_part(struct store *store, const char *path)
{
    struct shelf *shelf;
    uint64_t note, hashes[BLOCKS];
    char detail[DETAIL_MAX] = "";
    require(shelf_open_in_parts(store, IDENTITY, BLOCKS, SIZES, &shelf, detail) == DAME_OK, "no shelf");
    const enum dame_status status = shelf_add_part(shelf, path, &note, detail);
    require(status == DAME_OK || detail[0] != '\0', "no reason is given");
    require(status == DAME_OK || status == DAME_CORRUPT_TABLE || status == DAME_WRONG_VARIANT,
            "a status that no damaged file has");
    for (uint32_t i = 0; i < BLOCKS; i++) {
        require(status == DAME_OK || !shelf_has(shelf, i), "a block of a refused part");
        hashes[i] = read_block(shelf, i);
        require(read_block(shelf, i) == hashes[i], "a block is read in two ways");
    }
    shelf_close(shelf, true);
    require(access(path, F_OK) == 0, "a part that is removed");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct store *store;
    if (size == 0 || size > FILE_MAX)
        return 0;
    if (store == NULL)
        require(store_create(0, &RUNS, &store) == DAME_OK && atexit(remove_file) == 0, "no store");
    uint8_t *file = malloc(size);
    memcpy(file, data + 1, size - 1);
    sign(file, size - 1, data[0]);
    const char *path = put_file(file, size - 1);
    free(file);
    if (data[0] & AS_PART) {
        check_part(store, path);
        return 0;
    }
    enum dame_status status;
    struct shelf *shelf = open_shelf(store, path, &status);
    require(status == DAME_OK || status == DAME_CORRUPT_TABLE || status == DAME_WRONG_VARIANT,
            "a status that no damaged file has");
    if (status == DAME_OK)
        check_shelf(store, shelf, path);
    return 0;
}
