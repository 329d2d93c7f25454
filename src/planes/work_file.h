/* A work file: packed blocks, each behind a head that says which one it is, appended one after the other.
   WORK.md says how the bytes stand. A process may be killed at any moment: all records that were appended
   before are found when the file is opened again. Any number of threads of one process. */
#ifndef DAME_PLANES_WORK_FILE_H
#define DAME_PLANES_WORK_FILE_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"
#include "planes/descriptors.h"
#include "planes/work_layout.h"

struct work_file {
    struct descriptor descriptor;
    struct work_facts facts;
    bool is_part;         /* sealed, and only read */
    pthread_mutex_t lock; /* of what follows: records are appended one at a time, so only the last is torn */
    uint64_t end;         /* where the next record begins */
};

/* Where a record is found again. */
struct work_place {
    uint64_t at;     /* of its head; never 0 */
    uint32_t packed; /* bytes behind the head */
    uint32_t file;   /* which one of several; nothing to this header */
};

/* Called for each record when a file is opened, in the order in which they were appended. */
typedef void (*work_found)(void *context, uint32_t block, struct work_place place);

/* Open the file of so many blocks of so many bytes each, or make it. Only the heads of records are read. What
   is no record is passed over, and cut off behind the last one. DAME_IO (errno says why), DAME_NO_MEMORY;
   DAME_CORRUPT_TABLE and DAME_WRONG_VARIANT as work_check_header says. */
enum dame_status work_file_open(struct descriptors *descriptors, const char *path, uint64_t identity,
                                uint32_t blocks, const uint64_t *sizes, work_found found, void *context,
                                struct work_file *out, char *detail);

/* Open a file that was sealed, to read it; *note is what it was sealed with. DAME_CORRUPT_TABLE as well if it
   is not whole. */
enum dame_status work_file_open_part(struct descriptors *descriptors, const char *path, uint64_t identity,
                                     uint32_t blocks, const uint64_t *sizes, work_found found, void *context,
                                     struct work_file *out, uint64_t *note, char *detail);

/* The file is complete: it ends with a note, and gets its final name. If there is a file of that name
   already, that one stays. Nothing but work_file_close may follow. DAME_IO (errno says why). */
enum dame_status work_file_seal(struct work_file *file, uint64_t note, const char *path, char *detail);

/* `remove`: its name goes, too. errno is kept. */
void work_file_close(struct work_file *file, bool remove);

/* Append a record; its content is `head->packed` bytes. If that fails the file is as it was before. DAME_IO
   (errno says why), DAME_CORRUPT_TABLE (the file was replaced). */
enum dame_status work_file_append(struct work_file *file, const struct work_head *head, const void *content,
                                  struct work_place *place, char *detail);

/* Read the record of a block: `place.packed` bytes of content. DAME_CORRUPT_TABLE: it is not there, or not
   what its checksum says. DAME_IO (errno says why). */
enum dame_status work_file_read(struct work_file *file, uint32_t block, struct work_place place,
                                void *content, struct work_head *head, char *detail);

/* Make a record that was found to be damaged none at all, for whoever opens the file next. If that fails it
   is found again. */
void work_file_strike(struct work_file *file, struct work_place place);

/* Ask the system to read the record soon. */
void work_file_prefetch(struct work_file *file, struct work_place place);

#endif
