/* Planes of random bits, in memory, for tests of what reads them. */
#ifndef DAME_TESTS_RANDOM_PLANES_H
#define DAME_TESTS_RANDOM_PLANES_H

#include "base/hash.h"
#include "boards/board.h"
#include "check.h"
#include "planes/planes.h"

struct random_planes {
    struct store *store;
    struct side *rows, *columns;
    struct planes *planes; /* with `stored`, without distances */
};

static void fill_randomly(struct planes *planes, uint64_t seed)
{
    for (uint32_t block = 0; block < planes->values.count; block++) {
        CHECK(blocks_take(&planes->values, block) == DAME_OK &&
              blocks_take(&planes->stored, block) == DAME_OK);
        const struct plane_rows at = planes_words(planes, block, 0);
        uint64_t *stored = blocks_at(&planes->stored, block);
        for (size_t i = 0; i < planes->values.blocks[block].words; i++, seed += 4) {
            const uint64_t decided = hash_number(seed), won = hash_number(seed + 1);
            at.won[i] = decided & won;
            at.lost[i] = decided & ~won;
            stored[i] = hash_number(seed + 2) | hash_number(seed + 3);
        }
        CHECK(blocks_put(&planes->values, block) == DAME_OK && blocks_put(&planes->stored, block) == DAME_OK);
    }
}

static inline void random_planes_create(const struct board *board, struct material m, bool whole,
                                        struct random_planes *out)
{
    struct blocks_home home = {0};
    CHECK(side_create(board, m.other_men, m.other_kings, whole, &out->rows) == DAME_OK);
    CHECK(side_create(board, m.own_men, m.own_kings, whole, &out->columns) == DAME_OK);
    CHECK(store_create(0, &PACK_CODEC, &home.store) == DAME_OK);
    CHECK(planes_create(&home, out->rows, out->columns, false, &out->planes) == DAME_OK);
    CHECK(planes_add_stored(out->planes, &home) == DAME_OK);
    out->store = home.store;
    out->planes->material = m;
    fill_randomly(out->planes, hash_number((uint64_t)m.own_men << 8 | m.other_kings));
}

static inline void random_planes_destroy(struct random_planes *random)
{
    planes_destroy(random->planes, true);
    store_destroy(random->store);
    side_destroy(random->rows);
    side_destroy(random->columns);
}

#endif
