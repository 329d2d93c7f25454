/* Runs: what is encoded is decoded, every short code is taken or refused as an obvious decoder says, and
   nothing is written outside the packed bytes. */
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "tables/runs.h"
#include "tables/values.h"

enum { GUARD = 16, GUARD_BYTE = 0xA5, ROW = 28 };

static uint64_t random_state = 1;

static unsigned random_below(unsigned limit)
{
    random_state = random_state * UINT64_C(6364136223846793005) + 1442695040888963407;
    return (unsigned)(random_state >> 33) % limit;
}

/* The decoder as FORMAT.md has it, one value after the other. */
static bool obvious_decode(const uint8_t *code, size_t size, uint8_t *values, size_t count)
{
    size_t at = 0, done = 0;
    if (size == 0 || count == 0 || code[0] > 2)
        return false;
    int value = code[at++], before = (value + 1) % 3;
    while (at < size) {
        size_t length = 0;
        for (; at < size && code[at] == 255; at++)
            length += 255;
        if (at == size)
            return false;
        length += code[at++];
        if (length == 0 || done + length >= count)
            return false;
        memset(values + done, value, length);
        done += length;
        int next = before;
        if (at < size && code[at] == 0) {
            next = 3 - value - before;
            at++;
        }
        before = value;
        value = next;
    }
    memset(values + done, value, count - done);
    return true;
}

/* Decode into memory that has exactly the room it needs, between two guards. */
static bool decode(const uint8_t *code, size_t size, uint8_t *values, size_t count)
{
    const size_t bytes = values_bytes(count);
    uint8_t *guarded = malloc(bytes + 2 * GUARD), *exact = malloc(bytes == 0 ? 1 : bytes);
    uint8_t *copy = malloc(size == 0 ? 1 : size); /* so that a read behind the end shows */
    memcpy(copy, code, size);
    memset(guarded, GUARD_BYTE, bytes + 2 * GUARD);
    const bool sound = runs_decode(copy, size, guarded + GUARD, count);
    CHECK(runs_decode(copy, size, exact, count) == sound);
    for (size_t i = 0; i < GUARD; i++)
        CHECK(guarded[i] == GUARD_BYTE && guarded[GUARD + bytes + i] == GUARD_BYTE);
    if (sound) {
        CHECK(memcmp(exact, guarded + GUARD, bytes) == 0);
        for (size_t i = 0; i < count; i++)
            values[i] = (uint8_t)values_get(exact, i);
        for (size_t i = count; i < bytes * VALUES_PER_BYTE; i++)
            CHECK(values_get(exact, i) == 0);
    }
    free(copy);
    free(exact);
    free(guarded);
    return sound;
}

/* Returns the size of the code. */
static size_t check_round_trip(const uint8_t *values, size_t count, uint64_t row)
{
    static uint8_t code[4 * RUNS_VALUES_MAX], again[4 * RUNS_VALUES_MAX], found[RUNS_VALUES_MAX];
    const size_t size = runs_encode(values, count, row, code, sizeof code);
    CHECK(size > 0 && decode(code, size, found, count));
    bool same = true;
    for (size_t i = 0; i < count; i++)
        same &= found[i] <= 2 && (values[i] == RUNS_FREE || found[i] == values[i]);
    CHECK(same);
    /* One code for these values: with nothing free it comes out again, whatever the rows. */
    CHECK(runs_encode(found, count, row + 1, again, sizeof again) == size && memcmp(code, again, size) == 0);

    memset(again, GUARD_BYTE, size + GUARD);
    CHECK(runs_encode(values, count, row, again, size) == size && memcmp(code, again, size) == 0);
    CHECK(runs_encode(values, count, row, again, size - 1) == 0);
    CHECK(runs_encode(values, count, row, again, 0) == 0);
    for (size_t i = size; i < size + GUARD; i++)
        CHECK(again[i] == GUARD_BYTE);
    uint8_t one = RUNS_FREE;
    CHECK(runs_are_one(values, count, &one) == (size == 1));
    CHECK(size != 1 || one == code[0]);
    return size;
}

