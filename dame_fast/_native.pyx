# cython: language_level=3, boundscheck=False, wraparound=False, freethreading_compatible=False
"""The compiled core. It only checks, owns memory, and turns statuses into exceptions; see _native.pyi."""

from cpython.buffer cimport PyBUF_SIMPLE, PyBUF_WRITABLE, PyBuffer_Release, PyObject_GetBuffer
from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_GET_SIZE
from cpython.memoryview cimport PyMemoryView_FromMemory
from libc.errno cimport errno
from libc.stdint cimport int8_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memcpy, strlen

import os
import threading

import zstandard

from dame_fast.errors import ArgumentError, CorruptTableError, MissingTableError, PositionError, VariantError


cdef extern from "<stdatomic.h>" nogil:
    ctypedef bint atomic_bool
    ctypedef uint64_t atomic_uint_fast64_t
    void store_flag "atomic_store" (atomic_bool *, bint)
    bint load_flag "atomic_load" (const atomic_bool *)
    void store_count "atomic_store" (atomic_uint_fast64_t *, uint64_t)
    uint64_t load_count "atomic_load" (const atomic_uint_fast64_t *)


cdef extern from "dame.h" nogil:
    ctypedef enum dame_status "enum dame_status":
        DAME_OK, DAME_CANCELLED, DAME_NO_MEMORY, DAME_BAD_ARGUMENT, DAME_BAD_POSITION, DAME_TOO_LARGE
        DAME_NO_TABLE, DAME_CORRUPT_TABLE, DAME_WRONG_VARIANT, DAME_IO, DAME_NOT_SUPPORTED, DAME_STATUS_COUNT
    const char *dame_status_text(dame_status)

    struct c_board "board":
        int squares, columns, rows, men_squares
    struct rules:
        const char *id
        const char *name
        const char *game_type
        int men_at_start
        bint white_begins, men_capture_backwards, men_capture_kings, flying_kings, must_go_on
        bint capture_optional, misere
        int landing, removal, crowning, priority
    struct c_position "position":
        uint64_t own_men, own_kings, other_men, other_kings
    struct move:
        uint64_t captured
        uint8_t *path
        uint8_t length
        bint by_king, crowned
    struct move_list:
        int count
        move *moves
    struct c_kernel "kernel":
        const rules *rules
        const c_board *board
        dame_status (*moves)(const c_position *, move_list *) noexcept nogil
        dame_status (*perft)(const c_position *, int, bint, const atomic_bool *, uint64_t *) noexcept nogil
        const void *(*rows)() noexcept
    const c_kernel *kernel_find(const char *)
    int kernel_count()
    const c_kernel *kernel_at(int)
    uint64_t bits_reverse(uint64_t, int)

    int PIECES_MAX, MATERIAL_NAME_MAX
    struct c_material "material":
        uint8_t own_men, own_kings, other_men, other_kings
    void material_name(c_material, char *)
    dame_status material_parse(const char *, c_material *)
    int material_list(int, c_material *)
    dame_status material_positions(const c_board *, c_material, uint64_t *)
    struct index_shape:
        uint64_t size
    dame_status find_index_shape "index_shape" (const c_board *, c_material, index_shape *)

    struct c_solver "solver":
        pass
    struct slice_counts:
        uint64_t win, draw, loss
    dame_status solver_create(const c_kernel *, int, c_solver **)
    void solver_destroy(c_solver *)
    dame_status solver_bytes(const c_board *, c_material, int, uint64_t *, uint64_t *)
    dame_status solver_solve(c_solver *, c_material, int, const atomic_bool *, atomic_uint_fast64_t *)
    dame_status solver_load(c_solver *, c_material, const uint8_t *, const uint8_t *, int, const atomic_bool *)
    dame_status solver_encode(c_solver *, c_material, uint8_t *, int, const atomic_bool *)
    dame_status solver_counts(const c_solver *, c_material, slice_counts *)
    void solver_drop(c_solver *, c_material)

    int TABLE_NO_DISTANCE, DETAIL_MAX, PROBE_MISSING, PROBE_ILLEGAL
    ctypedef enum block_kind "enum block_kind":
        BLOCK_FILL, BLOCK_ZSTD, BLOCK_RAW
    struct table_header:
        uint8_t metric, coding
        uint16_t draw_plies
        c_material material
        uint32_t block_size
        uint64_t values, win, draw, loss
        uint16_t longest_win, longest_loss
        uint32_t block_count
        uint64_t file_size
        char variant[32]
    struct block_entry:
        uint32_t length, checksum
        uint8_t kind
    bint writer_is_fill(const uint8_t *, size_t)
    block_entry writer_entry(block_kind, const uint8_t *, size_t)
    uint64_t writer_size(uint32_t)
    dame_status writer_write(const table_header *, const c_board *, const block_entry *, uint8_t *, size_t, char *)
    uint64_t layout_value_bytes(const table_header *)
    uint32_t layout_block_bytes(const table_header *, uint32_t)

    struct codec:
        dame_status (*decode)(void *, const uint8_t *, size_t, uint8_t *, size_t, size_t *) noexcept
        void *context
    struct c_table "table":
        pass
    dame_status table_peek(const char *, table_header *, char *)
    dame_status table_open(const char *, const char *, const c_board *, const codec *, c_table **, char *)
    void table_close(c_table *)
    const table_header *find_header "table_header" (const c_table *)
    dame_status table_read(const c_table *, uint32_t, uint8_t *, char *)
    dame_status table_check(const c_table *, const atomic_bool *, char *)

    struct c_library "library":
        pass
    struct cache_statistics:
        uint64_t hits, misses, decoded_bytes, kept_bytes
    dame_status library_create(const char *, const codec *, uint64_t, c_library **)
    void library_destroy(c_library *)
    dame_status library_add_file(c_library *, const char *, char *)
    dame_status library_preload(c_library *, int, int, const atomic_bool *, char *)
    dame_status library_resolve(c_library *, int, int, const atomic_bool *, c_material *, char *)
    int library_count(const c_library *)
    const table_header *library_header(const c_library *, int)
    int library_find(const c_library *, c_material)
    int library_largest(const c_library *)
    cache_statistics library_statistics(const c_library *)
    dame_status probe_wdl(const c_library *, const c_position *, int *, c_material *, char *)
    dame_status c_probe_many "probe_many" (const c_library *, const uint64_t *, size_t, int8_t *, int,
                                           const atomic_bool *, char *)
    struct verify_report:
        uint64_t positions, win, draw, loss, wrong
        bint counts_agree
        c_position first_wrong
        int first_wrong_stored, first_wrong_derived
        c_material missing
    dame_status verify_slice(const c_library *, c_material, int, const atomic_bool *, atomic_uint_fast64_t *,
                             verify_report *, char *)
    dame_status verify_sample(const c_library *, c_material, uint64_t, uint64_t, int, const atomic_bool *,
                              atomic_uint_fast64_t *, verify_report *, char *)


