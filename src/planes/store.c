#include "planes/store.h"

#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "planes/store_private.h"

enum {
    FILES_OPEN = 64,      /* work files that have a descriptor at a time */
    SPANS = 1 << 13,      /* so many fill the budget: the system allows some 65,000 mappings */
    SPAN_MOST = 64 << 20, /* bytes */
    SPAN_STEP = 1 << 16   /* a multiple of every size of pages */
};

size_t store_span(uint64_t wanted)
{
    wanted = (wanted + SPAN_STEP - 1) / SPAN_STEP * SPAN_STEP;
    return wanted < SPAN_LEAST ? (size_t)SPAN_LEAST : wanted > SPAN_MOST ? (size_t)SPAN_MOST : (size_t)wanted;
}

enum dame_status store_create(uint64_t budget, const struct store_codec *codec, struct store **out)
{
    struct store *store = calloc(1, sizeof *store);
    if (store == NULL)
        return DAME_NO_MEMORY;
    *store = (struct store){.budget = budget, .span_bytes = store_span(budget / SPANS), .codec = codec};
    if (descriptors_create(FILES_OPEN, &store->files) != DAME_OK)
        goto no_files;
    if (pthread_mutex_init(&store->lock, NULL) != 0)
        goto no_lock;
    if (pthread_cond_init(&store->read, NULL) != 0)
        goto no_condition;
    *out = store;
    return DAME_OK;
no_condition:
    pthread_mutex_destroy(&store->lock);
no_lock:
    descriptors_destroy(&store->files);
no_files:
    free(store);
    return DAME_NO_MEMORY;
}

void store_destroy(struct store *store)
{
    if (store == NULL)
        return;
    assert(store->facts.bytes == 0 && store->facts.plain_bytes == 0);
    while (store->idle != NULL) {
        struct codec_scratch *next = store->idle->next;
        free(store->idle);
        store->idle = next;
    }
    pthread_cond_destroy(&store->read);
    pthread_mutex_destroy(&store->lock);
    descriptors_destroy(&store->files);
    free(store);
}

struct codec_scratch *scratch_take(struct store *store)
{
    pthread_mutex_lock(&store->lock);
    struct codec_scratch *scratch = store->idle;
    if (scratch != NULL)
        store->idle = scratch->next;
    pthread_mutex_unlock(&store->lock);
    if (scratch != NULL)
        return scratch;
    const size_t bytes = sizeof *scratch + (store->codec->scratch_bytes + 63) / 64 * 64;
    return aligned_alloc(64, bytes);
}

void scratch_give(struct store *store, struct codec_scratch *scratch)
{
    pthread_mutex_lock(&store->lock);
    scratch->next = store->idle;
    store->idle = scratch;
    pthread_mutex_unlock(&store->lock);
}

void store_note_failure(struct store *store, enum dame_status status, const char *detail)
{
    const int reason = errno;
    pthread_mutex_lock(&store->lock);
    if (store->failure[0] == '\0') {
        snprintf(store->failure, sizeof store->failure, "%s", detail);
        store->failure_status = status;
        store->failure_reason = reason;
    }
    pthread_mutex_unlock(&store->lock);
}

enum dame_status store_take_failure(struct store *store, char *detail)
{
    pthread_mutex_lock(&store->lock);
    const enum dame_status status = store->failure[0] == '\0' ? DAME_OK : store->failure_status;
    memcpy(detail, store->failure, DETAIL_MAX);
    store->failure[0] = '\0';
    errno = store->failure_reason;
    pthread_mutex_unlock(&store->lock);
    return status;
}

struct store_statistics store_statistics(struct store *store)
{
    pthread_mutex_lock(&store->lock);
    const struct store_statistics facts = store->facts;
    pthread_mutex_unlock(&store->lock);
    return facts;
}
