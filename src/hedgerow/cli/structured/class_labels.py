"""One label an example: classes, and classes in a taxonomy."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any, ClassVar, Self

import numpy as np
import typer
from rich.console import Console

from hedgerow.cli.class_report import print_classes
from hedgerow.cli.examples import Tables, look_at
from hedgerow.cli.failures import as_sentences
from hedgerow.cli.structured.task import Examples, Task, unknown_label
from hedgerow.cli.train.choice import FLAT_DATA, Choice
from hedgerow.cli.weights import label_words, prepare_weights
from hedgerow.distributed.shards import Surveyed
from hedgerow.io import read_taxonomy
from hedgerow.io.class_tables import read_losses, read_weights
from hedgerow.io.examples import Table, Vector, kind_of, label_array
from hedgerow.io.formats import DataFormat
from hedgerow.io.readers import Reader, TableReader
from hedgerow.io.schema import Schema
from hedgerow.kernels import Kernel
from hedgerow.models.schema import schema_of
from hedgerow.structured import Multiclass, Problem, Taxonomy
from hedgerow.structured.hierarchy import Hierarchy
from hedgerow.structured.learner import StructuredLearner

HASH_BITS = 16  # of words of texts; machines go through all weights, of all classes, in every round


class MulticlassTask(Task):
    name = "multiclass"
    problem: ClassVar[type[Problem]] = Multiclass
    data = (*FLAT_DATA, "stream")
    files: ClassVar[dict[str, Callable[[str], Any]]] = {"loss": read_losses}

    def __init__(self, schema: Schema, choice: Choice | None = None) -> None:
        self.schema = schema
        self.told = choice
        self.kernel: Kernel | None = None
        self.classes: list[Any] | None = None  # of a stream

    # -- training -------------------------------------------------------------------------------------------

    @classmethod
    def from_choice(cls, choice: Choice) -> Self:
        return cls(choice.schema(), choice)

    def read(self, paths: Sequence[str]) -> Examples:
        tables = Tables(paths, self.schema)
        of_weights = self._prepared(tables)
        training = look_at(
            paths, of_weights or self.schema, self._choice.data.features, keep_all=True, tables=tables
        )
        if of_weights is None:
            self.schema = training.schema
            self.kernel = self._choice.kernel.make(self.schema.columns)
        else:
            # Rows have one width for now; later examples may have any features.
            self.schema = replace(of_weights, labels=training.schema.labels)
        return training.everything()

    def stream(self, paths: Sequence[str], classes: Sequence[str] | None) -> Iterator[Examples]:
        tables = Tables(paths, self.schema)
        if self.classes is None:
            of_weights = self._prepared(tables)
            if of_weights is None:
                raise typer.BadParameter(
                    "with a kernel all examples are needed in memory", param_hint="--stream"
                )
            words = sorted(set(classes) if classes else label_words(tables, of_weights)[0])
            kind = kind_of(words) if of_weights.labels == "auto" else of_weights.labels
            self.schema = replace(of_weights, labels=kind)
            self.classes = np.unique(label_array(words, kind)).tolist()
        return self._pieces(tables)

    def pieces(self, paths: Sequence[str]) -> Iterator[Examples]:
        return self._pieces(Tables(paths, self.schema))

    def _pieces(self, tables: Tables) -> Iterator[Examples]:
        for table, path in tables:
            table.require_labels(path)
            labels = self.schema.labels_of(table, path)
            unknown = set() if self.classes is None else set(labels.tolist()).difference(self.classes)
            if self.classes is not None and unknown:
                raise unknown_label(min(unknown), self.classes)
            yield self.schema.arranged(table, path), labels

    def reader(self, paths: Sequence[str]) -> Reader:
        of_weights = self._prepared(Tables(paths, self.schema))
        self.schema = of_weights or self.schema
        return TableReader(self.schema, features=self._choice.data.features)

    def settle(self, surveyed: Surveyed) -> None:
        assert surveyed.schema is not None
        if self.schema.columns:
            self.schema = replace(self.schema, labels=surveyed.schema.labels)
        else:  # no weights
            self.schema = surveyed.schema
            self.kernel = self._choice.kernel.make(self.schema.columns)

    def parameters(self) -> dict[str, Any]:
        parameters: dict[str, Any] = {"kernel": self.kernel} if self.kernel is not None else {}
        if self.classes is not None:
            parameters["classes"] = self.classes
        loss = self._choice.of_problem.get("loss")
        if isinstance(loss, dict):  # of labels as they are written
            values = label_array([word for pair in loss for word in pair], self.schema.labels).tolist()
            pairs = zip(values[::2], values[1::2], strict=True)
            parameters["loss"] = dict(zip(pairs, loss.values(), strict=True))
        return parameters

    def notes(self) -> dict[str, Any]:
        return self.schema.notes()

    def _prepared(self, tables: Tables) -> Schema | None:
        """With the column of weights; None where there is a kernel."""
        if not self._choice.kernel.silent:
            return None
        return prepare_weights(tables.first(), self._choice, self.schema, HASH_BITS)

    @property
    def _choice(self) -> Choice:
        assert self.told is not None  # those who train come from a choice
        return self.told

    # -- models ---------------------------------------------------------------------------------------------

    @classmethod
    def from_model(cls, model: StructuredLearner, notes: dict[str, Any]) -> Self:
        return cls(schema_of(model, notes))

    def expect(self, data_format: DataFormat | None, spaces_in_leaves: bool) -> None:
        self.schema = self.schema.told(data_format and data_format.value, spaces_in_leaves)

    def inputs(self, path: str) -> Iterator[Any]:
        return (X for X, _ in self._new(path))

    def predicted(self, model: StructuredLearner, path: str) -> Iterator[tuple[str, int]]:
        for _, _, labels in self._labelled(model, path):
            yield "".join(f"{label}\n" for label in labels.tolist()), len(labels)

    def compared(self, model: StructuredLearner, path: str) -> Iterator[tuple[Any, Any, Any]]:
        for X, table, labels in self._labelled(model, path):
            table.require_labels(path)
            yield X, self.schema.labels_of(table, path), labels

    def _labelled(self, model: StructuredLearner, path: str) -> Iterator[tuple[Any, Table, Vector]]:
        """Examples of new data and the predicted labels."""
        for X, table in self._new(path):
            with as_sentences():
                labels = model.predict(X)
            yield X, table, labels

    def _new(self, path: str) -> Iterator[tuple[Any, Table]]:
        """Examples of new data, which may have no labels."""
        schema = self.schema
        for table in schema.tables(path):
            schema = schema.or_of(table)
            yield schema.arranged(table, path), table

    def show(self, figures: dict[str, Any], console: Console) -> None:
        print_classes(figures, console)


class TaxonomyTask(MulticlassTask):
    name = "taxonomy"
    problem = Taxonomy
    files: ClassVar[dict[str, Callable[[str], Any]]] = {
        "parents": read_taxonomy,
        "node_weights": read_weights,
        "loss": read_losses,
    }
    option_names: ClassVar[dict[str, str]] = {"parents": "taxonomy"}

    @classmethod
    def from_choice(cls, choice: Choice) -> Self:
        Hierarchy(choice.of_problem["parents"])  # complains before the data are read
        # Labels are words, as they are in the file of the taxonomy.
        return cls(replace(choice.schema(), labels="word"), choice)

    def show(self, figures: dict[str, Any], console: Console) -> None:
        super().show(figures, console)
        console.print(f"mean tree loss {figures['tree_loss']:.4f}", highlight=False)
