"""Extremal Feature Selection: features that a Winnow gives the largest weights, and a few of the smallest."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Self

import numpy as np
from scipy import sparse
from sklearn.exceptions import NotFittedError
from sklearn.feature_selection import SelectorMixin
from sklearn.utils import check_array

from hedgerow import _core
from hedgerow.checks import Count, Share, check_whole
from hedgerow.kernels.base import Matrix
from hedgerow.locks import Shared, reads, replacement, writes
from hedgerow.models.annotations import ClassWeight, Multiclass, RandomState
from hedgerow.online.winnow import ModifiedBalancedWinnow
from hedgerow.parameters import check_parameters

__all__ = ["ExtremalFeatureSelection"]


@dataclass(eq=False, repr=False)
class ExtremalFeatureSelection(SelectorMixin, Shared):  # type: ignore[misc]
    """Extremal Feature Selection (EFS): selects features of a stream by the weights of a Winnow.

    A `ModifiedBalancedWinnow` learns from the examples. The score of a feature is ``|u - v|``, the difference of its
    two weights; features with large scores tell the classes apart. Kept are the features with the largest scores and,
    for the share ``1 - top`` of them, those with the smallest, which are usually common words in texts. With every
    example features may come in and leave.

    Parameters
    ----------
    k : int, default=1000
        How many features to keep; all, while there are fewer in the model.
    top : float between 0 and 1, default=0.9
        The share with the largest scores, times k rounded to a whole number; the rest have the smallest.
    promotion, demotion, threshold, margin, initial_weights
        Of the Winnow, see `ModifiedBalancedWinnow`.
    max_features : int or None, default=None
        Of the Winnow, at least k: bounds its memory; with None it remembers all features.
    epochs, shuffle, random_state, multiclass, class_weight
        Of the Winnow; `partial_fit` makes one pass always.

    Attributes
    ----------
    learner_ : ModifiedBalancedWinnow
    scores_ : array, one score a feature
        The largest over the functions of the Winnow, if there are more than two classes: a feature is worth keeping
        when it tells any class from others. 0 for features that are not in the model, which are never kept.
    n_features_in_ : int
        Sparse matrices may bring new features at any time.

    Notes
    -----
    Features must be at least 0. Of equal scores, that of the feature with the smaller number counts as the larger.

    References
    ----------
    V. R. Carvalho, W. W. Cohen: Single-pass online learning: performance, voting schemes and online feature
    selection, KDD 2006.

    Examples
    --------
    >>> from hedgerow.feature_selection import ExtremalFeatureSelection
    >>> X = [[1, 1, 0, 0], [1, 0, 1, 0], [1, 1, 0, 1], [1, 0, 1, 1]]
    >>> selection = ExtremalFeatureSelection(k=2, top=1.0).fit(X, ["a", "b", "a", "b"])
    >>> selection.get_support(indices=True)
    array([1, 2])
    >>> selection.transform(X)[0]
    array([1, 0])
    """

    learner_: ModifiedBalancedWinnow = field(init=False)
    _changing = ("learner_",)

    k: Count = 1000
    top: Share = 0.9
    promotion: float = 1.5
    demotion: float = 0.5
    threshold: float = 1.0
    margin: float = 1.0
    initial_weights: tuple[float, float] = (2.0, 1.0)
    max_features: int | None = None
    epochs: int = 1
    shuffle: bool = False
    random_state: RandomState = None
    multiclass: Multiclass = "one-vs-rest"
    class_weight: ClassWeight = None

    # -- learning -------------------------------------------------------------------------------------------

    def fit(self, X: Any, y: Any) -> Self:
        """Choose features by the rows of a matrix and their labels, forgetting what was learned before."""
        with replacement(self) as new:
            new.learner_ = new._new_learner().fit(X, y)
            new._look_at_learner()
        return self

    @writes
    def partial_fit(self, X: Any, y: Any, classes: Any = None) -> Self:
        """Go on choosing, with one pass over one example or many in the given order.

        ``classes`` are all labels that will ever come; those in ``y``, if the first call does not say.
        """
        self._check_resumable()
        learner = self.learner_ if hasattr(self, "learner_") else self._new_learner()
        if classes is None and not hasattr(self, "learner_"):
            classes = np.unique(np.asarray(y))
        self.learner_ = learner.partial_fit(X, y, classes)
        return self._look_at_learner()

    def _new_learner(self) -> ModifiedBalancedWinnow:
        check_parameters(self)
        parameters = self.get_params()
        del parameters["k"]
        top_share = parameters.pop("top")
        if self.max_features is not None:  # else it chooses among the learner's features, not while it learns
            parameters["top_share"] = top_share
            check_whole("max_features", self.max_features, at_least=self.k)
        return ModifiedBalancedWinnow(**parameters)

    def _look_at_learner(self) -> Self:
        self.__dict__.pop("feature_names_in_", None)
        for name in ("n_features_in_", "feature_names_in_"):
            if hasattr(self.learner_, name):
                setattr(self, name, getattr(self.learner_, name))
        return self

    # -- what was chosen ------------------------------------------------------------------------------------

    def _features_and_scores(self) -> tuple[Matrix, Matrix]:
        """Of the features in the model of any function."""
        if not hasattr(self, "learner_"):
            raise NotFittedError(
                f"this {type(self).__name__} has not been fitted yet; call fit or partial_fit"
            )
        parts = [self.learner_._weights_in_model(j) for j in range(self.learner_._n_functions)]
        features, place = np.unique(np.concatenate([part[0] for part in parts]), return_inverse=True)
        scores = np.zeros(len(features))
        np.maximum.at(scores, place, np.concatenate([np.abs(up - down) for _, up, down in parts]))
        return features, scores

    @property
    @reads
    def scores_(self) -> Matrix:
        """``|u - v|`` of every feature."""
        features, scores = self._features_and_scores()
        result = np.zeros(self.n_features_in_)
        result[features] = scores
        return result

    @reads
    def get_support(self, indices: bool = False) -> Matrix:
        """The features that are kept now: a mask over all features, or with ``indices`` their numbers."""
        features, scores = self._features_and_scores()
        kept: Matrix = features[_core.extremal_features(features, scores, self.k, self.top)].astype(np.intp)
        if indices:
            return kept
        mask = np.zeros(self.n_features_in_, dtype=bool)
        mask[kept] = True
        return mask

    def _get_support_mask(self) -> Matrix:
        return self.get_support()

    @reads
    def transform(self, X: Any) -> Any:
        """The columns of the features that are kept.

        Sparse matrices may be wider or narrower than those before: what they lack is 0.
        """
        kept = self.get_support(indices=True)
        if not sparse.issparse(X):
            return super().transform(X)
        rows = check_array(X, accept_sparse="csr", dtype=None)
        # scipy would take time and memory for every column there might be.
        column = np.searchsorted(kept, rows.indices)
        stays = np.append(kept, -1)[column] == rows.indices
        begins = np.append(0, np.cumsum(stays))[rows.indptr]
        shape = (rows.shape[0], len(kept))
        return type(rows)((rows.data[stays], column[stays], begins), shape=shape)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.input_tags.positive_only = True
        tags.target_tags.required = True
        return tags

    # -- copies ---------------------------------------------------------------------------------------------

    @reads
    def _to_state(self) -> tuple[dict[str, Any], dict[str, Matrix]]:
        self._features_and_scores()
        return self.learner_._to_state()

    def _from_state(self, description: dict[str, Any], arrays: dict[str, Matrix]) -> Self:
        self.learner_ = self._new_learner()._from_state(description, arrays)
        self._look_at_learner()
        features, _ = self._features_and_scores()
        if len(features) and features[-1] >= self.n_features_in_:
            raise ValueError("n_features_in_ is less than there are features")
        return self
