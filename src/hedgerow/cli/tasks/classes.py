"""One label an example as a structured problem: classes, classes in a taxonomy, classes with features."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, ClassVar, Self

from rich.console import Console

from hedgerow.cli.examples import Tables
from hedgerow.cli.failures import refused
from hedgerow.cli.tasks.labels import LabelTask
from hedgerow.cli.tasks.task import Task
from hedgerow.cli.tasks.weights import vectorizer_for
from hedgerow.cli.train.choice import Choice
from hedgerow.cli.train.lessons import Lesson
from hedgerow.io import read_taxonomy
from hedgerow.io.classes import read_class_features, read_losses, read_weights
from hedgerow.io.examples import label_array
from hedgerow.io.readers import TableReader
from hedgerow.models.schema import schema_of
from hedgerow.structured.hierarchy import Hierarchy


class MulticlassTask(LabelTask):
    data = (*LabelTask.data, "stream")
    files: ClassVar[dict[str, Callable[[str], Any]]] = {"loss": read_losses}
    hash_bits = 16  # machines go through all weights, of all classes, in every round
    live = False

    streams = Task.streams
    outcome = Task.outcome
    scores, by_class = Task.scores, False

    def for_learner(self) -> dict[str, Any]:
        return {"problem": self.parameters()}

    def parameters(self) -> dict[str, Any]:
        parameters: dict[str, Any] = {} if self.kernel is None else {"kernel": self.kernel}
        if self.on_weights and (kind := self._hashed_kind):
            parameters["vectorizer"] = vectorizer_for(self.choice, self.hash_bits, kind)
        if self.classes is not None:
            parameters["classes"] = self.classes.tolist()
        losses = self.choice.of_problem.get("loss")
        if isinstance(losses, dict):  # of labels as they are written
            words = [word for pair in losses for word in pair]
            values = label_array(words, self.schema.labels).tolist()
            pairs = zip(values[::2], values[1::2], strict=True)
            parameters["loss"] = dict(zip(pairs, losses.values(), strict=True))
        return parameters

    def _passes_on_kernel(self, tables: Tables) -> Lesson:
        raise refused("--stream", "with a kernel all examples are needed in memory")

    @classmethod
    def from_model(cls, model: Any, notes: dict[str, Any], path: str) -> Self:
        return cls(TableReader(schema_of(model, notes)))


class _NamedClassesTask(MulticlassTask):
    """Labels are words, as they are in the file that describes the classes."""

    @classmethod
    def from_choice(cls, choice: Choice) -> Self:
        return cls(
            TableReader(replace(choice.schema(), labels="word"), features=choice.data.features), choice
        )


class TaxonomyTask(_NamedClassesTask):
    files: ClassVar[dict[str, Callable[[str], Any]]] = {
        "parents": read_taxonomy,
        "node_weights": read_weights,
        **MulticlassTask.files,
    }
    option_names: ClassVar[dict[str, str]] = {"parents": "taxonomy"}

    @classmethod
    def from_choice(cls, choice: Choice) -> Self:
        hierarchy = Hierarchy(choice.of_problem["parents"])  # complains before the data are read
        named = ",".join(choice.data.classes or ())
        if named in ("leaves", "all"):
            of_taxonomy = (
                (hierarchy.leaves() if named == "leaves" else hierarchy.nodes) if choice.data.stream else None
            )
            choice = replace(
                choice,
                of_problem={**choice.of_problem, "classes": named},
                data=replace(choice.data, classes=of_taxonomy),
            )
        return super().from_choice(choice)

    def parameters(self) -> dict[str, Any]:
        return {"classes": self.choice.of_problem.get("classes"), **super().parameters()}

    def show(self, figures: dict[str, Any], console: Console) -> None:
        super().show(figures, console)
        console.print(f"mean tree loss {figures['tree_loss']:.4f}", highlight=False)


class OutputFeaturesTask(_NamedClassesTask):
    files: ClassVar[dict[str, Callable[[str], Any]]] = {
        "features": read_class_features,
        **MulticlassTask.files,
    }
    option_names: ClassVar[dict[str, str]] = {"features": "class-features"}
