"""Options and arguments that several commands share."""

from collections.abc import Callable, Iterable
from typing import Final, TypeVar

import click
from click.shell_completion import CompletionItem

from dame_fast.rules.draw_rule import DRAW_COUNTERS
from dame_fast.rules.registry import variants
from dame_fast.tables.material import Material

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
        shell_complete=offer(variants),
        help=f"{help_text} (see dame-fast variants).",
    )


def directories(context: click.Context, parameter: click.Parameter, begun: str) -> list[CompletionItem]:
    """Let the shell complete the name of a directory."""
    return [CompletionItem(begun, type="dir")]


def files(context: click.Context, parameter: click.Parameter, begun: str) -> list[CompletionItem]:
    """Let the shell complete the name of a file."""
    return [CompletionItem(begun, type="file")]


def offer(names: Callable[[], Iterable[str]]) -> Callable[[click.Context, click.Parameter, str], list[CompletionItem]]:
    """Return what completes one of some names."""

    def complete(context: click.Context, parameter: click.Parameter, begun: str) -> list[CompletionItem]:
        return [CompletionItem(name) for name in names() if name.startswith(begun)]

    return complete


def slices_options(pieces_help: str, slices_help: str) -> Callable[[Decorated], Decorated]:
    """Return the options `--pieces` and `--slices`, which say which slices are meant."""

    def add(command: Decorated) -> Decorated:
        command = click.option("--slices", callback=_slices, metavar="KKvK,...", help=slices_help)(command)
        return click.option("--pieces", type=int, metavar="N", help=pieces_help)(command)

    return add


def _slices(context: click.Context, parameter: click.Parameter, text: str | None) -> tuple[Material, ...]:
    return () if text is None else tuple(Material.parse(name.strip()) for name in text.split(","))


def json_option(help_text: str) -> Callable[[Decorated], Decorated]:
    """Return the flag `--json`, the parameter `as_json`."""
    return click.option("--json", "as_json", is_flag=True, help=help_text)


def threads_option() -> Callable[[Decorated], Decorated]:
    """Return the option `--threads`; None means all processors that the process may use."""
    return click.option("--threads", type=int, metavar="T", help="Threads to use. [default: all processors]")


def db_option() -> Callable[[Decorated], Decorated]:
    """Return the option `--db`, which may be repeated; None if it is not given."""
    return click.option(
        "--db",
        metavar="DIR",
        multiple=True,
        callback=lambda context, parameter, given: given or None,
        shell_complete=directories,
        help="Directory of tables; may be repeated. [default: those in DAME_TABLES, or of the package]",
    )


def draw_rule_options(what: str) -> Callable[[Decorated], Decorated]:
    """Return the options of all draw rules, such as `--draw-plies`; `what` is done for a draw after ..."""

    def add(command: Decorated) -> Decorated:
        for page in reversed(DRAW_COUNTERS.values()):
            command = click.option(
                page["option"], type=int, metavar="N", help=f"{what} a draw after N plies {page['about']}."
            )(command)
        return command

    return add


TABLES_OF_RULE: Final = "Take the tables for"
"""What commands that read tables do for a draw rule."""
