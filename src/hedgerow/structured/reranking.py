"""Choosing among listed candidates."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import numpy as np
from scipy import sparse
from sklearn.base import clone

from hedgerow import _core
from hedgerow.data import CandidateLists
from hedgerow.kernels.base import Matrix
from hedgerow.kernels.precomputed import check_kernel
from hedgerow.kernels.rows import as_rows, sparse_to_items
from hedgerow.models.functions import CandidateFunctions, Functions
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
from hedgerow.models.stored import stored_whole
from hedgerow.structured.classes import canonical
from hedgerow.structured.kernel_items import KernelItems
from hedgerow.structured.problem import Binding, Problem, ranked
from hedgerow.threads import resolve


class Reranking(Problem):
    """Choose the best candidate from a list for each input, such as the parses of a sentence.

    Psi(x, y) are the features of candidate y. Inputs are `CandidateLists`; outputs are positions in the lists, in
    training None for the candidates with the highest grades.

    With `StructuredSVM` this gives machines that come with a certificate, losses that grow with the difference of
    grades, and kernels on the candidates' trees. `hedgerow.online.Reranker` is for streams, many features and sparse
    weights.

    Parameters
    ----------
    loss : {"grade", "zero-one"}, default="grade"
        The loss: how much lower the grade of a candidate is than that of the true one, or 1 for any other.
    kernel : Kernel, optional
        A kernel on the ``trees`` of candidates. Without one the lists need ``features``, or a transformer.
    transformer : transformer or None, default=None
        Makes the features of candidates, such as `hedgerow.feature_extraction.ParseFeatures`; the first examples fit a
        copy of it. With None the lists have features.

    Attributes
    ----------
    transformer_ : the fitted copy of ``transformer``, if there is one
    n_features_in_ : the number of features; without a kernel
    items_ : the candidates of all training lists; with a kernel

    References
    ----------
    M. Collins, N. Duffy: New ranking algorithms for parsing and tagging, ACL 2002.

    Examples
    --------
    >>> from hedgerow.data import CandidateLists
    >>> from hedgerow.structured import Reranking, StructuredSVM
    >>> features = [[1.0, 0.0], [0.0, 1.0], [2.0, 1.0], [1.0, 1.0], [1.0, 2.0]]
    >>> lists = CandidateLists([2, 3], features=features, grades=[0.2, 1, 0, 0.5, 0.9])
    >>> model = StructuredSVM(Reranking(), C=10).fit(lists, lists.oracles())
    >>> model.predict(lists)
    array([1, 2])
    """

    n_features_in_: int
    items_: KernelItems
    _asks_loss = False
    _answers_all = True
    _quickest = "frank-wolfe"

    def __init__(
        self,
        *,
        loss: Literal["grade", "zero-one"] = "grade",
        kernel: Any = None,
        transformer: Any = None,
    ) -> None:
        self.loss = loss
        self.kernel = kernel
        self.transformer = transformer

    def _check_params(self) -> None:
        super()._check_params()
        check_kernel(self.kernel, precomputed=False)
        if self.transformer is not None and self.kernel is not None:
            raise ValueError(
                "transformer has no effect with a kernel, which compares trees; leave one of them out"
            )
        check_transformer(self.transformer)

    def accuracy(self, y_true: Any, y_pred: Any) -> float:
        """The share of lists whose true candidate was chosen."""
        return float(np.mean(np.asarray(y_true) == np.asarray(y_pred)))

    def scores(self, X: CandidateLists, weights: Matrix, n_jobs: int | None = None) -> Matrix:
        """The scores of all candidates, one list after the other."""
        check_lists(X, "Reranking")
        if self.kernel is not None:
            return self.items_.functions(_trees(X), weights[:, None], resolve(n_jobs))[:, 0]
        rows = self._features(X)
        known = min(rows.shape[1], len(weights))  # features unseen in training have no weights
        return np.asarray(rows[:, :known] @ weights[:known])

    def evaluate(self, X: CandidateLists, y_pred: Matrix) -> dict[str, dict[str, float]]:
        """How good chosen candidates are, beside those of the base model and the best; see `Reranker.evaluate`."""
        return evaluate_choice(X, y_pred)

    def tally(self) -> ListTally:
        return ListTally()

    # -- for learners ---------------------------------------------------------------------------------------

    def survey(self, X: Any, y: Any) -> int:
        """How many features candidates have."""
        self._check_params()
        check_lists(X, "Reranking")
        if self.transformer is not None:
            raise TypeError(
                "a transformer looks at all lists, which are in shards; give lists that have features, by "
                "lists.with_features(transformer.transform(lists))"
            )
        return int(self._features(X).shape[1])

    def settle(self, surveys: Sequence[int]) -> None:
        """Know the features of all shards."""
        self._check_params()
        self.n_features_in_ = max(surveys)

    def _functions(self, learner: Any) -> Functions:
        if self.kernel is not None:
            return super()._functions(learner)
        weights = sparse.csr_array(np.asarray(learner.coef_)[None])
        names = feature_names(getattr(self, "transformer_", None))
        return CandidateFunctions(
            ["joint features"], weights, np.zeros(1), learner.predict, self._features, names
        )

    def _features(self, lists: CandidateLists) -> Any:
        return candidate_features(lists, getattr(self, "transformer_", None), "Reranking")

    def _bind(self, X: Any, y: Any, first: bool) -> Binding:
        if first:
            self._check_params()
        elif self.kernel is not None:
            raise ValueError("a problem with a kernel cannot continue with other examples; use fit")
        check_lists(X, "Reranking")
        if len(X) == 0:
            raise ValueError("there are no lists to learn from")
        if first and self.transformer is not None:
            self.transformer_ = clone(self.transformer).fit(X)
        truths = true_rows(X, y)
        if self.kernel is not None:
            self.items_ = KernelItems(self.kernel, _trees(X))
            candidates, space = self.items_.one_hot(), _core.Space.kernel(self.items_.products(), 0, 1)
        else:
            rows = canonical(as_rows(self._features(X), type(self).__name__))
            self.n_features_in_ = rows.shape[1] if first else max(self.n_features_in_, rows.shape[1])
            candidates, space = sparse_to_items(rows, self.n_features_in_), _core.Space.plain()
        oracle = _core.list_oracle(candidates, X.begins, truths, candidate_losses(X, truths, self.loss))
        return Binding(oracle, space, 12 * len(candidates.data))

    def _decode(self, X: Any, weights: Matrix, threads: int) -> Matrix:
        check_lists(X, "Reranking")
        positions: Matrix = X.highest(self.scores(X, weights, threads))
        return positions

    def _decode_k(self, X: Any, weights: Matrix, k: int, threads: int) -> list[list[tuple[Any, float]]]:
        lists = np.split(self.scores(X, weights, threads), X.begins[1:-1])
        return [ranked(range(len(scores)), scores, k) for scores in lists]

    # -- copies ---------------------------------------------------------------------------------------------

    def _to_state(self) -> tuple[dict[str, Any], dict[str, Matrix]]:
        if self.kernel is not None:
            return {}, self.items_.to_arrays()
        description: dict[str, Any] = {"n_features_in": self.n_features_in_}
        arrays: dict[str, Matrix] = {}
        if self.transformer is not None:
            description["features"], arrays = self.transformer_._to_state()
        return description, arrays

    def _from_state(self, description: dict[str, Any], arrays: dict[str, Matrix]) -> None:
        self._check_params()
        if self.kernel is None:
            self.n_features_in_ = stored_whole(description, "n_features_in", 0, 2**31)
            if self.transformer is not None:
                self.transformer_ = clone(self.transformer)._from_state(description["features"], arrays)
        else:
            self.items_ = KernelItems.from_arrays(self.kernel, None, arrays)

    def _n_weights(self) -> int:
        return self.n_features_in_ if self.kernel is None else len(self.items_)


def _trees(lists: CandidateLists) -> Any:
    if lists.trees is None:
        raise ValueError("the lists have no trees, which Reranking(kernel=...) needs")
    return lists.trees
