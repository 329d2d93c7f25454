#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* O_PATH */
#endif
#include "tables/files.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/detail.h"
#include "base/open_files.h"

/* A directory is only held open, not listed: the right to enter it is enough. */
#if defined(O_PATH)
#define DIRECTORY_FLAGS (O_PATH | O_DIRECTORY | O_CLOEXEC)
#elif defined(O_SEARCH)
#define DIRECTORY_FLAGS (O_SEARCH | O_DIRECTORY | O_CLOEXEC)
#else
#define DIRECTORY_FLAGS (O_RDONLY | O_DIRECTORY | O_CLOEXEC)
#endif

/* O_NONBLOCK: opening a pipe of that name must not block. */
#define FILE_FLAGS (O_RDONLY | O_CLOEXEC | O_NONBLOCK)

#ifdef __APPLE__
#define st_mtim st_mtimespec
#endif

/* What tells one file from another one of the same name, and from itself after a change. */
struct identity {
    dev_t device;
    ino_t inode;
    off_t size;
    struct timespec changed;
};

struct folder {
    struct folder *next;
    dev_t device;
    ino_t inode;
    int descriptor;
    int files; /* of ours in it */
};

struct file {
    struct files *files;
    struct folder *folder;
    char *path;
    const char *name; /* in the folder: the end of `path` */
    struct identity identity;
    struct open_file open; /* its users are those that read */
};

struct files {
    pthread_mutex_t lock; /* of all that follows, and of the files */
    pthread_cond_t idle;  /* a file has no reader any more */
    int references;       /* of libraries, and one of each file */
    struct open_files pool;
    struct folder *folders;
};

int files_limit(void)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0)
        return FILES_LEAST;
    const rlim_t quarter = limit.rlim_cur / 4; /* RLIM_INFINITY is a large number */
    return quarter < FILES_LEAST ? (int)FILES_LEAST : quarter > FILES_MOST ? (int)FILES_MOST : (int)quarter;
}

enum dame_status files_create(int limit, struct files **out)
{
    assert(limit >= 1);
    struct files *files = calloc(1, sizeof *files);
    if (files == NULL)
        return DAME_NO_MEMORY;
    files->pool.limit = limit;
    files->references = 1;
    if (pthread_mutex_init(&files->lock, NULL) != 0) {
        free(files);
        return DAME_NO_MEMORY;
    }
    if (pthread_cond_init(&files->idle, NULL) != 0) {
        pthread_mutex_destroy(&files->lock);
        free(files);
        return DAME_NO_MEMORY;
    }
    *out = files;
    return DAME_OK;
}

struct files *files_share(struct files *files)
{
    pthread_mutex_lock(&files->lock);
    files->references++;
    pthread_mutex_unlock(&files->lock);
    return files;
}

void files_release(struct files *files)
{
    if (files == NULL)
        return;
    pthread_mutex_lock(&files->lock);
    const bool last = --files->references == 0;
    pthread_mutex_unlock(&files->lock);
    if (!last)
        return;
    assert(files->pool.open == 0 && files->folders == NULL);
    pthread_cond_destroy(&files->idle);
    pthread_mutex_destroy(&files->lock);
    free(files);
}

/* ---- Functions from here to file_open are called with the lock. ---- */

static struct identity identity_of(const struct stat *facts)
{
    return (struct identity){facts->st_dev, facts->st_ino, facts->st_size, facts->st_mtim};
}

static bool is_same(const struct identity *one, const struct identity *other)
{
    return one->device == other->device && one->inode == other->inode && one->size == other->size &&
           one->changed.tv_sec == other->changed.tv_sec && one->changed.tv_nsec == other->changed.tv_nsec;
}

static enum dame_status open_regular(struct file *file, int *descriptor, struct identity *identity,
                                     char *detail)
{
    struct stat facts;
    const int found = open_files_open(&file->files->pool, file->folder->descriptor, file->name, FILE_FLAGS);
    if (found < 0)
        return detail_fail(detail, DAME_IO, "%s", strerror(errno));
    enum dame_status status = DAME_OK;
    if (fstat(found, &facts) != 0) {
        status = detail_fail(detail, DAME_IO, "%s", strerror(errno));
    } else if (!S_ISREG(facts.st_mode)) {
        errno = S_ISDIR(facts.st_mode) ? EISDIR : EINVAL;
        status = detail_fail(detail, DAME_IO, "not a regular file");
    }
    if (status != DAME_OK) {
        close_kept_errno(found);
        return status;
    }
    *identity = identity_of(&facts);
    *descriptor = found;
    return DAME_OK;
}

static enum dame_status open_again(struct file *file, char *detail)
{
    int descriptor;
    struct identity identity;
    const enum dame_status status = open_regular(file, &descriptor, &identity, detail);
    if (status != DAME_OK)
        return status;
    if (!is_same(&identity, &file->identity)) {
        close(descriptor);
        return detail_fail(detail, DAME_CORRUPT_TABLE, "was replaced while it was open");
    }
    open_files_keep(&file->files->pool, &file->open, descriptor);
    return DAME_OK;
}

/* The directory of a path, which several files share. Two names of one directory are one. */
static enum dame_status find_folder(struct files *files, const char *path, size_t length, struct folder **out,
                                    char *detail)
{
    struct stat facts;
    char *name = length == 0 ? strdup(".") : strndup(path, length);
    struct folder *folder = malloc(sizeof *folder);
    int descriptor = -1;
    enum dame_status status = name == NULL || folder == NULL ? DAME_NO_MEMORY : DAME_OK;
    if (status == DAME_OK) {
        descriptor = open_files_open(&files->pool, AT_FDCWD, name, DIRECTORY_FLAGS);
        if (descriptor < 0 || fstat(descriptor, &facts) != 0)
            status = detail_fail(detail, DAME_IO, "%s", strerror(errno));
    }
    const int reason = errno;
    free(name);
    if (status == DAME_OK) {
        struct folder *same = files->folders;
        while (same != NULL && (same->device != facts.st_dev || same->inode != facts.st_ino))
            same = same->next;
        *out = same != NULL ? same : folder;
        if (same == NULL) {
            *folder = (struct folder){files->folders, facts.st_dev, facts.st_ino, descriptor, 0};
            files->folders = folder;
            return DAME_OK;
        }
    }
    if (descriptor >= 0)
        close(descriptor);
    free(folder);
    errno = reason;
    return status;
}