LANDINGS = ("next", "any")
REMOVALS = ("at_end", "at_once")
CROWNINGS = ("stops", "goes_man", "goes_king")
PRIORITIES = ("free", "most", "most_kings", "italian", "king_first")
METRICS = ("wdl", "dtw", "dtz")

MISSING = PROBE_MISSING
ILLEGAL = PROBE_ILLEGAL


class Cancelled(Exception):
    """The cancel flag was raised."""


cdef class Cancel:
    cdef atomic_bool flag

    def __cinit__(self):
        store_flag(&self.flag, False)

    def set(self):
        store_flag(&self.flag, True)

    @property
    def raised(self):
        return bool(load_flag(&self.flag))


cdef class Counter:
    cdef atomic_uint_fast64_t count

    def __cinit__(self):
        store_count(&self.count, 0)

    @property
    def value(self):
        return load_count(&self.count)


cdef raise_status(dame_status status, str what="", bytes detail=b""):
    """Turn a status into its exception; `what` names the file or number that it is about."""
    cdef int number = errno
    text = detail.split(b"\0")[0].decode() or dame_status_text(status).decode()
    if what:
        text = f"{what}: {text}"
    if status == DAME_CANCELLED:
        raise Cancelled(text)
    if status == DAME_NO_MEMORY:
        raise MemoryError(text)
    if status == DAME_BAD_POSITION:
        raise PositionError(text)
    if status == DAME_NO_TABLE:
        raise MissingTableError(text)
    if status == DAME_CORRUPT_TABLE:
        raise CorruptTableError(text)
    if status == DAME_WRONG_VARIANT:
        raise VariantError(text)
    if status == DAME_IO:
        raise OSError(number, os.strerror(number) if number else text, what or None)
    raise ArgumentError(text)


