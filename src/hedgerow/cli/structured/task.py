"""What the command line needs to know about a kind of structured problem."""

from __future__ import annotations

import pickle
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Self

from rich.console import Console

from hedgerow.cli.train.choice import Choice
from hedgerow.distributed.shards import Surveyed
from hedgerow.io.formats import DataFormat
from hedgerow.io.readers import Reader
from hedgerow.io.tables import no_example
from hedgerow.structured import Problem
from hedgerow.structured.learner import StructuredLearner

Examples = tuple[Any, Any]  # inputs and outputs


class Task(ABC):
    """Reading examples, making problems, writing predictions and measuring them.

    A model file keeps what `notes` gives, so that new data are read as the training data were.
    """

    name: ClassVar[str]
    problem: ClassVar[type[Problem]]
    data: ClassVar[tuple[str, ...]]  # the options of data that it takes
    files: ClassVar[dict[str, Callable[[str], Any]]] = {}  # what reads parameters of the problem from a file
    option_names: ClassVar[dict[str, str]] = {}  # where an option is not called as the parameter
    examples: ClassVar[str] = "examples"  # what they are called

    # -- training -------------------------------------------------------------------------------------------

    @classmethod
    @abstractmethod
    def from_choice(cls, choice: Choice) -> Self:
        """For training."""

    @abstractmethod
    def read(self, paths: Sequence[str]) -> Examples:
        """All training examples."""

    @abstractmethod
    def stream(self, paths: Sequence[str], classes: Sequence[str] | None) -> Iterator[Examples]:
        """The training examples in pieces; settles what labels there are, which ``classes`` may name."""

    @abstractmethod
    def pieces(self, paths: Sequence[str]) -> Iterator[Examples]:
        """The training examples in pieces, for a model that knows the labels."""

    @abstractmethod
    def parameters(self) -> dict[str, Any]:
        """Those of the problem that follow from the data; reading has begun when this is asked."""

    @abstractmethod
    def notes(self) -> dict[str, Any]:
        """What a model file keeps."""

    def reader(self, paths: Sequence[str]) -> Reader:
        """How shards of the training examples are read; looks at the first ones."""
        if next(self.pieces(paths), None) is None:
            raise no_example(paths)
        return TaskReader(self)

    def settle(self, surveyed: Surveyed) -> None:  # noqa: B027
        """Called when all shards were looked at; `parameters` are asked for afterwards."""

    # -- models ---------------------------------------------------------------------------------------------

    @classmethod
    @abstractmethod
    def from_model(cls, model: StructuredLearner, notes: dict[str, Any]) -> Self:
        """For predictions; a model that was saved from Python has no notes."""

    @abstractmethod
    def expect(self, data_format: DataFormat | None, spaces_in_leaves: bool) -> None:
        """What options say about new data."""

    @abstractmethod
    def inputs(self, path: str) -> Iterator[Any]:
        """Inputs of new data, which may have no outputs, in pieces."""

    @abstractmethod
    def predicted(self, model: StructuredLearner, path: str) -> Iterator[tuple[str, int]]:
        """Pieces of text for a file of predictions, each with its number of examples."""

    @abstractmethod
    def compared(self, model: StructuredLearner, path: str) -> Iterator[tuple[Any, Any, Any]]:
        """Pieces of inputs, true outputs and predicted ones."""

    @abstractmethod
    def show(self, figures: dict[str, Any], console: Console) -> None:
        """The figures for people."""


@dataclass(frozen=True)
class TaskReader(Reader):
    """Files as a task reads them."""

    task: Task

    def pieces(self, path: str) -> Iterator[Examples]:
        return self.task.pieces([path])

    @property
    def token(self) -> Any:
        return "task", pickle.dumps(self.task)


def unknown_label(label: Any, known: Sequence[Any]) -> ValueError:
    """Of a stream, whose labels are known beforehand."""
    return ValueError(
        f"the label {label} is none of {', '.join(map(str, known))}; name all labels that will come with --classes"
    )