static void leave_folder(struct files *files, struct folder *folder)
{
    if (--folder->files > 0)
        return;
    struct folder **at = &files->folders;
    while (*at != folder)
        at = &(*at)->next;
    *at = folder->next;
    close_kept_errno(folder->descriptor);
    free(folder);
}

static enum dame_status open_first(struct file *file, char *detail)
{
    struct files *files = file->files;
    const char *slash = strrchr(file->path, '/');
    const size_t length = slash == NULL ? 0 : (size_t)(slash - file->path) + 1;
    int descriptor;
    file->name = file->path + length;
    if (file->name[0] == '\0' && length > 0)
        file->name = "."; /* a directory, which is no regular file */
    enum dame_status status = find_folder(files, file->path, length, &file->folder, detail);
    if (status != DAME_OK)
        return status;
    file->folder->files++;
    open_files_make_room(&files->pool); /* if all are being read, there is one too many for a while */
    status = open_regular(file, &descriptor, &file->identity, detail);
    if (status == DAME_OK)
        open_files_keep(&files->pool, &file->open, descriptor);
    else
        leave_folder(files, file->folder);
    return status;
}

enum dame_status file_open(struct files *files, const char *path, struct file **out, char *detail)
{
    struct file *file = calloc(1, sizeof *file);
    char *copy = strdup(path);
    enum dame_status status = DAME_NO_MEMORY;
    if (file != NULL && copy != NULL) {
        *file = (struct file){.files = files, .path = copy, .open = {.number = -1}};
        pthread_mutex_lock(&files->lock);
        status = open_first(file, detail);
        files->references += status == DAME_OK;
        pthread_mutex_unlock(&files->lock);
    }
    if (status != DAME_OK) {
        const int reason = errno;
        free(copy);
        free(file);
        errno = reason;
        return status;
    }
    *out = file;
    return DAME_OK;
}

void file_close(struct file *file)
{
    if (file == NULL)
        return;
    const int reason = errno;
    struct files *files = file->files;
    pthread_mutex_lock(&files->lock);
    assert(file->open.users == 0);
    if (file->open.number >= 0)
        open_files_give_up(&files->pool, &file->open);
    leave_folder(files, file->folder);
    pthread_mutex_unlock(&files->lock);
    free(file->path);
    free(file);
    files_release(files);
    errno = reason;
}

const char *file_path(const struct file *file)
{
    return file->path;
}

uint64_t file_size(const struct file *file)
{
    return (uint64_t)file->identity.size;
}

/* Give the file a descriptor, which it keeps until stop_reading. */
static enum dame_status start_reading(struct file *file, char *detail)
{
    struct files *files = file->files;
    enum dame_status status = DAME_OK;
    pthread_mutex_lock(&files->lock);
    while (file->open.number < 0 && status == DAME_OK) {
        if (open_files_make_room(&files->pool))
            status = open_again(file, detail);
        else
            pthread_cond_wait(&files->idle, &files->lock);
    }
    if (status == DAME_OK)
        open_files_use(&files->pool, &file->open);
    pthread_mutex_unlock(&files->lock);
    return status;
}

static void stop_reading(struct file *file)
{
    pthread_mutex_lock(&file->files->lock);
    if (--file->open.users == 0)
        pthread_cond_broadcast(&file->files->idle);
    pthread_mutex_unlock(&file->files->lock);
}

/* pread, not mmap: a file that another program cuts short gives a short read here and not a SIGBUS. */
static enum dame_status read_at(int descriptor, uint64_t offset, uint8_t *target, size_t size, char *detail)
{
    while (size > 0) {
        const ssize_t got = pread(descriptor, target, size, (off_t)offset);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return detail_fail(detail, DAME_IO, "%s", strerror(errno));
        if (got == 0)
            return detail_fail(detail, DAME_CORRUPT_TABLE, "file ends too early");
        target += got;
        offset += (uint64_t)got;
        size -= (size_t)got;
    }
    return DAME_OK;
}

enum dame_status file_read(struct file *file, uint64_t offset, uint8_t *target, size_t size, char *detail)
{
    enum dame_status status = start_reading(file, detail);
    if (status != DAME_OK)
        return status;
    status = read_at(file->open.number, offset, target, size, detail);
    stop_reading(file);
    return status;
}

enum dame_status file_compare(struct file *one, struct file *other, bool *same, char *detail)
{
    uint8_t bytes[2][4096];
    enum dame_status status = DAME_OK;
    uint64_t left = file_size(one);
    *same = one->identity.device == other->identity.device && one->identity.inode == other->identity.inode;
    if (*same || left != file_size(other))
        return DAME_OK;
    *same = true;
    while (left > 0 && *same && status == DAME_OK) {
        const size_t some = left < sizeof bytes[0] ? (size_t)left : sizeof bytes[0];
        status = file_read(one, left - some, bytes[0], some, detail);
        if (status == DAME_OK)
            status = file_read(other, left - some, bytes[1], some, detail);
        *same = status == DAME_OK && memcmp(bytes[0], bytes[1], some) == 0;
        left -= some;
    }
    return status;
}
