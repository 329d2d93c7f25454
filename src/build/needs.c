/* What memory a slice pair takes, found before anything is made. */
#include "build/solver_state.h"

static enum dame_status shape_of(const struct kernel *kernel, enum metric metric, int men, int kings,
                                 struct side_shape *out)
{
    return side_shape(kernel->board, men, kings, sides_are_whole(metric), out);
}

static uint64_t at_most(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* Bytes of the largest block of two sides. */
static uint64_t block_bytes(const struct side_shape *rows, const struct side_shape *columns,
                            enum metric metric)
{
    return rows->widest * row_words(columns->widest) *
           (2 * sizeof(uint64_t) + (metric_has_plies(metric) ? 64 : 0));
}

static uint64_t at_least(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* Classes of the mover after a move that takes so many pieces, at most; `after` is its side then. Groups of
   sets of men, by their advance, are as many as there are advances; others as many as places for a man. Men
   that capture forward alone advance two rows with each jump. A king leaves the class as it is. */
static uint64_t classes_of_mover(const struct side_shape *after, const struct kernel *kernel,
                                 struct material m, int crowned, int jumps)
{
    enum { LANDINGS = 9 };           /* of a man after any number of jumps in all directions */
    if (crowned && m.own_kings == 1) /* from wide classes to one for each set of men */
        return after->classes;
    const bool backwards = kernel->rules->moves->men_capture_backwards;
    const uint64_t landings = jumps > 0 && backwards ? LANDINGS : (uint64_t)jumps + 2;
    const uint64_t advances = crowned                  ? 4 * (uint64_t)jumps + 1
                              : jumps > 0 && backwards ? 4 * (uint64_t)jumps + 2
                                                       : 2;
    return at_most(after->classes, at_least(1 + (uint64_t)m.own_men * landings, advances));
}

/* Classes of the other side when it has lost so many men, at most: one for each choice of them, or, where
   classes are groups, one for each advance that they may have had. */
static uint64_t classes_of_other(const struct side_shape *after, const struct board *board, int of, int men)
{
    const uint64_t advances = (uint64_t)men * (uint64_t)(board->rows - 2) + 1;
    return at_most(after->classes, at_least(binomial(of, men), advances));
}

/* What units of one mover read, at most, if so many threads work on one each: no more than there is. */
static enum dame_status mover_bytes(const struct kernel *kernel, struct material m, enum metric metric,
                                    uint64_t threads, uint64_t *bytes)
{
    enum dame_status status = DAME_OK;
    for (int crowned = 0; crowned <= (m.own_men > 0); crowned++)
        for (int men = 0; men <= m.other_men; men++)
            for (int kings = 0; kings <= m.other_kings && status == DAME_OK; kings++) {
                struct side_shape own, other;
                uint64_t all, some;
                if (m.other_men + m.other_kings == men + kings)
                    continue;
                status = shape_of(kernel, metric, m.own_men - crowned, m.own_kings + crowned, &own);
                if (status == DAME_OK)
                    status = shape_of(kernel, metric, m.other_men - men, m.other_kings - kings, &other);
                if (status == DAME_OK)
                    status = planes_bytes(&own, &other, metric_has_plies(metric), &all);
                if (status != DAME_OK)
                    return status;
                const uint64_t blocks = threads * classes_of_mover(&own, kernel, m, crowned, men + kings) *
                                        classes_of_other(&other, kernel->board, m.other_men, men);
                if (__builtin_mul_overflow(block_bytes(&own, &other, metric), blocks, &some) ||
                    __builtin_add_overflow(*bytes, at_most(some, all), bytes))
                    return DAME_TOO_LARGE;
            }
    return DAME_OK;
}

static enum dame_status pinned_bytes(const struct kernel *kernel, struct material m, enum metric metric,
                                     uint64_t threads, uint64_t *bytes)
{
    struct side_shape own, other;
    const bool own_mirror = material_equal(m, material_mirror(m));
    enum dame_status status = shape_of(kernel, metric, m.own_men, m.own_kings, &own);
    if (status == DAME_OK)
        status = shape_of(kernel, metric, m.other_men, m.other_kings, &other);
    if (status != DAME_OK)
        return status;
    /* The blocks that a unit writes, and one of them packed. */
    const uint64_t first = block_bytes(&own, &other, metric);
    const uint64_t second = own_mirror && own.classes == 1 ? 0 : block_bytes(&other, &own, metric);
    if (__builtin_mul_overflow(first + second + (first > second ? first : second), threads, bytes))
        return DAME_TOO_LARGE;
    /* In a slice that is its own mirror both movers read the same slices, but other blocks of them. */
    status = mover_bytes(kernel, m, metric, own_mirror ? 2 * threads : threads, bytes);
    return status == DAME_OK && !own_mirror ? mover_bytes(kernel, material_mirror(m), metric, threads, bytes)
                                            : status;
}

enum dame_status solver_planes_bytes(const struct kernel *kernel, struct material m, enum metric metric,
                                     uint64_t *of_slice, uint64_t *of_pair)
{
    struct side_shape own, other;
    uint64_t mirror = 0;
    const bool plies = metric_has_plies(metric);
    enum dame_status status = shape_of(kernel, metric, m.own_men, m.own_kings, &own);
    if (status == DAME_OK)
        status = shape_of(kernel, metric, m.other_men, m.other_kings, &other);
    if (status == DAME_OK)
        status = planes_bytes(&other, &own, plies, of_slice);
    if (status == DAME_OK && !material_equal(m, material_mirror(m)))
        status = planes_bytes(&own, &other, plies, &mirror);
    if (status != DAME_OK)
        return status;
    return __builtin_add_overflow(*of_slice, mirror, of_pair) ? DAME_TOO_LARGE : DAME_OK;
}

enum dame_status solver_needs(const struct kernel *kernel, struct material m, enum metric metric, int threads,
                              struct solver_needs *out)
{
    struct side_shape own, other;
    struct solver_needs needs = {0};
    uint64_t slice, words;
    enum dame_status status = solver_planes_bytes(kernel, m, metric, &slice, &needs.planes);
    if (status == DAME_OK)
        status = shape_of(kernel, metric, m.own_men, m.own_kings, &own);
    if (status == DAME_OK)
        status = shape_of(kernel, metric, m.other_men, m.other_kings, &other);
    if (status == DAME_OK)
        status = unit_memory_words(kernel->rows, &own, &other, metric, &words);
    if (status != DAME_OK)
        return status;
    /* One plane of bits more for one slice, where there are two of them, and with distances a byte for each
       bit. */
    needs.stored = at_least(slice, needs.planes - slice) / (metric_has_plies(metric) ? 10 : 2);
    /* No more threads than units; neither number of classes has 32 bits. */
    const uint64_t busy = at_most(own.classes * other.classes, (uint64_t)threads);
    if (__builtin_mul_overflow(words, busy * sizeof(uint64_t), &needs.scratch))
        return DAME_TOO_LARGE;
    status = pinned_bytes(kernel, m, metric, busy, &needs.pinned);
    *out = needs;
    return status;
}
