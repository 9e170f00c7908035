"""Wrong predictions of a stream, sampled while they are counted."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from hedgerow.kernels.base import Matrix


@dataclass(frozen=True)
class ErrorSample:
    """How many predictions were wrong up to some example, and since the sample before."""

    examples: int
    mistakes: int
    recent_examples: int
    recent_mistakes: int

    @property
    def error(self) -> float:
        """The share of wrong predictions."""
        return self.mistakes / self.examples

    @property
    def recent_error(self) -> float:
        """The same since the sample before."""
        return self.recent_mistakes / self.recent_examples


class ErrorCount:
    """Counts wrong predictions, with a sample after 1, 2, 4, 8, ... examples, or after every so many."""

    def __init__(self, every: int | None = None) -> None:
        self.examples = self.mistakes = 0
        self._every = every
        self._next = every or 1
        self._sampled = (0, 0)

    def add(self, wrong: Matrix) -> Iterator[ErrorSample]:
        """Counts predictions in the order in which they were made; gives the samples that fall among them."""
        done = 0
        while self._next <= self.examples + len(wrong) - done:
            upto = done + self._next - self.examples
            self._count(wrong[done:upto])
            done = upto
            yield self._sample()
            self._next = self._next + self._every if self._every else 2 * self._next
        self._count(wrong[done:])

    def rest(self) -> ErrorSample | None:
        """A sample at the end, unless there is one already."""
        return self._sample() if self.examples > self._sampled[0] else None

    def _count(self, wrong: Matrix) -> None:
        self.examples += len(wrong)
        self.mistakes += int(np.count_nonzero(wrong))

    def _sample(self) -> ErrorSample:
        before_examples, before_mistakes = self._sampled
        self._sampled = self.examples, self.mistakes
        return ErrorSample(
            self.examples,
            self.mistakes,
            self.examples - before_examples,
            self.mistakes - before_mistakes,
        )
