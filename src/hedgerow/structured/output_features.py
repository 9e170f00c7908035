"""Multiclass classification with features of classes."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np
from scipy import sparse
from sklearn.feature_extraction.text import TfidfVectorizer

from hedgerow.checks import as_matrix
from hedgerow.feature_extraction import TextHasher
from hedgerow.kernels.base import Kernel, Matrix
from hedgerow.kernels.rows import as_rows
from hedgerow.structured.classes import ClassProblem, checked_classes
from hedgerow.structured.kernel_items import Factor
from hedgerow.structured.losses import LossFunction, LossTable


@dataclass(eq=False, repr=False, kw_only=True)
class OutputFeaturesParameters:
    """See `OutputFeatures`."""

    features: Any = field(default=None, kw_only=False)
    similarity: Any = None
    identity: bool | None = None
    loss: Literal["zero-one"] | LossTable | LossFunction = "zero-one"
    kernel: Kernel | None = None
    classes: Any = None
    vectorizer: TextHasher | None = None


class OutputFeatures(OutputFeaturesParameters, ClassProblem):
    """Classes that are described by features, so that what is learned about one class carries over to others.

    Psi(x, y) = Phi(x) (x) Lambda(y): every feature of classes has a weight vector, and a class scores by the sum of
    those of its features. Lambda is given by features, by texts, or by how similar classes are.

    Parameters
    ----------
    features : matrix, or dict from classes to vectors or texts, optional
        What describes the classes, Lambda(y). A matrix has a row for each class, in the order of ``classes``, or of the
        sorted labels. Texts become tf-idf weights of their words. With a kernel as ``similarity``, a dict from classes
        to whatever that takes.
    similarity : matrix or Kernel, optional
        L(y, y') = Lambda(y) . Lambda(y'), positive semi-definite: a matrix in the order of classes, or a kernel on the
        descriptions in ``features``.
    identity : bool, optional
        Whether each class also has a feature of its own, by default for texts only. Without it, classes with equal
        features cannot be told apart.
    loss, kernel, vectorizer : as in `Multiclass`
    classes : list of labels, optional
        All classes. By default those that are described, when features is a dict, else the labels of the (first)
        training examples.

    Attributes
    ----------
    classes_ : the labels, sorted
    output_features_ : Lambda, classes by output features

    Examples
    --------
    A class without examples, but with a description, can be found:

    >>> from hedgerow.structured import OutputFeatures, StructuredSVM
    >>> texts = {"hockey": "team ice", "skating": "solo ice", "football": "team grass", "running": "solo grass"}
    >>> X = [[1.0, 0.0, 1.0, 0.0], [1.0, 0.0, 0.0, 1.0], [0.0, 1.0, 0.0, 1.0]]  # talk of ice, grass, teams, one person
    >>> problem = OutputFeatures(texts, identity=False)
    >>> model = StructuredSVM(problem, C=10).fit(X, ["hockey", "skating", "running"])
    >>> model.predict([[0.0, 1.0, 1.0, 0.0]])
    array(['football'], dtype='<U8')
    """

    def _check_params(self) -> None:
        super()._check_params()
        by_kernel = isinstance(self.similarity, Kernel)
        if by_kernel:
            self.similarity._check_params()
            if not isinstance(self.features, dict):
                raise TypeError(
                    "features must be a dict from classes to their descriptions when similarity is a kernel, got a "
                    f"{type(self.features).__name__}"
                )
        elif (self.features is None) == (self.similarity is None):
            raise ValueError("either features or similarity must be given, or a kernel on features")

    def _find_classes(self, y: Any, n: int | None) -> Matrix:
        if isinstance(self.features, dict) and self.classes is None:
            return checked_classes(self.features)
        return super()._find_classes(y, n)

    def _make_output_features(self) -> Any:
        described = self._described()
        identity = self.identity
        if isinstance(self.similarity, Kernel):
            matrix: Any = Factor(self.similarity(described), "similarity").features
        elif self.similarity is not None:
            gram = self._in_order("similarity", self.similarity, square=True)
            matrix = Factor(gram, "similarity").features
        elif described is None:
            matrix = self._in_order("features", self.features)
        elif all(isinstance(text, str) for text in described):
            matrix = TfidfVectorizer(token_pattern=r"(?u)\b\w+\b").fit_transform(described)
            identity = True if identity is None else identity
        else:
            matrix = as_rows(np.array([np.ravel(vector) for vector in described]), "OutputFeatures")
        if matrix.shape[1] == 0:
            raise ValueError("features must have at least one column")
        return sparse.hstack([matrix, sparse.eye_array(len(self.classes_))]) if identity else matrix

    def _described(self) -> list[Any] | None:
        """The descriptions of the classes, if there is a dict of them."""
        if not isinstance(self.features, dict):
            return None
        missing = [label for label in self.classes_.tolist() if label not in self.features]
        if missing:
            raise ValueError(f"features must describe all classes, but {missing[0]!r} is missing")
        return [self.features[label] for label in self.classes_.tolist()]

    def _in_order(self, name: str, matrix: Any, square: bool = False) -> Any:
        """The matrix with its rows (and columns) in the order of ``classes_``."""
        if not sparse.issparse(matrix):
            accepted = "a matrix with a row for each class, or a dict"
            given, matrix = matrix, as_matrix(name, matrix, accepted)
            if matrix.ndim != 2:
                raise ValueError(f"{name} must be {accepted}, got {given!r}")
        rows = as_rows(matrix, "OutputFeatures")
        n = len(self.classes_)
        if rows.shape[0] != n or (square and rows.shape[1] != n):
            shape = f"{n} rows and columns" if square else f"{n} rows"
            raise ValueError(f"{name} must have {shape}, one for each class, got shape {rows.shape}")
        if self.classes is None:
            return rows
        order = np.argsort(np.asarray(list(self.classes)), kind="stable")  # classes_ are sorted
        return rows[order][:, order] if square else rows[order]
