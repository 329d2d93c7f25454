#define _GNU_SOURCE /* O_TMPFILE */
#include "base/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* A file that never has a name, or, where the system has no such files, loses it at once. */
static int open_nameless(const char *directory)
{
#ifdef O_TMPFILE
    int nameless = open(directory, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    if (nameless >= 0)
        return nameless;
#endif
    static const char PATTERN[] = "/.dame-spill-XXXXXX";
    size_t length = strlen(directory);
    char *path = malloc(length + sizeof PATTERN);
    if (path == NULL) {
        errno = ENOMEM;
        return -1;
    }
    memcpy(path, directory, length);
    memcpy(path + length, PATTERN, sizeof PATTERN);
    int file = mkstemp(path);
    if (file >= 0)
        unlink(path);
    free(path);
    return file;
}

/* Room on the disk is taken at once: later a full disk could only be told by a signal. */
static enum dame_status reserve(int file, size_t size)
{
    int error;
    do
        error = posix_fallocate(file, 0, (off_t)size);
    while (error == EINTR);
    if (error != 0) {
        errno = error;
        return DAME_IO;
    }
    return DAME_OK;
}

enum dame_status memory_create(size_t size, const char *directory, struct memory *out)
{
    if (size == 0 || size > PTRDIFF_MAX)
        return DAME_TOO_LARGE;
    if (directory == NULL) {
        void *plain = calloc(size, 1);
        if (plain == NULL)
            return DAME_NO_MEMORY;
        *out = (struct memory){.at = plain, .size = size};
        return DAME_OK;
    }
    int file = open_nameless(directory);
    if (file < 0)
        return DAME_IO;
    enum dame_status status = reserve(file, size);
    void *mapped = MAP_FAILED;
    if (status == DAME_OK) {
        mapped = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
        if (mapped == MAP_FAILED)
            status = DAME_NO_MEMORY;
    }
    int error = errno;
    close(file);
    errno = error;
    if (status == DAME_OK)
        *out = (struct memory){.at = mapped, .size = size, .in_file = true};
    return status;
}

enum { LARGE_PAGE = 1 << 21 };

enum dame_status memory_create_large(size_t size, struct memory *out)
{
    if (size == 0 || size > PTRDIFF_MAX - LARGE_PAGE)
        return DAME_NO_MEMORY;
    const size_t rounded = (size + LARGE_PAGE - 1) / LARGE_PAGE * LARGE_PAGE;
    void *plain = size < LARGE_PAGE ? malloc(size) : aligned_alloc(LARGE_PAGE, rounded);
    if (plain == NULL)
        return DAME_NO_MEMORY;
#if defined(MADV_HUGEPAGE)
    if (size >= LARGE_PAGE)
        (void)madvise(plain, rounded, MADV_HUGEPAGE); /* a wish: small pages work as well */
#endif
    *out = (struct memory){.at = plain, .size = size};
    return DAME_OK;
}

void memory_destroy(struct memory *memory)
{
    if (memory->in_file)
        munmap(memory->at, memory->size);
    else
        free(memory->at);
    *memory = (struct memory){0};
}

void memory_release(const struct memory *memory)
{
    if (memory->in_file)
        madvise(memory->at, memory->size, MADV_DONTNEED);
}
