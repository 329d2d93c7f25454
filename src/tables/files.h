/* The files of a library, under a limit of descriptors.

   A file stays known while it has no descriptor: when all are taken, the file that was not read for longest
   gives its own up, and is opened again when it is read. It is found again whatever becomes of the working
   directory and of the name of its directory, which is held open; and it must still be the same file. Any
   number of threads may read. */
#ifndef DAME_TABLES_FILES_H
#define DAME_TABLES_FILES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

struct files;
struct file;

enum { FILES_LEAST = 8, FILES_MOST = 512 };

/* How many descriptors one library should use: a quarter of those that the process may have, from FILES_LEAST
   to FILES_MOST. Directories come on top, one descriptor each. */
int files_limit(void);

/* At most `limit` files, 1 or more, have a descriptor at a time. Free with files_release. DAME_NO_MEMORY. */
enum dame_status files_create(int limit, struct files **out);

/* One more call of files_release to come. Returns `files`. */
struct files *files_share(struct files *files);

void files_release(struct files *files); /* NULL is allowed; open files keep what they need */

/* Open a regular file. DAME_IO (errno says why), DAME_NO_MEMORY. */
enum dame_status file_open(struct files *files, const char *path, struct file **out, char *detail);

void file_close(struct file *file); /* NULL is allowed; errno is kept */

/* The path as it was given, for messages; the size in bytes when the file was opened. */
const char *file_path(const struct file *file);
uint64_t file_size(const struct file *file);

/* Whether two files are one, or hold the same bytes. Fails as file_read does. */
enum dame_status file_compare(struct file *one, struct file *other, bool *same, char *detail);

/* Read `size` bytes from `offset` on. DAME_CORRUPT_TABLE: the file is too short, or another one has its name
   now. DAME_IO (errno says why). */
enum dame_status file_read(struct file *file, uint64_t offset, uint8_t *target, size_t size, char *detail);

#endif
