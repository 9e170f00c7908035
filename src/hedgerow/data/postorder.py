"""Trees given by all of their nodes in post-order."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import ArrayLike

from hedgerow import _core, limits
from hedgerow.data.errors import FormatError


def native_forest(
    labels: Iterable[str], ids: ArrayLike, arity: ArrayLike, tree_sizes: ArrayLike, first: int = 0
) -> _core.Forest:
    """A native forest of trees within the limits; their numbers in messages count from ``first``."""
    arities, sizes = np.asarray(arity, np.int32), np.asarray(tree_sizes, np.int64)
    native = _core.Forest.from_postorder(list(labels), np.asarray(ids, np.int32), arities, sizes)
    ends = np.cumsum(sizes)
    for tree in np.flatnonzero(sizes > limits.harmless()):
        if fault := limits.excess(arities[ends[tree] - sizes[tree] : ends[tree]].tolist()):
            raise FormatError(fault, item=first + int(tree))
    return native
