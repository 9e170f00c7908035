"""One label an example: classes, and classes in a taxonomy."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any, ClassVar, Self

import numpy as np
import typer
from rich.console import Console

from hedgerow.cli.class_report import print_classes
from hedgerow.cli.examples import Tables, look_at
from hedgerow.cli.failures import as_sentences
from hedgerow.cli.names import LearnerName, Loss, ProblemName
from hedgerow.cli.structured.task import Examples, Task, TaskOptions, unknown_label
from hedgerow.cli.weights import HashingOptions, label_words, prepare_weights
from hedgerow.distributed.shards import Surveyed
from hedgerow.io import read_taxonomy
from hedgerow.io.examples import Table, Vector, kind_of, label_array
from hedgerow.io.formats import DataFormat
from hedgerow.io.readers import Reader, TableReader
from hedgerow.io.schema import Schema
from hedgerow.kernels import Kernel
from hedgerow.models.schema import schema_of
from hedgerow.structured import Multiclass, Problem, Taxonomy, TaxonomySVC
from hedgerow.structured.hierarchy import Hierarchy
from hedgerow.structured.learner import StructuredLearner

HASH_BITS = 16  # of words of texts; machines go through all weights, of all classes, in every round


class MulticlassTask(Task):
    name = ProblemName.multiclass
    problem: ClassVar[type[Problem]] = Multiclass
    losses: ClassVar[tuple[Loss, ...]] = (Loss.zero_one,)

    def __init__(self, schema: Schema, options: TaskOptions | None = None) -> None:
        self.schema = schema
        self.told = options
        self.kernel: Kernel | None = None
        self.classes: list[Any] | None = None  # of a stream

    # -- training -------------------------------------------------------------------------------------------

    @classmethod
    def from_options(cls, options: TaskOptions) -> Self:
        return cls(options.schema, options)

    def read(self, paths: Sequence[str]) -> Examples:
        tables = Tables(paths, self.schema)
        of_weights = self._prepared(tables)
        training = look_at(
            paths, of_weights or self.schema, self._options.features, keep_all=True, tables=tables
        )
        if of_weights is None:
            self.schema = training.schema
            self.kernel = self._options.kernel.choose(self.schema)
        else:
            # Rows have one width for now; later examples may have any features.
            self.schema = replace(of_weights, labels=training.schema.labels)
        return training.everything()

    def stream(self, paths: Sequence[str], classes: str | None) -> Iterator[Examples]:
        tables = Tables(paths, self.schema)
        if self.classes is None:
            of_weights = self._prepared(tables)
            if of_weights is None:
                raise typer.BadParameter(
                    "with a kernel all examples are needed in memory", param_hint="--stream"
                )
            words = sorted(
                set(map(str.strip, classes.split(","))) if classes else label_words(tables, of_weights)[0]
            )
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
        return TableReader(self.schema, features=self._options.features)

    def settle(self, surveyed: Surveyed) -> None:
        assert surveyed.schema is not None
        if self.schema.columns:
            self.schema = replace(self.schema, labels=surveyed.schema.labels)
        else:  # no weights
            self.schema = surveyed.schema
            self.kernel = self._options.kernel.choose(self.schema)

    def parameters(self) -> dict[str, Any]:
        parameters: dict[str, Any] = {"kernel": self.kernel} if self.kernel is not None else {}
        if self.classes is not None:
            parameters["classes"] = self.classes
        if self._options.loss is not None:
            parameters["loss"] = self._options.loss.value
        return parameters

    def notes(self) -> dict[str, Any]:
        return self.schema.notes()

    def _prepared(self, tables: Tables) -> Schema | None:
        """With the column of weights; None where there is a kernel."""
        options = self._options
        if not options.kernel.silent:
            return None
        hashing = HashingOptions(options.hashing.bits or HASH_BITS, options.hashing.ngrams)
        return prepare_weights(
            tables.first(),
            LearnerName.structured_svm,
            options.kernel,
            hashing,
            self.schema,
            options.features,
        )

    @property
    def _options(self) -> TaskOptions:
        assert self.told is not None  # those who train come from options
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
    name = ProblemName.taxonomy
    problem = Taxonomy
    machine = TaxonomySVC
    losses = (Loss.tree, Loss.path, Loss.zero_one)
    options = ("taxonomy",)

    @cached_property
    def parents(self) -> dict[str, tuple[str, ...]]:
        path = self._options.own["taxonomy"]
        if path is None:
            raise typer.BadParameter(
                "it must name the file with the classes' parents for --problem taxonomy",
                param_hint="--taxonomy",
            )
        return read_taxonomy(path)

    @classmethod
    def from_options(cls, options: TaskOptions) -> Self:
        # Labels are words, as they are in the file of the taxonomy.
        task = cls(replace(options.schema, labels="word"), options)
        Hierarchy(task.parents)  # complains before the data are read
        return task

    def parameters(self) -> dict[str, Any]:
        return {"parents": self.parents, **super().parameters()}

    def show(self, figures: dict[str, Any], console: Console) -> None:
        super().show(figures, console)
        console.print(f"mean tree loss {figures['tree_loss']:.4f}", highlight=False)
