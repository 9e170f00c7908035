"""What a model makes of files of examples: here piece by piece, or on the workers of a cluster."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from hedgerow.cli.cluster import ClusterOptions, whole_files
from hedgerow.cli.failures import as_sentences
from hedgerow.cli.progress import counting
from hedgerow.cli.tasks.task import Task
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
    """The model in a file of hedgerow or of SVM-light-TK, and the notes of whoever saved it."""
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


def compared(shard: Shard, model: Any, task: Task) -> Results:
    """Counts of predictions against the true outputs."""
    return ((tally, tally.n) for tally in evaluated(shard, model))
