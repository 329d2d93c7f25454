# cython: language_level=3, boundscheck=False, wraparound=False, freethreading_compatible=False
"""The compiled core. It only checks, owns memory, and turns statuses into exceptions; see _native.pyi."""

from cpython.buffer cimport PyBUF_READ
from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize, PyBytes_GET_SIZE
from cpython.memoryview cimport PyMemoryView_FromMemory
from libc.errno cimport errno
from libc.stdint cimport int8_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memcpy, memset

from dame_fast._core cimport *

import os
from collections import namedtuple
from operator import index

from dame_fast.errors import (ArgumentError, BuildError, CorruptTableError, WorkFileError, MissingTableError, PositionError,
                              VariantError, quote, shown)


class Zstandard:
    """The module zstandard, imported when it is used first: only distances need it, and boards should not wait for it."""

    def __getattr__(self, name):
        import zstandard
        return getattr(zstandard, name)


zstandard = Zstandard()

LANDINGS = ("next", "any")
REMOVALS = ("at_end", "at_once")
CROWNINGS = ("stops", "goes_man", "goes_king")
PRIORITIES = ("free", "most", "most_kings", "italian", "king_first")
METRICS = tuple([METRIC_PAGES[i].name.decode() for i in range(<int>METRICS_COUNT)])
DRAW_COUNTERS = tuple([DRAW_COUNTER_PAGES[i].name.decode() for i in range(<int>DRAW_COUNTER_COUNT)])
BlockEntry = tuple

MISSING = PROBE_MISSING
ILLEGAL = PROBE_ILLEGAL
FILL, ZSTD, RAW, CODE = <int>BLOCK_FILL, <int>BLOCK_ZSTD, <int>BLOCK_RAW, <int>BLOCK_CODE
BLOCK_SIZE = SOLVER_BLOCK_BYTES
PER_BYTE = VALUES_PER_BYTE


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
    text = os.fsdecode(detail.split(b"\0")[0]) or status_text(status).decode()  # it may hold a path
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
    if status == DAME_IO and what:
        raise OSError(number, os.strerror(number) if number else text, what)
    if status == DAME_IO:  # on another thread, whose errno is not ours
        raise OSError(text)
    if status == DAME_INCONSISTENT:
        raise BuildError(f"{text}: a defect of the program")
    raise ArgumentError(text)


cdef bytes name_bytes(str name):
    """A name for C; whatever no name has becomes "?", which is unknown everywhere."""
    return name.replace("\0", "?").encode("ascii", "replace")


cdef const c_kernel *find_kernel(str variant) except NULL:
    cdef bytes name = name_bytes(variant)
    cdef const c_kernel *found = kernel_find(name)
    if found == NULL and (tower_rules_find(name) or altdeutsch_rules_find(name)):
        raise VariantError(f"there are no tables for {variant}")
    if found == NULL:
        raise VariantError(f"unknown variant {quote(variant)}")
    return found


cdef c_position turn_position(const c_kernel *kernel, given) except *:
    return turn_on_board(kernel.board.squares, given)


cdef c_position turn_on_board(int squares, given) except *:
    """From the board as it lies to the position seen by the side to move."""
    cdef c_position lying = position_from(given)
    if (lying.own_men | lying.own_kings | lying.other_men | lying.other_kings) >> (squares - 1) > 1:
        raise PositionError("a piece stands off the board")  # turning it would lose it
    return position_turned(lying, squares) if given[4] else lying


cdef c_position position_from(given) except *:
    """The position as it lies."""
    cdef c_position lying
    try:
        own_men, own_kings, other_men, other_kings, side = given
        lying.own_men, lying.own_kings = index(own_men), index(own_kings)
        lying.other_men, lying.other_kings = index(other_men), index(other_kings)
    except (TypeError, ValueError, OverflowError):
        raise PositionError(f"not a position: {shown(given)}") from None
    if side not in (0, 1):
        raise PositionError(f"the side to move must be 0 (Black) or 1 (White), not {shown(side)}")
    return lying


cdef tuple lay_position(c_position seen):
    return (seen.own_men, seen.own_kings, seen.other_men, seen.other_kings, 0)


cdef c_material to_material(given) except *:
    cdef c_material found
    try:
        counts = [index(count) for count in given]
    except TypeError:
        counts = []
    if len(counts) != 4 or min(counts) < 0 or sum(counts) > PIECES_MAX:
        raise ArgumentError(f"no slice has the material {shown(given)}")
    found.own_men, found.own_kings, found.other_men, found.other_kings = counts
    return found


cdef tuple from_material(c_material given):
    return (given.own_men, given.own_kings, given.other_men, given.other_kings)


# Metrics and draw rules


def metric_pages():
    return [
        {
            "name": METRIC_PAGES[i].name.decode(),
            "about": METRIC_PAGES[i].about.decode(),
            "code": i,
            "has_plies": bool(metric_has_plies(<c_metric><int>i)),
            "captures_end_phase": bool(metric_ends_phase(<c_metric><int>i, BY_CAPTURE)),
            "man_moves_end_phase": bool(metric_ends_phase(<c_metric><int>i, BY_MAN)),
            "draw_counters": tuple([name for k, name in enumerate(DRAW_COUNTERS) if METRIC_PAGES[i].draw_counters >> k & 1]),
            "positions_per_byte": METRIC_PAGES[i].estimate,
        }
        for i in range(<int>METRICS_COUNT)
    ]


def draw_counter_pages():
    return [
        {
            "name": DRAW_COUNTER_PAGES[i].name.decode(),
            "option": DRAW_COUNTER_PAGES[i].option.decode(),
            "letter": chr(DRAW_COUNTER_PAGES[i].letter),
            "about": DRAW_COUNTER_PAGES[i].about.decode(),
            "man_moves_reset": bool(DRAW_COUNTER_PAGES[i].man_moves_reset),
        }
        for i in range(<int>DRAW_COUNTER_COUNT)
    ]


cdef c_metric find_metric(str name) except *:
    if name not in METRICS:
        raise ArgumentError(f"unknown metric {quote(name)} (known: {', '.join(METRICS)})")
    return <c_metric><int>METRICS.index(name)


cdef c_draw_rule to_draw_rule(given) except *:
    """From None or (counter, plies)."""
    cdef c_draw_rule found
    found.counter = <draw_counter><int>0
    found.plies = 0
    if given is not None:
        found.counter = <draw_counter><int>DRAW_COUNTERS.index(given[0])
        found.plies = given[1]
    return found


cdef dict rule_plies(c_draw_rule rule):
    """The plies of each counter's rule; None: no such rule."""
    return {name: rule.plies if rule.plies and rule.counter == i else None for i, name in enumerate(DRAW_COUNTERS)}


# Rule sets and moves


cdef dict rule_facts(const rules *rule, const c_board *shape, str kind):
    return {
        "id": rule.id.decode(),
        "name": rule.name.decode(),
        "about": rule.about.decode(),
        "game_type": None if rule.game_type == NULL else rule.game_type.decode(),
        "men_at_start": rule.men_at_start,
        "white_begins": bool(rule.white_begins),
        "men_capture_backwards": bool(rule.moves.men_capture_backwards),
        "men_capture_kings": bool(rule.moves.men_capture_kings),
        "flying_kings": bool(rule.moves.flying_kings),
        "must_go_on": bool(rule.moves.must_go_on),
        "capture_optional": bool(rule.moves.capture_optional),
        "misere": bool(rule.misere),
        **rule_plies(rule.draw_rule),
        "repetitions": rule.repetitions,
        "perft_by_moves": bool(rule.perft_by_moves),
        "landing": LANDINGS[rule.moves.landing],
        "removal": REMOVALS[rule.moves.removal],
        "crowning": CROWNINGS[rule.moves.crowning],
        "priority": PRIORITIES[rule.moves.priority],
        "squares": shape.squares,
        "columns": shape.columns,
        "rows": shape.rows,
        "men_squares": shape.men_squares,
        "mirrored": bool(shape.mirrored),
        "kind": kind,
    }


def variants():
    cdef int i
    found = []
    for i in range(kernel_count()):
        found.append(rule_facts(kernel_at(i).rules, kernel_at(i).board, "draughts"))
    return found + tower_variants() + altdeutsch_variants()


cdef move_rules to_move_rules(facts) except *:
    cdef move_rules found
    found.men_capture_backwards = facts["men_capture_backwards"]
    found.men_capture_kings = facts["men_capture_kings"]
    found.flying_kings = facts["flying_kings"]
    found.must_go_on = facts["must_go_on"]
    found.capture_optional = facts["capture_optional"]
    found.landing = LANDINGS.index(facts["landing"])
    found.removal = REMOVALS.index(facts["removal"])
    found.crowning = CROWNINGS.index(facts["crowning"])
    found.priority = PRIORITIES.index(facts["priority"])
    return found


