"""Parses in brackets."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Self

from rich.console import Console

from hedgerow.cli.class_report import print_found
from hedgerow.cli.tasks.task import Task
from hedgerow.cli.train.choice import Choice
from hedgerow.data import Forest
from hedgerow.io.readers import TreeReader


class GrammarTask(Task):
    data = ("stream",)
    examples = "trees"
    formats = ("brackets", "text")

    reader: TreeReader

    @classmethod
    def from_choice(cls, choice: Choice) -> Self:
        return cls(TreeReader(), choice)

    @classmethod
    def from_model(cls, model: Any, notes: dict[str, Any], path: str) -> Self:
        return cls(TreeReader())

    def told(self, data_format: str | None, spaces_in_leaves: bool) -> None:
        super().told(data_format, spaces_in_leaves)
        self.reader = replace(self.reader, texts=data_format == "text")

    def one_text(self, X: Any, example: int, output: Any) -> str:
        return str(Forest([output]).to_brackets()[0])

    def outputs(self, X: Any, predicted: Any) -> list[Any]:
        return Forest(predicted).to_brackets()

    def show(self, figures: dict[str, Any], console: Console) -> None:
        console.print(
            f"{figures['trees']} trees, {100 * figures['exact']:.2f}% without a fault", highlight=False
        )
        print_found({"all": {**figures["brackets"], **figures}}, console, "brackets")
