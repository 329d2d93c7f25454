#include "probe/moves.h"

#include "position/outcome.h"
#include "probe/distance.h"
#include "probe/library_private.h"

/* Whether distances in a metric are asked for. Those that a draw rule depends on are, even without any table:
   some positions need none. */
static bool has_distances(const struct library *library, enum metric metric)
{
    return library_has(library, metric) ||
           (metric == metric_of_rule(library_draw_rule(library)) && metric_has_plies(metric));
}

/* Plies of a move to a position that is won (`theirs` 1) or lost (-1) for the side that moves there. */
static enum dame_status plies_of_move(const struct library *library, enum metric metric,
                                      const struct position *after, int theirs, struct move_nature move,
                                      int *plies, struct fault *fault)
{
    enum dame_status status = DAME_OK;
    int left = 0;
    if (!metric_ends_phase(metric, move))
        status = library_plies(library, metric, after, theirs, &left, fault);
    if (status == DAME_OK)
        *plies = left + 1;
    return status;
}

/* The value of a move by the tables. DAME_NO_TABLE: it is unknown. */
static enum dame_status look_up(const struct library *library, const struct position *after,
                                struct move_nature move, struct move_value *value, struct fault *fault)
{
    const struct draw_rule rule = library_draw_rule(library);
    int theirs;
    enum dame_status status = library_check(library, METRIC_WDL, after, fault);
    if (status == DAME_OK)
        status = library_value(library, after, &theirs, fault);
    if (status != DAME_OK)
        return status;
    for (enum metric metric = 0; metric < METRICS && theirs != 0; metric++) {
        if (!metric_has_plies(metric) || !has_distances(library, metric))
            continue;
        status = plies_of_move(library, metric, after, theirs, move, &value->plies[metric], fault);
        const bool decides = metric == metric_of_rule(rule);
        if (status != DAME_OK && (status != DAME_NO_TABLE || decides))
            return status;
        if (decides && value->clock + value->plies[metric] - 1 > rule.plies)
            theirs = 0;
    }
    for (int metric = 0; metric < METRICS && theirs == 0; metric++)
        value->plies[metric] = NO_PLIES;
    value->wdl = -theirs;
    return DAME_OK;
}

/* The game is over after the move: no table is needed. */
static void take_end(const struct library *library, struct outcome end, struct move_value *value)
{
    value->wdl = -end.wdl;
    value->ends = true;
    for (enum metric metric = 0; metric < METRICS && end.wdl != 0; metric++)
        if (metric_has_plies(metric) && has_distances(library, metric))
            value->plies[metric] = end.plies + 1;
}

static enum dame_status count_traps(const struct library *library, const struct position *after,
                                    const struct position_list *replies, struct move_value *value,
                                    struct fault *fault)
{
    const struct draw_rule rule = library_draw_rule(library);
    for (int i = 0; i < replies->count; i++) {
        const struct position *reply = &replies->positions[i];
        const struct move_nature move = nature_between(library->kernel->board, after, reply);
        int wdl;
        const enum dame_status status =
            probe_wdl_clock(library, reply, draw_rule_clock_after(rule, value->clock, move), &wdl,
                            &fault->missing, fault->detail);
        if (status == DAME_OK)
            value->traps += wdl > 0;
        else if (status != DAME_NO_TABLE)
            return status;
    }
    return DAME_OK;
}

/* In a frame of its own: the list is large. */
static enum dame_status judge(const struct library *library, const struct position *after,
                              struct move_nature move, struct move_value *value, struct fault *fault)
{
    struct position_list replies;
    struct outcome end;
    enum dame_status status = kernel_list_successors(library->kernel, after, &replies);
    if (status != DAME_OK)
        return status;
    if (outcome_at_end(library->kernel->rules->misere, replies.count != 0, library_draw_rule(library),
                       value->clock, &end)) {
        take_end(library, end, value);
        return DAME_OK;
    }
    status = look_up(library, after, move, value, fault);
    return status == DAME_OK && value->wdl == 0 ? count_traps(library, after, &replies, value, fault)
                                                : status;
}

