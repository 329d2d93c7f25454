/* libdame: endgame tables of checkers for engines.

   The tables are files, made by `dame-fast build` or shipped with the Python package dame-fast. A handle
   holds the open tables of one rule set; it answers whether a position is won, drawn or lost, how many plies
   that takes, and where every move leads. Every legal position has an answer if its pieces are covered:
   captures are played out, either side may be to move, a side without pieces has lost (in giveaway won).

       #include <dame.h>
       #include <stdio.h>

       int main(void)
       {
           struct dame_tables *tables;
           struct dame_error error;
           struct dame_position position = {.black_kings = 1u << 27, .white_kings = 1u << 18 | 1u << 22,
                                            .side = DAME_WHITE};
           int wdl;
           if (dame_open("databases/english", "english", NULL, &tables, &error) != DAME_STATUS_OK ||
               dame_probe_wdl(tables, &position, 0, &wdl, &error) != DAME_STATUS_OK)
               return fprintf(stderr, "%s\n", error.text), 1;
           printf("%s\n", wdl > 0 ? "won" : wdl < 0 ? "lost" : "drawn");
           dame_close(tables);
       }

   Positions. Four bitboards and the side to move. Squares have their PDN numbers, 1 to 32 (1 to 50 on 10x10);
   the bit of a square is its number - 1. Black stands on the low numbers and moves towards the high ones,
   White the other way. Nothing is turned: the board is given as it lies, whoever is to move.

   Values. `wdl` is 1 (won), 0 (drawn) or -1 (lost), for the side to move. Plies are single moves of one side
   and have no sign: `wdl` tells whose they are; DAME_NO_PLIES for a draw.
     dtw   plies to the end of the game: the winner takes the shortest way, the loser the longest.
     dtz   the same to the next zeroing move (a capture or a move of a man), or to the end of the game.
     dtc   the same to the next capture, or to the end of the game.

   A distance of 0: the side to move has no piece or no move. Such a position needs no table.

   Draw rules. Tables assume play without counters, or they are exact for a draw after N plies without a
   zeroing move (draw_plies), or after N plies without a capture (draw_captures). All tables of a handle have
   the same rule (dame_draw_plies, dame_draw_captures). `clock` is the number of such plies that have been
   played, 0 to N; it is ignored where there is no rule. Values of a clock between 0 and N follow from the
   plies to what sets it to 0, so they need tables of dtz, or of dtc. With a clock of N the game is over:
   drawn, and without moves, unless the side to move has no piece or no move. Repetition never changes a
   value.

   Threads. Any number of threads may probe one handle, and read its facts. dame_add, dame_preload and
   dame_close need the handle for themselves. Nothing is global: handles know nothing of each other. A probe
   whose blocks are in the cache allocates nothing.

   Errors. What can fail returns a status; results are written only if it is DAME_STATUS_OK, unless it says
   otherwise. `error` receives the text of the failure for people ("" if there is none); it may always be
   NULL. Other pointers must not be NULL unless it says so. NO_TABLE says where it was looked for, and the
   command that makes the table. Nothing ends the process, and nothing is printed.
 */
#ifndef DAME_H
#define DAME_H

#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__)
#define DAME_API __attribute__((visibility("default")))
#else
#define DAME_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* The version of this header; dame_version() is that of the library, as "0.1.0". Until 1.0 a new minor
   version may change the interface, and the name of the shared library changes with it. */
#define DAME_VERSION_MAJOR 0
#define DAME_VERSION_MINOR 1
#define DAME_VERSION_PATCH 0
DAME_API const char *dame_version(void);

/* ---- Statuses and errors ---- */

