/* A store: blocks come back as they were put, whatever the budget; the budget is kept; files are found again.
 */
#include "planes/store.h"

#include <errno.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include "check.h"
#include "store_sample.h"
#include "test_folder.h"

enum { BLOCKS = 600, IDENTITY = 12345 };

/* From nothing to a megabyte; most are small. */
static uint64_t sizes[BLOCKS];

static void choose_sizes(void)
{
    for (uint32_t i = 0; i < BLOCKS; i++)
        sizes[i] = i % 100 == 99 ? (uint64_t)1 << 20
                   : i % 10 == 9 ? 70000 + 8 * (uint64_t)i
                                 : (uint64_t)(i % 10) * 1000 + i / 100 * 8;
    sizes[0] = 0;
    sizes[1] = 8;
}

static struct store *new_store(uint64_t budget)
{
    struct store *store = NULL;
    CHECK(store_create(budget, &RUNS, &store) == DAME_OK);
    return store;
}

static struct shelf *open_shelf(struct store *store, const char *path)
{
    struct shelf *shelf = NULL;
    char detail[DETAIL_MAX] = "";
    if (shelf_open(store, path, IDENTITY, BLOCKS, sizes, &shelf, detail) != DAME_OK) {
        fprintf(stderr, "%s\n", detail);
        abort();
    }
    return shelf;
}

static void put_all(struct shelf *shelf, unsigned version)
{
    for (uint32_t i = 0; i < BLOCKS; i++)
        CHECK(sample_put(shelf, i, sizes[i], version, NULL) == DAME_OK);
}

static void check_all(struct shelf *shelf, unsigned version)
{
    for (uint32_t i = 0; i < BLOCKS; i++)
        CHECK(sample_check(shelf, i, sizes[i], version));
}

static uint64_t all_bytes(void)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < BLOCKS; i++)
        sum += sizes[i];
    return sum;
}

static void test_memory_alone(void)
{
    struct store *store = new_store(0);
    struct shelf *shelf = open_shelf(store, NULL);
    CHECK(!shelf_has(shelf, 7));
    put_all(shelf, 0);
    check_all(shelf, 0);
    for (uint32_t i = 0; i < BLOCKS; i += 3)
        CHECK(sample_put(shelf, i, sizes[i], 1, NULL) == DAME_OK);
    for (uint32_t i = 0; i < BLOCKS; i++)
        CHECK(sample_check(shelf, i, sizes[i], i % 3 == 0));
    const struct store_statistics facts = store_statistics(store);
    CHECK(facts.plain_bytes > all_bytes() && facts.plain_bytes < all_bytes() * 5 / 4);
    CHECK(facts.bytes == 0 && facts.reads == 0 && facts.writes == 0);
    void *content;
    char detail[DETAIL_MAX] = "";
    const void *pinned;
    CHECK(shelf_take(shelf, 5, &content) == DAME_OK);
    shelf_give_up(shelf, 5);
    CHECK(!shelf_has(shelf, 5));
    CHECK(shelf_pin(shelf, 5, &pinned, detail) == DAME_CORRUPT_TABLE);
    CHECK(strcmp(detail, "block 5: not there") == 0);
    shelf_prefetch(shelf, 6);
    shelf_close(shelf, true);
    CHECK(store_statistics(store).plain_bytes == 0);
    store_destroy(store);
}

/* What is taken has zeros only, also when it is taken again. */
static void test_taken(const char *path)
{
    struct store *store = new_store(1 << 20);
    struct shelf *shelf = open_shelf(store, path);
    for (unsigned version = 1; version < 4; version++)
        for (uint32_t i = 0; i < 10; i++) {
            void *content;
            CHECK(shelf_take(shelf, i, &content) == DAME_OK);
            CHECK(!shelf_has(shelf, i));
            const uint8_t *bytes = content;
            bool zero = (uintptr_t)content % SPAN_ALIGNMENT == 0;
            for (size_t at = 0; at < sizes[i] + SPAN_SPARE; at++)
                zero = zero && bytes[at] == 0;
            CHECK(zero);
            sample_fill(content, sizes[i], i, version);
            CHECK(shelf_put(shelf, i, NULL) == DAME_OK);
        }
    shelf_close(shelf, true);
    store_destroy(store);
}

