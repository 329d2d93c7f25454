"""Tasks on the workers of a Dask cluster."""

import logging
import os
import re
import signal
import threading
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import CancelledError
from contextlib import contextmanager, suppress
from importlib.util import find_spec
from multiprocessing import resource_tracker
from queue import Empty, SimpleQueue
from time import monotonic
from typing import Final

from dask import config
from distributed import Client, Future, KilledWorker, LocalCluster

from dame_fast.build.cluster.dask_worker import describe, perform, prepare, stop
from dame_fast.build.cluster.executor import Event, SchedulerLost
from dame_fast.build.cluster.tasks import Outcome, Task
from dame_fast.build.cluster.worker import Job
from dame_fast.errors import ArgumentError, BuildError, quote

CONNECT: Final = 10
"""Seconds within which a scheduler has to answer."""

SETTLE: Final = 0.5
"""Seconds without a new worker before those that have come are asked."""

STOP: Final = 3
"""Seconds within which workers have to end."""

_LOCAL_CONFIG: Final = {
    "distributed.worker.profile.enabled": False,
    "distributed.nanny.pre-spawn-environ.DASK_LOGGING__DISTRIBUTED": "critical",
}
"""Of processes of this machine. Dask looks a hundred times a second at what each worker does: writing takes a tenth
longer then. And workers complain when the scheduler ends before them."""

_LOCAL: Final = re.compile(r"local:([1-9]\d{0,3})")
_SCHEMES: Final = ("tcp", "tls", "ucx", "ucxx", "ws", "wss")
_LOST: Final = (OSError, TimeoutError, CancelledError)


