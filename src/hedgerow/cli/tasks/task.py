"""What commands know about a kind of outputs."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from typing import Any, ClassVar, Self

import typer
from rich.console import Console

from hedgerow.io.formats import DataFormat
from hedgerow.io.readers import Reader

Names = Callable[[int], Callable[[int], str]]  # of the features of an example, by its place


def feature_name(*, hashed: bool) -> Callable[[int], str]:
    """What features are called: as files number them, from 1, but for the columns of hashed words."""
    return (lambda column: f"column {column}") if hashed else (lambda feature: f"feature {feature + 1}")


class Task(ABC):
    """Reading examples, writing predictions and showing figures.

    A model file keeps what `notes` gives, so that new data are read as the training data were.
    """

    data: ClassVar[tuple[str, ...]]  # options of data that it takes
    files: ClassVar[
        dict[str, Callable[[str], Any]]
    ] = {}  # parameters of the problem that are read from files
    option_names: ClassVar[dict[str, str]] = {}  # of parameters whose options have other names
    examples: ClassVar[str] = "examples"  # what they are called

    reader: Reader

    @classmethod
    @abstractmethod
    def from_model(cls, model: Any, notes: dict[str, Any], path: str) -> Self:
        """For the model of a file; one that was saved from Python has no notes."""

    @abstractmethod
    def told(self, data_format: DataFormat | None, spaces_in_leaves: bool) -> None:
        """Takes up what options say about new data."""

    @abstractmethod
    def notes(self) -> dict[str, Any]:
        """What a model file keeps."""

    def described(self, path: str) -> Iterator[tuple[Any, list[str], Names]]:
        """Examples of new data, their labels if they have some, and the names of their features."""
        for X, _ in self.reader.for_new_data(labelled=False).pieces(path):
            yield X, [], lambda _: feature_name(hashed=False)

    @abstractmethod
    def text(self, X: Any, y: Any, predicted: Any) -> str:
        """Predictions as a file has them."""

    def scores_text(self, model: Any, X: Any) -> str:
        """Scores as a file has them."""
        raise typer.BadParameter("models of structured outputs write none", param_hint="--scores")

    @abstractmethod
    def show(self, figures: dict[str, Any], console: Console) -> None:
        """The figures for people."""
