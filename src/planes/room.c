#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* MAP_ANONYMOUS */
#endif
#include <assert.h>
#include <sys/mman.h>

#include "planes/store_private.h"

/* Memory under the budget. The spans of a store are a queue: the oldest one is freed, unless one of its
   blocks was used since the last look; then it goes back to the end (second chance). A span with pinned
   blocks is put aside until one of them is unpinned. So every look at a span is paid for by a use of it, a
   pin, or by its end, however many there are. */

/* ---- Functions from here to count_in are called with the lock. ---- */

static void unlink_span(struct store *store, struct span *span)
{
    *(span->newer != NULL ? &span->newer->older : &store->newest) = span->older;
    *(span->older != NULL ? &span->older->newer : &store->oldest) = span->newer;
    span->newer = span->older = NULL;
    store->spans--;
}

static void link_newest(struct store *store, struct span *span)
{
    span->older = store->newest;
    *(store->newest != NULL ? &store->newest->newer : &store->oldest) = span;
    store->newest = span;
    store->spans++;
}

static struct kept *block_of(const struct span *span, const struct slot *slot)
{
    struct shelf *shelf = span->owner;
    return &shelf->blocks[slot->block];
}

/* A span that is in no list and has no block. */
static void free_span(struct store *store, struct span *span, struct span **freed)
{
    struct shelf *shelf = span->owner;
    *(shelf->in_file ? &store->facts.bytes : &store->facts.plain_bytes) -= span_bytes(span);
    if (span->class >= 0 && shelf->filling[span->class] == span)
        shelf->filling[span->class] = NULL;
    span->older = *freed;
    *freed = span;
}

static void empty_slot(struct span *span, struct slot *slot, struct kept *block)
{
    assert(slot->live && block->content == slot_content(slot));
    block->content = NULL;
    slot->live = false;
    span->live--;
}

static bool was_used(const struct span *span)
{
    bool used = false;
    for (uint32_t i = 0; i < span->slots; i++) {
        const struct slot *slot = span_slot(span, i);
        if (!slot->live)
            continue;
        struct kept *block = block_of(span, slot);
        if (atomic_load_explicit(&block->state, memory_order_relaxed) & KEPT_USED) {
            atomic_fetch_and_explicit(&block->state, ~(uint32_t)KEPT_USED, memory_order_relaxed);
            used = true;
        }
    }
    return used;
}

/* False, and its last unpinning will tell, if the block is needed. */
static bool let_go(struct kept *block)
{
    uint32_t state = kept_state(block), next;
    bool idle;
    do {
        idle = (state & (KEPT_PINS | KEPT_READING | KEPT_MAKING)) == 0;
        next = idle ? state & ~(uint32_t)(KEPT_RESIDENT | KEPT_USED | KEPT_ASIDE) : state | KEPT_ASIDE;
    } while (!atomic_compare_exchange_weak_explicit(&block->state, &state, next, memory_order_acq_rel,
                                                    memory_order_acquire));
    return idle;
}

/* `used_as_well`: no second chance. */
static void free_oldest(struct store *store, bool used_as_well, struct span **freed)
{
    struct span *span = store->oldest;
    unlink_span(store, span);
    if (was_used(span) && !used_as_well) {
        link_newest(store, span);
        return;
    }
    for (uint32_t i = 0; i < span->slots; i++) {
        struct slot *slot = span_slot(span, i);
        if (slot->live && let_go(block_of(span, slot)))
            empty_slot(span, slot, block_of(span, slot));
    }
    if (span->live == 0)
        free_span(store, span, freed);
    else
        span->aside = true;
}

/* Others may use blocks as quickly as this looks at them; no span gets two chances. */
static void count(struct store *store, uint64_t bytes, struct span **freed)
{
    struct store_statistics *facts = &store->facts;
    for (uint64_t looks = store->spans; facts->bytes + bytes > store->budget && store->oldest != NULL;
         looks -= looks > 0)
        free_oldest(store, looks == 0, freed);
    facts->bytes += bytes;
    if (facts->bytes > facts->most_bytes)
        facts->most_bytes = facts->bytes;
}

