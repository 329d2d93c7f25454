#include "planes/side.h"

#include <assert.h>
#include <stdlib.h>

#include "planes/king_moves.h"
#include "planes/rows.h"

enum { GROUPED_KINGS = 1, WHOLE_MEN = 2 };

static enum side_partition partition_of(int men, int kings, bool whole)
{
    if (kings > GROUPED_KINGS)
        return PARTITION_SINGLE;
    return whole && kings == 0 && men <= WHOLE_MEN ? PARTITION_WHOLE : PARTITION_GROUPED;
}

static int advance_of(const struct board *board, uint64_t men)
{
    int advance = 0;
    for (; men != 0; men &= men - 1)
        advance += bit_lowest(men) / board->columns;
    return advance;
}

/* The place of each advance among the sets of men, and how many advances there are. */
static uint32_t place_groups(const struct side *side)
{
    uint32_t *start = side->group_start;
    uint64_t men = bits_below(side->men);
    for (uint32_t rank = 0; rank < side->men_sets; rank++) {
        start[advance_of(side->board, men) + 1]++;
        if (men != 0)
            men = subset_next(men);
    }
    uint32_t groups = 0;
    for (int advance = 0; advance < ADVANCE_MAX; advance++) {
        groups += start[advance + 1] != 0;
        start[advance + 1] += start[advance];
    }
    return groups;
}

static uint32_t lowest_advance(const struct side *side)
{
    uint32_t advance = 0;
    while (side->group_start[advance + 1] == 0)
        advance++;
    return advance;
}

/* All sets of men, sorted by class, and the way back from the colex rank. */
static enum dame_status sort_men(struct side *side)
{
    side->class_count = side->men_sets;
    if (side->partition != PARTITION_SINGLE) {
        side->group_start = calloc(ADVANCE_MAX + 1, sizeof *side->group_start);
        if (side->group_start == NULL)
            return DAME_NO_MEMORY;
        uint32_t groups = place_groups(side);
        side->class_count = side->partition == PARTITION_WHOLE ? 1 : groups;
    }
    side->class_start = calloc((size_t)side->class_count + 1, sizeof *side->class_start);
    side->advance = calloc(side->class_count, sizeof *side->advance);
    side->columns = calloc(side->class_count, sizeof *side->columns);
    if (side->class_start == NULL || side->advance == NULL || side->columns == NULL)
        return DAME_NO_MEMORY;

    uint32_t used[ADVANCE_MAX] = {0}; /* of each group */
    uint32_t lowest = side->partition == PARTITION_SINGLE ? 0 : lowest_advance(side);
    uint64_t men = bits_below(side->men);
    for (uint32_t rank = 0; rank < side->men_sets; rank++) {
        uint32_t advance = (uint32_t)advance_of(side->board, men);
        uint32_t class = 0, place = rank;
        if (side->partition == PARTITION_SINGLE)
            class = rank;
        else
            place = side->group_start[advance] + used[advance]++;
        if (side->partition == PARTITION_GROUPED)
            class = advance - lowest;
        side->men_set[place] = men;
        side->place[rank] = place;
        side->class_of[rank] = class;
        side->advance[class] = (uint16_t)(side->partition == PARTITION_WHOLE ? 0 : advance);
        if (place >= side->class_start[class + 1])
            side->class_start[class + 1] = place + 1;
        if (men != 0)
            men = subset_next(men);
    }
    return DAME_OK;
}

/* How many sets of `men` men have each total advance: one square after the other, with or without a man. */
static void count_advances(const struct board *board, int men, uint64_t counts[ADVANCE_MAX])
{
    uint64_t ways[PIECES_MAX + 1][ADVANCE_MAX] = {{0}};
    ways[0][0] = 1;
    for (int square = 0; square < board->men_squares; square++) {
        int row = square / board->columns;
        for (int n = men; n >= 1; n--)
            for (int advance = row; advance < ADVANCE_MAX; advance++)
                ways[n][advance] += ways[n - 1][advance - row];
    }
    for (int advance = 0; advance < ADVANCE_MAX; advance++)
        counts[advance] = ways[men][advance];
}