static const size_t COUNTS[] = {1,   2,   3,   4,   5,   7,   8,   31,   32,   33,   63,    64,   65,
                                127, 128, 129, 254, 255, 256, 510, 1021, 1024, 4099, 65535, 65536};

enum { COUNT_COUNT = sizeof COUNTS / sizeof COUNTS[0] };

/* From one run to a mess, with nothing free to everything. */
static void test_random_values(void)
{
    static uint8_t values[RUNS_VALUES_MAX];
    static const unsigned CHANGES[] = {1, 3, 20, 300, 100000}, FREE[] = {0, 10, 60, 97, 100};
    for (size_t c = 0; c < COUNT_COUNT; c++)
        for (int kind = 0; kind < 25; kind++) {
            uint8_t value = (uint8_t)random_below(3);
            for (size_t i = 0; i < COUNTS[c]; i++) {
                if (random_below(CHANGES[kind / 5]) == 0)
                    value = (uint8_t)random_below(3);
                values[i] = random_below(100) < FREE[kind % 5] ? RUNS_FREE : value;
            }
            check_round_trip(values, COUNTS[c], 1 + random_below(kind % 2 == 0 ? 40 : 5000));
        }
}

/* Rows that resemble each other, with holes: the ends of runs are put below each other. */
static void test_rows(void)
{
    enum { ROWS = 100 };
    uint8_t values[ROWS * ROW], code[4 * ROWS * ROW];
    for (size_t i = 0; i < sizeof values; i++) {
        const size_t row = i / ROW, column = i % ROW;
        const bool gap = column >= 10 && column < 15; /* somewhere in it the value changes */
        values[i] = gap && (row != 0 || column != 12) ? RUNS_FREE : column < 12 ? 1 : 2;
    }
    const size_t size = runs_encode(values, sizeof values, ROW, code, sizeof code);
    CHECK(size == check_round_trip(values, sizeof values, ROW) && size > 2);
    for (size_t i = 3; i + 1 < size; i++)
        CHECK(code[i] == code[i - 2]);
}

/* Lengths round the steps of 255, as the first run and as a later one. */
static void test_long_runs(void)
{
    static const size_t LENGTHS[] = {1,   2,   253, 254, 255,   256,   509,  510,
                                     511, 764, 765, 766, 65280, 65534, 65535};
    static uint8_t values[RUNS_VALUES_MAX];
    for (size_t l = 0; l < sizeof LENGTHS / sizeof LENGTHS[0]; l++)
        for (uint8_t next = 1; next <= 2; next++) {
            const size_t length = LENGTHS[l];
            memset(values, next, sizeof values);
            memset(values, 0, length);
            /* value, length, and 0 where the next is not the one that is expected first */
            CHECK(check_round_trip(values, length + 1, ROW) == 1 + length / 255 + 1 + (next == 2));
            CHECK(check_round_trip(values, RUNS_VALUES_MAX, ROW) == 1 + length / 255 + 1 + (next == 2));
            CHECK(check_round_trip(values, length, ROW) == 1);
            if (length < RUNS_VALUES_MAX - 1) {
                values[length + 1] = 0;
                check_round_trip(values, length + 2, ROW);
            }
        }
}

