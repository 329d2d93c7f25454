"""Options and arguments that several commands share."""

from collections.abc import Callable
from typing import Final, TypeVar

import click

from dame_fast.rules.draw_rule import DRAW_COUNTERS, DrawRule, plies_of
from dame_fast.rules.registry import known_variants

Decorated = TypeVar("Decorated", bound=Callable[..., object])


def examples(*commands: str) -> str:
    """Return the last part of a help text: commands to try."""
    title = "Example:" if len(commands) == 1 else "Examples:"
    return "\n".join(["\b", title, *(f"  {command}" for command in commands)])


def variant_option(help_text: str, default: str | None = "english") -> Callable[[Decorated], Decorated]:
    """Return the option `--variant`; its value is checked where it is used."""
    return click.option(
        "--variant",
        default=default,
        show_default=default is not None,
        metavar="NAME",
        help=f"{help_text}: {known_variants()}.",
    )


def json_option(help_text: str) -> Callable[[Decorated], Decorated]:
    """Return the flag `--json`, the parameter `as_json`."""
    return click.option("--json", "as_json", is_flag=True, help=help_text)


def threads_option() -> Callable[[Decorated], Decorated]:
    """Return the option `--threads`; None means all processors that the process may use."""
    return click.option("--threads", type=int, metavar="T", help="Threads to use. [default: all processors]")


def db_option() -> Callable[[Decorated], Decorated]:
    """Return the option `--db`."""
    return click.option("--db", metavar="DIR", help="Directory of the tables. [default: those of the package]")


def draw_rule_options(what: str) -> Callable[[Decorated], Decorated]:
    """Return the options of all draw rules, such as `--draw-plies`; `what` is done for a draw after ..."""

    def add(command: Decorated) -> Decorated:
        for counter, page in reversed(DRAW_COUNTERS.items()):
            option = f"--{counter.replace('_', '-')}"
            command = click.option(option, type=int, metavar="N", help=f"{what} a draw after N plies {page['about']}.")(
                command
            )
        return command

    return add


TABLES_OF_RULE: Final = "Take the tables for"
"""What commands that read tables do for a draw rule."""


def draw_rule_record(rule: DrawRule | None) -> dict[str, int | None]:
    """Return what JSON output says of a draw rule: the plies of each counter, None where there is no such rule."""
    return {counter: plies_of(rule, counter) for counter in DRAW_COUNTERS}
