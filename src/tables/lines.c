#include "tables/lines.h"

#include <stdlib.h>

#include "slices/binomial.h"

enum { STEP = 100, OTHER_PARITY = 100, FAR = 1 << 20, SQUARES_MAX = 2 * HALF_SQUARES_MAX };

/* What it takes to make one square of another: steps of a king, and a little for each row and column. */
struct distances {
    int of[SQUARES_MAX][SQUARES_MAX];
    int least; /* of two sets */
};

static int absolute(int number)
{
    return number < 0 ? -number : number;
}

static void fill_distances(const struct board *board, struct distances *out)
{
    out->least = FAR;
    for (int a = 0; a < board->squares; a++)
        for (int b = 0; b < board->squares; b++) {
            const int rows = absolute(a / board->columns - b / board->columns);
            const int columns = absolute(board_column(board, a) - board_column(board, b));
            out->of[a][b] = STEP * (rows > columns ? rows : columns) + rows + columns;
            const int alone = out->of[a][b] + (rows % 2 != 0 ? OTHER_PARITY : 0), both = 2 * out->of[a][b];
            const int least = alone < both ? alone : both;
            if (a != b && least < out->least)
                out->least = least;
        }
}

/* Whether two sets are equal or more than two pieces make the difference. */
static inline bool is_far(uint64_t a, uint64_t b)
{
    const uint64_t from = a & ~b, from_2 = from & (from - 1);
    return from == 0 || (from_2 & (from_2 - 1)) != 0;
}

/* The steps that make one set of another, if one piece or two move. */
static int set_distance(const struct distances *distances, uint64_t odd_rows, uint64_t a, uint64_t b)
{
    const uint64_t from = a & ~b, from_2 = from & (from - 1);
    const uint64_t to = b & ~a, to_2 = to & (to - 1);
    const int parity = bit_count((a ^ b) & odd_rows) % 2 != 0 ? OTHER_PARITY : 0;
    const int *first = distances->of[bit_lowest(from)];
    const int to_1 = bit_lowest(to);
    if (from_2 == 0)
        return parity + first[to_1];
    const int *second = distances->of[bit_lowest(from_2)];
    const int other = bit_lowest(to_2);
    const int straight = first[to_1] + second[other], crossed = first[other] + second[to_1];
    return parity + (straight < crossed ? straight : crossed);
}

/* The sets before number `at` that resemble it most, the nearest ones of equals. */
static void find_near(const struct distances *distances, uint64_t odd_rows, const uint64_t *sets,
                      const struct line *lines, uint32_t window, uint32_t at, uint16_t near[LINES_NEAR])
{
    int best[LINES_NEAR];
    for (int i = 0; i < LINES_NEAR; i++) {
        best[i] = FAR;
        near[i] = 0;
    }
    for (uint32_t back = 1; back <= at && back <= window; back++) {
        if (is_far(sets[at], sets[at - back]) || (lines != NULL && lines[at].half != lines[at - back].half))
            continue;
        const int distance = set_distance(distances, odd_rows, sets[at], sets[at - back]);
        if (distance >= best[LINES_NEAR - 1])
            continue;
        int place = LINES_NEAR - 1;
        for (; place > 0 && best[place - 1] > distance; place--) {
            best[place] = best[place - 1];
            near[place] = near[place - 1];
        }
        best[place] = distance;
        near[place] = (uint16_t)back;
        if (best[LINES_NEAR - 1] == distances->least)
            return;
    }
}

static uint64_t numbers_of(const struct set_order *order, uint64_t set)
{
    uint64_t numbers = 0;
    for (int i = 0; i < order->bytes; i++)
        numbers |= order->spread[i][set >> 8 * i & 0xFF];
    return numbers;
}

/* A pair of bits for each bit of 32, the low one of it. */
static uint64_t spread(uint64_t bits)
{
    return bits_deposit(bits, UINT64_C(0x5555555555555555));
}

/* The sets of one piece set in the order of their ranks, as their own side sees them. */
static uint64_t *list_sets(const struct set_order *order, int pieces, uint32_t count)
{
    uint64_t *sets = malloc(count * sizeof *sets);
    uint64_t set = bits_below(pieces);
    for (uint32_t i = 0; i < count && sets != NULL; i++) {
        uint8_t size;
        sets[ordering_rank(order, set, &size)] = set;
        if (i + 1 < count)
            set = subset_next(set);
    }
    return sets;
}

