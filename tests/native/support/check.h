/* CHECK(condition) for the native tests: prints what failed and where, goes on, and lets main() report it. */
#ifndef DAME_TESTS_CHECK_H
#define DAME_TESTS_CHECK_H

#include <stdio.h>

static int check_failures;

#define CHECK(condition)                                                                                     \
    do {                                                                                                     \
        if (!(condition)) {                                                                                  \
            check_failures++;                                                                                \
            fprintf(stderr, "%s:%d: failed: %s\n", __FILE__, __LINE__, #condition);                          \
        }                                                                                                    \
    } while (0)

/* The exit status of the test program. */
static inline int check_result(void)
{
    return check_failures == 0 ? 0 : 1;
}

#endif
