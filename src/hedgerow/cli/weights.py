"""Learners that keep weights: vectors, or hashed texts, in one pass and constant memory."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import typer

from hedgerow.cli.examples import Batch, Passes, Tables, look_at, named_classes
from hedgerow.cli.learning import learn
from hedgerow.cli.names import (
    STRUCTURED,
    WEIGHTS_ONLY,
    WINNOWS,
    WITH_OR_WITHOUT_KERNEL,
    LearnerName,
)
from hedgerow.cli.progressive import ProgressiveReport
from hedgerow.io.examples import Table, Vector
from hedgerow.io.formats import DataFormat
from hedgerow.io.hashing import DEFAULT_BITS, Hashing
from hedgerow.io.layout import Layout, settle_classes
from hedgerow.io.sources import shown
from hedgerow.io.svmlight_tk import iter_labels
from hedgerow.io.tables import require_labels, words_of

FIRST_EXAMPLES = 1000  # of a stream: those whose labels are looked at before learning begins


@dataclass
class HashingOptions:
    """What was said about hashing; None was not said."""

    bits: int | None
    ngrams: int | None

    @property
    def silent(self) -> bool:
        return self.bits is None and self.ngrams is None

    def of_learner(self, layout: Layout) -> dict[str, Any]:
        """Texts are hashed before the learner sees them; features of vectors are folded by the learner."""
        vectors = layout.hashing is None and self.bits is not None
        return {"n_features": 1 << self.bits} if vectors and self.bits is not None else {}


def may_keep_weights(learner: LearnerName, kernel: Any, hashing: HashingOptions) -> bool:
    """Whether the learner keeps weights if the data are such; complains about options that do not fit together."""
    if learner in WEIGHTS_ONLY:
        if not kernel.silent:
            raise typer.BadParameter(
                f"the learner {learner.value} has no kernel; it keeps a weight for every feature",
                param_hint="--kernel and its parameters",
            )
        return True
    if learner in WITH_OR_WITHOUT_KERNEL and kernel.silent:
        return True
    if not hashing.silent:
        raise typer.BadParameter(
            "only learners without a kernel have hashed features",
            param_hint="--hash-bits" if hashing.bits is not None else "--ngrams",
        )
    return False


def prepare_weights(
    first: Table,
    learner: LearnerName,
    kernel: Any,
    hashing: HashingOptions,
    layout: Layout,
    features: int | None,
) -> bool:
    """Settles the column and how texts are hashed; False when the data ask for a kernel."""
    layout.meet(first)
    kinds = set(layout.columns.values())
    words_are_features = learner in (*WEIGHTS_ONLY, *STRUCTURED) or not hashing.silent
    if learner not in WEIGHTS_ONLY and ("tree" in kinds or ("text" in kinds and not words_are_features)):
        layout.columns, layout.n_features = {}, {}
        return False
    column = kernel.column or _only_vectors(learner, layout)
    if column not in layout.columns or layout.columns[column] == "tree":
        usable = ", ".join(name for name, kind in layout.columns.items() if kind != "tree")
        raise ValueError(f"--column must be one of {usable}, which hold no trees, got {column!r}")
    if layout.columns[column] == "text":
        if layout.tokens:
            raise typer.BadParameter(
                "it is for kernels of texts; here words are features", param_hint="--tokens"
            )
        layout.hashing = Hashing(hashing.bits or DEFAULT_BITS, hashing.ngrams or 1, learner not in WINNOWS)
    elif hashing.ngrams is not None:
        raise typer.BadParameter("the data are vectors, no texts (see --format)", param_hint="--ngrams")
    layout.set_width(features)
    layout.for_weights(column, features)
    return True


def _only_vectors(learner: LearnerName, layout: Layout) -> str:
    usable = [name for name, kind in layout.columns.items() if kind != "tree"]
    if not usable:
        raise ValueError(f"the learner {learner.value} takes vectors or texts, but the data have trees only")
    if len(usable) > 1:
        raise ValueError(f"the data have several vectors; choose one of {', '.join(usable)} with --column")
    return usable[0]


def learn_weights(
    model: Any,
    tables: Tables,
    layout: Layout,
    classes: str | None,
    output: str,
    given: dict[str, Any],
    report: ProgressiveReport | None,
) -> None:
    """Learns in one pass, or several over files; only shuffling needs the examples in memory."""
    epochs = given["epochs"] or 1
    if given["shuffle"]:
        if classes is not None:
            raise ValueError("--classes is for streams, which cannot be shuffled")
        learn(model, layout, _shuffled(tables, layout, epochs), None, output)
        return
    if epochs > 1:
        _require_files(tables.paths)
    known = _classes(tables, layout, classes)
    for number in range(epochs):
        passed = tables if number == 0 else Tables(tables.paths, layout)
        batches = _batches(passed, layout, known, classes is None)
        # What was learned from before is no longer predicted; the error would be no progressive one.
        learn(model, layout, Passes(batches), known, output, report if number == 0 else None)


def _shuffled(tables: Tables, layout: Layout, epochs: int) -> Passes:
    (column,) = layout.columns
    features = layout.n_features.get(column)
    training = look_at(tables.paths, layout, features, tables=tables)
    layout.for_weights(column, layout.n_features.get(column))  # now that the width of all examples is known
    passes = training.passes(epochs, shuffle=True)
    layout.for_weights(column, features)
    return passes


def _classes(tables: Tables, layout: Layout, named: str | None) -> Vector:
    """All labels: as they were named, by a quick look at the files, or those that a stream begins with."""
    if named is not None:
        return named_classes(named, layout)
    words, in_all = label_words(tables, layout)
    found = settle_classes(words, layout)
    if len(found) < 2:
        where, advice = "all examples", ""
        if not in_all:
            where, advice = "the first examples", "; name all labels that will come with --classes"
        raise ValueError(
            f"{where} have the label {found[0]}; learning needs examples of two classes or more{advice}"
            if len(found)
            else "no example has a label"
        )
    return found


def label_words(tables: Tables, layout: Layout) -> tuple[set[str], bool]:
    """Labels as they are written, by a quick look at files or at the beginning of a stream; whether those are all."""
    words: set[str] = set()
    files = all(map(os.path.isfile, tables.paths))
    if files:
        for path in tables.paths:
            words.update(_labels_in(path, layout))
    else:
        for table in tables.beginning(FIRST_EXAMPLES):
            words.update(words_of(table))
    return words - {""}, files


def _labels_in(path: str, layout: Layout) -> Iterator[str]:
    if layout.kind_of(path) is DataFormat.svmlight_tk:
        yield from iter_labels(path)
    else:
        for table in layout.tables(path):
            yield from words_of(table)


def _batches(tables: Tables, layout: Layout, classes: Vector, discovered: bool) -> Iterator[Batch]:
    known: set[str] = set()  # labels as they are written
    for table, path in tables:
        require_labels(table, path)
        words = words_of(table)
        if not known.issuperset(words):
            values = layout.label_values(words, path)
            unknown = values[~np.isin(values, classes)]
            if len(unknown):
                advice = "; name all labels that will come with --classes" if discovered else ""
                raise ValueError(
                    f"{shown(path)}: the label {unknown[0]} is none of "
                    f"{', '.join(map(str, classes.tolist()))}{advice}"
                )
            known.update(words)
        yield layout.arranged(table, path), layout.labels_of(table, path)


def _require_files(paths: Any) -> None:
    for path in paths:
        if not os.path.isfile(path):
            raise ValueError(f"{shown(path)} can be read only once, so --epochs is not possible")
