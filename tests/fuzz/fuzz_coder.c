/* Codes of win, draw and loss: any bytes are refused, or stand for values that have a code; any values have a
   code that stands for them.

       input = slice (1 byte), number of the block (1 byte), bytes of the model (1 byte), the model, bytes

   The bytes are taken as a code of that block, and as its values. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "boards/board_8x8.h"
#include "tables/coder.h"
#include "tables/values.h"

enum { BLOCK_VALUES = 1024, FRONT = 3 };

static void require(int condition, const char *what)
{
    if (condition)
        return;
    fprintf(stderr, "fuzz_coder: %s\n", what);
    abort();
}

/* Memory of exactly this size, so that every byte too far shows. */
static uint8_t *exactly(size_t size)
{
    uint8_t *bytes = calloc(1, size == 0 ? 1 : size);
    require(bytes != NULL, "no memory");
    return bytes;
}

struct input {
    struct lines lines;
    struct model model;
    uint64_t first;
    size_t count;
};

/* One of some slices, in one of the orders. */
static bool open_input(uint8_t slice, uint8_t block, struct input *out)
{
    static const char *const NAMES[] = {"KvK", "KKvM", "MMvKK", "KMvKM"};
    struct material material;
    struct ordering *ordering;
    struct index_shape shape;
    require(material_parse(NAMES[slice % 4], &material) == DAME_OK, "no such slice");
    require(ordering_create(&BOARD, &ordering) == DAME_OK, "no memory");
    bool sound = index_shape(&BOARD, material, slice / 4 % NESTINGS, &shape) == DAME_OK;
    require(sound && lines_create(&BOARD, ordering, material, &shape, BLOCK_VALUES, &out->lines) == DAME_OK,
            "lines");
    ordering_destroy(ordering);
    out->first = block * (uint64_t)BLOCK_VALUES % shape.size / BLOCK_VALUES * BLOCK_VALUES;
    out->count = shape.size - out->first < BLOCK_VALUES ? (size_t)(shape.size - out->first) : BLOCK_VALUES;
    return sound;
}

static void encode_and_decode(const struct input *input, const uint8_t *packed)
{
    enum { CAPACITY = 4 * BLOCK_VALUES };
    struct coder_scratch *scratch = malloc(sizeof *scratch);
    uint8_t *code = exactly(CAPACITY + CODER_SLACK), *found = exactly((size_t)values_bytes(input->count));
    require(scratch != NULL, "no memory");
    const size_t size = coder_encode(&input->lines, &input->model, input->first, input->count, packed,
                                     scratch, code, CAPACITY);
    require(coder_size_is_sound(size), "values without a code");
    require(coder_decode(&input->lines, &input->model, input->first, input->count, code, size, found),
            "a code that is none");
    /* Values that do not exist come back as anything, so the code of what comes back is compared. */
    uint8_t *padded = exactly((size_t)values_bytes(input->count) + CODER_SLACK), *again = exactly(CAPACITY);
    memcpy(padded, found, (size_t)values_bytes(input->count));
    require(coder_encode(&input->lines, &input->model, input->first, input->count, padded, scratch, again,
                         CAPACITY) <= CAPACITY,
            "no code for what was decoded");
    free(again);
    free(padded);
    free(found);
    free(code);
    free(scratch);
}

static void decode_and_encode(const struct input *input, const uint8_t *bytes, size_t size)
{
    const size_t packed_bytes = (size_t)values_bytes(input->count);
    uint8_t *code = exactly(size + CODER_SLACK), *packed = exactly(packed_bytes);
    memcpy(code, bytes, size);
    memset(packed, 0xFF, packed_bytes);
    if (coder_decode(&input->lines, &input->model, input->first, input->count, code, size, packed)) {
        require(!values_contain_never(packed, packed_bytes), "a value that does not occur");
        for (size_t i = input->count; i < packed_bytes * VALUES_PER_BYTE; i++)
            require(values_get(packed, i) == 0, "bits behind the last value");
        uint8_t *padded = exactly(packed_bytes + CODER_SLACK);
        memcpy(padded, packed, packed_bytes);
        encode_and_decode(input, padded);
        free(padded);
    }
    free(packed);
    free(code);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct input input;
    if (size < FRONT || size - FRONT < data[2])
        return 0;
    if (!model_read(data + FRONT, data[2], &input.model))
        return 0;
    const uint8_t *bytes = data + FRONT + data[2];
    size -= (size_t)(FRONT + data[2]);
    open_input(data[0], data[1], &input);
    decode_and_encode(&input, bytes, size);
    const size_t room = (size_t)values_bytes(input.count);
    uint8_t *packed = exactly(room + CODER_SLACK);
    memcpy(packed, bytes, size < room ? size : room);
    encode_and_decode(&input, packed);
    free(packed);
    lines_destroy(&input.lines);
    return 0;
}