enum dame_status side_shape(const struct board *board, int men, int kings, bool whole, struct side_shape *out)
{
    if (men < 0 || kings < 0 || men + kings > PIECES_MAX)
        return DAME_TOO_LARGE;
    uint64_t king_sets = binomial(board->squares, kings), men_sets = binomial(board->men_squares, men);
    struct side_shape shape = {.men = men, .kings = kings, .classes = men_sets, .widest = king_sets};
    bool fits = !__builtin_mul_overflow(men_sets, king_sets, &shape.arrangements) &&
                !__builtin_mul_overflow(men_sets, (king_sets + 63) / 64, &shape.column_words);
    if (partition_of(men, kings, whole) == PARTITION_WHOLE) {
        shape.classes = 1;
        shape.widest = shape.arrangements;
        shape.column_words = (shape.arrangements + 63) / 64;
    } else if (partition_of(men, kings, whole) == PARTITION_GROUPED) {
        uint64_t counts[ADVANCE_MAX];
        count_advances(board, men, counts);
        shape.classes = shape.widest = shape.column_words = 0;
        for (int advance = 0; advance < ADVANCE_MAX; advance++) {
            uint64_t width = counts[advance] * king_sets; /* at most the arrangements, which fit */
            shape.classes += width != 0;
            shape.widest = width > shape.widest ? width : shape.widest;
            shape.column_words += (width + 63) / 64;
        }
    }
    const uint64_t squares = (uint64_t)board->squares;
    uint64_t masks = partition_of(men, kings, whole) == PARTITION_SINGLE
                         ? (king_sets + 63) / 64 * (2 + 2 * squares + men_sets)
                         : shape.column_words * (1 + 3 * squares);
    shape.bytes = sizeof(uint64_t) * (masks + men_sets + king_sets) + 2 * sizeof(uint32_t) * men_sets +
                  (sizeof(struct columns) + sizeof(uint32_t) + sizeof(uint16_t)) * shape.classes;
    if (!fits)
        return DAME_TOO_LARGE;
    *out = shape;
    return DAME_OK;
}

void side_advances(const struct board *board, int men, int kings, bool whole, struct side_advances *out)
{
    const uint64_t king_sets = binomial(board->squares, kings);
    const enum side_partition partition = partition_of(men, kings, whole);
    uint64_t counts[ADVANCE_MAX] = {0};
    if (partition == PARTITION_WHOLE)
        counts[0] = binomial(board->men_squares, men);
    else
        count_advances(board, men, counts);
    for (int advance = 0; advance < ADVANCE_MAX; advance++) {
        out->classes[advance] = partition == PARTITION_SINGLE ? counts[advance] : counts[advance] != 0;
        out->arrangements[advance] = counts[advance] * king_sets;
    }
}

static void set_range(uint64_t *row, uint64_t from, uint64_t count)
{
    for (; count != 0; from++, count--)
        row[from / 64] |= bit_at((int)(from % 64));
}

/* Rows for a class that may hold several sets of men: each of them covers a run of king_sets columns. */
static uint64_t *fill_grouped(const struct side *side, uint32_t class, uint64_t *memory)
{
    struct columns *columns = &side->columns[class];
    size_t words = row_words(columns->width);
    uint64_t *empty[SIDE_SQUARES];
    uint64_t *sound = memory;
    columns->sound = sound;
    set_range(sound, 0, columns->width);
    memory += words;
    for (int square = 0; square < side->board->squares; square++) {
        uint64_t *man = memory, *king = memory + words;
        empty[square] = memory + 2 * words;
        memory += 3 * words;
        columns->man[square] = man;
        columns->king[square] = king;
        columns->empty[square] = empty[square];
        uint64_t from = 0;
        for (uint32_t place = side->class_start[class]; place < side->class_start[class + 1]; place++) {
            uint64_t men = side->men_set[place];
            if (men >> square & 1)
                set_range(man, from, side->king_sets);
            for (uint32_t k = 0; k < side->king_sets; k++)
                if (side->king_set[k] >> square & 1)
                    set_range(king, from + k, 1);
            columns->maybe_men |= men;
            columns->all_men &= men;
            from += side->king_sets;
        }
        assert(from == columns->width);
        set_range(empty[square], 0, columns->width);
        for (size_t i = 0; i < words; i++) {
            empty[square][i] &= ~(man[i] | king[i]);
            sound[i] &= ~(man[i] & king[i]);
        }
    }
    return memory;
}

