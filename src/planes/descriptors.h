/* Files that are read and written, under a limit of descriptors.

   A file stays known while it has no descriptor: when too many are open, the one that was not used for
   longest gives its own up, and is opened again when it is used. It must still be the same file then. Any
   number of threads. */
#ifndef DAME_PLANES_DESCRIPTORS_H
#define DAME_PLANES_DESCRIPTORS_H

#include <pthread.h>
#include <stdbool.h>
#include <sys/types.h>

#include "base/open_files.h"
#include "base/status.h"

struct descriptors {
    pthread_mutex_t lock; /* of all that follows, and of the files */
    struct open_files pool;
};

struct descriptor {
    struct descriptors *all;
    char *path;
    bool read_only;
    dev_t device;
    ino_t inode;
    struct open_file open;
};

/* At most `limit` files, 1 or more, are open at a time; more only while more are being used. DAME_NO_MEMORY.
 */
enum dame_status descriptors_create(int limit, struct descriptors *out);
void descriptors_destroy(struct descriptors *descriptors);

/* Open a regular file, or make it. The path is used again: it must be absolute if the working directory may
   change. DAME_IO (errno says why), DAME_NO_MEMORY. Close with descriptor_close, which keeps errno. */
enum dame_status descriptor_open(struct descriptors *descriptors, const char *path, struct descriptor *out,
                                 char *detail);
void descriptor_close(struct descriptor *descriptor);

/* The same for a file that is there, which is only read; another one of its name may take its place. */
enum dame_status descriptor_open_to_read(struct descriptors *descriptors, const char *path,
                                         struct descriptor *out, char *detail);

/* Give a file that nobody uses its final name, where all of it can be read then, by other machines as well.
   If there is a file of that name, it stays, and this one vanishes; where the system has no links, it is
   replaced. DAME_IO (errno says why), DAME_CORRUPT_TABLE. After that the descriptor can be closed, nothing
   else. */
enum dame_status descriptor_publish(struct descriptor *descriptor, const char *path, char *detail);

/* The file under a number that stays its own until it is returned as often as it was borrowed. DAME_IO;
   DAME_CORRUPT_TABLE: another file has its name now. */
enum dame_status descriptor_borrow(struct descriptor *descriptor, int *number, char *detail);
void descriptor_return(struct descriptor *descriptor);

/* The end of a path, as long as the text of an error has room for it. */
const char *descriptor_name(const struct descriptor *descriptor);

#endif
