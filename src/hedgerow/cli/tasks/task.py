"""What commands know about a kind of outputs."""

from __future__ import annotations

import os
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from itertools import chain
from typing import Any, ClassVar, Self

from rich.console import Console

from hedgerow.cli.cluster import ShardOptions, whole_files
from hedgerow.cli.failures import refused
from hedgerow.cli.train.choice import Choice
from hedgerow.cli.train.lessons import Lesson, Pieces, Sharded, Whole, begun
from hedgerow.data.files import name_of
from hedgerow.distributed.shards import Surveyed
from hedgerow.distributed.sources import from_files
from hedgerow.distributed.workers import workers_for
from hedgerow.io.examples import join, no_example
from hedgerow.io.readers import Batch, Reader

Names = Callable[[int], Callable[[int], str]]  # of the features of an example, by its place


def feature_name(*, hashed: bool) -> Callable[[int], str]:
    """What features are called: as files number them, from 1, but for the columns of hashed words."""
    return (lambda column: f"column {column}") if hashed else (lambda feature: f"feature {feature + 1}")


class Task(ABC):
    """Reading examples, making problems, writing predictions and showing figures.

    A model file keeps what `notes` gives, so that new data are read as the training data were.
    """

    data: ClassVar[tuple[str, ...]]  # options of data that it takes
    files: ClassVar[dict[str, Callable[[str], Any]]] = {}  # what reads parameters of the problem from a file
    option_names: ClassVar[dict[str, str]] = {}  # of parameters whose options have other names
    examples: ClassVar[str] = "examples"  # what they are called
    form: ClassVar[str]  # what files hold, if that is settled

    def __init__(self, reader: Reader, choice: Choice | None = None) -> None:
        self.reader = reader
        self._choice = choice

    @property
    def choice(self) -> Choice:
        assert self._choice is not None  # those who train come from a choice
        return self._choice

    # -- training -------------------------------------------------------------------------------------------

    @classmethod
    @abstractmethod
    def from_choice(cls, choice: Choice) -> Self:
        """For training."""

    def lesson(self, paths: Sequence[str]) -> Lesson:
        """The training examples as the learner takes them; what follows from them is known afterwards."""
        return self._stream(paths) if self.streams else Whole(*self.everything(paths))

    @property
    def streams(self) -> bool:
        """Whether the learner takes pieces; complains about options that do not fit together."""
        learner, data = self.choice.learner, self.choice.data
        if not data.stream and data.classes is not None:
            raise refused("--classes", "it names the labels of a --stream")
        if data.stream and self.choice.given.get("shuffle"):
            raise refused("--shuffle", "a stream has its own order")
        if data.stream and learner.batch:
            raise refused("--stream", f"the learner {learner.name} needs all examples in memory")
        return data.stream

    def sharded(self, paths: Sequence[str], shards: ShardOptions, client: Any) -> Sharded:
        """The same in shards, of which all is known that learning needs."""
        paths = whole_files(paths)
        self.begin(paths)
        data = from_files(paths, self.reader, shards.shards)
        surveyed = data.surveyed(workers_for(client))
        self.settle(surveyed)
        return Sharded(data, surveyed.n, client, shards.budget)

    def more(self, model: Any, paths: Sequence[str]) -> Lesson:
        """Further examples for a model, in one pass."""
        return Pieces([self.pieces(paths)])

    def everything(self, paths: Sequence[str]) -> Batch:
        """All training examples."""
        batches = list(self.pieces(paths))
        if not batches:
            raise no_example(paths)
        return join([X for X, _ in batches]), join([y for _, y in batches])

    def pieces(self, paths: Sequence[str]) -> Iterator[Batch]:
        """The training examples, a bounded number at a time."""
        for path in paths:
            yield from self.reader.pieces(path)

    def begin(self, paths: Sequence[str]) -> None:
        """Looks at the first examples, which settle how all are read."""
        if begun(self.pieces(paths)) is None:
            raise no_example(paths)

    def settle(self, surveyed: Surveyed) -> None:  # noqa: B027
        """Takes up what a look at all shards has told."""

    def for_learner(self) -> dict[str, Any]:
        """What follows from the data, for `Choice.make_learner`; they have been looked at when this is asked."""
        return {"problem": self.parameters()}

    def parameters(self) -> dict[str, Any]:
        """Parameters of the problem that follow from the data."""
        return {}

    def _stream(self, paths: Sequence[str]) -> Pieces:
        """Files are read again for every pass."""
        epochs = self.choice.given.get("epochs", 1)
        if epochs > 1:
            require_files(paths)
        first = begun(self.pieces(paths))
        if first is None:
            raise no_example(paths)
        return Pieces(chain([first], (self.pieces(paths) for _ in range(epochs - 1))))

    # -- models ---------------------------------------------------------------------------------------------

    @classmethod
    @abstractmethod
    def from_model(cls, model: Any, notes: dict[str, Any], path: str) -> Self:
        """For the model of a file; one that was saved from Python has no notes."""

    def told(self, data_format: str | None, spaces_in_leaves: bool) -> None:
        """Takes up what options say about new data."""
        if data_format is not None:
            raise refused("--format", f"{self.form} have no other form")

    def notes(self) -> dict[str, Any]:
        """What a model file keeps."""
        return {}

    def described(self, path: str) -> Iterator[tuple[Any, list[str], Names]]:
        """Examples of new data, their labels if they have some, and the names of their features."""
        for X, _ in self.reader.for_new_data(labelled=False).pieces(path):
            yield X, [], lambda _: feature_name(hashed=False)

    @abstractmethod
    def text(self, X: Any, y: Any, predicted: Any) -> str:
        """Predictions as a file has them."""

    def scores_text(self, model: Any, X: Any) -> str:
        """Scores as a file has them."""
        raise refused("--scores", "models of structured outputs write none")

    def outcome(self, model: Any, lesson: Lesson) -> str:
        """What there is to say when training is over."""
        return f"{lesson.n} {self.examples}, {model._outcome()}"

    @abstractmethod
    def show(self, figures: dict[str, Any], console: Console) -> None:
        """The figures for people."""


def require_files(paths: Sequence[str]) -> None:
    """Several passes need something that can be read again."""
    for path in paths:
        if not os.path.isfile(path):
            raise ValueError(f"{name_of(path)} can be read only once, so --epochs is not possible")


def unknown_label(path: str, label: Any, known: Sequence[Any], advice: bool) -> ValueError:
    """Of a stream, whose labels are known beforehand."""
    said = "; name all labels that will come with --classes" if advice else ""
    return ValueError(f"{name_of(path)}: the label {label} is none of {', '.join(map(str, known))}{said}")
