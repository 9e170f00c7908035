"""The support vector machine for classes in a taxonomy."""

from __future__ import annotations

from typing import Any, Literal

from sklearn.base import ClassifierMixin

from hedgerow.kernels.base import Matrix
from hedgerow.models.annotations import RandomState
from hedgerow.structured.svm import StructuredSVM
from hedgerow.structured.taxonomy import Taxonomy
from hedgerow.threads import resolve


class TaxonomySVC(ClassifierMixin, StructuredSVM):  # type: ignore[misc]
    """A classifier for classes that stand in a taxonomy.

    Every node of the taxonomy has a weight vector, and a class scores by the sum of those of itself and its ancestors,
    so that classes with few examples learn from their relatives; and a mistake costs the more the further apart the
    two classes are.

    Parameters
    ----------
    parents, node_weights, loss, kernel, classes : as in `Taxonomy`
    C, slack, rescaling, solver, tol, max_iter, optimization, averaging, random_state, n_jobs, verbose
        As in `StructuredSVM`, but for the default of ``solver``, which is "frank-wolfe": it is fast on many texts, and
        takes them in pieces by `partial_fit` too. Quadratic slacks need "n-slack".

    Attributes
    ----------
    classes_ : the classes, sorted
    problem_, coef_ and others : as in `StructuredSVM`

    Examples
    --------
    >>> from hedgerow.structured import TaxonomySVC
    >>> from sklearn.feature_extraction.text import TfidfVectorizer
    >>> from sklearn.pipeline import make_pipeline
    >>> parents = {"hockey": "sport", "tennis": "sport", "physics": "science", "sport": "all", "science": "all"}
    >>> texts = ["goal on ice", "a ball over the net", "atoms and waves"]
    >>> model = make_pipeline(TfidfVectorizer(), TaxonomySVC(parents, C=10))
    >>> model.fit(texts, ["hockey", "tennis", "physics"]).predict(["waves of light", "a long ball"])
    array(['physics', 'tennis'], dtype='<U7')
    """

    problem_class = Taxonomy

    def __init__(
        self,
        parents: Any,
        C: float = 1.0,
        *,
        node_weights: Any = None,
        loss: Any = "tree",
        kernel: Any = None,
        classes: Any = None,
        slack: Literal["linear", "quadratic"] | None = "linear",
        rescaling: Literal["margin", "slack"] | None = "margin",
        solver: Literal["one-slack", "n-slack", "frank-wolfe"] = "frank-wolfe",
        tol: float = 0.01,
        max_iter: int | None = None,
        optimization: Literal["full", "subspace"] = "full",
        averaging: Literal["average"] | None = "average",
        random_state: RandomState = None,
        n_jobs: int | None = None,
        verbose: bool = False,
    ) -> None:
        self.parents = parents
        self.C = C
        self.node_weights = node_weights
        self.loss = loss
        self.kernel = kernel
        self.classes = classes
        self.slack = slack
        self.rescaling = rescaling
        self.solver = solver
        self.tol = tol
        self.max_iter = max_iter
        self.optimization = optimization
        self.averaging = averaging
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose

    @property
    def classes_(self) -> Matrix:
        """The classes, sorted."""
        self._check_fitted()
        classes: Matrix = self.problem_.classes_
        return classes

    def decision_function(self, X: Any) -> Matrix:
        """F(x, y) of all classes: shape (n, classes)."""
        self._check_fitted()
        scores: Matrix = self.problem_._scores(X, self.coef_, resolve(self.n_jobs))
        return scores

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags
