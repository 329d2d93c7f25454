#include "planes/huffman.h"

#include <assert.h>
#include <string.h>

#include "base/bytes.h"

enum { VALUES = 256, STREAMS = 4, ENTRIES = 1 << HUFFMAN_BITS, LENGTH_MAX = 15 };

/* ---- the code ---- */

/* Byte values that occur, seldom ones first, each with its count above the value (Shell's sort). */
static int sort_counts(const uint32_t counts[VALUES], uint64_t sorted[VALUES])
{
    int n = 0;
    for (uint32_t value = 0; value < VALUES; value++)
        if (counts[value] != 0)
            sorted[n++] = (uint64_t)counts[value] << 8 | value;
    for (int gap = 121; gap > 0; gap /= 3)
        for (int i = gap; i < n; i++) {
            const uint64_t key = sorted[i];
            int at = i;
            for (; at >= gap && sorted[at - gap] > key; at -= gap)
                sorted[at] = sorted[at - gap];
            sorted[at] = key;
        }
    return n;
}

/* Depths of the n leaves of Huffman's tree, whose weights rise: the two least trees are joined again and
   again, and what is made of them comes out sorted as well. Returns the largest depth. */
static int tree_depths(const uint32_t leaf_weights[VALUES], int n, uint8_t depths[2 * VALUES])
{
    uint32_t weights[2 * VALUES];
    uint16_t parents[2 * VALUES];
    memcpy(weights, leaf_weights, (size_t)n * sizeof weights[0]);
    int leaf = 0, tree = n;
    for (int made = n; made < 2 * n - 1; made++) {
        weights[made] = 0;
        for (int child = 0; child < 2; child++) {
            const bool is_leaf = leaf < n && (tree == made || weights[leaf] <= weights[tree]);
            const int least = is_leaf ? leaf++ : tree++;
            weights[made] += weights[least];
            parents[least] = (uint16_t)made;
        }
    }
    depths[2 * n - 2] = 0;
    for (int i = 2 * n - 3; i >= 0; i--)
        depths[i] = (uint8_t)(depths[parents[i]] + 1);
    return depths[0]; /* of the least leaf */
}

/* As Huffman has it, but with at most HUFFMAN_BITS: the weights are evened out until it fits. */
static void choose_lengths(const uint32_t counts[VALUES], uint8_t lengths[VALUES])
{
    uint64_t sorted[VALUES];
    uint32_t weights[VALUES];
    uint8_t depths[2 * VALUES];
    const int n = sort_counts(counts, sorted);
    assert(n >= 2);
    for (int i = 0; i < n; i++)
        weights[i] = (uint32_t)(sorted[i] >> 8);
    while (tree_depths(weights, n, depths) > HUFFMAN_BITS)
        for (int i = 0; i < n; i++)
            weights[i] = weights[i] / 2 + 1;
    memset(lengths, 0, VALUES);
    for (int i = 0; i < n; i++)
        lengths[sorted[i] & 0xFF] = depths[i];
}

/* Values by the lengths of their codes. Returns how many have one. */
static int canonical_order(const uint8_t lengths[VALUES], uint8_t order[VALUES])
{
    int start[LENGTH_MAX + 2] = {0};
    for (int value = 0; value < VALUES; value++)
        start[lengths[value] + 1] += lengths[value] != 0;
    for (int length = 1; length <= LENGTH_MAX + 1; length++)
        start[length] += start[length - 1];
    for (int value = 0; value < VALUES; value++)
        if (lengths[value] != 0)
            order[start[lengths[value]]++] = (uint8_t)value;
    return start[LENGTH_MAX];
}

/* ---- lengths in few bytes ---- */

/* Half bytes, the low one first. */
static inline void put_half(uint8_t *bytes, size_t i, int half)
{
    bytes[i / 2] = (uint8_t)(i % 2 == 0 ? half : bytes[i / 2] | half << 4);
}

static inline int get_half(const uint8_t *bytes, size_t i)
{
    return bytes[i / 2] >> i % 2 * 4 & 15;
}

/* A zero is followed by the number of further ones. Returns the bytes taken. */
static size_t put_lengths(const uint8_t lengths[VALUES], uint8_t out[VALUES])
{
    size_t halves = 0;
    for (int value = 0; value < VALUES; value++) {
        put_half(out, halves++, lengths[value]);
        if (lengths[value] != 0)
            continue;
        int more = 0;
        while (more < 15 && value + 1 < VALUES && lengths[value + 1] == 0)
            more++, value++;
        put_half(out, halves++, more);
    }
    return (halves + 1) / 2;
}

/* Returns the bytes read, 0 if they are no lengths. */
static size_t get_lengths(const uint8_t *from, size_t size, uint8_t lengths[VALUES])
{
    size_t halves = 0;
    memset(lengths, 0, VALUES);
    for (int value = 0; value < VALUES; value++) {
        if ((halves + 1) / 2 >= size)
            return 0;
        const int length = get_half(from, halves++);
        if (length > HUFFMAN_BITS)
            return 0;
        lengths[value] = (uint8_t)length;
        if (length == 0)
            value += get_half(from, halves++);
    }
    return (halves + 1) / 2;
}

/* ---- to bits ---- */

static void make_codes(const uint8_t lengths[VALUES], uint16_t codes[VALUES])
{
    uint8_t order[VALUES];
    const int n = canonical_order(lengths, order);
    uint32_t next = 0; /* as if all codes were HUFFMAN_BITS long */
    for (int i = 0; i < n; i++) {
        const int spare = HUFFMAN_BITS - lengths[order[i]];
        codes[order[i]] = (uint16_t)(next >> spare);
        next += UINT32_C(1) << spare;
    }
    assert(next == ENTRIES);
}

