"""What a Dask worker does for a build: the functions that the executor calls in its process."""

import os
import sys
from collections.abc import Mapping
from contextlib import suppress
from typing import Any, Final
from uuid import uuid4

from distributed import get_worker

import dame_fast._native as _native
from dame_fast.build.cluster.tasks import Outcome, Task
from dame_fast.build.cluster.worker import Fitness, Job, Worker, make_worker
from dame_fast.version import __version__

MEMORY_SHARE: Final = 0.6
"""Of the memory that Dask allows a worker, a worker uses so much: beyond that Dask holds tasks back."""

_BUILD: Final = "dame_fast_build"  # where a Dask worker keeps its worker of this package


def describe() -> dict[str, str]:
    """Say what a worker is."""
    import platform

    return {"version": __version__, "byteorder": sys.byteorder, "host": platform.node()}


def prepare(job: Job, sharers: Mapping[str, int], dask_worker: Any) -> Fitness:
    """Make a worker for a job, in place of one for another job."""
    _, before = getattr(dask_worker, _BUILD, (None, None))
    if before is not None:  # of a coordinator that has gone: both together would take twice the memory
        before.stop()
        delattr(dask_worker, _BUILD)
    limit = dask_worker.memory_manager.memory_limit
    made = make_worker(
        job,
        dask_worker.state.nthreads,
        f"{os.getpid()}-{uuid4().hex[:8]}",
        sharers.get(dask_worker.address, 1),
        int(limit * MEMORY_SHARE) if limit else None,
    )
    if isinstance(made, Fitness):
        return made
    setattr(dask_worker, _BUILD, (job.token, made))
    return Fitness()


def _worker_of(token: str, dask_worker: Any) -> Worker:
    known, worker = getattr(dask_worker, _BUILD, (None, None))
    if known != token or worker is None:
        raise LookupError("this worker knows nothing of the build")
    assert isinstance(worker, Worker)
    return worker


def perform(token: str, task: Task) -> Outcome | None:
    """Do a task; None: it was stopped."""
    try:
        return _worker_of(token, get_worker()).run(task)
    except _native.Cancelled:  # Dask would print it
        return None


def stop(token: str, dask_worker: Any) -> None:
    """End a task, and let go of what is in memory for the next ones."""
    with suppress(LookupError):
        _worker_of(token, dask_worker).stop()
        delattr(dask_worker, _BUILD)
