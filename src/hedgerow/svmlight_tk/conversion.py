"""Models of hedgerow as those of SVM-light-TK, and back."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy import sparse

from hedgerow.data import Forest, Records
from hedgerow.kernels.base import Kernel
from hedgerow.kernels.trees import PartialTree, SubsetTree, SubTree
from hedgerow.kernels.vectors import RBF, Linear, Polynomial, Sigmoid
from hedgerow.svmlight_tk.kernel import COMBINATION, LONGEST_CHILD_SEQUENCE, kernel_for
from hedgerow.svmlight_tk.model import SvmlightTkModel
from hedgerow.svmlight_tk.parameters import SvmlightTkParameters

if TYPE_CHECKING:
    from hedgerow.svm import SVC

_VECTOR_KERNELS = (Linear, Polynomial, RBF, Sigmoid)
_PROBES = 20  # supports whose kernel values are compared


def to_svmlight_tk(model: Any) -> SvmlightTkModel:
    """Convert a fitted two-class kernel model to SVM-light-TK; a ValueError says why that is impossible.

    The second class is the positive one. An average is written as the one sum over supports that it is.

    Examples
    --------
    >>> from hedgerow.kernels import Normalized, SubsetTree
    >>> from hedgerow.svm import CuttingPlaneSVC
    >>> from hedgerow.svmlight_tk import to_svmlight_tk
    >>> trees = ["(S (NP a) (VP b))", "(S (NP a) (NP c))", "(S (NP d) (VP b))", "(S (NP d) (NP c))"]
    >>> machine = CuttingPlaneSVC(Normalized(SubsetTree())).fit(trees, ["verb", "noun", "verb", "noun"])
    >>> to_svmlight_tk(machine).parameters.kernel_type
    5
    """
    found = model.functions().expansion
    if found is None:
        raise ValueError(
            f"a {type(model).__name__} on weights cannot become an SVM-light-TK model, which needs support vectors"
        )
    if len(found.labels) != 1:
        raise ValueError(
            f"the model has {len(found.labels)} functions, and a model of SVM-light-TK one: it tells two classes apart"
        )
    supports = _examples(found.kernel._from_items(found.supports))
    vectors = [supports] if sparse.issparse(supports) else []
    if isinstance(supports, Records):
        vectors = [part for name in supports.columns if sparse.issparse(part := supports[name])]
    return SvmlightTkModel(
        _parameters(found.kernel, supports),
        supports,
        found.coefficients[0],
        threshold=-float(found.biases[0]),
        n_documents=int(getattr(model, "n_seen_", len(found.coefficients[0]))),
        highest_feature=max((part.shape[1] for part in vectors), default=0),
    )


def from_svmlight_tk(model: SvmlightTkModel) -> SVC:
    """Convert to a fitted machine that scores the same; unknown facts about its training are NaN.

    Examples
    --------
    >>> import numpy as np
    >>> from hedgerow import Forest
    >>> from hedgerow.svmlight_tk import SvmlightTkModel, SvmlightTkParameters, from_svmlight_tk
    >>> trees = Forest(["(NP (D a) (N dog))", "(NP (D a) (N cat))"])
    >>> given = SvmlightTkModel(SvmlightTkParameters(kernel_type=5), trees, np.array([1.0, -0.5]), threshold=0.25)
    >>> from_svmlight_tk(given).decision_function(["(NP (D a) (N dog))"]).round(3)
    array([0.447])
    """
    from hedgerow.svm import SVC  # classifying needs none of it

    machine = SVC(kernel_for(model.parameters, _columns(model.supports)))
    items = machine._start(model.supports)
    machine.classes_ = np.array([-1, 1])
    numbers = np.arange(len(model.coefficients))
    threshold = np.array([-model.threshold])
    machine._set_functions(items, [(numbers, model.expansion_coefficients())], threshold)
    for name in machine._arrays:
        setattr(machine, name, np.full(1, np.nan))
    machine.n_iter_ = np.zeros(1, dtype=np.int64)
    machine.kernel_evaluations_, machine.converged_ = 0, False
    return machine


def _examples(supports: Any) -> Any:
    """As `read_svmlight_tk` gives them."""
    if isinstance(supports, Records):
        return Records({name: _examples(supports[name]) for name in supports.columns})
    return supports if isinstance(supports, Forest) else sparse.csr_matrix(supports)


def _columns(supports: Any) -> list[str]:
    if isinstance(supports, Records):
        return list(supports.columns)
    return ["tree" if isinstance(supports, Forest) else "vector"]


def _parameters(kernel: Kernel, supports: Any) -> SvmlightTkParameters:
    """Those of the same kernel: of all that have its parts, one that puts them together to the same values."""
    some = supports[: min(_PROBES, supports.shape[0])]
    expected, parts = kernel(some), _parts(kernel)
    for parameters in _candidates(kernel):
        try:
            same = kernel_for(parameters, _columns(supports))
            if _parts(same) == parts and np.allclose(same(some), expected, rtol=1e-9, atol=1e-12):
                return parameters
        except (ValueError, TypeError):
            continue
    advice = ""
    if any(isinstance(leaf, PartialTree) and leaf.max_length is None for leaf, _ in kernel._leaves()):
        advice = f"; of partial trees it matches {LONGEST_CHILD_SEQUENCE} children at most (max_length=5)"
    raise ValueError(f"SVM-light-TK has no kernel {kernel}{advice}")


def _parts(kernel: Kernel) -> set[Any]:
    """The kernels of single columns, with their parameters; those may have the same values on some supports only."""
    return {(type(leaf), frozenset(leaf.get_params().items()), normal) for leaf, normal in kernel._leaves()}


def _candidates(kernel: Kernel) -> Iterator[SvmlightTkParameters]:
    leaves = kernel._leaves()
    trees = [(leaf, normal) for leaf, normal in leaves if leaf.data_kind == "tree"]
    vectors = [(leaf, normal) for leaf, normal in leaves if leaf.data_kind == "vector"]
    if len(trees) + len(vectors) < len(leaves):
        return
    values: dict[str, Any] = {}
    if trees:
        values |= _of_tree(trees[0][0])
    if vectors:
        values |= _of_vector(vectors[0][0])
    normalization = int(any(normal for _, normal in trees)) + 2 * int(any(normal for _, normal in vectors))
    if not trees and not normalization:
        yield SvmlightTkParameters(**{**values, "kernel_type": values["vector_kernel"]})
    combinations = "T" if not vectors else "V" if not trees else "+*"
    for combination in combinations:
        yield SvmlightTkParameters(
            **values, kernel_type=COMBINATION, combination=combination, normalization=normalization
        )


def _of_tree(kernel: Any) -> dict[str, Any]:
    if isinstance(kernel, SubTree):
        return {"tree_kernel": 0, "decay": kernel.decay}
    if isinstance(kernel, SubsetTree):
        return {"tree_kernel": 2 if kernel.bag_of_words else 1, "decay": kernel.decay}
    if isinstance(kernel, PartialTree):
        decays = {"decay": kernel.decay, "vertical_decay": kernel.vertical_decay}
        return {"tree_kernel": 3 if kernel.lexical else 4, **decays}
    return {}


def _of_vector(kernel: Any) -> dict[str, Any]:
    number = next((n for n, kind in enumerate(_VECTOR_KERNELS) if type(kernel) is kind), 0)
    parameters = kernel.get_params(deep=False)
    return {"vector_kernel": number} | {
        n: parameters[n] for n in ("degree", "gamma", "scale", "offset") if n in parameters
    }
