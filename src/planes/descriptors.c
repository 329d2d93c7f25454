#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* O_NOFOLLOW */
#endif
#include "planes/descriptors.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/detail.h"

/* O_NONBLOCK: opening a pipe of that name must not block. */
#define FILE_FLAGS (O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)

enum { NAME_MAX_LENGTH = DETAIL_MAX - 96 };

enum dame_status descriptors_create(int limit, struct descriptors *out)
{
    assert(limit >= 1);
    *out = (struct descriptors){.limit = limit};
    return pthread_mutex_init(&out->lock, NULL) == 0 ? DAME_OK : DAME_NO_MEMORY;
}

void descriptors_destroy(struct descriptors *descriptors)
{
    assert(descriptors->open == 0);
    pthread_mutex_destroy(&descriptors->lock);
}

const char *descriptor_name(const struct descriptor *descriptor)
{
    const size_t length = strlen(descriptor->path);
    return descriptor->path + (length > NAME_MAX_LENGTH ? length - NAME_MAX_LENGTH : 0);
}

/* ---- Functions from here to descriptor_open are called with the lock. ---- */

static void unlink_open(struct descriptor *descriptor)
{
    struct descriptors *all = descriptor->all;
    *(descriptor->newer != NULL ? &descriptor->newer->older : &all->newest) = descriptor->older;
    *(descriptor->older != NULL ? &descriptor->older->newer : &all->oldest) = descriptor->newer;
    descriptor->newer = descriptor->older = NULL;
}

static void link_newest(struct descriptor *descriptor)
{
    struct descriptors *all = descriptor->all;
    descriptor->older = all->newest;
    *(all->newest != NULL ? &all->newest->newer : &all->oldest) = descriptor;
    all->newest = descriptor;
}

static void give_up(struct descriptor *descriptor)
{
    const int reason = errno;
    unlink_open(descriptor);
    close(descriptor->number);
    descriptor->number = -1;
    descriptor->all->open--;
    errno = reason;
}

/* Close the file that was not used for longest; false if all are being used. */
static bool give_oldest_up(struct descriptors *all)
{
    for (struct descriptor *one = all->oldest; one != NULL; one = one->newer)
        if (one->users == 0) {
            give_up(one);
            return true;
        }
    return false;
}

/* If the process has no descriptor left, some of ours are closed for this one. */
static int open_path(struct descriptor *descriptor, int flags)
{
    struct descriptors *all = descriptor->all;
    while (all->open >= all->limit && give_oldest_up(all))
        continue;
    for (;;) {
        const int number = open(descriptor->path, flags, 0666);
        if (number >= 0 || (errno != EMFILE && errno != ENFILE) || !give_oldest_up(all))
            return number;
    }
}

static enum dame_status fail(const struct descriptor *descriptor, char *detail)
{
    return detail_fail(detail, DAME_IO, "%s: %s", descriptor_name(descriptor), strerror(errno));
}

/* Open the file for the first time, or the same one again. */
static enum dame_status open_file(struct descriptor *descriptor, bool first, char *detail)
{
    struct stat facts;
    const int number = open_path(descriptor, first ? FILE_FLAGS | O_CREAT : FILE_FLAGS);
    if (number < 0)
        return fail(descriptor, detail);
    enum dame_status status = DAME_OK;
    if (fstat(number, &facts) != 0) {
        status = fail(descriptor, detail);
    } else if (!S_ISREG(facts.st_mode)) {
        errno = EINVAL;
        status = detail_fail(detail, DAME_IO, "%s: not a regular file", descriptor_name(descriptor));
    } else if (!first && (facts.st_dev != descriptor->device || facts.st_ino != descriptor->inode)) {
        status = detail_fail(detail, DAME_CORRUPT_TABLE, "%s: was replaced while it was open",
                             descriptor_name(descriptor));
    }
    if (status != DAME_OK) {
        const int reason = errno;
        close(number);
        errno = reason;
        return status;
    }
    descriptor->device = facts.st_dev;
    descriptor->inode = facts.st_ino;
    descriptor->number = number;
    descriptor->all->open++;
    link_newest(descriptor);
    return DAME_OK;
}

enum dame_status descriptor_open(struct descriptors *descriptors, const char *path, struct descriptor *out,
                                 char *detail)
{
    *out = (struct descriptor){.all = descriptors, .path = strdup(path), .number = -1};
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

void descriptor_close(struct descriptor *descriptor)
{
    const int reason = errno;
    pthread_mutex_lock(&descriptor->all->lock);
    assert(descriptor->users == 0);
    if (descriptor->number >= 0)
        give_up(descriptor);
    pthread_mutex_unlock(&descriptor->all->lock);
    free(descriptor->path);
    errno = reason;
}

enum dame_status descriptor_borrow(struct descriptor *descriptor, int *number, char *detail)
{
    enum dame_status status = DAME_OK;
    pthread_mutex_lock(&descriptor->all->lock);
    if (descriptor->number < 0)
        status = open_file(descriptor, false, detail);
    if (status == DAME_OK) {
        descriptor->users++;
        unlink_open(descriptor);
        link_newest(descriptor);
        *number = descriptor->number;
    }
    pthread_mutex_unlock(&descriptor->all->lock);
    return status;
}

void descriptor_return(struct descriptor *descriptor)
{
    struct descriptors *all = descriptor->all;
    pthread_mutex_lock(&all->lock);
    assert(descriptor->users > 0);
    if (--descriptor->users == 0 && all->open > all->limit)
        give_up(descriptor);
    pthread_mutex_unlock(&all->lock);
}
