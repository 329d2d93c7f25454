# Rule sets on all 64 squares: src/altdeutsch.

cdef c_altdeutsch_position to_altdeutsch(given) except *:
    """From the board as it lies to the position seen by the side to move."""
    cdef uint64_t own_men, own_kings, other_men, other_kings
    cdef c_altdeutsch_position seen
    own_men, own_kings, other_men, other_kings, white = given
    seen.own_men = bits_reverse(own_men, 64) if white else own_men
    seen.own_kings = bits_reverse(own_kings, 64) if white else own_kings
    seen.other_men = bits_reverse(other_men, 64) if white else other_men
    seen.other_kings = bits_reverse(other_kings, 64) if white else other_kings
    return seen


def altdeutsch_variants():
    cdef int i = 0
    found = []
    while altdeutsch_rules_at(i) != NULL:
        found.append(rule_facts(altdeutsch_rules_at(i), &ALTDEUTSCH_BOARD, "altdeutsch"))
        i += 1
    return found


def altdeutsch_moves(facts, position):
    cdef move_rules played = to_move_rules(facts)
    cdef c_altdeutsch_position seen = to_altdeutsch(position)
    cdef bint white = position[4]
    cdef altdeutsch_move_list found
    cdef dame_status status
    cdef const altdeutsch_move *one
    cdef int i, j
    memset(&found, 0, sizeof(found))
    try:
        status = find_altdeutsch_moves(&played, &seen, &found)
        if status != DAME_OK:
            raise_status(status)
        moves = []
        for i in range(found.count):
            one = &found.moves[i]
            path = tuple([64 - one.path[j] if white else one.path[j] + 1 for j in range(one.length)])
            captured = bits_reverse(one.captured, 64) if white else one.captured
            moves.append((path, captured, bool(one.crowned), bool(one.by_king)))
        return moves
    finally:
        altdeutsch_moves_free(&found)


def altdeutsch_perft(facts, position, int depth, bint paths, Cancel cancel not None):
    cdef move_rules played = to_move_rules(facts)
    cdef c_altdeutsch_position seen = to_altdeutsch(position)
    cdef uint64_t count = 0
    cdef dame_status status
    with nogil:
        status = c_altdeutsch_perft(&played, &seen, depth, paths, &cancel.flag, &count)
    if status != DAME_OK:
        raise_status(status)
    return count
