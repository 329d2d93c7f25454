#include "planes/pack.h"

#include <assert.h>
#include <string.h>

#include "base/bits.h"
#include "base/bytes.h"

enum { FRONT = 8, WORDS = PACK_PIECE / 8, PLACES = 24 };
enum form { FORM_FILL, FORM_PLAIN, FORM_CODE };

/* How many rows above a piece others stand that are like it; at place 0 none does. Rows are sets of pieces in
   colex order: a king one square further, one rank, or two; the higher one of two kings; another man beside a
   king on 32 or 50 squares. Found on many blocks, each as what adds most to those before. */
static const uint8_t ROWS_ABOVE[PLACES] = {0,  1,  2,  3,  4,  5,  6,  8,  9,  19,  27,  28,
                                           29, 30, 31, 32, 49, 50, 62, 64, 96, 100, 128, 200};
static const uint8_t ZEROS[PACK_PIECE];

/* Bytes from a row to the next one that counts: what is copied must not overlap. */
static size_t row_step(uint64_t row_words)
{
    enum { MOST = UINT8_MAX + 1 };
    if (row_words == 0 || row_words > SIZE_MAX / 8 / MOST)
        return SIZE_MAX / MOST; /* nothing stands above */
    const size_t row_bytes = (size_t)row_words * 8;
    return (PACK_PIECE + row_bytes - 1) / row_bytes * row_bytes;
}

/* The strings of one part, each up to where it is being written or read. */
struct strings {
    uint8_t *choices, *masks, *literals;
};

/* ---- to packed bytes ---- */

/* A bit for each byte that is not zero. */
static inline uint64_t nonzero_bytes(uint64_t word)
{
    const uint64_t low = UINT64_C(0x7F7F7F7F7F7F7F7F);
    const uint64_t ones = ((((word & low) + low) | word) & ~low) >> 7;
    return ones * UINT64_C(0x0102040810204080) >> 56;
}

typedef uint8_t byte_vector __attribute__((vector_size(16), aligned(1), may_alias));

/* Bytes in which two pieces differ. */
static inline unsigned differing_bytes(const uint8_t *a, const uint8_t *b)
{
    byte_vector sums = {0};
    for (int i = 0; i < PACK_PIECE; i += 16)
        sums -= (byte_vector)(*(const byte_vector *)(a + i) != *(const byte_vector *)(b + i));
    uint64_t halves[2]; /* at most 4 in each byte, 64 in all */
    memcpy(halves, &sums, sizeof halves);
    return (unsigned)((halves[0] + halves[1]) * UINT64_C(0x0101010101010101) >> 56);
}

/* Of which place a piece, with `above` bytes before it, is most like the one that stands there. */
static size_t most_alike(const uint8_t *piece, size_t above, size_t step)
{
    size_t best = 0;
    unsigned least = differing_bytes(piece, ZEROS);
    for (size_t place = 1; place < PLACES && ROWS_ABOVE[place] * step <= above && least != 0; place++) {
        const unsigned differing = differing_bytes(piece, piece - ROWS_ABOVE[place] * step);
        if (differing < least) {
            least = differing;
            best = place;
        }
    }
    return best;
}

static inline void put_piece(const uint8_t *piece, size_t above, size_t step, struct strings *to)
{
    const size_t place = most_alike(piece, above, step);
    const uint8_t *like = place == 0 ? ZEROS : piece - ROWS_ABOVE[place] * step;
    uint8_t literals[PACK_PIECE];
    uint64_t mask = 0;
    for (int i = 0; i < WORDS; i++) {
        const uint64_t word = load_u64(piece + 8 * i) ^ load_u64(like + 8 * i);
        store_u64(literals + 8 * i, word);
        mask |= nonzero_bytes(word) << 8 * i;
    }
    *to->choices++ = (uint8_t)(2 * place + (mask != 0));
    if (mask == 0)
        return;
    store_u64(to->masks, mask);
    to->masks += 8;
    for (; mask != 0; mask &= mask - 1)
        *to->literals++ = literals[__builtin_ctzll(mask)];
}

/* Where to go on writing; NULL: there is no room. */
static uint8_t *put_string(const uint8_t *bytes, const uint8_t *bytes_end, uint8_t *out,
                           const uint8_t *out_end)
{
    const size_t count = (size_t)(bytes_end - bytes);
    if (count == 0 || out == NULL)
        return out;
    if (out_end - out < 2)
        return NULL;
    const size_t room = (size_t)(out_end - out) - 1;
    if (memcmp(bytes, bytes + 1, count - 1) == 0) {
        out[0] = FORM_FILL;
        out[1] = bytes[0];
        return out + 2;
    }
    const size_t coded = huffman_encode(bytes, count, out + 1, count < room ? count : room);
    out[0] = coded == 0 ? FORM_PLAIN : FORM_CODE;
    if (coded != 0)
        return out + 1 + coded;
    if (count > room)
        return NULL;
    memcpy(out + 1, bytes, count);
    return out + 1 + count;
}

/* One part of the block, from `at` to `end`. */
static uint8_t *put_part(const uint8_t *bytes, size_t at, size_t end, size_t step,
                         struct pack_scratch *scratch, uint8_t *out, const uint8_t *out_end)
{
    struct strings to = {scratch->choices, scratch->masks, scratch->literals};
    for (; end - at >= PACK_PIECE; at += PACK_PIECE)
        put_piece(bytes + at, at, step, &to);
    if (at < end) {
        uint8_t padded[PACK_PIECE] = {0};
        memcpy(padded, bytes + at, end - at);
        put_piece(padded, 0, step, &to);
    }
    out = put_string(scratch->choices, to.choices, out, out_end);
    out = put_string(scratch->masks, to.masks, out, out_end);
    return put_string(scratch->literals, to.literals, out, out_end);
}

