#include "tables/runs.h"

#include <assert.h>
#include <string.h>

#include "base/bits.h"
#include "tables/values.h"

bool runs_are_one(const uint8_t *values, size_t count, uint8_t *value)
{
    *value = RUNS_FREE;
    for (size_t i = 0; i < count; i++) {
        if (values[i] == RUNS_FREE)
            continue;
        if (*value != RUNS_FREE && values[i] != *value)
            return false;
        *value = values[i];
    }
    if (*value == RUNS_FREE)
        *value = 0;
    return true;
}

/* Where runs have begun: their value + 1, else 0. */
struct marks {
    uint8_t at[RUNS_VALUES_MAX];
    uint64_t row;
};

/* The best start from `low` to `high` for a run of this value: below a start of the same value in the row
   before, below any, at the start of a row, else the last one. */
static size_t choose_start(const struct marks *marks, size_t low, size_t high, uint8_t value)
{
    size_t any = SIZE_MAX, edge = SIZE_MAX;
    for (size_t at = high;; at--) {
        const uint8_t above = at >= marks->row ? marks->at[at - marks->row] : 0;
        if (above == value + 1)
            return at;
        if (above != 0 && any == SIZE_MAX)
            any = at;
        if (edge == SIZE_MAX && at % marks->row == 0)
            edge = at;
        if (at == low)
            break;
    }
    return any != SIZE_MAX ? any : edge != SIZE_MAX ? edge : high;
}

struct writer {
    uint8_t *out;
    size_t size, capacity;
};

static void put(struct writer *writer, uint8_t byte)
{
    if (writer->size < writer->capacity)
        writer->out[writer->size] = byte;
    writer->size++;
}

static void put_length(struct writer *writer, size_t length)
{
    for (; length >= 255; length -= 255)
        put(writer, 255);
    put(writer, (uint8_t)length);
}

/* The value that is neither of two different ones. */
static uint8_t third(uint8_t a, uint8_t b)
{
    return (uint8_t)(3 - a - b);
}

size_t runs_encode(const uint8_t *values, size_t count, uint64_t row, uint8_t *out, size_t capacity)
{
    assert(count <= RUNS_VALUES_MAX && row > 0);
    struct marks marks = {.row = row};
    struct writer writer = {.out = out, .capacity = capacity};
    size_t last = 0; /* the last value that is not free */
    while (last < count && values[last] == RUNS_FREE)
        last++;
    uint8_t value = last < count ? values[last] : 0, before = (uint8_t)((value + 1) % 3);
    put(&writer, value);
    size_t start = 0;
    for (size_t i = last; i < count && writer.size <= capacity; i++) {
        if (values[i] == RUNS_FREE)
            continue;
        if (values[i] != value) {
            const size_t next = choose_start(&marks, last + 1, i, values[i]);
            marks.at[next] = (uint8_t)(values[i] + 1);
            put_length(&writer, next - start);
            if (values[i] != before)
                put(&writer, 0);
            before = value;
            value = values[i];
            start = next;
        }
        last = i;
    }
    return writer.size <= capacity ? writer.size : 0;
}

/* Packed values that come run by run, gathered in words. */
struct packer {
    uint8_t *out;
    uint64_t word;
    size_t done, count;
};

/* Write the word of the last value; at the end of the block it may be shorter. */
static void flush(struct packer *packer)
{
    const size_t first = (packer->done - 1) / 32 * 8, bytes = (size_t)values_bytes(packer->count) - first;
    if (bytes >= 8) /* a single store */
        for (size_t i = 0; i < 8; i++)
            packer->out[first + i] = (uint8_t)(packer->word >> 8 * i);
    for (size_t i = 0; bytes < 8 && i < bytes; i++)
        packer->out[first + i] = (uint8_t)(packer->word >> 8 * i);
    packer->word = 0;
}

static void pack_run(struct packer *packer, unsigned value, size_t length)
{
    const uint64_t pattern = value * UINT64_C(0x5555555555555555);
    while (length != 0) {
        const int from = (int)(packer->done % 32), room = 32 - from;
        const int n = length < (size_t)room ? (int)length : room;
        packer->word |= (pattern & bits_below(2 * n)) << 2 * from;
        packer->done += (size_t)n;
        length -= (size_t)n;
        if (n == room)
            flush(packer);
    }
}

bool runs_decode(const uint8_t *code, size_t size, uint8_t *packed, size_t count)
{
    if (size == 0 || code[0] > 2 || count == 0)
        return false;
    struct packer packer = {.out = packed, .count = count};
    uint8_t value = code[0], before = (uint8_t)((value + 1) % 3);
    for (size_t i = 1;;) {
        const size_t left = count - packer.done;
        if (i == size) {
            pack_run(&packer, value, left);
            if (count % 32 != 0)
                flush(&packer);
            return true;
        }
        size_t length = 0;
        while (i < size && code[i] == 255 && length < left) {
            length += 255;
            i++;
        }
        if (i == size)
            return false;
        length += code[i++];
        if (length == 0 || length >= left)
            return false;
        pack_run(&packer, value, length);
        const bool escape = i < size && code[i] == 0;
        i += escape;
        const uint8_t next = escape ? third(value, before) : before;
        before = value;
        value = next;
    }
}
