"""Learning from shards: each kind of learner has its own way, and `fit` knows which."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from hedgerow.checks import check_whole
from hedgerow.distributed.progress import Watch, showing
from hedgerow.distributed.shards import Shards, checked
from hedgerow.distributed.workers import workers_for
from hedgerow.locks import replacement


def fit(
    model: Any,
    data: Shards,
    *,
    client: Any = None,
    rounds: int | None = None,
    verbose: bool = False,
    watch: Watch | None = None,
) -> Any:
    """Learn from a data set in shards, on the workers of a Dask cluster or here.

    The fitted model is an ordinary one: it predicts, is saved and continues learning as if it had been fitted as usual.
    For given shards the result does not depend on the number of workers, nor on whether some were lost on the way.

    - Learners on weights and `StructuredPerceptron`: iterative parameter mixing. In every round each shard starts from
      the same parameters and learns from its examples in one pass; the next start is for every weight its mean over the
      shards that have changed it, weighted by their numbers of examples. Where weights follow from something else, that
      has the mean: sums of subgradients and their number (RDA), precisions (AROW, SCW), logarithms (Winnows). Sums of
      predictors (averages) are added up. With several shards the first round, of shards that know nothing of each
      other, does not count for averages when there is a second one.
    - `CuttingPlaneSVC`: the shards look for the next cut; the result is that of `fit` on all examples, to rounding.
    - `StructuredSVM` with the one-slack solver: in the same way.
    - Learners on kernels: one learner goes from shard to shard, once for each of its ``epochs``. The result is that of
      one machine (``partial_fit``, shard by shard); so is the time, however many workers there are, since means of
      functions that shards learn apart lose many points. To use many workers, take `CuttingPlaneSVC`, or a learner on
      weights after `FragmentHasher` or `TextHasher`.

    Parameters
    ----------
    model : a learner of hedgerow, which is fitted in place
    data : Shards
        See `read` and `from_dask`.
    client : distributed.Client, optional
        Without one, all is done in this process, one shard after the other, so that only one has to fit in memory.
    rounds : int, optional
        Of parameter mixing; by default the learner's ``epochs``. One round alone can lose many points to one machine;
        after five there is little to gain (docs/scaling.md has figures).
    verbose : bool, default=False
        Show progress on standard error.
    watch : callable, optional
        Called with a `Progress` whenever a shard is done, instead.

    Returns
    -------
    model

    Examples
    --------
    >>> import pathlib, tempfile
    >>> from hedgerow import distributed
    >>> from hedgerow.online import Perceptron
    >>> folder = pathlib.Path(tempfile.mkdtemp())
    >>> _ = (folder / "part1.svm").write_text("1 1:1\\n-1 2:1\\n")
    >>> _ = (folder / "part2.svm").write_text("1 1:2 3:1\\n-1 2:1 4:1\\n")
    >>> data = distributed.read(folder / "part*.svm", shards=2)
    >>> model = distributed.fit(Perceptron(averaging="average"), data, rounds=3)
    >>> model.predict([[1.0, 0.0, 0.0, 0.0]])
    array([1])
    """
    checked(data)
    given = {} if rounds is None else {"rounds": rounds}
    if rounds is not None:
        check_whole("rounds", rounds, at_least=1)
    trainer = _trainer(model, rounds)
    with showing("Learning", verbose and watch is None) as shown, replacement(model) as new:
        trainer(new, data, workers_for(client), watch or shown, **given)
    return model


# Where each way to learn is, and why it has no use for rounds.
_WAYS: dict[str, tuple[str, str | None]] = {
    "weights": ("weight_mixing.fit_weights", None),
    "in-turn": (
        "in_turn.fit_in_turn",
        "is for learners on weights; with a kernel one learner goes from shard to shard, epochs times",
    ),
    "cuts": (
        "cutting_plane.fit_cutting_plane",
        "is not for {}, whose max_iter and tol say when to stop",
    ),
    "structured-weights": ("structured_mixing.fit_structured_perceptron", None),
    "structured-cuts": (
        "one_slack.fit_one_slack",
        "is for learners that mix parameters; max_iter limits the rounds of cuts",
    ),
}


def _trainer(model: Any, rounds: int | None) -> Any:
    if not hasattr(model, "_sharding"):
        raise TypeError(
            f"a {type(model).__name__} does not learn from shards; the learners that do: those of hedgerow.online, "
            "CuttingPlaneSVC, StructuredPerceptron, and StructuredSVM with solver='one-slack'"
        )
    model._check_params()
    way, without_rounds = _WAYS[model._sharding()]
    if rounds is not None and without_rounds is not None:
        raise ValueError(f"rounds {without_rounds.format(type(model).__name__)}")
    module, function = way.split(".")
    return getattr(import_module(f"hedgerow.distributed.{module}"), function)
