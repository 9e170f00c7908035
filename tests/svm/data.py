"""Small data for the tests of support vector machines: a kernel with items of its kind, and two or three classes."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse

from hedgerow import Records
from hedgerow.kernels import (
    RBF,
    Kernel,
    Linear,
    Normalized,
    PartialTree,
    Polynomial,
    Spectrum,
    SubsetTree,
    SubTree,
)
from tests.online.test_against_slow import noisy_trees

N = 90
TREES, LABELS = noisy_trees(N, 3)
BINARY = np.where(LABELS > 0, 1, -1)
random = np.random.default_rng(5)
VECTORS = random.normal(size=(N, 4)) + 0.8 * BINARY[:, None]
STRINGS = ["".join(random.choice(list("abc"), size=8)) + ("aab" if y > 0 else "cba") for y in BINARY]
CLASSES = np.where(np.arange(N) % 7 == 0, "other", np.where(BINARY > 0, "good", "bad"))
RECORDS = Records(tree=TREES, text=STRINGS, features=VECTORS)

KERNELS: dict[str, tuple[Kernel, Any]] = {
    "subset trees": (Normalized(SubsetTree()), TREES),
    "partial trees": (Normalized(PartialTree()), TREES),
    "subtrees": (SubTree(), TREES),
    "rbf": (RBF(gamma=0.3), VECTORS),
    "sparse rbf": (RBF(gamma=0.3), sparse.csr_matrix(VECTORS * (np.abs(VECTORS) > 0.5))),
    "linear": (Linear(), VECTORS),
    "polynomial": (Polynomial(degree=2), VECTORS),
    "strings": (Normalized(Spectrum(k=2)), STRINGS),
    "records": (Normalized(SubsetTree()).on("tree") + 0.5 * RBF(gamma=0.2).on("features"), RECORDS),
}
