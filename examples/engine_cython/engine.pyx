# cython: language_level=3
"""English checkers tables from Cython: probing without the GIL, straight from the C library.

>>> import engine
>>> tables = engine.Tables("databases/english")
>>> tables.best_move(0, 1 << 27, 0, 1 << 18 | 1 << 22, 1)
('23-27', 1)
"""

from libc.stdint cimport uint64_t

from dame_fast.dame cimport (
    DAME_MOVE_TEXT_MAX, DAME_MOVES_MAX, DAME_STATUS_OK, dame_close, dame_error, dame_move, dame_move_text, dame_open,
    dame_position, dame_probe_moves, dame_status, dame_tables,
)

import os


cdef class Tables:
    cdef dame_tables *handle

    def __cinit__(self, directory, str variant="english"):
        cdef dame_error error
        if dame_open(os.fsencode(directory), variant.encode(), NULL, &self.handle, &error) != DAME_STATUS_OK:
            raise ValueError(error.text.decode(errors="replace"))

    def __dealloc__(self):
        dame_close(self.handle)

    def best_move(self, uint64_t black_men, uint64_t black_kings, uint64_t white_men, uint64_t white_kings, int side):
        """The best move of a position, and its value for the side to move; None if the game is over."""
        cdef dame_position position = dame_position(black_men, black_kings, white_men, white_kings, side)
        cdef dame_move moves[DAME_MOVES_MAX]
        cdef char text[DAME_MOVE_TEXT_MAX]
        cdef dame_error error
        cdef dame_status status
        cdef size_t count = 0
        with nogil:
            status = dame_probe_moves(self.handle, &position, 0, moves, DAME_MOVES_MAX, &count, &error)
        if status != DAME_STATUS_OK:
            raise LookupError(error.text.decode())
        return (dame_move_text(&moves[0], text).decode(), moves[0].wdl) if count else None
