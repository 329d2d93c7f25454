#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/hash.h"
#include "planes/store_private.h"

enum { STACK_SCRATCH = 1 << 14 }; /* packed blocks up to this size need no call of the system */

static struct kept *block_at(struct shelf *shelf, uint32_t number)
{
    assert(number < shelf->count);
    return &shelf->blocks[number];
}

/* With the lock, of a block that is READING or MAKING: nobody else changes it. */
static void set_state(struct kept *block, uint32_t clear, uint32_t set)
{
    atomic_store_explicit(&block->state, (kept_state(block) & ~clear) | set, memory_order_release);
}

static enum dame_status fail(const struct shelf *shelf, uint32_t number, enum dame_status status,
                             const char *what, char *detail)
{
    const struct work_place place = shelf->blocks[number].place;
    const bool is_nowhere = shelf->in_parts && place.at == 0 && place.file == 0;
    const struct work_file *file = is_nowhere ? NULL : shelf_file(shelf, place);
    return detail_fail(detail, status, "%s%sblock %lu: %s",
                       file != NULL ? descriptor_name(&file->descriptor) : "", file != NULL ? ": " : "",
                       (unsigned long)number, what);
}

static enum dame_status is_damaged(const struct shelf *shelf, uint32_t number, const char *what, char *detail)
{
    return fail(shelf, number, DAME_CORRUPT_TABLE, what, detail);
}

static enum dame_status no_memory(const struct shelf *shelf, uint32_t number, char *detail)
{
    return fail(shelf, number, DAME_NO_MEMORY, "no memory", detail);
}

void shelf_set_form(struct shelf *shelf, uint32_t block, size_t plane_bytes, size_t row_bytes)
{
    assert(block < shelf->count && plane_bytes <= kept_size(&shelf->blocks[block]));
    shelf->blocks[block].plane_words = (uint32_t)(plane_bytes / 8);
    shelf->blocks[block].row_words = (uint32_t)(row_bytes / 8);
}

bool shelf_has(const struct shelf *shelf, uint32_t block)
{
    assert(block < shelf->count);
    return (kept_state(&shelf->blocks[block]) & KEPT_COMPLETE) != 0;
}

/* ---- Reading ---- */

static void fill_words(void *content, size_t words, uint64_t word)
{
    uint64_t *to = content;
    for (size_t i = 0; i < words; i++)
        to[i] = word;
}

static enum dame_status unpack_record(struct shelf *shelf, uint32_t number, const void *packed,
                                      size_t packed_size, char *detail)
{
    struct store *store = shelf->store;
    const struct kept *block = &shelf->blocks[number];
    struct codec_scratch *scratch = scratch_take(store);
    if (scratch == NULL)
        return no_memory(shelf, number, detail);
    const bool done =
        store->codec->unpack(packed, packed_size, scratch->bytes, block->content, kept_size(block));
    scratch_give(store, scratch);
    return done ? DAME_OK : is_damaged(shelf, number, "packed content", detail);
}

/* What the record says, into the memory of the block. */
static enum dame_status read_record(struct shelf *shelf, uint32_t number, void *scratch, char *detail)
{
    const struct kept *block = &shelf->blocks[number];
    const size_t size = kept_size(block);
    const bool raw = block->place.packed == size;
    struct work_head head;
    const enum dame_status status = work_file_read(shelf_file(shelf, block->place), number, block->place,
                                                   raw ? block->content : scratch, &head, detail);
    if (status != DAME_OK)
        return status;
    if (!work_fits(&head, size))
        return is_damaged(shelf, number, "size of its record", detail);
    if (head.form == WORK_FILL)
        fill_words(block->content, block->words, head.check);
    return head.form == WORK_PACKED ? unpack_record(shelf, number, scratch, head.packed, detail) : DAME_OK;
}

static enum dame_status read_block(struct shelf *shelf, uint32_t number, char *detail)
{
    const struct kept *block = &shelf->blocks[number];
    const uint32_t packed = block->place.packed;
    uint8_t on_stack[STACK_SCRATCH];
    if (packed <= sizeof on_stack || packed == kept_size(block))
        return read_record(shelf, number, on_stack, detail);
    void *scratch = room_scratch(shelf->store, packed);
    if (scratch == NULL)
        return no_memory(shelf, number, detail);
    const enum dame_status status = read_record(shelf, number, scratch, detail);
    room_scratch_done(shelf->store, scratch, packed);
    return status;
}

/* What can be done without the lock: pin a block that is in memory. */
static bool pin_resident(struct kept *block)
{
    uint32_t state = kept_state(block);
    while ((state & KEPT_RESIDENT) != 0) {
        assert((state & KEPT_PINS) < KEPT_PINS);
        if (atomic_compare_exchange_weak_explicit(&block->state, &state, (state + 1) | KEPT_USED,
                                                  memory_order_acquire, memory_order_acquire))
            return true;
    }
    return false;
}

