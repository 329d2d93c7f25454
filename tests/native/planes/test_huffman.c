/* Prefix codes of strings: they come back, take about as many bits as Huffman's, and damaged ones do no harm.
 */
#include "planes/huffman.h"

#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "exact_bytes.h"

static struct huffman_table table;

/* Returns the size of the code, 0 if it takes more than `capacity`. */
static size_t round_trip(const uint8_t *bytes, size_t count, size_t capacity)
{
    uint8_t *code = malloc(capacity + 1), *back = malloc(count);
    code[capacity] = 0xA5;
    const size_t size = huffman_encode(bytes, count, code, capacity);
    CHECK(size <= capacity && code[capacity] == 0xA5);
    if (size != 0) {
        uint8_t *exact = exactly(code, size);
        CHECK(huffman_decode(exact, size, &table, back, count) == size);
        CHECK(memcmp(back, bytes, count) == 0);
        free(exact);
        CHECK(huffman_decode(code, capacity + 1, &table, back, count) == size); /* more may follow */
        CHECK(memcmp(back, bytes, count) == 0);
    }
    free(back);
    free(code);
    return size;
}

/* 2, 4, 8, ... of a kind: each value takes as many bits as it should. */
static void test_size(void)
{
    enum { COUNT = 1 << 12, BITS = 8 };
    uint8_t bytes[COUNT];
    size_t bits = 0;
    for (size_t i = 0; i < COUNT; i++) {
        const int zeros = i % 256 == 0 ? BITS : __builtin_ctzll(i % 256);
        bytes[i] = (uint8_t)(3 * zeros);
        bits += (size_t)(zeros < BITS ? zeros + 1 : BITS);
    }
    const size_t size = round_trip(bytes, COUNT, COUNT), front = 9 + 2 * 16 / 2 + 8 + 4;
    CHECK(bits / 8 < size && size <= bits / 8 + front + 4);
}

static void test_lengths_of_strings(void)
{
    uint8_t bytes[300];
    uint32_t state = 1;
    for (size_t count = 2; count <= sizeof bytes; count++) {
        for (size_t i = 0; i < count; i++)
            bytes[i] = (uint8_t)(next_random(&state) % 3);
        bytes[0] = 7;
        bytes[count - 1] = 8;
        CHECK(round_trip(bytes, count, 400) != 0);
    }
}

/* Counts as Fibonacci's numbers make the deepest tree there is; here the code is limited. */
static void test_deep_tree(void)
{
    uint8_t *bytes = malloc(HUFFMAN_COUNT_MAX);
    size_t count = 0, last = 1, now = 1;
    int value = 0;
    for (; count + now <= HUFFMAN_COUNT_MAX; value++) {
        memset(bytes + count, value, now);
        count += now;
        const size_t sum = last + now;
        last = now;
        now = sum;
    }
    CHECK(value > 2 * HUFFMAN_BITS);
    const size_t size = round_trip(bytes, count, count);
    CHECK(0 < size && size < count / 2);
    free(bytes);
}

static void test_all_values(void)
{
    uint8_t *bytes = malloc(HUFFMAN_COUNT_MAX);
    uint32_t state = 5;
    for (size_t i = 0; i < HUFFMAN_COUNT_MAX; i++)
        bytes[i] = (uint8_t)next_random(&state);
    CHECK(round_trip(bytes, HUFFMAN_COUNT_MAX, HUFFMAN_COUNT_MAX) == 0); /* it does not get shorter */
    CHECK(round_trip(bytes, HUFFMAN_COUNT_MAX, HUFFMAN_COUNT_MAX + 400) != 0);
    for (size_t i = 0; i < HUFFMAN_COUNT_MAX; i++)
        bytes[i] &= (uint8_t)next_random(&state) & (uint8_t)next_random(&state);
    const size_t size = round_trip(bytes, HUFFMAN_COUNT_MAX, HUFFMAN_COUNT_MAX);
    CHECK(0 < size && size < HUFFMAN_COUNT_MAX * 3 / 5);
    free(bytes);
}

static void test_capacity(void)
{
    uint8_t bytes[1000], code[1000];
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (uint8_t)(i * i % 11);
    const size_t size = huffman_encode(bytes, sizeof bytes, code, sizeof code);
    CHECK(size != 0);
    for (size_t capacity = 0; capacity <= size + 8; capacity++) {
        const size_t found = round_trip(bytes, sizeof bytes, capacity);
        CHECK(found == (capacity < size ? 0 : size) || (found == 0 && capacity < size + 4));
    }
}

/* Whatever is decoded, no byte outside is touched (the sanitizers see to that), and lost bytes are noticed.
 */
static void test_damage(void)
{
    enum { COUNT = 200 };
    uint8_t bytes[COUNT], code[400], back[COUNT];
    for (size_t i = 0; i < COUNT; i++)
        bytes[i] = (uint8_t)(i * i / 5 % 9);
    const size_t size = huffman_encode(bytes, COUNT, code, sizeof code);
    CHECK(size != 0);
    for (size_t length = 0; length < size; length++) {
        uint8_t *cut = exactly(code, length);
        CHECK(huffman_decode(cut, length, &table, back, COUNT) == 0);
        free(cut);
    }
    size_t refused = 0;
    for (size_t i = 0; i < size; i++)
        for (int value = 0; value < 256; value++) {
            uint8_t *spoilt = exactly(code, size);
            spoilt[i] = (uint8_t)value;
            const size_t found = huffman_decode(spoilt, size, &table, back, COUNT);
            CHECK(found <= size);
            refused += found == 0;
            free(spoilt);
        }
    CHECK(refused > 0);
    CHECK(huffman_decode(code, size, &table, back, COUNT - 20) == 0); /* bytes are left over */
}

int main(void)
{
    test_size();
    test_lengths_of_strings();
    test_deep_tree();
    test_all_values();
    test_capacity();
    test_damage();
    return check_result();
}
