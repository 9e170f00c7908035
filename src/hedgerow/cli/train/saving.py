"""Models that are written while they learn, and continue where they were stopped."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from threading import Event, Thread
from typing import Any

import typer

from hedgerow.cli.failures import complain
from hedgerow.cli.paths import public_name, trained_on
from hedgerow.cli.train.lessons import Lesson
from hedgerow.data.errors import FormatError
from hedgerow.models.stored import stored_texts, stored_whole
from hedgerow.persistence.model_file import write_model

_UNITS = {"s": 1, "m": 60, "h": 3600}


@dataclass(frozen=True)
class Every:
    """How often a model is written while it learns: after this many examples or seconds."""

    examples: int | None = None
    seconds: float | None = None

    @classmethod
    def parse(cls, text: str | Every) -> Every:
        """From what was said on the command line."""
        if isinstance(text, Every):
            return text
        found = re.fullmatch(r"(\d+)([smh]?)", text)
        if found is None or int(found[1]) == 0:
            raise typer.BadParameter(
                f"must be a number of examples, such as 1000, or a time, such as 30s, 5m or 1h, got {text!r}"
            )
        number, unit = int(found[1]), found[2]
        return cls(seconds=number * _UNITS[unit]) if unit else cls(examples=number)


@dataclass(frozen=True)
class Stream:
    """What a model file says of the examples that the model was learning from when it was written.

    How many of them it has seen is not there: that is what it has seen since they began, so that a file says it
    correctly whenever it is written.
    """

    data: list[str]  # names of the inputs
    begun: int  # how many examples the model had seen before
    examples: int  # how many of the data there were, as far as was known
    finished: bool

    @classmethod
    def of(cls, trained: dict[str, Any], path: str) -> Stream | None:
        """That of a file; None if it says nothing."""
        said = trained.get("stream")
        if said is None:
            return None
        try:
            whole = {name: stored_whole(said, name) for name in ("begun", "examples")}
            return cls(stored_texts(said, "data"), **whole, finished=said["finished"] is True)
        except (ValueError, KeyError, TypeError):
            raise FormatError("the model does not say how far its training had come", path=path) from None


@dataclass
class Saving:
    """Writes a model: at the end, when it is interrupted, and now and then before."""

    model: Any
    output: str
    inputs: Sequence[str]
    notes: Callable[[], dict[str, Any]]
    lesson: Lesson
    before: dict[str, Any] | None  # what the model was trained on earlier, if it was
    skipped: int = 0
    every: Every | None = None
    final: bool = False  # whether the finished model needs nothing to go on from
    finished = False
    _learned = 0  # examples
    _saved = 0  # of these, when the model was last written

    def __post_init__(self) -> None:
        self._begun = getattr(self.model, "n_seen_", 0) - self.skipped

    def write(self, path: str) -> None:
        lineage = trained_on(self.inputs, self.lesson.n, self.before)
        if lineage and hasattr(self.model, "n_seen_") and hasattr(self.model, "partial_fit"):
            names = [*map(public_name, self.inputs)]
            lineage["stream"] = vars(Stream(names, self._begun, self.lesson.n, self.finished))
        resumable = not (self.final and self.finished)
        write_model(self.model, path, self.notes(), lineage, resumable)

    def room(self) -> int | None:
        """How many examples may be learned from before the model is to be written; None: any number."""
        if self.every is None or self.every.examples is None:
            return None
        return self.every.examples - self._learned % self.every.examples

    def learned(self, examples: int) -> None:
        """Count training examples, and write the model if it is time to."""
        self._learned += examples
        if self.every is not None and self.every.examples and self._learned % self.every.examples == 0:
            self._save()

    @contextmanager
    def at_times(self) -> Iterator[None]:
        """Meanwhile the model is written whenever the time has come, also while nothing arrives."""
        if self.every is None or self.every.seconds is None:
            yield
            return
        ended = Event()

        def watch(seconds: float) -> None:
            while not ended.wait(seconds):
                self._save()

        thread = Thread(target=watch, args=(self.every.seconds,), daemon=True)
        thread.start()
        try:
            yield
        finally:
            ended.set()
            thread.join()

    def _save(self) -> None:
        """A model that cannot be written continues learning: what was written before is still there."""
        learned = self._learned
        if learned == self._saved:
            return
        try:
            self.write(self.output)
            self._saved = learned
        except OSError as error:
            complain(
                f"warning: {self.output} could not be written, learning continues: {error.strerror or error}"
            )


def seen_before(
    model: Any, trained: dict[str, Any], inputs: Sequence[str], path: str, skip_seen: bool | None
) -> int:
    """How many examples of the inputs the model has seen, which are not to be learned from again.

    Files begin with what was seen when training was stopped; what comes through a pipe goes on, unless it is said that
    it starts over.
    """
    stream = Stream.of(trained, path)
    if skip_seen is None:
        same = stream is not None and stream.data == [*map(public_name, inputs)] and not stream.finished
        skip_seen = same and all(map(os.path.isfile, inputs))
    if not skip_seen:
        return 0
    seen = None if stream is None else getattr(model, "n_seen_", 0) - stream.begun
    if seen is None or seen < 0:
        raise ValueError(f"{path} does not say how many examples of its stream it has seen")
    return seen


def before_stream(trained: dict[str, Any], path: str) -> dict[str, Any]:
    """What a model was trained on before the data that it goes on with."""
    stream = Stream.of(trained, path)
    assert stream is not None
    data = trained.get("data", [])
    return {
        "data": data[: len(data) - len(stream.data)],
        "examples": max(0, trained.get("examples", 0) - stream.examples),
    }
