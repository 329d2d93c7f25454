/* Many threads that make, read and remake blocks at random, against a plain array of what was put last. */
#include <stdatomic.h>

#include "base/threads.h"
#include "check.h"
#include "planes/store.h"
#include "store_sample.h"
#include "test_folder.h"

enum { SHELVES = 3, BLOCKS = 64, THREADS = 8, STEPS = 3000 };

struct fixture {
    struct shelf *shelves[SHELVES];
    uint64_t sizes[BLOCKS];
    /* 0: nobody; -1: being made; otherwise so many readers. Like whoever uses a store, the test never pins
       a block that is being made. */
    atomic_int users[SHELVES][BLOCKS];
    unsigned version[SHELVES][BLOCKS]; /* 0: not there */
    atomic_int wrong;
};

static void require(struct fixture *fixture, bool condition)
{
    if (!condition)
        atomic_fetch_add(&fixture->wrong, 1);
}

static void make(struct fixture *fixture, int s, uint32_t block, bool give_up)
{
    int nobody = 0;
    if (!atomic_compare_exchange_strong(&fixture->users[s][block], &nobody, -1))
        return;
    void *content;
    const unsigned version = fixture->version[s][block] + 1;
    require(fixture, shelf_take(fixture->shelves[s], block, &content) == DAME_OK);
    sample_fill(content, fixture->sizes[block], block, version);
    if (give_up) {
        shelf_give_up(fixture->shelves[s], block);
        if (s == 0) /* in memory alone */
            fixture->version[s][block] = 0;
    } else {
        require(fixture, shelf_put(fixture->shelves[s], block, NULL) == DAME_OK);
        fixture->version[s][block] = version;
    }
    require(fixture, shelf_has(fixture->shelves[s], block) == (fixture->version[s][block] != 0));
    atomic_store(&fixture->users[s][block], 0);
}

static bool begin_reading(struct fixture *fixture, int s, uint32_t block)
{
    int users = atomic_load(&fixture->users[s][block]);
    while (users >= 0)
        if (atomic_compare_exchange_weak(&fixture->users[s][block], &users, users + 1))
            return true;
    return false;
}

/* Several blocks at a time, as a unit does. */
static void read_some(struct fixture *fixture, uint64_t random)
{
    const void *content[4];
    int s[4];
    uint32_t block[4];
    bool pinned[4];
    for (int i = 0; i < 4; i++) {
        s[i] = (int)((random >> (16 * i)) % SHELVES);
        block[i] = (uint32_t)((random >> (16 * i + 4)) % BLOCKS);
        pinned[i] = begin_reading(fixture, s[i], block[i]);
        if (!pinned[i])
            continue;
        const unsigned version = fixture->version[s[i]][block[i]];
        char detail[DETAIL_MAX];
        shelf_prefetch(fixture->shelves[s[i]], block[i]);
        const enum dame_status status = shelf_pin(fixture->shelves[s[i]], block[i], &content[i], detail);
        require(fixture, status == (version == 0 ? DAME_CORRUPT_TABLE : DAME_OK));
        if (status != DAME_OK) {
            atomic_fetch_sub(&fixture->users[s[i]][block[i]], 1);
            pinned[i] = false;
        }
    }
    for (int i = 0; i < 4; i++) {
        if (!pinned[i])
            continue;
        require(fixture,
                sample_is(content[i], fixture->sizes[block[i]], block[i], fixture->version[s[i]][block[i]]));
        shelf_unpin(fixture->shelves[s[i]], block[i]);
        atomic_fetch_sub(&fixture->users[s[i]][block[i]], 1);
    }
}

static enum dame_status work(void *context, uint64_t item, int worker)
{
    (void)worker;
    struct fixture *fixture = context;
    for (uint64_t step = 0; step < STEPS; step++) {
        const uint64_t random = hash_number(item * STEPS + step);
        if (random % 8 < 2)
            make(fixture, (int)((random >> 8) % SHELVES), (uint32_t)((random >> 16) % BLOCKS),
                 random >> 32 & 1);
        else
            read_some(fixture, hash_number(random));
    }
    return DAME_OK;
}

static void run(uint64_t budget)
{
    static struct fixture fixture;
    struct store *store;
    memset(&fixture, 0, sizeof fixture);
    CHECK(store_create(budget, &RUNS, &store) == DAME_OK);
    for (uint32_t i = 0; i < BLOCKS; i++) /* 8 of them have a span of their own */
        fixture.sizes[i] = i % 8 == 7 ? 40000 + i * 800 : 8 + i % 8 * 504;
    for (int s = 0; s < SHELVES; s++) {
        char name[32];
        snprintf(name, sizeof name, "threads_%d.work", s);
        CHECK(shelf_open(store, s == 0 ? NULL : test_path(name), (uint64_t)s, BLOCKS, fixture.sizes,
                         &fixture.shelves[s], NULL) == DAME_OK);
    }
    CHECK(threads_run(THREADS, THREADS, work, &fixture, NULL) == DAME_OK);
    CHECK(fixture.wrong == 0);
    for (int s = 0; s < SHELVES; s++)
        for (uint32_t i = 0; i < BLOCKS; i++)
            CHECK(fixture.version[s][i] == 0
                      ? !shelf_has(fixture.shelves[s], i)
                      : sample_check(fixture.shelves[s], i, fixture.sizes[i], fixture.version[s][i]));
    CHECK(store_statistics(store).writes > BLOCKS);
    CHECK(budget > 1 << 20 || store_statistics(store).reads > BLOCKS);
    for (int s = 0; s < SHELVES; s++)
        shelf_close(fixture.shelves[s], true);
    store_destroy(store);
}

int main(void)
{
    run(0);
    run(400000);
    run(UINT64_MAX);
    return check_result();
}