cdef const c_kernel *find_kernel(str variant) except NULL:
    cdef const c_kernel *found = kernel_find(variant.encode())
    if found == NULL:
        raise VariantError(f"unknown variant {variant!r}")
    return found


cdef c_position turn_position(const c_kernel *kernel, given) except *:
    """From the board as it lies to the position seen by the side to move."""
    cdef uint64_t own_men, own_kings, other_men, other_kings
    cdef int squares = kernel.board.squares
    cdef c_position seen
    own_men, own_kings, other_men, other_kings, white = given
    if white:
        seen.own_men = bits_reverse(own_men, squares)
        seen.own_kings = bits_reverse(own_kings, squares)
        seen.other_men = bits_reverse(other_men, squares)
        seen.other_kings = bits_reverse(other_kings, squares)
    else:
        seen.own_men = own_men
        seen.own_kings = own_kings
        seen.other_men = other_men
        seen.other_kings = other_kings
    return seen


cdef tuple lay_position(c_position seen):
    return (seen.own_men, seen.own_kings, seen.other_men, seen.other_kings, 0)


cdef c_material to_material(given) except *:
    cdef c_material found
    cdef int own_men, own_kings, other_men, other_kings
    own_men, own_kings, other_men, other_kings = given
    if min(given) < 0 or own_men + own_kings + other_men + other_kings > PIECES_MAX:
        raise ArgumentError(f"no slice has the material {given}")
    found.own_men = own_men
    found.own_kings = own_kings
    found.other_men = other_men
    found.other_kings = other_kings
    return found


cdef tuple from_material(c_material given):
    return (given.own_men, given.own_kings, given.other_men, given.other_kings)


# Rule sets and moves


def variants():
    cdef int i
    cdef const rules *rule
    cdef const c_board *shape
    found = []
    for i in range(kernel_count()):
        rule = kernel_at(i).rules
        shape = kernel_at(i).board
        found.append({
            "id": rule.id.decode(),
            "name": rule.name.decode(),
            "game_type": None if rule.game_type == NULL else rule.game_type.decode(),
            "men_at_start": rule.men_at_start,
            "white_begins": bool(rule.white_begins),
            "men_capture_backwards": bool(rule.men_capture_backwards),
            "men_capture_kings": bool(rule.men_capture_kings),
            "flying_kings": bool(rule.flying_kings),
            "must_go_on": bool(rule.must_go_on),
            "capture_optional": bool(rule.capture_optional),
            "misere": bool(rule.misere),
            "landing": LANDINGS[rule.landing],
            "removal": REMOVALS[rule.removal],
            "crowning": CROWNINGS[rule.crowning],
            "priority": PRIORITIES[rule.priority],
            "squares": shape.squares,
            "columns": shape.columns,
            "rows": shape.rows,
            "men_squares": shape.men_squares,
        })
    return found


