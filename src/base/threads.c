#include "base/threads.h"

#include <pthread.h>
#include <stdbool.h>

struct pool {
    work_function work;
    void *context;
    uint64_t count;
    const atomic_bool *cancel;
    atomic_uint_fast64_t next; /* the first item nobody has taken */
    atomic_int failure;        /* the first status other than DAME_OK */
};

struct worker {
    struct pool *pool;
    int number;
};

/* musl gives a thread 128 KiB if it is not told otherwise, and whoever set a limit meant other threads. */
enum { WORKER_STACK = 2 << 20 };

static bool start(pthread_t *thread, size_t stack, void *(*run)(void *), void *argument)
{
    pthread_attr_t attributes;
    if (pthread_attr_init(&attributes) != 0)
        return false;
    const bool started = pthread_attr_setstacksize(&attributes, stack) == 0 &&
                         pthread_create(thread, &attributes, run, argument) == 0;
    pthread_attr_destroy(&attributes);
    return started;
}

static void fail(struct pool *pool, enum dame_status status)
{
    int expected = DAME_OK;
    atomic_compare_exchange_strong(&pool->failure, &expected, (int)status);
}

static void *work_until_done(void *argument)
{
    struct worker *worker = argument;
    struct pool *pool = worker->pool;
    while (atomic_load(&pool->failure) == DAME_OK) {
        if (pool->cancel != NULL && atomic_load(pool->cancel)) {
            fail(pool, DAME_CANCELLED);
            break;
        }
        uint64_t item = atomic_fetch_add(&pool->next, 1);
        if (item >= pool->count)
            break;
        enum dame_status status = pool->work(pool->context, item, worker->number);
        if (status != DAME_OK)
            fail(pool, status);
    }
    return NULL;
}

enum dame_status threads_run(int threads, uint64_t count, work_function work, void *context,
                             const atomic_bool *cancel)
{
    struct pool pool = {.work = work, .context = context, .count = count, .cancel = cancel};
    pthread_t handles[THREADS_MAX];
    struct worker workers[THREADS_MAX];
    if (threads < 1)
        return DAME_BAD_ARGUMENT;
    if (threads > THREADS_MAX)
        threads = THREADS_MAX;
    if ((uint64_t)threads > count)
        threads = (int)count;
    int started = 1; /* the calling thread is worker 0 */
    for (; started < threads; started++) {
        workers[started] = (struct worker){&pool, started};
        if (!start(&handles[started], WORKER_STACK, work_until_done, &workers[started]))
            break;
    }
    workers[0] = (struct worker){&pool, 0};
    work_until_done(&workers[0]);
    for (int i = 1; i < started; i++)
        pthread_join(handles[i], NULL);
    return (enum dame_status)atomic_load(&pool.failure);
}

struct call {
    enum dame_status (*call)(void *context);
    void *context;
    enum dame_status status;
};

static void *make_call(void *argument)
{
    struct call *call = argument;
    call->status = call->call(call->context);
    return NULL;
}

enum dame_status threads_call(size_t stack, enum dame_status (*call)(void *context), void *context)
{
    struct call made = {.call = call, .context = context};
    pthread_t thread;
    if (!start(&thread, stack, make_call, &made))
        return DAME_NO_MEMORY;
    pthread_join(thread, NULL);
    return made.status;
}
