/* Resident memory of the process stays near the budget, whatever sizes blocks have. */
#include <inttypes.h>

#include "check.h"
#include "planes/store.h"
#include "store_sample.h"
#include "test_folder.h"

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
enum { OWN_MEMORY = 0 }; /* a sanitizer's memory comes on top, several times as much */
#else
enum { OWN_MEMORY = 1 };
#endif

/* Bytes; 0 where the system does not tell. */
static uint64_t resident(void)
{
    char line[256];
    uint64_t kilobytes = 0;
    FILE *file = fopen("/proc/self/status", "r");
    while (file != NULL && fgets(line, sizeof line, file) != NULL)
        if (sscanf(line, "VmRSS: %" SCNu64, &kilobytes) == 1)
            break;
    if (file != NULL)
        fclose(file);
    return kilobytes * 1024;
}

/* Blocks of two shelves with other sizes in turns, the second one half way through the first. */
static void check_sizes(uint64_t smallest, uint32_t blocks, uint64_t budget)
{
    struct store *store;
    struct shelf *shelves[2];
    uint64_t *sizes = malloc(blocks * sizeof *sizes), all = 0, most = 0;
    const uint64_t before = resident();
    CHECK(store_create(budget, &RUNS, &store) == DAME_OK);
    for (int s = 0; s < 2; s++) {
        for (uint32_t i = 0; i < blocks; i++) {
            sizes[i] = smallest * (1 + hash_number(i) % 7) + 8 * (hash_number(i + blocks) % 16);
            all += sizes[i];
        }
        CHECK(shelf_open(store, test_path(s == 0 ? "a.work" : "b.work"), 0, blocks, sizes, &shelves[s],
                         NULL) == DAME_OK);
    }
    for (uint32_t i = 0; i < 2 * blocks; i++) {
        if (i < blocks)
            CHECK(sample_put(shelves[0], i, sizes[i], 0, NULL) == DAME_OK);
        else
            CHECK(sample_put(shelves[1], i - blocks, sizes[i - blocks], 0, NULL) == DAME_OK);
        if (i % 64 == 0 && resident() > most)
            most = resident();
    }
    for (uint64_t i = 0; i < 2 * blocks; i++) {
        const uint32_t block = (uint32_t)(hash_number(i) % blocks);
        CHECK(sample_check(shelves[i % 2], block, sizes[block], 0));
        if (i % 64 == 0 && resident() > most)
            most = resident();
    }
    const struct store_statistics facts = store_statistics(store);
    CHECK(all > 2 * budget && facts.most_bytes <= budget && facts.bytes > budget * 3 / 4);
    CHECK(facts.reads > blocks / 2);
    CHECK(!OWN_MEMORY || most <= before + budget + blocks * 100 + (4 << 20));
    shelf_close(shelves[0], true);
    shelf_close(shelves[1], true);
    CHECK(!OWN_MEMORY || resident() <= before + (4 << 20));
    store_destroy(store);
    free(sizes);
}

int main(void)
{
    check_sizes(1024, 20000, 32 << 20);
    check_sizes(10000, 2000, 32 << 20);
    check_sizes(300000, 100, 32 << 20);
    return check_result();
}
