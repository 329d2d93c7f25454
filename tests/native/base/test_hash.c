/* XXH64 and SplitMix64 against published values, and numbers in byte strings. */
#include "base/bytes.h"
#include "base/hash.h"

#include <string.h>

#include "check.h"

/* From the self test of xxHash 0.6 (xxhsum.c, BMK_sanityCheck): bytes of a generator, two seeds. */
static void test_self_test_of_xxhash(void)
{
    const uint32_t prime = 2654435761U;
    uint8_t buffer[101];
    uint32_t generator = prime;
    for (size_t i = 0; i < sizeof buffer; i++) {
        buffer[i] = (uint8_t)(generator >> 24);
        generator *= generator;
    }
    CHECK(hash_seeded(NULL, 0, 0) == UINT64_C(0xEF46DB3751D8E999));
    CHECK(hash_seeded(NULL, 0, prime) == UINT64_C(0xAC75FDA2929B17EF));
    CHECK(hash_seeded(buffer, 1, 0) == UINT64_C(0x4FCE394CC88952D8));
    CHECK(hash_seeded(buffer, 1, prime) == UINT64_C(0x739840CB819FA723));
    CHECK(hash_seeded(buffer, 14, 0) == UINT64_C(0xCFFA8DB881BC3A3D));
    CHECK(hash_seeded(buffer, 14, prime) == UINT64_C(0x5B9611585EFCC9CB));
    CHECK(hash_seeded(buffer, 101, 0) == UINT64_C(0x0EAB543384F878AD));
    CHECK(hash_seeded(buffer, 101, prime) == UINT64_C(0xCAA65939306F1E21));
}

static void test_texts(void)
{
    const char *text = "Nobody inspects the spammish repetition";
    CHECK(hash_bytes(text, strlen(text)) == UINT64_C(0xFBCEA83C8A378BF1));
    CHECK(hash_bytes("a", 1) == UINT64_C(0xD24EC4F1A98C6E5B));
    CHECK(hash_bytes("abc", 3) == UINT64_C(0x44BC2CF5AD770999));
}

/* The first numbers that SplitMix64 gives from the states 0 and 1234567. */
static void test_numbers(void)
{
    CHECK(hash_number(0) == UINT64_C(0xE220A8397B1DCDAF));
    CHECK(hash_number(HASH_STEP) == UINT64_C(0x6E789E6AA1B965F4));
    CHECK(hash_number(1234567) == UINT64_C(6457827717110365317));
}

static void test_bytes(void)
{
    uint8_t bytes[9] = {0};
    store_u64(bytes + 1, UINT64_C(0x8182838485868788)); /* not aligned */
    CHECK(bytes[1] == 0x88 && bytes[8] == 0x81);
    CHECK(load_u64(bytes + 1) == UINT64_C(0x8182838485868788));
    CHECK(load_u32(bytes + 1) == 0x85868788U);
    CHECK(load_u16(bytes + 1) == 0x8788U);
    store_u32(bytes, 0xFF010203U);
    CHECK(load_u32(bytes) == 0xFF010203U && bytes[3] == 0xFF && bytes[4] == 0x85);
}

int main(void)
{
    test_self_test_of_xxhash();
    test_texts();
    test_numbers();
    test_bytes();
    return check_result();
}
