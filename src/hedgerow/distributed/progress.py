"""How far work over many shards has come."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from rich.console import Console
from rich.progress import BarColumn, TextColumn, TimeElapsedColumn
from rich.progress import Progress as Bar


@dataclass(frozen=True)
class Progress:
    """What is known during the work.

    Attributes
    ----------
    round, rounds : which round this is, from 1, and how many there will be; 0 where unknown
    done, total : examples of this round
    seconds : since the work began
    rate : examples a second, over all rounds
    remaining : seconds; None where unknown
    words : what else there is to say, as the objective

    Examples
    --------
    >>> from hedgerow.distributed import Progress
    >>> print(Progress(round=2, rounds=10, done=500, total=1000, seconds=3.0, rate=500.0, remaining=17.0))
    round 2 of 10, 500 examples/s, 17 s left
    """

    round: int
    rounds: int
    done: int
    total: int
    seconds: float
    rate: float
    remaining: float | None
    words: str = ""

    def __str__(self) -> str:
        of_rounds = f" of {self.rounds}" if self.rounds else ""
        where = f"{self.done} examples" if self.rounds == 1 else f"round {self.round}{of_rounds}"
        remaining = "" if self.remaining is None else f", {self.remaining:.0f} s left"
        words = f", {self.words}" if self.words else ""
        return f"{where}{words}, {self.rate:.0f} examples/s{remaining}"


Watch = Callable[[Progress], object]


class Meter:
    """Counts examples, and tells what watches."""

    def __init__(self, watch: Watch | None, total: int, rounds: int = 1) -> None:
        self._watch = watch
        self._total, self._rounds = total, rounds
        self._round, self._done, self._before = 1, 0, 0
        self._words = ""
        self._started = time.perf_counter()

    def begin_round(self, number: int, words: str = "") -> None:
        self._before += self._done
        self._round, self._done, self._words = number, 0, words

    def expect(self, total: int) -> None:
        """As many examples a round, as far as can be told now."""
        self._total = total

    def add(self, examples: int) -> None:
        """So many more of this round."""
        self._done += examples
        if self._watch is not None:
            self._watch(self.now())

    def now(self) -> Progress:
        seconds = time.perf_counter() - self._started
        rate = (self._before + self._done) / seconds if seconds > 0 else 0.0
        remaining = None
        if self._rounds and rate > 0:
            remaining = (self._total * (self._rounds - self._round + 1) - self._done) / rate
        return Progress(
            self._round, self._rounds, self._done, self._total, seconds, rate, remaining, self._words
        )


@contextmanager
def showing(what: str, wanted: bool) -> Iterator[Watch | None]:
    """Shows progress on standard error, if it is wanted: a bar on a terminal, else a line a round."""
    if not wanted:
        yield None
        return
    if not sys.stderr.isatty():
        yield _print_rounds
        return
    described, words = TextColumn("{task.description}"), TextColumn("{task.fields[words]}")
    columns = (described, BarColumn(), words, TimeElapsedColumn())
    with Bar(*columns, console=Console(stderr=True), transient=True) as drawn:
        task = drawn.add_task(what, total=None, words="")
        yield lambda now: drawn.update(task, total=now.total, completed=now.done, words=str(now))


def _print_rounds(progress: Progress) -> None:
    if progress.done >= progress.total:
        print(progress, file=sys.stderr, flush=True)
