"""The support vector machine for classes in a taxonomy."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from sklearn.base import ClassifierMixin

from hedgerow.checks import Positive
from hedgerow.kernels.base import Matrix
from hedgerow.structured.svm import Solver, StructuredMachine
from hedgerow.structured.taxonomy import Taxonomy, TaxonomyParameters
from hedgerow.threads import resolve


@dataclass(eq=False, repr=False, kw_only=True)
class TaxonomySVC(TaxonomyParameters, ClassifierMixin, StructuredMachine):  # type: ignore[misc]
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

    C: Positive = field(default=1.0, kw_only=False)
    solver: Solver = "frank-wolfe"

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
