"""``hedgerow predict`` and ``hedgerow evaluate`` with models of structured problems."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from rich.console import Console

from hedgerow.cli.structured.tasks import task_of
from hedgerow.data.files import writing
from hedgerow.io.formats import DataFormat
from hedgerow.structured.learner import StructuredLearner


def is_structured(model: Any) -> bool:
    return isinstance(model, StructuredLearner)


def predict_outputs(
    model: StructuredLearner,
    notes: dict[str, Any],
    inputs: Sequence[str],
    output: str,
    data_format: DataFormat | None,
    spaces_in_leaves: bool,
) -> None:
    """Write what the model predicts for the examples of all files."""
    task = task_of(model, notes)
    task.expect(data_format, spaces_in_leaves)
    with writing(output) as out:
        for path in inputs:
            for text in task.predicted(model, path):
                out.write(text.encode())


def evaluate_outputs(
    model: StructuredLearner,
    notes: dict[str, Any],
    inputs: Sequence[str],
    data_format: DataFormat | None,
    spaces_in_leaves: bool,
) -> tuple[dict[str, Any], Callable[[dict[str, Any], Console], None]]:
    """Figures of the model's predictions, and what shows them to people."""
    task = task_of(model, notes)
    task.expect(data_format, spaces_in_leaves)
    return task.evaluation(model, inputs), task.show
