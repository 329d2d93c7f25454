"""Endgame databases and perfect play for checkers (English draughts).

Names are imported when they are used, so that a program starts at once, and Ctrl-C finds it ready. Type checkers read
`__init__.pyi`, which `tests/draw_face.py` makes from the same list.
"""

import sys

_NAMES_OF = {
    "dame_fast.board.board": ("Board",),
    "dame_fast.board.perft": ("perft",),
    "dame_fast.build.builder": ("build",),
    "dame_fast.errors": (
        "ArgumentError",
        "BuildError",
        "CorruptTableError",
        "DameError",
        "MissingTableError",
        "MoveError",
        "PositionError",
        "VariantError",
    ),
    "dame_fast.game.game": ("Game",),
    "dame_fast.headers": ("get_include",),
    "dame_fast.position.move": ("Move",),
    "dame_fast.rules.find": ("find_game_type", "find_rules"),
    "dame_fast.rules.registry": ("variants",),
    "dame_fast.rules.rules": ("BLACK", "WHITE", "Rules"),
    "dame_fast.tables.material": ("Material", "slices"),
    "dame_fast.tables.perfect": ("PerfectPlayer",),
    "dame_fast.tables.results": ("MoveResult",),
    "dame_fast.tables.tablebase": ("Tablebase", "open_tablebase"),
    "dame_fast.text.style": ("ALGEBRAIC", "NUMERIC", "Style", "file_style"),
    "dame_fast.version": ("__version__",),
}
"""The modules that names come from."""

_MODULE_OF = {name: module for module, names in _NAMES_OF.items() for name in names}

__all__ = sorted(_MODULE_OF)

_Module = type(sys)


class _Face(_Module):
    """Of this module: its `build` is the function, also where a part of the package of that name is imported."""

    def __setattr__(self, name: str, value: object) -> None:
        if name != "build" or not isinstance(value, _Module):
            super().__setattr__(name, value)

    def __dir__(self) -> list[str]:
        return sorted({*super().__dir__(), *__all__})


sys.modules[__name__].__class__ = _Face


def __getattr__(name: str) -> object:
    """Import a name, and keep it."""
    if name not in _MODULE_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    __import__(_MODULE_OF[name])
    value = globals()[name] = getattr(sys.modules[_MODULE_OF[name]], name)
    return value
