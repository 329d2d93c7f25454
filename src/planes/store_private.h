/* The inside of a store and its shelves: what store.c, shelf.c, shelf_files.c and room.c share. */
#ifndef DAME_PLANES_STORE_PRIVATE_H
#define DAME_PLANES_STORE_PRIVATE_H

#include <pthread.h>
#include <stdatomic.h>

#include "planes/descriptors.h"
#include "planes/store.h"
#include "planes/work_file.h"

struct store {
    uint64_t budget;
    size_t span_bytes; /* of spans that blocks of a large shelf share */
    const struct store_codec *codec;
    struct descriptors files;
    pthread_mutex_t lock;         /* of all that follows, of the spans, and of blocks that are not resident */
    pthread_cond_t read;          /* a block was read, or could not be */
    struct span *newest, *oldest; /* spans of shelves with a file, but for those aside */
    uint64_t spans;               /* in that list */
    struct codec_scratch *idle;   /* that no thread works with */
    struct store_statistics facts;
    enum dame_status failure_status;
    char failure[DETAIL_MAX];
    int failure_reason; /* errno */
};

/* A good size for spans of so many bytes in all. */
size_t store_span(uint64_t wanted);

/* Memory of the codec, on a list while it is idle. */
struct codec_scratch {
    struct codec_scratch *next;
    _Alignas(64) uint8_t bytes[];
};

/* NULL: there is no memory. */
struct codec_scratch *scratch_take(struct store *store);
void scratch_give(struct store *store, struct codec_scratch *scratch);

/* What becomes of a block: nothing, taken (MAKING), put (COMPLETE and RESIDENT), freed (COMPLETE), read
   (COMPLETE and READING, then RESIDENT) ... Pins and USED come and go without the lock while a block is
   RESIDENT; everything else changes under it, or while nobody else uses the shelf (parts are added). */
enum kept_state {
    KEPT_PINS = (1 << 24) - 1, /* how often it is pinned */
    KEPT_USED = 1 << 24,       /* since memory was last looked for */
    KEPT_RESIDENT = 1 << 25,   /* unpacked in memory */
    KEPT_COMPLETE = 1 << 26,   /* can be pinned */
    KEPT_READING = 1 << 27,    /* by one thread */
    KEPT_MAKING = 1 << 28,     /* taken */
    KEPT_ASIDE = 1 << 29       /* its span is aside, and waits for this block among others */
};

struct kept {
    _Atomic uint32_t state;
    uint32_t words;                  /* of 8 bytes, unpacked */
    uint32_t plane_words, row_words; /* see struct pack_form */
    void *content;                   /* in a slot, while it is RESIDENT, READING or MAKING */
    struct work_place place;         /* `at` is 0: none */
};

struct shelf {
    struct store *store;
    bool in_file;      /* blocks leave memory: they are in its own file, or in parts */
    bool in_parts;     /* its own file is removed unless it is sealed */
    size_t span_bytes; /* of spans that its blocks share */
    bool is_checked;   /* with the lock: all records, because one was damaged */
    uint64_t identity;
    struct work_file *own;    /* blocks are appended to it; NULL: none are put */
    struct work_file **parts; /* complete */
    uint32_t part_count;
    struct span *filling[SPAN_CLASSES]; /* spans that are not full, or NULL */
    uint32_t count;
    struct kept blocks[];
};

/* The file of a place: 0 is its own one, others are parts. NULL: there is none any more. */
static inline struct work_file *shelf_file(const struct shelf *shelf, struct work_place place)
{
    return place.file == 0 ? shelf->own : shelf->parts[place.file - 1];
}

static inline size_t kept_size(const struct kept *block)
{
    return (size_t)block->words * 8;
}

static inline uint32_t kept_state(const struct kept *block)
{
    return atomic_load_explicit(&block->state, memory_order_acquire);
}

/* Zeroed memory for a block that is READING or MAKING; false: there is none. Called without the lock. */
bool room_take(struct shelf *shelf, uint32_t number);

/* With the lock: the memory of a block that is neither pinned nor in memory any more goes. Spans that
   nothing is left of are added to *freed, for room_unmap. */
void room_drop(struct shelf *shelf, struct kept *block, struct span **freed);

/* Without the lock: back to the system. */
void room_unmap(struct span *freed);

/* With the lock: a block was unpinned. If its span was waiting for that it can be freed again, like others if
   the budget is passed; *freed as above. */
void room_rejoin(struct shelf *shelf, struct kept *block, struct span **freed);

/* Memory for a packed block, under the budget; NULL: there is none. */
void *room_scratch(struct store *store, size_t size);
void room_scratch_done(struct store *store, void *scratch, size_t size);

#endif