/* Where the part that begins at `at` ends. */
static size_t part_end(size_t at, size_t plane_bytes, size_t size)
{
    const size_t end = at < plane_bytes ? plane_bytes : size;
    return end - at < PACK_PART ? end : at + PACK_PART;
}

void pack(const void *bytes, size_t size, size_t plane_bytes, size_t row_bytes, struct pack_scratch *scratch,
          void *out, size_t capacity, size_t *packed)
{
    assert(size % 8 == 0 && plane_bytes % 8 == 0 && row_bytes % 8 == 0);
    assert(plane_bytes <= size && plane_bytes / 8 <= UINT32_MAX && row_bytes / 8 <= UINT32_MAX);
    *packed = 0;
    if (capacity < FRONT)
        return;
    uint8_t *to = out;
    store_u32(to, (uint32_t)(row_bytes / 8));
    store_u32(to + 4, (uint32_t)(plane_bytes / 8));
    to += FRONT;
    const size_t step = row_step(row_bytes / 8), distance_step = row_step(row_bytes);
    for (size_t at = 0; at < size && to != NULL;) {
        const size_t end = part_end(at, plane_bytes, size);
        to = put_part(bytes, at, end, at < plane_bytes ? step : distance_step, scratch, to,
                      (uint8_t *)out + capacity);
        at = end;
    }
    if (to != NULL)
        *packed = (size_t)(to - (uint8_t *)out);
}

/* ---- and back ---- */

/* Where to go on reading; NULL: this is no string of `count` bytes. */
static const uint8_t *get_string(const uint8_t *from, const uint8_t *from_end, struct huffman_table *table,
                                 uint8_t *bytes, size_t count)
{
    if (count == 0)
        return from;
    if (from_end - from < 2)
        return NULL;
    const size_t left = (size_t)(from_end - from) - 1;
    size_t taken = 0;
    switch (*from++) {
    case FORM_FILL:
        memset(bytes, *from, count);
        taken = 1;
        break;
    case FORM_PLAIN:
        taken = count <= left ? count : 0;
        memcpy(bytes, from, taken);
        break;
    case FORM_CODE:
        taken = huffman_decode(from, left, table, bytes, count);
        break;
    }
    return taken == 0 ? NULL : from + taken;
}

/* Bytes of the strings that follow one of them. */
static size_t count_masks(const uint8_t *choices, size_t pieces)
{
    size_t differing = 0;
    for (size_t i = 0; i < pieces; i++)
        differing += choices[i] & 1;
    return 8 * differing;
}

static size_t count_literals(const uint8_t *masks, size_t size)
{
    size_t literals = 0;
    for (size_t i = 0; i < size; i += 8)
        literals += (size_t)bit_count(load_u64(masks + i));
    return literals;
}

static inline bool get_piece(uint8_t *piece, size_t above, size_t step, struct strings *from)
{
    const uint8_t choice = *from->choices++;
    const size_t place = choice / 2;
    if (place >= PLACES || ROWS_ABOVE[place] * step > above)
        return false;
    memcpy(piece, place == 0 ? ZEROS : piece - ROWS_ABOVE[place] * step, PACK_PIECE);
    if (choice % 2 == 0)
        return true;
    for (uint64_t mask = load_u64(from->masks); mask != 0; mask &= mask - 1)
        piece[__builtin_ctzll(mask)] ^= *from->literals++;
    from->masks += 8;
    return true;
}

/* One part of the block, from `at` to `end`. */
static const uint8_t *get_part(const uint8_t *from, const uint8_t *from_end, size_t step,
                               struct pack_scratch *scratch, uint8_t *bytes, size_t at, size_t end)
{
    const size_t pieces = (end - at + PACK_PIECE - 1) / PACK_PIECE;
    from = get_string(from, from_end, &scratch->table, scratch->choices, pieces);
    if (from == NULL)
        return NULL;
    const size_t masks = count_masks(scratch->choices, pieces);
    from = get_string(from, from_end, &scratch->table, scratch->masks, masks);
    if (from == NULL)
        return NULL;
    from =
        get_string(from, from_end, &scratch->table, scratch->literals, count_literals(scratch->masks, masks));
    if (from == NULL)
        return NULL;
    struct strings strings = {scratch->choices, scratch->masks, scratch->literals};
    for (; end - at >= PACK_PIECE; at += PACK_PIECE)
        if (!get_piece(bytes + at, at, step, &strings))
            return NULL;
    if (at < end) {
        uint8_t padded[PACK_PIECE];
        if (!get_piece(padded, 0, step, &strings))
            return NULL;
        memcpy(bytes + at, padded, end - at);
    }
    return from;
}

bool unpack(const void *packed, size_t packed_size, struct pack_scratch *scratch, void *out, size_t size)
{
    if (packed_size < FRONT || size % 8 != 0)
        return false;
    const uint8_t *from = packed, *from_end = from + packed_size;
    const uint64_t row_words = load_u32(from), plane_words = load_u32(from + 4);
    from += FRONT;
    if (plane_words > size / 8)
        return false;
    const size_t plane_bytes = (size_t)plane_words * 8;
    const size_t step = row_step(row_words), distance_step = row_step(8 * row_words);
    for (size_t at = 0; at < size && from != NULL;) {
        const size_t end = part_end(at, plane_bytes, size);
        from = get_part(from, from_end, at < plane_bytes ? step : distance_step, scratch, out, at, end);
        at = end;
    }
    return from == from_end;
}
