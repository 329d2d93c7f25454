"""A build on a cluster, from its arguments to its result."""

from contextlib import suppress
from pathlib import Path
from typing import Final
from uuid import uuid4

from dame_fast.arguments import check_text
from dame_fast.build.cluster.coordinator import Coordinator
from dame_fast.build.cluster.executor import Executor
from dame_fast.build.cluster.worker import Job, least_memory
from dame_fast.build.directory import BuildDirectory
from dame_fast.build.finished import FinishedTables
from dame_fast.build.plan import Plan
from dame_fast.build.report import BuildResult
from dame_fast.build.room import find_room, in_gib, limit_bytes
from dame_fast.errors import ArgumentError, BuildError
from dame_fast.progress import Progress

LATE: Final = 60.0
"""Seconds after which a file that should be there is taken to be lost: network file systems show new names late."""


def build_on_cluster(plan: Plan, out: Path, scheduler: str, memory: float | None, progress: Progress) -> BuildResult:
    """Build all tables of a plan on a Dask cluster. `memory`: GiB that each worker may use at most.

    Raises what `dame_fast.build.builder.build` does.
    """
    scheduler = check_text("the address of a scheduler", scheduler)
    try:
        from dame_fast.build.cluster.dask_executor import DaskExecutor
    except ImportError as error:
        raise BuildError(
            f"a build on a cluster needs more packages ({error.name}): pip install 'dame-fast[cluster]'"
        ) from error
    executor = DaskExecutor(scheduler, plan.threads)
    limit = None if memory is None else limit_bytes(memory)
    least = least_memory(plan, executor.threads)
    if limit is not None and limit < least:
        raise ArgumentError(f"each worker needs {in_gib(least)} GiB of memory at least, the limit is {memory:g} GiB")
    find_room(plan, out).check_disk(in_parts=True)
    return build_with(executor, plan, out, limit, progress)


def build_with(
    executor: Executor, plan: Plan, out: Path, limit: int | None, progress: Progress, late: float = LATE
) -> BuildResult:
    """Build all tables of a plan on the workers of an executor. `limit`: bytes that each may use at most."""
    with BuildDirectory(out) as directory:
        tables = FinishedTables(plan, directory, progress)
        tables.find()
        missing = [pair for pair in plan.pairs if not tables.has(pair)]
        report = None
        if missing:
            job = Job(uuid4().hex[:16], str(out.absolute()), plan, limit, late)
            directory.mark_run(job.token)
            coordinator = Coordinator(plan, directory, tables, executor, progress, job)
            try:
                executor.open(job)
                if executor.dashboard is not None:
                    progress.note(f"dashboard: {executor.dashboard}")
                coordinator.run()
            except BaseException:
                if coordinator.report.tasks:
                    with suppress(BuildError):  # what has ended the build is said, such as a full disk
                        tables.publish_lists()
                raise
            finally:
                executor.close()
                directory.remove_leftovers()
                directory.remove_work(())  # but for what the next build goes on from
            report = coordinator.report
        tables.publish_lists()
        directory.remove_work(plan.slices)
        progress.end()
        built = tuple(member for pair in missing for member in pair.members)
        return BuildResult(built, plan, tables.bytes, report)
