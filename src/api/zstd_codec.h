/* The decompressor of tables, by libzstd. A context of libzstd serves one thread at a time; idle ones wait in
   the codec for the next thread that needs one. */
#ifndef DAME_API_ZSTD_CODEC_H
#define DAME_API_ZSTD_CODEC_H

#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "tables/reader.h"

struct zstd_codec;

/* DAME_NO_MEMORY. */
enum dame_status zstd_codec_create(struct zstd_codec **out);

void zstd_codec_destroy(struct zstd_codec *codec); /* NULL is allowed */

/* For library_create; lives as long as `codec`. */
struct codec zstd_codec_functions(struct zstd_codec *codec);

/* One frame, as `decode` of the reader wants it. */
enum dame_status zstd_codec_decode(struct zstd_codec *codec, const uint8_t *source, size_t size,
                                   uint8_t *target, size_t capacity, size_t *written);

#endif
