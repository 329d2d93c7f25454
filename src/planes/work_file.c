#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* preadv */
#endif
#include "planes/work_file.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include "base/detail.h"
#include "base/hash.h"

static enum dame_status fail(const struct work_file *file, char *detail)
{
    return detail_fail(detail, DAME_IO, "%s: %s", descriptor_name(&file->descriptor), strerror(errno));
}

static enum dame_status damaged(const struct work_file *file, uint32_t block, const char *what, char *detail)
{
    return detail_fail(detail, DAME_CORRUPT_TABLE, "%s: block %lu: %s", descriptor_name(&file->descriptor),
                       (unsigned long)block, what);
}

/* Take what was read or written from the front of the parts that are left. */
static void advance(struct iovec *parts, size_t done)
{
    for (int i = 0; i < 2; i++) {
        const size_t some = done < parts[i].iov_len ? done : parts[i].iov_len;
        if (some == 0) /* a part without bytes may be NULL */
            continue;
        parts[i].iov_base = (char *)parts[i].iov_base + some;
        parts[i].iov_len -= some;
        done -= some;
    }
}

/* Both parts, one behind the other: false with errno 0 if the file ends too early. */
static bool read_parts(int number, uint64_t at, struct iovec *parts)
{
    while (parts[0].iov_len + parts[1].iov_len > 0) {
        const ssize_t got = preadv(number, parts, 2, (off_t)at);
        if (got < 0 && errno == EINTR)
            continue;
        if (got == 0)
            errno = 0;
        if (got <= 0)
            return false;
        advance(parts, (size_t)got);
        at += (uint64_t)got;
    }
    return true;
}

static bool write_parts(int number, uint64_t at, struct iovec *parts)
{
    while (parts[0].iov_len + parts[1].iov_len > 0) {
        const ssize_t put = pwritev(number, parts, 2, (off_t)at);
        if (put < 0 && errno == EINTR)
            continue;
        if (put == 0)
            errno = ENOSPC;
        if (put <= 0)
            return false;
        advance(parts, (size_t)put);
        at += (uint64_t)put;
    }
    return true;
}

/* A window on a file that is read from its beginning to its end. */
struct scan {
    int number;
    uint64_t size, at;
    size_t filled;
    uint8_t window[4096];
};

/* The `size` bytes at `at`, which the file has; NULL: they cannot be read. */
static const uint8_t *scan_look(struct scan *scan, uint64_t at, size_t size)
{
    if (at < scan->at || at + size > scan->at + scan->filled) {
        const uint64_t left = scan->size - at;
        scan->at = at;
        scan->filled = left < sizeof scan->window ? (size_t)left : sizeof scan->window;
        struct iovec parts[2] = {{scan->window, scan->filled}, {NULL, 0}};
        if (!read_parts(scan->number, at, parts)) {
            scan->filled = 0;
            return NULL;
        }
    }
    return scan->window + (at - scan->at);
}

static bool is_record(const struct work_file *file, uint64_t at, const uint8_t *bytes, const uint64_t *sizes,
                      struct work_head *head)
{
    return work_unpack_head(&file->facts, at, bytes, head) && work_fits(head, sizes[head->block]);
}

static enum dame_status not_whole(const struct work_file *file, const char *what, char *detail)
{
    return detail_fail(detail, DAME_CORRUPT_TABLE, "%s: %s", descriptor_name(&file->descriptor), what);
}

/* What is done with the records of a file that is opened. */
struct finder {
    const uint64_t *sizes; /* of the blocks */
    work_found found;
    void *context;
    uint64_t note; /* at the end of a part */
};

/* One record follows the other until the end. */
static enum dame_status scan_part(struct work_file *file, struct scan *scan, struct finder *finder,
                                  char *detail)
{
    uint64_t at = WORK_HEADER_SIZE;
    while (at < scan->size && scan->size - at >= WORK_HEAD_SIZE) {
        struct work_head head;
        const uint8_t *bytes = scan_look(scan, at, WORK_HEAD_SIZE);
        if (bytes == NULL)
            return errno != 0 ? fail(file, detail) : not_whole(file, "file ends too early", detail);
        if (!is_record(file, at, bytes, finder->sizes, &head))
            return not_whole(file, "head of a record", detail);
        if (head.form == WORK_END && scan->size == at + WORK_HEAD_SIZE) {
            finder->note = head.check;
            return DAME_OK;
        }
        if (head.form == WORK_END || head.form == WORK_STRUCK)
            return not_whole(file, "a record that no part has", detail);
        if (head.packed > scan->size - at - WORK_HEAD_SIZE)
            break;
        finder->found(finder->context, head.block, (struct work_place){.at = at, .packed = head.packed});
        at = work_behind(at, head.packed);
    }
    return not_whole(file, "file ends too early", detail);
}

