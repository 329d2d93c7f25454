/* A sample of the values of a slice against those after each move. Moves come from the per-position
   generator, which shares nothing with the rows that the values were computed by. */
#include <stdlib.h>

#include "base/hash.h"
#include "base/threads.h"
#include "build/solver_state.h"
#include "position/outcome.h"

enum { PART = 1024 }; /* positions that one thread looks at before it takes more */

struct sampling {
    const struct solver *solver;
    const struct planes *planes;
    uint64_t count, seed;
    atomic_uint_fast64_t wrong;
};

static struct outcome outcome_in(const struct planes *planes, const struct position *position)
{
    const struct side *columns = planes->columns, *rows = planes->rows;
    int squares = rows->board->squares;
    uint64_t other_men = bits_reverse(position->other_men, squares);
    uint64_t other_kings = bits_reverse(position->other_kings, squares);
    uint32_t row_class = side_class_of(rows, other_men),
             column_class = side_class_of(columns, position->own_men);
    const struct plane_rows row =
        planes_rows(planes, row_class, column_class, side_row(rows, row_class, other_men, other_kings));
    uint64_t column = side_row(columns, column_class, position->own_men, position->own_kings);
    const size_t word = (size_t)(column / 64);
    struct outcome out = {.plies = NO_PLIES};
    out.wdl = (int)(row.won[word] >> column % 64 & 1) - (int)(row.lost[word] >> column % 64 & 1);
    if (out.wdl != 0 && row.distance != NULL)
        out.plies = row.distance[column];
    return out;
}

static enum dame_status outcome_after(const struct solver *solver, const struct position *after,
                                      struct outcome *out)
{
    struct material m = {
        .own_men = (uint8_t)bit_count(after->own_men),
        .own_kings = (uint8_t)bit_count(after->own_kings),
        .other_men = (uint8_t)bit_count(after->other_men),
        .other_kings = (uint8_t)bit_count(after->other_kings),
    };
    *out = outcome_no_move(solver->kernel->rules);
    if (material_own(m) == 0)
        return DAME_OK;
    const struct planes *planes = solver_planes(solver, m);
    if (planes == NULL)
        return DAME_NO_TABLE;
    *out = outcome_in(planes, after);
    return DAME_OK;
}

static enum dame_status derive(const struct solver *solver, const struct position *position,
                               struct position_list *list, struct outcome *out)
{
    const struct outcome_rule rule = {solver->metric, solver->draw_rule};
    enum dame_status status = kernel_list_successors(solver->kernel, position, list);
    *out = outcome_no_move(solver->kernel->rules);
    for (int i = 0; i < list->count && status == DAME_OK; i++) {
        struct outcome next;
        const struct move_nature move = nature_between(solver->kernel->board, position, &list->positions[i]);
        status = outcome_after(solver, &list->positions[i], &next);
        next = outcome_of_move(rule, next, move);
        if (i == 0 || outcome_is_better(next, *out))
            *out = next;
    }
    if (!metric_has_plies(solver->metric))
        out->plies = NO_PLIES;
    return status;
}

/* The placement of a number; false if two pieces share a square. */
static bool place(const struct planes *planes, uint64_t number, struct position *out)
{
    const struct side *own = planes->columns, *other = planes->rows;
    int squares = own->board->squares;
    uint64_t a = hash_number(number), b = hash_number(a), c = hash_number(b), d = hash_number(c);
    *out = (struct position){
        .own_men = own->men_set[a % own->men_sets],
        .own_kings = own->king_set[b % own->king_sets],
        .other_men = bits_reverse(other->men_set[c % other->men_sets], squares),
        .other_kings = bits_reverse(other->king_set[d % other->king_sets], squares),
    };
    uint64_t all = out->own_men | out->own_kings | out->other_men | out->other_kings;
    return bit_count(all) == own->men + own->kings + other->men + other->kings;
}

static enum dame_status sample_part(void *context, uint64_t item, int worker)
{
    struct sampling *sampling = context;
    (void)worker;
    struct position_list *list = malloc(sizeof *list);
    if (list == NULL)
        return DAME_NO_MEMORY;
    enum dame_status status = DAME_OK;
    uint64_t end = (item + 1) * PART < sampling->count ? (item + 1) * PART : sampling->count;
    for (uint64_t i = item * PART; i < end && status == DAME_OK; i++) {
        struct position position;
        struct outcome derived;
        uint64_t number = hash_number(sampling->seed) + i;
        while (!place(sampling->planes, number, &position))
            number = hash_number(number);
        status = derive(sampling->solver, &position, list, &derived);
        if (status == DAME_OK && !outcome_equal(derived, outcome_in(sampling->planes, &position)))
            atomic_fetch_add(&sampling->wrong, 1);
    }
    free(list);
    return status;
}

enum dame_status solver_sample(const struct solver *solver, struct material material, uint64_t count,
                               uint64_t seed, int threads, const atomic_bool *cancel,
                               struct sample_report *out)
{
    struct sampling sampling = {
        .solver = solver, .planes = solver_planes(solver, material), .count = count, .seed = seed};
    if (sampling.planes == NULL)
        return DAME_NO_TABLE;
    enum dame_status status = threads_run(threads, (count + PART - 1) / PART, sample_part, &sampling, cancel);
    for (size_t i = 0; i < SLICE_PLACES; i++)
        if (solver->slices[i] != NULL)
            memory_release(&solver->slices[i]->memory);
    *out = (struct sample_report){.positions = count, .wrong = atomic_load(&sampling.wrong)};
    return status;
}
