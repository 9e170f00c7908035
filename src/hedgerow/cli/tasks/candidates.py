"""Lists of candidates, of which the best is chosen."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Self

from rich.console import Console

from hedgerow.cli.tasks.task import Task
from hedgerow.cli.train.choice import Choice
from hedgerow.io.readers import Batch, ListReader
from hedgerow.models.schema import schema_of


class RerankingTask(Task):
    data = ("format", "column", "stream", "spaces_in_leaves")
    examples = "lists"

    reader: ListReader
    trees = False  # whether candidates have trees

    @classmethod
    def from_choice(cls, choice: Choice) -> Self:
        return cls(ListReader(choice.schema()), choice)

    def everything(self, paths: Sequence[str]) -> Batch:
        lists = self.reader.everything(paths)
        self.trees = lists.trees is not None
        return lists, lists.oracles()

    def parameters(self) -> dict[str, Any]:
        if self.choice.kernel.silent and not self.trees:
            return {}
        return {"kernel": self.choice.kernel.make({"tree": "tree"} if self.trees else {"vector": "vector"})}

    @classmethod
    def from_model(cls, model: Any, notes: dict[str, Any], path: str) -> Self:
        return cls(ListReader(schema_of(model, notes)))

    def told(self, data_format: str | None, spaces_in_leaves: bool) -> None:
        schema = self.reader.schema.told(data_format, spaces_in_leaves)
        self.reader = replace(self.reader, schema=schema)

    def notes(self) -> dict[str, Any]:
        return self.reader.schema.notes()

    def text(self, X: Any, y: Any, predicted: Any) -> str:
        """The places of the chosen ones, from 1."""
        return "".join(f"{place + 1}\n" for place in predicted.tolist())

    def show(self, figures: dict[str, Any], console: Console) -> None:
        console.print(
            f"{figures['lists']} lists, accuracy {figures['accuracy']:.4f}\n"
            f"mean grade {figures['grade']:.4f}; of first candidates {figures['baseline_grade']:.4f}, of the best ones "
            f"{figures['oracle_grade']:.4f}",
            highlight=False,
        )
