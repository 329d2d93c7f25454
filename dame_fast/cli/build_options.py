"""What `plan` and `build` have in common: the options that say which tables, and what they may take."""

import click

from dame_fast.cli.options import (
    Decorated,
    directories,
    draw_rule_options,
    offer,
    slices_options,
    threads_option,
    variant_option,
)
from dame_fast.rules.draw_rule import RulePlies
from dame_fast.tables.material import Material
from dame_fast.tables.metric import METRICS


class Wanted(RulePlies):
    """Which tables are wanted, and with how many threads: arguments of `make_plan` and of `build`."""

    variant: str
    pieces: int | None
    slices: tuple[Material, ...]
    threads: int | None
    metric: str | None


def build_options(command: Decorated) -> Decorated:
    """Add the parameters of `Wanted`, `memory` (GiB, None: all) and `out` (a directory) to a command."""
    for option in reversed(
        (
            slices_options("All slices of 2 to N pieces.", "Only these slices, and all that they depend on."),
            variant_option("Rule set"),
            click.option(
                "--metric",
                metavar="|".join(METRICS),
                shell_complete=offer(lambda: METRICS),
                help="What to find out (see docs/metrics.md). [default: wdl, with a draw rule the one that it needs]",
            ),
            draw_rule_options("Build tables that are exact under"),
            threads_option(),
            click.option(
                "--memory",
                type=float,
                metavar="GiB",
                help="Use no more memory than this. [default: what is available]",
            ),
            click.option(
                "--out",
                default="tables",
                show_default=True,
                metavar="DIR",
                shell_complete=directories,
                help="Directory to write into.",
            ),
        )
    ):
        command = option(command)
    return command
