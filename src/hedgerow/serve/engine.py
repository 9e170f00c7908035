"""One model that answers and learns: a thread commits feedback in groups, another learns what is committed."""

from __future__ import annotations

import base64
import secrets
import threading
import time
from collections import OrderedDict, deque
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import replace
from itertools import islice
from typing import Any

from hedgerow.serve.learned import Learned
from hedgerow.serve.quality import Quality
from hedgerow.serve.records import Answer, Feedback, Record
from hedgerow.serve.replay import catch_up, newest_sound, replayed
from hedgerow.serve.settings import Settings
from hedgerow.serve.storage import Snapshot, Storage, StorageError

PAUSE = 0.1  # seconds after which threads look around
ANSWERS = 500  # that are saved at once, while feedback waits
HOLD = 0.004  # seconds that predictions may wait for learning
Listener = Callable[[str, dict[str, Any]], object]  # of what happens, by name


class Busy(RuntimeError):
    """Too much waits already."""


class Stopped(RuntimeError):
    """The service does not take feedback now."""


class Engine:
    """A model of a service.

    `start` makes the model of the log; `predict` answers with it; `submit` takes feedback, which is committed when its
    future is done and learned soon after. All may be called from any thread.
    """

    def __init__(
        self,
        name: str,
        storage: Storage,
        settings: Settings | None = None,
        listener: Listener = lambda event, facts: None,
    ) -> None:
        self.name = name
        self.storage = storage
        self.settings = settings or Settings()
        self.tell = listener
        self.failure = ""  # what stopped it from learning
        self.refused = 0
        self.seconds_learning = 0.0
        self._requests: list[tuple[Sequence[Feedback], Future[list[int]]]] = []
        self._queued = 0
        self._told = ""
        self._next_try = 0.0
        self._unsaved: deque[Answer] = deque(maxlen=self.settings.predictions)
        self._ids: list[str] = []
        self._recent: OrderedDict[str, Answer] = OrderedDict()
        self._committed: deque[Record] = deque()
        self._waiting: list[tuple[int, Future[int]]] = []
        self._write_wake = threading.Condition()
        self._learn_wake = threading.Condition()
        self._learning = threading.Lock()  # held while the model moves from one position to another
        self._undoing = threading.Lock()
        self._stopping = False
        self._threads: list[threading.Thread] = []

    # -- life -----------------------------------------------------------------------------------------------

    def start(self) -> None:
        """Loads the newest sound snapshot; the rest of the log is learned meanwhile."""
        self.last = self._found = self.storage.last()
        self.learned = newest_sound(
            self.storage, self.last, lambda why: self.tell("warning", {"message": why})
        )
        self._snapshot_at, self._snapshot_time = self.learned.position, time.monotonic()
        self.quality = Quality(self.learned.labels)
        for work in (self._write, self._learn):
            # Daemons: a process that ends in any other way than by `stop` may end at once, as when it is killed.
            name = f"{self.name}{work.__name__}"
            thread = threading.Thread(target=self._guarded, args=(work,), name=name, daemon=True)
            thread.start()
            self._threads.append(thread)

    def stop(self) -> None:
        """Commits and learns what has come, writes a snapshot, and closes the log."""
        with self._write_wake:
            self._stopping = True
            self._write_wake.notify_all()
        for number, thread in enumerate(self._threads):
            if number:  # the learner ends when all that was committed is learned
                with self._learn_wake:
                    self._learn_wake.notify_all()
            thread.join()
        if not self.failure:
            self._snapshot(always=True)
        self.storage.close()

    @property
    def ready(self) -> bool:
        """Whether it has caught up with the log that it found when it started."""
        return not self.failure and self.learned.position >= self._found

    def _guarded(self, work: Callable[[], None]) -> None:
        """A thread that fails stops the learning, not the answers."""
        try:
            work()
        except Exception as error:
            self.failure = f"{type(error).__name__}: {error}"
            self.tell("failure", {"thread": threading.current_thread().name, "message": self.failure})
            self._fail_waiting()

    # -- predicting -----------------------------------------------------------------------------------------

    def predict(
        self,
        examples: Sequence[Any],
        fields: Sequence[str],
        explain: bool = False,
        most_nodes: int | None = None,
    ) -> tuple[int, list[Answer], list[dict[str, Any]]]:
        """Answers, all of the model at one position, and explanations if they are wanted."""
        position, found, why = self.learned.predict(examples, fields, explain, most_nodes)
        now = time.time()
        answers = [
            Answer(self._new_id(), example, *prediction, position, now)
            for example, prediction in zip(examples, found, strict=True)
        ]
        recent = self._recent
        for answer in answers:
            recent[answer.id] = answer
        self._unsaved.extend(answers)
        return position, answers, why

    def _new_id(self) -> str:
        """One that nobody can guess; chance is asked for many at once, since asking takes longer."""
        try:
            return self._ids.pop()
        except IndexError:
            chance = base64.urlsafe_b64encode(secrets.token_bytes(12 * 500)).decode()
            self._ids.extend(chance[i : i + 16] for i in range(16, len(chance), 16))
            return chance[:16]

    def answer(self, id: str, key: str) -> Answer | None:
        """A prediction that is still remembered, or that the feedback with a key was about."""
        found = self._recent.get(id) or self.storage.answer(id)
        if found is None:
            record = self.storage.record(key)
            if record is not None and record.answer is not None and record.answer.id == id:
                return record.answer
        return found

    # -- feedback -------------------------------------------------------------------------------------------

    def submit(self, request: Sequence[Feedback]) -> Future[list[int]]:
        """Feedback to be committed, all or none of it; the future has its positions, a Conflict or StorageError."""
        future: Future[list[int]] = Future()
        with self._write_wake:
            if self._stopping or self.failure:
                raise Stopped(self.failure or "the service is stopping")
            if not self.storage.writes:
                raise Stopped("another process writes")
            if self._queued + self.last - self.learned.position + len(request) > self.settings.queue:
                raise Busy(f"more than {self.settings.queue} records wait to be learned")
            self._requests.append((request, future))
            self._queued += len(request)
            self._write_wake.notify()
        return future

    def reach(self, position: int) -> Future[int]:
        """A future that is done when the model has learned the record at a position."""
        future: Future[int] = Future()
        with self._learn_wake:
            if self.learned.position >= position:
                future.set_result(self.learned.position)
            else:
                self._waiting.append((position, future))
        return future

    # -- the thread that writes -----------------------------------------------------------------------------

    def _write(self) -> None:
        saved = time.monotonic()
        while True:
            with self._write_wake:
                if not self._requests and not self._stopping and len(self._unsaved) <= ANSWERS:
                    self._write_wake.wait(PAUSE)
                requests, self._requests = self._requests, []
                stopping = self._stopping
            if not self.storage.writes and not stopping:
                self._try_to_lead()
            if requests:
                self._commit(requests)
            waited = time.monotonic() - saved
            if self._unsaved and (stopping or waited > PAUSE or len(self._unsaved) > ANSWERS):
                self._save_answers()
                saved = time.monotonic()
            if stopping and not requests and not self._unsaved:
                return

    def _try_to_lead(self) -> None:
        """A follower becomes the writer when there is none."""
        if time.monotonic() < self._next_try:
            return
        self._next_try = time.monotonic() + 5 * PAUSE
        try:
            if self.storage.lead():
                with self._learn_wake:
                    self.last = max(self.last, self.storage.last())
                self.tell("leading", {"position": self.last})
        except StorageError as error:
            self._tell_once(error)

    def _tell_once(self, error: StorageError) -> None:
        """A database that is gone is told of once, not ten times a second."""
        if str(error) != self._told:
            self.tell("storage", {"message": str(error)})
        self._told = str(error)

    def _commit(self, requests: list[tuple[Sequence[Feedback], Future[list[int]]]]) -> None:
        try:
            found = self.storage.append([request for request, _ in requests])
        except StorageError as error:
            self.tell("storage", {"message": str(error)})
            found = [error] * len(requests)  # type: ignore[list-item]
        except Exception as error:  # which ends this thread; nobody is to wait for it
            for _, future in requests:
                future.set_exception(Stopped(str(error)))
            raise
        fresh: dict[int, Feedback] = {}
        for (request, _), places in zip(requests, found, strict=True):
            if isinstance(places, list):
                new = ((place, one) for place, one in zip(places, request, strict=True) if place > self.last)
                fresh.update(new)
        with self._learn_wake:
            self._committed.extend(_record(place, one) for place, one in sorted(fresh.items()))
            self.last = max(self.last, *fresh) if fresh else self.last
            self._learn_wake.notify()
        with self._write_wake:
            self._queued -= sum(len(request) for request, _ in requests)
        for (_, future), places in zip(requests, found, strict=True):
            if isinstance(places, list):
                future.set_result(places)
            else:
                future.set_exception(places)

    def _save_answers(self) -> None:
        answers = [self._unsaved.popleft() for _ in range(min(ANSWERS, len(self._unsaved)))]
        try:
            self.storage.keep(answers, self.settings.predictions)
        except StorageError as error:
            self._tell_once(error)
        # Those that the storage has may leave the memory, but a feedback right after is looked up here.
        while len(self._recent) > min(self.settings.predictions, 10_000) + len(self._unsaved):
            self._recent.popitem(last=False)

    # -- the thread that learns -----------------------------------------------------------------------------

    def _learn(self) -> None:
        with self._learning:
            self._judge_past()
        size = 16
        records: list[Record]
        while True:
            records = []
            try:
                with self._learning:
                    if not self.storage.writes:
                        self._follow()
                    records = self._next(size)
                    if records:
                        size = self._learn_group(records, size)
            except StorageError as error:  # it is tried again
                self._tell_once(error)
            if not records:
                if self._stopping and not self._threads[0].is_alive() and self.learned.position >= self.last:
                    return
                with self._learn_wake:
                    if self.learned.position >= self.last:
                        self._learn_wake.wait(PAUSE)
            self._snapshot()

    def _judge_past(self) -> None:
        """How well it did, of all that the model knows already."""
        self.quality.forget()
        records = self.storage.records(to=self.learned.position)
        while group := list(islice(records, 1000)):
            self.quality.learned(group)

    def _next(self, size: int) -> list[Record]:
        """The records after the model's position: those that were committed just now, or from the storage."""
        position = self.learned.position
        with self._learn_wake:
            committed = self._committed
            while committed and committed[0].position <= position:
                committed.popleft()
            records: list[Record] = []
            while committed and committed[0].position == position + 1 + len(records) and len(records) < size:
                records.append(committed.popleft())
            if records:
                return records
        return list(self.storage.records(position, limit=size)) if self.last > position else []

    def _follow(self) -> None:
        """Sees how far the log has come that another process writes, and whether it erased something."""
        self.last = self.storage.last()
        if self.storage.revision() != self.learned.revision:
            self.learned = replayed(self.storage)
            self._judge_past()

    def _learn_group(self, records: list[Record], size: int) -> int:
        """Learns, and says how many to learn at once next, so that predictions do not wait long."""
        begin = time.perf_counter()
        faults = self.learned.learn(records)
        took = time.perf_counter() - begin
        self.seconds_learning += took
        for position, fault in faults.items():
            self.refused += 1
            self.tell("refused", {"position": position, "message": fault})
            try:
                if self.storage.writes:
                    self.storage.mark(position, fault)
            except StorageError as error:  # the next replay finds it again
                self.tell("storage", {"message": str(error)})
        if faults:
            records = [replace(one, fault=faults.get(one.position, "")) for one in records]
        self.quality.learned(records)
        with self._learn_wake:
            reached = [entry for entry in self._waiting if entry[0] <= self.learned.position]
            self._waiting = [entry for entry in self._waiting if entry[0] > self.learned.position]
        for _, future in reached:
            future.set_result(self.learned.position)
        return max(1, min(500, int(2 * size if took < HOLD / 2 else size * HOLD / took)))

    def _snapshot(self, always: bool = False) -> None:
        """Writes the model beside the log, if it is time."""
        ahead = self.learned.position - self._snapshot_at
        waited = time.monotonic() - self._snapshot_time
        settings = self.settings
        if not self.storage.writes or ahead <= 0:
            return
        if not always and ahead < settings.snapshot_records and waited < settings.snapshot_seconds:
            return
        with self._learning:
            learned = self.learned
            position, content = learned.content()
            try:
                self.storage.write_snapshot(Snapshot(learned.revision, position), content, settings.snapshots)
                self._snapshot_at = position
            except OSError as error:
                self.tell("storage", {"message": f"no snapshot was written: {error}"})
            self._snapshot_time = time.monotonic()

    def _fail_waiting(self) -> None:
        with self._write_wake, self._learn_wake:
            requests, self._requests = self._requests, []
            waiting, self._waiting = self._waiting, []
        futures: list[Future[Any]] = [future for _, future in requests]
        futures += [future for _, future in waiting]
        for future in futures:
            future.set_exception(Stopped(self.failure))

    # -- undoing --------------------------------------------------------------------------------------------

    def at(self, position: int) -> Learned:
        """The model at an earlier position."""
        return replayed(self.storage, position)

    def erase(self, positions: Sequence[int]) -> int:
        """Unlearns records and erases them for good; answers go on meanwhile. Returns the new revision."""
        gone = frozenset(positions)
        with self._undoing:
            learned = replayed(self.storage, self.learned.position, gone)
            with self._learning:
                catch_up(learned, self.storage, self.learned.position, gone)
                # What the log says now counts for all who read it; no snapshot before this knows it.
                learned.revision = self.storage.erase(sorted(gone))
                with self._learn_wake:
                    self._committed.clear()
                self.learned = learned
                self._snapshot_at = -1
                self._judge_past()
            self._snapshot(always=True)
            self.tell("erased", {"records": len(gone), "revision": learned.revision})
            return learned.revision


def _record(position: int, one: Feedback) -> Record:
    return Record(position, one.key, one.example, one.label, one.weight, one.time, one.who, one.answer)
