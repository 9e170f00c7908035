"""``hedgerow predict`` and ``hedgerow evaluate`` with models of structured problems."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from rich.console import Console

from hedgerow.cli.cluster import ClusterOptions
from hedgerow.cli.progress import counting
from hedgerow.cli.structured.task import Task
from hedgerow.cli.structured.tasks import task_of
from hedgerow.data.files import writing
from hedgerow.io.formats import DataFormat
from hedgerow.io.tables import no_example
from hedgerow.models.tallies import tally_for
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
    cluster: ClusterOptions,
) -> None:
    """Write what the model predicts for the examples of all files."""
    task = task_of(model, notes)
    task.expect(data_format, spaces_in_leaves)
    if cluster.wanted:
        from hedgerow.cli.cluster_scoring import predict_outputs_on_cluster

        texts = predict_outputs_on_cluster(model, task, inputs, cluster)
    else:
        texts = _predicted(model, task, inputs)
    with writing(output) as out:
        for text in texts:
            out.write(text.encode())


def _predicted(model: StructuredLearner, task: Task, inputs: Sequence[str]) -> Iterator[str]:
    total = 0
    with counting("Predicting", None) as advance:
        for path in inputs:
            for text, n in task.predicted(model, path):
                yield text
                advance(n)
                total += n
    if not total:
        raise no_example(inputs)


def evaluate_outputs(
    model: StructuredLearner,
    notes: dict[str, Any],
    inputs: Sequence[str],
    data_format: DataFormat | None,
    spaces_in_leaves: bool,
    cluster: ClusterOptions,
) -> tuple[dict[str, Any], Callable[[dict[str, Any], Console], None]]:
    """Figures of the model's predictions, and what shows them to people."""
    task = task_of(model, notes)
    task.expect(data_format, spaces_in_leaves)
    if cluster.wanted:
        from hedgerow.cli.cluster_scoring import evaluate_outputs_on_cluster

        return evaluate_outputs_on_cluster(model, task, inputs, cluster), task.show
    tally = tally_for(model)
    with counting("Predicting", None) as advance:
        for path in inputs:
            for X, true, predicted in task.compared(model, path):
                tally.add(X, true, predicted)
                advance(len(predicted))
    if not tally.n:
        raise no_example(inputs)
    return tally.figures(), task.show
