/* A sample of the values of a slice against those after each move. Moves come from the per-position
   generator, which shares nothing with the rows that the values were computed by. */
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/threads.h"
#include "build/solver_state.h"
#include "position/outcome.h"

/* Positions that are drawn from the same classes: what their moves lead to stands in few blocks then, which
   are held meanwhile. */
enum { PART = 128 };

struct sampling {
    struct solver *solver;
    struct open_pair pair; /* the slice is side 0 of it */
    struct mover mover;
    const struct planes *planes;
    uint64_t count, seed;
    atomic_uint_fast64_t wrong;
};

/* No two of so many pieces share a square. */
static bool position_is_placed(const struct position *p, int pieces)
{
    return bit_count(p->own_men | p->own_kings | p->other_men | p->other_kings) == pieces;
}

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
    const int squares = own->board->squares;
    const uint64_t a = hash_number(number), b = hash_number(a), c = hash_number(b), d = hash_number(c);
    *out = (struct position){
        .own_men = own->men_set[a % own->men_sets],
        .own_kings = own->king_set[b % own->king_sets],
        .other_men = bits_reverse(other->men_set[c % other->men_sets], squares),
        .other_kings = bits_reverse(other->king_set[d % other->king_sets], squares),
    };
    return position_is_placed(out, material_pieces(planes->material));
}

/* A placement of the same classes as `near`. Few of them may be possible, so `near` itself is one of the
   answers. */
static struct position place_near(const struct planes *planes, const struct position *near, uint64_t number)
{
    enum { TRIES = 16 };
    const struct side *own = planes->columns, *other = planes->rows;
    const int squares = own->board->squares;
    const uint32_t own_class = side_class_of(own, near->own_men);
    const uint32_t other_class = side_class_of(other, bits_reverse(near->other_men, squares));
    for (int i = 0; i < TRIES; i++) {
        number = hash_number(number);
        const uint64_t row = hash_number(number) % side_width(other, other_class);
        const uint64_t column = hash_number(row ^ number) % side_width(own, own_class);
        const struct position found = {
            .own_men = own->men_set[own->class_start[own_class] + column / own->king_sets],
            .own_kings = own->king_set[column % own->king_sets],
            .other_men = bits_reverse(
                other->men_set[other->class_start[other_class] + row / other->king_sets], squares),
            .other_kings = bits_reverse(other->king_set[row % other->king_sets], squares),
        };
        if (position_is_placed(&found, material_pieces(planes->material)))
            return found;
    }
    return *near;
}

/* Hold all blocks that the moves of positions in the classes of `position` lead to. */
static enum dame_status hold_part(const struct sampling *sampling, const struct position *position,
                                  struct hold *hold)
{
    const struct planes *planes = sampling->planes, *mirror = sampling->pair.results[1];
    struct mover mover = sampling->mover;
    mover.own_class = side_class_of(planes->columns, position->own_men);
    mover.other_class =
        side_class_of(planes->rows, bits_reverse(position->other_men, planes->rows->board->squares));
    mover.other_men = planes->rows->men_set[planes->rows->class_start[mover.other_class]];
    enum dame_status status =
        reads_find(&mover, sampling->solver->kernel->rules->moves->men_capture_backwards,
                   READS_QUIET | READS_CAPTURES, &hold->list);
    if (status == DAME_OK && planes->values.may_leave)
        status = read_list_add(&hold->list, planes, planes_block(planes, mover.other_class, mover.own_class));
    if (status == DAME_OK && mirror->values.may_leave)
        status = read_list_add(&hold->list, mirror, planes_block(mirror, mover.own_class, mover.other_class));
    return status == DAME_OK ? hold_pin(hold) : status;
}

static enum dame_status sample_near(struct sampling *sampling, const struct position *first, uint64_t from,
                                    uint64_t end, struct position_list *list)
{
    enum dame_status status = DAME_OK;
    for (uint64_t i = from; i < end && status == DAME_OK; i++) {
        struct outcome derived;
        const struct position position =
            i == from ? *first : place_near(sampling->planes, first, hash_number(sampling->seed) + i);
        status = derive(sampling->solver, &position, list, &derived);
        if (status == DAME_OK && !outcome_equal(derived, outcome_in(sampling->planes, &position)))
            atomic_fetch_add(&sampling->wrong, 1);
    }
    return status;
}

static enum dame_status sample_part(void *context, uint64_t item, int worker)
{
    struct sampling *sampling = context;
    const uint64_t from = item * PART;
    const uint64_t end = from + PART < sampling->count ? from + PART : sampling->count;
    struct position first;
    struct hold hold = {0};
    (void)worker;
    struct position_list *list = malloc(sizeof *list);
    if (list == NULL)
        return DAME_NO_MEMORY;
    uint64_t number = hash_number(sampling->seed) + from;
    while (!place(sampling->planes, number, &first))
        number = hash_number(number);
    enum dame_status status = hold_part(sampling, &first, &hold);
    if (status == DAME_OK)
        status = sample_near(sampling, &first, from, end, list);
    hold_release(&hold);
    free(list);
    return status;
}

enum dame_status solver_sample(struct solver *solver, struct material material, uint64_t count, uint64_t seed,
                               int threads, const atomic_bool *cancel, struct sample_report *out)
{
    struct sampling sampling = {.solver = solver, .count = count, .seed = seed};
    enum dame_status status = pair_of_finished(solver, material, &sampling.pair);
    if (status == DAME_OK)
        status = pair_link(solver, &sampling.pair, 0, PAIR_SOLVE, &sampling.mover);
    if (status != DAME_OK)
        return status;
    sampling.planes = sampling.pair.results[0];
    status = threads_run(threads, (count + PART - 1) / PART, sample_part, &sampling, cancel);
    *out = (struct sample_report){.positions = count, .wrong = atomic_load(&sampling.wrong)};
    return status;
}