typedef enum {
    DAME_STATUS_OK = 0,
    DAME_STATUS_NO_MEMORY,     /* an allocation failed */
    DAME_STATUS_BAD_ARGUMENT,  /* a number or a name outside its documented range */
    DAME_STATUS_BAD_POSITION,  /* a position that the rules do not allow */
    DAME_STATUS_TOO_LARGE,     /* something does not fit */
    DAME_STATUS_NO_TABLE,      /* a table that the answer depends on is not there; the text names it */
    DAME_STATUS_CORRUPT_TABLE, /* a file breaks its format or a checksum */
    DAME_STATUS_WRONG_VARIANT, /* a sound file, but of another rule set */
    DAME_STATUS_IO,            /* the system refused to open or read a file */
    DAME_STATUS_NOT_SUPPORTED, /* this library cannot do it     */
    DAME_STATUS_INTERNAL       /* a defect of this library */
} dame_status;

/* A short English text, never NULL, for any number. It is never freed. */
DAME_API const char *dame_status_text(dame_status status);

enum { DAME_ERROR_SIZE = 512 };

/* What failed and where, one line: "damaged table: tables/KKvM.wdl: block table checksum". It may be cut. */
struct dame_error {
    char text[DAME_ERROR_SIZE];
};

/* ---- Opening ---- */

struct dame_tables; /* the open tables of one rule set: a handle */

/* Set what you need, leave the rest 0. */
struct dame_options {
    uint64_t cache_bytes;   /* most bytes of decoded blocks to keep; 0: 64 MiB */
    int draw_plies;         /* the draw rule of the tables wanted: plies without a zeroing move, to 253, */
    int draw_captures;      /* or plies without a capture, to 253; both 0: those without a rule */
    int preload_pieces;     /* dame_preload for tables of so many pieces; 0: nothing is preloaded */
    uint64_t preload_bytes; /* and the memory for them; 0: as much as they need */
    int resolve;            /* and whether to resolve them; 0 or 1. Both need preload_pieces */
    int threads;            /* for preloading; 0: one */
};

/* Open all tables of a directory; dame_add adds those of others. `variant` is the name of a rule set of
   docs/rules.md, section 4, such as "english", "russian" or "italian_giveaway"; `options` may be NULL: all 0.
   `directory` may be NULL: a handle without tables, for dame_add. On success *out is a handle for dame_close.
   Tables are the files whose names end in .wdl, .dtw, .dtz or .dtc and do not start with a dot; those of
   another draw rule (KKvK.n40.wdl) are left alone.

   A handle uses a quarter of the file descriptors that the process may have (RLIMIT_NOFILE), at least 8 and
   at most 512, and one for each directory; tables beyond that are opened again when they are read. The
   directory may be moved meanwhile, and the working directory changed. A table that was replaced since it was
   opened gives CORRUPT_TABLE.

   Fails with BAD_ARGUMENT: no such rule set, a bad option, two different files of the same table. NO_TABLE:
   no table of that draw rule. CORRUPT_TABLE, WRONG_VARIANT, IO (errno says why), NO_MEMORY, NOT_SUPPORTED. */
DAME_API dame_status dame_open(const char *directory, const char *variant, const struct dame_options *options,
                               struct dame_tables **out, struct dame_error *error);

/* Add a directory as dame_open does, or one file of any name. Needs the handle for itself. A table that is
   there already is passed over if the files are one or hold the same bytes. If it fails, the tables before
   the one that failed have been added. With several directories, call dame_preload after the last one.

   Fails with BAD_ARGUMENT: a file of another draw rule, or a different file of a table that is there already;
   the text names both. Else the failures of dame_open. */
DAME_API dame_status dame_add(struct dame_tables *tables, const char *path, struct dame_error *error);

/* Read all tables of at most `max_pieces` pieces into memory: 4 positions a byte, distances 1. They are never
   dropped and do not count as cache. Those for which `max_bytes` do not suffice, counted from the fewest
   pieces on, are left in their files; 0: none is. If `resolve` is not 0, what files leave out (captures
   pending, threats) is played out once and for all, so each probe becomes one look-up. Needs the handle for
   itself.

   Fails with BAD_ARGUMENT: less than one thread, less than 0 pieces. NO_TABLE: resolving needs tables that
   are not there; what is there can be probed as before. CORRUPT_TABLE, IO, NO_MEMORY. */
