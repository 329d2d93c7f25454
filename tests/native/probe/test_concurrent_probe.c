/* Many threads probe random positions through a cache that has room for hardly anything, so that blocks are
   read, decoded and thrown out all the time; every value is compared. Also run with the thread sanitizer. */
#include <stdatomic.h>

#include "base/threads.h"
#include "check.h"
#include "naive_library.h"
#include "probe/value.h"

enum { THREADS = 4, PROBES = 20000, BATCH = 500 };

struct shared {
    const struct library *library;
    atomic_int wrong;
};

/* Every item of work has its own numbers. */
static uint64_t next_random(uint64_t *state)
{
    *state += UINT64_C(0x9E3779B97F4A7C15);
    uint64_t mixed = (*state ^ *state >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    mixed = (mixed ^ mixed >> 27) * UINT64_C(0x94D049BB133111EB);
    return mixed ^ mixed >> 31;
}

/* A placement without two pieces on one square, and its value. */
static struct position random_position(uint64_t *state, int *value)
{
    for (;;) {
        const struct solved *slice = &slices[next_random(state) % (uint64_t)slice_count];
        const uint64_t index = next_random(state) % slice->shape.size;
        uint64_t sets[PIECE_SETS], all = 0;
        int pieces = 0;
        for (int piece_set = 0; piece_set < PIECE_SETS; piece_set++) {
            sets[piece_set] =
                slice->sets.of[piece_set][index_rank(&slice->shape, (enum piece_set)piece_set, index)];
            all |= sets[piece_set];
            pieces += bit_count(sets[piece_set]);
        }
        if (bit_count(all) != pieces)
            continue;
        *value = slice->values[index];
        return (struct position){sets[OWN_MEN], sets[OWN_KINGS], sets[OTHER_MEN], sets[OTHER_KINGS]};
    }
}

static enum dame_status probe_some(void *context, uint64_t item, int worker)
{
    struct shared *shared = context;
    uint64_t state = item << 32;
    (void)worker;
    for (int i = 0; i < BATCH; i++) {
        int expected, wdl = UNKNOWN;
        const struct position position = random_position(&state, &expected);
        const enum dame_status status = probe_wdl(shared->library, &position, &wdl, NULL, NULL);
        if (status != DAME_OK || wdl != expected)
            atomic_fetch_add(&shared->wrong, 1);
    }
    return DAME_OK;
}

/* One item asks for many values at once, the others for one after the other. */
static enum dame_status probe_batch(void *context, uint64_t item, int worker)
{
    if (item % 2 == 0)
        return probe_some(context, item, worker);
    struct shared *shared = context;
    uint64_t rows[BATCH][PROBE_WORDS], state = item << 32;
    int expected[BATCH];
    int8_t found[BATCH];
    for (int i = 0; i < BATCH; i++) {
        const struct position position = random_position(&state, &expected[i]);
        rows[i][0] = position.own_men;
        rows[i][1] = position.own_kings;
        rows[i][2] = position.other_men;
        rows[i][3] = position.other_kings;
        rows[i][4] = 0;
    }
    const enum dame_status status = probe_many(shared->library, rows[0], BATCH, found, 1, NULL, NULL);
    for (int i = 0; i < BATCH; i++)
        if (status != DAME_OK || found[i] != expected[i])
            atomic_fetch_add(&shared->wrong, 1);
    return DAME_OK;
}

int main(void)
{
    naive_solve_all();
    struct library *library = open_library(PIECES, true, NULL); /* with a cache of 64 KiB */
    struct shared shared = {.library = library};
    CHECK(threads_run(THREADS, PROBES / BATCH, probe_some, &shared, NULL) == DAME_OK);
    CHECK(threads_run(THREADS, PROBES / BATCH, probe_batch, &shared, NULL) == DAME_OK);
    CHECK(shared.wrong == 0);
    const struct cache_statistics statistics = library_statistics(library);
    CHECK(statistics.hits > 0 && statistics.misses > PROBES / 10);
    CHECK(statistics.kept_bytes <= 1 << 16);
    library_destroy(library);
    naive_free();
    return check_result();
}
