"""Classification with taxonomies."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np
from scipy import sparse

from hedgerow.checks import check_number
from hedgerow.feature_extraction import TextHasher
from hedgerow.kernels.base import Matrix
from hedgerow.models.tallies import ClassTally
from hedgerow.structured.classes import ClassProblem, checked_classes
from hedgerow.structured.hierarchy import Hierarchy
from hedgerow.structured.losses import LossFunction, LossTable


@dataclass(eq=False, repr=False, kw_only=True)
class TaxonomyParameters:
    """See `Taxonomy`."""

    parents: Any = field(kw_only=False)
    node_weights: Mapping[Any, float] | Literal["normalized"] | None = None
    loss: Literal["tree", "path", "zero-one"] | LossTable | LossFunction = "tree"
    kernel: Any = None
    classes: Any = None
    vectorizer: TextHasher | None = None


class Taxonomy(TaxonomyParameters, ClassProblem):
    """Classes in a tree, or in any order where a class may have several parents.

    Every class has the features of all its ancestors: Lambda(y) is 1 for y and each node above it, so every node of
    the taxonomy has a weight vector, which all classes below it share.

    Parameters
    ----------
    parents : dict, pairs or path
        A dict from a class to its parent, or to a list of parents; pairs (parent, child); or a file with one
        link per line: parent, tab, child. Classes without parents are roots, of which there may be several. Inner
        nodes may be classes too.
    node_weights : dict, "normalized" or None, default=None
        How much the feature of each node counts: a dict from nodes to weights, 1 for those that it leaves out; or
        "normalized", which makes the features of every class a vector of length 1, so that deep classes do not weigh
        more.
    loss : {"tree", "path", "zero-one"}, matrix, dict or callable, default="tree"
        What a wrong class costs. "tree": the height of the first common ancestor of the true and the predicted class
        (see Notes). "path": the number of links between them. Otherwise as in `Multiclass`.
    kernel : Kernel or "precomputed", optional
        A kernel on inputs, as in `Multiclass`.
    classes : list of labels, "leaves" or "all", optional
        What may be predicted. By default the labels of the (first) training examples; "leaves" and "all" are those of
        the taxonomy, with classes that have no examples.
    vectorizer : TextHasher, optional
        As in `Multiclass`.

    Attributes
    ----------
    classes_ : the classes, sorted
    nodes_ : the nodes that have features, in the order of output features
    output_features_ : Lambda, classes by nodes

    Notes
    -----
    The height of a node is the number of links on the longest way down from it, so that leaves have height 0 at
    whatever depth they are. Siblings that are leaves have loss 1, and the loss of a class and a class below it is the
    height of the upper one. Where classes have several common ancestors, the first is the lowest; where they have none,
    which several roots make possible, it is as if there were a node above all roots. Being right costs nothing.

    References
    ----------
    L. Cai, T. Hofmann: Hierarchical document categorization with support vector machines, CIKM 2004.

    Examples
    --------
    >>> from hedgerow.structured import StructuredSVM, Taxonomy
    >>> problem = Taxonomy({"cat": "animal", "dog": "animal", "oak": "plant", "animal": "thing", "plant": "thing"})
    >>> X = [[1.0, 0.0], [0.8, 0.6], [0.0, 1.0]]
    >>> model = StructuredSVM(problem, C=10).fit(X, ["cat", "dog", "oak"])
    >>> model.predict([[0.9, 0.1]])
    array(['cat'], dtype='<U3')
    >>> model.problem_.compute_loss("cat", "dog"), model.problem_.compute_loss("cat", "oak")
    (1.0, 2.0)
    """

    def _check_params(self) -> None:
        super()._check_params()
        weights = self.node_weights
        if isinstance(weights, dict):
            for node, weight in weights.items():
                check_number(f"node_weights[{node!r}]", weight, at_least=0)
        elif weights is not None and not (isinstance(weights, str) and weights == "normalized"):
            raise ValueError(f"node_weights must be a dict, 'normalized' or None, got {weights!r}")

    def _find_classes(self, y: Any, n: int | None) -> Matrix:
        hierarchy = self._hierarchy()
        if isinstance(self.classes, str):
            if self.classes not in ("leaves", "all"):
                raise ValueError(
                    f"classes must be a list of labels, 'leaves', 'all' or None, got {self.classes!r}"
                )
            return checked_classes(hierarchy.leaves() if self.classes == "leaves" else hierarchy.nodes)
        classes = super()._find_classes(y, n)
        hierarchy.check(classes.tolist())
        return classes

    def _make_output_features(self) -> Any:
        hierarchy = self._hierarchy()
        matrix, self.nodes_ = hierarchy.ancestor_matrix(self.classes_.tolist())
        if self.node_weights is None:
            return matrix
        if isinstance(self.node_weights, dict):
            unknown = [node for node in self.node_weights if node not in hierarchy]
            if unknown:
                raise ValueError(f"node_weights has {unknown[0]!r}, which is not a node of the taxonomy")
            factors = [float(self.node_weights.get(node, 1.0)) for node in self.nodes_]
            return matrix @ sparse.diags_array(factors)
        lengths = np.sqrt(np.diff(matrix.indptr))
        return sparse.diags_array(1 / lengths) @ matrix

    def _named_losses(self) -> dict[str, Any]:
        hierarchy, classes = self._hierarchy(), self.classes_.tolist()
        return {
            "tree": lambda: hierarchy.tree_losses(classes),
            "path": lambda: hierarchy.path_losses(classes),
        }

    def tally(self) -> TaxonomyTally:
        """An empty tally for predictions, with their tree loss."""
        return TaxonomyTally(self.classes_.tolist(), self._hierarchy())

    def _hierarchy(self) -> Hierarchy:
        return Hierarchy(self.parents)

    def _to_state(self) -> tuple[dict[str, Any], dict[str, Matrix]]:
        description, arrays = super()._to_state()
        return {**description, "nodes": self.nodes_}, arrays

    def _from_state(self, description: dict[str, Any], arrays: dict[str, Matrix]) -> None:
        super()._from_state(description, arrays)
        self.nodes_ = description["nodes"]
        if not isinstance(self.nodes_, list) or len(self.nodes_) != self._n_output_features():
            raise ValueError("nodes must name every output feature")
        self._hierarchy()


class TaxonomyTally(ClassTally):
    """Of one class of a taxonomy."""

    def __init__(self, classes: list[Any], hierarchy: Hierarchy) -> None:
        super().__init__(classes)
        self.hierarchy = hierarchy

    def figures(self) -> dict[str, Any]:
        """The tree loss too, whatever loss the model was trained for; also of classes that training had none of."""
        labels, counts = self.confusion.labels, self.confusion
        losses = self.hierarchy.tree_losses(labels)
        place = {label: i for i, label in enumerate(labels)}
        total = sum(losses[place[a], place[b]] * counts[a, b] for a, b in sorted(counts))
        return super().figures() | {"tree_loss": float(total / counts.total())}
