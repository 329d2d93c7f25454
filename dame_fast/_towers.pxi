# Rule sets with towers: src/towers.

cdef const tower_rules *find_tower_rules(str variant) except NULL:
    cdef const tower_rules *found = tower_rules_find(name_bytes(variant))
    if found == NULL:
        raise VariantError(f"no variant with towers: {quote(variant)}")
    return found


cdef c_tower_position to_towers(given) except *:
    """From the text of every stack, top first, and the side to move."""
    cdef c_tower_position found
    cdef c_tower_piece piece
    cdef int i
    stacks, white = given
    if len(stacks) != TOWER_SQUARES or sum(map(len, stacks)) > TOWER_PIECES_MAX:
        raise ArgumentError(f"not a board of towers: {quote(repr(stacks))}")
    found.white_to_move = white
    for i in range(TOWER_SQUARES):
        found.stacks[i] = c_stack(0, 0, 0)
        for letter in stacks[i]:
            if letter not in "wbWB":
                raise ArgumentError(f"not a stack: {quote(stacks[i])}")
            piece.white = letter in "wW"
            piece.king = letter in "WB"
            stack_put_under(&found.stacks[i], piece)
    return found


def tower_variants():
    cdef int i = 0
    found = []
    while tower_rules_at(i) != NULL:
        found.append(rule_facts(&tower_rules_at(i).rules, &TOWER_BOARD, "towers"))
        i += 1
    return found


def tower_moves(str variant, position):
    return list_tower_moves(variant, position, False)


def tower_move_paths(str variant, position):
    return list_tower_moves(variant, position, True)


cdef list list_tower_moves(str variant, position, bint paths):
    """The legal moves, or the number of orders of jumps of each."""
    cdef const tower_rules *rule = find_tower_rules(variant)
    cdef c_tower_position seen = to_towers(position)
    cdef tower_move_list *found = <tower_move_list *>malloc(sizeof(tower_move_list))
    cdef dame_status status
    cdef const tower_move *one
    cdef int i, j
    if found == NULL:
        raise MemoryError
    try:
        status = find_tower_moves(rule, &seen, found)
        if status != DAME_OK:
            raise_moves(status)
        if paths:
            return [found.moves[i].paths for i in range(found.count)]
        moves = []
        for i in range(found.count):
            one = &found.moves[i]
            path = tuple([one.path[j] + 1 for j in range((one.jumps or 1) + 1)])
            jumped = tuple([one.jumped[j] + 1 for j in range(one.jumps)])
            moves.append((path, jumped, bool(one.crowned), bool(one.by_king)))
        return moves
    finally:
        free(found)


def tower_perft(str variant, position, int depth, bint paths, Cancel cancel not None):
    cdef const tower_rules *rule = find_tower_rules(variant)
    cdef c_tower_position seen = to_towers(position)
    cdef leaf_count count
    cdef dame_status status
    with nogil:
        status = c_tower_perft(rule, &seen, depth, paths, &cancel.flag, &count)
    if status != DAME_OK:
        raise_perft(status, depth)
    return int_of(count)
