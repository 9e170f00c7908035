"""Kernel matrices of data sets in shards, as Dask arrays whose blocks are made where they are needed."""

from __future__ import annotations

from typing import Any

import numpy as np

from hedgerow.distributed.cluster import MISSING
from hedgerow.distributed.shards import Shard, Shards, checked
from hedgerow.distributed.workers import workers_for
from hedgerow.kernels.base import Kernel, Matrix


def gram(kernel: Kernel, X: Shards, Y: Shards | None = None, *, client: Any = None) -> Any:
    """The kernel values of all pairs of items of two data sets, or of one with itself.

    Nothing is computed but the sizes of the shards. A block of the matrix holds the values of two shards, and is
    computed, by one task, when someone asks for it: ``client.compute(K)``, ``K.compute()``, ``np.asarray(K)`` or
    whatever else Dask's arrays do, such as ``K.to_zarr``. The blocks below the diagonal of a matrix of one data set are
    those above it, turned over.

    Parameters
    ----------
    kernel : Kernel
    X, Y : Shards
        See `read` and `from_dask`. Files of both data sets have the same columns and, where these hold vectors, the
        width of the wider one.
    client : distributed.Client, optional
        Looks at the sizes of the shards; without one, this process does.

    Returns
    -------
    K : dask.array.Array of float64, items of X by items of Y

    Examples
    --------
    >>> import tempfile, pathlib
    >>> import numpy as np
    >>> from hedgerow import distributed
    >>> from hedgerow.kernels import SubsetTree
    >>> folder = pathlib.Path(tempfile.mkdtemp())
    >>> _ = (folder / "part1.mrg").write_text("1 (S (A a) (B b))\\n2 (S (A a))\\n")
    >>> _ = (folder / "part2.mrg").write_text("1 (S (B b))\\n")
    >>> K = distributed.gram(SubsetTree(decay=1.0), distributed.read(folder / "*.mrg", shards=2))
    >>> K.chunks
    ((2, 1), (2, 1))
    >>> np.asarray(K)
    array([[6., 1., 1.],
           [1., 3., 0.],
           [1., 0., 3.]])
    """
    try:
        import dask.array
        from dask.delayed import delayed
    except ImportError:
        raise ImportError(MISSING) from None
    checked(X, "X")
    if Y is not None:
        checked(Y, "Y")
    kernel._check_params()
    # Looked at together, so that vectors of both have the same width.
    every = X if Y is None else Shards([*X.parts, *Y.parts])
    surveyed = every.surveyed(workers_for(client))
    left = [(shard, int(n)) for shard, n in zip(surveyed.shards, surveyed.counts, strict=True) if n]
    right = left
    if Y is not None:
        n_left = int(np.count_nonzero(surveyed.counts[: len(X)]))
        left, right = left[:n_left], left[n_left:]
        if not left or not right:
            raise ValueError(f"there is no example in {'Y' if left else 'X'}")
    make = delayed(block, pure=True)
    blocks: list[list[Any]] = []
    for i, (rows, n) in enumerate(left):
        blocks.append([])
        for j, (columns, m) in enumerate(right):
            if Y is None and j < i:
                blocks[i].append(blocks[j][i].T)
            else:
                other = None if Y is None and i == j else columns
                values = make(rows, other, kernel)
                blocks[i].append(dask.array.from_delayed(values, (n, m), np.float64))
    return dask.array.block(blocks)


def block(rows: Shard, columns: Shard | None, kernel: Kernel) -> Matrix:
    """The values of two shards, or of one with itself."""
    X, _ = rows.load()
    Y = None if columns is None else columns.load()[0]
    return kernel(X, Y, n_jobs=1)  # Dask computes several blocks at the same time