static void test_file(uint64_t budget)
{
    const char *path = test_path("blocks.work");
    struct store *store = new_store(budget);
    struct shelf *shelf = open_shelf(store, path);
    put_all(shelf, 0);
    for (uint32_t i = 0; i < BLOCKS; i += 5)
        shelf_prefetch(shelf, i);
    check_all(shelf, 0);
    check_all(shelf, 0);
    struct store_statistics facts = store_statistics(store);
    CHECK(facts.writes == BLOCKS && facts.plain_bytes == 0);
    struct stat found;
    CHECK(stat(path, &found) == 0 && facts.written_bytes < (uint64_t)found.st_size &&
          facts.written_bytes + 8 * BLOCKS > (uint64_t)found.st_size && facts.written_bytes < all_bytes());
    if (budget > 2 * all_bytes()) {
        CHECK(facts.reads == 0 && facts.bytes == facts.most_bytes);
    } else if (budget > 4 << 20) {
        CHECK(facts.most_bytes <= budget && facts.most_bytes > budget / 2);
        CHECK(facts.reads > BLOCKS / 2 && facts.reads < 2 * BLOCKS);
        CHECK(facts.read_bytes > 0);
    } else if (budget == 0) {
        CHECK(facts.reads > BLOCKS && facts.bytes < (3 << 20));
    }
    for (uint32_t i = 0; i < BLOCKS; i += 3)
        CHECK(sample_put(shelf, i, sizes[i], 1, NULL) == DAME_OK);
    void *content; /* given up: what was put before is there again */
    CHECK(shelf_take(shelf, 3, &content) == DAME_OK);
    CHECK(!shelf_has(shelf, 3));
    shelf_give_up(shelf, 3);
    shelf_close(shelf, false);
    CHECK(store_statistics(store).bytes == 0);
    shelf = open_shelf(store, path);
    for (uint32_t i = 0; i < BLOCKS; i++)
        CHECK(sample_check(shelf, i, sizes[i], i % 3 == 0));
    shelf_close(shelf, true);
    CHECK(stat(path, &found) != 0 && errno == ENOENT);
    store_destroy(store);
}

/* Pinned blocks stay where they are, though the budget is passed; afterwards it is kept again. */
static void test_pinned(void)
{
    struct store *store = new_store(1 << 20);
    struct shelf *shelf = open_shelf(store, test_path("pinned.work"));
    const void *pinned[BLOCKS];
    put_all(shelf, 0);
    for (uint32_t i = 0; i < BLOCKS; i++)
        CHECK(shelf_pin(shelf, i, &pinned[i], NULL) == DAME_OK);
    CHECK(store_statistics(store).bytes > all_bytes());
    for (uint32_t i = 0; i < BLOCKS; i++) {
        const void *again;
        CHECK(shelf_pin(shelf, i, &again, NULL) == DAME_OK && again == pinned[i]);
        CHECK(sample_is(pinned[i], sizes[i], i, 0));
        shelf_unpin(shelf, i);
    }
    for (uint32_t i = 0; i < BLOCKS; i++)
        shelf_unpin(shelf, i);
    CHECK(store_statistics(store).bytes < 3 << 20);
    const uint64_t before = store_statistics(store).reads;
    check_all(shelf, 0);
    CHECK(store_statistics(store).reads > before + BLOCKS / 2);
    CHECK(store_statistics(store).most_bytes > all_bytes());
    shelf_close(shelf, true);
    store_destroy(store);
}

/* The blocks that are used again and again stay, whatever else passes by. */
static void test_recent(void)
{
    struct store *store = new_store(8 << 20);
    struct shelf *shelf = open_shelf(store, test_path("recent.work"));
    put_all(shelf, 0);
    uint64_t extra = 0;
    for (uint32_t i = 0; i < BLOCKS; i++)
        for (uint32_t hot = 90; hot < 99; hot++) {
            CHECK(sample_check(shelf, i, sizes[i], 0));
            const uint64_t before = store_statistics(store).reads;
            CHECK(sample_check(shelf, hot, sizes[hot], 0));
            extra += store_statistics(store).reads - before;
        }
    CHECK(extra <= 9);
    shelf_close(shelf, true);
    store_destroy(store);
}

