"""Classification as a structured problem: what multiclass, output features and taxonomies share."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np
from scipy import sparse

from hedgerow import _core
from hedgerow.checks import as_list
from hedgerow.feature_extraction import TextHasher
from hedgerow.feature_extraction.text_hasher import TF_IDF
from hedgerow.feature_extraction.vectorizers import as_vectors, check_vectorizer, learned_with
from hedgerow.kernels.base import Matrix
from hedgerow.kernels.precomputed import check_kernel
from hedgerow.kernels.rows import as_rows, sparse_to_items
from hedgerow.models.functions import Functions, KernelFunctions, LinearFunctions
from hedgerow.models.labels import check_labels, classes_from_json, classes_to_json, encode, find_classes
from hedgerow.models.native_estimator import above, below
from hedgerow.models.stored import stored, stored_whole
from hedgerow.models.tallies import ClassTally
from hedgerow.structured.class_run import ClassBinding
from hedgerow.structured.kernel_items import KernelItems
from hedgerow.structured.losses import LossFunction, LossTable, loss_matrix
from hedgerow.structured.problem import Binding, Problem, ranked
from hedgerow.threads import resolve


class ClassProblem(Problem):
    """Psi(x, y) = Phi(x) (x) Lambda(y), with classes y that can be listed.

    A subclass has the parameters ``kernel``, ``loss``, ``classes`` and ``vectorizer``, and says by
    `_make_output_features` and `_named_losses` what Lambda and the losses are. The weight of input feature j and output
    feature r is at ``j * p + r``, where p is the number of output features.

    Attributes
    ----------
    classes_ : the classes, in the order of rows of ``output_features_`` and ``losses_``
    output_features_ : Lambda, a CSR matrix of classes by output features; None when each class has one of its own
    losses_ : losses by true and other class; None for 0-1 loss
    n_features_in_ : the number of features of inputs; without a kernel
    items_ : the training inputs; with a kernel
    """

    kernel: Any
    loss: Any
    classes: Any
    vectorizer: Any
    rivals: Any = "worst"
    _quickest = "frank-wolfe"
    classes_: Matrix
    _classifies = True

    # -- what a subclass defines ----------------------------------------------------------------------------

    def _check_params(self) -> None:
        super()._check_params()
        check_kernel(self.kernel)
        check_vectorizer(self.vectorizer)
        if self.vectorizer is None:
            return
        if self.kernel is not None:
            raise ValueError("vectorizer is for learners on weights; with a kernel it must be None")
        if self.vectorizer.counts == TF_IDF:
            raise ValueError(
                "the vectorizer's counts must not be 'tf-idf' here: a problem keeps no counts of texts; fit a "
                "TextHasher of your own and give its vectors"
            )

    def _find_classes(self, y: Any, n: int | None) -> Matrix:
        """The classes, from the first labels or from the parameters; without n, labels come once each."""
        if self.classes is None:
            return find_classes(y, n)[0]
        return checked_classes(self.classes)

    def _make_output_features(self) -> Any:
        """Lambda as a matrix, or None; ``classes_`` are known."""
        return None

    def _named_losses(self) -> dict[str, Any]:
        """Losses that have a name, beside "zero-one"."""
        return {}

    # -- for users ------------------------------------------------------------------------------------------

    def joint_features(self, x: Any, y: Any) -> Any:
        """Psi(x, y), a sparse row; without a kernel only."""
        if self.kernel is not None:
            raise TypeError("with a kernel there are no explicit joint features")
        given = [x] if isinstance(x, str) else x if sparse.issparse(x) else np.atleast_2d(x)
        row = sparse.csr_array(self._as_rows(given))
        of_classes = self.output_features_
        if of_classes is None:
            of_classes = sparse.eye_array(len(self.classes_), format="csr")
        return sparse.csr_array(sparse.kron(row, of_classes[[self._number(y)]], format="csr"))

    def candidates(self, x: Any) -> Any:
        """The classes."""
        return self.classes_

    def compute_loss(self, y_true: Any, y: Any) -> float:
        i, j = self._number(y_true), self._number(y)
        return float(i != j) if self.losses_ is None else float(self.losses_[i, j])

    def accuracy(self, y_true: Any, y_pred: Any) -> float:
        """The share of labels that are right."""
        y_true, y_pred = np.asarray(y_true), np.asarray(y_pred)
        if y_true.shape != y_pred.shape:
            raise ValueError(f"there are {len(y_true)} true labels, but {len(y_pred)} others")
        return float(np.mean(y_true == y_pred))

    def compute_losses(self, y_true: Any, y_pred: Any) -> Matrix:
        y_true, y_pred = np.asarray(y_true), np.asarray(y_pred)
        i, j = encode(y_true, self.classes_, len(y_true)), encode(y_pred, self.classes_, len(y_true))
        matrix = self._loss_matrix()
        losses: Matrix = (i != j).astype(np.float64) if matrix is None else matrix[i, j]
        return losses

    def _loss_matrix(self) -> Any:
        """Losses by true and other class, as a subclass may define them; None for 0-1 loss."""
        if type(self).compute_loss is ClassProblem.compute_loss:
            return self.losses_
        return loss_matrix(self.compute_loss, self.classes_.tolist(), {})

    def scores(self, X: Any, weights: Matrix, n_jobs: int | None = None) -> Matrix:
        """F(x, y) of all classes: a row for each input."""
        coefficients = np.reshape(weights, (-1, self._n_output_features()))
        if self.kernel is not None:
            values = self.items_.functions(X, coefficients, resolve(n_jobs))
        else:
            rows = self._rows(X)
            # Features unseen in training have no weights.
            known = min(rows.shape[1], len(coefficients))
            values = np.asarray(rows[:, :known] @ coefficients[:known])
        return values if self.output_features_ is None else values @ self.output_features_.T

    def tally(self) -> ClassTally:
        return ClassTally(self.classes_.tolist())

    # -- for learners ---------------------------------------------------------------------------------------

    def _supports(self, search: str, root: bool) -> bool:
        if self.rivals == "all" and search != "best":
            return search == "margin" and not root  # others are not sums over wrong classes
        return super()._supports(search, root)

    def survey(self, X: Any, y: Any) -> tuple[Matrix, int, bool]:
        """The labels, and how wide rows are: exactly, or at least."""
        self._check_params()
        rows = self._as_rows(X)
        return np.unique(check_labels(y, rows.shape[0])), rows.shape[1], not sparse.issparse(rows)

    def settle(self, surveys: Sequence[tuple[Matrix, int, bool]]) -> None:
        """Know the classes and features of all shards."""
        self._check_params()
        labels, widths, _ = zip(*surveys, strict=True)
        self.n_features_in_ = max(widths)
        exact = {width for _, width, exactly in surveys if exactly}
        if exact - {self.n_features_in_}:
            raise ValueError(f"X has {min(exact)} features in one shard and {self.n_features_in_} in another")
        self._settle_classes(np.unique(np.concatenate(labels)), None)

    def _functions(self, learner: Any) -> Functions:
        table = np.reshape(learner.coef_, (-1, self._n_output_features()))
        if self.output_features_ is not None:
            table = table @ self.output_features_.T
        labels, biases = self.classes_.tolist(), np.zeros(table.shape[1])
        if self.kernel is None:
            texts = None if self.vectorizer is None else learned_with(self.vectorizer)(self.vectorizer)
            weights = sparse.csr_array(table.T)
            return LinearFunctions(labels, weights, biases, learner.predict, self._rows, texts=texts)
        used = np.flatnonzero(table.any(axis=1))
        return KernelFunctions(
            self.items_.kernel,
            self.items_.items.select(used),
            np.ascontiguousarray(table[used].T),
            biases,
            labels,
            (self, learner.coef_.tobytes()),
            lambda X: (learner.predict(X).tolist(), self.scores(X, learner.coef_)),
        )

    def _settle_classes(self, y: Any, n: int | None) -> None:
        self.classes_ = self._find_classes(y, n)
        features = self._make_output_features()
        self.output_features_ = None if features is None else canonical(features)
        self.losses_ = loss_matrix(self.loss, self.classes_.tolist(), self._named_losses())

    def _bind(self, X: Any, y: Any, first: bool) -> Binding:
        if first:
            self._check_params()
        inputs = self._first_inputs(X) if first else self._more_inputs(X)
        n = len(inputs)
        if n == 0:
            raise ValueError("there are no examples to learn from")
        if first:
            self._settle_classes(y, n)
        losses = self._loss_matrix()
        n_classes, truths = len(self.classes_), encode(y, self.classes_, n)
        losses = None if losses is None else losses.ravel()
        features = None if self.output_features_ is None else sparse_to_items(self.output_features_)
        oracle = _core.class_oracle(inputs, features, n_classes, truths, losses, self.rivals == "all")
        if self.kernel is None:
            space, nbytes = _core.Space.plain(), 12 * len(inputs.data)
            if features is None and self.rivals == "worst":
                return ClassBinding(oracle, space, nbytes, inputs, truths, losses, n_classes)
            return Binding(oracle, space, nbytes)
        return Binding(oracle, _core.Space.kernel(self.items_.products(), 0, self._n_output_features()))

    def _decode(self, X: Any, weights: Matrix, threads: int) -> Any:
        return self.classes_[self.scores(X, weights, threads).argmax(axis=1)]

    def _decode_k(self, X: Any, weights: Matrix, k: int, threads: int) -> list[list[tuple[Any, float]]]:
        labels = self.classes_.tolist()
        return [ranked(labels, row, k) for row in self.scores(X, weights, threads)]

    def _n_output_features(self) -> int:
        if self.output_features_ is None:
            return len(self.classes_)
        return int(self.output_features_.shape[1])

    def _first_inputs(self, X: Any) -> Any:
        if self.kernel is not None:
            self.items_ = KernelItems(self.kernel, X)
            return self.items_.one_hot()
        rows = self._as_rows(X)
        if rows.shape[1] == 0:
            raise ValueError(
                f"Found array with 0 feature(s) (shape={rows.shape}) while a minimum of 1 is required."
            )
        self.n_features_in_ = rows.shape[1]
        return sparse_to_items(canonical(rows))

    def _more_inputs(self, X: Any) -> Any:
        if self.kernel is not None:
            raise ValueError("a problem with a kernel cannot continue with other examples; use fit")
        rows = self._rows(X)
        # Sparse inputs may bring new features, whose weights come last; those that are missing are 0.
        self.n_features_in_ = max(self.n_features_in_, rows.shape[1])
        return sparse_to_items(canonical(rows), self.n_features_in_)

    def _as_rows(self, X: Any) -> Any:
        return as_rows(as_vectors(self.vectorizer, X), type(self).__name__)

    def _rows(self, X: Any) -> Any:
        rows = self._as_rows(X)
        if not sparse.issparse(rows) and rows.shape[1] != self.n_features_in_:
            raise ValueError(
                f"X has {rows.shape[1]} features, but {type(self).__name__} is expecting {self.n_features_in_} "
                "features as input"
            )
        return rows

    def _number(self, y: Any) -> int:
        return int(encode([y], self.classes_, 1)[0])

    # -- copies ---------------------------------------------------------------------------------------------

    def _to_state(self) -> tuple[dict[str, Any], dict[str, Matrix]]:
        description: dict[str, Any] = {"classes": classes_to_json(self.classes_)}
        arrays: dict[str, Matrix] = {}
        if self.losses_ is not None:
            arrays["losses"] = self.losses_
        if self.output_features_ is not None:
            parts = {name: getattr(self.output_features_, name) for name in ("data", "indices", "indptr")}
            arrays |= above("output_features.", {**parts, "shape": np.array(self.output_features_.shape)})
        if self.kernel is None:
            description["n_features_in"] = self.n_features_in_
        else:
            description["width"] = self.items_.width
            arrays |= above("items.", self.items_.to_arrays())
        return description, arrays

    def _from_state(self, description: dict[str, Any], arrays: dict[str, Matrix]) -> None:
        self._check_params()
        self.classes_ = classes_from_json(description["classes"])
        n = len(self.classes_)
        self.losses_ = stored(arrays, "losses", np.float64, n, n) if "losses" in arrays else None
        self.output_features_ = None
        if parts := below("output_features.", arrays):
            self.output_features_ = _stored_rows(parts, n)
        if self.kernel is None:
            self.n_features_in_ = stored_whole(description, "n_features_in", 1, 2**31)
        else:
            self.items_ = KernelItems.from_arrays(self.kernel, description["width"], below("items.", arrays))

    def _n_weights(self) -> int:
        inputs = self.n_features_in_ if self.kernel is None else len(self.items_)
        return inputs * self._n_output_features()


def _stored_rows(parts: dict[str, Matrix], n: int) -> Any:
    """A sparse matrix of n rows, with all that scipy relies on and does not check."""
    shape = tuple(stored(parts, "shape", np.int64, 2).tolist())
    data = stored(parts, "data", np.float64, None)
    indices, indptr = parts["indices"], parts["indptr"]
    fits = (
        shape[0] == n
        and 0 < shape[1] <= 2**31
        and all(array.dtype in (np.int32, np.int64) for array in (indices, indptr))
        and indices.shape == data.shape
        and indptr.shape == (n + 1,)
        and indptr[0] == 0
        and indptr[-1] == len(data)
        and bool((np.diff(indptr) >= 0).all())
        and bool(((indices >= 0) & (indices < shape[1])).all())
    )
    if not fits:
        raise ValueError("output_features must be a sparse matrix with one row for each class")
    matrix = sparse.csr_array((data, indices, indptr), shape=shape)
    if not matrix.has_canonical_format:
        raise ValueError("output_features.indices must increase within a row")
    return as_rows(matrix, "output_features")


@dataclass(eq=False, repr=False, kw_only=True)
class MulticlassParameters:
    """See `Multiclass`."""

    kernel: Any = field(default=None, kw_only=False)
    loss: Literal["zero-one"] | LossTable | LossFunction = "zero-one"
    classes: Any = None
    vectorizer: TextHasher | None = None
    rivals: Literal["worst", "all"] = "worst"


class Multiclass(MulticlassParameters, ClassProblem):
    """Classes without structure, each with its own weights: the machine of Crammer and Singer.

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
    vectorizer : TextHasher or FragmentHasher, optional
        Makes vectors of texts, or of trees, which inputs may be then. Not with tf-idf, nor with a kernel.
    rivals : {"worst", "all"}, default="worst"
        Which wrong classes an SVM counts: the one that violates its margin most (Crammer and Singer), or all that do,
        each with a slack of its own (Weston and Watkins). "all" needs linear slacks and rescaling="margin".

    Attributes
    ----------
    classes_ : the labels, sorted

    Notes
    -----
    All formulations of the SVM are supported with rivals="worst", by looking at every class. Weights are stored feature
    by feature:
    ``coef_.reshape(-1, n_classes)[j, k]`` is that of feature j for class k. With sparse inputs, later pieces of a
    stream may have more features than the first.

    References
    ----------
    K. Crammer, Y. Singer: On the algorithmic implementation of multiclass kernel-based vector machines, JMLR 2, 2001.
    J. Weston, C. Watkins: Support vector machines for multi-class pattern recognition, ESANN, 1999.

    Examples
    --------
    >>> from hedgerow.structured import Multiclass, StructuredSVM
    >>> X = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]
    >>> model = StructuredSVM(Multiclass(), C=10).fit(X, ["red", "green", "blue"])
    >>> model.predict([[0.0, 2.0, 0.1]])
    array(['green'], dtype='<U5')
    """


def checked_classes(classes: Any) -> Matrix:
    """Classes from a parameter, sorted; at least two, and each once."""
    given = np.asarray(as_list("classes", classes, "a list of labels"))
    if given.ndim != 1:
        raise ValueError(f"classes must be a list of labels, got shape {given.shape}")
    labels, counts = np.unique(given, return_counts=True)
    if (counts > 1).any():
        raise ValueError(
            f"classes must have each label once, but {labels[counts > 1].tolist()[0]!r} appears twice"
        )
    if len(labels) < 2:
        raise ValueError(f"classes must have at least two labels, got {labels.tolist()}")
    return labels


def canonical(matrix: Any) -> Any:
    """As CSR with increasing indices and without zeros that are stored; the matrix itself stays as it is."""
    rows = sparse.csr_array(matrix)
    if not rows.has_sorted_indices or not rows.data.all():
        rows = rows.copy()
        rows.sum_duplicates()
        rows.eliminate_zeros()
    return rows
