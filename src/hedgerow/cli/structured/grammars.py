"""Parses in brackets."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Self

import typer
from rich.console import Console
from rich.table import Table

from hedgerow.cli.failures import as_sentences
from hedgerow.cli.structured.task import Examples, Task
from hedgerow.cli.train.choice import Choice
from hedgerow.data import Forest
from hedgerow.io.formats import DataFormat
from hedgerow.io.sources import iter_brackets, iter_sentences
from hedgerow.io.tables import no_example
from hedgerow.structured import WeightedGrammar
from hedgerow.structured.learner import StructuredLearner

BATCH = 200  # sentences that are parsed at once


class GrammarTask(Task):
    name = "grammar"
    problem = WeightedGrammar
    data = ("stream",)
    examples = "trees"

    def __init__(self) -> None:
        self.format: DataFormat | None = None

    @classmethod
    def from_choice(cls, choice: Choice) -> Self:
        return cls()

    def read(self, paths: Sequence[str]) -> Examples:
        trees = Forest.concatenate([Forest.read(path) for path in paths])
        if not len(trees):
            raise no_example(paths)
        return trees, trees

    def stream(self, paths: Sequence[str], classes: Sequence[str] | None) -> Iterator[Examples]:
        if classes is not None:
            raise typer.BadParameter("grammars take labels from trees", param_hint="--classes")
        return self.pieces(paths)

    def pieces(self, paths: Sequence[str]) -> Iterator[Examples]:
        for path in paths:
            for trees in iter_brackets(path):
                yield trees, trees

    def parameters(self) -> dict[str, Any]:
        return {}

    def notes(self) -> dict[str, Any]:
        return {}

    @classmethod
    def from_model(cls, model: StructuredLearner, notes: dict[str, Any]) -> Self:
        return cls()

    def expect(self, data_format: DataFormat | None, spaces_in_leaves: bool) -> None:
        if data_format is DataFormat.svmlight_tk:
            raise typer.BadParameter("sentences are in brackets, or texts", param_hint="--format")
        self.format = data_format

    def inputs(self, path: str) -> Iterator[Any]:
        return iter(iter_sentences(path, texts=self.format is DataFormat.text))

    def predicted(self, model: StructuredLearner, path: str) -> Iterator[tuple[str, int]]:
        for sentences in self.inputs(path):
            for _, trees in _parsed(model, sentences):
                yield "".join(f"{tree}\n" for tree in trees.to_brackets()), len(trees)

    def compared(self, model: StructuredLearner, path: str) -> Iterator[tuple[Any, Any, Any]]:
        for true in iter_brackets(path):
            for some, trees in _parsed(model, true):
                yield some, some, trees

    def show(self, figures: dict[str, Any], console: Console) -> None:
        console.print(
            f"{figures['trees']} trees, {100 * figures['exact']:.2f}% without a fault", highlight=False
        )
        table = Table("brackets")
        for heading in ("true", "found", "precision", "recall", "F1"):
            table.add_column(heading, justify="right")
        counts = (str(figures["brackets"][count]) for count in ("true", "predicted"))
        table.add_row("all", *counts, *(f"{figures[share]:.4f}" for share in ("precision", "recall", "f1")))
        console.print(table)


def _parsed(model: StructuredLearner, sentences: Any) -> Iterator[tuple[Any, Forest]]:
    """Some sentences at a time, and their trees."""
    for begin in range(0, len(sentences), BATCH):
        piece = sentences[begin : begin + BATCH]
        with as_sentences():
            yield piece, Forest(model.predict(piece))