/* With the lock, which is given up while another thread reads the block. True: it is pinned; otherwise it is
   to be read by this thread, or not there. */
static bool pin_or_wait(struct store *store, struct kept *block)
{
    for (;;) {
        if (pin_resident(block))
            return true;
        const uint32_t state = kept_state(block);
        assert((state & KEPT_MAKING) == 0);
        if ((state & KEPT_READING) == 0)
            return false;
        pthread_cond_wait(&store->read, &store->lock);
    }
}

/* Strike a damaged record, and once all others that are: it is seldom the only one, and whoever opens the
   file next need not meet them one after the other. */
static void strike_damaged(struct shelf *shelf, struct work_place damaged)
{
    struct store *store = shelf->store;
    if (shelf->in_parts) /* they are only read */
        return;
    work_file_strike(shelf->own, damaged);
    pthread_mutex_lock(&store->lock);
    const bool is_checked = shelf->is_checked;
    shelf->is_checked = true;
    pthread_mutex_unlock(&store->lock);
    for (uint32_t i = 0; i < shelf->count && !is_checked; i++) {
        struct work_head head;
        pthread_mutex_lock(&store->lock);
        const struct work_place place = shelf->blocks[i].place;
        pthread_mutex_unlock(&store->lock);
        if (place.at == 0 || place.packed == 0) /* what has no content cannot be damaged */
            continue;
        void *content = room_scratch(store, place.packed);
        if (content == NULL)
            return; /* it is found when it is read */
        if (work_file_read(shelf->own, i, place, content, &head, NULL) == DAME_CORRUPT_TABLE)
            work_file_strike(shelf->own, place);
        room_scratch_done(store, content, place.packed);
    }
}

/* Read a block that is READING by this thread. */
static enum dame_status fetch(struct shelf *shelf, uint32_t number, char *detail)
{
    struct store *store = shelf->store;
    struct kept *block = &shelf->blocks[number];
    struct span *freed = NULL;
    enum dame_status status =
        room_take(shelf, number) ? read_block(shelf, number, detail) : no_memory(shelf, number, detail);
    if (status == DAME_CORRUPT_TABLE)
        strike_damaged(shelf, block->place);
    pthread_mutex_lock(&store->lock);
    if (status == DAME_OK) {
        store->facts.reads++;
        store->facts.read_bytes += WORK_HEAD_SIZE + block->place.packed;
        set_state(block, KEPT_READING, KEPT_RESIDENT | KEPT_USED | 1);
    } else {
        if (status == DAME_CORRUPT_TABLE)
            block->place.at = 0;
        set_state(block,
                  KEPT_READING | KEPT_ASIDE | (uint32_t)(status == DAME_CORRUPT_TABLE ? KEPT_COMPLETE : 0),
                  0);
    }
    if (status != DAME_OK && block->content != NULL)
        room_drop(shelf, block, &freed);
    pthread_cond_broadcast(&store->read);
    pthread_mutex_unlock(&store->lock);
    room_unmap(freed);
    return status;
}

enum dame_status shelf_pin(struct shelf *shelf, uint32_t block, const void **content, char *detail)
{
    struct store *store = shelf->store;
    struct kept *it = block_at(shelf, block);
    enum dame_status status = DAME_OK;
    if (!pin_resident(it)) {
        pthread_mutex_lock(&store->lock);
        const bool pinned = pin_or_wait(store, it);
        const bool there = (kept_state(it) & KEPT_COMPLETE) != 0;
        if (!pinned && there)
            set_state(it, 0, KEPT_READING);
        pthread_mutex_unlock(&store->lock);
        if (!pinned)
            status = there ? fetch(shelf, block, detail) : is_damaged(shelf, block, "not there", detail);
    }
    if (status == DAME_OK)
        *content = it->content;
    return status;
}

void shelf_unpin(struct shelf *shelf, uint32_t block)
{
    struct kept *it = block_at(shelf, block);
    const uint32_t before = atomic_fetch_sub_explicit(&it->state, 1, memory_order_release);
    assert((before & KEPT_PINS) != 0);
    if ((before & KEPT_PINS) != 1 || (before & KEPT_ASIDE) == 0)
        return;
    struct span *freed = NULL;
    pthread_mutex_lock(&shelf->store->lock);
    room_rejoin(shelf, it, &freed);
    pthread_mutex_unlock(&shelf->store->lock);
    room_unmap(freed);
}

void shelf_prefetch(struct shelf *shelf, uint32_t block)
{
    struct kept *it = block_at(shelf, block);
    if (!shelf->in_file || (kept_state(it) & (KEPT_COMPLETE | KEPT_RESIDENT)) != KEPT_COMPLETE)
        return;
    pthread_mutex_lock(&shelf->store->lock);
    const struct work_place place = it->place;
    pthread_mutex_unlock(&shelf->store->lock);
    if (place.at != 0)
        work_file_prefetch(shelf_file(shelf, place), place);
}

