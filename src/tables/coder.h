/* Win, draw and loss of a block as a file holds them: rows (lines.h), each of them predicted from those that
   it resembles, in an arithmetic code with the probabilities of a model (FORMAT.md).

   A row that is equal to the row that resembles it most takes one decision. Of another one every value is
   coded by itself, given its neighbours. Values that do not exist, since pieces overlap, take nothing. */
#ifndef DAME_TABLES_CODER_H
#define DAME_TABLES_CODER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tables/lines.h"
#include "tables/model.h"

enum {
    CODER_FREE = 3,             /* a value that the writer may choose */
    CODER_VALUES_MAX = 1 << 16, /* of a block */
    CODER_SLACK = 80            /* bytes behind a code and behind values to be encoded that may be read */
};

/* Whether a code can have so many bytes. */
static inline bool coder_size_is_sound(size_t size)
{
    return size >= 4 && size % 2 == 0;
}

/* Whether all values that are not free are the same, and which (0 if all are free). `values` are packed as
   in values.h. */
bool coder_is_one(const uint8_t *packed, size_t count, uint8_t *value);

/* Count the events that coding the values from number `first` on with this model meets; lines_rows of them
   may not pass LINES_ROWS_MAX, here and below. */
void coder_count(const struct lines *lines, const struct model *model, uint64_t first, size_t count,
                 const uint8_t *packed, struct model_counts *counts);

/* What was decided: so many parts of MODEL_ONE, and where they start. */
struct coder_decision {
    uint16_t start, parts;
};

/* Memory for an encoder. */
struct coder_scratch {
    struct coder_decision decisions[CODER_VALUES_MAX + LINES_ROWS_MAX];
    uint8_t code[2 * (CODER_VALUES_MAX + LINES_ROWS_MAX) + 4];
};

/* Encode into at most `capacity` bytes. Returns their number, 0 if that does not suffice. */
size_t coder_encode(const struct lines *lines, const struct model *model, uint64_t first, size_t count,
                    const uint8_t *packed, struct coder_scratch *scratch, uint8_t *out, size_t capacity);

/* Decode into `count` packed values, unused bits zero; false if `code` is not the code of so many. What
   stands in the slack behind the code does not matter. */
bool coder_decode(const struct lines *lines, const struct model *model, uint64_t first, size_t count,
                  const uint8_t *code, size_t size, uint8_t *packed);

#endif
