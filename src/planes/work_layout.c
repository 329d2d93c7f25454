#include "planes/work_layout.h"

#include <assert.h>
#include <string.h>

#include "base/bytes.h"
#include "base/hash.h"

static const uint8_t MAGIC[8] = {'D', 'A', 'M', 'E', 'W', 'O', 'R', 'K'};
static const uint32_t MARK = 0x4B434C42; /* "BLCK" */

struct header_bytes {
    uint8_t magic[8];
    uint8_t version[4];
    uint8_t blocks[4];
    uint8_t identity[8];
    uint8_t shape[8];
    uint8_t hash[8];
};
_Static_assert(sizeof(struct header_bytes) == WORK_HEADER_SIZE, "no room between the fields");

struct head_bytes {
    uint8_t mark[4];
    uint8_t block[4];
    uint8_t packed[4];
    uint8_t form[4];
    uint8_t check[8];
    uint8_t hash[8];
};
_Static_assert(sizeof(struct head_bytes) == WORK_HEAD_SIZE, "no room between the fields");

uint64_t work_shape(const uint64_t *sizes, uint32_t blocks)
{
    uint64_t hash = 0;
    for (uint32_t i = 0; i < blocks; i++)
        hash = hash_number(hash ^ sizes[i]);
    return hash;
}

void work_pack_header(const struct work_facts *facts, uint8_t *bytes)
{
    struct header_bytes header;
    memcpy(header.magic, MAGIC, sizeof MAGIC);
    store_u32(header.version, WORK_VERSION);
    store_u32(header.blocks, facts->blocks);
    store_u64(header.identity, facts->identity);
    store_u64(header.shape, facts->shape);
    store_u64(header.hash, hash_bytes(&header, offsetof(struct header_bytes, hash)));
    memcpy(bytes, &header, sizeof header);
}

enum dame_status work_check_header(const struct work_facts *facts, const uint8_t *bytes, const char **what)
{
    struct header_bytes header;
    memcpy(&header, bytes, sizeof header);
    enum dame_status status = DAME_WRONG_VARIANT;
    if (memcmp(header.magic, MAGIC, sizeof MAGIC) != 0) {
        *what = "not a work file";
        status = DAME_CORRUPT_TABLE;
    } else if (load_u64(header.hash) != hash_bytes(&header, offsetof(struct header_bytes, hash))) {
        *what = "checksum of the header";
        status = DAME_CORRUPT_TABLE;
    } else if (load_u32(header.version) != WORK_VERSION) {
        *what = "a work file of another version";
    } else if (load_u64(header.identity) != facts->identity) {
        *what = "a work file of something else";
    } else if (load_u32(header.blocks) != facts->blocks || load_u64(header.shape) != facts->shape) {
        *what = "a work file with other blocks";
    } else {
        status = DAME_OK;
    }
    return status;
}

/* The place is part of it: what is found elsewhere, for example inside the content of a record, is none. */
static uint64_t head_hash(const struct work_facts *facts, uint64_t at, const struct head_bytes *head)
{
    return hash_seeded(head, offsetof(struct head_bytes, hash), facts->identity ^ hash_number(at));
}

void work_pack_head(const struct work_facts *facts, uint64_t at, const struct work_head *head, uint8_t *bytes)
{
    assert(at % WORK_ALIGNMENT == 0 && head->block < facts->blocks);
    struct head_bytes packed;
    store_u32(packed.mark, MARK);
    store_u32(packed.block, head->block);
    store_u32(packed.packed, head->packed);
    store_u32(packed.form, head->form);
    store_u64(packed.check, head->check);
    store_u64(packed.hash, head_hash(facts, at, &packed));
    memcpy(bytes, &packed, sizeof packed);
}

bool work_unpack_head(const struct work_facts *facts, uint64_t at, const uint8_t *bytes,
                      struct work_head *head)
{
    struct head_bytes packed;
    memcpy(&packed, bytes, sizeof packed);
    const uint32_t form = load_u32(packed.form), block = load_u32(packed.block);
    if (load_u32(packed.mark) != MARK || form >= WORK_FORMS || block >= facts->blocks ||
        load_u64(packed.hash) != head_hash(facts, at, &packed))
        return false;
    *head = (struct work_head){block, load_u32(packed.packed), (enum work_form)form, load_u64(packed.check)};
    return true;
}

bool work_fits(const struct work_head *head, uint64_t size)
{
    switch (head->form) {
    case WORK_FILL:
    case WORK_END:
        return head->packed == 0;
    case WORK_RAW:
        return head->packed == size;
    case WORK_STRUCK:
        return head->packed <= size;
    default:
        return head->packed > 0 && head->packed < size;
    }
}
