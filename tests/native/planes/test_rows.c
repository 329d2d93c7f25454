/* Rows of bits, transposition and bit gathering against loops that look at one bit at a time. */
#include <stdlib.h>
#include <string.h>

#include "base/bits.h"
#include "check.h"
#include "planes/rows.h"
#include "planes/transpose.h"

enum { ROW_WORDS = 3, ROW_BITS = 64 * ROW_WORDS };

static uint64_t random_state = 88172645463325252U;

static uint64_t random_word(void)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return random_state;
}

static bool row_bit(const uint64_t *row, uint64_t bit)
{
    return row[bit / 64] >> bit % 64 & 1;
}

static uint64_t naive_bits(const uint64_t *row, uint64_t from, int count)
{
    uint64_t bits = 0;
    for (int i = 0; i < count; i++)
        bits |= (uint64_t)row_bit(row, from + (uint64_t)i) << i;
    return bits;
}

static void test_row_words(void)
{
    CHECK(row_words(0) == 0 && row_words(1) == 1 && row_words(64) == 1 && row_words(65) == 2);
    CHECK(row_words(496) == 8 && row_words(35960) == 562);
}

/* Every start and length, so every place of a word boundary; the row behind has exactly the words it
   needs. */
static void test_bits_of_a_row(void)
{
    uint64_t *row = malloc(ROW_WORDS * sizeof *row);
    for (int i = 0; i < ROW_WORDS; i++)
        row[i] = random_word();
    for (uint64_t from = 0; from < ROW_BITS; from++)
        for (int count = 1; count <= 64 && from + (uint64_t)count <= ROW_BITS; count++)
            CHECK(row_bits(row, from, count) == naive_bits(row, from, count));
    free(row);
}

static void test_whole_rows(void)
{
    for (size_t words = 0; words <= ROW_WORDS; words++) {
        uint64_t a[ROW_WORDS], b[ROW_WORDS], c[ROW_WORDS], to[ROW_WORDS + 1], both[ROW_WORDS + 1];
        for (int i = 0; i < ROW_WORDS; i++) {
            a[i] = random_word();
            b[i] = random_word();
            c[i] = random_word();
        }
        to[words] = both[words] = 77;
        CHECK(row_and3(to, a, b, c, words) == (words > 0));
        row_and(both, a, b, words);
        for (size_t i = 0; i < words; i++)
            CHECK(to[i] == (a[i] & b[i] & c[i]) && both[i] == (a[i] & b[i]));
        row_or_into(both, c, words);
        row_and_into(to, a, words);
        for (size_t i = 0; i < words; i++)
            CHECK(to[i] == (a[i] & b[i] & c[i]) && both[i] == ((a[i] & b[i]) | c[i]));
        row_clear(to, words);
        for (size_t i = 0; i < words; i++)
            CHECK(to[i] == 0);
        CHECK(to[words] == 77 && both[words] == 77);
    }
    uint64_t to[1];
    CHECK(!row_and3(to, (const uint64_t[]){5}, (const uint64_t[]){6}, (const uint64_t[]){3}, 1) &&
          to[0] == 0);
}

static void test_transpose(void)
{
    uint64_t block[64], before[64];
    for (int round = 0; round < 20; round++) {
        for (int i = 0; i < 64; i++)
            before[i] = round == 0 ? bit_at(i) << 1 : random_word(); /* one bit a row, then many */
        memcpy(block, before, sizeof block);
        transpose_64(block);
        for (int i = 0; i < 64; i++)
            for (int j = 0; j < 64; j++)
                CHECK((block[j] >> i & 1) == (before[i] >> j & 1));
        transpose_64(block);
        CHECK(memcmp(block, before, sizeof block) == 0);
    }
}

static void check_gathering(uint64_t bits, uint64_t places)
{
    uint64_t deposited = 0, extracted = 0;
    for (int square = 0, i = 0; square < 64; square++)
        if (places >> square & 1) {
            deposited |= (bits >> i & 1) << square;
            extracted |= (bits >> square & 1) << i++;
        }
    CHECK(bits_deposit(bits, places) == deposited);
    CHECK(bits_extract(bits, places) == extracted);
}

static void test_gathering(void)
{
    static const uint64_t ENDS[] = {0, 1, UINT64_C(1) << 63, UINT64_MAX, UINT64_C(0x5555555555555555)};
    for (size_t i = 0; i < sizeof ENDS / sizeof ENDS[0]; i++)
        for (size_t j = 0; j < sizeof ENDS / sizeof ENDS[0]; j++)
            check_gathering(ENDS[i], ENDS[j]);
    for (int i = 0; i < 10000; i++)
        check_gathering(random_word(),
                        i % 2 == 0 ? random_word() : random_word() & random_word() & random_word());
}

static void test_single_bits(void)
{
    CHECK(bits_below(0) == 0 && bits_below(1) == 1 && bits_below(63) == UINT64_MAX >> 1);
    CHECK(bits_below(64) == UINT64_MAX);
    for (int i = 0; i < 64; i++)
        CHECK(bit_lowest(bit_at(i)) == i && bit_lowest(~bits_below(i)) == i && bit_count(bits_below(i)) == i);
}

/* Both boards, and every other width. */
static void test_reverse(void)
{
    for (int width = 1; width <= 64; width++)
        for (int round = 0; round < 20; round++) {
            const uint64_t bits = random_word() & bits_below(width);
            uint64_t expected = 0;
            for (int i = 0; i < width; i++)
                expected |= (bits >> i & 1) << (width - 1 - i);
            CHECK(bits_reverse(bits, width) == expected);
            CHECK(bits_reverse(expected, width) == bits);
        }
}

int main(void)
{
    test_row_words();
    test_bits_of_a_row();
    test_whole_rows();
    test_transpose();
    test_gathering();
    test_single_bits();
    test_reverse();
    return check_result();
}