def legal_moves(str variant, position):
    cdef const c_kernel *kernel = find_kernel(variant)
    cdef c_position seen = turn_position(kernel, position)
    cdef int squares = kernel.board.squares
    cdef bint white = position[4]
    cdef move_list *found = <move_list *>malloc(sizeof(move_list))
    cdef dame_status status
    cdef const move *one
    cdef int i, j
    if found == NULL:
        raise MemoryError
    try:
        status = kernel.moves(&seen, found)
        if status != DAME_OK:
            raise_status(status)
        moves = []
        for i in range(found.count):
            one = &found.moves[i]
            path = tuple([squares - one.path[j] if white else one.path[j] + 1 for j in range(one.length)])
            captured = bits_reverse(one.captured, squares) if white else one.captured
            moves.append((path, captured, bool(one.crowned), bool(one.by_king)))
        return moves
    finally:
        free(found)


def perft(str variant, position, int depth, bint paths, Cancel cancel):
    cdef const c_kernel *kernel = find_kernel(variant)
    cdef c_position seen = turn_position(kernel, position)
    cdef uint64_t count = 0
    cdef dame_status status
    with nogil:
        status = kernel.perft(&seen, depth, paths, &cancel.flag, &count)
    if status != DAME_OK:
        raise_status(status)
    return count


# Slices


def slices(int pieces):
    if not 2 <= pieces <= PIECES_MAX:
        raise ArgumentError(f"the number of pieces must be 2 to {PIECES_MAX}, not {pieces}")
    cdef int count = material_list(pieces, NULL)
    cdef c_material *found = <c_material *>malloc(count * sizeof(c_material))
    if found == NULL:
        raise MemoryError
    try:
        material_list(pieces, found)
        return [from_material(found[i]) for i in range(count)]
    finally:
        free(found)


def slice_name(material):
    cdef char name[64]
    material_name(to_material(material), name)
    return name.decode()


def parse_slice(str name):
    cdef c_material found
    if material_parse(name.encode(), &found) != DAME_OK:
        raise ArgumentError(f"not the name of a slice: {name!r} (an example: KKMvKM)")
    return from_material(found)


def slice_positions(str variant, material):
    cdef uint64_t positions
    cdef dame_status status = material_positions(find_kernel(variant).board, to_material(material), &positions)
    if status != DAME_OK:
        raise_status(status, slice_name(material))
    return positions


def slice_values(str variant, material):
    cdef index_shape shape
    cdef dame_status status = find_index_shape(find_kernel(variant).board, to_material(material), &shape)
    if status != DAME_OK:
        raise_status(status, slice_name(material))
    return shape.size


# Solving


def can_build(str variant):
    return find_kernel(variant).rows() != NULL


def solver_memory(str variant, material, int threads):
    cdef uint64_t planes, scratch
    cdef dame_status status = solver_bytes(find_kernel(variant).board, to_material(material), threads, &planes,
                                           &scratch)
    if status != DAME_OK:
        raise_status(status, slice_name(material))
    return planes, scratch


cdef class Solver:
    cdef c_solver *handle

    def __cinit__(self, str variant, int pieces):
        cdef dame_status status = solver_create(find_kernel(variant), pieces, &self.handle)
        if status == DAME_NOT_SUPPORTED:
            raise VariantError(f"tables of {variant} cannot be built yet")
        if status != DAME_OK:
            raise_status(status)

    def __dealloc__(self):
        solver_destroy(self.handle)

    def solve(self, material, int threads, Cancel cancel, Counter done):
        cdef c_material wanted = to_material(material)
        cdef dame_status status
        with nogil:
            status = solver_solve(self.handle, wanted, threads, &cancel.flag, &done.count)
        if status != DAME_OK:
            raise_status(status, slice_name(material))

    def load(self, material, const uint8_t[::1] values, const uint8_t[::1] mirror, int threads, Cancel cancel):
        cdef c_material wanted = to_material(material)
        cdef dame_status status
        cdef uint64_t size = 0
        with nogil:
            status = solver_load(self.handle, wanted, &values[0], &mirror[0], threads, &cancel.flag)
        if status != DAME_OK:
            raise_status(status, slice_name(material))

    def encode(self, material, uint8_t[::1] out, int threads, Cancel cancel):
        cdef c_material wanted = to_material(material)
        cdef dame_status status
        with nogil:
            status = solver_encode(self.handle, wanted, &out[0], threads, &cancel.flag)
        if status != DAME_OK:
            raise_status(status, slice_name(material))

    def counts(self, material):
        cdef slice_counts counts
        cdef dame_status status = solver_counts(self.handle, to_material(material), &counts)
        if status != DAME_OK:
            raise_status(status, slice_name(material))
        return counts.win, counts.draw, counts.loss

    def drop(self, material):
        solver_drop(self.handle, to_material(material))


