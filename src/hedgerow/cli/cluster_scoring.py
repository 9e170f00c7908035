"""``hedgerow predict`` and ``hedgerow evaluate`` on a cluster."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from hedgerow import distributed
from hedgerow.cli.cluster import ClusterOptions, on_terminal, whole_files
from hedgerow.cli.failures import as_sentences
from hedgerow.cli.scoring import Scorer
from hedgerow.cli.structured.task import Task
from hedgerow.distributed import Shards
from hedgerow.distributed.prediction import mapped, total
from hedgerow.distributed.progress import showing
from hedgerow.distributed.readers import FunctionReader, TableReader
from hedgerow.distributed.shards import FileShard
from hedgerow.distributed.sources import from_files
from hedgerow.io.examples import Vector
from hedgerow.io.schema import Schema
from hedgerow.io.tables import no_example
from hedgerow.models.tallies import Tally, tally_for
from hedgerow.structured.learner import StructuredLearner


def score_on_cluster(
    scorer: Scorer, schema: Schema, inputs: Sequence[str], cluster: ClusterOptions, scores: bool
) -> Iterator[Vector]:
    """The scores or the labels of all examples, a shard at a time."""
    data = _tables(inputs, schema)
    ask = distributed.decision_function if scores else distributed.predict
    n = 0
    with cluster.client() as client, as_sentences():
        for values in ask(scorer, data, client=client, verbose=on_terminal()):
            n += len(values)
            yield values
    if n == 0:
        raise no_example(inputs)


def evaluate_on_cluster(
    scorer: Scorer, schema: Schema, inputs: Sequence[str], cluster: ClusterOptions
) -> dict[str, Any]:
    """The figures of a classifier."""
    data = _tables(inputs, schema)
    with cluster.client() as client, as_sentences():
        return distributed.evaluate(scorer, data, client=client, verbose=on_terminal())


def _tables(inputs: Sequence[str], schema: Schema) -> Shards:
    return from_files(whole_files(inputs), TableReader(schema))


# -- structured outputs -------------------------------------------------------------------------------------------

Predictor = tuple[StructuredLearner, Task]


def predict_outputs_on_cluster(
    model: StructuredLearner, task: Task, inputs: Sequence[str], cluster: ClusterOptions
) -> Iterator[str]:
    """Pieces of text for a file of predictions, one a shard."""
    n = 0
    with (
        cluster.client() as client,
        as_sentences(),
        showing("Predicting", on_terminal()) as watch,
    ):
        results = mapped(
            client, predicted_text, (model, task), _files(inputs), watch, lambda result: result[1]
        )
        for text, examples in results:
            n += examples
            yield text
    if n == 0:
        raise no_example(inputs)


def evaluate_outputs_on_cluster(
    model: StructuredLearner, task: Task, inputs: Sequence[str], cluster: ClusterOptions
) -> dict[str, Any]:
    shards = _files(inputs)
    with cluster.client() as client, as_sentences():
        return total(counted, (model, task), shards, tally_for(model), client, verbose=on_terminal())


def predicted_text(shard: FileShard, predictor: Predictor) -> tuple[str, int]:
    """A task: what is written of a shard, and how many examples that is."""
    model, task = predictor
    pieces = [piece for path in shard.paths for piece in task.predicted(model, path)]
    return "".join(text for text, _ in pieces), sum(n for _, n in pieces)


def counted(shard: FileShard, predictor: Predictor) -> Tally:
    """A task: counts of the predictions of a shard."""
    model, task = predictor
    tally = tally_for(model)
    for path in shard.paths:
        for X, true, predicted in task.compared(model, path):
            tally.add(X, true, predicted)
    return tally


def _files(inputs: Sequence[str]) -> list[Any]:
    """Shards whose files the task of the problem reads."""
    return from_files(whole_files(inputs), FunctionReader(_unread)).parts


def _unread(path: str) -> Any:
    raise NotImplementedError
