"""One label an example as a structured problem: classes, classes in a taxonomy, classes with features."""

from __future__ import annotations

from typing import Any, Self

from rich.console import Console

from hedgerow.cli.tasks.labels import LabelTask
from hedgerow.cli.tasks.task import Task
from hedgerow.io.readers import TableReader
from hedgerow.models.schema import schema_of


class MulticlassTask(LabelTask):
    data = (*LabelTask.data, "stream")
    scores_text = Task.scores_text

    @classmethod
    def from_model(cls, model: Any, notes: dict[str, Any], path: str) -> Self:
        return cls(TableReader(schema_of(model, notes)))


class TaxonomyTask(MulticlassTask):
    def show(self, figures: dict[str, Any], console: Console) -> None:
        super().show(figures, console)
        console.print(f"mean tree loss {figures['tree_loss']:.4f}", highlight=False)


class OutputFeaturesTask(MulticlassTask):
    pass
