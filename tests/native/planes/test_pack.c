/* Packed blocks come back, those of real slices are short, and damaged ones do no harm. */
#include "planes/pack.h"

#include <stdlib.h>
#include <string.h>

#include "build/solver.h"
#include "build/solver_state.h"
#include "check.h"
#include "exact_bytes.h"
#include "kernel/kernel.h"
#include "planes/planes.h"

static struct pack_scratch scratch;

/* Returns the packed size, 0 if that is more than `capacity`. */
static size_t round_trip(const uint8_t *bytes, size_t size, size_t plane_bytes, size_t row_bytes,
                         size_t capacity)
{
    uint8_t *exact = exactly(bytes, size), *packed = malloc(capacity + 1), *back = malloc(size + 1);
    size_t found, again;
    packed[capacity] = 0xA5;
    pack(exact, size, plane_bytes, row_bytes, &scratch, packed, capacity, &found);
    CHECK(found <= capacity && packed[capacity] == 0xA5);
    if (found != 0) {
        uint8_t *code = exactly(packed, found);
        memset(&scratch, 0x5A, sizeof scratch);
        memset(back, 0xFF, size + 1);
        CHECK(unpack(code, found, &scratch, back, size));
        CHECK(memcmp(back, bytes, size) == 0 && back[size] == 0xFF);
        memset(&scratch, 0xC3, sizeof scratch);
        pack(exact, size, plane_bytes, row_bytes, &scratch, packed, capacity, &again);
        CHECK(again == found && memcmp(packed, code, found) == 0);
        free(code);
    }
    free(back);
    free(packed);
    free(exact);
    return found;
}

/* ---- any bytes ---- */

enum kind { ZEROS_ONLY, SPARSE, RANDOM, RUNS, ROWS, KINDS };

static void fill(uint8_t *bytes, size_t size, size_t row_bytes, enum kind kind, uint32_t seed)
{
    for (size_t i = 0; i < size; i++) {
        const uint32_t random = next_random(&seed);
        switch (kind) {
        case SPARSE:
            bytes[i] = (uint8_t)(random % 100 == 0 ? random >> 8 : 0);
            break;
        case RANDOM:
            bytes[i] = (uint8_t)(random >> 16);
            break;
        case RUNS:
            bytes[i] = (uint8_t)(i / 37 * 151);
            break;
        case ROWS: /* as those above, with few deviations */
            bytes[i] = (uint8_t)(row_bytes == 0 || i < row_bytes || random % 50 == 0 ? random >> 4
                                                                                     : bytes[i - row_bytes]);
            break;
        default:
            bytes[i] = 0;
        }
    }
}

static void test_round_trips(void)
{
    static const size_t SIZES[] = {
        0, 8, 16, 56, 64, 72, 120, 128, 1000, PACK_PART - 8, PACK_PART, PACK_PART + 8, 3 * PACK_PART + 64};
    static const size_t ROWS_OF[] = {0, 8, 24, 56, 64, 72, 512, 4496, (size_t)UINT32_MAX * 8};
    uint8_t *bytes = malloc(4 * PACK_PART);
    for (size_t s = 0; s < sizeof SIZES / sizeof *SIZES; s++)
        for (size_t r = 0; r < sizeof ROWS_OF / sizeof *ROWS_OF; r++)
            for (enum kind kind = 0; kind < KINDS; kind++) {
                fill(bytes, SIZES[s], ROWS_OF[r], kind, (uint32_t)(s * 100 + r));
                CHECK(round_trip(bytes, SIZES[s], SIZES[s] / 16 * 8 * (kind % 3), ROWS_OF[r],
                                 2 * SIZES[s] + 100) != 0);
            }
    free(bytes);
}

static void test_size(void)
{
    enum { SIZE = 1 << 19, ROW = 64 };
    uint8_t *bytes = malloc(SIZE);
    fill(bytes, SIZE, ROW, ZEROS_ONLY, 1);
    CHECK(round_trip(bytes, SIZE, SIZE, ROW, SIZE) == 8 + 4 * 2);
    CHECK(round_trip(bytes, 0, 0, ROW, SIZE) == 8);
    fill(bytes, SIZE, ROW, ROWS, 2);
    CHECK(round_trip(bytes, SIZE, SIZE, ROW, SIZE) < SIZE / 20);
    fill(bytes, SIZE, ROW, RANDOM, 3);
    CHECK(round_trip(bytes, SIZE, SIZE, ROW, SIZE) == 0);
    free(bytes);
}

/* It fits or does not, and nothing is written behind. */
static void test_capacity(void)
{
    enum { SIZE = 2000, ROW = 40 };
    uint8_t bytes[SIZE];
    fill(bytes, SIZE, ROW, ROWS, 4);
    const size_t size = round_trip(bytes, SIZE, SIZE, ROW, 2 * SIZE);
    for (size_t capacity = 0; capacity < size; capacity++)
        CHECK(round_trip(bytes, SIZE, SIZE, ROW, capacity) == 0);
    CHECK(round_trip(bytes, SIZE, SIZE, ROW, SIZE) == size);
}

