"""Which tasks a build consists of, and which of them can be done now."""

from bisect import insort
from collections.abc import Collection, Set
from dataclasses import dataclass, field
from typing import Final

from dame_fast.build.cluster.tasks import CHECK, LOAD, MAKE, SOLVE, WRITE, Task, Values
from dame_fast.build.cluster.units import Units, part_names, steps_of, whole_of
from dame_fast.build.plan import Pair, Plan
from dame_fast.tables.files import TableName
from dame_fast.tables.material import Material

MAKE_MOST: Final = 1 << 22
"""A pair of so many values is one task."""

LEAD: Final = 6
"""Pairs that may be solved before the tables of an earlier one are written: the later ones wait for values, not for
tables, but work files stay until all is written."""

_LOOKS: Final = 8  # tasks that are looked through for one of the pair that a worker has in memory


@dataclass(slots=True)
class _Step:
    """Parts that can be made at the same time, and those of them that are not there."""

    parts: tuple[Units, ...]
    undone: set[Units]


@dataclass(slots=True)
class _State:
    """What is left to do for one pair."""

    pair: Pair
    number: int
    tables: list[TableName]  # that are not published; none if the pair is loaded for others alone
    steps: list[_Step]  # that are not done
    count: int  # of all steps
    whole: Values  # where its values are when all steps are done
    needs: frozenset[int]  # pairs that its moves lead to
    waits_for: set[int]  # those of them that others cannot read yet
    users: set[int] = field(default_factory=set)  # pairs that may still read its values
    is_loaded: bool = False
    is_checked: bool = False
    needed: tuple[Values, ...] | None = None  # where the values of those pairs are; the same for all its tasks

    @property
    def is_complete(self) -> bool:
        """Whether others can read its values."""
        return not self.steps

    @property
    def is_settled(self) -> bool:
        """Whether nothing is left to do for it."""
        return self.is_complete and not self.tables


