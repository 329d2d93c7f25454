#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* openat */
#endif
#include "base/open_files.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <unistd.h>

void close_kept_errno(int descriptor)
{
    const int reason = errno;
    close(descriptor);
    errno = reason;
}

static void unlink_file(struct open_files *pool, struct open_file *file)
{
    *(file->newer != NULL ? &file->newer->older : &pool->newest) = file->older;
    *(file->older != NULL ? &file->older->newer : &pool->oldest) = file->newer;
    file->newer = file->older = NULL;
}

static void link_newest(struct open_files *pool, struct open_file *file)
{
    file->older = pool->newest;
    *(pool->newest != NULL ? &pool->newest->newer : &pool->oldest) = file;
    pool->newest = file;
}

void open_files_give_up(struct open_files *pool, struct open_file *file)
{
    unlink_file(pool, file);
    close_kept_errno(file->number);
    file->number = -1;
    pool->open--;
}

/* Close the file that was not used for longest; false if all are being used. */
static bool give_oldest_up(struct open_files *pool)
{
    for (struct open_file *file = pool->oldest; file != NULL; file = file->newer)
        if (file->users == 0) {
            open_files_give_up(pool, file);
            return true;
        }
    return false;
}

bool open_files_make_room(struct open_files *pool)
{
    while (pool->open >= pool->limit && give_oldest_up(pool))
        continue;
    return pool->open < pool->limit;
}

int open_files_open(struct open_files *pool, int folder, const char *path, int flags)
{
    for (;;) {
        const int number = openat(folder, path, flags, 0666);
        if (number >= 0 || (errno != EMFILE && errno != ENFILE) || !give_oldest_up(pool))
            return number;
    }
}

void open_files_keep(struct open_files *pool, struct open_file *file, int number)
{
    file->number = number;
    pool->open++;
    link_newest(pool, file);
}

void open_files_use(struct open_files *pool, struct open_file *file)
{
    file->users++;
    unlink_file(pool, file);
    link_newest(pool, file);
}