/* A file that cannot grow: the text says so, the block is still in hand, all others stay. */
static void test_full_disk(void)
{
    const char *path = test_path("full.work");
    struct rlimit before;
    signal(SIGXFSZ, SIG_IGN);
    getrlimit(RLIMIT_FSIZE, &before);
    for (rlim_t limit = 0; limit < 30000; limit += 1237) {
        struct store *store = new_store(0);
        struct shelf *shelf = NULL;
        char detail[DETAIL_MAX] = "", wanted[DETAIL_MAX];
        snprintf(wanted, sizeof wanted, "%s: %s", path, strerror(EFBIG));
        const struct rlimit small = {limit, before.rlim_max};
        setrlimit(RLIMIT_FSIZE, &small);
        const enum dame_status status = shelf_open(store, path, IDENTITY, BLOCKS, sizes, &shelf, detail);
        CHECK(status == (limit == 0 ? DAME_IO : DAME_OK));
        uint32_t put = 0, failed = 0;
        bool there[BLOCKS] = {false};
        for (uint32_t i = 0; status == DAME_OK && i < 100; i++) {
            void *content;
            CHECK(shelf_take(shelf, i, &content) == DAME_OK);
            sample_fill(content, sizes[i], i, 0);
            there[i] = shelf_put(shelf, i, detail) == DAME_OK;
            put += there[i];
            if (!there[i]) {
                CHECK(errno == EFBIG && sample_is(content, sizes[i], i, 0));
                shelf_give_up(shelf, i);
                CHECK(!shelf_has(shelf, i));
                failed++;
            }
        }
        CHECK(strcmp(detail, wanted) == 0);
        setrlimit(RLIMIT_FSIZE, &before);
        if (status == DAME_OK) {
            CHECK(put > 0 && failed > 0);
            CHECK(!there[99] && sample_put(shelf, 99, sizes[99], 0, detail) == DAME_OK);
            there[99] = true;
            shelf_close(shelf, false);
            shelf = open_shelf(store, path);
            for (uint32_t i = 0; i < 100; i++)
                CHECK(there[i] ? sample_check(shelf, i, sizes[i], 0) : !shelf_has(shelf, i));
            shelf_close(shelf, true);
        } else {
            unlink(path);
        }
        store_destroy(store);
    }
}

static void test_refused(void)
{
    struct store *store = new_store(0);
    struct shelf *shelf = NULL;
    char detail[DETAIL_MAX] = "", wanted[DETAIL_MAX];
    const uint64_t odd[2] = {8, 12}, large[2] = {(uint64_t)1 << 32, 8};
    CHECK(shelf_open(store, NULL, 0, 2, odd, &shelf, detail) == DAME_BAD_ARGUMENT);
    CHECK(strcmp(detail, "block 1: size") == 0);
    CHECK(shelf_open(store, NULL, 0, 2, large, &shelf, detail) == DAME_TOO_LARGE);
    CHECK(strcmp(detail, "block 0: size") == 0);
    const char *path = test_path("no_folder/one.work");
    snprintf(wanted, sizeof wanted, "%s: %s", path, strerror(ENOENT));
    CHECK(shelf_open(store, path, 0, BLOCKS, sizes, &shelf, detail) == DAME_IO && errno == ENOENT);
    CHECK(strcmp(detail, wanted) == 0);
    CHECK(shelf == NULL);
    shelf_close(NULL, true);
    store_destroy(store);
    store_destroy(NULL);
}

/* More shelves than descriptors. */
static void test_descriptors(void)
{
    enum { SHELVES = 150, SMALL = 4 };
    struct store *store = new_store(1 << 20);
    static struct shelf *shelves[SHELVES];
    const uint64_t small[SMALL] = {4000, 80, 30000, 800};
    struct rlimit before;
    getrlimit(RLIMIT_NOFILE, &before);
    const struct rlimit few = {24, before.rlim_max};
    setrlimit(RLIMIT_NOFILE, &few);
    for (int s = 0; s < SHELVES; s++) {
        char name[32];
        snprintf(name, sizeof name, "%d.work", s);
        CHECK(shelf_open(store, test_path(name), (uint64_t)s, SMALL, small, &shelves[s], NULL) == DAME_OK);
    }
    for (uint32_t i = 0; i < SMALL; i++)
        for (int s = 0; s < SHELVES; s++)
            CHECK(sample_put(shelves[s], i, small[i], (unsigned)s, NULL) == DAME_OK);
    for (int s = 0; s < SHELVES; s++)
        for (uint32_t i = 0; i < SMALL; i++)
            CHECK(sample_check(shelves[s], i, small[i], (unsigned)s));
    for (int s = 0; s < SHELVES; s++)
        shelf_close(shelves[s], true);
    setrlimit(RLIMIT_NOFILE, &before);
    store_destroy(store);
}

int main(void)
{
    choose_sizes();
    test_memory_alone();
    test_taken(NULL);
    test_taken(test_path("taken.work"));
    test_file(0);
    test_file(2 << 20);
    test_file(5 << 20);
    test_file((uint64_t)1 << 40);
    test_pinned();
    test_recent();
    test_full_disk();
    test_refused();
    test_descriptors();
    return check_result();
}
