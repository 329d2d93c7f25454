# Rule sets on all 64 squares: src/altdeutsch.

def altdeutsch_variants():
    cdef int i = 0
    found = []
    while altdeutsch_rules_at(i) != NULL:
        found.append(rule_facts(altdeutsch_rules_at(i), &ALTDEUTSCH_BOARD, "altdeutsch"))
        i += 1
    return found


def altdeutsch_moves(facts, position):
    return list_altdeutsch_moves(facts, position, False)


def altdeutsch_move_paths(facts, position):
    return list_altdeutsch_moves(facts, position, True)


cdef list list_altdeutsch_moves(facts, position, bint paths):
    """The legal moves, or the number of orders of jumps of each."""
    cdef move_rules played = to_move_rules(facts)
    cdef c_position seen = turn_on_board(ALTDEUTSCH_BOARD.squares, position)
    cdef bint white = position[4]
    cdef int squares = ALTDEUTSCH_BOARD.squares
    cdef altdeutsch_move_list found
    cdef dame_status status
    cdef const altdeutsch_move *one
    cdef int i, j
    memset(&found, 0, sizeof(found))
    try:
        status = find_altdeutsch_moves(&played, &seen, &found)
        if status != DAME_OK:
            raise_moves(status)
        if paths:
            return [found.moves[i].paths for i in range(found.count)]
        moves = []
        for i in range(found.count):
            one = &found.moves[i]
            path = tuple([squares - one.path[j] if white else one.path[j] + 1 for j in range(one.length)])
            captured = bits_reverse(one.captured, squares) if white else one.captured
            moves.append((path, captured, bool(one.crowned), bool(one.by_king)))
        return moves
    finally:
        altdeutsch_moves_free(&found)


def altdeutsch_perft(facts, position, int depth, bint paths, Cancel cancel not None):
    cdef move_rules played = to_move_rules(facts)
    cdef c_position seen = turn_on_board(ALTDEUTSCH_BOARD.squares, position)
    cdef leaf_count count
    cdef dame_status status
    with nogil:
        status = c_altdeutsch_perft(&played, &seen, depth, paths, &cancel.flag, &count)
    if status != DAME_OK:
        raise_perft(status, depth)
    return int_of(count)
