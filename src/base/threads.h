/* Run independent pieces of work on several threads, or one on a stack of a given size. */
#ifndef DAME_BASE_THREADS_H
#define DAME_BASE_THREADS_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

/* One piece of work. `worker` tells the threads of one call apart (0 <= worker < threads), for scratch
   memory. */
typedef enum dame_status (*work_function)(void *context, uint64_t item, int worker);

/* Call work(context, item, worker) once for every item below `count`, on at most `threads` threads, in any
   order. Stops early after the first status other than DAME_OK and returns it; DAME_CANCELLED once *cancel is
   true (cancel may be NULL). Works on the calling thread alone if no thread can be started. DAME_BAD_ARGUMENT
   for less than one thread. */
enum { THREADS_MAX = 256 }; /* more than that are not started */

enum dame_status threads_run(int threads, uint64_t count, work_function work, void *context,
                             const atomic_bool *cancel);

/* Return what call(context) returns, made on a thread of its own that has `stack` bytes, however small that
   of the caller is. DAME_NO_MEMORY if no thread can be started. */
enum dame_status threads_call(size_t stack, enum dame_status (*call)(void *context), void *context);

#endif
