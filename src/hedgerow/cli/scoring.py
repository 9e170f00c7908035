"""Model files of either kind as something that scores examples."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, Protocol

from hedgerow.cli.failures import as_sentences
from hedgerow.cli.progress import counting
from hedgerow.data.files import reading
from hedgerow.io.examples import Table, Vector
from hedgerow.io.formats import DataFormat
from hedgerow.io.schema import Schema
from hedgerow.io.svmlight_tk_model import is_svmlight_tk_model, read_svmlight_tk_model
from hedgerow.io.tables import no_example
from hedgerow.models.labels import winners
from hedgerow.models.schema import drops_unseen, schema_of
from hedgerow.models.svmlight_tk import SvmlightTkScorer
from hedgerow.persistence.model_file import read_model


class Scorer(Protocol):
    """What predictions need of a model."""

    classes_: Vector

    def decision_function(self, X: Any) -> Vector: ...


def load_model(path: str, spaces_in_leaves: bool) -> tuple[Any, dict[str, Any]]:
    """The model in a file of hedgerow or of SVM-light-TK, and the notes of whoever saved it."""
    if path != "-":
        with reading(path) as file:
            start = file.read(100)
        if is_svmlight_tk_model(start):
            return SvmlightTkScorer(read_svmlight_tk_model(path, spaces_in_leaves=spaces_in_leaves)), {}
    return read_model(path)


def scorer_of(
    model: Any, notes: dict[str, Any], path: str, data_format: DataFormat | None, spaces_in_leaves: bool
) -> tuple[Scorer, Schema]:
    """The model of a file as something that scores, and how it reads examples."""
    if not hasattr(model, "decision_function") or not hasattr(model, "classes_"):
        raise ValueError(f"{path} holds a {type(model).__name__}, which does not classify")
    schema = schema_of(model, notes)
    if isinstance(model, SvmlightTkScorer):
        return model, schema.told(None, spaces_in_leaves)
    if not hasattr(model, "kernel_"):
        raise ValueError(
            f"{path} holds a {type(model).__name__} that knows kernel values only (kernel='precomputed'), so it "
            "cannot look at examples"
        )
    if schema.format == DataFormat.brackets.value:
        schema = replace(
            schema, format=None
        )  # those who trained on labelled brackets may predict from other files
    return model, schema.told(data_format and data_format.value, spaces_in_leaves)


def score_files(scorer: Scorer, schema: Schema, paths: Sequence[str]) -> Iterator[tuple[Vector, Table, str]]:
    """Scores, and the table with the labels, batch by batch."""
    n, drops = 0, drops_unseen(scorer)
    with counting("Predicting", None) as advance:
        for path in paths:
            for table in schema.tables(path):
                schema = schema.or_of(table)
                with as_sentences():
                    scores = scorer.decision_function(schema.arranged(table, path, drops_unseen=drops))
                yield scores, table, path
                advance(len(table))
                n += len(table)
    if n == 0:
        raise no_example(paths)


def chosen(scorer: Scorer, scores: Vector) -> Vector:
    """The predicted classes, as the learners predict them."""
    labels: Vector = scorer.classes_[winners(scores)]
    return labels
