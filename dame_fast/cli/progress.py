"""How far work is, on stderr: bars in a terminal; elsewhere a line for every part that is done.

37/85 slices             ━━━━━━━━━━━━━━━╸━━━━━━  71 %   0:00:12  0:00:05 left
write KKMvKM             ━━━━━━━━━━━━━━╸━━━━━━━  67 %        12.3 M positions/s
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from time import monotonic
from types import TracebackType
from typing import Any, Final

import click
from rich.console import Console, RenderableType
from rich.progress import BarColumn, Progress, ProgressColumn, Task, TaskID
from rich.text import Text

from dame_fast.cli.output import write_error
from dame_fast.progress import SilentProgress

_NAME: Final = 24
_BAR: Final = 22
"""Widths of columns: no line is longer than a terminal of 80 columns, and nothing jumps."""

_SURE: Final = 1.0
"""Seconds after which the rest can be estimated."""


def clock_text(seconds: float) -> str:
    """Return a time as a clock shows it.

    >>> clock_text(5.9), clock_text(200_000)
    ('0:00:05', '55:33:20')
    """
    minutes, rest = divmod(int(seconds), 60)
    return f"{minutes // 60}:{minutes % 60:02}:{rest:02}"


def times_text(elapsed: float, done: float, total: float | None) -> str:
    """Return the seconds that something has taken, and those that the rest will take at the same speed.

    >>> times_text(20, 100, 250), times_text(20, 0, 250)
    (' 0:00:20   0:00:30 left', ' 0:00:20               ')
    """
    left = ""
    if done and total is not None and elapsed >= _SURE:
        left = f"{clock_text(elapsed * max(total - done, 0) / done)} left"
    return f"{clock_text(elapsed):>8} {left:>14}"


class Account:
    """How much of some work is done."""

    def __init__(self, name: str, measure: str, total: int, parts: int) -> None:
        self.measure = measure
        self.total = total
        self.done = self.parts_done = 0
        self._name = name
        self._parts = parts
        self._start = monotonic()

    @property
    def name(self) -> str:
        """What is done, and how many parts of it have been."""
        return f"{self.parts_done:>{len(str(self._parts))}}/{self._parts} {self._name}" if self._parts else self._name

    @property
    def line(self) -> str:
        """The line for work without bars; its columns do not move while work goes on."""
        percent = 100 * self.done // self.total if self.total else 100
        return f"{self.name} {percent:>4} % {times_text(monotonic() - self._start, self.done, self.total)}"


class WorkProgress(SilentProgress):
    """Shows on stderr how far work is: a context manager, and a `Progress` for one piece of work after the other."""

    def __init__(self) -> None:
        self._console = Console(stderr=True)
        self._account = Account("", "", 0, 0)
        self._bars: _Bars | None = None

    def __enter__(self) -> "WorkProgress":
        return self

    def __exit__(
        self, error_type: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.end()

    def start(self, name: str, measure: str, total: int, parts: int = 0) -> None:
        """Show empty bars."""
        self.end()
        self._account = Account(name, measure, total, parts)
        if self._console.is_terminal:
            self._bars = _Bars(self._account, self._console)

    def rename(self, name: str, total: int | None = None) -> None:
        """Show an empty bar for a part of the work."""
        if self._bars is not None:
            self._bars.rename(name, total)

    def reach(self, done: int) -> None:
        """Move the bars on."""
        self._account.done = done
        if self._bars is not None:
            self._bars.move()

    def end(self) -> None:
        """Take the bars away."""
        if self._bars is not None:
            self._bars.stop()
            self._bars = None

    def finish(self, parts: Sequence[str], record: Mapping[str, Any]) -> None:
        """Count the parts; where there are no bars, print a line. Reading bytes is not worth one."""
        self._account.parts_done += len(parts)
        if self._bars is not None:
            self._bars.move()
        elif self._account.measure != "B":
            click.echo(f"{self._account.line}  {' '.join(parts)}", err=True)

    def status(self, text: str) -> None:
        """Show a line under the bars."""
        if self._bars is not None:
            self._bars.status = text

    def note(self, text: str) -> None:
        """Print the line above the bars."""
        write_error(text)


class LoggedProgress(WorkProgress):
    """The same for a build; `log` is the name of a file that gets one line of JSON for every slice pair, or None."""

    def __init__(self, log: Path | None) -> None:
        super().__init__()
        self.records: list[Mapping[str, Any]] = []
        """What became of every slice pair."""
        self._log = None if log is None else log.open("a", encoding="utf-8")

    def __exit__(
        self, error_type: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        super().__exit__(error_type, value, trace)
        if self._log is not None:
            self._log.close()

    def __enter__(self) -> "LoggedProgress":
        return self

    def finish(self, parts: Sequence[str], record: Mapping[str, Any]) -> None:
        """Remember the pair, and write its line of the log."""
        super().finish(parts, record)
        if "positions" not in record:
            return  # a file that was there already
        self.records.append(record)
        self.log(record)

    def log(self, record: Mapping[str, Any]) -> None:
        """Write a line of the log."""
        if self._log is not None:
            self._log.write(json.dumps(record) + "\n")
            self._log.flush()


class _Bars:
    """Two bars: for all of the work, and for what is done just now."""

    def __init__(self, account: Account, console: Console) -> None:
        self._account = account
        self._before = 0  # done when the part began
        self.status = ""
        self._progress = _Lines(
            self,
            _NameColumn(),
            BarColumn(bar_width=_BAR),
            _PercentColumn(),
            _TimesColumn(),
            console=console,
            transient=True,
        )
        self._all: TaskID = self._progress.add_task(account.name, total=account.total)
        self._part: TaskID = self._progress.add_task("", total=None, visible=False)
        self._progress.start()

    def rename(self, name: str, total: int | None) -> None:
        self._before = self._account.done
        self._progress.reset(self._part, total=total, visible=True, description=name)

    def move(self) -> None:
        self._progress.update(self._all, completed=self._account.done, description=self._account.name)
        self._progress.update(self._part, completed=self._account.done - self._before)

    def stop(self) -> None:
        self._progress.stop()


class _Lines(Progress):
    """Bars, and under them a line of text."""

    def __init__(self, bars: _Bars, *columns: ProgressColumn, console: Console, transient: bool) -> None:
        self._shown = bars
        super().__init__(*columns, console=console, transient=transient)

    def get_renderables(self) -> Iterable[RenderableType]:
        """Return both."""
        yield from super().get_renderables()
        if self._shown.status:
            yield Text(self._shown.status, no_wrap=True, overflow="ellipsis")


class _NameColumn(ProgressColumn):
    def render(self, task: Task) -> Text:
        return Text(f"{task.description:<{_NAME}.{_NAME}}")


class _PercentColumn(ProgressColumn):
    def render(self, task: Task) -> Text:
        return Text("     " if task.total is None else f"{int(task.percentage):>3} %")


class _TimesColumn(ProgressColumn):
    def render(self, task: Task) -> Text:
        return Text(times_text(task.elapsed or 0, task.completed, task.total))