static void test_known_codes(void)
{
    static const struct {
        const char *values; /* digits; '3' is free */
        size_t size;
        uint8_t code[8];
    } CASES[] = {
        {"0", 1, {0}},
        {"2222", 1, {2}},
        {"333", 1, {0}},
        {"332", 1, {2}},
        {"0001", 2, {0, 3}},
        {"0002", 3, {0, 3, 0}},
        {"1112", 2, {1, 3}},
        {"1110", 3, {1, 3, 0}},
        {"0110", 3, {0, 1, 2}},
        {"01201", 8, {0, 1, 1, 0, 1, 0, 1, 0}}, /* each the third one, but the first change */
    };
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        const size_t count = strlen(CASES[i].values);
        uint8_t values[16], code[16];
        for (size_t v = 0; v < count; v++)
            values[v] = (uint8_t)(CASES[i].values[v] - '0');
        CHECK(runs_encode(values, count, ROW, code, sizeof code) == CASES[i].size);
        CHECK(memcmp(code, CASES[i].code, CASES[i].size) == 0);
    }
}

static void compare(const uint8_t *code, size_t size, size_t count)
{
    static uint8_t values[RUNS_VALUES_MAX], expected[RUNS_VALUES_MAX], again[RUNS_VALUES_MAX];
    const bool sound = obvious_decode(code, size, expected, count);
    CHECK(decode(code, size, values, count) == sound);
    if (sound) {
        CHECK(memcmp(values, expected, count) == 0);
        CHECK(runs_encode(values, count, ROW, again, sizeof again) == size && memcmp(again, code, size) == 0);
    }
}

/* All codes of up to five bytes that mean something special, for blocks of many sizes: empty ones, a first
   value that is none, lengths of nothing, lengths that end too late or not at all, bytes behind the last run.
 */
static void test_all_short_codes(void)
{
    static const uint8_t BYTES[] = {0, 1, 2, 3, 31, 254, 255};
    enum { LETTERS = sizeof BYTES, LONGEST = 5 };
    int total = 1;
    for (size_t size = 0; size <= LONGEST; size++, total *= LETTERS)
        for (int number = 0; number < total; number++) {
            uint8_t code[LONGEST];
            for (size_t i = 0, rest = (size_t)number; i < size; i++, rest /= LETTERS)
                code[i] = BYTES[rest % LETTERS];
            static const size_t SIZES[] = {0, 1, 2, 3, 4, 5, 32, 33, 64, 255, 256, 257, 511, 766};
            for (size_t c = 0; c < sizeof SIZES / sizeof SIZES[0]; c++)
                compare(code, size, SIZES[c]);
        }
}

static void test_random_codes(void)
{
    for (int round = 0; round < 20000; round++) {
        uint8_t code[64];
        const size_t size = random_below(sizeof code + 1);
        for (size_t i = 0; i < size; i++)
            code[i] = (uint8_t)(i == 0                 ? random_below(3)
                                : random_below(8) == 0 ? random_below(256)
                                                       : random_below(9));
        compare(code, size, 1 + random_below(round % 2 == 0 ? 300 : 5000));
    }
}

/* Longer than any block: the lengths alone would take gigabytes. */
static void test_endless_lengths(void)
{
    enum { SIZE = 1 << 20 };
    uint8_t *code = malloc(SIZE), *packed = malloc(RUNS_VALUES_MAX / VALUES_PER_BYTE);
    memset(code, 255, SIZE);
    code[0] = 0;
    CHECK(!runs_decode(code, SIZE, packed, RUNS_VALUES_MAX));
    code[SIZE - 1] = 1;
    CHECK(!runs_decode(code, SIZE, packed, RUNS_VALUES_MAX));
    CHECK(!runs_decode(code, 258, packed, RUNS_VALUES_MAX));
    code[257] = 255; /* 257 times 255 is one less than there are values: the last run has one */
    code[258] = 0;
    CHECK(runs_decode(code, 259, packed, RUNS_VALUES_MAX) && packed[16383] == 0x40);
    code[258] = 1;
    CHECK(!runs_decode(code, 259, packed, RUNS_VALUES_MAX));
    free(packed);
    free(code);
}

int main(void)
{
    test_known_codes();
    test_random_values();
    test_rows();
    test_long_runs();
    test_all_short_codes();
    test_random_codes();
    test_endless_lengths();
    return check_result();
}
