"""Model files of either kind as something that scores examples."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Protocol

from hedgerow.cli.failures import as_sentences
from hedgerow.cli.progress import counting
from hedgerow.data.files import reading
from hedgerow.io.examples import Table, Vector
from hedgerow.io.formats import DataFormat
from hedgerow.io.layout import Layout
from hedgerow.io.sources import shown
from hedgerow.io.svmlight_tk_model import is_svmlight_tk_model, read_svmlight_tk_model
from hedgerow.models.labels import winners
from hedgerow.models.layout import ignores_unseen_features, layout_of
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
) -> tuple[Scorer, Layout]:
    """The model of a file as something that scores, and how it reads examples."""
    if isinstance(model, SvmlightTkScorer):
        layout = Layout(None, spaces_in_leaves, False, model.columns, model.n_features, "int")
        layout.drops_unseen = ignores_unseen_features(model.kernel)
        return model, layout
    if not hasattr(model, "decision_function") or not hasattr(model, "classes_"):
        raise ValueError(f"{path} holds a {type(model).__name__}, which does not classify")
    if not hasattr(model, "kernel_"):
        raise ValueError(
            f"{path} holds a {type(model).__name__} that knows kernel values only (kernel='precomputed'), so it "
            "cannot look at examples"
        )
    layout = layout_of(model, notes)
    layout.spaces_in_leaves = layout.spaces_in_leaves or spaces_in_leaves
    layout.drops_unseen = ignores_unseen_features(model.kernel_)
    if data_format is not None:
        layout.format = data_format.value
    elif layout.format == DataFormat.brackets.value:
        layout.format = None  # those who trained on labelled brackets may well predict from other files
    return model, layout


def score_files(scorer: Scorer, layout: Layout, paths: Sequence[str]) -> Iterator[tuple[Vector, Table, str]]:
    """Scores, and the table with the labels, batch by batch."""
    n = 0
    with counting("Predicting", None) as advance:
        for path in paths:
            for table in layout.tables(path):
                if not layout.columns:
                    layout.meet(table)
                    layout.set_width(None)
                with as_sentences():
                    scores = scorer.decision_function(layout.arranged(table, path))
                yield scores, table, path
                advance(len(table.y))
                n += len(table.y)
    if n == 0:
        raise ValueError(f"no example in {', '.join(map(shown, paths))}")


def chosen(scorer: Scorer, scores: Vector) -> Vector:
    """The predicted classes, as the learners predict them."""
    labels: Vector = scorer.classes_[winners(scores)]
    return labels
