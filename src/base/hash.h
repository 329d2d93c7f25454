/* XXH64, the checksum of table files: fast, and any change of a few bits shows. It is no protection against
   somebody who wants to forge a file. */
#ifndef DAME_BASE_HASH_H
#define DAME_BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

/* XXH64 with seed 0 of `size` bytes; `data` may be NULL if there are none. */
uint64_t hash_bytes(const void *data, size_t size);

/* The same with any seed. */
uint64_t hash_seeded(const void *data, size_t size, uint64_t seed);

#endif
