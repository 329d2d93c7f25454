#include "build/reads.h"

#include <stdlib.h>

#include "boards/steps.h"

/* Numbers of classes, each once. */
struct class_list {
    uint32_t *classes;
    uint32_t count, capacity;
    uint8_t *seen; /* a bit for each class of the side */
};

static enum dame_status class_list_create(const struct side *side, struct class_list *out)
{
    *out = (struct class_list){.seen = calloc(side->class_count / 8 + 1, 1)};
    return out->seen == NULL ? DAME_NO_MEMORY : DAME_OK;
}

static void class_list_destroy(struct class_list *list)
{
    free(list->classes);
    free(list->seen);
}

static enum dame_status add_class(struct class_list *list, uint32_t class)
{
    if ((list->seen[class / 8] >> class % 8 & 1) != 0)
        return DAME_OK;
    if (list->count == list->capacity) {
        const uint32_t capacity = list->capacity == 0 ? 64 : 2 * list->capacity;
        uint32_t *classes = realloc(list->classes, capacity * sizeof *classes);
        if (classes == NULL)
            return DAME_NO_MEMORY;
        list->classes = classes;
        list->capacity = capacity;
    }
    list->seen[class / 8] |= (uint8_t)(1 << class % 8);
    list->classes[list->count++] = class;
    return DAME_OK;
}

void read_list_destroy(struct read_list *list)
{
    free(list->blocks);
    *list = (struct read_list){0};
}

enum dame_status read_list_add(struct read_list *list, const struct planes *planes, uint32_t block)
{
    if (list->count == list->capacity) {
        const size_t capacity = list->capacity == 0 ? 256 : 2 * list->capacity;
        struct block_name *blocks = realloc(list->blocks, capacity * sizeof *blocks);
        if (blocks == NULL)
            return DAME_NO_MEMORY;
        list->blocks = blocks;
        list->capacity = capacity;
    }
    list->blocks[list->count++] = (struct block_name){planes, block};
    return DAME_OK;
}

static enum dame_status add_blocks(const struct planes *planes, const struct class_list *rows,
                                   const struct class_list *columns, struct read_list *out)
{
    for (uint32_t r = 0; r < rows->count; r++)
        for (uint32_t c = 0; c < columns->count; c++) {
            const uint32_t block = planes_block(planes, rows->classes[r], columns->classes[c]);
            const enum dame_status status = read_list_add(out, planes, block);
            if (status != DAME_OK)
                return status;
        }
    return DAME_OK;
}

static int board_row(const struct side *side, int square)
{
    return square / side->board->columns;
}

/* The squares that a man may reach by one jump more, whatever stands on the board. */
static uint64_t squares_after_jump(const struct steps *steps, uint64_t from, bool backwards)
{
    uint64_t landings = 0;
    for (; from != 0; from &= from - 1)
        for (int direction = 0; direction < (backwards ? DIRECTIONS : DIRECTIONS_DOWN); direction++) {
            const int over = steps->next[bit_lowest(from)][direction];
            const int landing = over < 0 ? -1 : steps->next[over][direction];
            if (landing >= 0)
                landings |= bit_at(landing);
        }
    return landings;
}

/* Where the man on `from` may stand after a quiet move (`jumps` is 0) or a capture of so many pieces. */
static uint64_t squares_after(const struct mover *mover, int from, int jumps, bool backwards)
{
    uint64_t squares = bit_at(from);
    if (jumps == 0) {
        squares = 0;
        for (int direction = 0; direction < DIRECTIONS_DOWN; direction++)
            if (mover->steps->next[from][direction] >= 0)
                squares |= bit_at(mover->steps->next[from][direction]);
    }
    for (int jump = 0; jump < jumps; jump++)
        squares = squares_after_jump(mover->steps, squares, backwards);
    return squares;
}

/* The classes of the mover after a man has moved and is a man still. */
static enum dame_status add_classes_of_man(const struct mover *mover, int jumps, bool backwards,
                                           struct class_list *out)
{
    const struct side *side = mover->own;
    if (side->partition == PARTITION_WHOLE)
        return jumps == 0 ? DAME_OK : add_class(out, mover->own_class); /* quiet moves stay inside */
    const uint64_t crown_row = ~bits_below(side->board->men_squares);
    enum dame_status status = DAME_OK;
    if (side->partition == PARTITION_GROUPED) {
        /* Classes follow each other by their advance, one row more for a step, two for a jump. */
        const int least = jumps == 0 ? 1 : backwards ? -2 * jumps : 2 * jumps;
        const int most = jumps == 0 ? 1 : 2 * jumps;
        for (int change = least; change <= most && status == DAME_OK; change++) {
            const int64_t class = (int64_t)mover->own_class + change;
            if (class >= 0 && class < side->class_count)
                status = add_class(out, (uint32_t)class);
        }
        return status;
    }
    const uint64_t set = side->men_set[side->class_start[mover->own_class]];
    for (uint64_t men = set; men != 0; men &= men - 1) {
        const int from = bit_lowest(men);
        const uint64_t rest = set & ~bit_at(from);
        uint64_t to = squares_after(mover, from, jumps, backwards) & ~rest & ~crown_row;
        for (; to != 0 && status == DAME_OK; to &= to - 1)
            status = add_class(out, side_class_of(side, rest | (to & -to)));
    }
    return status;
}

