"""The Winnows: learners of positive weights that change by factors."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Annotated, Any, Literal

import numpy as np
from scipy import sparse

from hedgerow import _core
from hedgerow.checks import Bounds, Decay, NotNegative, Positive, Share
from hedgerow.kernels.base import Kernel, Matrix
from hedgerow.kernels.rows import fold_columns
from hedgerow.locks import reads
from hedgerow.models.functions import Functions, LinearFunctions, Name, Score
from hedgerow.online.linear_learner import LinearClassifier
from hedgerow.parameters import check_unused

RANGE = Bounds(at_least=1e-100, at_most=1e100)  # that the native learner keeps weights in


@dataclass(frozen=True, eq=False)
class _WinnowFunctions(LinearFunctions):
    """Inputs get one more feature that is 1, and are scaled to sum 1: so the threshold is part of every weight."""

    learner: Any = None

    def score(self, f: int, features: Matrix, values: Matrix, name: Name) -> Score:
        if self.learner._decoding == "codes":
            raise TypeError("the scores of a Winnow with multiclass='codes' are not a sum over features")
        kept = np.isin(features, self.learner.features_[f])
        plain = super().score(f, features[kept], values[kept], name)
        mass, threshold = 1.0 + float(plain.values.sum()), self.learner.threshold
        return replace(
            plain,
            weights=plain.weights - threshold,
            values=plain.values / mass,
            bias=(plain.bias - threshold) / mass,
        )


class _AnyWinnow(LinearClassifier):
    """What the Winnows share: features that are at least 0, and weights of those in the model."""

    threshold: float

    def _prepare(self, kernel: Kernel, X: Any) -> Any:
        rows = _at_least_zero(kernel._prepare(self._vectors(X)), type(self).__name__)
        return rows if self.n_features is None else fold_columns(rows, self.n_features)

    @property
    def features_(self) -> list[Matrix]:
        """Of each function, the features in its model: those that predictions look at."""
        return [self._weights_in_model(j)[0] for j in range(self._n_functions)]

    def _weights_in_model(self, function: int) -> tuple[Matrix, Matrix, Matrix]:
        """Features in the model of a function, and both weights of each (for one weight, the second is 0)."""
        features, up, down = _core.winnow_weights(self._linear(), function)
        return features, up, down

    @reads
    def functions(self) -> Functions:
        return _WinnowFunctions(**vars(super().functions()), learner=self)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.positive_only = True
        tags.classifier_tags.poor_score = True  # of blobs in a plane; Winnows are for many features
        return tags


@dataclass(eq=False, repr=False)
class _Winnow(_AnyWinnow):
    """A Winnow that multiplies by given factors."""

    promotion: Annotated[float, Bounds(above=1)] = 1.5
    demotion: Decay = 0.5
    threshold: Positive = 1.0


@dataclass(eq=False, repr=False)
class PositiveWinnow(_Winnow):
    """Winnow: on a mistake, the weights of the example's features are multiplied by a factor.

    Examples are non-negative. Each gets one more feature, which is always on, and is scaled to sum 1. The score is
    ``w.x - threshold``; after a mistake all weights of features of x are multiplied by ``promotion`` if the example is
    positive, and by ``demotion`` if it is negative. Where few features matter, the number of mistakes grows with the
    logarithm of the number of all features. Other parameters and attributes are those of
    `RDA`.

    Parameters
    ----------
    promotion : float, default=1.5
        The factor that raises weights, above 1.
    demotion : float, default=0.5
        The factor that lowers weights, above 0 and at most 1.
    threshold : float, default=1.0
        Scores beyond it are positive; above 0.
    initial_weight : float, default=1.0
        The weight of a feature that has not been seen yet.

    Attributes
    ----------
    features_ : of each function, the features in its model
    coef_, intercept_ : the weights of these features (0 for others), and of the feature that is always on

    Notes
    -----
    The model holds the features of all training examples, whether or not an example was a mistake. While
    learning, a feature that comes for the first time has the initial weight. In predictions, features that are not in
    the model are left out before x is scaled, so with the sum over features in the model

    ``decision_function(x) = (coef_.x + intercept_) / (1 + sum_j x_j) - threshold``.

    An example of weight c multiplies by the factors to the power of c. Weights stay between 1e-100 and 1e100. For
    texts, `TextHasher` must be told ``alternate_sign=False``, or it makes negative features; with ``norm="none"`` it
    gives the counts that the references scale.

    References
    ----------
    N. Littlestone: Learning quickly when irrelevant attributes abound, Machine Learning 2, 1988. V. R. Carvalho,
    W. W. Cohen: Notes on single-pass online learning algorithms, CMU-LTI-06-002, 2006.

    Examples
    --------
    >>> from hedgerow.online import PositiveWinnow
    >>> model = PositiveWinnow().fit([[1, 1, 0], [0, 1, 1], [1, 0, 1]], ["yes", "no", "yes"])
    >>> model.coef_, model.intercept_
    (array([[2.25, 0.75, 0.75]]), array([1.125]))
    >>> model.predict([[1, 0, 0], [0, 0, 1]])
    array(['yes', 'no'], dtype='<U3')
    """

    _rule_name = "positive-winnow"

    initial_weight: Annotated[float, RANGE] = 1.0


@dataclass(eq=False, repr=False)
class RegretWinnow(_AnyWinnow):
    """Winnow by external regret: features lose weight as far as they would have lost more than the learner.

    Scores are those of `PositiveWinnow`. Every feature is an expert that awakes in the examples which have it, and
    calls them positive. With its loss l_j, 1 for a negative example, and the loss l of the learner, 1 for a mistake,
    its weight is multiplied by ``decay ** (l_j - decay * l)``. So the weight is ``decay ** -r``, r being the learner's
    regret for not having followed the feature.

    Other parameters and attributes are those of `PositiveWinnow`, whose notes hold here too.

    Parameters
    ----------
    decay : float, default=0.5
        The factor of a loss, above 0 and at most 0.99.
    update : {"mistakes", "all"}, default="mistakes"
        Whether weights change after mistakes only, as those of other Winnows, by ``decay ** -decay`` and
        ``decay ** (1 - decay)``; or after all negative examples, as the theory of experts has it.

    Notes
    -----
    Carvalho and Cohen (section 7) say of this scheme only that they tried it with Positive Winnow, and that results
    were neither better nor worse on the whole; the details here are Blum and Mansour's.

    References
    ----------
    A. Blum, Y. Mansour: From external to internal regret, Journal of Machine Learning Research 8, 2007. V. R. Carvalho,
    W. W. Cohen: Notes on single-pass online learning algorithms, CMU-LTI-06-002, 2006.

    Examples
    --------
    >>> from hedgerow.online import RegretWinnow
    >>> model = RegretWinnow(decay=0.25).fit([[1, 1, 0], [0, 1, 1], [1, 0, 1]], ["yes", "no", "yes"])
    >>> model.coef_.round(3), model.intercept_.round(3)
    (array([[2. , 0.5, 0.5]]), array([0.707]))
    >>> model.predict([[1, 0, 0], [0, 0, 1]])
    array(['yes', 'no'], dtype='<U3')
    """

    _rule_name = "regret-winnow"

    decay: Annotated[float, Bounds(above=0, at_most=0.99)] = 0.5
    threshold: Positive = 1.0
    initial_weight: Annotated[float, RANGE] = 1.0
    update: Literal["mistakes", "all"] = "mistakes"

    @property
    def _leaves_correct(self) -> bool:
        return self.update == "mistakes"


class _BalancedWinnow(_Winnow):
    """A Winnow with two weights for each feature."""

    initial_weights: Any

    def _check_params(self) -> None:
        super()._check_params()
        if not isinstance(self.initial_weights, tuple | list) or len(self.initial_weights) != 2:
            raise ValueError(
                f"initial_weights must be two numbers, of the positive and of the negative weights, got "
                f"{self.initial_weights!r}"
            )
        for weight in self.initial_weights:
            RANGE.check("each of initial_weights", weight, whole=False)

    def _own_values(self) -> dict[str, Any]:
        values = super()._own_values()
        values["initial_up"], values["initial_down"] = values.pop("initial_weights")
        return values


@dataclass(eq=False, repr=False)
class BalancedWinnow(_BalancedWinnow):
    """Balanced Winnow: every feature has a positive weight u and a negative weight v.

    Examples are scaled as for `PositiveWinnow`. The score is ``u.x - v.x - threshold``; after a mistake on a positive
    example the weights u of its features are multiplied by ``promotion`` and their weights v by ``demotion``, after one
    on a negative example the other way round.

    Other parameters and attributes are those of `PositiveWinnow`, whose notes hold here too.

    Parameters
    ----------
    initial_weights : two floats, default=(2.0, 1.0)
        u and v of a feature that has not been seen yet.

    Attributes
    ----------
    coef_, intercept_ : u - v of the features in the model, and of the feature that is always on

    References
    ----------
    I. Dagan, Y. Karov, D. Roth: Mistake-driven learning in text categorization, EMNLP 1997. V. R. Carvalho,
    W. W. Cohen: Notes on single-pass online learning algorithms, CMU-LTI-06-002, 2006.

    Examples
    --------
    >>> from hedgerow.online import BalancedWinnow
    >>> model = BalancedWinnow().fit([[1, 1, 0], [0, 1, 1], [1, 0, 1]], ["yes", "no", "yes"])
    >>> model.coef_, model.intercept_
    (array([[4.25, 0.75, 0.75]]), array([1.875]))
    >>> model.decision_function([[1, 0, 0], [0, 0, 1]])
    array([2.0625, 0.3125])
    """

    _rule_name = "balanced-winnow"

    initial_weights: tuple[float, float] = (2.0, 1.0)


@dataclass(eq=False, repr=False)
class ModifiedBalancedWinnow(_BalancedWinnow):
    """Modified Balanced Winnow (MBW): balanced Winnow with a margin, and factors that depend on the features.

    Scores are those of `BalancedWinnow`. It also learns from examples that are predicted correctly, but whose score is
    within the margin: on a positive example u of feature j is multiplied by ``promotion * (1 + x_j)`` and v by
    ``demotion * (1 - x_j)``, on a negative one the other way round.

    Other parameters and attributes are those of `BalancedWinnow`, whose notes hold here too.

    Parameters
    ----------
    margin : float, default=1.0
        An example counts as a mistake unless it is on the right side with a score beyond the margin.
    max_features : int or None, default=None
        How many features predictions of each function look at, as Extremal Feature Selection chooses them on the fly
        by their weights; memory is bounded too, see the notes. Not for votes.
    top_share : float between 0 and 1, default=0.9
        The share of features with the largest scores among those that stay; the rest are those with the smallest. See
        ``top`` of `ExtremalFeatureSelection`.

    Notes
    -----
    With ``max_features`` k, up to 16 k features are candidates that learn, so that memory does not grow with the number
    of features. What a feature is worth shows after it has come several times: with fewer candidates, rare ones would
    be forgotten before. When there are more, half of them stay, chosen in the same way, but of the largest weights by
    the weight times the number of examples that had the feature, of the smallest by the weight over that number; the
    others start from zero if they come again. Saved models have all candidates, for learning to go on; `prune` leaves
    those that predict.

    An example without features has the always-on feature alone, with x = 1: one of its weights is then multiplied by
    ``demotion * (1 - 1)``, and falls to the smallest weight there is.

    References
    ----------
    V. R. Carvalho, W. W. Cohen: Notes on single-pass online learning algorithms, CMU-LTI-06-002, 2006, table 2 and
    section 5.2; also Single-pass online learning: performance, voting schemes and online feature selection, KDD 2006.

    Examples
    --------
    >>> from hedgerow.online import ModifiedBalancedWinnow
    >>> model = ModifiedBalancedWinnow().fit([[1, 1, 0], [0, 1, 1], [1, 0, 1]], ["yes", "no", "yes"])
    >>> model.coef_.round(2), model.intercept_.round(2)
    (array([[7.89, 0.67, 0.67]]), array([2.44]))
    >>> model.decision_function([[1, 0, 0], [0, 0, 1]]).round(2)
    array([4.17, 0.56])
    """

    _rule_name = "modified-winnow"

    margin: NotNegative = 1.0
    initial_weights: tuple[float, float] = (2.0, 1.0)
    max_features: Annotated[int, Bounds(at_least=1, at_most=2**30)] | None = None
    top_share: Share = 0.9

    def _check_params(self) -> None:
        super()._check_params()
        if self.max_features is None:
            check_unused(self, "without max_features", "top_share")
        elif self.averaging == "vote":
            raise ValueError(
                "max_features must be None when averaging is 'vote': votes need all weights that ever were"
            )


def _at_least_zero(rows: Any, learner: str) -> Any:
    """The rows, of which no entry may be negative, without entries that are stored though they are 0."""
    values = rows.data if sparse.issparse(rows) else rows
    smallest = values.min(initial=1.0)
    if smallest < 0:
        row, column = (int(axis[0]) for axis in (rows < 0).nonzero())
        raise ValueError(
            f"Negative values in data passed to {learner}: {rows[row, column]} in row {row}, column {column}; "
            "its features must be at least 0"
        )
    if smallest == 0 and sparse.issparse(rows):
        rows = rows.copy()
        rows.eliminate_zeros()
    return rows
