"""One label an example: the task of all learners without a problem."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar, Self

import numpy as np
from rich.console import Console

from hedgerow.cli.class_report import print_classes
from hedgerow.cli.cluster import whole_files
from hedgerow.cli.examples import LabelledData, Tables, arranged, look_at, require_classes
from hedgerow.cli.failures import refused
from hedgerow.cli.tasks.task import Task, require_files, unknown_label
from hedgerow.cli.tasks.weights import may_keep_weights, vectorizer_for, weights_schema
from hedgerow.cli.train.choice import WORDS, Choice, remark
from hedgerow.cli.train.lessons import Lesson, Pieces, Sharded, Whole
from hedgerow.distributed.shards import Surveyed
from hedgerow.distributed.sources import from_files
from hedgerow.io.examples import Vector, kind_of, label_array
from hedgerow.io.readers import Batch, TableReader
from hedgerow.io.schema import Schema, SchemaBuilder
from hedgerow.io.svmlight_tk import iter_labels
from hedgerow.models.schema import drops_unseen, schema_of
from hedgerow.registry import DataKind

FIRST_EXAMPLES = 1000  # of a stream: those whose labels are looked at before learning begins


class LabelTask(Task):
    data: ClassVar[tuple[str, ...]] = (
        "format",
        "column",
        "classes",
        "features",
        "tokens",
        "hash_bits",
        *WORDS,
        "spaces_in_leaves",
    )
    hash_bits: ClassVar[int | None] = None  # of words of texts, by default
    output = "label"
    by_class = True
    live: ClassVar[bool] = True  # examples on weights are learned from as they arrive

    reader: TableReader
    classes: Vector | None = None  # of a stream

    @property
    def schema(self) -> Schema:
        return self.reader.schema

    @schema.setter
    def schema(self, schema: Schema) -> None:
        self.reader = replace(self.reader, schema=schema)

    @property
    def columns(self) -> Mapping[str, DataKind]:
        return self.schema.columns

    # -- training -------------------------------------------------------------------------------------------

    @classmethod
    def from_choice(cls, choice: Choice) -> Self:
        return cls(TableReader(choice.schema(), features=choice.data.features), choice)

    @property
    def streams(self) -> bool:
        learner = self.choice.learner
        if learner.batch and self.choice.data.classes is not None:
            raise refused(
                "--classes",
                f"the learner {learner.name} needs all examples in memory, so that their classes are known",
            )
        return not learner.batch

    def lesson(self, paths: Sequence[str]) -> Lesson:
        streams = self.streams
        tables = Tables(paths, self.schema, live=streams and self.live and may_keep_weights(self.choice))
        self._choose_weights(tables)
        if not streams:
            return self._whole(tables)
        return self._passes_on_weights(tables) if self.on_weights else self._passes_on_kernel(tables)

    def everything(self, paths: Sequence[str]) -> Batch:
        tables = Tables(paths, self.schema)
        self._choose_weights(tables)
        return self._look_at(tables, keep_all=True).everything()

    def of(self, choice: Choice) -> Self:
        copy = super().of(choice)
        if self.kernel is not None:
            copy.kernel = choice.kernel.make(self.schema.columns)
        return copy

    def begin(self, paths: Sequence[str]) -> None:
        self._choose_weights(Tables(paths, self.schema))

    def settle(self, surveyed: Surveyed) -> None:
        require_classes([] if surveyed.classes is None else surveyed.classes, f"all {surveyed.n} examples")
        assert surveyed.schema is not None
        self._take(surveyed.schema)

    def more(self, model: Any, paths: Sequence[str], passes: int = 1) -> Lesson:
        live = getattr(model, "_on_weights", False)
        return Pieces(arranged(Tables(paths, self.schema, live=live), self.schema) for _ in range(passes))

    def for_learner(self) -> dict[str, Any]:
        bits = self.choice.data.hash_bits
        if self.on_weights and (kind := self._hashed_kind):
            return {"vectorizer": vectorizer_for(self.choice, self.hash_bits, kind)}
        if self.on_weights and bits is not None:
            return {"n_features": 1 << bits}
        return {"kernel": self.kernel}

    @property
    def _hashed_kind(self) -> DataKind | None:
        """Of the column that becomes vectors by hashing, if there is one."""
        kinds = self.schema.columns.values()
        return "text" if "text" in kinds else "tree" if "tree" in kinds else None

    @property
    def on_weights(self) -> bool:
        return self.kernel is None and bool(self.schema.columns)

    def _choose_weights(self, tables: Tables) -> None:
        """Settles on the column of the weights, unless there is to be a kernel."""
        if may_keep_weights(self.choice):
            found = weights_schema(tables.first(), self.choice, self.schema)
            self.schema = found or self.schema

    def _take(self, schema: Schema) -> None:
        """Takes up the schema of all examples, and chooses the kernel by it."""
        if self.on_weights:  # later examples may have any features
            self.schema = replace(self.schema, labels=schema.labels)
        else:
            self.schema = schema
            self.kernel = self.choice.kernel.make(schema.columns)
            if self.remarks and not self.choice.kernel.combines:  # else the search that chose it has said so
                remark([self.choice.kernel], schema.columns)

    def _look_at(self, tables: Tables, keep_all: bool = False) -> LabelledData:
        data = look_at(tables.paths, self.schema, self.choice.data.features, keep_all=keep_all, tables=tables)
        self._take(data.schema)
        return data

    def _whole(self, tables: Tables) -> Lesson:
        # Machines that draw samples need not have all examples in memory, if they can draw from files.
        samples = self.choice.given.get("sampling") == "uniform" and all(map(os.path.isfile, tables.paths))
        data = self._look_at(tables, keep_all=not samples)
        if data.kept is None:
            return Sharded(from_files(whole_files(tables.paths), TableReader(data.schema)), data.n)
        return Whole(*data.everything())

    def _passes_on_kernel(self, tables: Tables) -> Lesson:
        epochs, shuffle = self.choice.given.get("epochs", 1), self.choice.given.get("shuffle", False)
        if self.choice.data.classes is not None:
            if epochs > 1 or shuffle:
                raise ValueError(
                    "--classes reads the examples only once, so --epochs and --shuffle are not possible"
                )
            self._know_classes(tables)
            builder = SchemaBuilder(self.schema, self.choice.data.features)
            builder.meet(tables.first())
            self._take(builder.build())
            return Pieces([arranged(tables, self.schema)], self.classes)
        data = self._look_at(tables)
        if shuffle or (epochs > 1 and data.kept is not None):
            return Whole(*data.everything())
        return Pieces((iter(data) for _ in range(epochs)), data.classes, data.n * epochs)

    def _passes_on_weights(self, tables: Tables) -> Lesson:
        """One pass, or several over files; only shuffling needs the examples in memory."""
        epochs = self.choice.given.get("epochs", 1)
        if self.choice.given.get("shuffle"):
            if self.choice.data.classes is not None:
                raise ValueError("--classes is for streams, which cannot be shuffled")
            return Whole(*self._look_at(tables).everything())
        if epochs > 1:
            require_files(tables.paths)
        self._know_classes(tables)
        again = (Tables(tables.paths, self.schema, live=self.live) for _ in range(epochs - 1))
        told = self.classes if self.choice.problem is None else None  # problems know them already
        return Pieces(map(self._of_known_classes, (tables, *again)), told)

    # -- labels of streams ----------------------------------------------------------------------------------

    def _know_classes(self, tables: Tables) -> None:
        """All labels: as they were named, by a quick look at the files, or those that a stream begins with."""
        named = self.choice.data.classes
        words = sorted(set(named)) if named is not None else self._label_words(tables)
        kind = kind_of(words) if self.schema.labels == "auto" else self.schema.labels
        self.schema = replace(self.schema, labels=kind)
        self.classes = np.unique(label_array(words, kind))
        if named is not None and len(self.classes) < 2:
            raise ValueError(
                f"--classes must name two labels or more, as in --classes -1,1, got {','.join(named)!r}"
            )
        if not _are_files(tables.paths):
            advice = "; name all labels that will come with --classes"
            require_classes(self.classes, "the first examples", advice)
        require_classes(self.classes, "all examples")

    def _label_words(self, tables: Tables) -> list[str]:
        words: set[str] = set()
        if _are_files(tables.paths):
            for path in tables.paths:
                words.update(_labels_in(path, self.schema))
        else:
            for table in tables.beginning(FIRST_EXAMPLES):
                words.update(table.words)
        return sorted(words - {""})

    def _of_known_classes(self, tables: Tables) -> Iterator[Batch]:
        assert self.classes is not None
        for table, path in tables:
            table.require_labels(path)
            values = self.schema.label_values(table.words, path)
            unknown = values[~np.isin(values, self.classes)]
            if len(unknown):
                advice = self.choice.data.classes is None
                raise unknown_label(path, unknown[0], self.classes.tolist(), advice)
            yield self.schema.arranged(table, path), values[table.label_of_row]

    # -- models ---------------------------------------------------------------------------------------------

    @classmethod
    def from_model(cls, model: Any, notes: dict[str, Any], path: str) -> Self:
        if not hasattr(model, "decision_function") or not hasattr(model, "classes_"):
            raise ValueError(f"{path} holds a {type(model).__name__}, which does not classify")
        if getattr(model, "kernel", None) == "precomputed":
            raise ValueError(
                f"{path} holds a {type(model).__name__} that knows kernel values only (kernel='precomputed'), so it "
                "cannot look at examples"
            )
        schema = schema_of(model, notes)
        if schema.format == "brackets":
            # Those who trained on labelled brackets may well predict from other files.
            schema = replace(schema, format=None)
        return cls(TableReader(schema, drops_unseen=drops_unseen(model)))

    def told(self, data_format: str | None, spaces_in_leaves: bool) -> None:
        super().told(data_format, spaces_in_leaves)
        self.schema = self.schema.told(data_format, spaces_in_leaves)

    def notes(self) -> dict[str, Any]:
        return self.schema.notes()

    def described(self, path: str) -> Iterator[tuple[Any, list[str]]]:
        for X, table, _ in self.reader.tables(path):
            yield X, table.labels().tolist()

    def outputs(self, X: Any, predicted: Any) -> list[Any]:
        found: list[Any] = predicted.tolist()
        return found

    def scores(self, model: Any, X: Any) -> Any:
        return model.decision_function(X)

    def outcome(self, model: Any, lesson: Lesson) -> str:
        return f"{lesson.n} examples of {len(model.classes_)} classes, {model._outcome()}"

    def show(self, figures: dict[str, Any], console: Console) -> None:
        print_classes(figures, console)


def _are_files(paths: Sequence[str]) -> bool:
    return all(map(os.path.isfile, paths))


def _labels_in(path: str, schema: Schema) -> Iterator[str]:
    if schema.format_of(path) == "svmlight-tk":
        yield from iter_labels(path)
    else:
        for table in schema.tables(path):
            yield from table.words
