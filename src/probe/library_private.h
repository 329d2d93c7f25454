/* What only the files of src/probe see of a library. */
#ifndef DAME_PROBE_LIBRARY_PRIVATE_H
#define DAME_PROBE_LIBRARY_PRIVATE_H

#include <stdbool.h>
#include <string.h>

#include "base/bits.h"
#include "base/memory.h"
#include "position/outcome.h"
#include "probe/library.h"
#include "probe/summary.h"
#include "slices/index.h"
#include "slices/small_sets.h"
#include "tables/values.h"

enum { SLOTS_MAX = UINT16_MAX - 1 };

struct slot {
    struct table_header header;
    struct index_shape shape;
    struct table *table;   /* NULL: from memory */
    struct cached *cached; /* its blocks in the cache; NULL as `table` */
    uint8_t *packed;       /* all values, decoded, NULL: not preloaded */
    uint8_t *summary;      /* of win, draw and loss in `packed` (summary.h) */
    bool is_owned;         /* `packed` has memory of its own, not a part of an arena */
    bool resolved;         /* `packed` holds true values for positions with captures too */
};

/* What the direct way to a value (direct.h) reads of a slot: one cache line. */
struct direct {
    _Alignas(64) uint64_t stride[PIECE_SETS]; /* as Black sees it: `own` are Black's pieces */
    const uint8_t *packed, *summary;
    const struct cached *cached;
    uint32_t slot; /* index + 1, 0: no table */
    uint8_t pieces;
    bool resolved; /* `packed` holds true values for positions with captures too */
};
_Static_assert(sizeof(struct direct) == 64, "a cache line");

/* Memory of the tables that one call has preloaded. */
struct arena {
    struct arena *next;
    struct memory memory;
};

struct library {
    const struct kernel *kernel;
    struct ordering *ordering;
    struct codec codec;
    struct files *files;
    struct cache *cache;
    struct arena *arenas;
    struct slot *slots;
    int count, capacity;
    int largest;
    bool has[METRICS];             /* whether there is a table of this metric */
    struct small_sets *small_sets; /* NULL on larger boards */
    const struct direct_way *direct_way;
    /* direct_way->resolved as soon as there is such a table, else direct_way->value. */
    bool (*probe_direct)(const struct library *library, const void *black_pieces, const void *white_pieces,
                         unsigned white, int *wdl);
    struct direct direct[SMALL_MATERIALS][2]; /* by material as Black sees it, and whether White is to move */
    /* By metric, own men, own kings, other men, other kings: index + 1 of the slot, 0: no table. */
    uint16_t slot_of[METRICS][PIECES_MAX + 1][PIECES_MAX + 1][PIECES_MAX + 1][PIECES_MAX + 1];
};

/* Why a value could not be found. */
struct fault {
    struct missing_table missing;
    char detail[DETAIL_MAX];
};

/* Only what makes it empty is written, and in place: a probe has little else to do. */
static inline void fault_clear(struct fault *fault)
{
    fault->missing = (struct missing_table){0};
    fault->detail[0] = '\0';
}

/* What slot->packed needs: whole cache lines of values, then their summary if there is one. */
uint64_t slot_packed_bytes(const struct slot *slot);

/* Takes memory for that over, with the values in it, after which up to SUMMARY_LINE_BYTES - 1 bytes are
   zeroed. Again, whenever the values have changed. */
void slot_set_packed(struct slot *slot, uint8_t *packed);

/* The text of a failed table_read gets the file in front: "tables/KKvM.wdl: block 12: checksum"; the slice if
   the table is from memory. */
void fault_name_table(struct fault *fault, const struct slot *slot);

/* Copy to where a caller wants it. */
static inline void fault_report(const struct fault *fault, struct missing_table *missing, char *detail)
{
    if (missing != NULL)
        *missing = fault->missing;
    if (detail != NULL)
        memcpy(detail, fault->detail, DETAIL_MAX);
}

