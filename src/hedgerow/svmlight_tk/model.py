"""Models of SVM-light-TK: a sum over support vectors, or votes on many of them."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np

from hedgerow.io.examples import Examples, Vector
from hedgerow.svmlight_tk.parameters import SvmlightTkParameters

VERSION = "V5.01-TK-1.5"
Voting = Literal["averaged", "voted"]


@dataclass
class SvmlightTkModel:
    """A model as stored in its file.

    Attributes
    ----------
    parameters : SvmlightTkParameters
    supports : Forest, csr_matrix or Records
        As `read_svmlight_tk` gives examples.
    coefficients : array
        ``alpha * y`` of each support.
    threshold : float
        What the decision subtracts from the sum.
    votes : int64 array or None
        Of averaged and voted models: for each support, in the order in which learning added them, the number of
        examples, this one included, after which the predictor made by adding it was in use.
    voting : {"averaged", "voted"}
        What the votes are for.
    n_documents : int
        Number of examples that the model was trained on.
    highest_feature : int
        The highest feature index of all vectors.
    version : str
        What the first line says after "SVM-light Version".

    Examples
    --------
    >>> import numpy as np
    >>> from hedgerow import Forest
    >>> from hedgerow.svmlight_tk import SvmlightTkModel, SvmlightTkParameters
    >>> supports = Forest(["(NP (D a) (N dog))", "(NP (D a) (N cat))"])
    >>> model = SvmlightTkModel(SvmlightTkParameters(kernel_type=5), supports, np.array([1.0, -0.5]), threshold=0.25)
    >>> model.version
    'V5.01-TK-1.5'
    """

    parameters: SvmlightTkParameters
    supports: Examples
    coefficients: Vector
    threshold: float = 0.0
    votes: Vector | None = None
    voting: Voting = "averaged"
    n_documents: int = 0
    highest_feature: int = 0
    version: str = VERSION

    def __post_init__(self) -> None:
        n = self.supports.shape[0]
        self.coefficients = np.asarray(self.coefficients, dtype=np.float64)
        if self.votes is not None:
            self.votes = np.asarray(self.votes, dtype=np.int64)
        for name in ("coefficients", "votes"):
            values = getattr(self, name)
            if values is not None and values.shape != (n,):
                raise ValueError(
                    f"{name} must hold one number for each of the {n} supports, got {values.shape}"
                )
        if not np.isfinite(self.coefficients).all() or not math.isfinite(self.threshold):
            raise ValueError("coefficients and threshold must be finite")
        if self.votes is not None and (self.votes < 0).any():
            raise ValueError("votes must be at least 0")
        if self.voting not in ("averaged", "voted"):
            raise ValueError(f"voting must be 'averaged' or 'voted', got {self.voting!r}")

    def expansion_coefficients(self) -> Vector:
        """Coefficients of the one sum over supports that scores with this model.

        With votes c of an averaged model these are ``coefficient_i * (c_i + c_(i+1) + ...) / sum of c``. A voted
        model has no such sum, which is a ValueError.
        """
        if self.votes is None:
            return self.coefficients
        if self.voting == "voted":
            raise ValueError("a voted model counts the signs of many sums, so no single one scores like it")
        suffix_sums = np.cumsum(self.votes[::-1])[::-1]
        weighted: Vector = self.coefficients * suffix_sums / max(int(self.votes.sum()), 1)
        return weighted
