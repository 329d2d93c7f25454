"""Options and arguments that several commands share."""

from collections.abc import Callable
from typing import TypeVar

import click

from dame_fast.rules.registry import known_variants
from dame_fast.tables.files import METRICS
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
        help=f"{help_text}: {known_variants()}.",
    )


def build_options(command: Decorated) -> Decorated:
    """Add the options of commands that build, or say what a build takes."""
    for option in reversed(
        (
            click.option("--pieces", type=int, metavar="N", help="All slices of 2 to N pieces."),
            click.option(
                "--slices",
                callback=_slices,
                metavar="KKvK,...",
                help="Only these slices, and all that they depend on.",
            ),
            variant_option("Rule set"),
            click.option(
                "--metric",
                metavar="|".join(METRICS),
                help="What to find out (see docs/metrics.md). [default: wdl, with --draw-plies dtz]",
            ),
            click.option("--draw-plies", type=int, metavar="N", help="N quiet plies are an automatic draw."),
            threads_option(),
            click.option(
                "--memory",
                type=float,
                metavar="GiB",
                help="Use no more memory than this. [default: what is available]",
            ),
            click.option("--out", default="tables", show_default=True, metavar="DIR", help="Directory to write into."),
        )
    ):
        command = option(command)
    return command


def _slices(context: click.Context, parameter: click.Parameter, text: str | None) -> tuple[Material, ...]:
    return () if text is None else tuple(Material.parse(name.strip()) for name in text.split(","))


def json_option(help_text: str) -> Callable[[Decorated], Decorated]:
    """Return the flag `--json`, the parameter `as_json`."""
    return click.option("--json", "as_json", is_flag=True, help=help_text)


def threads_option() -> Callable[[Decorated], Decorated]:
    """Return the option `--threads`; None means all processors that the process may use."""
    return click.option("--threads", type=int, metavar="T", help="Threads to use. [default: all processors]")


def db_option() -> Callable[[Decorated], Decorated]:
    """Return the option `--db`."""
    return click.option("--db", metavar="DIR", help="Directory of the tables. [default: those of the package]")


def draw_plies_option() -> Callable[[Decorated], Decorated]:
    """Return the option `--draw-plies` of commands that read tables."""
    return click.option(
        "--draw-plies", type=int, metavar="N", help="Take the tables for a draw after N plies. [default: no such rule]"
    )
