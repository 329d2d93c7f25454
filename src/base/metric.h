/* Metrics: what a table says of a position. Each has a page of facts, which whoever solves, stores or
   probes asks, so a metric is added by adding its page. docs/metrics.md says what they mean. */
#ifndef DAME_BASE_METRIC_H
#define DAME_BASE_METRIC_H

#include <stdbool.h>

#include "base/draw_rule.h"

/* The number stands in the header of a table. */
enum metric { METRIC_WDL, METRIC_DTW, METRIC_DTZ, METRIC_DTC, METRICS };

/* How a table holds a value; the number stands in the header. */
enum coding {
    CODING_VALUES, /* win, draw and loss, 2 bits each */
    CODING_HALVES, /* a byte, half the plies rounded up: wins have odd distances, losses even ones or vice
                      versa */
    CODING_PLIES,  /* a byte, the plies */
    CODINGS
};

/* What ends a phase, apart from the end of the game. */
enum phase_end {
    PHASE_GAME,    /* nothing else */
    PHASE_ZEROING, /* a zeroing move: a capture, or a move of a man */
    PHASE_CAPTURE, /* a capture */
    PHASE_ENDS
};

struct metric_page {
    const char *name; /* how names of its files end */
    const char *about;
    enum coding coding;
    enum phase_end phase;
    unsigned draw_counters; /* under which a table may be exact: a bit for each */
    int estimate;           /* positions that a byte of a file holds, by experience (docs/benchmarks.md) */
};

static const struct metric_page METRIC_PAGES[METRICS] = {
    [METRIC_WDL] = {.name = "wdl",
                    .about = "win, draw, loss",
                    .coding = CODING_VALUES,
                    .draw_counters = ~0U,
                    .estimate = 145},
    [METRIC_DTW] = {.name = "dtw",
                    .about = "end of the game",
                    .coding = CODING_HALVES,
                    .phase = PHASE_GAME,
                    .estimate = 4},
    [METRIC_DTZ] = {.name = "dtz",
                    .about = "next capture or man move",
                    .coding = CODING_PLIES,
                    .phase = PHASE_ZEROING,
                    .draw_counters = 1U << DRAW_PLIES,
                    .estimate = 30},
    [METRIC_DTC] = {.name = "dtc",
                    .about = "next capture",
                    .coding = CODING_PLIES,
                    .phase = PHASE_CAPTURE,
                    .draw_counters = 1U << DRAW_CAPTURES,
                    .estimate = 4},
};

static inline const struct metric_page *metric_page(enum metric metric)
{
    return &METRIC_PAGES[metric];
}

/* Whether it counts plies. Such a table can only be read together with that of win, draw and loss. */
static inline bool metric_has_plies(enum metric metric)
{
    return METRIC_PAGES[metric].coding != CODING_VALUES;
}

/* Whether a move ends the phase, so that the position before it has a distance of 1. */
static inline bool metric_ends_phase(enum metric metric, struct move_nature move)
{
    const enum phase_end phase = METRIC_PAGES[metric].phase;
    return phase != PHASE_GAME && (move.capture || (phase == PHASE_ZEROING && move.man_move));
}

/* Whether there can be tables of the metric that are exact under the rule. */
static inline bool metric_allows(enum metric metric, struct draw_rule rule)
{
    return rule.plies == 0 || (METRIC_PAGES[metric].draw_counters >> rule.counter & 1) != 0;
}

/* The metric that tells win, draw and loss under a rule for every clock: plies to the move that sets the
   counter to 0. Without a rule win, draw and loss have a table of their own: METRIC_WDL. */
static inline enum metric metric_of_rule(struct draw_rule rule)
{
    enum metric metric = METRICS - 1;
    while (metric > METRIC_WDL && (rule.plies == 0 || !metric_allows(metric, rule)))
        metric--;
    return metric;
}

/* Plies to and from the byte of a table. `odd`: whether distances of such a result are odd, which
   CODING_HALVES alone needs. */
static inline int coding_to_byte(enum coding coding, int plies)
{
    return coding == CODING_HALVES ? (plies + 1) / 2 : plies;
}
static inline int coding_from_byte(enum coding coding, int byte, bool odd)
{
    return coding == CODING_HALVES ? 2 * byte - odd : byte;
}

#endif