class DaskExecutor:
    """Runs tasks on a Dask cluster, or on processes of this machine."""

    def __init__(self, address: str, threads: int) -> None:
        """Take an address: of a scheduler, or `local:N` for N processes, which share so many threads.

        Raises `ArgumentError` for anything else.
        """
        self._address = address
        local = _LOCAL.fullmatch(address)
        self._processes = int(local[1]) if local else 0
        self._threads = max(threads // self._processes, 1) if local else 0
        if not local and address.partition("://")[0] not in _SCHEMES:
            raise ArgumentError(f"neither tcp://HOST:PORT of a Dask scheduler nor local:N: {quote(address)}")
        self._cluster: LocalCluster | None = None
        self._client: Client | None = None
        self._job: Job | None = None
        self._refusals: dict[str, str | None] = {}  # why a worker that was asked is not used
        self._hosts: dict[str, str] = {}  # of the workers that were asked
        self._seen: set[str] = set()  # workers at the last look
        self._since = 0.0  # when these were others
        self._asked: dict[str, float] = {}  # when a worker that was not fit was asked first
        self._running: dict[str, tuple[str, Task, Future[Outcome | None]]] = {}
        self._ended: SimpleQueue[str] = SimpleQueue()
        self._number = 0

    @property
    def threads(self) -> int:
        """Threads of each worker, at least."""
        return max(self._threads, 1)

    @property
    def dashboard(self) -> str | None:
        """The address of Dask's dashboard; None: it needs Bokeh."""
        if self._client is None or find_spec("bokeh") is None:
            return None
        return str(self._client.dashboard_link)

    def open(self, job: Job) -> None:
        """Connect to the scheduler, or start one with its workers."""
        self._job = job
        if self._processes:
            try:
                self._start_processes()
            except (*_LOST, RuntimeError) as error:
                raise BuildError(f"the processes cannot be started: {error}") from error
        self._connect(CONNECT)

    def _start_processes(self) -> None:
        with config.set(_LOCAL_CONFIG), _interrupts_held():
            self._cluster = LocalCluster(
                n_workers=self._processes,
                threads_per_worker=self._threads,
                processes=True,
                memory_limit=0,
                preload="dame_fast.build.cluster.dask_preload",
                dashboard_address="127.0.0.1:0",
                silence_logs=logging.ERROR,
            )

    def workers(self) -> Mapping[str, str | None]:
        """Return all workers; ask new ones whether they can do tasks."""
        client = self._open_client()
        try:
            there = client.nthreads()
            if set(there) != self._seen:
                self._seen, self._since = set(there), monotonic()
            new = [name for name in there if name not in self._refusals]
            # Those of one machine share its memory, and come one after the other.
            if new and (self._cluster is not None or monotonic() >= self._since + SETTLE):
                self._ask_all(client, new)
        except _LOST as error:
            raise SchedulerLost from error
        for name in [name for name in self._refusals if name not in there]:
            del self._refusals[name]
            self._hosts.pop(name, None)
            for key, (worker, _, future) in list(self._running.items()):
                if worker == name:
                    del self._running[key]
                    future.cancel()
        return dict(self._refusals)

    def submit(self, worker: str, task: Task) -> None:
        """Let a worker do a task."""
        assert self._job is not None
        self._number += 1
        key = f"{task.name} #{self._number} {self._job.token[:4]}"
        try:
            future = self._open_client().submit(
                perform, self._job.token, task, key=key, workers=[worker], allow_other_workers=False, pure=False
            )
        except _LOST as error:
            raise SchedulerLost from error
        self._running[key] = (worker, task, future)
        future.add_done_callback(lambda done: self._ended.put(done.key))

    def wait(self, seconds: float) -> Sequence[Event]:
        """Return the tasks that have ended."""
        events: list[Event] = []
        with suppress(Empty):
            key = self._ended.get(timeout=seconds)
            while True:
                events += self._event(key)
                key = self._ended.get_nowait()
        if self._open_client().status not in ("running", "connecting"):
            raise SchedulerLost
        return events

    def forget_all(self) -> None:
        """Hear no more of tasks that were submitted."""
        for _, _, future in self._running.values():
            future.cancel()
        self._running.clear()

    def reopen(self) -> bool:
        """Connect once more."""
        self._drop_client()
        try:
            self._connect(1)
        except BuildError:
            return False
        return True

    def close(self) -> None:
        """Give up what is being done."""
        with suppress(*_LOST, RuntimeError):
            if self._client is not None and self._job is not None and (self._running or self._cluster is None):
                self._client.run(stop, self._job.token, on_error="ignore", callback_timeout=STOP)
        self._drop_client()
        if self._cluster is not None:
            processes = [nanny.process for nanny in self._cluster.workers.values()]
            with suppress(*_LOST):
                self._cluster.close(timeout=STOP)
            for process in processes:
                if process is not None and process.is_alive():  # it hangs: this process would wait for it at its end
                    os.kill(process.pid, signal.SIGKILL)

    def _connect(self, seconds: float) -> None:
        try:
            self._client = Client(self._address if self._cluster is None else self._cluster, timeout=seconds)
        except _LOST as error:
            raise BuildError(f"no Dask scheduler answers at {quote(self._address)}") from error
        except (ValueError, TypeError, ImportError) as error:  # Dask finds no library for a scheme
            raise ArgumentError(f"not the address of a Dask scheduler: {quote(self._address)}") from error

    def _drop_client(self) -> None:
        client, self._client = self._client, None
        self._refusals.clear()
        self._hosts.clear()
        self._running.clear()
        if client is not None:
            with suppress(*_LOST, RuntimeError):
                client.close(timeout=1)

    def _open_client(self) -> Client:
        if self._client is None:
            raise SchedulerLost
        return self._client

    def _ask_all(self, client: Client, names: list[str]) -> None:
        """Ask workers all at once; if some do not answer, each by itself."""
        try:
            self._ask(client, names)
        except TimeoutError:
            for name in names:
                try:
                    self._ask(client, [name])
                except TimeoutError:
                    self._refuse(name, "does not answer")

    def _ask(self, client: Client, names: list[str]) -> None:
        """Ask workers for their version first: a job may not be understood by another one."""
        assert self._job is not None
        described = client.run(describe, workers=names, on_error="return", callback_timeout=CONNECT)
        mine = describe()
        fit = []
        for name in names:
            answer = described.get(name)
            if answer is None:
                continue  # it has gone again
            if isinstance(answer, BaseException):
                self._refuse(name, f"does not have this package: {answer}")
            elif (answer["version"], answer["byteorder"]) != (mine["version"], mine["byteorder"]):
                self._refuse(
                    name,
                    f"has version {answer['version']}, {answer['byteorder']}-endian, "
                    f"not {mine['version']}, {mine['byteorder']}-endian",
                )
            else:
                fit.append(name)
        if not fit:
            return
        self._hosts.update({name: described[name]["host"] for name in fit})
        hosts = Counter(self._hosts.values())
        sharers = {name: hosts[self._hosts[name]] for name in fit}
        prepared = client.run(prepare, self._job, sharers, workers=fit, on_error="return", callback_timeout=CONNECT)
        for name, answer in prepared.items():
            if isinstance(answer, BaseException):
                self._refuse(name, f"cannot begin: {answer}")
            elif answer.refusal is not None:
                asked = self._asked.setdefault(name, monotonic())
                if not answer.may_change or monotonic() >= asked + self._job.late / 2:  # before nobody waits any more
                    self._refuse(name, answer.refusal)
            else:
                self._refusals[name] = None

    def _refuse(self, name: str, why: str) -> None:
        self._refusals[name] = why

    def _event(self, key: str) -> list[Event]:
        if key not in self._running:
            return []
        worker, task, future = self._running.pop(key)
        if future.status == "finished":
            try:
                return [Event(worker, task, future.result(timeout=CONNECT))]
            except _LOST:
                return [Event(worker, task, None)]
        if future.status != "error":
            return [Event(worker, task, None)]
        error = future.exception()
        if isinstance(error, LookupError):  # another process under the same name: it is asked once more
            self._refusals.pop(worker, None)
        if isinstance(error, KilledWorker | CancelledError | LookupError):
            return [Event(worker, task, None)]
        return [Event(worker, task, Outcome({}, error=f"{type(error).__name__}: {error}"))]


@contextmanager
def _interrupts_held() -> Iterator[None]:
    """Let Ctrl-C wait for the end of the block: a cluster that has half begun cannot be ended.

    Threads that begin here, and the processes that those start at any time, never hear of Ctrl-C: a terminal sends it
    to all processes, but it is this one that ends the workers.
    """
    waiting: list[int] = []
    is_main = threading.current_thread() is threading.main_thread()
    before = signal.signal(signal.SIGINT, lambda number, frame: waiting.append(number)) if is_main else None
    resource_tracker.ensure_running()  # or the thread that starts the first process would do it, and unblock signals
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
        if is_main:
            signal.signal(signal.SIGINT, before)
    if waiting:
        raise KeyboardInterrupt
