# What _native.pyx uses of src/core.h, and of C's atomics. Names that Python's side uses as well have a c_ before them.

from libc.stdint cimport int8_t, uint8_t, uint16_t, uint32_t, uint64_t


cdef extern from "<stdatomic.h>" nogil:
    ctypedef bint atomic_bool
    ctypedef uint64_t atomic_uint_fast64_t
    ctypedef bint c_bool "bool"
    void store_flag "atomic_store" (atomic_bool *, bint)
    bint load_flag "atomic_load" (const atomic_bool *)
    void store_count "atomic_store" (atomic_uint_fast64_t *, uint64_t)
    uint64_t load_count "atomic_load" (const atomic_uint_fast64_t *)


cdef extern from "core.h" nogil:
    ctypedef enum dame_status "enum dame_status":
        DAME_OK, DAME_CANCELLED, DAME_NO_MEMORY, DAME_BAD_ARGUMENT, DAME_BAD_POSITION, DAME_TOO_LARGE
        DAME_NO_TABLE, DAME_CORRUPT_TABLE, DAME_WRONG_VARIANT, DAME_IO, DAME_INCONSISTENT, DAME_NOT_SUPPORTED
        DAME_OVERFLOW
        DAME_STATUS_COUNT
    const char *status_text(dame_status)

    ctypedef enum draw_counter "enum draw_counter":
        DRAW_COUNTER_COUNT "DRAW_COUNTERS"
    struct c_draw_rule "draw_rule":
        draw_counter counter
        int plies
    struct draw_counter_page:
        const char *name
        const char *option
        char letter
        const char *about
        bint man_moves_reset
    const draw_counter_page *DRAW_COUNTER_PAGES
    ctypedef enum c_metric "enum metric":
        METRIC_WDL, METRICS_COUNT "METRICS"
    ctypedef enum c_coding "enum coding":
        CODING_VALUES
    struct metric_page:
        const char *name
        const char *about
        c_coding coding
        unsigned draw_counters
        int estimate
    const metric_page *METRIC_PAGES
    bint metric_has_plies(c_metric)
    struct move_nature:
        bint capture, man_move
    const move_nature BY_CAPTURE, BY_MAN
    bint metric_ends_phase(c_metric, move_nature)
    ctypedef struct leaf_count:  # 128 bits, seen from here by its halves alone
        pass
    uint64_t count_high(leaf_count)
    uint64_t count_low(leaf_count)

    struct c_board "board":
        int squares, columns, rows, men_squares
        bint mirrored
    struct move_rules:
        bint men_capture_backwards, men_capture_kings, flying_kings, must_go_on, capture_optional
        int landing, removal, crowning, priority
    struct rules:
        const char *id
        const char *name
        const char *about
        const char *game_type
        int men_at_start
        bint white_begins
        int repetitions
        bint misere
        c_draw_rule draw_rule
        bint perft_by_moves
        const move_rules *moves
    struct c_position "position":
        uint64_t own_men, own_kings, other_men, other_kings
    c_position position_turned(c_position, int)
    c_position position_moved(c_position, uint64_t, uint64_t, uint64_t, bint)
    struct move:
        uint64_t captured
        uint8_t *path
        uint8_t length
        bint by_king, crowned
        uint32_t paths
    struct move_list:
        int count
        move *moves
    struct c_kernel "kernel":
        const rules *rules
        const c_board *board
        dame_status (*moves)(const c_position *, move_list *) noexcept nogil
        dame_status (*perft)(const c_position *, int, bint, uint64_t, const atomic_bool *,
                             leaf_count *) noexcept nogil
    const c_kernel *kernel_find(const char *)
    int kernel_count()
    const c_kernel *kernel_at(int)
    uint64_t bits_reverse(uint64_t, int)
    uint64_t bit_at(int)
    struct custom_list:
        move *moves
        int count, capacity
    dame_status custom_moves(const move_rules *, const c_board *, const c_position *, custom_list *)
    void custom_list_free(custom_list *)
    dame_status custom_perft(const move_rules *, const c_board *, const c_position *, int, bint, const atomic_bool *,
                             leaf_count *)

    struct c_stack "stack":
        uint32_t white, kings
        uint8_t height
    struct c_tower_piece "tower_piece":
        bint white, king
    void stack_put_under(c_stack *, c_tower_piece)
    int TOWER_SQUARES, TOWER_PIECES_MAX
    struct c_tower_position "tower_position":
        c_stack *stacks
        bint white_to_move
    struct tower_rules:
        rules rules
        bint jump_again
    struct tower_move:
        uint8_t *path
        uint8_t *jumped
        uint8_t jumps
        bint by_king, crowned
        uint32_t paths
    struct tower_move_list "tower_moves":
        int count
        tower_move *moves
    const c_board TOWER_BOARD
    const tower_rules *tower_rules_find(const char *)
    const tower_rules *tower_rules_at(int)
    dame_status find_tower_moves "tower_moves" (const tower_rules *, const c_tower_position *, tower_move_list *)
    dame_status c_tower_perft "tower_perft" (const tower_rules *, const c_tower_position *, int, bint,
                                             const atomic_bool *, leaf_count *)

    struct altdeutsch_move:
        uint64_t captured
        uint8_t *path
        uint8_t length
        bint by_king, crowned
        uint32_t paths
    struct altdeutsch_move_list "altdeutsch_moves":
        int count
        altdeutsch_move *moves
    const c_board ALTDEUTSCH_BOARD
    const rules *altdeutsch_rules_find(const char *)
    const rules *altdeutsch_rules_at(int)
    dame_status find_altdeutsch_moves "altdeutsch_moves" (const move_rules *, const c_position *,
                                                          altdeutsch_move_list *)
    void altdeutsch_moves_free(altdeutsch_move_list *)
    dame_status c_altdeutsch_perft "altdeutsch_perft" (const move_rules *, const c_position *, int, bint,
                                                       const atomic_bool *, leaf_count *)

    int MOVES_MAX, NO_PLIES
    struct outcome:
        int wdl, plies
    bint outcome_at_end(bint, bint, c_draw_rule, int, outcome *)

    int PIECES_MAX
    enum:
        MATERIAL_NAME_MAX
    struct c_material "material":
        uint8_t own_men, own_kings, other_men, other_kings
    void material_name(c_material, char *)
    dame_status material_parse(const char *, c_material *)
    int material_list(int, c_material *)
    dame_status material_positions(const c_board *, c_material, uint64_t *)
    struct index_shape:
        uint64_t size
    dame_status find_index_shape "index_shape" (const c_board *, c_material, int, index_shape *)

    ctypedef enum block_form "enum block_form":
        BLOCK_FILL, BLOCK_ZSTD, BLOCK_RAW, BLOCK_CODE
    int SOLVER_BLOCK_BYTES
    struct c_solver "solver":
        pass
    struct slice_counts:
        uint64_t win, draw, loss
        int longest_win, longest_loss
    struct sample_report:
        uint64_t positions, wrong
    struct solver_options:
        const char *work
        uint64_t work_least
        uint64_t budget
        c_bool in_parts
        c_metric metric
        c_draw_rule draw_rule
    dame_status solver_create(const c_kernel *, int, const solver_options *, c_solver **)
    void solver_destroy(c_solver *)
    dame_status solver_take_failure(c_solver *, char *)
    dame_status solver_find(c_solver *, c_material, c_bool *)
    dame_status solver_share(c_solver *, c_material)
    dame_status solver_add_part(c_solver *, c_material, const char *, uint64_t *)
    struct part_paths:
        const char *partial[2]
        const char *complete[2]
    dame_status solver_solve_units(c_solver *, c_material, uint64_t, uint64_t, const part_paths *, int,
                                   const atomic_bool *, atomic_uint_fast64_t *, uint64_t *)
    struct solver_level:
        uint64_t units, values
    int SOLVER_LEVELS_MAX
    dame_status solver_levels(const c_kernel *, c_material, c_metric, solver_level *, int *)
    void solver_traffic(const c_solver *, uint64_t *, uint64_t *)
    struct c_solver_needs "solver_needs":
        uint64_t planes, scratch, stored, pinned
    dame_status solver_needs(const c_kernel *, c_material, c_metric, int, c_solver_needs *)
    dame_status solver_solve(c_solver *, c_material, int, const atomic_bool *, atomic_uint_fast64_t *)
    dame_status solver_load_start(c_solver *, c_material)
    dame_status solver_load_values(c_solver *, c_material, int, uint64_t, uint64_t, const uint8_t *, int,
                                   const atomic_bool *)
    dame_status solver_load_distances(c_solver *, c_material, int, uint64_t, uint64_t, const uint8_t *, int,
                                      const atomic_bool *)
    dame_status solver_load_finish(c_solver *, const part_paths *, int, const atomic_bool *)
    void solver_load_stop(c_solver *)
    dame_status solver_encode_start(c_solver *, c_material, bint, int, const atomic_bool *)
    struct solver_coding:
        int nesting
        uint32_t block_bytes
        uint64_t blocks
        uint32_t together
        size_t model_size
        uint8_t *model
    struct compressor:
        dame_status (*size)(void *, const uint8_t *, size_t, size_t *) noexcept
        void *context
    dame_status solver_encode_fit(c_solver *, const compressor *, int, const atomic_bool *, solver_coding *)
    dame_status solver_encode_blocks(const c_solver *, uint64_t, uint32_t, uint8_t *, size_t *, block_form *)
    void solver_encode_stop(c_solver *)
    dame_status solver_sample(c_solver *, c_material, uint64_t, uint64_t, int, const atomic_bool *,
                              sample_report *)
    dame_status solver_counts(c_solver *, c_material, const atomic_bool *, slice_counts *)
    dame_status solver_side_bytes(const c_kernel *, int, int, c_metric, uint64_t *, uint64_t *)
    void solver_drop(c_solver *, c_material)

    int TABLE_NO_DISTANCE, TABLE_ENTRY_SIZE, TABLE_CHECKSUM_SIZE, VALUES_PER_BYTE, DETAIL_MAX
    int PROBE_MISSING, PROBE_ILLEGAL, PROBE_WORDS
    enum:
        TABLE_VARIANT_SIZE
    struct table_header:
        c_metric metric
        c_coding coding
        c_draw_rule draw_rule
        c_material material
        uint32_t block_size
        uint64_t values, win, draw, loss
        uint16_t longest_win, longest_loss
        uint32_t block_count
        uint64_t file_size
        char variant[TABLE_VARIANT_SIZE]
        uint8_t nesting
        uint32_t model_size
    struct block_entry:
        uint16_t length
        uint8_t form, more
    block_entry writer_entry(block_form, const uint8_t *, size_t)
    size_t writer_block(block_entry, const uint8_t *, size_t, uint8_t *)
    size_t writer_table(const block_entry *, uint32_t, uint8_t *)
    uint64_t writer_size(uint32_t)
    dame_status writer_write(const table_header *, const c_board *, const block_entry *, const uint8_t *, uint8_t *,
                             size_t, char *)
    uint32_t layout_block_bytes(const table_header *, uint32_t)
    int layout_values_per_byte(const table_header *)

    struct codec:
        dame_status (*decode)(void *, const uint8_t *, size_t, uint8_t *, size_t, size_t *) noexcept
        void *context
    struct c_table "table":
        pass
    dame_status table_peek(const char *, table_header *, char *)
    struct c_files "files":
        pass
    dame_status table_open(c_files *, const char *, const char *, const c_board *, const codec *, c_table **, char *)
    void table_close(c_table *)
    const table_header *find_header "table_header" (const c_table *)
    dame_status table_read(const c_table *, uint32_t, uint8_t *, char *)
    dame_status table_check(const c_table *, const atomic_bool *, char *)

    struct c_library "library":
        pass
    struct cache_statistics:
        uint64_t hits, misses, decoded_bytes, decode_time, kept_bytes
    dame_status library_create(const char *, const codec *, uint64_t, c_library **)
    void library_destroy(c_library *)
    dame_status library_copy(const c_library *, uint64_t, c_library **)
    dame_status library_add_file(c_library *, const char *, char *)
    dame_status library_preload(c_library *, int, uint64_t, int, const atomic_bool *, atomic_uint_fast64_t *,
                                char *)
    struct missing_table:
        c_material material
        c_metric metric
    dame_status library_resolve(c_library *, int, int, const atomic_bool *, atomic_uint_fast64_t *, missing_table *,
                                char *)
    int library_count(const c_library *)
    const table_header *library_header(const c_library *, int)
    int library_find(const c_library *, c_material, c_metric)
    int library_largest(const c_library *)
    cache_statistics library_statistics(const c_library *)
    dame_status probe_wdl_clock(const c_library *, const c_position *, int, int *, missing_table *, char *)
    dame_status c_probe_plies "probe_plies" (const c_library *, c_metric, const c_position *, int, int *, int *,
                                             missing_table *, char *)
    dame_status c_probe_many "probe_many" (const c_library *, const uint64_t *, size_t, int8_t *, int,
                                           const atomic_bool *, char *)
    struct verify_report:
        uint64_t positions, win, draw, loss, wrong
        bint counts_agree
        c_position first_wrong
        int longest_win, longest_loss
        int first_wrong_stored, first_wrong_derived, first_wrong_stored_plies, first_wrong_derived_plies
        missing_table missing
    dame_status verify_slice(const c_library *, c_material, c_metric, int, const atomic_bool *, atomic_uint_fast64_t *,
                             verify_report *, char *)
    dame_status verify_sample(const c_library *, c_material, c_metric, uint64_t, uint64_t, int, const atomic_bool *,
                              atomic_uint_fast64_t *, verify_report *, char *)
    int MOVE_UNKNOWN
    struct move_value:
        int wdl, traps, clock
        int *plies
        bint ends
        missing_table missing
    dame_status moves_probe(const c_library *, const c_position *, int, move_list *, move_value *, char *)
    void moves_order(const move_value *, int, int *)
    struct longest_report:
        int plies
        size_t count
        missing_table missing
    dame_status longest_find(const c_library *, c_material, c_metric, int, c_position *, size_t, int,
                             const atomic_bool *, atomic_uint_fast64_t *, longest_report *, char *)
