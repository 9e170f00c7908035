"""How many mistakes an online learner may make, relative to a predictor that is known only afterwards."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import sparse
from sklearn.base import clone

from hedgerow.kernels.base import Matrix
from hedgerow.models.labels import find_classes


@dataclass(frozen=True)
class MistakeBound:
    """The mistakes of one function in one pass, and what theory allows for.

    Attributes
    ----------
    label : the class that the function tells from the others
    mistakes : int
    bound : float
        No more mistakes are possible; infinite where theory promises nothing.
    loss, norm, radius : float
        Of the multiple of the reference that gives the smallest bound: its hinge losses (squared for PA and PA-II; for
        `RDA` of the mistakes only) and its norm. And the largest norm of an example.
    relative_strength : array of float or None
        Of `RDA`: how much larger the l1 norm of the reference is than the mean of those that the learner had, after
        each mistake. Below 0 there is less regularisation than the reference has, above 0 more.
    """

    label: Any
    mistakes: int
    bound: float
    loss: float
    norm: float
    radius: float
    relative_strength: Matrix | None = None

    def __str__(self) -> str:
        words = f"{self.label}: {self.mistakes} mistakes of at most {self.bound:.6g}"
        if self.relative_strength is not None and len(self.relative_strength):
            words += f", relative strength of regularisation {self.relative_strength[-1]:.4g}"
        return words


def mistake_bounds(learner: Any, X: Any, y: Any, reference: Any = None) -> list[MistakeBound]:
    """Compare the mistakes of one pass with their bounds, for every one-vs-rest function.

    With u a multiple of the reference, L its hinge losses, R the largest norm of an example: a perceptron makes at
    most L + R norm(u) sqrt(L) + R^2 norm(u)^2 mistakes; PA-I max(R^2, 1/C) (norm(u)^2 + 2 C L); PA-II
    (R^2 + 1/(2C)) times the same with squared losses, PA R^2 norm(u)^2 if u has no loss; voted `RDA` the number of
    theorem 1 of Xu and others, which depends on the relative strength of regularisation.

    Parameters
    ----------
    learner : Perceptron, PassiveAggressive, or RDA with ``update="mistakes"`` and the hinge loss
        Only its parameters count, not what it has learned: it is trained from scratch, one class at a time.
    X, y : examples in their order, and labels
    reference : fitted classifier without a bias, or None, default=None
        Of the same kernel, or with weights; by default the learner itself, averaged over the pass.

    Returns
    -------
    bounds : list of MistakeBound

    References
    ----------
    S. Shalev-Shwartz: Online learning and online convex optimization, 2012. K. Crammer and others: Online
    passive-aggressive algorithms, 2006. T. Xu, J. Gao, L. Xiao, A. Regan: Online classification using a voted RDA
    method, 2014.

    Examples
    --------
    >>> from hedgerow.datasets import make_two_gaussians
    >>> from hedgerow.inspection import mistake_bounds
    >>> from hedgerow.online import Perceptron
    >>> X, y = make_two_gaussians(300, random_state=0)
    >>> (bound,) = mistake_bounds(Perceptron(), X, y)
    >>> bound.mistakes <= bound.bound
    True
    """
    if getattr(learner, "_mistake_bound", lambda: None)() is None:
        raise ValueError(
            "there is a bound for Perceptron without a bias, PassiveAggressive that is not dynamic, and RDA with "
            f"update='mistakes', loss='hinge', l2=0 and no bias, got {learner!r}"
        )
    classes, labels = find_classes(y, len(y))
    numbers = [1] if len(classes) == 2 else range(len(classes))
    fresh = {
        "averaging": None,
        "counting": "examples",
        "half_life": None,
        "epochs": 1,
        "shuffle": False,
        "multiclass": "one-vs-rest",
    }
    bounds = []
    for number in numbers:
        is_positive = labels == number
        run = clone(learner).set_params(**fresh, trace_every=1).fit(X, is_positive)
        if reference is None:
            u = clone(learner).set_params(**{**fresh, "averaging": "average"}).fit(X, is_positive)
        else:
            u = reference
        function = 0 if len(np.ravel(u.intercept_)) == 1 else number
        bounds.append(_bound(run, u, function, X, np.where(is_positive, 1, -1), classes[number]))
    return bounds


def _bound(run: Any, u: Any, function: int, X: Any, signs: Matrix, label: Any) -> MistakeBound:
    if np.any(u.intercept_):
        raise ValueError("reference must not have a bias: bounds are relative to functions without one")
    scores = u.decision_function(X)
    margins = signs * (scores if scores.ndim == 1 else scores[:, function])
    norm, l1_norm = _norms(u, function)
    radius = float(np.sqrt(_squares(run, X).max()))
    wrong = np.flatnonzero(np.diff(run.trace_.mistakes, prepend=0))
    before = np.concatenate([[0.0], run.trace_.l1_norm])[wrong]  # of the predictors that made the mistakes
    means = np.cumsum(before) / np.arange(1, len(wrong) + 1)

    formula, best = run._mistake_bound(), None
    for scale in 2.0 ** np.arange(-12, 13):
        losses = np.maximum(0, 1 - scale * margins)
        strength = scale * l1_norm - (means[-1] if len(means) else 0.0)
        loss, bound = formula(losses, wrong, scale * norm, radius, strength)
        if best is None or bound < best[0]:
            best = float(bound), loss, float(scale * norm), float(scale)
    assert best is not None
    running = best[3] * l1_norm - means if hasattr(run, "l1") else None
    return MistakeBound(label, run.mistakes_, best[0], best[1], best[2], radius, running)


def _norms(u: Any, function: int) -> tuple[float, float]:
    """The norm of a function, and on weights its l1 norm."""
    if getattr(u, "kernel", None) is not None and hasattr(u, "support_items_"):
        beta = u.dual_coef_[function]
        return float(np.sqrt(max(0.0, beta @ u.kernel_(u.support_items_) @ beta))), 0.0
    rows = u.coef_.toarray() if sparse.issparse(u.coef_) else np.asarray(u.coef_)
    return float(np.linalg.norm(rows[function])), float(np.abs(rows[function]).sum())


def _squares(run: Any, X: Any) -> Matrix:
    squares: Matrix = run.kernel_.diag(X)
    return squares