DAME_API dame_status dame_preload(struct dame_tables *tables, int max_pieces, uint64_t max_bytes, int resolve,
                                  int threads, struct dame_error *error);

/* Close the files and free everything. NULL is allowed. Needs the handle for itself. */
DAME_API void dame_close(struct dame_tables *tables);

/* ---- Probing ---- */

enum { DAME_BLACK = 0, DAME_WHITE = 1 };
enum { DAME_NO_PLIES = -1, DAME_NO_VALUE = -128 };

struct dame_position {
    uint64_t black_men, black_kings, white_men, white_kings; /* bit = square - 1 */
    int side;                                                /* to move: DAME_BLACK or DAME_WHITE */
};

/* The value of a position for the side to move. `clock`: see "Draw rules" above, usually 0.

   Fails with BAD_POSITION: pieces off the board or on one square, a man on its crown row, no
   piece at all, no such side. NO_TABLE. BAD_ARGUMENT: a clock out of range. CORRUPT_TABLE, IO, NO_MEMORY: a
   block could not be read. */
DAME_API dame_status dame_probe_wdl(const struct dame_tables *tables, const struct dame_position *position,
                                    int clock, int *wdl, struct dame_error *error);

/* Value and plies to the end of the game. Needs tables of win, draw and loss and of dtw; there are none for a
   draw rule. Failures as dame_probe_wdl. */
DAME_API dame_status dame_probe_dtw(const struct dame_tables *tables, const struct dame_position *position,
                                    int *wdl, int *plies, struct dame_error *error);

/* Value and plies to the next zeroing move. Needs tables of win, draw and loss and of dtz. Failures as
   dame_probe_wdl. */
DAME_API dame_status dame_probe_dtz(const struct dame_tables *tables, const struct dame_position *position,
                                    int clock, int *wdl, int *plies, struct dame_error *error);

/* Value and plies to the next capture. Needs tables of win, draw and loss and of dtc. Failures as
   dame_probe_wdl. */
DAME_API dame_status dame_probe_dtc(const struct dame_tables *tables, const struct dame_position *position,
                                    int clock, int *wdl, int *plies, struct dame_error *error);

/* The values of `count` positions with a clock of 0, on at most `threads` threads. wdl[i] is 1, 0 or -1, and
   statuses[i] DAME_STATUS_OK; or wdl[i] is DAME_NO_VALUE, and statuses[i] what dame_probe_wdl returns for
   this position. `statuses` may be NULL. Returns OK whatever the statuses; BAD_ARGUMENT for less than one
   thread. */
DAME_API dame_status dame_probe_many(const struct dame_tables *tables, const struct dame_position *positions,
                                     size_t count, int threads, int8_t *wdl, dame_status *statuses);

enum {
    DAME_MOVES_MAX = 512,   /* no position of these rule sets has more moves */
    DAME_PATH_MAX = 24,     /* squares of one move */
    DAME_MOVE_TEXT_MAX = 80 /* bytes of its text, with the zero */
};

/* A legal move and what it leads to. Value and plies are those of the side that makes it, counted from before
   the move: the best move of a position has the plies of the position, and a move that wins at once has 1. */
struct dame_move {
    struct dame_position after;  /* the position after it; the other side is to move */
    uint64_t captured;           /* squares of the captured pieces; 0 for a quiet move */
    uint8_t path[DAME_PATH_MAX]; /* squares (PDN numbers): origin, then where each jump or the step lands */
    uint8_t length;              /* squares in the path, 2 or more; the last one is where the move ends */
    uint8_t crowned;             /* 1 if a man becomes a king */
    uint8_t zeroing;             /* 1 for a capture or a move of a man */
    int8_t wdl;                  /* 1, 0, -1 for the side that moves, or DAME_NO_VALUE */
    int dtw, dtz, dtc;           /* DAME_NO_PLIES for a draw, and where no table tells */
    dame_status status;          /* OK if there is a value, else NO_TABLE */
};

