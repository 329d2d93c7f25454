"""A build on a cluster that is only planned: small cases by hand, and what must hold whatever the speeds are."""

from dataclasses import replace

import pytest

from dame_fast.build.cluster.graph import TaskGraph
from dame_fast.build.cluster.simulation.costs import SAMPLE_UNITS, Costs
from dame_fast.build.cluster.simulation.fleet import Fleet, make_fleet
from dame_fast.build.cluster.simulation.held import Held
from dame_fast.build.cluster.simulation.sharing import Sharing
from dame_fast.build.cluster.simulation.simulate import Forecast, simulate
from dame_fast.build.cluster.simulation.usage import COMPUTE, MOVE, ROWS_MOST, Usage
from dame_fast.build.cluster.tasks import CHECK, SOLVE, WRITE, Task
from dame_fast.build.cluster.worker import least_memory
from dame_fast.build.estimate import Rate, Speed
from dame_fast.build.plan import WORK_SHARE, Plan, make_plan
from dame_fast.tables.material import Material

SPEED = Speed({}, Rate(0.0, 1e-8, 1), 1e-8)
FIVE = make_plan(pieces=5, threads=1)
SEVEN = make_plan(pieces=7, threads=4)
SLOW = make_fleet(4, 4, network=0.01, disk_speed=3.0)


def all_tasks(plan: Plan) -> list[Task]:
    """All tasks, in an order in which they can be done."""
    graph = TaskGraph(plan, plan.tables)
    tasks = []
    while (task := graph.take()) is not None:
        tasks.append(task)
        graph.finish(task)
    return tasks


def seconds(plan: Plan, fleet: Fleet) -> float:
    return simulate(plan, fleet, SPEED).seconds


def test_one_worker_does_one_task_after_the_other() -> None:
    fleet = make_fleet(1, 1, network=1.0, disk_speed=1000.0)
    costs, tasks = Costs(FIVE, SPEED), all_tasks(FIVE)
    computing = sum(costs.seconds(task, 1) for task in tasks)
    made = sum(costs.values_made(task) + costs.stored_made(task) for task in tasks)
    written = WORK_SHARE * made + sum(costs.table_bytes(task) for task in tasks)
    found = simulate(FIVE, fleet, SPEED)
    assert found.tasks == len(tasks)
    assert found.read == 0  # all that it has made stays in its memory
    assert found.written == pytest.approx(written)
    assert found.seconds == pytest.approx(computing + written / 125e6)
    assert found.usage.share(COMPUTE, found.seconds) == pytest.approx(computing / found.seconds)
    assert found.usage.share(MOVE, found.seconds) == pytest.approx(written / 125e6 / found.seconds)
    assert found.tables == pytest.approx(FIVE.disk, rel=0.02)


def test_two_pieces_by_hand() -> None:
    """KvK, then MvK that needs it, then MvM that needs MvK: a chain, and two pairs there at a time."""
    plan = make_plan(pieces=2, threads=1)
    planes = [pair.planes for pair in plan.pairs]
    found = simulate(plan, make_fleet(3, 1), SPEED)
    assert (found.tasks, [name for name, _ in found.chain.pairs]) == (3, [pair.material.name for pair in plan.pairs])
    assert found.chain.seconds == pytest.approx(found.seconds)
    assert sum(taken for _, taken in found.chain.pairs) == pytest.approx(found.seconds)
    assert found.work_files == pytest.approx(WORK_SHARE * max(planes[0] + planes[1], planes[1] + planes[2]))
    assert found.largest_seconds == max(taken for _, taken in found.chain.pairs)


@pytest.mark.parametrize("fleet", [make_fleet(1, 1), SLOW, make_fleet(1, 2, memory=2.0)])
def test_more_of_everything_is_never_slower(fleet: Fleet) -> None:
    plan = FIVE if fleet.cores == 1 else SEVEN
    before = seconds(plan, fleet)
    if fleet != SLOW:
        assert before / 2 <= seconds(plan, replace(fleet, workers=2 * fleet.workers)) * 1.0001 <= before
    assert seconds(plan, replace(fleet, network=2 * fleet.network)) <= before
    assert seconds(plan, replace(fleet, disk_speed=2 * fleet.disk_speed)) <= before
    assert seconds(plan, replace(fleet, cores=2 * fleet.cores)) <= before


def test_each_worker_reads_for_itself() -> None:
    """So where a slow file system is what all wait for, more workers may even take longer."""
    reads = [simulate(SEVEN, replace(SLOW, workers=workers), SPEED).read for workers in (1, 2, 4, 8, 16)]
    assert reads[0] == pytest.approx(0, abs=1)
    assert reads == sorted(reads)


