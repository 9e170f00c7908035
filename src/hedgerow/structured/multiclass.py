"""Multiclass classification."""

from __future__ import annotations

from typing import Any, Literal

from hedgerow.structured.classes import ClassProblem
from hedgerow.structured.losses import LossFunction, LossTable


class Multiclass(ClassProblem):
    """Classes without structure, each with weights of its own: the machine of Crammer and Singer.

    Psi(x, y) has the features of x in the part that belongs to class y, so the class with the highest
    ``w_y . x`` is predicted.

    Parameters
    ----------
    kernel : Kernel or "precomputed", optional
        Inputs are then anything that the kernel takes: vectors, trees, strings; or the kernel values between all
        examples in training, between inputs (rows) and examples (columns) in prediction. Without one inputs are dense
        or sparse rows, and learners keep a weight for each feature and class.
    loss : "zero-one", matrix, dict or callable, default="zero-one"
        What a wrong class costs. A matrix has a row for each true and a column for each predicted class, in sorted
        order; a dict has pairs of these, and 1 for pairs that it leaves out; a callable
        takes a true and a predicted class.
    classes : list of labels, optional
        All classes, for learning in pieces when the first piece lacks some.

    Attributes
    ----------
    classes_ : the labels, sorted

    Notes
    -----
    All formulations of the SVM are supported, by looking at every class. Weights are stored feature by feature:
    ``coef_.reshape(-1, n_classes)[j, k]`` is that of feature j for class k. With sparse inputs, later pieces of a
    stream may have more features than the first.

    References
    ----------
    K. Crammer, Y. Singer: On the algorithmic implementation of multiclass kernel-based vector machines, JMLR 2, 2001.

    Examples
    --------
    >>> from hedgerow.structured import Multiclass, StructuredSVM
    >>> X = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]
    >>> model = StructuredSVM(Multiclass(), C=10).fit(X, ["red", "green", "blue"])
    >>> model.predict([[0.0, 2.0, 0.1]])
    array(['green'], dtype='<U5')
    """

    def __init__(
        self,
        kernel: Any = None,
        *,
        loss: Literal["zero-one"] | LossTable | LossFunction = "zero-one",
        classes: Any = None,
    ) -> None:
        self.kernel = kernel
        self.loss = loss
        self.classes = classes