/* All legal moves, best first: wins, the shortest before the others; draws, those before the others after
   which more replies lose; losses, the longest first; moves without a value last. Lengths are dtw, or dtz
   where not all moves of that value have a dtw, or else dtc; of wins of one length, or without lengths, those
   that end the game come first. What is equal keeps the order of the generator. Python's Tablebase.moves has
   the same.

   `moves` has room for `capacity` moves; DAME_MOVES_MAX are always enough. *count becomes their number, 0 if
   the game is over, which it is with a clock of N too.

   Fails with TOO_LARGE: they do not fit; *count says how many there are. NO_TABLE: some move has no value,
   the text names the first of them; moves and *count are written nevertheless, and what the others prove
   stands: a first move that wins is a win. Else the failures of dame_probe_wdl. */
DAME_API dame_status dame_probe_moves(const struct dame_tables *tables, const struct dame_position *position,
                                      int clock, struct dame_move *moves, size_t capacity, size_t *count,
                                      struct dame_error *error);

/* Write a move as PDN with all its squares, "19-15" or "4x27x38x15": at most DAME_MOVE_TEXT_MAX bytes.
   Returns `text`. */
DAME_API char *dame_move_text(const struct dame_move *move, char *text);

/* ---- What is open ---- */

enum { DAME_TABLE_NAME_MAX = 48 };

typedef enum { DAME_METRIC_WDL, DAME_METRIC_DTW, DAME_METRIC_DTZ, DAME_METRIC_DTC } dame_metric;

/* One table. The first pieces of its name are those of the side to move. */
struct dame_table {
    char name[DAME_TABLE_NAME_MAX]; /* "KKMvKM.wdl" */
    dame_metric metric;
    int pieces;
    uint64_t win, draw, loss;      /* positions */
    int longest_win, longest_loss; /* plies; DAME_NO_PLIES if there is none, or no distances */
    uint64_t file_bytes;
};

/* The number of tables, and the `index`-th of them, 0 <= index < count. BAD_ARGUMENT: another index. */
DAME_API int dame_count(const struct dame_tables *tables);
DAME_API dame_status dame_table_facts(const struct dame_tables *tables, int index, struct dame_table *out);

/* The rule set; the text lives as long as the library is loaded. */
DAME_API const char *dame_variant(const struct dame_tables *tables);

/* Most pieces of any table, 0 if there is none. A position of more pieces has no value but by captures. */
DAME_API int dame_largest(const struct dame_tables *tables);

/* The draw rule of the handle: so many plies without a zeroing move, or without a capture; 0: no such
   rule. */
DAME_API int dame_draw_plies(const struct dame_tables *tables);
DAME_API int dame_draw_captures(const struct dame_tables *tables);

/* What the cache of decoded blocks has done; exact if no other thread probes meanwhile. Preloaded tables do
   not use it. */
struct dame_statistics {
    uint64_t hits, misses;  /* values looked up */
    uint64_t decoded_bytes; /* of all misses */
    uint64_t decode_time;   /* nanoseconds that misses took to read and decode */
    uint64_t kept_bytes;    /* now */
};
DAME_API void dame_cache_statistics(const struct dame_tables *tables, struct dame_statistics *out);

/* Read every block of every file and check its checksum and its values; tables are shared among at most
   `threads` threads. OK if all are sound. CORRUPT_TABLE and IO: the text names a file. BAD_ARGUMENT: less
   than one thread. NO_MEMORY. */
DAME_API dame_status dame_verify(const struct dame_tables *tables, int threads, struct dame_error *error);

#ifdef __cplusplus
}
#endif

#endif
