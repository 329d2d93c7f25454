# The C library for engines (libdame) for Cython: the declarations of dame.h, which documents them.
#
#     from dame_fast.dame cimport dame_open, dame_probe_wdl
#
# The header comes with this package (`dame_fast.get_include()`), the library does not: docs/c_library.md tells how to
# build it.

from libc.stdint cimport int8_t, uint8_t, uint64_t


cdef extern from "dame.h" nogil:
    int DAME_VERSION_MAJOR, DAME_VERSION_MINOR, DAME_VERSION_PATCH
    const char *dame_version()

    ctypedef enum dame_status:
        DAME_STATUS_OK
        DAME_STATUS_NO_MEMORY
        DAME_STATUS_BAD_ARGUMENT
        DAME_STATUS_BAD_POSITION
        DAME_STATUS_TOO_LARGE
        DAME_STATUS_NO_TABLE
        DAME_STATUS_CORRUPT_TABLE
        DAME_STATUS_WRONG_VARIANT
        DAME_STATUS_IO
        DAME_STATUS_NOT_SUPPORTED
        DAME_STATUS_INTERNAL
    const char *dame_status_text(dame_status status)

    enum:
        DAME_ERROR_SIZE
        DAME_BLACK
        DAME_WHITE
        DAME_NO_PLIES
        DAME_NO_VALUE
        DAME_MOVES_MAX
        DAME_PATH_MAX
        DAME_MOVE_TEXT_MAX
        DAME_TABLE_NAME_MAX

    struct dame_error:
        char text[DAME_ERROR_SIZE]

    struct dame_tables:
        pass
    struct dame_options:
        uint64_t cache_bytes
        int draw_plies
        int draw_captures
        int preload_pieces
        uint64_t preload_bytes
        int resolve
        int threads
    dame_status dame_open(const char *directory, const char *variant, const dame_options *options, dame_tables **out,
                          dame_error *error)
    dame_status dame_add(dame_tables *tables, const char *path, dame_error *error)
    dame_status dame_preload(dame_tables *tables, int max_pieces, uint64_t max_bytes, int resolve, int threads,
                             dame_error *error)
    void dame_close(dame_tables *tables)

    struct dame_position:
        uint64_t black_men, black_kings, white_men, white_kings
        int side
    dame_status dame_probe_wdl(const dame_tables *tables, const dame_position *position, int clock, int *wdl,
                               dame_error *error)
    dame_status dame_probe_dtw(const dame_tables *tables, const dame_position *position, int *wdl, int *plies,
                               dame_error *error)
    dame_status dame_probe_dtz(const dame_tables *tables, const dame_position *position, int clock, int *wdl, int *plies,
                               dame_error *error)
    dame_status dame_probe_dtc(const dame_tables *tables, const dame_position *position, int clock, int *wdl, int *plies,
                               dame_error *error)
    dame_status dame_probe_many(const dame_tables *tables, const dame_position *positions, size_t count, int threads,
                                int8_t *wdl, dame_status *statuses)

    struct dame_move:
        dame_position after
        uint64_t captured
        uint8_t path[DAME_PATH_MAX]
        uint8_t length, crowned, zeroing
        int8_t wdl
        int dtw, dtz, dtc
        dame_status status
    dame_status dame_probe_moves(const dame_tables *tables, const dame_position *position, int clock, dame_move *moves,
                                 size_t capacity, size_t *count, dame_error *error)
    char *dame_move_text(const dame_move *move, char *text)

    ctypedef enum dame_metric:
        DAME_METRIC_WDL
        DAME_METRIC_DTW
        DAME_METRIC_DTZ
        DAME_METRIC_DTC
    struct dame_table:
        char name[DAME_TABLE_NAME_MAX]
        dame_metric metric
        int pieces
        uint64_t win, draw, loss
        int longest_win, longest_loss
        uint64_t file_bytes
    int dame_count(const dame_tables *tables)
    dame_status dame_table_facts(const dame_tables *tables, int index, dame_table *out)
    const char *dame_variant(const dame_tables *tables)
    int dame_largest(const dame_tables *tables)
    int dame_draw_plies(const dame_tables *tables)
    int dame_draw_captures(const dame_tables *tables)

    struct dame_statistics:
        uint64_t hits, misses, decoded_bytes, decode_time, kept_bytes
    void dame_cache_statistics(const dame_tables *tables, dame_statistics *out)
    dame_status dame_verify(const dame_tables *tables, int threads, dame_error *error)
