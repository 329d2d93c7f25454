/* The block cache: right values under any limit and from several threads, and the limit is kept. */
#include "tables/cache.h"

#include "base/threads.h"
#include "check.h"
#include "table_file.h"

enum { TABLES = 3, BYTES = 28672, BLOCKS = 2 * 16 + 112, PLACE = 2048 + 64, THREADS = 4, READS = 20000 };

struct fixture {
    struct table *tables[TABLES];
    uint8_t packed[TABLES][BYTES];
    struct cache *cache;
    struct cached *cached[TABLES];
    atomic_int wrong;
};

static void open_tables(struct fixture *fixture)
{
    static const char *const NAMES[TABLES] = {"KKvK", "KvKK", "KMvK"};
    for (int t = 0; t < TABLES; t++) {
        struct table_header header = test_header(&BOARD_8X8, "english", NAMES[t], TABLE_BLOCK_MIN, 0, 0, 0);
        if (t == 2) { /* a byte a value */
            header.win = header.draw - 1;
            header.draw = 1;
            header = with_distances(header, METRIC_DTZ, (struct draw_rule){0}, 200, -1);
        }
        for (uint64_t i = 0; i < header.values; i++) {
            if (t == 2)
                fixture->packed[t][i] = (uint8_t)((i >> 3) * (i >> 5) % 201);
            else
                values_set(fixture->packed[t], i, (int)((i >> 3) * (i >> 5) + (uint64_t)t) % 3);
        }
        size_t size;
        uint8_t *file = test_file(&BOARD_8X8, &header, fixture->packed[t], &size);
        write_file(test_path(NAMES[t]), file, size);
        free(file);
        CHECK(table_open(NULL, test_path(NAMES[t]), "english", &BOARD_8X8, &TOY_CODEC, &fixture->tables[t],
                         NULL) == DAME_OK);
    }
}

static enum dame_status read_values(void *context, uint64_t item, int worker)
{
    (void)worker;
    struct fixture *fixture = context;
    uint64_t random = item + 1;
    for (int i = 0; i < READS; i++) {
        random = random * UINT64_C(6364136223846793005) + 1442695040888963407U;
        const int t = (int)(random >> 60) % TABLES;
        const struct table_header *header = table_header(fixture->tables[t]);
        const uint64_t index = (random >> 20) % header->values;
        int value = -1;
        if (cache_value(fixture->cached[t], index, &value, NULL) != DAME_OK ||
            value != layout_value(header, fixture->packed[t], index))
            atomic_fetch_add(&fixture->wrong, 1);
    }
    return DAME_OK;
}

static void start(struct fixture *fixture, uint64_t limit)
{
    CHECK(cache_create(limit, &fixture->cache) == DAME_OK);
    for (int t = 0; t < TABLES; t++)
        CHECK(cached_create(fixture->cache, fixture->tables[t], &fixture->cached[t]) == DAME_OK);
}

static struct cache_statistics finish(struct fixture *fixture)
{
    const struct cache_statistics statistics = cache_statistics(fixture->cache);
    cache_destroy(fixture->cache);
    for (int t = 0; t < TABLES; t++)
        cached_destroy(fixture->cached[t]);
    CHECK(fixture->wrong == 0);
    return statistics;
}

static struct cache_statistics run(struct fixture *fixture, uint64_t limit)
{
    start(fixture, limit);
    CHECK(threads_run(THREADS, THREADS, read_values, fixture, NULL) == DAME_OK);
    const struct cache_statistics statistics = finish(fixture);
    CHECK(statistics.hits + statistics.misses <= THREADS * READS); /* they may lose hits of each other */
    CHECK(statistics.kept_bytes <= limit);
    return statistics;
}

/* Alone, a thread loses no hit. */
static void test_counts(struct fixture *fixture)
{
    start(fixture, 3 * PLACE);
    CHECK(read_values(fixture, 0, 0) == DAME_OK);
    const struct cache_statistics statistics = finish(fixture);
    CHECK(statistics.hits + statistics.misses == READS);
    CHECK(statistics.kept_bytes > 2 * PLACE && statistics.kept_bytes <= 3 * PLACE);
}

int main(void)
{
    static struct fixture fixture;
    open_tables(&fixture);
    test_counts(&fixture);
    CHECK(run(&fixture, 0).hits == 0);
    const struct cache_statistics tiny = run(&fixture, 3 * PLACE); /* three blocks */
    CHECK(tiny.hits > 0 && tiny.misses > tiny.hits && tiny.kept_bytes > 2 * PLACE);
    CHECK(run(&fixture, 40 * PLACE).kept_bytes > 8 * PLACE); /* all places in use */
    const struct cache_statistics large = run(&fixture, 1024 * PLACE);
    CHECK(large.misses >= BLOCKS && large.misses <= BLOCKS * THREADS &&
          large.decoded_bytes >= 2 * 3968 + BYTES);
    CHECK(run(&fixture, UINT64_C(1) << 30).misses <= BLOCKS * THREADS);
    for (int t = 0; t < TABLES; t++)
        table_close(fixture.tables[t]);
    return check_result();
}
