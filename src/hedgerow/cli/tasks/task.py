"""What commands know about a kind of outputs."""

from __future__ import annotations

import os
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from copy import copy as shallow_copy
from itertools import chain
from typing import Any, ClassVar, Self

from rich.console import Console

from hedgerow.cli.cluster import ShardOptions, whole_files
from hedgerow.cli.failures import refused
from hedgerow.cli.progress import counting
from hedgerow.cli.train.choice import Choice
from hedgerow.cli.train.lessons import Lesson, Pieces, Sharded, Whole, begun
from hedgerow.data.files import name_of
from hedgerow.distributed.shards import Surveyed
from hedgerow.distributed.sources import from_files
from hedgerow.distributed.workers import workers_for
from hedgerow.io.examples import join, no_example
from hedgerow.io.formats import FORMATS
from hedgerow.io.readers import Batch, Reader
from hedgerow.kernels import Kernel
from hedgerow.registry import DataKind


class Task(ABC):
    """Reading examples, making problems, writing predictions and showing figures.

    A model file keeps what `notes` gives, so that new data are read as the training data were.
    """

    data: ClassVar[tuple[str, ...]]  # options of data that it takes
    files: ClassVar[dict[str, Callable[[str], Any]]] = {}  # what reads parameters of the problem from a file
    option_names: ClassVar[dict[str, str]] = {}  # of parameters whose options have other names
    extractor: ClassVar[Any] = None  # makes features of examples; its parameters are options
    examples: ClassVar[str] = "examples"  # what they are called
    output: ClassVar[str] = "output"  # what JSON calls a prediction
    by_class: ClassVar[bool] = False  # whether there is a score for each class
    formats: ClassVar[tuple[str, ...]] = tuple(row.name for row in FORMATS if row.labelled)  # of its files
    form: ClassVar[str]  # what files hold, if that is settled
    remarks = True  # whether to say which columns count
    kernel: Kernel | None = None  # on what tables hold

    def __init__(self, reader: Reader, choice: Choice | None = None) -> None:
        self.reader = reader
        self._choice = choice

    @property
    def choice(self) -> Choice:
        assert self._choice is not None  # those who train come from a choice
        return self._choice

    @property
    def columns(self) -> Mapping[str, DataKind]:
        """What tables hold that a kernel may look at."""
        return {}

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
        return Sharded(data, surveyed.n, client)

    def more(self, model: Any, paths: Sequence[str], passes: int = 1) -> Lesson:
        """Further examples for a model."""
        return Pieces(self.pieces(paths) for _ in range(passes))

    def of(self, choice: Choice) -> Self:
        """The same, after examples were read, for a choice that differs in parameters."""
        copy = shallow_copy(self)
        copy._choice = choice
        return copy

    def tried(self) -> dict[str, list[Any]]:
        """Values of parameters of the problem that are worth a comparison; examples have been read."""
        return {}

    def everything(self, paths: Sequence[str]) -> Batch:
        """All training examples."""
        batches = []
        with counting("Reading", None) as advance:
            for batch in self.pieces(paths):
                batches.append(batch)
                advance(len(batch[1]))
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
        if data_format is not None and data_format not in self.formats:
            why = f"{self.examples} are in the form {' or '.join(self.formats)}" if self.formats else ""
            raise refused("--format", why or f"{self.form} have no other form")

    def notes(self) -> dict[str, Any]:
        """What a model file keeps."""
        return {}

    def described(self, path: str) -> Iterator[tuple[Any, list[str]]]:
        """Examples of new data, and their labels if they have some."""
        for X, _ in self.reader.for_new_data(labelled=False).pieces(path):
            yield X, []

    @abstractmethod
    def outputs(self, X: Any, predicted: Any) -> list[Any]:
        """Predictions as JSON has them."""

    def text(self, X: Any, y: Any, predicted: Any) -> str:
        """Predictions as a file has them."""
        return "".join(f"{output}\n" for output in self.outputs(X, predicted))

    def scores(self, model: Any, X: Any) -> Any:
        """The scores of predictions."""
        if not hasattr(model, "decision_scores"):
            raise refused("--scores", f"this {type(model).__name__} gives none")
        return model.decision_scores(X)

    def scores_text(self, model: Any, X: Any) -> str:
        """Scores as a file has them."""
        return numbers_text(self.scores(model, X))

    def ranked_text(self, X: Any, y: Any, ranked: Any, scores: bool) -> str:
        """Several predictions of each example, best first: place, score if wanted, and prediction."""
        rows = (
            [str(place + 1), *([repr(score)] if scores else []), self.one_text(X, example, output)]
            for example, outputs in enumerate(ranked)
            for place, (output, score) in enumerate(outputs)
        )
        return "".join("\t".join(row) + "\n" for row in rows)

    def one_text(self, X: Any, example: int, output: Any) -> str:
        """One prediction, without the end of its line."""
        return str(output)

    def check_probabilities(self, model: Any) -> None:
        """Complains about a model that gives none."""
        if not hasattr(model, "predict_proba"):
            raise refused(
                "--probabilities",
                f"this {type(model).__name__} gives none; classifiers do when they are trained with --probability "
                "sigmoid or isotonic, or with --loss logistic",
            )

    def outcome(self, model: Any, lesson: Lesson) -> str:
        """What there is to say when training is over."""
        return f"{lesson.n} {self.examples}, {model._outcome()}"

    @abstractmethod
    def show(self, figures: dict[str, Any], console: Console) -> None:
        """The figures for people."""


def numbers_text(rows: Any) -> str:
    """Numbers as a file has them, one row per line."""
    if rows.ndim == 1:
        return "".join(f"{value!r}\n" for value in rows.tolist())
    return "".join("\t".join(map(repr, row)) + "\n" for row in rows.tolist())


def require_files(paths: Sequence[str]) -> None:
    """Several passes need something that can be read again."""
    for path in paths:
        if not os.path.isfile(path):
            raise ValueError(f"{name_of(path)} can be read only once, so --epochs is not possible")


def unknown_label(path: str, label: Any, known: Sequence[Any], advice: bool) -> ValueError:
    """Of a stream, whose labels are known beforehand."""
    said = "; name all labels that will come with --classes" if advice else ""
    return ValueError(f"{name_of(path)}: the label {label} is none of {', '.join(map(str, known))}{said}")