/* Behind what is no record the next one is looked for: only the record that is damaged is lost. */
static enum dame_status scan_records(struct work_file *file, struct scan *scan, const struct finder *finder,
                                     char *detail)
{
    uint64_t sound = WORK_HEADER_SIZE; /* the end of the last record */
    for (uint64_t at = WORK_HEADER_SIZE; at < scan->size && scan->size - at >= WORK_HEAD_SIZE;) {
        struct work_head head;
        const uint8_t *bytes = scan_look(scan, at, WORK_HEAD_SIZE);
        if (bytes == NULL)
            return fail(file, detail);
        if (!is_record(file, at, bytes, finder->sizes, &head)) {
            at += WORK_ALIGNMENT;
            continue;
        }
        if (head.packed > scan->size - at - WORK_HEAD_SIZE)
            break; /* torn; records are appended in order, so nothing stands behind it */
        if (head.form != WORK_STRUCK && head.form != WORK_END)
            finder->found(finder->context, head.block, (struct work_place){.at = at, .packed = head.packed});
        sound = at + WORK_HEAD_SIZE + head.packed;
        at = work_behind(at, head.packed);
    }
    if (sound < scan->size && ftruncate(scan->number, (off_t)sound) != 0)
        return fail(file, detail);
    file->end = (sound + WORK_ALIGNMENT - 1) / WORK_ALIGNMENT * WORK_ALIGNMENT;
    return DAME_OK;
}

static enum dame_status write_header(struct work_file *file, int number, char *detail)
{
    uint8_t header[WORK_HEADER_SIZE];
    work_pack_header(&file->facts, header);
    struct iovec parts[2] = {{header, sizeof header}, {NULL, 0}};
    if (!write_parts(number, 0, parts))
        return fail(file, detail);
    file->end = WORK_HEADER_SIZE;
    return DAME_OK;
}

/* A file that is new, or whose header was torn, has at most a part of its header. */
static enum dame_status scan_file(struct work_file *file, int number, struct finder *finder, char *detail)
{
    struct scan scan = {.number = number};
    struct stat facts;
    uint8_t header[WORK_HEADER_SIZE];
    if (fstat(number, &facts) != 0)
        return fail(file, detail);
    scan.size = (uint64_t)facts.st_size;
    const size_t front = scan.size < WORK_HEADER_SIZE ? (size_t)scan.size : (size_t)WORK_HEADER_SIZE;
    const uint8_t *bytes = scan_look(&scan, 0, front);
    if (bytes == NULL)
        return fail(file, detail);
    const char *what = "not a work file";
    enum dame_status status = DAME_CORRUPT_TABLE;
    work_pack_header(&file->facts, header);
    if (front == WORK_HEADER_SIZE)
        status = work_check_header(&file->facts, bytes, &what);
    else if (memcmp(bytes, header, front) == 0 && !file->is_part)
        return write_header(file, number, detail);
    if (status != DAME_OK)
        return detail_fail(detail, status, "%s: %s", descriptor_name(&file->descriptor), what);
    return file->is_part ? scan_part(file, &scan, finder, detail) : scan_records(file, &scan, finder, detail);
}

static enum dame_status open_file(struct descriptors *descriptors, const char *path, uint64_t identity,
                                  uint32_t blocks, struct finder *finder, bool is_part, struct work_file *out,
                                  char *detail)
{
    int number;
    out->facts = (struct work_facts){identity, work_shape(finder->sizes, blocks), blocks};
    out->is_part = is_part;
    if (pthread_mutex_init(&out->lock, NULL) != 0)
        return DAME_NO_MEMORY;
    enum dame_status status =
        (is_part ? descriptor_open_to_read : descriptor_open)(descriptors, path, &out->descriptor, detail);
    if (status != DAME_OK) {
        pthread_mutex_destroy(&out->lock);
        return status;
    }
    status = descriptor_borrow(&out->descriptor, &number, detail);
    if (status == DAME_OK) {
        status = scan_file(out, number, finder, detail);
        descriptor_return(&out->descriptor);
    }
    if (status != DAME_OK)
        work_file_close(out, false);
    return status;
}

enum dame_status work_file_open(struct descriptors *descriptors, const char *path, uint64_t identity,
                                uint32_t blocks, const uint64_t *sizes, work_found found, void *context,
                                struct work_file *out, char *detail)
{
    struct finder finder = {sizes, found, context, 0};
    return open_file(descriptors, path, identity, blocks, &finder, false, out, detail);
}

