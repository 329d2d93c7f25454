"""How moves and FENs are written: numbers or letters, the sign of a capture, and where a file has square 1.

Inside the library squares are always numbered from the top left (rule book, section 1). PDN files of GameType 24,
28 and 31 number them from White's right hand, s -> 33 - s; `file_style` is how such a file is read and written.
"""

from dataclasses import dataclass
from typing import Final, Literal

from dame_fast.arguments import check_choice, check_number, check_text, check_type
from dame_fast.errors import ArgumentError
from dame_fast.position.squares import algebraic_name, read_square
from dame_fast.rules.find import find_rules
from dame_fast.rules.rules import Rules

_ROWS: Final = 8


@dataclass(frozen=True, slots=True)
class Style:
    """A way of writing squares and moves. All its methods raise `ArgumentError` for wrong arguments.

    >>> from dame_fast.board.board import Board
    >>> board = Board("W:WK30:B10,15,18,25,26")
    >>> [sorted(board.pdn(move, style) for move in board.legal_moves) for style in (NUMERIC, ALGEBRAIC)]
    [['30x21', '30x7'], ['c1xa3', 'c1xe7']]
    """

    algebraic: bool = False
    """Squares are written `c3`; on 8x8 boards alone."""
    capture: Literal["x", ":"] = "x"
    """What stands between the squares of a capture."""
    turned: bool = False
    """Numbers start at White's right hand: 33 less the number of the library."""

    def __post_init__(self) -> None:
        """Check the types; a style is often made by hand."""
        check_choice("the sign of a capture", self.capture, ("x", ":"))
        check_type("algebraic", self.algebraic, bool, "True or False")
        check_type("turned", self.turned, bool, "True or False")

    def number(self, square: int, rules: Rules) -> int:
        """Return the number of a square in this style, or the square of a number."""
        check_type("the rules", rules, Rules, "Rules")
        square = check_number("a square", square, 1, rules.squares)
        return rules.squares + 1 - square if self.turned else square

    def write_square(self, square: int, rules: Rules) -> str:
        """Return the text of a square.

        Raises `ArgumentError` as well for letters on a board that has none.

        >>> from dame_fast.rules.find import find_rules
        >>> [style.write_square(1, find_rules("spanish")) for style in (NUMERIC, ALGEBRAIC, Style(turned=True))]
        ['1', 'a8', '32']
        """
        number = self.number(square, rules)
        if not self.algebraic:
            return str(number)
        if rules.rows != _ROWS:
            raise ArgumentError(f"squares of a {rules.board} board have no algebraic names")
        return algebraic_name(square, rules)

    def read_square(self, text: str, rules: Rules) -> int:
        """Read a number of this style, or on 8x8 boards an algebraic name."""
        check_type("the rules", rules, Rules, "Rules")
        square = read_square(check_text("a square", text), rules)
        return self.number(square, rules) if text.isdigit() else square

    def with_letters(self) -> "Style":
        """Return the style of the same sign whose squares are letters: what texts of towers and altdeutsch have.

        >>> Style(capture=":", turned=True).with_letters()
        Style(algebraic=True, capture=':', turned=False)
        """
        return Style(algebraic=True, capture=self.capture)


NUMERIC: Final = Style()
"""`11-15`, `11x18`: numbers from the top left."""

ALGEBRAIC: Final = Style(algebraic=True)
"""`c3-d4`, `c3xe5`."""


def file_style(rules: str | Rules) -> Style:
    """Return how PDN files of a rule set, or of the rule set of that name, write moves.

    Raises `VariantError` as `find_rules` does.

    >>> file_style("russian")
    Style(algebraic=True, capture=':', turned=False)
    >>> file_style("spanish")
    Style(algebraic=False, capture='x', turned=True)
    """
    rules = find_rules(rules)
    return Style(
        algebraic=rules.notation == "algebraic",
        capture=":" if rules.root == "russian" else "x",
        turned=rules.numbering == "bottom_right",
    )