cdef class CustomRules:
    """Rules of moves that no kernel was compiled for, on the board of a rule set."""

    cdef move_rules moves
    cdef const c_board *board

    def __cinit__(self, str base, facts):
        self.board = find_kernel(base).board
        self.moves = to_move_rules(facts)

    cdef list list_moves(self, position, bint paths):
        cdef c_position seen = turn_on_board(self.board.squares, position)
        cdef custom_list found = custom_list(NULL, 0, 0)
        cdef int i
        cdef dame_status status = custom_moves(&self.moves, self.board, &seen, &found)
        try:
            if status != DAME_OK:
                raise_moves(status)
            if paths:
                return [found.moves[i].paths for i in range(found.count)]
            return [lay_move(&found.moves[i], self.board.squares, position[4]) for i in range(found.count)]
        finally:
            custom_list_free(&found)

    cdef perft(self, position, int depth, bint paths, Cancel cancel):
        cdef c_position seen = turn_on_board(self.board.squares, position)
        cdef leaf_count count
        cdef dame_status status
        with nogil:
            status = custom_perft(&self.moves, self.board, &seen, depth, paths, &cancel.flag, &count)
        if status != DAME_OK:
            raise_perft(status, depth)
        return int_of(count)


cdef raise_moves(dame_status status):
    if status == DAME_TOO_LARGE:
        raise PositionError("there are too many ways to capture")
    raise_status(status)


cdef raise_perft(dame_status status, int depth):
    if status == DAME_OVERFLOW:
        raise_status(status, f"depth {depth}")
    raise_moves(status)


cdef int_of(leaf_count count):
    return int(count_high(count)) << 64 | count_low(count)


cdef tuple lay_move(const move *one, int squares, bint white):
    """Path, captured pieces, crowned and by a king of a move, on the board as it lies."""
    cdef int i
    path = tuple([squares - one.path[i] if white else one.path[i] + 1 for i in range(one.length)])
    captured = bits_reverse(one.captured, squares) if white else one.captured
    return (path, captured, bool(one.crowned), bool(one.by_king))


def legal_moves(rules, position):
    return list_moves(rules, position, False)


def move_paths(rules, position):
    return list_moves(rules, position, True)


cdef list list_moves(rules, position, bint paths):
    """The legal moves, or the number of orders of jumps of each."""
    if isinstance(rules, CustomRules):
        return (<CustomRules>rules).list_moves(position, paths)
    cdef const c_kernel *kernel = find_kernel(rules)
    cdef c_position seen = turn_position(kernel, position)
    cdef int squares = kernel.board.squares
    cdef bint white = position[4]
    cdef move_list *found = <move_list *>malloc(sizeof(move_list))
    cdef dame_status status
    cdef int i
    if found == NULL:
        raise MemoryError
    try:
        status = kernel.moves(&seen, found)
        if status != DAME_OK:
            raise_status(status)
        if paths:
            return [found.moves[i].paths for i in range(found.count)]
        return [lay_move(&found.moves[i], squares, white) for i in range(found.count)]
    finally:
        free(found)


def position_after(position, path, uint64_t captured, bint crowned, bint by_king):
    cdef uint64_t origin = bit_at(path[0] - 1), end = bit_at(path[len(path) - 1] - 1)
    cdef c_position after = position_moved(position_from(position), origin, end, captured, crowned or by_king)
    return (after.own_men, after.own_kings, after.other_men, after.other_kings, 1 - position[4])


def perft(rules, position, int depth, bint paths, Cancel cancel not None, uint64_t memory=0):
    if isinstance(rules, CustomRules):
        return (<CustomRules>rules).perft(position, depth, paths, cancel)
    cdef const c_kernel *kernel = find_kernel(rules)
    cdef c_position seen = turn_position(kernel, position)
    cdef leaf_count count
    cdef dame_status status
    with nogil:
        status = kernel.perft(&seen, depth, paths, memory, &cancel.flag, &count)
    if status != DAME_OK:
        raise_perft(status, depth)
    return int_of(count)


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
    cdef char[MATERIAL_NAME_MAX] name
    material_name(to_material(material), name)
    return name.decode()


def parse_slice(str name):
    cdef c_material found
    if material_parse(name_bytes(name), &found) != DAME_OK:
        raise ArgumentError(f"not the name of a slice: {quote(name)} (an example: KKMvKM)")
    return from_material(found)


def slice_positions(str variant, material):
    cdef uint64_t positions
    cdef dame_status status = material_positions(find_kernel(variant).board, to_material(material), &positions)
    if status != DAME_OK:
        raise_status(status, slice_name(material))
    return positions


def slice_values(str variant, material):
    cdef index_shape shape
    cdef dame_status status = find_index_shape(find_kernel(variant).board, to_material(material), 0, &shape)
    if status != DAME_OK:
        raise_status(status, slice_name(material))
    return shape.size


include "_towers.pxi"
include "_altdeutsch.pxi"
include "_solver.pxi"
include "_tables.pxi"


def status_texts():
    """The text of every status, for the test that walks them."""
    return [status_text(<dame_status><int>i).decode() for i in range(DAME_STATUS_COUNT)]
