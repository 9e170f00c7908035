"""Work in child processes with limits on time and memory, so that a hang or a crash is an outcome like others."""

from __future__ import annotations

import os
import pickle
import random
import resource
import signal
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any


def some_of(cases: Iterable[Any]) -> list[Any]:
    """A sample, always the same one, of HEDGEROW_ODD_CASES (300) cases; all of them take an hour."""
    all_cases = list(cases)
    n = min(int(os.environ.get("HEDGEROW_ODD_CASES", "300")), len(all_cases))
    return random.Random(0).sample(all_cases, n)


def each_in_a_child(
    cases: Sequence[Any], work: Callable[[Any], Any], seconds: float = 10, megabytes: int = 2048
) -> Iterator[tuple[Any, Any]]:
    """(case, what work gives for it), or a text that says how the child ended without giving anything.

    One child does as many cases as it can; after one that it does not survive, the next child goes on.
    """
    begin = 0
    while begin < len(cases):
        for case, outcome in _by_one_child(cases[begin:], work, seconds, megabytes):
            begin += 1
            yield case, outcome


@contextmanager
def printed() -> Iterator[list[str]]:
    """What was written to standard output and error meanwhile, by native code too."""
    texts: list[str] = []
    with tempfile.TemporaryFile() as file:
        sys.stdout.flush()
        kept = os.dup(1), os.dup(2)
        os.dup2(file.fileno(), 1)
        os.dup2(file.fileno(), 2)
        try:
            yield texts
        finally:
            sys.stdout.flush()
            os.dup2(kept[0], 1)
            os.dup2(kept[1], 2)
            os.close(kept[0])
            os.close(kept[1])
            file.seek(0)
            texts.extend(file.read().decode(errors="replace").splitlines())


def _by_one_child(
    cases: Sequence[Any], work: Callable[[Any], Any], seconds: float, megabytes: int
) -> Iterator[tuple[Any, Any]]:
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.close(reading)
            _work_through(cases, work, seconds, megabytes, writing)
        finally:
            os._exit(0)
    os.close(writing)
    done = 0
    with os.fdopen(reading, "rb") as results:
        for case in cases:
            try:
                yield case, pickle.load(results)
            except EOFError:
                break
            done += 1
    _, status = os.waitpid(child, 0)
    if done < len(cases):
        number = os.WTERMSIG(status)
        end = "more than the time allowed" if number == signal.SIGALRM else signal.Signals(number).name
        yield cases[done], f"died: {end}"


def _work_through(
    cases: Sequence[Any], work: Callable[[Any], Any], seconds: float, megabytes: int, writing: int
) -> None:
    with open("/proc/self/statm", encoding="ascii") as sizes:
        pages = int(sizes.read().split()[0])
    limit = pages * resource.getpagesize() + megabytes * 2**20
    resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    with os.fdopen(writing, "wb") as results:
        for case in cases:
            signal.setitimer(signal.ITIMER_REAL, seconds)
            outcome = work(case)
            signal.setitimer(signal.ITIMER_REAL, 0)
            pickle.dump(outcome, results)
            results.flush()
