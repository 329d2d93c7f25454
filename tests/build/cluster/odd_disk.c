/* To be loaded before the C library: file systems as they are elsewhere. Only paths below DAME_ODD_FOLDER are
   odd. DAME_ODD_DELAY: microseconds that each call takes longer. DAME_ODD_LATE: milliseconds after which a
   file that another process has made, or given its name, shows up. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define OWN_MAX 65536

static _Atomic unsigned long own[OWN_MAX]; /* numbers of files that this process has made */

static long setting(const char *name)
{
    const char *text = getenv(name);
    return text == NULL ? 0 : atol(text);
}

static bool is_odd(const char *path)
{
    const char *folder = getenv("DAME_ODD_FOLDER");
    return path != NULL && folder != NULL && strncmp(path, folder, strlen(folder)) == 0;
}

static bool is_there(const char *path, struct stat *facts)
{
    return syscall(SYS_newfstatat, AT_FDCWD, path, facts, 0) == 0 && S_ISREG(facts->st_mode);
}

static void take(const char *path)
{
    struct stat facts;
    if (is_there(path, &facts))
        own[facts.st_ino % OWN_MAX] = facts.st_ino;
}

/* Wait if that is wanted; false, with errno: the file does not show yet. */
static bool enter(const char *path)
{
    if (!is_odd(path))
        return true;
    const long delay = setting("DAME_ODD_DELAY"), late = setting("DAME_ODD_LATE");
    if (delay > 0)
        nanosleep(&(struct timespec){delay / 1000000, delay % 1000000 * 1000}, NULL);
    struct stat facts;
    if (late == 0 || !is_there(path, &facts) || own[facts.st_ino % OWN_MAX] == facts.st_ino)
        return true;
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    const long age =
        (now.tv_sec - facts.st_ctim.tv_sec) * 1000 + (now.tv_nsec - facts.st_ctim.tv_nsec) / 1000000;
    if (age >= late)
        return true;
    errno = ENOENT;
    return false;
}

static void *next(const char *name)
{
    void *found = dlsym(RTLD_NEXT, name);
    if (found == NULL)
        abort();
    return found;
}

#define OPENAT(name)                                                                                         \
    int name(int folder, const char *path, int flags, ...)                                                   \
    {                                                                                                        \
        va_list more;                                                                                        \
        va_start(more, flags);                                                                               \
        const mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(more, mode_t) : 0;                        \
        va_end(more);                                                                                        \
        if (!(flags & O_CREAT) && !enter(path))                                                              \
            return -1;                                                                                       \
        const int number = ((int (*)(int, const char *, int, ...))next(#name))(folder, path, flags, mode);   \
        if (number >= 0 && (flags & O_CREAT) && is_odd(path))                                                \
            take(path);                                                                                      \
        return number;                                                                                       \
    }
OPENAT(openat)
OPENAT(openat64)

#define OPEN(name, at)                                                                                       \
    int name(const char *path, int flags, ...)                                                               \
    {                                                                                                        \
        va_list more;                                                                                        \
        va_start(more, flags);                                                                               \
        const mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(more, mode_t) : 0;                        \
        va_end(more);                                                                                        \
        return at(AT_FDCWD, path, flags, mode);                                                              \
    }
OPEN(open, openat)
OPEN(open64, openat64)

#define STAT(name, type)                                                                                     \
    int name(const char *path, struct type *facts)                                                           \
    {                                                                                                        \
        return enter(path) ? ((int (*)(const char *, struct type *))next(#name))(path, facts) : -1;          \
    }
STAT(stat, stat)
STAT(stat64, stat64)
STAT(lstat, stat)
STAT(lstat64, stat64)

#define MOVE(name)                                                                                           \
    int name(const char *from, const char *to)                                                               \
    {                                                                                                        \
        if (!enter(from))                                                                                    \
            return -1;                                                                                       \
        const int result = ((int (*)(const char *, const char *))next(#name))(from, to);                     \
        if (result == 0 && is_odd(to))                                                                       \
            take(to);                                                                                        \
        return result;                                                                                       \
    }
MOVE(rename)
MOVE(link)

int unlink(const char *path)
{
    return enter(path) ? ((int (*)(const char *))next("unlink"))(path) : -1;
}
