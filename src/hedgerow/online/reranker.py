"""Reranker: any learner on weights, trained to choose the best candidate of a list."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, Self

import numpy as np
from sklearn.base import clone
from sklearn.utils import get_tags

from hedgerow import _core
from hedgerow.checks import Count, as_random_state
from hedgerow.data import CandidateLists
from hedgerow.kernels.base import Matrix
from hedgerow.kernels.rows import as_rows, fold_columns, rows_to_items
from hedgerow.locks import reads, replacement, writes
from hedgerow.models.annotations import RandomState
from hedgerow.models.example_weights import given_weights
from hedgerow.models.functions import CandidateFunctions
from hedgerow.models.native_estimator import above, below
from hedgerow.models.reranking import (
    ListTally,
    candidate_features,
    candidate_losses,
    check_lists,
    check_transformer,
    evaluate_choice,
    feature_names,
    true_rows,
)
from hedgerow.online.base import OnlineClassifier, Recorded
from hedgerow.online.linear_learner import LinearModel
from hedgerow.parameters import check_unused
from hedgerow.threads import resolve


@dataclass(eq=False, repr=False)
class Reranker(LinearModel, Recorded):
    """Learns to choose the best candidate from a list, with any learner that keeps weights.

    The score of a candidate with features phi(h) is w.phi(h). From every list the learner gets one example: with h* the
    true candidate, and h~ the rival that has the highest score, it is phi(h*) - phi(h~), with the label +1. It is a
    mistake when its score is not positive.

    This is for streams, many features and sparse weights. `hedgerow.structured.Reranking` is for machines that come
    with a certificate, for losses that grow with the difference of grades, and for kernels on the candidates' trees.

    Other parameters are those of `Perceptron`, with lists instead of examples.

    Parameters
    ----------
    learner : learner on weights, such as ``Perceptron(averaging="average")``
        How weights change with an example, and whether predictions come from the last weights or from an average. It
        is not changed. Its ``epochs``, ``shuffle``, ``random_state``, ``trace_every`` and ``n_jobs`` have no effect;
        those of the reranker count. It must have no bias, which would say nothing about a difference.
    transformer : transformer or None, default=None
        Makes the features of candidates, such as `hedgerow.feature_extraction.ParseFeatures`; `fit` fits a copy of it.
        With None the lists have features.
    loss : {"zero-one", "grade"}, default="zero-one"
        What makes a candidate a rival of the true one: being another, or having a lower grade. Lists without rivals are
        left out.

    Attributes
    ----------
    coef_, n_nonzero_, mistakes_, n_seen_, trace_ : as for `Perceptron` without a kernel
    transformer_ : the fitted copy of ``transformer``, if there is one

    References
    ----------
    M. Collins: Discriminative reranking for natural language parsing, ICML 2000. T. Xu, J. Gao, L. Xiao, A. Regan:
    Online classification using a voted RDA method, AAAI 2014, section 6.

    Examples
    --------
    >>> from hedgerow.data import CandidateLists
    >>> from hedgerow.online import Perceptron, Reranker
    >>> features = [[1.0, 0.0], [0.0, 1.0], [2.0, 1.0], [1.0, 1.0], [1.0, 2.0]]
    >>> lists = CandidateLists([2, 3], features=features, grades=[0, 1, 0, 0, 1])
    >>> model = Reranker(Perceptron(averaging="average")).fit(lists)
    >>> model.predict(lists), model.mistakes_
    (array([1, 2]), 1)
    >>> model.coef_
    array([[-1.,  1.]])
    """

    _on_weights = True
    # Parameters of learners that say nothing about differences of candidates, which have one function and one label.
    _without_effect = ("kernel", "bias", "multiclass", "probability", "class_weight", "precision")
    _n_functions = 1
    _counted = "lists"

    learner: Any
    transformer: Any = None
    epochs: Count = 1
    shuffle: bool = False
    random_state: RandomState = None
    loss: Literal["zero-one", "grade"] = "zero-one"
    trace_every: Count | None = None
    n_jobs: int | None = None

    # -- learning -------------------------------------------------------------------------------------------

    def fit(self, X: CandidateLists, y: Any = None, sample_weight: Any = None) -> Self:
        """Learn from lists, forgetting what was learned before.

        Interrupted with Ctrl-C, the reranker keeps what it has learned from the lists so far.

        Parameters
        ----------
        X : CandidateLists, with what features are made of
        y : array of int, optional
            Positions of the true candidates in their lists. By default those with the best grades, the first of
            several.
        sample_weight : array of non-negative floats, optional
            How much each list moves the weights; one with weight 0 is left out.
        """
        with replacement(self) as new:
            new._fit(X, y, sample_weight)
        return self

    def _fit(self, X: CandidateLists, y: Any, sample_weight: Any) -> None:
        random_state = self._start(X)
        self._learn(X, y, sample_weight, self._orders(len(X), random_state))

    @writes
    def partial_fit(self, X: CandidateLists, y: Any = None, sample_weight: Any = None) -> Self:
        """Go on learning, with one pass over the lists in the given order.

        The first call fits ``transformer``, if there is one.
        """
        self._check_resumable()
        if not hasattr(self, "_native"):
            self._start(X)
        return self._learn(X, y, sample_weight, [])

    def _start(self, X: CandidateLists) -> Any:
        self._check_params()
        check_lists(X, "Reranker")
        if len(X) == 0:
            raise ValueError("there are no lists to learn from")
        for name in ("_native", "transformer_"):
            self.__dict__.pop(name, None)
        random_state = as_random_state(self.random_state)
        self._seed = int(random_state.randint(2**31 - 1))
        if self.transformer is not None:
            self.transformer_ = clone(self.transformer).fit(X)
        self.learner_ = clone(self.learner)
        self._native = self._make_native()
        return random_state

    def _learn(self, X: CandidateLists, y: Any, sample_weight: Any, orders: list[Matrix]) -> Self:
        candidates = rows_to_items(self._rows(X))
        truths = true_rows(X, y)
        rivals = (candidate_losses(X, truths, self.loss) > 0).astype(np.uint8)
        has_rivals = np.maximum.reduceat(rivals, X.begins[:-1]) if len(X) else np.empty(0)
        weights = has_rivals * given_weights(sample_weight, len(X))
        items = _core.CandidateItems(candidates, X.begins, truths, rivals)
        self._native.learn(items, np.ones(len(X), dtype=np.int32), weights, orders)
        return self

    def _rows(self, X: CandidateLists) -> Any:
        """The features of the candidates."""
        rows = as_rows(candidate_features(X, getattr(self, "transformer_", None), "Reranker"), "Reranker")
        width = self.learner_.n_features
        return rows if width is None else fold_columns(rows, width)

    def _make_native(self) -> _core.RankingLearner:
        rule = self.learner_._linear_rule(1, self._seed)
        return _core.RankingLearner(rule, self.trace_every or 0, **self.learner_._counts())

    def _check_params(self) -> None:
        super()._check_params()
        self._check_learner()
        check_transformer(self.transformer)

    def _check_learner(self) -> None:
        learner = self.learner
        if not isinstance(learner, OnlineClassifier):
            raise TypeError(f"learner must be a learner of hedgerow.online, got {learner!r}")
        learner._check_params()
        name = type(learner).__name__
        if not learner._on_weights:
            raise ValueError(f"learner must keep weights, but {name} has a kernel; use one with kernel=None")
        if learner.averaging == "vote":
            raise ValueError(
                "learner votes with averaging='vote', which gives candidates no scores; averaging must be None, "
                "'average' or 'normalized'"
            )
        if getattr(learner, "bias", False):
            raise ValueError("learner must have bias=False: a bias says nothing about differences")
        check_unused(
            learner,
            "in a Reranker",
            *(n for n in self._without_effect if n in learner.get_params(deep=False)),
        )
        if get_tags(learner).input_tags.positive_only:
            raise ValueError(f"learner must take differences, but {name} takes no negative features")

    # -- prediction -----------------------------------------------------------------------------------------

    @reads
    def decision_function(self, X: CandidateLists) -> Matrix:
        """Scores of all candidates, one list after the other."""
        native = self._fitted()
        items = rows_to_items(self._rows(X))
        scores: Matrix = native.decisions(items, resolve(self.n_jobs), False)
        return scores

    def predict(self, X: CandidateLists) -> Matrix:
        """Position in each list of the candidate with the highest score: the first of several."""
        return X.highest(self.decision_function(X))

    def score(self, X: CandidateLists, y: Any = None) -> float:
        """How good the chosen candidates are: the F1 of all their brackets, or without brackets their mean grade."""
        chosen = self.evaluate(X)["reranked"]
        return chosen.get("f1", chosen["grade"])

    def evaluate(self, X: CandidateLists) -> dict[str, dict[str, float]]:
        """How good the chosen candidates are, beside the candidates of the base model and the best possible ones.

        ``"reranked"``, ``"baseline"`` (the highest base score, or the first candidate) and ``"oracle"`` are each a dict
        with the mean ``"grade"``, the share of lists in which no candidate has a higher grade (``"accuracy"``), and for
        lists with brackets ``"precision"``, ``"recall"`` and ``"f1"`` over the brackets of all chosen candidates.
        """
        return evaluate_choice(X, self.predict(X))

    def tally(self) -> ListTally:
        """An empty tally: what counts predictions for evaluations."""
        return ListTally()

    # -- what was learned -----------------------------------------------------------------------------------

    def _linear(self) -> _core.LinearLearner:
        native: _core.LinearLearner = self._fitted()
        return native

    @reads
    def functions(self) -> CandidateFunctions:
        """What the scores of candidates are made of, for `hedgerow.inspection`."""
        weights = self._sparse_weights()
        names = feature_names(getattr(self, "transformer_", None))
        return CandidateFunctions(["score"], weights, np.zeros(1), self.predict, self._rows, names)

    # -- copies ---------------------------------------------------------------------------------------------

    @reads
    def _to_state(self) -> tuple[dict[str, Any], dict[str, Matrix]]:
        """What was learned: a description for JSON, and arrays."""
        arrays = above("native.", self._fitted().save())
        description: dict[str, Any] = {"seed": self._seed}
        if hasattr(self, "transformer_"):
            description["features"], more = self.transformer_._to_state()
            arrays.update(above("features.", more))
        return description, arrays

    def _from_state(self, description: dict[str, Any], arrays: dict[str, Matrix]) -> Self:
        """Take up what another reranker with these parameters had learned."""
        self._check_params()
        self._seed = description["seed"]
        self.learner_ = clone(self.learner)
        if "features" in description:
            self.transformer_ = clone(self.transformer)._from_state(
                description["features"], below("features.", arrays)
            )
        self._take_native(below("native.", arrays))
        return self