/* ---- Making ---- */

enum dame_status shelf_take(struct shelf *shelf, uint32_t block, void **content)
{
    struct store *store = shelf->store;
    struct kept *it = block_at(shelf, block);
    pthread_mutex_lock(&store->lock);
    const uint32_t before = kept_state(it);
    assert((before & (KEPT_PINS | KEPT_READING | KEPT_MAKING)) == 0);
    set_state(it, KEPT_RESIDENT | KEPT_COMPLETE | KEPT_USED, KEPT_MAKING);
    const bool has_room = it->content != NULL;
    pthread_mutex_unlock(&store->lock);
    if (has_room) {
        memset(it->content, 0, kept_size(it));
    } else if (!room_take(shelf, block)) {
        shelf_give_up(shelf, block);
        return DAME_NO_MEMORY;
    }
    *content = it->content;
    return DAME_OK;
}

void shelf_give_up(struct shelf *shelf, uint32_t block)
{
    struct kept *it = block_at(shelf, block);
    struct span *freed = NULL;
    pthread_mutex_lock(&shelf->store->lock);
    assert((kept_state(it) & KEPT_MAKING) != 0);
    set_state(it, KEPT_MAKING | KEPT_ASIDE, it->place.at != 0 ? KEPT_COMPLETE : 0);
    if (it->content != NULL)
        room_drop(shelf, it, &freed);
    pthread_mutex_unlock(&shelf->store->lock);
    room_unmap(freed);
}

static bool is_one_word(const uint64_t *content, uint32_t words)
{
    for (uint32_t i = 1; i < words; i++)
        if (content[i] != content[0])
            return false;
    return true;
}

/* The content in the form that takes least; `scratch` has room for a byte less than it has. */
static enum dame_status write_record(struct shelf *shelf, uint32_t number, void *scratch,
                                     struct work_place *place, char *detail)
{
    const struct kept *block = &shelf->blocks[number];
    const size_t size = kept_size(block);
    struct work_head head = {.block = number};
    const void *from = NULL;
    if (scratch == NULL) {
        head.form = WORK_FILL;
        head.check = size == 0 ? 0 : *(const uint64_t *)block->content;
    } else {
        const struct pack_form form = {size, (size_t)block->plane_words * 8, (size_t)block->row_words * 8};
        size_t packed = 0;
        struct codec_scratch *working = scratch_take(shelf->store);
        if (working == NULL)
            return no_memory(shelf, number, detail);
        shelf->store->codec->pack(block->content, form, working->bytes, scratch, size - 1, &packed);
        scratch_give(shelf->store, working);
        assert(packed < size);
        head.form = packed == 0 ? WORK_RAW : WORK_PACKED;
        head.packed = (uint32_t)(packed == 0 ? size : packed);
        from = packed == 0 ? block->content : scratch;
        head.check = hash_bytes(from, head.packed);
    }
    return work_file_append(shelf->own, &head, from, place, detail);
}

static enum dame_status write_block(struct shelf *shelf, uint32_t number, struct work_place *place,
                                    char *detail)
{
    const struct kept *block = &shelf->blocks[number];
    const size_t size = kept_size(block);
    uint8_t on_stack[STACK_SCRATCH];
    if (shelf->own == NULL)
        return fail(shelf, number, DAME_BAD_ARGUMENT, "no part was begun", detail);
    if (is_one_word(block->content, block->words))
        return write_record(shelf, number, NULL, place, detail);
    if (size <= sizeof on_stack)
        return write_record(shelf, number, on_stack, place, detail);
    void *scratch = room_scratch(shelf->store, size);
    if (scratch == NULL)
        return no_memory(shelf, number, detail);
    const enum dame_status status = write_record(shelf, number, scratch, place, detail);
    room_scratch_done(shelf->store, scratch, size);
    return status;
}

enum dame_status shelf_put(struct shelf *shelf, uint32_t block, char *detail)
{
    struct store *store = shelf->store;
    struct kept *it = block_at(shelf, block);
    struct work_place place = {0};
    struct span *freed = NULL;
    assert((kept_state(it) & KEPT_MAKING) != 0);
    assert(load_u64((const uint8_t *)it->content + kept_size(it)) == 0);
    const enum dame_status status = shelf->in_file ? write_block(shelf, block, &place, detail) : DAME_OK;
    if (status != DAME_OK)
        return status;
    pthread_mutex_lock(&store->lock);
    it->place = place;
    set_state(it, KEPT_MAKING, KEPT_RESIDENT | KEPT_COMPLETE | KEPT_USED);
    if (kept_state(it) & KEPT_ASIDE)
        room_rejoin(shelf, it, &freed);
    if (shelf->in_file) {
        store->facts.writes++;
        store->facts.written_bytes += WORK_HEAD_SIZE + place.packed;
    }
    pthread_mutex_unlock(&store->lock);
    room_unmap(freed);
    return DAME_OK;
}