struct creation {
    const struct board *board;
    const struct ordering *ordering;
    struct material material;
    const struct index_shape *shape;
    enum piece_set piece_sets[PIECE_SETS]; /* the quickest first */
    struct distances distances;
};

/* A set that resembles another is of use in the same block only. */
static enum dame_status create_sets(const struct creation *creation, int place, uint64_t block_values,
                                    struct lines *lines)
{
    const enum piece_set piece_set = creation->piece_sets[place + 1], fastest = creation->piece_sets[0];
    const struct set_order *order = index_order(creation->ordering, piece_set);
    const struct set_order *counting = index_order(creation->ordering, fastest);
    const uint32_t count = (uint32_t)creation->shape->sets[piece_set];
    const int squares = creation->board->squares;
    const uint64_t reach = block_values / creation->shape->stride[piece_set];
    const uint32_t window = count == 1 ? 0 : reach < LINES_WINDOW ? (uint32_t)reach : LINES_WINDOW;
    uint64_t *sets = list_sets(order, index_pieces(creation->material, piece_set), count);
    struct line_set *out = malloc(count * sizeof *out);
    lines->sets[place] = out;
    lines->set_count[place] = count;
    if (sets == NULL || out == NULL) {
        free(sets);
        return DAME_NO_MEMORY;
    }
    for (uint32_t i = 0; i < count; i++) {
        const uint64_t turned = bits_reverse(sets[i], squares);
        out[i].squares = piece_set_is_other(piece_set) ? turned : sets[i];
        const uint64_t numbers = numbers_of(
            counting, piece_set_is_other(piece_set) == piece_set_is_other(fastest) ? sets[i] : turned);
        out[i].taken[0] = spread(numbers & UINT32_MAX);
        out[i].taken[1] = spread(numbers >> 32);
        find_near(&creation->distances, order->odd_rows, sets, NULL, window, i, out[i].near);
    }
    free(sets);
    return DAME_OK;
}

/* The squares of the numbers of a line, in their order. */
static int list_squares(const struct set_order *order, int squares, enum line_half half, int *out)
{
    int count = 0;
    for (int odd = half == HALF_ODD; odd <= (half != HALF_EVEN); odd++)
        for (int number = 0; number < (odd ? order->odd : order->even); number++)
            for (int square = 0; square < squares; square++)
                if (order->number[square] == number && (order->odd_rows >> square & 1) == (unsigned)odd)
                    out[count++] = square;
    return count;
}

/* The squares before a square of the same line that resemble it most. */
static void find_beside(const struct creation *creation, struct lines *lines)
{
    const enum piece_set piece_set = creation->piece_sets[0];
    const struct set_order *order = index_order(creation->ordering, piece_set);
    const int squares = piece_set_is_men(piece_set) ? creation->board->men_squares : creation->board->squares;
    for (int half = 0; half < LINE_HALVES; half++) {
        int list[2 * HALF_SQUARES_MAX];
        int count = list_squares(order, squares, (enum line_half)half, list);
        for (int i = 1; i < count && i < LINE_VALUES; i++) {
            int best[LINES_BESIDE] = {FAR, FAR};
            uint8_t *beside = lines->beside[half][i];
            for (int j = i - 1; j >= 0; j--) {
                const int distance =
                    set_distance(&creation->distances, order->odd_rows, bit_at(list[i]), bit_at(list[j]));
                if (distance < best[0]) {
                    best[1] = best[0];
                    beside[1] = beside[0];
                    best[0] = distance;
                    beside[0] = (uint8_t)j;
                } else if (distance < best[1]) {
                    best[1] = distance;
                    beside[1] = (uint8_t)j;
                }
            }
            if (best[1] == FAR)
                beside[1] = beside[0];
            lines->weights[half][i][beside[0]] += 243;
            lines->weights[half][i][beside[1]] += 729;
        }
    }
}

