/* The probabilities that a file of win, draw and loss is coded with: one set of them for the whole file. */
#ifndef DAME_TABLES_MODEL_H
#define DAME_TABLES_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    MODEL_BITS = 12, /* probabilities are parts of 4096 */
    MODEL_ONE = 1 << MODEL_BITS,
    MODEL_ROWS = 512,
    MODEL_VALUES = 2187,
    MODEL_BYTES_MAX = 8192
};

/* `rows`: the probability that a row equals the one that it resembles most. `values`: that a value is 0 in
   the low half, that it is below 2 in the high half. Every event has at least one part. */
struct model {
    uint16_t rows[MODEL_ROWS];
    uint32_t values[MODEL_VALUES];
};

/* How often each event was met. */
struct model_counts {
    uint32_t rows[MODEL_ROWS][2];
    uint32_t values[MODEL_VALUES][3];
};

/* The probabilities of contexts of which a file says nothing. */
void model_default(struct model *out);

/* The best model for what was counted that can be written; its bytes, at most MODEL_BYTES_MAX. Contexts with
   the default cost nothing. */
size_t model_write(const struct model_counts *counts, struct model *model, uint8_t *bytes);

/* The bits that coding what was counted takes. */
uint64_t model_bits(const struct model_counts *counts, const struct model *model);

/* False if the bytes are no model. No bytes at all are the default. */
bool model_read(const uint8_t *bytes, size_t size, struct model *out);

/* The most probable value of a context. */
static inline unsigned model_guess(const struct model *model, unsigned context)
{
    const uint32_t entry = model->values[context], one = entry & 0xFFFF, two = entry >> 16;
    const uint32_t parts[3] = {one, two - one, MODEL_ONE - two};
    const unsigned best = parts[1] > parts[0];
    return parts[2] > parts[best] ? 2 : best;
}

#endif
