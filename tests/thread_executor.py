"""An executor whose workers are threads of this process; the test says which are lost, hang, or bring nonsense."""

import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from queue import Empty, SimpleQueue

import dame_fast._native as _native
from dame_fast.build.cluster.executor import Event, SchedulerLost
from dame_fast.build.cluster.tasks import Outcome, Task
from dame_fast.build.cluster.worker import Fitness, Job, Worker, make_worker


@dataclass
class Hand:
    """A worker on a thread of its own."""

    worker: Worker
    tasks: SimpleQueue[tuple[int, Task] | None] = field(default_factory=SimpleQueue)
    is_lost: bool = False


class Threads:
    """An executor without processes. `on_task` is called on a worker's thread before each task, with all that is here.

    What it returns stands for the outcome of the task, unless that is None; `LOST` ends the worker.
    """

    LOST = Outcome({}, error="lost")

    def __init__(self, names: Sequence[str] = ("one", "two"), refused: Mapping[str, str] | None = None) -> None:
        self.names = list(names)
        self.refused = dict(refused or {})
        self.on_task: Callable[[str, Task], Outcome | None] = lambda name, task: None
        self.done: list[tuple[str, Task]] = []
        self.hung = threading.Event()
        self.closed = False
        self.scheduler_is_lost = False
        self.reopened = 0
        self._job: Job | None = None
        self._hands: dict[str, Hand] = {}
        self._threads: list[threading.Thread] = []
        self._events: SimpleQueue[tuple[int, Event]] = SimpleQueue()
        self._age = 0  # events that are older were forgotten
        self._numbers = 0

    @property
    def dashboard(self) -> str | None:
        return None

    def open(self, job: Job) -> None:
        self._job = job

    def workers(self) -> Mapping[str, str | None]:
        self._check()
        assert self._job is not None
        for name in self.names:
            if name not in self._hands and name not in self.refused:
                self._numbers += 1
                made = make_worker(self._job, 1, f"{name}-{self._numbers}", len(self.names), None)
                assert not isinstance(made, Fitness)
                hand = Hand(made)
                self._hands[name] = hand
                thread = threading.Thread(target=self._work, args=(name, hand), daemon=True)
                self._threads.append(thread)
                thread.start()
        return {name: None for name, hand in self._hands.items() if not hand.is_lost} | self.refused

    def submit(self, worker: str, task: Task) -> None:
        hand = self._hands.get(worker)
        if hand is None:  # it has gone since it was seen
            self._events.put((self._age, Event(worker, task, None)))
        else:
            hand.tasks.put((self._age, task))

    def wait(self, seconds: float) -> Sequence[Event]:
        events = []
        try:
            age, event = self._events.get(timeout=seconds)
            events += [event] if age == self._age else []
        except Empty:
            pass
        self._check()
        return events

    def forget_all(self) -> None:
        self._age += 1

    def reopen(self) -> bool:
        self.reopened += 1
        self._age += 1
        self.scheduler_is_lost = self.reopened < 3
        for hand in self._hands.values():
            hand.tasks.put(None)
        self._hands.clear()
        return not self.scheduler_is_lost

    def close(self) -> None:
        self.closed = True
        self.hung.set()
        for hand in self._hands.values():
            hand.worker.stop()
            hand.tasks.put(None)
        for thread in self._threads:
            thread.join()

    def _check(self) -> None:
        if self.scheduler_is_lost:
            raise SchedulerLost

    def _work(self, name: str, hand: Hand) -> None:
        while (item := hand.tasks.get()) is not None:
            age, task = item
            outcome = self.on_task(name, task)
            if outcome is self.LOST:
                self._hands.pop(name, None)
                self._events.put((age, Event(name, task, None)))
                while not hand.tasks.empty():
                    item = hand.tasks.get()
                    if item is not None:
                        self._events.put((item[0], Event(name, item[1], None)))
                return
            if outcome is None and self.closed:
                return
            if outcome is None:
                try:
                    outcome = hand.worker.run(task)
                except _native.Cancelled:
                    return
                self.done.append((name, task))
            self._events.put((age, Event(name, task, outcome)))
