/* The decompressor of the C library: frames that are whole, damaged, or made with a dictionary. */
#include "api/zstd_codec.h"

#include <string.h>
#include <zstd.h>

#include "base/threads.h"
#include "check.h"

enum { SIZE = 5000, FRAME_MAX = 4 * SIZE, FRAMES = 2000 };

static uint8_t content[SIZE], frame[FRAME_MAX], target[SIZE + 1];

static void make_content(void)
{
    uint32_t random = 1;
    for (int i = 0; i < SIZE; i++) { /* repeats nothing: a dictionary matters */
        random = random * 1664525 + 1013904223;
        content[i] = (uint8_t)(random >> 24);
    }
}

static enum dame_status decode(struct zstd_codec *codec, size_t size, size_t capacity)
{
    size_t written = 0;
    const struct codec functions = zstd_codec_functions(codec);
    memset(target, 0, sizeof target);
    enum dame_status status = functions.decode(functions.context, frame, size, target, capacity, &written);
    CHECK(status != DAME_OK || written == SIZE);
    return status;
}

static void test_whole_and_damaged_frames(struct zstd_codec *codec)
{
    const size_t size = ZSTD_compress(frame, sizeof frame, content, SIZE, 3);
    CHECK(!ZSTD_isError(size) && 2 * size < sizeof frame);
    CHECK(decode(codec, size, SIZE) == DAME_OK && memcmp(target, content, SIZE) == 0);
    CHECK(decode(codec, size, SIZE - 1) == DAME_CORRUPT_TABLE);
    CHECK(decode(codec, size, SIZE + 1) == DAME_OK); /* codes are shorter than their blocks */
    for (size_t cut = 0; cut < size; cut += 7)
        CHECK(decode(codec, cut, SIZE) == DAME_CORRUPT_TABLE);
    memcpy(frame + size, frame, size); /* a second frame behind it */
    CHECK(decode(codec, 2 * size, SIZE) == DAME_CORRUPT_TABLE);
    frame[0] ^= 1;
    CHECK(decode(codec, size, SIZE) == DAME_CORRUPT_TABLE);
}

/* Nothing in a table says which dictionary that would be. */
static void test_a_frame_that_needs_a_dictionary(struct zstd_codec *codec)
{
    size_t written = 0;
    uint8_t half[SIZE / 2]; /* a copy: libzstd leaves out what dictionary and source share in memory */
    memcpy(half, content + SIZE / 2, sizeof half);
    ZSTD_CCtx *context = ZSTD_createCCtx();
    const size_t size =
        ZSTD_compress_usingDict(context, frame, sizeof frame, half, sizeof half, content, SIZE, 3);
    ZSTD_freeCCtx(context);
    CHECK(size < 100); /* all of it stands in the dictionary */
    CHECK(zstd_codec_decode(codec, frame, size, target, sizeof half, &written) == DAME_CORRUPT_TABLE);
}

struct shared {
    struct zstd_codec *codec;
    size_t size;
};

static enum dame_status decode_again(void *context, uint64_t item, int worker)
{
    (void)item;
    (void)worker;
    const struct shared *shared = context;
    uint8_t own_target[SIZE];
    size_t written;
    const enum dame_status status =
        zstd_codec_decode(shared->codec, frame, shared->size, own_target, SIZE, &written);
    return status == DAME_OK && memcmp(own_target, content, SIZE) != 0 ? DAME_INCONSISTENT : status;
}

static void test_threads(struct zstd_codec *codec)
{
    struct shared shared = {codec, ZSTD_compress(frame, sizeof frame, content, SIZE, 3)};
    CHECK(threads_run(4, FRAMES, decode_again, &shared, NULL) == DAME_OK);
}

int main(void)
{
    struct zstd_codec *codec;
    make_content();
    CHECK(zstd_codec_create(&codec) == DAME_OK);
    test_whole_and_damaged_frames(codec);
    test_a_frame_that_needs_a_dictionary(codec);
    test_threads(codec);
    zstd_codec_destroy(codec);
    zstd_codec_destroy(NULL);
    return check_result();
}
