"""One label an example: classes, and classes in a taxonomy."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Any, ClassVar, Self

import typer
from rich.console import Console

from hedgerow.cli.class_report import print_classes
from hedgerow.cli.examples import Tables, look_at
from hedgerow.cli.failures import as_sentences
from hedgerow.cli.names import LearnerName, Loss, ProblemName
from hedgerow.cli.structured.task import Examples, Task, TaskOptions, unknown_label
from hedgerow.cli.weights import HashingOptions, label_words, prepare_weights
from hedgerow.distributed.readers import Reader, TableReader
from hedgerow.distributed.shards import Surveyed
from hedgerow.io import read_taxonomy
from hedgerow.io.examples import KIND_OF_DTYPE, Table, Vector
from hedgerow.io.formats import DataFormat
from hedgerow.io.hashing import Hashing
from hedgerow.io.layout import Layout, settle_classes
from hedgerow.io.tables import require_labels
from hedgerow.kernels import Kernel
from hedgerow.structured import Multiclass, Problem, Taxonomy, TaxonomySVC
from hedgerow.structured.hierarchy import Hierarchy
from hedgerow.structured.learner import StructuredLearner

HASH_BITS = 16  # of words of texts; machines go through all weights, of all classes, in every round


class MulticlassTask(Task):
    name = ProblemName.multiclass
    problem: ClassVar[type[Problem]] = Multiclass
    losses: ClassVar[tuple[Loss, ...]] = (Loss.zero_one,)

    def __init__(self, layout: Layout, options: TaskOptions | None = None) -> None:
        self.layout = layout
        self.told = options
        self.kernel: Kernel | None = None
        self.classes: list[Any] | None = None  # of a stream

    # -- training -------------------------------------------------------------------------------------------

    @classmethod
    def from_options(cls, options: TaskOptions) -> Self:
        return cls(options.layout, options)

    def read(self, paths: Sequence[str]) -> Examples:
        tables = Tables(paths, self.layout)
        on_weights = self._prepare(tables)
        width = self.layout.n_features.copy()
        training = look_at(paths, self.layout, self._options.features, keep_all=True, tables=tables)
        self._settle_labels({str(label) for label in training.classes})
        if not on_weights:
            self.kernel = self._options.kernel.choose(self.layout)
            return training.everything()
        (column,) = self.layout.columns
        # Rows of one width for now; later examples may have any features.
        self.layout.for_weights(column, self.layout.n_features.get(column))
        examples = training.everything()
        self.layout.for_weights(column, width.get(column))
        return examples

    def stream(self, paths: Sequence[str], classes: str | None) -> Iterator[Examples]:
        tables = Tables(paths, self.layout)
        if self.classes is None:
            if not self._prepare(tables):
                raise typer.BadParameter(
                    "with a kernel all examples are needed in memory", param_hint="--stream"
                )
            words = (
                set(map(str.strip, classes.split(","))) if classes else label_words(tables, self.layout)[0]
            )
            self.classes = self._settle_labels(words)
        return self._pieces(tables)

    def pieces(self, paths: Sequence[str]) -> Iterator[Examples]:
        return self._pieces(Tables(paths, self.layout))

    def _pieces(self, tables: Tables) -> Iterator[Examples]:
        for table, path in tables:
            require_labels(table, path)
            labels = self.layout.labels_of(table, path)
            unknown = set() if self.classes is None else set(labels.tolist()).difference(self.classes)
            if self.classes is not None and unknown:
                raise unknown_label(min(unknown), self.classes)
            yield self.layout.arranged(table, path), labels

    def reader(self, paths: Sequence[str]) -> Reader:
        self._prepare(Tables(paths, self.layout))
        return TableReader(self.layout)

    def settle(self, surveyed: Surveyed) -> None:
        of_all: Layout = surveyed.shards[0].reader.layout
        of_all.set_width(self._options.features)
        self._settle_labels(set() if surveyed.classes is None else set(map(str, surveyed.classes)))
        of_all.labels = self.layout.labels
        if not self.layout.columns:  # no weights
            self.layout = of_all
            self.kernel = self._options.kernel.choose(of_all)

    def parameters(self) -> dict[str, Any]:
        parameters: dict[str, Any] = {"kernel": self.kernel} if self.kernel is not None else {}
        if self.classes is not None:
            parameters["classes"] = self.classes
        if self._options.loss is not None:
            parameters["cost"] = self._options.loss.value
        return parameters

    def notes(self) -> dict[str, Any]:
        return self.layout.notes()

    def _prepare(self, tables: Tables) -> bool:
        """Settles the columns; whether there is no kernel."""
        options = self._options
        if not options.kernel.silent:
            return False
        hashing = HashingOptions(options.hashing.bits or HASH_BITS, options.hashing.ngrams)
        return prepare_weights(
            tables.first(),
            LearnerName.structured_svm,
            options.kernel,
            hashing,
            self.layout,
            options.features,
        )

    def _settle_labels(self, words: set[str]) -> list[Any]:
        """The labels that are written so: numbers, where all look like them."""
        labels: list[Any] = settle_classes(words, self.layout).tolist()
        return labels

    @property
    def _options(self) -> TaskOptions:
        assert self.told is not None  # those who train come from options
        return self.told

    # -- models ---------------------------------------------------------------------------------------------

    @classmethod
    def from_model(cls, model: StructuredLearner, notes: dict[str, Any]) -> Self:
        if notes:
            hashing = notes.get("hashing")
            return cls(Layout(**{**notes, "hashing": hashing and Hashing(**hashing)}))
        kind = model.problem_.classes_.dtype.kind
        return cls(Layout(labels=KIND_OF_DTYPE.get(kind, "word")))

    def expect(self, data_format: DataFormat | None, spaces_in_leaves: bool) -> None:
        self.layout.spaces_in_leaves |= spaces_in_leaves
        if data_format is not None:
            self.layout.format = data_format.value

    def inputs(self, path: str) -> Iterator[Any]:
        return (X for X, _ in self._new(path))

    def predicted(self, model: StructuredLearner, path: str) -> Iterator[tuple[str, int]]:
        for _, _, labels in self._labelled(model, path):
            yield "".join(f"{label}\n" for label in labels.tolist()), len(labels)

    def compared(self, model: StructuredLearner, path: str) -> Iterator[tuple[Any, Any, Any]]:
        for X, table, labels in self._labelled(model, path):
            require_labels(table, path)
            yield X, self.layout.labels_of(table, path), labels

    def _labelled(self, model: StructuredLearner, path: str) -> Iterator[tuple[Any, Table, Vector]]:
        """Examples of new data and the predicted labels."""
        for X, table in self._new(path):
            with as_sentences():
                labels = model.predict(X)
            yield X, table, labels

    def _new(self, path: str) -> Iterator[tuple[Any, Table]]:
        """Examples of new data, which may have no labels."""
        for table in self.layout.tables(path):
            if not self.layout.columns:
                self.layout.meet(table)
                self.layout.set_width(None)
            yield self.layout.arranged(table, path), table

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
        task = super().from_options(options)
        Hierarchy(task.parents)  # complains before the data are read
        return task

    def parameters(self) -> dict[str, Any]:
        return {"parents": self.parents, **super().parameters()}

    def _settle_labels(self, words: set[str]) -> list[Any]:
        self.layout.labels = "word"  # as they are in the file of the taxonomy
        return sorted(words)

    def show(self, figures: dict[str, Any], console: Console) -> None:
        super().show(figures, console)
        console.print(f"mean tree loss {figures['tree_loss']:.4f}", highlight=False)