/* The classes of the mover after a man has become a king; `after` is its side then. */
static enum dame_status add_classes_crowned(const struct mover *mover, int jumps, const struct side *after,
                                            struct class_list *out)
{
    const struct side *side = mover->own;
    const int last = board_row(side, side->board->men_squares);
    enum dame_status status = DAME_OK;
    for (uint32_t i = side->class_start[mover->own_class];
         i < side->class_start[mover->own_class + 1] && status == DAME_OK; i++)
        for (uint64_t men = side->men_set[i]; men != 0 && status == DAME_OK; men &= men - 1) {
            const int from = bit_lowest(men), rows = last - board_row(side, from);
            if (jumps == 0 ? rows == 1 : rows % 2 == 0 && rows <= 2 * jumps)
                status = add_class(out, side_class_of(after, side->men_set[i] & ~bit_at(from)));
        }
    return status;
}

static enum dame_status add_row_classes(const struct mover *mover, int crowned, int jumps, bool backwards,
                                        const struct side *after, struct class_list *out)
{
    if (crowned != 0)
        return add_classes_crowned(mover, jumps, after, out);
    enum dame_status status = DAME_OK;
    if (jumps > 0 && mover->own->kings > 0)
        status = add_class(out, mover->own_class);
    return status == DAME_OK ? add_classes_of_man(mover, jumps, backwards, out) : status;
}

/* The classes of what is left of one set of men without so many of them. */
static enum dame_status add_subsets(const struct side *after, uint64_t set, uint64_t choice, int remove,
                                    struct class_list *out)
{
    if (remove == 0)
        return add_class(out, side_class_of(after, set));
    enum dame_status status = DAME_OK;
    for (uint64_t men = choice; men != 0 && status == DAME_OK; men &= men - 1)
        status = add_subsets(after, set & ~(men & -men), men & (men - 1), remove - 1, out);
    return status;
}

/* The classes of the other side without so many men. */
static enum dame_status add_column_classes(const struct mover *mover, int men, const struct side *after,
                                           struct class_list *out)
{
    const struct side *side = mover->other;
    if (after == side)
        return add_class(out, mover->other_class);
    if (after->partition == PARTITION_WHOLE)
        return add_class(out, 0);
    if (side->partition == PARTITION_SINGLE) {
        const uint64_t set = side->men_set[side->class_start[mover->other_class]];
        return add_subsets(after, set, set, men, out);
    }
    /* Both are grouped: each man that is gone takes the rows that it had advanced with it. */
    const int advance = side->advance[mover->other_class], most = side->board->rows - 2;
    enum dame_status status = DAME_OK;
    for (int rows = 0; rows <= men * most && status == DAME_OK; rows++) {
        const int64_t class = (int64_t)advance - rows - after->advance[0];
        if (class >= 0 && class < after->class_count)
            status = add_class(out, (uint32_t)class);
    }
    return status;
}

static enum dame_status add_reads(const struct mover *mover, bool backwards, int crowned, int men, int kings,
                                  struct read_list *out)
{
    const struct planes *planes = mover->after[crowned][men][kings];
    struct class_list rows = {0}, columns = {0};
    enum dame_status status = class_list_create(planes->rows, &rows);
    if (status == DAME_OK)
        status = class_list_create(planes->columns, &columns);
    if (status == DAME_OK)
        status = add_row_classes(mover, crowned, men + kings, backwards, planes->rows, &rows);
    if (status == DAME_OK)
        status = add_column_classes(mover, men, planes->columns, &columns);
    if (status == DAME_OK)
        status = add_blocks(planes, &rows, &columns, out);
    class_list_destroy(&rows);
    class_list_destroy(&columns);
    return status;
}

enum dame_status reads_find(const struct mover *mover, bool backwards, unsigned reads, struct read_list *out)
{
    enum dame_status status = DAME_OK;
    for (int crowned = 0; crowned < 2; crowned++)
        for (int men = 0; men <= mover->other->men; men++)
            for (int kings = 0; kings <= mover->other->kings && status == DAME_OK; kings++) {
                const unsigned needed = men + kings == 0 ? READS_QUIET : READS_CAPTURES;
                const struct planes *planes = mover->after[crowned][men][kings];
                if ((reads & needed) != 0 && planes != NULL && planes->values.may_leave)
                    status = add_reads(mover, backwards, crowned, men, kings, out);
            }
    return status;
}
