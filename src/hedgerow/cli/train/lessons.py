"""Lessons: training examples in the way that a learner takes them, at once, piece by piece, or from shards."""

from __future__ import annotations

import sys
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING, Any, ClassVar

from hedgerow import distributed
from hedgerow.cli.progress import counting, spinning
from hedgerow.cli.terminal import say
from hedgerow.distributed import Shards
from hedgerow.distributed.progress import showing
from hedgerow.io.examples import Examples, Vector
from hedgerow.io.readers import Batch

if TYPE_CHECKING:
    from hedgerow.cli.train.saving import Saving
    from hedgerow.model_selection.error_count import ErrorSample

_ROW = "{:>12}  {:>8}  {:>10}  {:>12}  {:>12}  {:>8}"
_HEAD = _ROW.format("examples", "error", "since last", "label", "predicted", "features")


@dataclass(frozen=True)
class ProgressOptions:
    """What was said about the progressive error, and whether anything is to be shown."""

    every: int | None = None
    quiet: bool = False

    def report(self, model: Any) -> ProgressiveReport | None:
        """With a kernel predictions take their time, so that they have to be asked for."""
        wanted = getattr(model, "_on_weights", False) or self.every is not None
        return ProgressiveReport(self.every) if wanted and not self.quiet else None


SHOWN = ProgressOptions()


class Lesson(ABC):
    """Training examples; `n` is their number, when all were read."""

    n: int
    resumable: ClassVar[bool] = False  # whether learning can be broken off between examples, and resumed
    local: ClassVar[bool] = True  # whether all is learned in this process

    @abstractmethod
    def learn(self, model: Any, progress: ProgressOptions = SHOWN, saving: Saving | None = None) -> None:
        """Makes the model learn from them; what comes in pieces may be saved, and begin with what was learned."""


@dataclass
class Whole(Lesson):
    """All examples at once, for the model to go through as it likes."""

    X: Examples
    y: Any

    @property
    def n(self) -> int:  # type: ignore[override]
        return len(self.y)

    def learn(self, model: Any, progress: ProgressOptions = SHOWN, saving: Saving | None = None) -> None:
        with spinning("Learning", wanted=not progress.quiet) as say:
            model._watch = say
            try:
                model.fit(self.X, self.y)
            finally:
                model.__dict__.pop("_watch", None)


@dataclass
class Pieces(Lesson):
    """Passes over the examples, a bounded number at a time."""

    resumable = True

    passes: Iterable[Iterable[Batch]]
    classes: Vector | None = None  # if the learner must be told
    total: int | None = None  # examples of all passes, if known
    n: int = 0

    def learn(self, model: Any, progress: ProgressOptions = SHOWN, saving: Saving | None = None) -> None:
        told = {} if self.classes is None else {"classes": self.classes}
        # Structured learners have no progressive error.
        report = progress.report(model) if hasattr(model, "_predict_then_learn") else None
        # Lines of a report and a bar would be in each other's way.
        wanted = report is None and not progress.quiet
        with counting("Learning", self.total, wanted=wanted) as advance:
            for number, batches in enumerate(self.passes):
                for X, y in self._to_learn(batches, number == 0, saving):
                    if report is not None:
                        report.add(X, y, model._predict_then_learn(X, y, self.classes, fast=True), model)
                    else:
                        model.partial_fit(X, y, **told)
                    advance(len(y))
                    self.n += len(y) if number == 0 else 0
                    if saving is not None:
                        saving.learned(len(y))
                if report is not None:
                    report.finish()
                report = None  # examples from an earlier run give no progressive error

    def _to_learn(self, batches: Iterable[Batch], first: bool, saving: Saving | None) -> Iterator[Batch]:
        """The batches without what the model has seen, and in parts that end where it is to be saved."""
        for X, y in batches:
            begin = 0
            if saving is not None and saving.skipped:
                begin = min(saving.skipped, len(y))
                saving.skipped -= begin
                self.n += begin if first else 0
            while begin < len(y):
                room = None if saving is None else saving.room()
                end = len(y) if room is None else min(len(y), begin + room)
                yield (X, y) if end - begin == len(y) else (X[begin:end], y[begin:end])
                begin = end


@dataclass
class Sharded(Lesson):
    """Examples in shards, for training on a cluster, or one after the other here."""

    local = False

    data: Shards
    n: int
    client: Any = None

    def learn(self, model: Any, progress: ProgressOptions = SHOWN, saving: Saving | None = None) -> None:
        with showing("Learning", not progress.quiet and sys.stderr.isatty()) as watch:
            distributed.fit(model, self.data, client=self.client, watch=watch)


def begun(pieces: Iterable[Batch]) -> Iterator[Batch] | None:
    """The same pieces, of which the first has been read; None if there are none."""
    rest = iter(pieces)
    first = next(rest, None)
    return None if first is None else chain([first], rest)


class ProgressiveReport:
    """Every example is predicted before the model learns from it: the error so far and since the last line.

    As in Vowpal Wabbit, a line is printed to standard error after 1, 2, 4, 8, ... examples, or after every so many; it
    ends with the last of these examples.
    """

    def __init__(self, every: int | None) -> None:
        # Imported here: searches for parameters, which predictions need not wait for, come with it.
        from hedgerow.model_selection.error_count import ErrorCount

        self.count = ErrorCount(every)
        self._last = ("", "", "")

    def add(self, X: Examples, y: Vector, predicted: Vector, model: Any) -> None:
        first = self.count.examples
        for sample in self.count.add(predicted != y):
            self._print(sample, _shown(X, y, predicted, sample.examples - first - 1, model))
        self._last = _shown(X, y, predicted, len(y) - 1, model)

    def finish(self) -> None:
        if sample := self.count.rest():
            self._print(sample, self._last)

    def _print(self, sample: ErrorSample, example: tuple[str, str, str]) -> None:
        if sample.examples == sample.recent_examples:  # the first line
            say(_HEAD, err=True)
        error, recent = f"{sample.error:.4f}", f"{sample.recent_error:.4f}"
        say(_ROW.format(sample.examples, error, recent, *example), err=True)


def _shown(X: Any, y: Vector, predicted: Vector, i: int, model: Any) -> tuple[str, str, str]:
    """Label, prediction and number of features of an example; the last is unknown for trees."""
    features: Any = "-"
    if hasattr(X, "indptr"):
        features = X.indptr[i + 1] - X.indptr[i]
    elif (vectorizer := getattr(model, "vectorizer", None)) is not None:
        features = len(vectorizer._names(X[i]))
    return _short(y[i]), _short(predicted[i]), str(features)


def _short(label: Any) -> str:
    text = str(label)
    return text if len(text) <= 12 else f"{text[:11]}…"