/* ---- the blocks of slices ---- */

static struct solver *solver;

static void solve(enum metric metric, int pieces)
{
    CHECK(solver_create(kernel_find("english"), pieces, &(struct solver_options){.metric = metric},
                        &solver) == DAME_OK);
    for (int n = 2; n <= pieces; n++) {
        struct material list[32];
        const int count = material_list(n, list);
        for (int i = 0; i < count; i++)
            if (solver_planes(solver, list[i]) == NULL) /* with its mirror */
                CHECK(solver_solve(solver, list[i], 1, NULL, NULL) == DAME_OK);
    }
}

/* Both planes of a block, and the distances. Returns its size. */
static size_t block_bytes(const struct planes *planes, uint32_t r, uint32_t c, uint8_t *out)
{
    const uint32_t block = planes_block(planes, r, c);
    const size_t size = planes->values.blocks[block].words * (planes->with_distance ? 80u : 16u);
    memcpy(out, blocks_at(&planes->values, block), size);
    return size;
}

/* Bytes of a slice for one that they take packed, without its distances and with them. */
static void slice_ratios(const char *name, double ratios[2])
{
    enum { BLOCK_MAX = 1 << 22 };
    struct material material;
    CHECK(material_parse(name, &material) == DAME_OK);
    const struct planes *planes = solver_planes(solver, material);
    size_t plain[2] = {0}, packed[2] = {0};
    uint8_t *bytes = malloc(BLOCK_MAX);
    for (uint32_t r = 0; r < planes->rows->class_count; r++)
        for (uint32_t c = 0; c < planes->columns->class_count; c++) {
            const size_t row_bytes = 8 * planes_row_words(planes, c), size = block_bytes(planes, r, c, bytes);
            CHECK(size <= BLOCK_MAX);
            for (int with_distances = 0; with_distances < 2; with_distances++) {
                const size_t whole = with_distances ? size : size / 5;
                const size_t found = round_trip(bytes, whole, size / 5, row_bytes, whole);
                plain[with_distances] += whole;
                packed[with_distances] += found == 0 ? whole : found;
            }
        }
    free(bytes);
    for (int i = 0; i < 2; i++)
        ratios[i] = (double)plain[i] / (double)packed[i];
}

/* Small slices; larger ones are shorter (docs/compression.md). */
static void test_slices(void)
{
    static const struct {
        const char *name;
        double least, least_with_distances; /* 0.2 less than was measured */
    } SLICES[] = {{"KKvKK", 3.9, 5.0}, {"KKvKM", 3.2, 3.8}, {"KMvKK", 2.8, 4.2}, {"KMvKM", 3.2, 4.8},
                  {"MMvKM", 2.6, 3.8}, {"MMvMM", 3.4, 5.0}, {"KKKvK", 6.4, 3.0}};
    solve(METRIC_DTW, 4);
    for (size_t i = 0; i < sizeof SLICES / sizeof *SLICES; i++) {
        double ratios[2];
        slice_ratios(SLICES[i].name, ratios);
        CHECK(ratios[0] > SLICES[i].least && ratios[1] > SLICES[i].least_with_distances);
    }
    solver_destroy(solver);
}

/* ---- damage ---- */

/* Whatever is unpacked, no byte outside is touched: the sanitizers see to that. */
static bool unpacks(const uint8_t *packed, size_t packed_size, size_t size)
{
    uint8_t *exact = exactly(packed, packed_size), *out = malloc(size);
    const bool found = unpack(exact, packed_size, &scratch, out, size);
    free(out);
    free(exact);
    return found;
}

static void test_damage(void)
{
    enum { SIZE = 400, ROW = 16 };
    uint8_t bytes[SIZE], packed[2 * SIZE];
    for (enum kind kind = 0; kind < KINDS; kind++) {
        size_t size, refused = 0;
        fill(bytes, SIZE, ROW, kind, 7);
        pack(bytes, SIZE, SIZE / 2, ROW, &scratch, packed, sizeof packed, &size);
        CHECK(size != 0 && unpacks(packed, size, SIZE));
        for (size_t length = 0; length < size; length++)
            CHECK(!unpacks(packed, length, SIZE));
        CHECK(!unpacks(packed, size + 1, SIZE)); /* bytes are left over */
        for (size_t other = 0; other <= 2 * SIZE; other += 8)
            unpacks(packed, size, other);
        CHECK(!unpacks(packed, size, SIZE - 1));
        for (size_t i = 0; i < size; i++)
            for (int change = 1; change < 256; change++) {
                packed[i] ^= (uint8_t)change;
                refused += !unpacks(packed, size, SIZE);
                packed[i] ^= (uint8_t)change;
            }
        CHECK(refused > 0);
    }
}

int main(void)
{
    test_round_trips();
    test_size();
    test_capacity();
    test_slices();
    test_damage();
    return check_result();
}
