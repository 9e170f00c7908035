"""Learners that keep weights: vectors, or hashed texts, in one pass and constant memory."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import typer

from hedgerow.cli.derived import option_name
from hedgerow.cli.examples import Batch, Passes, Tables, look_at, named_classes
from hedgerow.cli.learning import learn
from hedgerow.cli.progressive import ProgressiveReport
from hedgerow.cli.train.choice import Choice
from hedgerow.data.files import name_of
from hedgerow.io.examples import Table, Vector, kind_of, label_array
from hedgerow.io.formats import DataFormat
from hedgerow.io.hashing import DEFAULT_BITS, Hashing
from hedgerow.io.schema import Schema, SchemaBuilder
from hedgerow.io.svmlight_tk import iter_labels
from hedgerow.registry import Learner

FIRST_EXAMPLES = 1000  # of a stream: those whose labels are looked at before learning begins


def hashed_features(choice: Choice, schema: Schema) -> dict[str, Any]:
    """Texts are hashed before the learner sees them; features of vectors are folded by the learner."""
    vectors = schema.hashing is None and choice.data.hash_bits is not None
    return {"n_features": 1 << choice.data.hash_bits} if vectors and choice.data.hash_bits is not None else {}


def may_keep_weights(choice: Choice) -> bool:
    """Whether the learner keeps weights if the data are such; complains about options that do not fit together."""
    if choice.learner.on_weights and choice.kernel.silent:
        return True
    for name in ("hash_bits", "ngrams"):
        if getattr(choice.data, name) is not None:
            raise typer.BadParameter(
                "only learners without a kernel have hashed features", param_hint=option_name(name)
            )
    return False


def prepare_weights(
    first: Table, choice: Choice, schema: Schema, default_bits: int = DEFAULT_BITS
) -> Schema | None:
    """The schema with the column of the weights and how texts are hashed; None when the data ask for a kernel."""
    learner, data = choice.learner, choice.data
    builder = SchemaBuilder(schema, data.features)
    builder.meet(first)
    columns = builder.build().columns
    kinds = set(columns.values())
    hashed = data.hash_bits is not None or data.ngrams is not None
    words_are_features = not learner.on_kernels or hashed
    takes_trees = learner.on_kernels or learner.structured
    if (takes_trees and "tree" in kinds) or ("text" in kinds and not words_are_features):
        return None
    column = data.column or _only_vectors(learner, columns)
    if column not in columns or columns[column] == "tree":
        usable = ", ".join(name for name, kind in columns.items() if kind != "tree")
        raise ValueError(f"--column must be one of {usable}, which hold no trees, got {column!r}")
    if columns[column] == "text":
        if schema.tokens:
            raise typer.BadParameter(
                "it is for kernels of texts; here words are features", param_hint="--tokens"
            )
        hashing = Hashing(data.hash_bits or default_bits, data.ngrams or 1, learner.signed)
        schema = replace(schema, hashing=hashing)
    elif data.ngrams is not None:
        raise typer.BadParameter("the data are vectors, no texts (see --format)", param_hint="--ngrams")
    # New features may come at any time, unless their number is given.
    return replace(schema, columns=columns).only(column, data.features)


def _only_vectors(learner: Learner, columns: Mapping[str, str]) -> str:
    usable = [name for name, kind in columns.items() if kind != "tree"]
    if not usable:
        raise ValueError(f"the learner {learner.name} takes vectors or texts, but the data have trees only")
    if len(usable) > 1:
        raise ValueError(f"the data have several vectors; choose one of {', '.join(usable)} with --column")
    return usable[0]


def learn_weights(
    model: Any,
    tables: Tables,
    schema: Schema,
    classes: Sequence[str] | None,
    output: str,
    report: ProgressiveReport | None,
) -> Schema:
    """Learns in one pass, or several over files; only shuffling needs the examples in memory.

    Returns the schema with the kind of labels.
    """
    epochs = model.epochs
    if model.shuffle:
        if classes is not None:
            raise ValueError("--classes is for streams, which cannot be shuffled")
        (column,) = schema.columns
        training = look_at(tables.paths, schema, schema.n_features.get(column), tables=tables)
        schema = replace(schema, labels=training.schema.labels)
        learn(model, schema, training.passes(epochs, shuffle=True), None, output)
        return schema
    if epochs > 1:
        _require_files(tables.paths)
    known, schema = _classes(tables, schema, classes)
    for number in range(epochs):
        passed = tables if number == 0 else Tables(tables.paths, schema, live=True)
        batches = _batches(passed, schema, known, classes is None)
        # What was learned from before is no longer predicted; the error would be no progressive one.
        learn(model, schema, Passes(batches), known, output, report if number == 0 else None)
    return schema


def _classes(tables: Tables, schema: Schema, named: Sequence[str] | None) -> tuple[Vector, Schema]:
    """All labels: as they were named, by a quick look at the files, or those that a stream begins with."""
    if named is not None:
        return named_classes(named, schema)
    words, in_all = label_words(tables, schema)
    schema = replace(schema, labels=kind_of(sorted(words)))
    found = np.unique(label_array(sorted(words), schema.labels))
    if len(found) < 2:
        where, advice = "all examples", ""
        if not in_all:
            where, advice = "the first examples", "; name all labels that will come with --classes"
        raise ValueError(
            f"{where} have the label {found[0]}; learning needs examples of two classes or more{advice}"
            if len(found)
            else "no example has a label"
        )
    return found, schema


def label_words(tables: Tables, schema: Schema) -> tuple[set[str], bool]:
    """Labels as they are written, by a quick look at files or at the beginning of a stream; whether those are all."""
    words: set[str] = set()
    files = all(map(os.path.isfile, tables.paths))
    if files:
        for path in tables.paths:
            words.update(_labels_in(path, schema))
    else:
        for table in tables.beginning(FIRST_EXAMPLES):
            words.update(table.words)
    return words - {""}, files


def _labels_in(path: str, schema: Schema) -> Iterator[str]:
    if schema.format_of(path) is DataFormat.svmlight_tk:
        yield from iter_labels(path)
    else:
        for table in schema.tables(path):
            yield from table.words


def _batches(tables: Tables, schema: Schema, classes: Vector, discovered: bool) -> Iterator[Batch]:
    for table, path in tables:
        table.require_labels(path)
        values = schema.label_values(table.words, path)
        unknown = values[~np.isin(values, classes)]
        if len(unknown):
            advice = "; name all labels that will come with --classes" if discovered else ""
            raise ValueError(
                f"{name_of(path)}: the label {unknown[0]} is none of "
                f"{', '.join(map(str, classes.tolist()))}{advice}"
            )
        yield schema.arranged(table, path), values[table.label_of_row]


def _require_files(paths: Any) -> None:
    for path in paths:
        if not os.path.isfile(path):
            raise ValueError(f"{name_of(path)} can be read only once, so --epochs is not possible")