enum dame_status work_file_open_part(struct descriptors *descriptors, const char *path, uint64_t identity,
                                     uint32_t blocks, const uint64_t *sizes, work_found found, void *context,
                                     struct work_file *out, uint64_t *note, char *detail)
{
    struct finder finder = {sizes, found, context, 0};
    const enum dame_status status =
        open_file(descriptors, path, identity, blocks, &finder, true, out, detail);
    *note = finder.note;
    return status;
}

enum dame_status work_file_seal(struct work_file *file, uint64_t note, const char *path, char *detail)
{
    const struct work_head end = {.form = WORK_END, .check = note};
    struct work_place place;
    const enum dame_status status = work_file_append(file, &end, NULL, &place, detail);
    return status == DAME_OK ? descriptor_publish(&file->descriptor, path, detail) : status;
}

void work_file_close(struct work_file *file, bool remove)
{
    const int reason = errno;
    if (remove)
        unlink(file->descriptor.path);
    errno = reason;
    descriptor_close(&file->descriptor);
    pthread_mutex_destroy(&file->lock);
}

enum dame_status work_file_append(struct work_file *file, const struct work_head *head, const void *content,
                                  struct work_place *place, char *detail)
{
    uint8_t bytes[WORK_HEAD_SIZE];
    int number;
    enum dame_status status = descriptor_borrow(&file->descriptor, &number, detail);
    if (status != DAME_OK)
        return status;
    pthread_mutex_lock(&file->lock);
    const uint64_t at = file->end;
    struct iovec parts[2] = {{bytes, sizeof bytes}, {(void *)(uintptr_t)content, head->packed}};
    work_pack_head(&file->facts, at, head, bytes);
    if (write_parts(number, at, parts)) {
        *place = (struct work_place){.at = at, .packed = head->packed};
        file->end = work_behind(at, head->packed);
    } else {
        status = fail(file, detail);
        const int reason = errno;
        (void)!ftruncate(number, (off_t)at); /* a torn record at the end does no harm either */
        errno = reason;
    }
    pthread_mutex_unlock(&file->lock);
    descriptor_return(&file->descriptor);
    return status;
}

enum dame_status work_file_read(struct work_file *file, uint32_t block, struct work_place place,
                                void *content, struct work_head *head, char *detail)
{
    uint8_t bytes[WORK_HEAD_SIZE];
    struct iovec parts[2] = {{bytes, sizeof bytes}, {content, place.packed}};
    int number;
    assert(place.at != 0);
    enum dame_status status = descriptor_borrow(&file->descriptor, &number, detail);
    if (status != DAME_OK)
        return status;
    if (!read_parts(number, place.at, parts))
        status = errno != 0 ? fail(file, detail) : damaged(file, block, "file ends too early", detail);
    descriptor_return(&file->descriptor);
    if (status != DAME_OK)
        return status;
    if (!work_unpack_head(&file->facts, place.at, bytes, head) || head->form == WORK_STRUCK ||
        head->form == WORK_END || head->block != block || head->packed != place.packed)
        return damaged(file, block, "head of its record", detail);
    if (head->form != WORK_FILL && hash_bytes(content, head->packed) != head->check)
        return damaged(file, block, "checksum", detail);
    return DAME_OK;
}

void work_file_strike(struct work_file *file, struct work_place place)
{
    uint8_t bytes[WORK_HEAD_SIZE];
    struct iovec from[2] = {{bytes, sizeof bytes}, {NULL, 0}}, to[2] = {{bytes, sizeof bytes}, {NULL, 0}};
    struct work_head head;
    int number;
    if (file->is_part || descriptor_borrow(&file->descriptor, &number, NULL) != DAME_OK)
        return;
    if (read_parts(number, place.at, from) && work_unpack_head(&file->facts, place.at, bytes, &head)) {
        head.form = WORK_STRUCK;
        work_pack_head(&file->facts, place.at, &head, bytes);
        (void)!write_parts(number, place.at, to);
    }
    descriptor_return(&file->descriptor);
}

void work_file_prefetch(struct work_file *file, struct work_place place)
{
#if defined(POSIX_FADV_WILLNEED)
    int number;
    if (descriptor_borrow(&file->descriptor, &number, NULL) != DAME_OK)
        return;
    (void)posix_fadvise(number, (off_t)place.at, (off_t)place.packed + WORK_HEAD_SIZE, POSIX_FADV_WILLNEED);
    descriptor_return(&file->descriptor);
#else
    (void)file;
    (void)place;
#endif
}