# Table files


cdef dict header_facts(const table_header *header):
    facts = {
        "variant": header.variant.decode(),
        "metric": METRICS[header.metric],
        "draw_plies": header.draw_plies or None,
        "material": from_material(header.material),
        "block_size": header.block_size,
        "values": header.values,
        "win": header.win,
        "draw": header.draw,
        "loss": header.loss,
        "max_win": None if header.longest_win == TABLE_NO_DISTANCE else header.longest_win,
        "max_loss": None if header.longest_loss == TABLE_NO_DISTANCE else header.longest_loss,
        "bytes": header.file_size,
    }
    return facts


def peek(str path):
    cdef table_header header
    detail = bytes(DETAIL_MAX)
    cdef dame_status status = table_peek(os.fsencode(path), &header, PyBytes_AS_STRING(detail))
    if status != DAME_OK:
        raise_status(status, path, detail)
    return header_facts(&header)


def pack_front(str variant, material, int block_size, counts, list blocks):
    """Header and block table for `blocks`: pairs (kind, stored bytes), the fill byte for kind 0."""
    cdef const c_kernel *kernel = find_kernel(variant)
    cdef table_header facts
    cdef index_shape shape
    cdef dame_status status = find_index_shape(kernel.board, to_material(material), &shape)
    cdef const uint8_t[::1] stored
    cdef bytes name = variant.encode()
    cdef size_t i, count = len(blocks)
    if status != DAME_OK:
        raise_status(status, slice_name(material))
    facts.metric = facts.coding = 0
    facts.draw_plies = 0
    facts.material = to_material(material)
    facts.block_size = block_size
    facts.values = shape.size
    facts.win, facts.draw, facts.loss = counts
    facts.longest_win = facts.longest_loss = TABLE_NO_DISTANCE
    facts.block_count = count
    for i in range(sizeof(facts.variant)):
        facts.variant[i] = 0
    memcpy(facts.variant, PyBytes_AS_STRING(name), PyBytes_GET_SIZE(name))
    cdef size_t size = writer_size(facts.block_count)
    cdef block_entry *entries = <block_entry *>malloc(count * sizeof(block_entry))
    if entries == NULL:
        raise MemoryError
    detail = bytes(DETAIL_MAX)
    try:
        for i in range(count):
            kind, block = blocks[i]
            stored = block
            entries[i] = writer_entry(<block_kind><int>kind, &stored[0], stored.shape[0])
        front = bytes(size)
        status = writer_write(&facts, kernel.board, entries, <uint8_t *>PyBytes_AS_STRING(front), size,
                              PyBytes_AS_STRING(detail))
        if status != DAME_OK:
            raise_status(status, slice_name(material), detail)
        return front
    finally:
        free(entries)


def is_fill(const uint8_t[::1] block):
    return bool(writer_is_fill(&block[0], block.shape[0]))


# A decompressor must not be used by two threads at once.
decompressors = threading.local()


