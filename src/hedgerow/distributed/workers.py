"""Workers: who runs the tasks of a job, in this process or on a Dask cluster.

A task is an importable function of a shard and more arguments. It changes nothing but caches, so that it may run twice,
and anywhere: when a worker is lost, Dask runs its tasks on another one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from time import monotonic
from typing import Any, TypeVar

import numpy as np

from hedgerow.distributed.shards import Shard

T = TypeVar("T")
Task = Callable[..., Any]
AHEAD = 3  # tasks for every thread, of a long stream, under way or done before the first result is taken
KNOWN_SECONDS = 1.0  # that workers are taken to be there; a task for one that is gone runs on another one


class Workers:
    """What runs tasks: this process, one task after the other, with one shard in memory at a time."""

    def share(self, value: Any) -> Any:
        """Something large that many tasks need, to be given to `map` in place of the value itself."""
        return value

    def map(
        self,
        task: Task,
        shards: Sequence[Any],
        *common: Any,
        each: Sequence[Any] | None = None,
        ahead: bool = True,
    ) -> Iterator[Any]:
        """The results of ``task(shard, *common)``, or ``task(shard, own, *common)`` with one of ``each``, in order.

        With ``ahead``, all tasks begin at once. Without, only as many as keep the workers busy, so that their results
        take little memory. What is raised by a task ends the iteration and the other tasks.
        """
        for number, shard in enumerate(shards):
            own = () if each is None else (each[number],)
            yield task(_computed(shard), *own, *common)

    def run(self, task: Task, shards: Sequence[Any], number: int, *arguments: Any) -> Any:
        """The result of ``task(shards[number], *arguments)``, where that shard is."""
        return task(_computed(shards[number]), *arguments)

    def iterate(self, task: Task, shards: Sequence[Any], *common: Any) -> Iterator[Iterable[Any]]:
        """What ``task(shard, *common)`` iterates over, shard by shard: here as it comes, of workers all at once."""
        return self.map(task, shards, *common)

    def bundled(
        self, task: Task, shards: Sequence[Any], *common: Any, each: Sequence[Any], bundles: int = 1
    ) -> Bundles:
        """As `map`, for tasks too short to be worth a message each: the shards of a worker are done in few bundles.

        ``bundles`` is how many there are for each thread of a worker. Results may stay on the workers.
        """
        return Bundles(self.map(task, shards, *common, each=each))

    def at_once(self, hand_out: Callable[[], T]) -> T:
        """What the function returns, which hands out tasks: workers get all of them in one message."""
        return hand_out()


class Bundles:
    """Results that were computed in bundles; in this process each when it is asked for."""

    def __init__(self, results: Iterator[Any]) -> None:
        self._results = results

    @property
    def kept(self) -> list[Any]:
        """To be given to further tasks: lists of results, in any order, which may still be on workers."""
        return [list(self._results)]

    def results(self) -> Iterator[Any]:
        """All results here, in the order of shards."""
        return self._results


def _computed(shard: Any) -> Any:
    """The shard itself, where it is a block of a Dask collection."""
    return shard.compute(scheduler="synchronous") if hasattr(shard, "__dask_graph__") else shard


class OnDask(Workers):
    """The workers of a Dask cluster."""

    def __init__(self, client: Any) -> None:
        self.client = client
        self._homes: dict[int, str] = {}  # by the number of a shard: the worker that has it in its cache
        self._started: dict[int, Any] = {}
        self._known: dict[str, int] = {}  # the threads of each worker
        self._known_until = 0.0

    def share(self, value: Any) -> Any:
        # Not scattered: what the scheduler has as an argument survives the loss of any worker.
        return self._submit(_itself, value)

    def map(
        self,
        task: Task,
        shards: Sequence[Any],
        *common: Any,
        each: Sequence[Any] | None = None,
        ahead: bool = True,
    ) -> Iterator[Any]:
        futures = self.at_once(lambda: self._all(task, shards, common, each)) if ahead else []
        calls = iter(()) if ahead else self._calls(task, shards, common, each)
        futures.extend(islice(calls, AHEAD * sum(self._workers().values())))
        try:
            for shard in shards:
                future = futures.pop(0)
                try:
                    result = self._result(future, shard)
                finally:
                    future.release()
                futures.extend(islice(calls, 1))
                yield result
        finally:
            # When a task has failed, or the caller wants no more results.
            self.client.cancel(futures)

    def run(self, task: Task, shards: Sequence[Any], number: int, *arguments: Any) -> Any:
        self._assign(shards, self._workers())
        shard = shards[number]
        future = self._submit(task, self._started_shard(shard), *arguments, **_at(self._homes[number]))
        try:
            return self._result(future, shard)
        finally:
            self.client.cancel([future])

    def iterate(self, task: Task, shards: Sequence[Any], *common: Any) -> Iterator[Iterable[Any]]:
        return self.map(listed, shards, task, *common, ahead=False)

    def bundled(
        self, task: Task, shards: Sequence[Any], *common: Any, each: Sequence[Any], bundles: int = 1
    ) -> Bundles:
        futures, members = [], []
        for home, threads, numbers in self._by_home(shards):
            for some in np.array_split(numbers, min(len(numbers), bundles * threads)):
                members.append(some.tolist())
                own = [self._started_shard(shards[number]) for number in members[-1]]
                given = [each[number] for number in members[-1]]
                futures.append(self._submit(several, task, own, given, *common, **_at(home)))
        return _BundlesOnDask(self, futures, members, shards)

    def at_once(self, hand_out: Callable[[], T]) -> T:
        # A client sends its first message at once and the next ones 10 ms later. What is sent from within its own
        # thread goes together.
        async def handed_out() -> T:
            return hand_out()

        self._workers()
        result: T = self.client.sync(handed_out)
        return result

    def _all(
        self, task: Task, shards: Sequence[Any], common: tuple[Any, ...], each: Sequence[Any] | None
    ) -> list[Any]:
        # All tasks of a worker in one call: the scheduler needs half the time.
        given: list[Sequence[Any]] = [[self._started_shard(shard) for shard in shards]]
        given.extend([each] if each is not None else [])
        given.extend([value] * len(shards) for value in common)
        futures: list[Any] = [None] * len(shards)
        for home, _, own in self._by_home(shards):
            arguments = [[values[number] for number in own] for values in given]
            keys = [_key(task) for _ in own]
            with _large_arguments():
                sent = self.client.map(task, *arguments, pure=False, key=keys, **_at(home))
            for number, future in zip(own, sent, strict=True):
                futures[number] = future
        return futures

    def _calls(
        self, task: Task, shards: Sequence[Any], common: tuple[Any, ...], each: Sequence[Any] | None
    ) -> Iterator[Any]:
        self._assign(shards, self._workers())
        for number, shard in enumerate(shards):
            own = () if each is None else (each[number],)
            yield self._submit(task, self._started_shard(shard), *own, *common, **_at(self._homes[number]))

    def _submit(self, task: Task, *arguments: Any, **options: Any) -> Any:
        with _large_arguments():
            return self.client.submit(task, *arguments, pure=False, key=_key(task), **options)

    def _started_shard(self, shard: Any) -> Any:
        """Blocks of Dask collections are computed once and stay on the workers."""
        if not hasattr(shard, "__dask_graph__"):
            return shard
        if id(shard) not in self._started:
            self._started[id(shard)] = self.client.compute(shard)
        return self._started[id(shard)]

    def _result(self, future: Any, shard: Any) -> Any:
        from distributed import KilledWorker

        try:
            return future.result()
        except KilledWorker as error:
            name = getattr(shard, "name", "a block")
            raise RuntimeError(
                f"{error.last_worker.address}, the last of several workers, died while it worked on {name}; if memory "
                "was short there, more and smaller shards or fewer threads for each worker help"
            ) from error

    # -- who does what ----------------------------------------------------------------------------------------

    def _workers(self) -> dict[str, int]:
        """The threads of each worker; waits for the first one."""
        in_its_thread = self.client.asynchronous  # where nobody can wait for an answer
        if monotonic() > self._known_until and not in_its_thread:
            self._known = self.client.nthreads()
            if not self._known:
                self.client.wait_for_workers(1)
                self._known = self.client.nthreads()
            self._known_until = monotonic() + KNOWN_SECONDS
        return self._known

    def _by_home(self, shards: Sequence[Any]) -> list[tuple[str, int, list[int]]]:
        """Workers, their threads, and the numbers of the shards that they have."""
        workers = self._workers()
        self._assign(shards, workers)
        numbers: dict[str, list[int]] = {}
        for number in range(len(shards)):
            numbers.setdefault(self._homes[number], []).append(number)
        return [(home, workers[home], own) for home, own in numbers.items()]

    def _assign(self, shards: Sequence[Any], workers: dict[str, int]) -> None:
        """A home for every shard: where it was, unless that worker is gone or has too much to do."""
        sizes = [max(1, shard.size) if isinstance(shard, Shard) else 1 for shard in shards]
        share = sum(sizes) / sum(workers.values())  # for each thread
        load: Counter[str] = Counter()
        homeless = []
        for number, size in enumerate(sizes):
            home = self._homes.get(number, "")
            if home in workers and load[home] + size < share * workers[home] + max(sizes):
                load[home] += size
            else:
                homeless.append(number)
        # The largest first, and in the order of addresses, so that all maps of a job agree.
        for number in sorted(homeless, key=lambda number: -sizes[number]):
            home = min(sorted(workers), key=lambda address: load[address] / workers[address])
            self._homes[number] = home
            load[home] += sizes[number]


class _BundlesOnDask(Bundles):
    def __init__(
        self, workers: OnDask, futures: list[Any], members: list[list[int]], shards: Sequence[Any]
    ) -> None:
        self._workers, self._futures, self._shards = workers, futures, shards
        self._members = members  # the numbers of the shards of each bundle

    @property
    def kept(self) -> list[Any]:
        return self._futures

    def results(self) -> Iterator[Any]:
        found: dict[int, Any] = {}
        wanted = 0
        futures = list(self._futures)
        try:
            for members in self._members:
                results = self._workers._result(futures[0], self._shards[members[0]])
                futures.pop(0).release()
                found.update(zip(members, results, strict=True))
                while wanted in found:
                    yield found.pop(wanted)
                    wanted += 1
        finally:
            self._workers.client.cancel(futures)


def several(task: Task, shards: list[Any], each: list[Any], *common: Any) -> list[Any]:
    """A bundle of tasks."""
    return [task(shard, own, *common) for shard, own in zip(shards, each, strict=True)]


def listed(shard: Any, task: Task, *common: Any) -> list[Any]:
    """All that a task iterates over."""
    return list(task(shard, *common))


def workers_for(client: Any) -> Workers:
    """The workers of a client; without one this process."""
    return Workers() if client is None else OnDask(client)


def _large_arguments() -> Any:
    """Models travel as arguments on purpose, see `OnDask.share`."""
    from dask import config

    return config.set({"distributed.admin.large-graph-warning-threshold": "100GB"})


def _at(home: str) -> dict[str, Any]:
    """Where a task runs, unless that worker is lost."""
    return {"workers": [home], "allow_other_workers": True}


def _itself(value: Any) -> Any:
    return value


def _key(task: Task) -> str:
    """A name for Dask's dashboard."""
    from uuid import uuid4

    return f"{getattr(task, '__name__', 'task')}-{uuid4().hex}"
