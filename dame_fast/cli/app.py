"""The frame of the command line: the group of all commands, and what errors turn into.

An error is one line `dame-fast: <text>` on stderr and a status (`dame_fast.cli.status`).
"""

import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from typing import Final

import click
from click.shell_completion import shell_complete

from dame_fast.cli.options import examples
from dame_fast.cli.output import PROGRAM, write_error
from dame_fast.cli.status import DONE, FAILED, INTERRUPTED, READER_GONE, exit_status
from dame_fast.errors import ArgumentError, DameError, quote
from dame_fast.version import __version__

COMPLETION: Final = "_DAME_FAST_COMPLETE"
"""Environment variable in which a shell says that it wants to complete a line (README.md)."""


@click.group(
    name=PROGRAM,
    no_args_is_help=False,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog=examples("dame-fast probe W:WK19,K23:BK28", "dame-fast COMMAND --help")
    + "\n\nExit status: 0 done, 1 failed, 2 bad input, 3 missing table, 4 damaged table, 130 Ctrl-C.",
)
@click.version_option(__version__, prog_name=PROGRAM, message="%(prog)s %(version)s")
def main_group() -> None:
    """Endgame databases and perfect play for checkers (English draughts)."""


def run(arguments: Sequence[str] | None = None) -> int:
    """Run a command, by default the one of this process, and return its exit status."""
    try:
        try:
            wish = os.environ.get(COMPLETION)
            if wish is not None:
                return _complete(wish)
            given = sys.argv[1:] if arguments is None else list(arguments)
            with main_group.make_context(PROGRAM, given) as context:
                main_group.invoke(context)
        except click.exceptions.Exit as end:
            return end.exit_code
        finally:
            if sys.stdout is not None:
                sys.stdout.flush()
    except BrokenPipeError:
        _drop_output()
        return READER_GONE
    except (KeyboardInterrupt, click.Abort):
        return _fail("interrupted", INTERRUPTED)
    except click.ClickException as error:
        return _fail(_usage_text(error), error.exit_code)
    except DameError as error:
        return _fail(str(error), exit_status(error))
    except OSError as error:
        _drop_output()
        return _fail(_system_text(error), FAILED)
    except MemoryError:
        return _fail("not enough memory", FAILED)
    return DONE


def _complete(wish: str) -> int:
    """Print the script that makes a shell complete ("bash_source"), or what it offers ("bash_complete")."""
    if shell_complete(main_group, {}, PROGRAM, COMPLETION, wish) != 0:
        shells = " or ".join(f"{shell}_source" for shell in ("bash", "zsh", "fish"))
        raise ArgumentError(f"{COMPLETION} must be {shells}, not {quote(wish)}")
    return DONE


def _fail(text: str, status: int) -> int:
    with suppress(OSError):
        write_error(text)
    return status


def _usage_text(error: click.ClickException) -> str:
    text = error.format_message().rstrip(".")
    if isinstance(error, click.UsageError) and error.ctx is not None:
        text += f" (see {error.ctx.command_path} --help)"
    return text


def _system_text(error: OSError) -> str:
    """Return what the system says, in plain words."""
    reason = error.strerror or str(error)
    return f"{os.fsdecode(error.filename)}: {reason}" if error.filename else reason


def _drop_output() -> None:
    """Send what is still in the buffer of stdout nowhere; the end of the process would fail on it."""
    with suppress(OSError, ValueError, AttributeError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)
