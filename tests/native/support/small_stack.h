/* Runs a test on a thread with a stack of 128 KiB: what musl gives to every thread. Sanitizers need more. */
#ifndef DAME_TESTS_SMALL_STACK_H
#define DAME_TESTS_SMALL_STACK_H

#include <pthread.h>

#include "check.h"

#if defined(__SANITIZE_ADDRESS__)
enum { SMALL_STACK = 1 << 20 };
#else
enum { SMALL_STACK = 128 << 10 };
#endif

static void *small_stack_run(void *test)
{
    (*(void (**)(void))test)();
    return NULL;
}

static inline void on_small_stack(void (*test)(void))
{
    pthread_t thread;
    pthread_attr_t attributes;
    CHECK(pthread_attr_init(&attributes) == 0 && pthread_attr_setstacksize(&attributes, SMALL_STACK) == 0);
    const int failure = pthread_create(&thread, &attributes, small_stack_run, &test);
    CHECK(failure == 0);
    if (failure == 0)
        pthread_join(thread, NULL);
    pthread_attr_destroy(&attributes);
}

#endif
