"""Models of SVM-light-TK as functions that score."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from scipy import sparse

from hedgerow.data import Forest, Records
from hedgerow.data.records import kind_of_column
from hedgerow.io.schema import Schema
from hedgerow.kernels.base import Matrix
from hedgerow.models.expansion import Expansion
from hedgerow.models.functions import VOTES, KernelFunctions
from hedgerow.models.labels import winners
from hedgerow.svmlight_tk.kernel import kernel_for
from hedgerow.svmlight_tk.model import SvmlightTkModel


class SvmlightTkScorer:
    """Scores examples with an SVM-light-TK model file.

    Parameters
    ----------
    model : SvmlightTkModel
        As `read_svmlight_tk_model` reads it.

    Attributes
    ----------
    kernel_ : Kernel
    schema : Schema
        Names and kinds of the columns that examples have, and the widths of those of vectors.
    classes_ : array
        -1 and 1.

    Examples
    --------
    >>> import numpy as np
    >>> from hedgerow import Forest
    >>> from hedgerow.svmlight_tk import SvmlightTkModel, SvmlightTkParameters, SvmlightTkScorer
    >>> parameters = SvmlightTkParameters(kernel_type=5)
    >>> trees = Forest(["(NP (D a) (N dog))", "(NP (D a) (N cat))"])
    >>> scorer = SvmlightTkScorer(SvmlightTkModel(parameters, trees, np.array([1.0, -0.5]), threshold=0.25))
    >>> scorer.decision_function(["(NP (D a) (N dog))"]).round(3)
    array([0.447])
    """

    def __init__(self, model: SvmlightTkModel) -> None:
        self.model = model
        self.classes_ = np.array([-1, 1])
        if not len(model.coefficients):
            raise ValueError("the model has no support vectors")
        parts = _parts(model.supports)
        kinds = {name: kind_of_column(part) for name, part in parts.items()}
        widths = {name: max(part.shape[1], 1) for name, part in parts.items() if sparse.issparse(part)}
        self.schema = Schema(columns=kinds, n_features=widths, labels="int")
        self.kernel_ = kernel_for(model.parameters, list(kinds))
        self._expansion: Expansion | None = None
        if model.votes is None or model.voting == "averaged":
            self._expansion = Expansion(self.kernel_)
            self._expansion.add(model.supports, model.expansion_coefficients())

    def decision_function(self, X: Any) -> Matrix:
        """``sum_i coefficient_i K(support_i, x) - threshold``; votes weight or count the sums."""
        if self._expansion is not None:
            values: Matrix = self._expansion.decision_function(X)[:, 0] - self.model.threshold
            return values
        # Row by row all predictors that there ever were: running sums over the supports.
        predictors = np.cumsum(self.kernel_(X, self.model.supports) * self.model.coefficients, axis=1)
        votes: Matrix = np.sign(predictors - self.model.threshold) @ self.model.votes
        total = 0 if self.model.votes is None else int(self.model.votes.sum())
        return votes / max(total, 1)

    def predict(self, X: Any) -> Matrix:
        """-1 or 1."""
        chosen: Matrix = self.classes_[winners(self.decision_function(X))]
        return chosen

    def functions(self) -> KernelFunctions:
        """What the values are made of, for `hedgerow.inspection`."""
        if self._expansion is None:
            raise ValueError(VOTES)
        found = self._expansion.functions()
        biases = found.biases - self.model.threshold
        return replace(found, biases=biases, labels=[1], version=(self.model,), decide=self._decide)

    def _decide(self, X: Any) -> tuple[list[Any], Matrix]:
        scores = self.decision_function(X)
        return self.classes_[winners(scores)].tolist(), scores[:, None]


def _parts(supports: Any) -> dict[str, Any]:
    if isinstance(supports, Records):
        return {name: supports[name] for name in supports.columns}
    return {"tree" if isinstance(supports, Forest) else "vector": supports}
