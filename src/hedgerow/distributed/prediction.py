"""Predictions, scores and figures of a data set in shards, which no process ever holds as a whole."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from hedgerow.distributed.progress import Meter, Watch, showing
from hedgerow.distributed.shards import FileShard, Shard, Shards, checked
from hedgerow.distributed.workers import Task, workers_for
from hedgerow.io.examples import join
from hedgerow.io.readers import Known
from hedgerow.kernels.base import Matrix
from hedgerow.models.labels import winners
from hedgerow.models.schema import drops_unseen, schema_of
from hedgerow.models.tallies import Tally, tally_for


def predict(
    model: Any, data: Shards, *, client: Any = None, verbose: bool = False, watch: Watch | None = None
) -> Iterator[Any]:
    """Predictions of a fitted model for a data set in shards.

    Workers score their shards piece by piece, and only some shards ahead of those that were taken, so that neither they
    nor this process ever hold much, however large the data are.

    Parameters
    ----------
    model : a fitted classifier or structured learner of hedgerow, or an `SvmlightTkScorer`
        Its ``n_jobs`` is the number of threads of each task; by default workers that Dask's nannies start take one.
    data : Shards
        Labels are not looked at, and need not be there where the format can do without them.
    client : distributed.Client, optional
        Without one, all is done in this process.
    verbose : bool, default=False
        Show progress on standard error.
    watch : callable, optional
        Called with a `Progress` whenever a shard is done, instead.

    Yields
    ------
    outputs : array of labels, or whatever ``model.predict`` gives
        Of one shard after the other, in the order of the data.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> from hedgerow import distributed
    >>> from hedgerow.online import Perceptron
    >>> folder = pathlib.Path(tempfile.mkdtemp())
    >>> _ = (folder / "part1.svm").write_text("1 1:1\\n-1 2:1\\n")
    >>> _ = (folder / "part2.svm").write_text("1 1:2 3:1\\n-1 2:1 4:1\\n")
    >>> data = distributed.read(folder / "part*.svm", shards=2)
    >>> model = Perceptron().fit([[1, 0], [0, 1]], [1, -1])
    >>> for labels in distributed.predict(model, data):
    ...     print(labels)
    [ 1 -1]
    [ 1 -1]
    >>> distributed.evaluate(model, data)["accuracy"]
    1.0
    """
    shards, run = ready(model, data, labelled=False), (client, verbose, watch)
    if not (hasattr(model, "decision_function") and hasattr(model, "classes_")):
        return _by_shard(predicted_outputs, model, shards, lambda parts: join(parts) if parts else [], *run)
    none, classes = np.zeros(0, _places(model)), model.classes_
    return _by_shard(
        predicted_places, model, shards, lambda parts: classes[np.concatenate([none, *parts])], *run
    )


def decision_function(
    model: Any, data: Shards, *, client: Any = None, verbose: bool = False, watch: Watch | None = None
) -> Iterator[Matrix]:
    """The scores of a data set in shards, as `predict` gives its labels.

    Parameters
    ----------
    model : a fitted classifier of hedgerow, or an `SvmlightTkScorer`
    data, client, verbose, watch : as for `predict`

    Yields
    ------
    scores : array of shape (n,) if there are two classes, else (n, classes)

    Examples
    --------
    >>> import pathlib, tempfile
    >>> from hedgerow import distributed
    >>> from hedgerow.online import Perceptron
    >>> path = pathlib.Path(tempfile.mkdtemp(), "data.svm")
    >>> _ = path.write_text("1 1:2 3:1\\n-1 2:1 4:1\\n")
    >>> model = Perceptron().fit([[1, 0], [0, 1]], [1, -1])
    >>> next(distributed.decision_function(model, distributed.read(path)))
    array([ 2., -1.])
    """
    if not hasattr(model, "decision_function"):
        raise TypeError(f"a {type(model).__name__} has no decision_function")
    shards, n = ready(model, data, labelled=False), len(model.classes_)
    none = np.zeros(0 if n == 2 else (0, n))
    return _by_shard(
        scores_of, model, shards, lambda parts: np.concatenate([none, *parts]), client, verbose, watch
    )


def evaluate(
    model: Any, data: Shards, *, client: Any = None, verbose: bool = False, watch: Watch | None = None
) -> dict[str, Any]:
    """How well a fitted model predicts the labels or outputs of a data set in shards.

    Parameters
    ----------
    model : as for `predict`
    data : Shards
        With labels.
    client, verbose, watch : as for `predict`

    Returns
    -------
    figures : dict
        Those that ``hedgerow evaluate --json`` prints: of classifiers ``examples``, ``accuracy``, ``f1`` (of the second
        class when there are two, else the mean over classes), ``macro``, ``micro``, ``classes`` and ``confusion``; of
        structured learners what their problem has, ``accuracy`` and ``f1`` always among it.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> from hedgerow import distributed
    >>> from hedgerow.online import Perceptron
    >>> path = pathlib.Path(tempfile.mkdtemp(), "data.svm")
    >>> _ = path.write_text("1 1:2 3:1\\n-1 2:1 4:1\\n")
    >>> model = Perceptron().fit([[1, 0], [0, 1]], [1, -1])
    >>> figures = distributed.evaluate(model, distributed.read(path))
    >>> figures["examples"], figures["accuracy"], figures["f1"]
    (2, 1.0, 1.0)
    """
    shards, tally = ready(model, data, labelled=True), tally_for(model)
    workers = workers_for(client)
    with showing("Evaluating", verbose and watch is None) as shown:
        meter = Meter(watch or shown, 0)
        for done, parts in enumerate(workers.iterate(evaluated, shards, workers.share(model)), 1):
            for part in parts:
                tally.update(part)
                meter.expect(tally.n * len(shards) // done)
                meter.add(part.n)
    if tally.n == 0:
        raise ValueError("there is no example in the data")
    figures: dict[str, Any] = tally.figures()
    return figures


# -- tasks: what is made of the pieces of a shard -----------------------------------------------------------------


def predicted_places(shard: Shard, model: Any) -> Iterator[Matrix]:
    """The numbers of the predicted classes, in as few bytes as these take."""
    return (winners(model.decision_function(X)).astype(_places(model)) for X, _ in shard.pieces())


def predicted_outputs(shard: Shard, model: Any) -> Iterator[Any]:
    return (model.predict(X) for X, _ in shard.pieces())


def scores_of(shard: Shard, model: Any) -> Iterator[Matrix]:
    return (model.decision_function(X) for X, _ in shard.pieces())


def evaluated(shard: Shard, model: Any, k_best: int | None = None) -> Iterator[Tally]:
    for X, y in shard.pieces():
        if y is None:
            raise ValueError(f"{shard.name} has no labels to compare predictions with")
        tally: Tally = tally_for(model, k_best)
        tally.count(model, X, y)
        yield tally


# -- how tasks are run --------------------------------------------------------------------------------------------


def ready(model: Any, data: Shards, labelled: bool) -> list[Any]:
    """The shards, which read files as the model needs them."""
    known = Known(schema_of(model, {}), _columns_of(model), drops_unseen(model))
    return [
        replace(shard, reader=shard.reader.for_model(known, labelled))
        if isinstance(shard, FileShard)  # others are in memory, or with workers
        else shard
        for shard in checked(data).parts
    ]


def _columns_of(model: Any) -> int | None:
    """How many columns of a token a model of sequences looks at, if it says so."""
    problem = getattr(model, "problem_", None)
    templates = problem.get_params(deep=False).get("templates") if problem is not None else None
    columns = getattr(templates, "columns", None)
    return None if columns is None else len(columns)


def _places(model: Any) -> Any:
    """The smallest type that numbers the classes."""
    return np.min_scalar_type(len(model.classes_))


def _by_shard(
    task: Task,
    model: Any,
    shards: Sequence[Any],
    finish: Callable[[list[Any]], Any],
    client: Any,
    verbose: bool,
    watch: Watch | None,
) -> Iterator[Any]:
    """What is made of all pieces of a shard, shard by shard."""
    workers = workers_for(client)
    # Dask keeps it in each worker's memory as it is, so that what it has made of itself for scoring stays too.
    shared = workers.share(model)
    with showing("Predicting", verbose and watch is None) as shown:
        meter, n = Meter(watch or shown, 0), 0
        for done, parts in enumerate(workers.iterate(task, shards, shared), 1):
            found = finish(list(parts))
            n += len(found)
            meter.expect(n * len(shards) // done)
            meter.add(len(found))
            yield found
