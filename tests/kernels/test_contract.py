"""What every public kernel promises: kernels come from the registry, and the others from the package."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy import sparse
from sklearn.base import clone

from hedgerow import Records, kernels, registry
from hedgerow.kernels import RBF, Kernel, Linear, Mismatch, Normalized, Polynomial, SubsetTree, SubTree
from hedgerow.testing import check_kernel
from tests.kernels.test_strings import KERNELS as ON_STRINGS
from tests.kernels.test_vectors import KERNELS as ON_VECTORS
from tests.kernels.tree_cases import KERNELS as ON_TREES
from tests.kernels.tree_cases import forest_of
from tests.strategies import random_trees

N = 16
random = np.random.default_rng(5)
TREES = forest_of(random_trees(random, N))
VECTORS = random.normal(size=(N, 4))
VECTORS[3] = 0
SPARSE = sparse.csr_array(np.where(VECTORS > 0, VECTORS, 0))
STRINGS = ["", *("".join(random.choice(list("abc"), n)) for n in random.integers(1, 12, N - 1))]
TOKENS = [list(text) for text in STRINGS]
RECORDS = Records(tree=TREES, text=STRINGS, vector=VECTORS)
ITEMS: dict[str, list[Any]] = {"tree": [TREES], "vector": [VECTORS, SPARSE], "text": [STRINGS, TOKENS]}
# A mismatch kernel in a learner needs to know the alphabet, and sigmoids are not positive semi-definite.
NEEDED: dict[str, dict[str, Any]] = {"mismatch": {"alphabet": "abc"}}
SKIPPED: dict[str, list[str]] = {"sigmoid": ["positive_semi_definite", "normalised", "expansions"]}
COMBINED: list[tuple[Kernel, Any]] = [
    (Normalized(SubsetTree()), TREES),
    (Normalized(Normalized(SubTree()) + 0.5 * SubsetTree()), TREES),
    (Linear() + 2 * RBF(), VECTORS),
    (Polynomial(2) * RBF(), SPARSE),
    (SubsetTree().on("tree"), RECORDS),
    (
        Normalized(SubsetTree()).on("tree") * RBF().on("vector") + Mismatch(2, alphabet="abc").on("text"),
        RECORDS,
    ),
]
CASES = [
    *(
        (name, row.make(**NEEDED.get(name, {})), X)
        for name, row in registry.kernels().items()
        for X in ITEMS[row.data_kind]
    ),
    *((name, kernel, TREES) for name, kernel in ON_TREES.items()),
    *((name, kernel, X) for name, (kernel, _) in ON_VECTORS.items() for X in ITEMS["vector"]),
    *((str(kernel), kernel, STRINGS) for kernel in ON_STRINGS if getattr(kernel, "alphabet", "") is not None),
    *((f"combination {i}", kernel, X) for i, (kernel, X) in enumerate(COMBINED)),
]


@pytest.mark.parametrize(
    ("name", "kernel", "X"), CASES, ids=[f"{name}-{type(X).__name__}" for name, _, X in CASES]
)
def test_contract(name: str, kernel: Kernel, X: Any) -> None:
    check_kernel(clone(kernel), X, skip=SKIPPED.get(name, []))


def test_every_public_kernel_is_tested() -> None:
    def parts(kernel: Kernel) -> set[type]:
        inner = [value for value in kernel.get_params().values() if isinstance(value, Kernel)]
        return {type(kernel), *map(type, inner)}

    tested = set().union(*(parts(kernel) for _, kernel, _ in CASES))
    public = {value for name in kernels.__all__ if isinstance(value := getattr(kernels, name), type)}
    assert tested == public - {Kernel}
