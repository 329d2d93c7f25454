/* Codes of runs: any bytes are refused, or stand for values whose code they are; any values have a code that
   stands for them.

       input = number of values - 1 (2 bytes), length of a row - 1 (1 byte), bytes

   The bytes are taken as a code for that many values, and as values themselves, four in each byte. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "tables/runs.h"
#include "tables/values.h"

static void require(int condition, const char *what)
{
    if (condition)
        return;
    fprintf(stderr, "fuzz_runs: %s\n", what);
    abort();
}

/* Memory of exactly this size, so that every byte too far shows. */
static uint8_t *exactly(size_t size)
{
    uint8_t *bytes = malloc(size == 0 ? 1 : size);
    require(bytes != NULL, "no memory");
    return bytes;
}

static void decode_and_encode(const uint8_t *code, size_t size, size_t count, uint64_t row)
{
    const size_t bytes = values_bytes(count);
    uint8_t *packed = exactly(bytes);
    memset(packed, 0xFF, bytes);
    if (runs_decode(code, size, packed, count)) {
        uint8_t *values = exactly(count), *again = exactly(size);
        require(!values_contain_never(packed, bytes), "a value that does not occur");
        for (size_t i = 0; i < count; i++)
            values[i] = (uint8_t)values_get(packed, i);
        for (size_t i = count; i < bytes * VALUES_PER_BYTE; i++)
            require(values_get(packed, i) == 0, "bits behind the last value");
        require(runs_encode(values, count, row, again, size) == size, "another length of the code");
        require(memcmp(again, code, size) == 0, "another code");
        free(again);
        free(values);
    }
    free(packed);
}

static void encode_and_decode(const uint8_t *source, size_t size, uint64_t row)
{
    const size_t count = size * VALUES_PER_BYTE, capacity = 2 * count + 1;
    if (count == 0 || count > RUNS_VALUES_MAX)
        return;
    uint8_t *values = exactly(count), *code = exactly(capacity), *packed = exactly(size), one;
    for (size_t i = 0; i < count; i++)
        values[i] = (uint8_t)values_get(source, i);
    const size_t length = runs_encode(values, count, row, code, capacity);
    require(length != 0, "values without a code");
    require(runs_are_one(values, count, &one) == (length == 1), "one run, or not");
    require(runs_decode(code, length, packed, count), "a code that is none");
    for (size_t i = 0; i < count; i++)
        require(values[i] == RUNS_FREE || values_get(packed, i) == values[i], "another value");
    uint8_t *tight = exactly(length);
    require(runs_encode(values, count, row, tight, length) == length, "the room does suffice");
    require(memcmp(tight, code, length) == 0, "room matters");
    require(runs_encode(values, count, row, tight, length - 1) == 0, "the room does not suffice");
    free(tight);
    free(packed);
    free(code);
    free(values);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    enum { FRONT = 3 };
    if (size < FRONT)
        return 0;
    const size_t count = load_u16(data) + (size_t)1;
    const uint64_t row = data[2] + (uint64_t)1;
    uint8_t *bytes = exactly(size - FRONT);
    memcpy(bytes, data + FRONT, size - FRONT);
    decode_and_encode(bytes, size - FRONT, count, row);
    encode_and_decode(bytes, size - FRONT, row);
    free(bytes);
    return 0;
}
