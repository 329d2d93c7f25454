#include "api/zstd_codec.h"

#include <pthread.h>
#include <stdlib.h>
#include <zstd.h>
#include <zstd_errors.h>

enum { IDLE_MAX = 64 }; /* more contexts than this are not kept */

struct zstd_codec {
    pthread_mutex_t lock;
    int idle_count;
    ZSTD_DCtx *idle[IDLE_MAX];
};

enum dame_status zstd_codec_create(struct zstd_codec **out)
{
    struct zstd_codec *codec = calloc(1, sizeof *codec);
    if (codec == NULL)
        return DAME_NO_MEMORY;
    if (pthread_mutex_init(&codec->lock, NULL) != 0) {
        free(codec);
        return DAME_NO_MEMORY;
    }
    *out = codec;
    return DAME_OK;
}

void zstd_codec_destroy(struct zstd_codec *codec)
{
    if (codec == NULL)
        return;
    for (int i = 0; i < codec->idle_count; i++)
        ZSTD_freeDCtx(codec->idle[i]);
    pthread_mutex_destroy(&codec->lock);
    free(codec);
}

static ZSTD_DCtx *take_context(struct zstd_codec *codec)
{
    ZSTD_DCtx *context = NULL;
    pthread_mutex_lock(&codec->lock);
    if (codec->idle_count > 0)
        context = codec->idle[--codec->idle_count];
    pthread_mutex_unlock(&codec->lock);
    return context != NULL ? context : ZSTD_createDCtx();
}

static void give_back(struct zstd_codec *codec, ZSTD_DCtx *context)
{
    pthread_mutex_lock(&codec->lock);
    if (codec->idle_count < IDLE_MAX) {
        codec->idle[codec->idle_count++] = context;
        context = NULL;
    }
    pthread_mutex_unlock(&codec->lock);
    ZSTD_freeDCtx(context); /* NULL is allowed */
}

/* libzstd would also decode several frames, and ones of unknown size. A block is one frame that says its
   size. */
static int is_one_frame(const uint8_t *source, size_t size, size_t capacity)
{
    return ZSTD_getFrameContentSize(source, size) <= capacity && /* the two errors are huge numbers */
           ZSTD_findFrameCompressedSize(source, size) == size;
}

enum dame_status zstd_codec_decode(struct zstd_codec *codec, const uint8_t *source, size_t size,
                                   uint8_t *target, size_t capacity, size_t *written)
{
    if (!is_one_frame(source, size, capacity))
        return DAME_CORRUPT_TABLE;
    ZSTD_DCtx *context = take_context(codec);
    if (context == NULL)
        return DAME_NO_MEMORY;
    const size_t result = ZSTD_decompressDCtx(context, target, capacity, source, size);
    give_back(codec, context);
    if (ZSTD_isError(result))
        return ZSTD_getErrorCode(result) == ZSTD_error_memory_allocation ? DAME_NO_MEMORY
                                                                         : DAME_CORRUPT_TABLE;
    *written = result;
    return DAME_OK;
}

static enum dame_status decode(void *context, const uint8_t *source, size_t size, uint8_t *target,
                               size_t capacity, size_t *written)
{
    return zstd_codec_decode(context, source, size, target, capacity, written);
}

struct codec zstd_codec_functions(struct zstd_codec *codec)
{
    return (struct codec){.decode = decode, .context = codec};
}