static enum dame_status create_lines(const struct creation *creation, struct lines *lines)
{
    const enum piece_set piece_set = creation->piece_sets[0];
    const struct set_order *order = index_order(creation->ordering, piece_set);
    const int pieces = index_pieces(creation->material, piece_set);
    uint64_t *sets = list_sets(order, pieces, lines->inner);
    uint64_t *shared = malloc(lines->inner * sizeof *shared);
    lines->lines = malloc(lines->inner * sizeof *lines->lines);
    if (sets == NULL || shared == NULL || lines->lines == NULL) {
        free(sets);
        free(shared);
        return DAME_NO_MEMORY;
    }
    const bool whole = pieces == 1 && lines->inner <= LINE_VALUES;
    for (uint32_t rank = 0; rank < lines->inner; rank++) {
        const uint64_t numbers = numbers_of(order, sets[rank]);
        const bool even = (numbers & UINT32_MAX) != 0;
        const uint64_t moving =
            numbers & (~numbers + 1); /* the lowest number: of even rows if there is one */
        if (whole ? rank != 0 : moving != bit_at(even ? 0 : 32)) {
            lines->lines[lines->line_count - 1].length++;
            continue;
        }
        uint64_t square = sets[rank];
        while (numbers_of(order, square & (~square + 1)) != moving)
            square &= square - 1;
        const uint64_t rest = sets[rank] & ~(square & (~square + 1));
        shared[lines->line_count] = rest;
        lines->lines[lines->line_count++] = (struct line){
            .squares = piece_set_is_other(piece_set) ? bits_reverse(rest, creation->board->squares) : rest,
            .first = rank,
            .length = 1,
            .half = whole  ? HALF_BOTH
                    : even ? HALF_EVEN
                           : HALF_ODD,
        };
    }
    for (uint32_t i = 0; i < lines->line_count; i++)
        find_near(&creation->distances, order->odd_rows, shared, lines->lines, LINES_WINDOW, i,
                  lines->lines[i].near);
    free(sets);
    free(shared);
    return DAME_OK;
}

enum dame_status lines_create(const struct board *board, const struct ordering *ordering, struct material m,
                              const struct index_shape *shape, uint64_t block_values, struct lines *out)
{
    struct creation creation = {.board = board, .ordering = ordering, .material = m, .shape = shape};
    index_by_speed(shape, creation.piece_sets);
    fill_distances(board, &creation.distances);
    for (int i = 0; i < PIECE_SETS; i++)
        if (shape->sets[i] > LINES_SETS_MAX)
            return DAME_TOO_LARGE;
    struct lines lines = {.inner = (uint32_t)shape->sets[creation.piece_sets[0]]};
    lines.even = index_order(ordering, creation.piece_sets[0])->even;
    enum dame_status status = create_lines(&creation, &lines);
    for (int place = 0; place < PIECE_SETS - 1 && status == DAME_OK; place++)
        status = create_sets(&creation, place, block_values, &lines);
    if (status != DAME_OK) {
        lines_destroy(&lines);
        return status;
    }
    find_beside(&creation, &lines);
    *out = lines;
    return DAME_OK;
}

void lines_destroy(struct lines *lines)
{
    free(lines->lines);
    for (int i = 0; i < PIECE_SETS - 1; i++)
        free(lines->sets[i]);
    *lines = (struct lines){0};
}

/* The most lines that `values` values in a row touch, less than all sets of the fastest piece set. */
static uint32_t lines_touched(const struct lines *lines, uint32_t values)
{
    uint32_t most = 0, end = 0;
    for (uint32_t begin = 0; begin < lines->line_count && values != 0; begin++) {
        const uint32_t last = lines->lines[begin].first + lines->lines[begin].length - 1;
        /* The worst window begins with the last value of a line. */
        const uint64_t reach = (uint64_t)last + values - 1;
        while ((end / lines->line_count) * (uint64_t)lines->inner +
                   lines->lines[end % lines->line_count].first <=
               reach)
            end++;
        most = end - begin > most ? end - begin : most;
    }
    return most;
}

uint64_t lines_rows(const struct lines *lines, uint64_t values)
{
    return values / lines->inner * lines->line_count +
           lines_touched(lines, (uint32_t)(values % lines->inner)) + 1;
}