static void hand_out(struct shelf *shelf, struct span *span, uint32_t number)
{
    shelf->blocks[number].content = slot_content(span_hand_out(span, number));
}

static void end_aside(struct store *store, struct span *span)
{
    if (!span->aside)
        return;
    span->aside = false;
    link_newest(store, span);
}

void room_drop(struct shelf *shelf, struct kept *block, struct span **freed)
{
    struct slot *slot = slot_of(block->content);
    struct span *span = slot->span;
    empty_slot(span, slot, block);
    if (span->live > 0) {
        end_aside(shelf->store, span); /* it may have waited for this block alone */
        return;
    }
    if (shelf->in_file && !span->aside)
        unlink_span(shelf->store, span);
    free_span(shelf->store, span, freed);
}

void room_rejoin(struct shelf *shelf, struct kept *block, struct span **freed)
{
    atomic_fetch_and_explicit(&block->state, ~(uint32_t)KEPT_ASIDE, memory_order_relaxed);
    if (block->content == NULL) /* it was freed by another thread before this one came */
        return;
    end_aside(shelf->store, slot_of(block->content)->span);
    count(shelf->store, 0, freed); /* pinned blocks may have passed the budget */
}

/* ---- Without the lock. ---- */

static void count_in(struct store *store, size_t size)
{
    struct span *freed = NULL;
    pthread_mutex_lock(&store->lock);
    count(store, size, &freed);
    pthread_mutex_unlock(&store->lock);
    room_unmap(freed);
}

static void uncount(struct store *store, size_t size)
{
    pthread_mutex_lock(&store->lock);
    store->facts.bytes -= size;
    pthread_mutex_unlock(&store->lock);
}

void room_unmap(struct span *freed)
{
    while (freed != NULL) {
        struct span *next = freed->older;
        span_unmap(freed);
        freed = next;
    }
}

/* A slot of a span that other blocks are in already. */
static bool take_slot(struct shelf *shelf, uint32_t number, struct slot_shape shape)
{
    struct store *store = shelf->store;
    struct span *freed = NULL, *span = NULL;
    pthread_mutex_lock(&store->lock);
    if (shape.class >= 0)
        span = shelf->filling[shape.class];
    if (span != NULL) {
        hand_out(shelf, span, number); /* first: now the span cannot be freed */
        if (span_is_full(span))
            shelf->filling[shape.class] = NULL;
        if (shelf->in_file)
            count(store, shape.bytes, &freed);
        else
            store->facts.plain_bytes += shape.bytes;
    }
    pthread_mutex_unlock(&store->lock);
    room_unmap(freed);
    return span != NULL;
}

bool room_take(struct shelf *shelf, uint32_t number)
{
    struct store *store = shelf->store;
    const struct slot_shape shape = slot_shape(kept_size(&shelf->blocks[number]), shelf->span_bytes);
    if (take_slot(shelf, number, shape))
        return true;
    const size_t bytes = shape.bytes + (shape.class >= 0 ? sizeof(struct span) : 0);
    if (shelf->in_file)
        count_in(store, bytes); /* before it is there: freed memory makes room for it */
    struct span *span = span_map(shape, shelf->span_bytes, shelf);
    if (span == NULL) {
        if (shelf->in_file)
            uncount(store, bytes);
        return false;
    }
    pthread_mutex_lock(&store->lock);
    hand_out(shelf, span, number);
    assert(span_bytes(span) == bytes);
    if (shape.class >= 0 && !span_is_full(span) && shelf->filling[shape.class] == NULL)
        shelf->filling[shape.class] = span;
    if (shelf->in_file)
        link_newest(store, span);
    else
        store->facts.plain_bytes += bytes;
    pthread_mutex_unlock(&store->lock);
    return true;
}

void *room_scratch(struct store *store, size_t size)
{
    count_in(store, size);
    void *scratch = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (scratch != MAP_FAILED)
        return scratch;
    uncount(store, size);
    return NULL;
}

void room_scratch_done(struct store *store, void *scratch, size_t size)
{
    munmap(scratch, size);
    uncount(store, size);
}
