"""The progressive error of a stream, printed while it is learned from, as Vowpal Wabbit does."""

from __future__ import annotations

from typing import Any

import typer

from hedgerow.io.examples import Examples, Vector
from hedgerow.model_selection.error_count import ErrorCount, ErrorSample

_ROW = "{:>12}  {:>8}  {:>10}  {:>12}  {:>12}  {:>8}"
_HEAD = _ROW.format("examples", "error", "since last", "label", "predicted", "features")


class ProgressiveReport:
    """Every example is predicted before it is learned from: the error so far and since the last line.

    A line is printed to standard error after 1, 2, 4, 8, ... examples, or after every so many; it ends with the last
    of these examples.
    """

    def __init__(self, every: int | None) -> None:
        self.count = ErrorCount(every)
        self._last = ("", "", "")

    def add(self, X: Examples, y: Vector, predicted: Vector) -> None:
        first = self.count.examples
        for sample in self.count.add(predicted != y):
            self._print(sample, _shown(X, y, predicted, sample.examples - first - 1))
        self._last = _shown(X, y, predicted, len(y) - 1)

    def finish(self) -> None:
        if sample := self.count.rest():
            self._print(sample, self._last)

    def _print(self, sample: ErrorSample, example: tuple[str, str, str]) -> None:
        if sample.examples == sample.recent_examples:  # the first line
            typer.echo(_HEAD, err=True)
        error, recent = f"{sample.error:.4f}", f"{sample.recent_error:.4f}"
        typer.echo(_ROW.format(sample.examples, error, recent, *example), err=True)


def _shown(X: Any, y: Vector, predicted: Vector, i: int) -> tuple[str, str, str]:
    """Label, prediction and number of features of an example; the last is unknown for what are no vectors."""
    features = X.indptr[i + 1] - X.indptr[i] if hasattr(X, "indptr") else "-"
    return _short(y[i]), _short(predicted[i]), str(features)


def _short(label: Any) -> str:
    text = str(label)
    return text if len(text) <= 12 else f"{text[:11]}…"