static uint8_t *put_stream(const uint8_t *bytes, size_t count, size_t first, const uint8_t lengths[VALUES],
                           const uint16_t codes[VALUES], uint8_t *out)
{
    uint64_t bits = 0;
    int filled = 0;
    for (size_t i = first; i < count; i += STREAMS) {
        bits = bits << lengths[bytes[i]] | codes[bytes[i]];
        filled += lengths[bytes[i]];
        if (filled >= 32) {
            filled -= 32;
            store_u32(out, __builtin_bswap32((uint32_t)(bits >> filled)));
            out += 4;
        }
    }
    bits <<= 32 - filled;
    for (; filled > 0; filled -= 8, bits <<= 8)
        *out++ = (uint8_t)(bits >> 24);
    return out;
}

size_t huffman_encode(const uint8_t *bytes, size_t count, uint8_t *out, size_t capacity)
{
    uint32_t counts[VALUES] = {0};
    uint8_t lengths[VALUES], packed_lengths[VALUES];
    uint16_t codes[VALUES];
    assert(count <= HUFFMAN_COUNT_MAX);
    for (size_t i = 0; i < count; i++)
        counts[bytes[i]]++;
    choose_lengths(counts, lengths);
    size_t bits = 0;
    for (int value = 0; value < VALUES; value++)
        bits += (size_t)counts[value] * lengths[value];
    const size_t lengths_size = put_lengths(lengths, packed_lengths), front = lengths_size + 2 * STREAMS;
    if (front + bits / 8 + STREAMS > capacity)
        return 0;
    memcpy(out, packed_lengths, lengths_size);
    make_codes(lengths, codes);
    uint8_t *end = out + front;
    for (size_t stream = 0; stream < STREAMS; stream++) {
        uint8_t *start = end;
        end = put_stream(bytes, count, stream, lengths, codes, start);
        store_u16(out + lengths_size + 2 * stream, (uint16_t)(end - start));
    }
    return (size_t)(end - out);
}

/* ---- and back ---- */

/* False: some bits would begin with no code, or with two. */
static bool make_table(const uint8_t lengths[VALUES], struct huffman_table *table)
{
    uint8_t order[VALUES];
    const int n = canonical_order(lengths, order);
    uint32_t next = 0;
    for (int i = 0; i < n; i++) {
        const uint32_t end = next + (UINT32_C(1) << (HUFFMAN_BITS - lengths[order[i]]));
        if (end > ENTRIES)
            return false;
        while (next < end)
            table->entries[next++] = (uint16_t)(order[i] << 8 | lengths[order[i]]);
    }
    return next == ENTRIES;
}

/* The next bits of a stream, the first one highest: at least 57, and zeros behind the last byte of all. */
static inline uint64_t bits_at(const uint8_t *code, size_t size, size_t bit)
{
    const size_t at = bit / 8;
    if (at + 8 <= size)
        return __builtin_bswap64(load_u64(code + at)) << bit % 8;
    uint64_t bits = 0;
    for (size_t i = at; i < at + 8; i++)
        bits = bits << 8 | (i < size ? code[i] : 0);
    return bits << bit % 8;
}

size_t huffman_decode(const uint8_t *code, size_t size, struct huffman_table *table, uint8_t *bytes,
                      size_t count)
{
    enum { ROUNDS = 57 / HUFFMAN_BITS, SHIFT = 64 - HUFFMAN_BITS };
    uint8_t lengths[VALUES];
    size_t at = get_lengths(code, size, lengths);
    if (at == 0 || size - at < 2 * STREAMS || !make_table(lengths, table))
        return 0;
    const uint16_t *entries = table->entries;
    const uint8_t *sizes = code + at;
    size_t bit[STREAMS], end[STREAMS];
    at += 2 * STREAMS;
    for (size_t stream = 0; stream < STREAMS; stream++) {
        bit[stream] = 8 * at;
        at += load_u16(sizes + 2 * stream);
        end[stream] = at;
    }
    if (at > size)
        return 0;
    size_t i = 0;
    for (; i + ROUNDS * STREAMS <= count; i += ROUNDS * STREAMS) {
        uint64_t a = bits_at(code, size, bit[0]), b = bits_at(code, size, bit[1]);
        uint64_t c = bits_at(code, size, bit[2]), d = bits_at(code, size, bit[3]);
        uint32_t a_used = 0, b_used = 0, c_used = 0, d_used = 0; /* in the low byte, up to 57 */
        for (uint8_t *to = bytes + i; to < bytes + i + ROUNDS * STREAMS; to += STREAMS) {
            const uint32_t e = entries[a >> SHIFT], f = entries[b >> SHIFT];
            const uint32_t g = entries[c >> SHIFT], h = entries[d >> SHIFT];
            a <<= e & 63, b <<= f & 63, c <<= g & 63, d <<= h & 63;
            a_used += e, b_used += f, c_used += g, d_used += h;
            store_u32(to, e >> 8 | (f & 0xFF00) | (g & 0xFF00) << 8 | (h & 0xFF00) << 16);
        }
        bit[0] += a_used & 0xFF, bit[1] += b_used & 0xFF, bit[2] += c_used & 0xFF, bit[3] += d_used & 0xFF;
    }
    for (; i < count; i++) {
        const uint16_t entry = entries[bits_at(code, size, bit[i % STREAMS]) >> SHIFT];
        bit[i % STREAMS] += entry & 0xFF;
        bytes[i] = (uint8_t)(entry >> 8);
    }
    for (size_t stream = 0; stream < STREAMS; stream++)
        if ((bit[stream] + 7) / 8 != end[stream])
            return 0;
    return at;
}