static struct move_value unknown_value(int clock)
{
    struct move_value value = {.wdl = MOVE_UNKNOWN, .clock = clock};
    for (int metric = 0; metric < METRICS; metric++)
        value.plies[metric] = NO_PLIES;
    return value;
}

static enum dame_status find_moves(const struct library *library, const struct position *position, int clock,
                                   struct move_list *moves, char *detail)
{
    struct outcome end;
    enum dame_status status = position_check(library->kernel->board, position, detail);
    if (status == DAME_OK)
        status = library_check_clock(library, clock, detail);
    if (status == DAME_OK)
        status = library->kernel->moves(position, moves);
    if (status == DAME_OK && outcome_at_end(library->kernel->rules->misere, moves->count != 0,
                                            library_draw_rule(library), clock, &end))
        moves->count = 0;
    return status;
}

enum dame_status moves_probe(const struct library *library, const struct position *position, int clock,
                             struct move_list *moves, struct move_value *values, char *detail)
{
    const struct draw_rule rule = library_draw_rule(library);
    enum dame_status status = find_moves(library, position, clock, moves, detail);
    for (int i = 0; status == DAME_OK && i < moves->count; i++) {
        const struct move *move = &moves->moves[i];
        const struct position after = position_after(position, move, library->kernel->board->squares);
        const struct move_nature nature = move_nature(move);
        const int then = draw_rule_clock_after(rule, clock, nature);
        struct fault fault;
        fault_clear(&fault);
        values[i] = unknown_value(then);
        status = judge(library, &after, nature, &values[i], &fault);
        if (status == DAME_NO_TABLE) {
            values[i] = unknown_value(then);
            values[i].missing = fault.missing;
            status = DAME_OK;
        } else if (status != DAME_OK) {
            fault_report(&fault, NULL, detail);
        }
    }
    return status;
}

/* What moves are compared by; smaller is better. */
struct key {
    int group;  /* wins, draws, losses, the unknown */
    int length; /* of wins and losses; of draws the traps */
    bool late;  /* not a win that ends the game */
};

static bool is_better(struct key a, struct key b)
{
    if (a.group != b.group)
        return a.group < b.group;
    if (a.length != b.length)
        return a.length < b.length;
    return a.late < b.late;
}

/* The metric by which wins (or losses) are compared; METRIC_WDL, which has no plies, if there is none. */
static enum metric metric_of_all(const struct move_value *values, int count, int wdl)
{
    for (enum metric metric = METRIC_WDL + 1; metric < METRICS; metric++) {
        bool all = true;
        for (int i = 0; i < count && all; i++)
            all = values[i].wdl != wdl || values[i].plies[metric] != NO_PLIES;
        if (all)
            return metric;
    }
    return METRIC_WDL;
}

void moves_order(const struct move_value *values, int count, int *order)
{
    const enum metric of_wins = metric_of_all(values, count, 1);
    const enum metric of_losses = metric_of_all(values, count, -1);
    struct key keys[MOVES_MAX]; /* in the new order */
    assert(count <= MOVES_MAX);
    for (int i = 0; i < count; i++) {
        const struct move_value *value = &values[i];
        struct key key = {.group = 2, .late = true};
        if (value->wdl != MOVE_UNKNOWN)
            key.group = -value->wdl;
        if (value->wdl == 1)
            key = (struct key){-1, value->plies[of_wins], !value->ends};
        else if (value->wdl == 0)
            key.length = -value->traps;
        else if (value->wdl == -1)
            key.length = -value->plies[of_losses];
        int at = i;
        for (; at > 0 && is_better(key, keys[at - 1]); at--) { /* keeps the order of what is equal */
            keys[at] = keys[at - 1];
            order[at] = order[at - 1];
        }
        keys[at] = key;
        order[at] = i;
    }
}
