/* Header and record heads of a work file, in memory and as bytes. WORK.md is the specification. */
#ifndef DAME_PLANES_WORK_LAYOUT_H
#define DAME_PLANES_WORK_LAYOUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

enum {
    WORK_VERSION = 2,
    WORK_HEADER_SIZE = 40,
    WORK_HEAD_SIZE = 32, /* in front of the content of every record */
    WORK_ALIGNMENT = 8   /* of every record in the file */
};

/* How a record holds its block: one word again and again (no content at all), as it is, or packed. One that
   was found to be damaged is struck: its content is passed over, and it holds nothing. The end of a sealed
   file is a record without a block. */
enum work_form { WORK_FILL, WORK_RAW, WORK_PACKED, WORK_STRUCK, WORK_END, WORK_FORMS };

/* What a file belongs to. */
struct work_facts {
    uint64_t identity;
    uint64_t shape; /* work_shape */
    uint32_t blocks;
};

struct work_head {
    uint32_t block;
    uint32_t packed; /* bytes of the content; less than the block unless it is raw */
    enum work_form form;
    uint64_t check; /* WORK_FILL: the word; WORK_END: a note; otherwise the checksum of the content */
};

/* A hash of the sizes of all blocks. */
uint64_t work_shape(const uint64_t *sizes, uint32_t blocks);

void work_pack_header(const struct work_facts *facts, uint8_t *bytes);

/* Whether a file that begins like this is a work file of `facts`. DAME_CORRUPT_TABLE: it is none, or it is
   damaged; DAME_WRONG_VARIANT: it is a sound one, but of another identity, shape or version. `what` gets a
   short text then. */
enum dame_status work_check_header(const struct work_facts *facts, const uint8_t *bytes, const char **what);

/* The head of a record at the place `at` of a file. */
void work_pack_head(const struct work_facts *facts, uint64_t at, const struct work_head *head,
                    uint8_t *bytes);

/* False: there is no sound head of a record of this file and place. It does not look at the size of the
   block, which work_fits does. */
bool work_unpack_head(const struct work_facts *facts, uint64_t at, const uint8_t *bytes,
                      struct work_head *head);

/* Whether so much content can be a block of `size` bytes. */
bool work_fits(const struct work_head *head, uint64_t size);

/* Where the record after one that begins at `at` begins. */
static inline uint64_t work_behind(uint64_t at, uint32_t packed)
{
    return (at + WORK_HEAD_SIZE + packed + WORK_ALIGNMENT - 1) / WORK_ALIGNMENT * WORK_ALIGNMENT;
}

#endif