class TaskGraph:
    """The tasks of a build. Whoever takes one says that it is finished, or gives it back."""

    def __init__(
        self, plan: Plan, missing: Collection[TableName], there: Set[str] = frozenset(), *, make_most: int = MAKE_MOST
    ) -> None:
        """Lay out what makes the `missing` tables; `there`: names of whole parts, which need not be made again."""
        self._plan = plan
        self._make_most = make_most
        self._ready: list[tuple[int, int, int, Task]] = []
        self._pushed = 0
        self._states = self._lay_out(frozenset(missing), there)
        self._unsettled = 0
        for state in self._states.values():
            self._unsettled += not state.is_settled
            if not state.is_settled:  # else nothing is read for it
                state.waits_for = {number for number in state.needs if not self._states[number].is_complete}
                for needed in state.needs:
                    self._states[needed].users.add(state.number)
        for state in list(self._states.values()):
            if state.is_settled:
                self._release(state)
            else:
                self._advance(state)

    @property
    def is_done(self) -> bool:
        """Whether nothing is left."""
        return self._unsettled == 0

    @property
    def work(self) -> int:
        """Positions that are left to do, each once for solving it and once for every table."""
        left = 0
        for state in self._states.values():
            undone = sum(units.values for step in state.steps for units in step.undone)
            left += 0 if state.is_loaded else state.pair.positions * undone // state.pair.values
            left += sum(self._plan.writing(table) for table in state.tables)
        return left

    @property
    def ready(self) -> int:
        """How many tasks can be taken now."""
        return len(self._ready)

    def take(self, last: Material | None = None) -> Task | None:
        """Return a task that can be done now, or None; of the pair `last` if there is one that is nearly as urgent."""
        while self._ready:
            near = (number for number, item in enumerate(self._ready[:_LOOKS]) if item[3].pair.material == last)
            task = self._ready.pop(next(near, 0))[3]
            if self.is_open(task):  # not done meanwhile by a worker that was given up
                return task
        return None

    def give_back(self, task: Task) -> None:
        """Let a task be taken again that was not done after all; nothing happens if it is done or can be taken."""
        if self.is_open(task) and all(task != item[3] for item in self._ready):
            self._push(task)

    def finish(self, task: Task) -> list[Values]:
        """Take note that an open task is done; return the values that nobody needs any more."""
        state = self._states[self._number(task.pair)]
        was_settled = state.is_settled
        if task.kind == WRITE and task.table in state.tables:
            state.tables.remove(task.table)
        elif task.kind == MAKE:
            state.tables.clear()
            state.steps.clear()
        elif task.kind == CHECK and not state.is_checked:
            state.is_checked = True
            self._push_tables(state)
        elif task.kind in (SOLVE, LOAD) and task.units is not None and state.steps:
            state.steps[0].undone.discard(task.units)
            if not state.steps[0].undone:
                state.steps.pop(0)
                self._advance(state)
        if task.kind == MAKE:
            self._advance(state)
        if was_settled or not state.is_settled:
            return []
        self._unsettled -= 1
        return self._release(state)

    def is_open(self, task: Task) -> bool:
        """Tell whether a task has not been done yet."""
        state = self._states.get(self._number(task.pair))
        if state is None:
            return False
        if task.kind == WRITE:
            return task.table in state.tables
        if task.kind == CHECK:
            return state.is_complete and bool(state.tables) and not state.is_checked
        return any(task.units in step.undone for step in state.steps)

    def _number(self, pair: Pair) -> int:
        return self._plan.numbers[pair.material]

    def _lay_out(self, missing: frozenset[TableName], there: Set[str]) -> dict[int, _State]:
        """Find the pairs that have something left to do, and those whose values they read.

        For a pair that is there in parts nothing is read, so what its moves lead to need not be there.
        """
        states: dict[int, _State] = {}
        wanted: set[int] = set()
        for number, pair in reversed(list(enumerate(self._plan.pairs))):
            tables = [table for table in self._plan.tables_of_pair(pair) if table in missing]
            if tables or number in wanted:
                states[number] = state = self._state_of(pair, number, tables, there)
                wanted |= frozenset() if state.is_settled else state.needs
        return dict(sorted(states.items()))

    def _state_of(self, pair: Pair, number: int, tables: list[TableName], there: Set[str]) -> _State:
        steps = steps_of(self._plan.variant, pair.material, self._plan.metric)
        whole = whole_of(steps)
        is_solved = all(_has(there, pair, units) for step in steps for units in step)
        if _has(there, pair, whole) or not (tables or is_solved):
            steps = ((whole,),)
        laid = [_Step(step, {units for units in step if not _has(there, pair, units)}) for step in steps]
        undone = [step for step in laid if step.undone]
        parts = tuple(units for step in steps for units in step)
        needs = frozenset(self._plan.numbers[material] for material in pair.needs)
        is_loaded = not tables and bool(undone)
        return _State(pair, number, tables, undone, len(steps), Values(pair, parts), needs, set(), is_loaded=is_loaded)

    def _advance(self, state: _State) -> None:
        """Let what can be done now be taken."""
        if state.waits_for:
            return
        if not state.is_complete:
            self._push_steps(state)
            return
        for user in state.users:
            waiting = self._states[user]
            if state.number in waiting.waits_for:
                waiting.waits_for.remove(state.number)
                self._advance(waiting)
        if state.tables and not state.is_checked:
            self._push(Task(CHECK, state.pair, self._reads(state)))

    def _push_steps(self, state: _State) -> None:
        if state.is_loaded:
            kind = LOAD
        elif state.pair.values <= self._make_most and len(state.whole.parts) == 1:
            kind = MAKE
        else:
            kind = SOLVE
        step = state.steps[0]
        reads = self._reads(state)
        number = f"{state.count - len(state.steps) + 1}"
        for part, units in enumerate(step.parts, 1):
            which = f"{number}.{part}" if len(step.parts) > 1 else number
            label = f"{which}/{state.count}" if len(state.whole.parts) > 1 else ""
            if units in step.undone:
                self._push(Task(kind, state.pair, reads, units, step=label))

    def _push_tables(self, state: _State) -> None:
        reads = self._reads(state)
        for table in state.tables:
            self._push(Task(WRITE, state.pair, reads, table=table))

    def _reads(self, state: _State) -> tuple[Values, ...]:
        if state.needed is None:
            state.needed = tuple(self._states[number].whole for number in sorted(state.needs))
        undone = {units.first for step in state.steps for units in step.parts}
        own = tuple(units for units in state.whole.parts if units.first not in undone)
        return (Values(state.pair, own), *state.needed)

    def _push(self, task: Task) -> None:
        number = self._number(task.pair)
        is_late = task.kind in (CHECK, WRITE)
        self._pushed += 1
        insort(self._ready, (number if is_late else number - LEAD, is_late, self._pushed, task))

    def _release(self, state: _State) -> list[Values]:
        """Let go of what a settled pair has read; return the values that nobody needs any more."""
        free = [] if state.users else [state.whole]
        for number in state.needs & self._states.keys():
            needed = self._states[number]
            if state.number in needed.users:
                needed.users.remove(state.number)
                if needed.is_settled and not needed.users:
                    free.append(needed.whole)
        return free


def _has(there: Set[str], pair: Pair, units: Units) -> bool:
    return all(name in there for name in part_names(pair, units))