/* The first failing thread of a parallel run leaves its fault here. */
struct first_fault {
    atomic_flag taken;
    struct fault fault;
};

static inline struct first_fault first_fault_none(void)
{
    return (struct first_fault){.taken = ATOMIC_FLAG_INIT};
}

static inline void first_fault_offer(struct first_fault *first, const struct fault *fault)
{
    if (!atomic_flag_test_and_set(&first->taken))
        first->fault = *fault;
}

/* Where the value of a position stands. */
struct place {
    struct material material;
    const struct slot *slot; /* NULL: no table */
    uint64_t index;
};

/* Both sides have pieces, at most PIECES_MAX together. */
static inline struct place library_place(const struct library *library, enum metric metric,
                                         const struct position *position)
{
    struct place place;
    uint64_t ranks[PIECE_SETS];
    const struct material m = place.material =
        index_ranks(library->kernel->board->squares, library->ordering, position->own_men,
                    position->own_kings, position->other_men, position->other_kings, ranks);
    const int slot = library->slot_of[metric][m.own_men][m.own_kings][m.other_men][m.other_kings];
    place.slot = slot == 0 ? NULL : &library->slots[slot - 1];
    place.index = place.slot == NULL ? 0 : index_of_ranks(&place.slot->shape, ranks);
    return place;
}

/* Under a draw rule a value depends on the counter, which one ply more advances: tables hold all threats. */
static inline bool library_answers_threats(const struct library *library)
{
    return library_draw_rule(library).plies == 0;
}

/* DAME_NO_TABLE, and which. */
static inline enum dame_status fault_missing(struct fault *fault, struct material material,
                                             enum metric metric)
{
    fault->missing = (struct missing_table){material, metric};
    return DAME_NO_TABLE;
}

/* What the table says at `index`, still coded, a don't-care included. */
enum dame_status library_stored(const struct slot *slot, uint64_t index, int *value, struct fault *fault);

/* The value at a place; DAME_NO_TABLE if there is no slot. */
enum dame_status library_value_at(struct place place, int *wdl, struct fault *fault);

/* The value of a legal position of at most PIECES_MAX pieces. DAME_NO_TABLE and what library_stored says. */
enum dame_status library_value(const struct library *library, const struct position *position, int *wdl,
                               struct fault *fault);

/* What a side that has no move gets; giveaway turns it round. */
static inline int library_no_move(const struct library *library)
{
    return library->kernel->rules->misere ? 1 : -1;
}

/* The distance in a metric that counts plies of a legal position of at most PIECES_MAX pieces that is
   won or lost: its value is `wdl`. DAME_NO_TABLE, DAME_CORRUPT_TABLE if the tables contradict each other, and
   what library_stored says. */
enum dame_status library_plies(const struct library *library, enum metric metric,
                               const struct position *position, int wdl, int *plies, struct fault *fault);

/* DAME_BAD_ARGUMENT: no counter of a game under the rule of the tables. */
enum dame_status library_check_clock(const struct library *library, int clock, char *detail);

/* position_check, and whether it has too many pieces for any table: DAME_NO_TABLE of `metric` then. */
enum dame_status library_check(const struct library *library, enum metric metric,
                               const struct position *position, struct fault *fault);

/* For a position that no table covers: its outcome if the game is over there, which needs none, and
   DAME_NO_TABLE if it goes on. */
enum dame_status library_end(const struct library *library, const struct position *position,
                             struct outcome *out);

/* The value for the side that had the moves to so many positions, from the values after them. A win is found
   even if other moves lead to missing tables. */
enum dame_status library_best(const struct library *library, const struct position *after, int count,
                              int *wdl, struct fault *fault);

/* The positions after the moves of one position. Captures are followed by captures, as many as there are
   pieces, so each call has only room for the usual number of positions on its stack. */
enum { FEW_POSITIONS = 64 };

#endif
