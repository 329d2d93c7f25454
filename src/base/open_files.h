/* Files that give up their descriptors: of those that are open, the one that was not used for longest is
   closed when there are too many. Whoever keeps such a pool guards it with a lock, remembers how each file is
   opened again, and finds out whether it is still the same one. */
#ifndef DAME_BASE_OPEN_FILES_H
#define DAME_BASE_OPEN_FILES_H

#include <stdbool.h>

struct open_file {
    int number; /* the descriptor; -1: none now */
    int users;  /* while there are any it stays open */
    struct open_file *newer, *older;
};

struct open_files {
    int limit, open; /* files that should be open at most, and that are */
    struct open_file *newest, *oldest;
};

/* openat, with mode 0666 for a file that is made; if the process has no descriptor left, files of the pool
   are closed for this one. Returns the descriptor, or -1 (errno says why). */
int open_files_open(struct open_files *pool, int folder, const char *path, int flags);

/* Close files until one more may be open; false if too many are used. */
bool open_files_make_room(struct open_files *pool);

/* The file has this descriptor from now on. */
void open_files_keep(struct open_files *pool, struct open_file *file, int number);

/* One more user of an open file, which was used last then. */
void open_files_use(struct open_files *pool, struct open_file *file);

/* Close a file that is open. errno stays. */
void open_files_give_up(struct open_files *pool, struct open_file *file);

/* close, but errno stays. */
void close_kept_errno(int descriptor);

#endif