cdef dame_status decode_zstd(void *context, const uint8_t *source, size_t size, uint8_t *target, size_t capacity,
                             size_t *written) noexcept with gil:
    cdef bytes decoded
    try:
        decompressor = getattr(decompressors, "zstd", None)
        if decompressor is None:
            decompressor = decompressors.zstd = zstandard.ZstdDecompressor(max_window_size=1 << 27)
        frame = PyMemoryView_FromMemory(<char *>source, size, 0x100)
        if zstandard.frame_content_size(frame) != capacity:
            return DAME_CORRUPT_TABLE
        decoded = decompressor.decompress(frame, allow_extra_data=False)
        if <size_t>PyBytes_GET_SIZE(decoded) > capacity:
            return DAME_CORRUPT_TABLE
        memcpy(target, PyBytes_AS_STRING(decoded), PyBytes_GET_SIZE(decoded))
        written[0] = PyBytes_GET_SIZE(decoded)
        return DAME_OK
    except zstandard.ZstdError:
        return DAME_CORRUPT_TABLE
    except MemoryError:
        return DAME_NO_MEMORY
    except BaseException:
        return DAME_CORRUPT_TABLE


cdef class Table:
    cdef c_table *handle
    cdef str path

    def __cinit__(self, str path, str variant):
        cdef codec zstd
        zstd.decode = decode_zstd
        zstd.context = NULL
        self.path = path
        detail = bytes(DETAIL_MAX)
        cdef dame_status status = table_open(os.fsencode(path), variant.encode(), find_kernel(variant).board, &zstd,
                                             &self.handle, PyBytes_AS_STRING(detail))
        if status != DAME_OK:
            raise_status(status, path, detail)

    def __dealloc__(self):
        table_close(self.handle)

    @property
    def facts(self):
        return header_facts(find_header(self.handle))

    def check(self, Cancel cancel):
        detail = bytes(DETAIL_MAX)
        cdef char *text = PyBytes_AS_STRING(detail)
        cdef dame_status status
        with nogil:
            status = table_check(self.handle, &cancel.flag, text)
        if status != DAME_OK:
            raise_status(status, self.path, detail)

    def read(self, Cancel cancel):
        """All values, packed."""
        cdef const table_header *header = find_header(self.handle)
        values = bytearray(layout_value_bytes(header))
        cdef uint8_t[::1] view = values
        detail = bytes(DETAIL_MAX)
        cdef char *text = PyBytes_AS_STRING(detail)
        cdef dame_status status = DAME_OK
        cdef uint32_t block
        cdef uint64_t at = 0
        with nogil:
            for block in range(header.block_count):
                if load_flag(&cancel.flag):
                    status = DAME_CANCELLED
                else:
                    status = table_read(self.handle, block, &view[at], text)
                if status != DAME_OK:
                    break
                at += layout_block_bytes(header, block)
        if status != DAME_OK:
            raise_status(status, self.path, detail)
        return values


