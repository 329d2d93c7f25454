#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* O_NOFOLLOW */
#endif
#include "planes/descriptors.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/detail.h"

/* O_NONBLOCK: opening a pipe of that name must not block. */
#define FILE_FLAGS (O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)

enum { NAME_MAX_LENGTH = DETAIL_MAX - 96 };

enum dame_status descriptors_create(int limit, struct descriptors *out)
{
    assert(limit >= 1);
    *out = (struct descriptors){.pool = {.limit = limit}};
    return pthread_mutex_init(&out->lock, NULL) == 0 ? DAME_OK : DAME_NO_MEMORY;
}

void descriptors_destroy(struct descriptors *descriptors)
{
    assert(descriptors->pool.open == 0);
    pthread_mutex_destroy(&descriptors->lock);
}

const char *descriptor_name(const struct descriptor *descriptor)
{
    const size_t length = strlen(descriptor->path);
    return descriptor->path + (length > NAME_MAX_LENGTH ? length - NAME_MAX_LENGTH : 0);
}

static enum dame_status fail(const struct descriptor *descriptor, char *detail)
{
    return detail_fail(detail, DAME_IO, "%s: %s", descriptor_name(descriptor), strerror(errno));
}

/* With the lock: open the file for the first time, or the same one again. */
static enum dame_status open_file(struct descriptor *descriptor, bool first, char *detail)
{
    struct stat facts;
    struct open_files *pool = &descriptor->all->pool;
    open_files_make_room(pool); /* if all are being used, there is one too many for a while */
    const int access = descriptor->read_only ? O_RDONLY : first ? O_RDWR | O_CREAT : O_RDWR;
    const int number = open_files_open(pool, AT_FDCWD, descriptor->path, FILE_FLAGS | access);
    if (number < 0)
        return fail(descriptor, detail);
    enum dame_status status = DAME_OK;
    if (fstat(number, &facts) != 0) {
        status = fail(descriptor, detail);
    } else if (!S_ISREG(facts.st_mode)) {
        errno = EINVAL;
        status = detail_fail(detail, DAME_IO, "%s: not a regular file", descriptor_name(descriptor));
    } else if (!first && !descriptor->read_only &&
               (facts.st_dev != descriptor->device || facts.st_ino != descriptor->inode)) {
        status = detail_fail(detail, DAME_CORRUPT_TABLE, "%s: was replaced while it was open",
                             descriptor_name(descriptor));
    }
    if (status != DAME_OK) {
        close_kept_errno(number);
        return status;
    }
    descriptor->device = facts.st_dev;
    descriptor->inode = facts.st_ino;
    open_files_keep(pool, &descriptor->open, number);
    return DAME_OK;
}

static enum dame_status open_first(struct descriptors *descriptors, const char *path, bool read_only,
                                   struct descriptor *out, char *detail)
{
    *out = (struct descriptor){
        .all = descriptors, .path = strdup(path), .read_only = read_only, .open = {.number = -1}};
    if (out->path == NULL)
        return DAME_NO_MEMORY;
    pthread_mutex_lock(&descriptors->lock);
    const enum dame_status status = open_file(out, true, detail);
    pthread_mutex_unlock(&descriptors->lock);
    if (status != DAME_OK) {
        const int reason = errno;
        free(out->path);
        errno = reason;
    }
    return status;
}

enum dame_status descriptor_open(struct descriptors *descriptors, const char *path, struct descriptor *out,
                                 char *detail)
{
    return open_first(descriptors, path, false, out, detail);
}

enum dame_status descriptor_open_to_read(struct descriptors *descriptors, const char *path,
                                         struct descriptor *out, char *detail)
{
    return open_first(descriptors, path, true, out, detail);
}

/* A link fails where there is such a file already, a new name for a file replaces it; some file systems have
   no links. */
static bool move_file(const char *from, const char *to)
{
    if (link(from, to) != 0 && errno != EEXIST)
        return rename(from, to) == 0;
    return unlink(from) == 0;
}

/* A network file system may tell as late as this that there is no room for what was written. */
static enum dame_status flush_file(struct descriptor *descriptor, char *detail)
{
    int number;
    enum dame_status status = descriptor_borrow(descriptor, &number, detail);
    if (status != DAME_OK)
        return status;
    const int copy = fcntl(number, F_DUPFD_CLOEXEC, 0);
    if (copy < 0 || close(copy) != 0)
        status = fail(descriptor, detail);
    const int reason = errno;
    descriptor_return(descriptor);
    errno = reason;
    return status;
}

enum dame_status descriptor_publish(struct descriptor *descriptor, const char *path, char *detail)
{
    const enum dame_status status = flush_file(descriptor, detail);
    if (status != DAME_OK)
        return status;
    return move_file(descriptor->path, path) ? DAME_OK : fail(descriptor, detail);
}

void descriptor_close(struct descriptor *descriptor)
{
    const int reason = errno;
    pthread_mutex_lock(&descriptor->all->lock);
    assert(descriptor->open.users == 0);
    if (descriptor->open.number >= 0)
        open_files_give_up(&descriptor->all->pool, &descriptor->open);
    pthread_mutex_unlock(&descriptor->all->lock);
    free(descriptor->path);
    errno = reason;
}

enum dame_status descriptor_borrow(struct descriptor *descriptor, int *number, char *detail)
{
    enum dame_status status = DAME_OK;
    pthread_mutex_lock(&descriptor->all->lock);
    if (descriptor->open.number < 0)
        status = open_file(descriptor, false, detail);
    if (status == DAME_OK) {
        open_files_use(&descriptor->all->pool, &descriptor->open);
        *number = descriptor->open.number;
    }
    pthread_mutex_unlock(&descriptor->all->lock);
    return status;
}

void descriptor_return(struct descriptor *descriptor)
{
    struct descriptors *all = descriptor->all;
    pthread_mutex_lock(&all->lock);
    assert(descriptor->open.users > 0);
    if (--descriptor->open.users == 0 && all->pool.open > all->pool.limit)
        open_files_give_up(&all->pool, &descriptor->open);
    pthread_mutex_unlock(&all->lock);
}
