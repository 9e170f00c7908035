"""What a model makes of files of examples: here piece by piece, or on the workers of a cluster."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from hedgerow.cli.cluster import ClusterOptions, whole_files
from hedgerow.cli.failures import as_sentences
from hedgerow.cli.progress import counting
from hedgerow.cli.tasks.task import Task, numbers_text
from hedgerow.data.files import reading
from hedgerow.distributed.prediction import evaluated
from hedgerow.distributed.shards import Shard
from hedgerow.distributed.sources import from_files
from hedgerow.distributed.workers import workers_for
from hedgerow.io.examples import no_example
from hedgerow.persistence.model_file import read_model
from hedgerow.svmlight_tk import SvmlightTkScorer, read_svmlight_tk_model
from hedgerow.svmlight_tk.model_files import is_svmlight_tk_model

Results = Iterator[tuple[Any, int]]  # of pieces, each with its number of examples


def load_model(path: str, spaces_in_leaves: bool) -> tuple[Any, dict[str, Any]]:
    """The model in a file of hedgerow or of SVM-light-TK, and the notes saved with it."""
    if path != "-":
        with reading(path) as file:
            start = file.read(100)
        if is_svmlight_tk_model(start):
            return SvmlightTkScorer(read_svmlight_tk_model(path, spaces_in_leaves=spaces_in_leaves)), {}
    return read_model(path)


def over_files(
    work: Callable[[Shard, Any, Task], Results],
    model: Any,
    task: Task,
    inputs: Sequence[str],
    cluster: ClusterOptions,
    *,
    labelled: bool = False,
) -> Iterator[Any]:
    """The results of some work on all pieces of files, in order."""
    paths = whole_files(inputs) if cluster.wanted else inputs
    shards = from_files(paths, task.reader.for_new_data(labelled)).parts
    n = 0
    with cluster.client() as client, as_sentences(), counting("Predicting", None) as advance:
        workers = workers_for(client)
        for results in workers.iterate(work, shards, workers.share(model), task):
            for result, examples in results:
                yield result
                advance(examples)
                n += examples
    if n == 0:
        raise no_example(inputs)


def predicted(shard: Shard, model: Any, task: Task) -> Results:
    """Predictions as a file has them."""
    for X, y in shard.pieces():
        outputs = model.predict(X)
        yield task.text(X, y, outputs), len(outputs)


def scored(shard: Shard, model: Any, task: Task) -> Results:
    """Scores as a file has them."""
    for X, _ in shard.pieces():
        text = task.scores_text(model, X)
        yield text, text.count("\n")


def ranked(shard: Shard, model: Any, task: Task, k: int, scores: bool) -> Results:
    """The k best predictions as a file has them."""
    for X, y in shard.pieces():
        outputs = model.predict_k(X, k)
        yield task.ranked_text(X, y, outputs, scores), len(outputs)


def estimated(shard: Shard, model: Any, task: Task) -> Results:
    """Probabilities as a file has them."""
    for X, _ in shard.pieces():
        rows = model.predict_proba(X)
        yield numbers_text(rows), len(rows)


def as_objects(
    shard: Shard, model: Any, task: Task, *, scores: bool = False, probabilities: bool = False
) -> Results:
    """Predictions as JSON objects, one per line."""
    for X, _ in shard.pieces():
        outputs = task.outputs(X, model.predict(X))
        columns: dict[str, list[Any]] = {task.output: outputs}
        if scores:
            numbers = task.scores(model, X)
            columns |= {"scores": _by_class(model, numbers)} if task.by_class else {"score": numbers.tolist()}
        if probabilities:
            columns["probabilities"] = _by_class(model, model.predict_proba(X))
        rows = [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]
        yield "".join(f"{json.dumps(row, ensure_ascii=False)}\n" for row in rows), len(rows)


def _by_class(model: Any, rows: Any) -> list[dict[str, float]]:
    """Numbers by class, also where the second of two classes has them alone."""
    both = np.stack([-rows, rows], axis=1) if rows.ndim == 1 else rows
    names = [*map(str, model.classes_.tolist())]
    return [dict(zip(names, row, strict=True)) for row in both.tolist()]


def compared(shard: Shard, model: Any, task: Task, k_best: int | None = None) -> Results:
    """Counts of predictions against the true outputs."""
    return ((tally, tally.n) for tally in evaluated(shard, model, k_best))