cdef class Library:
    cdef c_library *handle
    cdef const c_kernel *kernel

    def __cinit__(self, str variant, uint64_t cache_bytes):
        cdef codec zstd
        zstd.decode = decode_zstd
        zstd.context = NULL
        self.kernel = find_kernel(variant)
        cdef dame_status status = library_create(variant.encode(), &zstd, cache_bytes, &self.handle)
        if status != DAME_OK:
            raise_status(status, variant)

    def __dealloc__(self):
        library_destroy(self.handle)

    def add(self, str path):
        detail = bytes(DETAIL_MAX)
        cdef dame_status status = library_add_file(self.handle, os.fsencode(path), PyBytes_AS_STRING(detail))
        if status != DAME_OK:
            raise_status(status, path, detail)

    def preload(self, int pieces, int threads, Cancel cancel):
        detail = bytes(DETAIL_MAX)
        cdef char *text = PyBytes_AS_STRING(detail)
        cdef dame_status status
        with nogil:
            status = library_preload(self.handle, pieces, threads, &cancel.flag, text)
        if status != DAME_OK:
            raise_status(status, "", detail)

    def resolve(self, int pieces, int threads, Cancel cancel):
        detail = bytes(DETAIL_MAX)
        cdef char *text = PyBytes_AS_STRING(detail)
        cdef c_material missing
        cdef dame_status status
        with nogil:
            status = library_resolve(self.handle, pieces, threads, &cancel.flag, &missing, text)
        if status == DAME_NO_TABLE:
            raise MissingTableError(f"no table of {slice_name(from_material(missing))}")
        if status != DAME_OK:
            raise_status(status, "", detail)

    @property
    def headers(self):
        return [header_facts(library_header(self.handle, i)) for i in range(library_count(self.handle))]

    @property
    def largest(self):
        return library_largest(self.handle)

    def find(self, material):
        return library_find(self.handle, to_material(material)) >= 0

    @property
    def statistics(self):
        cdef cache_statistics found = library_statistics(self.handle)
        return {"hits": found.hits, "misses": found.misses, "decoded_bytes": found.decoded_bytes,
                "kept_bytes": found.kept_bytes}

    def probe(self, position):
        cdef c_position seen = turn_position(self.kernel, position)
        cdef int wdl = 0
        cdef c_material missing
        detail = bytes(DETAIL_MAX)
        cdef char *text = PyBytes_AS_STRING(detail)
        cdef dame_status status
        with nogil:
            status = probe_wdl(self.handle, &seen, &wdl, &missing, text)
        if status == DAME_NO_TABLE:
            pieces = missing.own_men + missing.own_kings + missing.other_men + missing.other_kings
            if pieces > PIECES_MAX:
                raise MissingTableError(f"no table covers a position of {pieces} pieces")
            raise MissingTableError(f"no table of {slice_name(from_material(missing))}")
        if status != DAME_OK:
            raise_status(status, "", detail)
        return wdl

    def probe_many(self, const uint64_t[:, ::1] rows, int8_t[::1] out, int threads, Cancel cancel):
        cdef size_t count = rows.shape[0]
        detail = bytes(DETAIL_MAX)
        cdef char *text = PyBytes_AS_STRING(detail)
        cdef dame_status status
        if rows.shape[1] != 5 or <size_t>out.shape[0] != count:
            raise ArgumentError("positions have the shape (n, 5)")
        if count == 0:
            return
        with nogil:
            status = c_probe_many(self.handle, &rows[0, 0], count, &out[0], threads, &cancel.flag, text)
        if status != DAME_OK:
            raise_status(status, "", detail)

    def verify(self, material, int threads, Cancel cancel, Counter done, sample=None, uint64_t seed=0):
        cdef c_material wanted = to_material(material)
        cdef verify_report report
        detail = bytes(DETAIL_MAX)
        cdef char *text = PyBytes_AS_STRING(detail)
        cdef dame_status status
        cdef uint64_t count = 0 if sample is None else sample
        cdef bint full = sample is None
        with nogil:
            if full:
                status = verify_slice(self.handle, wanted, threads, &cancel.flag, &done.count, &report, text)
            else:
                status = verify_sample(self.handle, wanted, count, seed, threads, &cancel.flag, &done.count, &report,
                                       text)
        if status == DAME_NO_TABLE:
            raise MissingTableError(f"no table of {slice_name(from_material(report.missing))}")
        if status != DAME_OK:
            raise_status(status, slice_name(material), detail)
        first = None
        if report.wrong:
            first = (lay_position(report.first_wrong), report.first_wrong_stored, report.first_wrong_derived)
        return {"positions": report.positions, "wrong": report.wrong, "first_wrong": first,
                "counts_agree": bool(report.counts_agree), "counts": (report.win, report.draw, report.loss)}


def status_texts():
    """The text of every status, for the test that walks them."""
    return [dame_status_text(<dame_status><int>i).decode() for i in range(DAME_STATUS_COUNT)]
