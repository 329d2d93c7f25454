/* What every function of the core that can fail returns. Results go out through pointers. */
#ifndef DAME_BASE_STATUS_H
#define DAME_BASE_STATUS_H

enum dame_status {
    DAME_OK = 0,
    DAME_CANCELLED,     /* the caller's cancel flag was raised */
    DAME_NO_MEMORY,     /* an allocation failed; nothing was changed */
    DAME_BAD_ARGUMENT,  /* a number, name or pointer outside its documented range */
    DAME_BAD_POSITION,  /* a position that the rules do not allow */
    DAME_TOO_LARGE,     /* a size or an index does not fit */
    DAME_NO_TABLE,      /* no open table covers the position */
    DAME_CORRUPT_TABLE, /* a file breaks its format or a checksum */
    DAME_WRONG_VARIANT, /* a sound file, but of another rule set */
    DAME_IO,            /* the system refused to open or read; errno says why */
    DAME_INCONSISTENT,  /* a check of the program's own results failed: a defect */
    DAME_NOT_SUPPORTED, /* this rule set or metric has no such function */
    DAME_OVERFLOW,      /* a count does not fit into 128 bits (base/count.h) */
    DAME_STATUS_COUNT
};

/* A short English text, never NULL. */
const char *status_text(enum dame_status status);

#endif
