"""The order of tasks: what a task reads is there, all is done once, and values go when nobody needs them any more."""

from collections import Counter
from collections.abc import Callable, Set
from random import Random

import pytest

from dame_fast.build.cluster import units as units_module
from dame_fast.build.cluster.graph import TaskGraph
from dame_fast.build.cluster.tasks import CHECK, LOAD, MAKE, SOLVE, WRITE, Task
from dame_fast.build.cluster.units import part_names, steps_of
from dame_fast.build.plan import Pair, Plan, make_plan
from dame_fast.tables.files import TableName


@pytest.fixture(scope="module")
def plan() -> Plan:
    return make_plan(pieces=4, threads=1)


@pytest.fixture
def small_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pairs of four pieces are cut into steps of several parts."""
    monkeypatch.setattr(units_module, "PART_VALUES", 50_000)


class Cluster:
    """Does the tasks of a graph in any order, and knows which parts and tables are there."""

    def __init__(self, plan: Plan, graph: TaskGraph, parts: Set[str] = frozenset(), seed: int = 1) -> None:
        self.plan = plan
        self.graph = graph
        self.parts = set(parts)
        self.tables: list[TableName] = []
        self.done: list[Task] = []
        self.most = 0
        self._random = Random(seed)

    def run(self, until: Callable[[Task], bool] = lambda task: False) -> None:
        """Do all tasks; take some of them before the ones that were taken earlier are done."""
        taken: list[Task] = []
        while not self.graph.is_done:
            while (task := self.graph.take()) is not None:
                taken.append(task)
            assert taken, "something is left, and nothing can be done"
            self._random.shuffle(taken)
            task = taken.pop()
            if until(task):
                return
            self.do(task)
        assert taken == []

    def do(self, task: Task) -> None:
        assert self.graph.is_open(task)
        for values in task.reads:
            assert set(values.files()) <= self.parts, (task.name, values.files())
        if task.units is not None:
            self.parts |= set(part_names(task.pair, task.units))
        if task.table is not None:
            self.tables.append(task.table)
        elif task.kind == MAKE:
            self.tables += self.plan.tables_of_pair(task.pair)
        self.done.append(task)
        self.most = max(self.most, len(self.parts))
        free = self.graph.finish(task)
        assert not self.graph.is_open(task)
        for values in free:
            self.parts -= set(values.files())


def kinds(cluster: Cluster) -> Counter[str]:
    return Counter(task.kind for task in cluster.done)


@pytest.mark.parametrize("make_most", [0, 20_000, 1 << 22])
@pytest.mark.parametrize("metric", ["wdl", "dtz"])
def test_all_is_done_once_and_in_order(make_most: int, metric: str, small_parts: None) -> None:
    plan = make_plan(pieces=4, threads=1, metric=metric)
    for seed in range(3):
        cluster = Cluster(plan, TaskGraph(plan, plan.tables, make_most=make_most), seed=seed)
        cluster.run()
        assert sorted(map(str, cluster.tables)) == sorted(map(str, plan.tables))
        assert max(Counter(task.name for task in cluster.done).values()) == 1
        assert cluster.parts == set()
        assert cluster.graph.is_done
        assert cluster.graph.take() is None
        assert cluster.graph.work == 0
        steps = {pair: steps_of("english", pair.material, metric) for pair in plan.pairs}
        parts = {pair: sum(len(step) for step in found) for pair, found in steps.items()}
        made = [pair for pair in plan.pairs if pair.values <= make_most and parts[pair] == 1]
        assert kinds(cluster)[MAKE] == len(made)
        assert kinds(cluster)[SOLVE] == sum(parts[pair] for pair in plan.pairs if pair not in made)
        assert kinds(cluster)[CHECK] == len(plan.pairs) - len(made)
        assert kinds(cluster)[LOAD] == 0


def test_a_pair_is_solved_checked_and_written(plan: Plan) -> None:
    cluster = Cluster(plan, TaskGraph(plan, plan.tables, make_most=0))
    cluster.run()
    for pair in plan.pairs:
        stages = [task.kind for task in cluster.done if task.pair == pair]
        assert stages == [SOLVE, CHECK] + [WRITE] * len(pair.members)


def test_the_steps_of_a_pair_come_one_after_the_other(plan: Plan, small_parts: None) -> None:
    """A part is solved when all parts of the steps before are there; each reads these."""
    pair = plan.pairs[-1]
    steps = steps_of(plan.variant, pair.material, plan.metric)
    pair = next(pair for pair in plan.pairs if len(steps_of(plan.variant, pair.material, plan.metric)) > 2)
    steps = steps_of(plan.variant, pair.material, plan.metric)
    cluster = Cluster(plan, TaskGraph(plan, plan.tables))
    cluster.run()
    solved = [task for task in cluster.done if task.pair == pair and task.kind == SOLVE]
    number = {units: at for at, step in enumerate(steps) for units in step}
    assert len(solved) == len(number)
    for task in solved:
        assert task.units is not None
        own = next(values for values in task.reads if values.pair == pair)
        assert set(own.parts) == {units for units, at in number.items() if at < number[task.units]}
    assert [number[task.units] for task in solved if task.units] == sorted(number.values())


def test_values_stay_while_a_pair_reads_them(plan: Plan) -> None:
    """They go with the last one that does: not all are there at any time."""
    cluster = Cluster(plan, TaskGraph(plan, plan.tables))
    cluster.run()
    assert 0 < cluster.most < len(plan.slices)


def test_nothing_is_missing(plan: Plan) -> None:
    graph = TaskGraph(plan, ())
    assert graph.is_done
    assert graph.take() is None
    assert graph.work == 0


def test_parts_that_are_there_are_not_made_again(plan: Plan, small_parts: None) -> None:
    """A build that was ended goes on: tables that were written stay, and so do the parts."""
    first = Cluster(plan, TaskGraph(plan, plan.tables, make_most=0))
    first.run(until=lambda task: len(first.done) == 60)
    missing = [table for table in plan.tables if table not in first.tables]
    again = Cluster(plan, TaskGraph(plan, missing, frozenset(first.parts), make_most=0), first.parts)
    again.run()
    assert sorted(map(str, first.tables + again.tables)) == sorted(map(str, plan.tables))
    solved = {task.name for task in first.done if task.kind == SOLVE}
    assert len(solved) > 10
    assert solved.isdisjoint(task.name for task in again.done if task.kind == SOLVE)
    assert kinds(again)[LOAD] == 0


def test_what_was_let_go_is_not_loaded_again(plan: Plan, small_parts: None) -> None:
    """Little is left: what the pairs that are there in parts were made from has gone, and nobody needs it."""
    first = Cluster(plan, TaskGraph(plan, plan.tables, make_most=0))
    first.run(until=lambda task: len(first.tables) == len(plan.tables) - 2)
    missing = [table for table in plan.tables if table not in first.tables]
    there = {name.partition(".")[0] for name in first.parts}
    assert 0 < len(there) < len(plan.slices) / 2
    again = Cluster(plan, TaskGraph(plan, missing, frozenset(first.parts), make_most=0), first.parts)
    again.run()
    assert kinds(again)[LOAD] == 0
    assert sorted(map(str, first.tables + again.tables)) == sorted(map(str, plan.tables))


def test_finished_tables_are_loaded_where_they_are_needed(plan: Plan) -> None:
    """And what loading them needs in turn; nothing else is done."""
    pairs = {member.name: pair for pair in plan.pairs for member in pair.members}
    cluster = Cluster(plan, TaskGraph(plan, plan.tables_of_pair(pairs["KMvM"]), make_most=0))
    cluster.run()
    assert {str(table) for table in cluster.tables} == {"KMvM.wdl", "MvKM.wdl"}
    loaded = [task.pair for task in cluster.done if task.kind == LOAD]
    assert len(loaded) == len(set(loaded))
    assert set(loaded) == needed_by(pairs["KMvM"], pairs)
    assert {task.pair for task in cluster.done} == {*loaded, pairs["KMvM"]}
    assert cluster.parts == set()


def needed_by(pair: Pair, pairs: dict[str, Pair]) -> set[Pair]:
    found = {pairs[material.name] for material in pair.needs}
    return found.union(*(needed_by(other, pairs) for other in found))


def test_a_table_of_a_pair_is_there(plan: Plan) -> None:
    """The other one needs the values; they are solved again."""
    pairs = {member.name: pair for pair in plan.pairs for member in pair.members}
    _, other = plan.tables_of_pair(pairs["KMvM"])
    cluster = Cluster(plan, TaskGraph(plan, [other], make_most=0))
    cluster.run()
    assert cluster.tables == [other]
    assert [task.kind for task in cluster.done if task.pair == pairs["KMvM"]] == [SOLVE, CHECK, WRITE]


def test_parts_of_finished_pairs_are_used(plan: Plan, small_parts: None) -> None:
    """Solved parts of a pair whose tables are written do as well as loaded ones."""
    there = frozenset(
        name
        for pair in plan.pairs
        for step in steps_of(plan.variant, pair.material, plan.metric)
        for units in step
        for name in part_names(pair, units)
    )
    last = plan.tables_of_pair(plan.pairs[-1])
    cluster = Cluster(plan, TaskGraph(plan, last, there), there)
    cluster.run()
    assert [task.kind for task in cluster.done] == [CHECK] + [WRITE] * len(last)


def test_a_task_that_is_given_back_is_taken_once_more(plan: Plan) -> None:
    graph = TaskGraph(plan, plan.tables)
    task = graph.take()
    assert task is not None
    assert task.name == "make KvK"
    assert graph.take() is None
    for _ in range(2):  # both workers that had it were lost
        graph.give_back(task)
        assert graph.ready == 1
    assert graph.take() == task
    assert graph.take() is None


def test_what_is_done_is_not_taken_again(plan: Plan) -> None:
    """A worker that was lost had done its task after all, or another one has."""
    graph = TaskGraph(plan, plan.tables)
    task = graph.take()
    assert task is not None
    graph.give_back(task)
    assert graph.is_open(task)
    graph.finish(task)
    assert not graph.is_open(task)
    graph.give_back(task)
    following = graph.take()
    assert following is not None
    assert following.name == "make MvK"


def test_tables_that_come_before_the_check(plan: Plan) -> None:
    """Those of a task that was given up, and is done all the same: the pair is finished once."""
    pair = plan.pairs[0]
    first, again = (TaskGraph(plan, plan.tables_of_pair(pair), make_most=0) for _ in range(2))
    solve = first.take()
    assert solve is not None
    first.finish(solve)
    check = first.take()
    assert check is not None
    first.finish(check)
    write = first.take()
    assert write is not None
    again.take()
    again.finish(solve)
    free = again.finish(write)
    assert [values.pair for values in free] == [pair]
    assert again.is_done
    assert again.take() is None
    assert not again.is_open(check)


def test_a_worker_gets_tasks_of_the_pair_that_it_has(plan: Plan) -> None:
    graph = TaskGraph(plan, plan.tables, make_most=0)
    seen = set()
    last = None
    while (task := graph.take(last)) is not None:
        if task.kind == WRITE:
            if task.pair.material == last or last is None or task.pair not in seen:
                pass
            else:
                pytest.fail(f"{task.name} after {last}")
            seen.add(task.pair)
            last = task.pair.material
        graph.finish(task)
    assert graph.is_done


def test_work_counts_down(plan: Plan, small_parts: None) -> None:
    """All positions for solving, and all that writing counts; each task takes off what it says."""
    graph = TaskGraph(plan, plan.tables)
    whole = plan.positions + sum(plan.writing(table) for table in plan.tables)
    assert graph.work == whole
    cluster = Cluster(plan, graph)
    cluster.run()
    rounding = sum(task.kind == SOLVE for task in cluster.done)
    assert whole - rounding <= sum(task.work(plan) for task in cluster.done) <= whole
