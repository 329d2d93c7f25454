"""The command `dame-fast`.

A module holds one or two commands and lists them in `COMMANDS`; here they are put together.
"""

from dame_fast.cli import build, line, longest, merge, moves, plan, play, probe, stats, variants, verify
from dame_fast.cli.app import main_group, run

for module in (build, plan, moves, probe, line, longest, play, merge, verify, stats, variants):
    for command in module.COMMANDS:
        main_group.add_command(command)

__all__ = ["main_group", "run"]
