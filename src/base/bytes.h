/* Little-endian numbers in byte strings, at any alignment. Compilers make single loads and stores of
   these. */
#ifndef DAME_BASE_BYTES_H
#define DAME_BASE_BYTES_H

#include <stdint.h>

static inline uint16_t load_u16(const uint8_t *from)
{
    return (uint16_t)(from[0] | from[1] << 8);
}

static inline uint32_t load_u32(const uint8_t *from)
{
    return load_u16(from) | (uint32_t)load_u16(from + 2) << 16;
}

static inline uint64_t load_u64(const uint8_t *from)
{
    return load_u32(from) | (uint64_t)load_u32(from + 4) << 32;
}

static inline void store_u16(uint8_t *to, uint16_t value)
{
    to[0] = (uint8_t)value;
    to[1] = (uint8_t)(value >> 8);
}

static inline void store_u32(uint8_t *to, uint32_t value)
{
    store_u16(to, (uint16_t)value);
    store_u16(to + 2, (uint16_t)(value >> 16));
}

static inline void store_u64(uint8_t *to, uint64_t value)
{
    store_u32(to, (uint32_t)value);
    store_u32(to + 4, (uint32_t)(value >> 32));
}

#endif
