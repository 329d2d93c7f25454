"""Tables that hold nothing, for what only needs to have tables."""

import dame_fast._native as _native
from dame_fast.errors import MissingTableError
from dame_fast.position.position import Position
from dame_fast.tables.metric import METRICS


class NoTables:
    """Open tables (`dame_fast.tables.perfect.Tables`) without a single one."""

    variant = "english"
    draw_rule = None

    def probe_position(self, position: Position, metric: str, clock: int = 0) -> tuple[int, int | None]:
        """Refuse every position."""
        raise MissingTableError(f"no {metric} table")

    def move_values(self, position: Position, clock: int = 0) -> list[_native.MoveValue]:
        """Know of no move."""
        moves = _native.legal_moves(self.variant, position)
        return [_native.MoveValue(None, (None,) * len(METRICS), 0, 0, False, "no tables") for _ in moves]
