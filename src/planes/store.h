/* A store of blocks under a budget of bytes: blocks that were used of late stand in memory, unpacked; all
   others lie packed in checksummed work files (work_file.h). Whoever reads a block pins it first, and cannot
   tell where it was. What blocks mean is no matter of the store.

   A block is made once: room is taken for it, it is filled, and put. Then it never changes, so memory that
   is wanted back is simply freed. It may be made anew later, even in another process that opened the same
   file: what was put last is what is read.

   A shelf without a file keeps all its blocks in memory, unpacked, outside the budget.

   Several processes, on several machines too, may make the blocks of one shelf: each writes a part, a work
   file of its own with some of the blocks, and reads the parts of the others when they are complete.

   Pinning a block that is in memory costs one atomic operation. All functions may be called from any thread,
   unless they say otherwise; `detail` gets a text of DETAIL_MAX bytes on failure (base/detail.h), with the
   path and the block. */
#ifndef DAME_PLANES_STORE_H
#define DAME_PLANES_STORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/detail.h"
#include "base/status.h"
#include "planes/span.h"

struct store; /* a budget, what is in memory, and the codec */
struct shelf; /* the blocks of one slice with one side to move, in a work file, in parts, or in memory */

/* What a block is made of, for whoever packs it: rows of so many bytes, and something else from byte
   `plane_bytes` on. */
struct pack_form {
    size_t size, plane_bytes, row_bytes;
};

/* How blocks are packed; called from any thread. */
struct store_codec {
    size_t scratch_bytes; /* of memory that each thread needs while it packs or unpacks */
    /* Into at most `capacity` bytes; *packed = 0: it does not fit. */
    void (*pack)(const void *bytes, struct pack_form form, void *scratch, void *out, size_t capacity,
                 size_t *packed);
    /* False: damaged. Never writes behind `size` bytes, never reads behind `packed_size`. */
    bool (*unpack)(const void *packed, size_t packed_size, void *scratch, void *out, size_t size);
};

/* What a block takes at most besides its content, but for small blocks the rounding of slots: an eighth. */
enum { SHELF_BLOCK_BYTES = 128 };

struct store_statistics {
    uint64_t bytes, most_bytes;         /* under the budget: now, and most so far */
    uint64_t plain_bytes;               /* of blocks of shelves without a file, now */
    uint64_t read_bytes, written_bytes; /* of records in work files */
    uint64_t reads, writes;             /* of blocks from and to work files */
};

/* `budget`: bytes of memory for all blocks of shelves with a file, each counted with what its slot takes
   besides, and for packed blocks while they are packed or unpacked; the codec's `scratch_bytes` of each
   thread come on top. Before it would be passed, blocks are freed, about in the order in which they were
   used; what is pinned stays, and if nothing else is left, the budget is passed. `codec` must live as long.
   DAME_NO_MEMORY. */
enum dame_status store_create(uint64_t budget, const struct store_codec *codec, struct store **out);

void store_destroy(struct store *store); /* after all shelves are closed; NULL is allowed */

struct store_statistics store_statistics(struct store *store);

/* Keep a failure, its text and errno for somebody who asks later on any thread; the first one stays until it
 * is taken. */
void store_note_failure(struct store *store, enum dame_status status, const char *detail);

/* The failure that is kept, its text (DETAIL_MAX bytes) and errno; DAME_OK and an empty text: none. It is not
   kept any longer. */
enum dame_status store_take_failure(struct store *store, char *detail);

/* A shelf of `blocks` blocks, the i-th of sizes[i] bytes: multiples of 8, less than 4 GiB. The store must
   outlive it.

   path NULL: in memory alone. Otherwise its work file, which is made if it is not there; if it is, the sound
   blocks in it are there again. The path must be absolute if the working directory may change; no other shelf
   or process may use the file. `identity` says what the file belongs to, for example a hash of rule set,
   metric and material.

   DAME_BAD_ARGUMENT, DAME_TOO_LARGE: a size; DAME_NO_MEMORY; DAME_IO: the file (errno says why);
   DAME_CORRUPT_TABLE: it is no work file, or its header is damaged; DAME_WRONG_VARIANT: it is one of another
   identity or version, or its blocks are others. */
enum dame_status shelf_open(struct store *store, const char *path, uint64_t identity, uint32_t blocks,
                            const uint64_t *sizes, struct shelf **out, char *detail);

/* The same without a file of its own: blocks are in the parts that are added. */
enum dame_status shelf_open_in_parts(struct store *store, uint64_t identity, uint32_t blocks,
                                     const uint64_t *sizes, struct shelf **out, char *detail);

/* The blocks of a part are there from now on. *note: what it was sealed with. DAME_CORRUPT_TABLE: it is not
   whole; DAME_WRONG_VARIANT, DAME_IO, DAME_NO_MEMORY as above. This function and the two below: while no
   other thread uses the shelf. */
enum dame_status shelf_add_part(struct shelf *shelf, const char *path, uint64_t *note, char *detail);

/* Blocks that are put from now on go into a new part. It is made under a name of its own, which must not be
   there yet, and gets `path` with shelf_seal_part, which also adds it; without that it is removed when the
   shelf is closed. If there is a part of that name already, that one is taken. */
enum dame_status shelf_begin_part(struct shelf *shelf, const char *path, char *detail);
enum dame_status shelf_seal_part(struct shelf *shelf, uint64_t note, const char *path, char *detail);

/* How a block is best packed; without it, as one plane without rows. Before any block is put. */
void shelf_set_form(struct shelf *shelf, uint32_t block, size_t plane_bytes, size_t row_bytes);

/* When no block is pinned or taken. `remove`: the work file is deleted; parts stay. NULL is allowed. */
void shelf_close(struct shelf *shelf, bool remove);

/* Whether the block was put, and not found to be damaged since: it can be pinned. */
bool shelf_has(const struct shelf *shelf, uint32_t block);

/* The block in memory, where it stays until it is unpinned as often as it was pinned; SPAN_SPARE zero bytes
   follow it, and it is aligned to SPAN_ALIGNMENT. Nobody may be making it. If another thread reads the same
   block, this one waits for it.

   DAME_CORRUPT_TABLE: it is damaged, or shelf_has was false; shelf_has is false from now on, in the file as
   well, so that it can be made again. DAME_IO (errno says why), DAME_NO_MEMORY: it may work later. */
enum dame_status shelf_pin(struct shelf *shelf, uint32_t block, const void **content, char *detail);

void shelf_unpin(struct shelf *shelf, uint32_t block);

/* Room for a block that is made now: its size and SPAN_SPARE zero bytes, aligned to SPAN_ALIGNMENT. Nobody
   may have pinned it or be making it; shelf_has is false until it is put. DAME_NO_MEMORY. */
enum dame_status shelf_take(struct shelf *shelf, uint32_t block, void **content);

/* It is complete: the calling thread packs it and appends it to the work file, if there is one. The memory
   belongs to the store from now on. The spare bytes must be zero still.

   DAME_IO (errno says why), DAME_NO_MEMORY, DAME_CORRUPT_TABLE (the file was replaced): it is still being
   made, and can be put again or given up. Nothing that was put before is lost. */
enum dame_status shelf_put(struct shelf *shelf, uint32_t block, char *detail);

/* It is not made after all. If it was in the work file before, it is there again. */
void shelf_give_up(struct shelf *shelf, uint32_t block);

/* Ask the system to read the block soon, if it is not in memory. */
void shelf_prefetch(struct shelf *shelf, uint32_t block);

#endif
