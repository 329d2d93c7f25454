"""The command `dame-fast`.

A module holds one or two commands and lists them in `COMMANDS`; here they are put together.
"""

from dame_fast.cli import build, moves, probe, stats, verify
from dame_fast.cli.app import main_group, run

for command in (*build.COMMANDS, *moves.COMMANDS, *probe.COMMANDS, *verify.COMMANDS, *stats.COMMANDS):
    main_group.add_command(command)

__all__ = ["main_group", "run"]
