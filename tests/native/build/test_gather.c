/* Values in the order of a file, gathered row by row, against the same bit by bit, on planes of random bits.
 */
#include "build/gather.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "boards/board.h"
#include "check.h"
#include "kernel/kernel.h"
#include "random_planes.h"
#include "tables/coder.h"
#include "tables/values.h"

static struct material named(const char *name)
{
    struct material m = {0};
    CHECK(material_parse(name, &m) == DAME_OK);
    return m;
}

/* Bit by bit. */
static uint8_t *gather_slowly(const struct places *places)
{
    const struct planes *planes = places->planes;
    const uint64_t size = places->shape.size;
    uint8_t *packed = calloc(1, (size_t)values_bytes(size) + CODER_SLACK);
    for (uint64_t i = 0; i < size; i++) {
        uint64_t at;
        places_find(places, i, 1, &at);
        const uint32_t block = plane_bit_block(at);
        const uint64_t bit = plane_bit_number(at);
        const struct plane_rows word = planes_words(planes, block, (size_t)(bit / 64));
        const uint64_t won = word.won[0] >> bit % 64 & 1, lost = word.lost[0] >> bit % 64 & 1;
        const uint64_t stored = blocks_at(&planes->stored, block)[bit / 64] >> bit % 64 & 1;
        const uint64_t value = stored == 0 ? CODER_FREE : won ? VALUE_WIN : lost ? VALUE_LOSS : VALUE_DRAW;
        packed[i / VALUES_PER_BYTE] |= (uint8_t)(value << i % VALUES_PER_BYTE * 2);
    }
    return packed;
}

/* Values from number `first` on are the ones they should be; nothing is written behind the slack. */
static void check_part(const struct gatherer *gatherer, const uint8_t *expected, uint64_t first, size_t count)
{
    const size_t room = (size_t)values_bytes(count) + CODER_SLACK;
    uint8_t *packed = malloc(room + 1);
    memset(packed, 0xAA, room + 1);
    CHECK(gather(gatherer, first, count, packed) == DAME_OK);
    uint64_t wrong = 0;
    for (size_t i = 0; i < count; i++)
        wrong += values_get(packed, i) != values_get(expected, first + i);
    CHECK(wrong == 0);
    CHECK(packed[room] == 0xAA);
    free(packed);
}

/* The whole slice, and parts that begin and end anywhere. */
static void check_nesting(const struct ordering *ordering, const struct planes *planes, int nesting)
{
    struct places places;
    struct gatherer gatherer;
    CHECK(places_create(ordering, planes, nesting, &places) == DAME_OK);
    CHECK(gatherer_create(&places, &gatherer) == DAME_OK);
    uint8_t *expected = gather_slowly(&places);
    const uint64_t size = places.shape.size;
    check_part(&gatherer, expected, 0, (size_t)size);
    for (uint64_t i = 0; i < 40; i++) {
        const uint64_t first = hash_number(2 * i) % size, most = i % 4 == 0 ? size : i % 2 == 0 ? 3000 : 70;
        const uint64_t left = size - first < most ? size - first : most;
        check_part(&gatherer, expected, first, (size_t)(1 + hash_number(2 * i + 1) % left));
    }
    free(expected);
    gatherer_destroy(&gatherer);
    places_destroy(&places);
}

static void test_slice(const char *rules, struct material m, bool whole)
{
    const struct board *board = kernel_find(rules)->board;
    struct ordering *ordering;
    struct random_planes random;
    CHECK(ordering_create(board, &ordering) == DAME_OK);
    random_planes_create(board, m, whole, &random);
    for (int nesting = 0; nesting < NESTINGS; nesting++) {
        struct index_shape shape;
        CHECK(index_shape(board, m, nesting, &shape) == DAME_OK);
        if (index_same_nesting(&shape) == nesting)
            check_nesting(ordering, random.planes, nesting);
    }
    random_planes_destroy(&random);
    ordering_destroy(ordering);
}

int main(void)
{
    for (int own_men = 0; own_men <= 3; own_men++) /* every slice of two and three pieces, from either side */
        for (int own_kings = 0; own_men + own_kings <= 2; own_kings++)
            for (int other_men = 0; own_men + own_kings + other_men <= 3; other_men++)
                for (int other_kings = 0; own_men + own_kings + other_men + other_kings <= 3; other_kings++)
                    if (own_men + own_kings > 0 && other_men + other_kings > 0)
                        test_slice("english",
                                   (struct material){.own_men = (uint8_t)own_men,
                                                     .own_kings = (uint8_t)own_kings,
                                                     .other_men = (uint8_t)other_men,
                                                     .other_kings = (uint8_t)other_kings},
                                   true);
    test_slice("english", named("KMvKM"), true); /* all four piece sets, and rows that begin inside a word */
    test_slice("english", named("KKvKK"), true);
    test_slice("english", named("KKvMM"), true);
    test_slice("english", named("MMvKK"), true);
    test_slice("english", named("MMvMM"), false); /* classes of one advance */
    test_slice("english", named("KKKvM"), true);
    test_slice("english", named("MvKKK"), true);
    test_slice("international", named("KMvK"), true); /* more kings' sets than a table of orders takes */
    test_slice("international", named("KvMM"), true);
    return check_result();
}
