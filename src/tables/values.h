/* How table files hold values (FORMAT.md): win, draw and loss packed, 2 bits each, 4 a byte, lowest bits
   first (CODING_VALUES). Distances take a byte each (base/metric.h). */
#ifndef DAME_TABLES_VALUES_H
#define DAME_TABLES_VALUES_H

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum value { VALUE_DRAW = 0, VALUE_WIN = 1, VALUE_LOSS = 2, VALUE_NEVER = 3, VALUES_PER_BYTE = 4 };

/* Bytes that hold `values` values. */
static inline uint64_t values_bytes(uint64_t values)
{
    return values / VALUES_PER_BYTE + (values % VALUES_PER_BYTE != 0);
}

/* Another thread may set other values of the same byte meanwhile. */
static inline int values_get(const uint8_t *packed, uint64_t index)
{
    const uint8_t byte = __atomic_load_n(&packed[index / VALUES_PER_BYTE], __ATOMIC_RELAXED);
    return byte >> index % VALUES_PER_BYTE * 2 & 3;
}

/* Writes the whole byte: two threads must not set values of one byte. */
static inline void values_set(uint8_t *packed, uint64_t index, int value)
{
    assert(VALUE_DRAW <= value && value <= VALUE_LOSS);
    const unsigned shift = (unsigned)(index % VALUES_PER_BYTE) * 2;
    uint8_t *byte = &packed[index / VALUES_PER_BYTE];
    __atomic_store_n(byte, (uint8_t)((*byte & ~(3U << shift)) | (unsigned)value << shift), __ATOMIC_RELAXED);
}

/* 1, 0, -1 from win, draw, loss, and back. */
static inline int value_to_wdl(int value)
{
    return (value & 1) - (value >> 1);
}
static inline int value_from_wdl(int wdl)
{
    return wdl < 0 ? VALUE_LOSS : wdl;
}

/* Whether one of the values in `size` bytes is VALUE_NEVER. */
static inline bool values_contain_never(const uint8_t *packed, size_t size)
{
    uint64_t found = 0;
    size_t i = 0;
    for (; i + 8 <= size; i += 8) {
        uint64_t bits;
        memcpy(&bits, packed + i, 8);
        found |= bits & bits >> 1 & UINT64_C(0x5555555555555555);
    }
    for (; i < size; i++)
        found |= packed[i] & packed[i] >> 1 & 0x55U;
    return found != 0;
}

#endif