def test_the_same_again() -> None:
    def facts(forecast: Forecast) -> object:
        return replace(forecast, usage=Usage(1)).__repr__().partition("usage")[0], forecast.usage.rows(forecast.seconds)

    first, second = (simulate(SEVEN, SLOW, SPEED) for _ in range(2))
    assert facts(first) == facts(second)
    assert (first.read, first.written, first.chain) == (second.read, second.written, second.chain)


def test_no_build_is_shorter_than_its_longest_chain() -> None:
    found = simulate(SEVEN, make_fleet(64, 4, network=1000.0, disk_speed=1e6), SPEED)
    assert found.chain.seconds <= found.seconds <= 1.5 * found.chain.seconds
    assert SEVEN.numbers[Material.parse(found.chain.pairs[-1][0])] > len(SEVEN.pairs) // 2


def test_little_memory_reads_more() -> None:
    memory = least_memory(SEVEN, 4)
    reads = [simulate(SEVEN, replace(SLOW, memory=limit), SPEED).read for limit in (None, 2 * memory, memory)]
    assert 0 < reads[0] < reads[1] < reads[2]
    assert simulate(SEVEN, replace(SLOW, memory=1), SPEED).read == reads[2]


def test_the_file_system_is_what_all_wait_for() -> None:
    """If it is slow enough, the build takes as long as it takes to move all bytes."""
    found = simulate(FIVE, make_fleet(4, 4, disk_speed=0.01), Speed({}, Rate(0.0, 1e-12, 1), 1e-12))
    assert found.seconds == pytest.approx((found.read + found.written) / 1e4, rel=0.1)


def test_what_tasks_read() -> None:
    costs = Costs(SEVEN, SPEED)
    for task in all_tasks(SEVEN):
        reads = {read.pair.material: read for read in costs.reads(task)}
        assert all(0 < read.wanted <= read.there <= read.pair.planes for read in reads.values())
        own = reads.get(task.pair.material)
        if task.kind == WRITE:
            assert own is not None
            assert own.wanted == own.there == task.pair.planes
            assert all(material.pieces == task.pair.material.pieces for material in reads)
        elif task.kind == CHECK:
            assert own is not None
            units = sum(part.count for part in task.reads[0].parts)
            assert own.wanted <= own.there * SAMPLE_UNITS * 2 / units + 1
        elif task.kind == SOLVE:
            assert reads.keys() - {task.pair.material} == {values.pair.material for values in task.reads[1:]}


def test_transfers_share_what_there_is() -> None:
    """Compared with small steps in time."""
    transfers = [(0.0, 1, 700.0), (1.0, 2, 50.0), (1.5, 3, 300.0), (6.0, 4, 10.0)]
    left: dict[int, float] = {}
    ends: dict[int, float] = {}
    now = 0.0
    while len(ends) < len(transfers):
        left |= {worker: count for start, worker, count in transfers if start <= now < start + 1e-3}
        rate = min(100.0, 150.0 / len(left)) if left else 0.0
        now += 1e-3
        for worker in list(left):
            left[worker] -= rate * 1e-3
            if left[worker] <= 0:
                ends[worker] = now
                del left[worker]
    sharing, found = Sharing(100.0, 150.0), {}
    for start, worker, count in [*transfers, (1e9, 0, 0.0)]:
        while (end := sharing.next_end()) is not None and end <= start:
            found[sharing.end()] = end
        sharing.begin(start, worker, count)
    assert found == pytest.approx(ends, abs=0.01)


def test_what_was_used_longest_ago_goes() -> None:
    costs = Costs(FIVE, SPEED)
    task = next(task for task in all_tasks(FIVE) if task.kind == SOLVE and len(task.reads) >= 4)
    reads = list(costs.reads(task))[-2:]
    bytes_of = [read.wanted for read in reads]
    held = Held(sum(bytes_of))
    assert held.read(reads) == sum(bytes_of)
    assert held.read(reads) == pytest.approx(sum(read.wanted * (1 - read.wanted / read.there) for read in reads))
    held.put(task.pair, sum(bytes_of))
    assert held.read(reads) == pytest.approx(sum(bytes_of))


@pytest.mark.parametrize("length", [0.01, 1.0, 24.0, 25.0, 3600.0, 1e5, 1e6, 1e9])
def test_rows_of_a_day(length: float) -> None:
    usage = Usage(2)
    usage.add(COMPUTE, 0.0, length)
    usage.add(MOVE, length / 2, length)
    width, rows = usage.rows(length)
    assert len(rows) <= ROWS_MOST
    assert (len(rows) - 1) * width < length <= len(rows) * width
    assert all(row.computing == pytest.approx(0.5) for row in rows)
    lengths = [min(width, length - row.start) for row in rows]
    moving = sum(row.moving * part for row, part in zip(rows, lengths, strict=True))
    assert moving == pytest.approx(length / 4)
