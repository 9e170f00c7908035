"""Parses in brackets."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Self

from rich.console import Console

from hedgerow.cli.class_report import print_found
from hedgerow.cli.failures import refused
from hedgerow.cli.tasks.task import Task
from hedgerow.cli.train.choice import Choice
from hedgerow.data import Forest
from hedgerow.io.readers import TreeReader


class GrammarTask(Task):
    data = ("stream",)
    examples = "trees"

    reader: TreeReader

    @classmethod
    def from_choice(cls, choice: Choice) -> Self:
        return cls(TreeReader(), choice)

    @classmethod
    def from_model(cls, model: Any, notes: dict[str, Any], path: str) -> Self:
        return cls(TreeReader())

    def told(self, data_format: str | None, spaces_in_leaves: bool) -> None:
        if data_format == "svmlight-tk":
            raise refused("--format", "sentences are in brackets, or texts")
        self.reader = replace(self.reader, texts=data_format == "text")

    def text(self, X: Any, y: Any, predicted: Any) -> str:
        return "".join(f"{tree}\n" for tree in Forest(predicted).to_brackets())

    def show(self, figures: dict[str, Any], console: Console) -> None:
        console.print(
            f"{figures['trees']} trees, {100 * figures['exact']:.2f}% without a fault", highlight=False
        )
        print_found({"all": {**figures["brackets"], **figures}}, console, "brackets")
