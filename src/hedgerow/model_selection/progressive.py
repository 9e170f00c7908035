"""Progressive validation: every example is predicted before the model learns from it."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, fields
from functools import partial
from itertools import pairwise
from typing import Any

import numpy as np
from scipy import sparse
from sklearn.exceptions import NotFittedError

from hedgerow.checks import check_whole
from hedgerow.kernels.base import Matrix
from hedgerow.model_selection.error_count import ErrorCount, ErrorSample
from hedgerow.online.base import OnlineClassifier

Metric = Callable[[Any, Any], float]
NATIVE_ROWS = 10_000  # learned from in one call, between two reports at least


@dataclass(frozen=True, eq=False)
class ProgressiveResult:
    """How well a learner predicted a stream, each example before learning from it, sampled on the way.

    `hedgerow.inspection.OnlinePerformanceDisplay` draws it.

    Attributes
    ----------
    examples, mistakes : arrays of int
        Examples and wrong predictions so far, at each sample.
    error, recent_error : arrays of float
        The share of wrong predictions so far, and since the sample before.
    scores, recent_scores : array of float, or None
        The metric of all predictions so far, and of those since the sample before; None without a metric.
    predictions : array, or None
        Of all examples; None unless they were asked for.
    """

    examples: Matrix
    mistakes: Matrix
    error: Matrix
    recent_error: Matrix
    scores: Matrix | None = None
    recent_scores: Matrix | None = None
    predictions: Matrix | None = None

    def __len__(self) -> int:
        return len(self.examples)

    def to_dict(self) -> dict[str, list[Any]]:
        """The samples as lists, for JSON or a data frame."""
        columns = {field.name: getattr(self, field.name) for field in fields(self)}
        return {
            name: values.tolist()
            for name, values in columns.items()
            if values is not None and name != "predictions"
        }


def progressive_validation(
    estimator: Any,
    X: Any,
    y: Any = None,
    *,
    classes: Any = None,
    batch_size: int = 1,
    metric: Metric | None = None,
    trace_every: int | None = None,
    return_predictions: bool = False,
    watch: Callable[[ErrorSample], object] | None = None,
) -> ProgressiveResult:
    """Predict, then learn, example by example: how the learner would have done in use, as a `ProgressiveResult`.

    The estimator learns, as ``partial_fit`` would make it; pass ``sklearn.base.clone(estimator)`` to keep it as it is.
    Before anything was learned, the prediction is the first of the classes. hedgerow's own learners go through whole
    chunks natively. Those with ``averaging="vote"`` ask all predictors so far for every example, which takes time
    quadratic in the number of examples.

    Parameters
    ----------
    estimator : object with ``partial_fit`` and ``predict``, or with ``learn_one`` and ``predict_one``
        A learner of hedgerow or scikit-learn, or one of river, which is given every example as a dict from features
        (column names of a data frame, else numbers) to values; of sparse matrices only those that are not zero.
    X : examples, or an iterable of chunks ``(X, y)``
        Chunks may come from `hedgerow.io.iter_svmlight`, or from a generator without an end in sight.
    y : labels, or None when X is an iterable of chunks
    classes : labels, optional
        All that will come. Needed for chunks, unless the estimator knows them; by default the labels in ``y``.
    batch_size : int, default=1
        Number of examples that are predicted together before the estimator learns from them together.
    metric : callable, optional
        A function of true and predicted labels, as ``sklearn.metrics.f1_score``, computed at every sample beside the
        error. All labels and predictions are kept for it.
    trace_every : int, optional
        Examples between two samples. By default after 1, 2, 4, 8, ... examples; and at the end.
    return_predictions : bool, default=False
        Whether to keep the predictions.
    watch : callable, optional
        Called with every sample during the stream; it has ``examples``, ``error`` and ``recent_error``.

    Examples
    --------
    >>> from hedgerow.datasets import make_two_gaussians
    >>> from hedgerow.model_selection import progressive_validation
    >>> from hedgerow.online import Perceptron
    >>> X, y = make_two_gaussians(1000, random_state=0)
    >>> result = progressive_validation(Perceptron(averaging="average"), X, y, trace_every=500)
    >>> result.examples.tolist(), bool(result.error[-1] < 0.4)
    ([500, 1000], True)

    Others learn from the same stream:

    >>> from sklearn.linear_model import SGDClassifier
    >>> other = progressive_validation(SGDClassifier(random_state=0), X, y, batch_size=10)
    >>> other.examples[:5].tolist()
    [1, 2, 4, 8, 16]
    """
    check_whole("batch_size", batch_size, at_least=1)
    if trace_every is not None:
        check_whole("trace_every", trace_every, at_least=1)
    if y is not None:
        classes = np.unique(np.asarray(y)) if classes is None else classes
        chunks: Iterable[tuple[Any, Any]] = [(X, y)]
    elif hasattr(X, "shape"):
        raise ValueError("y must be given, unless X is an iterable of chunks (X, y)")
    else:
        chunks = X
    # hedgerow's learners predict each example on their own, while they learn from many in one call.
    native = isinstance(estimator, OnlineClassifier) and batch_size == 1
    predict_then_learn = _way_of_learning(estimator, classes, native)
    count, samples = ErrorCount(trace_every), []
    truths, predictions = [], []
    for chunk_X, chunk_y in chunks:
        for some_X, some_y in _pieces(chunk_X, np.asarray(chunk_y), NATIVE_ROWS if native else batch_size):
            predicted = predict_then_learn(some_X, some_y)
            for sample in count.add(np.asarray(predicted != some_y)):
                samples.append(sample)
                if watch is not None:
                    watch(sample)
            if metric is not None:
                truths.append(some_y)
            if metric is not None or return_predictions:
                predictions.append(predicted)
    if (last := count.rest()) is not None:
        samples.append(last)
        if watch is not None:
            watch(last)
    if not samples:
        raise ValueError("there is no example to predict")
    everything = np.concatenate(predictions) if predictions else None
    return ProgressiveResult(
        examples=np.array([sample.examples for sample in samples]),
        mistakes=np.array([sample.mistakes for sample in samples]),
        error=np.array([sample.error for sample in samples]),
        recent_error=np.array([sample.recent_error for sample in samples]),
        **({} if metric is None else _scores(metric, np.concatenate(truths), everything, samples)),
        predictions=everything if return_predictions else None,
    )


def _scores(metric: Metric, y: Matrix, predicted: Any, samples: list[ErrorSample]) -> dict[str, Matrix]:
    parts = [(sample.examples - sample.recent_examples, sample.examples) for sample in samples]
    return {
        "scores": np.array([metric(y[:end], predicted[:end]) for _, end in parts]),
        "recent_scores": np.array([metric(y[begin:end], predicted[begin:end]) for begin, end in parts]),
    }


# -- ways of learning -------------------------------------------------------------------------------------------


class _InBatches:
    """Estimators of scikit-learn."""

    def __init__(self, estimator: Any, classes: Any) -> None:
        self.estimator, self.classes = estimator, classes
        takes_classes = "classes" in inspect.signature(estimator.partial_fit).parameters
        self.options = {"classes": classes} if takes_classes and classes is not None else {}

    def __call__(self, X: Any, y: Matrix) -> Matrix:
        try:
            predicted = np.asarray(self.estimator.predict(X))
        except NotFittedError:
            known = (
                np.zeros(1, dtype=y.dtype) if self.classes is None else np.unique(np.asarray(self.classes))
            )
            predicted = np.full(len(y), known[0])
        self.estimator.partial_fit(X, y, **self.options)
        return predicted


class _OneByOne:
    """Learners of river, which take dicts."""

    def __init__(self, estimator: Any, classes: Any) -> None:
        self.estimator = estimator
        self.first_guess = None if classes is None else np.unique(np.asarray(classes)).tolist()[0]

    def __call__(self, X: Any, y: Matrix) -> Matrix:
        rows = list(_as_dicts(X))
        guesses = [self.estimator.predict_one(row) for row in rows]
        for row, label in zip(rows, y.tolist(), strict=True):
            self.estimator.learn_one(row, label)
        guesses = [self.first_guess if guess is None else guess for guess in guesses]
        return np.array(guesses, dtype=object if None in guesses else None)


def _way_of_learning(estimator: Any, classes: Any, native: bool) -> Callable[[Any, Matrix], Matrix]:
    if native:
        return partial(estimator._predict_then_learn, classes=classes)
    if hasattr(estimator, "partial_fit") and hasattr(estimator, "predict"):
        return _InBatches(estimator, classes)
    if hasattr(estimator, "learn_one") and hasattr(estimator, "predict_one"):
        return _OneByOne(estimator, classes)
    raise TypeError(
        "estimator must have partial_fit and predict, or learn_one and predict_one, got a "
        f"{type(estimator).__name__}"
    )


# -- examples ---------------------------------------------------------------------------------------------------


def _pieces(X: Any, y: Matrix, size: int) -> Iterator[tuple[Any, Matrix]]:
    """The chunk in pieces of so many examples."""
    if len(y) <= size:
        if len(y):
            yield X, y
        return
    if sparse.issparse(X):
        X = X.tocsr()
    rows = X.iloc if hasattr(X, "iloc") else X
    for begin in range(0, len(y), size):
        yield rows[begin : begin + size], y[begin : begin + size]


def _as_dicts(X: Any) -> Iterator[dict[Any, Any]]:
    if hasattr(X, "iter_rows"):  # polars
        yield from X.iter_rows(named=True)
    elif hasattr(X, "to_dict"):
        yield from X.to_dict("records")
    elif sparse.issparse(X):
        X = X.tocsr()
        for begin, end in pairwise(X.indptr):
            yield dict(zip(X.indices[begin:end].tolist(), X.data[begin:end].tolist(), strict=True))
    else:
        for row in X:
            yield row if isinstance(row, dict) else dict(enumerate(np.asarray(row).tolist()))