/* Rows shared by all classes of one set of men: nothing, everything, and the kings. */
static void fill_single(const struct side *side)
{
    size_t words = row_words(side->king_sets);
    uint64_t *none = side->masks, *all = none + words, *kings = all + words;
    uint64_t *sound = kings + (size_t)side->board->squares * 2 * words;
    set_range(all, 0, side->king_sets);
    for (uint32_t class = 0; class < side->class_count; class++, sound += words) {
        for (uint32_t k = 0; k < side->king_sets; k++)
            if ((side->king_set[k] & side->men_set[class]) == 0)
                set_range(sound, k, 1);
        side->columns[class].sound = sound;
    }
    for (int square = 0; square < side->board->squares; square++) {
        uint64_t *king = kings + (size_t)square * 2 * words, *empty = king + words;
        for (uint32_t k = 0; k < side->king_sets; k++)
            set_range(side->king_set[k] >> square & 1 ? king : empty, k, 1);
        for (uint32_t class = 0; class < side->class_count; class++) {
            struct columns *columns = &side->columns[class];
            bool man = side->men_set[class] >> square & 1;
            columns->man[square] = man ? all : none;
            columns->king[square] = king;
            columns->empty[square] = man ? none : empty;
            columns->maybe_men = columns->all_men = side->men_set[class];
        }
    }
}

static enum dame_status fill_columns(struct side *side)
{
    const size_t squares = (size_t)side->board->squares;
    size_t words = 0;
    if (side->partition == PARTITION_SINGLE)
        words = row_words(side->king_sets) * (2 + 2 * squares + side->men_sets);
    for (uint32_t class = 0; class < side->class_count; class++) {
        side->columns[class].width = side_width(side, class);
        side->columns[class].all_men = UINT64_MAX;
        if (side->partition != PARTITION_SINGLE)
            words += row_words(side->columns[class].width) * (1 + 3 * squares);
    }
    side->masks = calloc(words, sizeof *side->masks);
    if (side->masks == NULL)
        return DAME_NO_MEMORY;
    if (side->partition == PARTITION_SINGLE) {
        fill_single(side);
        return DAME_OK;
    }
    uint64_t *memory = side->masks;
    for (uint32_t class = 0; class < side->class_count; class++)
        memory = fill_grouped(side, class, memory);
    return DAME_OK;
}

enum dame_status side_create(const struct board *board, int men, int kings, bool whole, struct side **out)
{
    /* Ranks of king sets are kept beside a square in 32 bits (king_moves.h). */
    if (men + kings > PIECES_MAX || binomial(board->squares, kings) > UINT32_MAX >> KING_MOVE_SHIFT)
        return DAME_TOO_LARGE;
    struct side *side = calloc(1, sizeof *side);
    if (side == NULL)
        return DAME_NO_MEMORY;
    side->board = board;
    side->men = men;
    side->kings = kings;
    side->partition = partition_of(men, kings, whole);
    side->men_sets = (uint32_t)binomial(board->men_squares, men);
    side->king_sets = (uint32_t)binomial(board->squares, kings);
    side->men_set = calloc(side->men_sets, sizeof *side->men_set);
    side->place = calloc(side->men_sets, sizeof *side->place);
    side->class_of = calloc(side->men_sets, sizeof *side->class_of);
    side->king_set = calloc(side->king_sets, sizeof *side->king_set);
    enum dame_status status = DAME_NO_MEMORY;
    if (side->men_set != NULL && side->place != NULL && side->class_of != NULL && side->king_set != NULL) {
        uint64_t set = bits_below(kings);
        for (uint32_t rank = 0; rank < side->king_sets; rank++) {
            side->king_set[rank] = set;
            if (set != 0)
                set = subset_next(set);
        }
        status = sort_men(side);
        if (status == DAME_OK)
            status = fill_columns(side);
    }
    if (status != DAME_OK) {
        side_destroy(side);
        return status;
    }
    *out = side;
    return DAME_OK;
}

void side_destroy(struct side *side)
{
    if (side == NULL)
        return;
    free(side->men_set);
    free(side->class_start);
    free(side->advance);
    free(side->group_start);
    free(side->place);
    free(side->class_of);
    free(side->king_set);
    free(side->columns);
    free(side->masks);
    free(side);
}
