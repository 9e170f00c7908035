"""Making shards: of files, and of Dask's collections."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from typing import Any
from uuid import uuid4

from hedgerow.checks import check_choice, check_whole
from hedgerow.data.files import matching
from hedgerow.distributed.shards import FileShard, GivenShard, Shards
from hedgerow.io.formats import FORMATS
from hedgerow.io.readers import Batch, ColumnReader, FunctionReader, Reader, TableReader
from hedgerow.io.schema import Schema

COLUMNS = "columns"
SMALL = 1 << 20  # bytes: smaller files share a shard, because a task should be worth its overhead


def read(
    paths: str | os.PathLike[str] | Sequence[str | os.PathLike[str]],
    format: str | Callable[[str], Batch | Iterator[Batch]] | None = None,
    *,
    shards: int | None = None,
    spaces_in_leaves: bool = False,
    tokens: bool = False,
    label_column: int = -1,
    comments: str | None = None,
) -> Shards:
    """A data set of many files, which workers read where they run.

    Nothing is read yet: a worker reads a shard when it has work with it, and keeps it in its cache. The files must be
    at the same paths for all workers.

    Parameters
    ----------
    paths : path, pattern as ``"parts/*.gz"``, or a list of these
        Plain files or gzip. Files of a pattern are taken in the order of their names.
    format : {"svmlight-tk", "brackets", "text", "columns"} or callable, optional
        Lines of SVM-light-TK or SVM-light; lines ``LABEL (S ...)``; lines ``LABEL<tab>text``; sentences in columns as
        in the CoNLL shared tasks, with a label for each token. By default brackets or SVM-light-TK, by the names of the
        files. An importable function of a path returns X and y for a learner, or iterates over such pairs.
    shards : int, optional
        Into how many shards the files are put; no more than there are files. By default each file is a shard, but
        neighbours below 1 MB share one. What is learned depends on it.
    spaces_in_leaves : bool, default=False
        Read ``(N New York)`` as one leaf, as SVM-light-TK does.
    tokens : bool, default=False
        Texts are sequences of words instead of letters.
    label_column, comments : of columns
        Which column has the labels, from 0, or from -1 backwards; what lines to skip begin with.

    Returns
    -------
    Shards

    Examples
    --------
    >>> import tempfile, pathlib
    >>> from hedgerow import distributed
    >>> from hedgerow.online import Perceptron
    >>> folder = pathlib.Path(tempfile.mkdtemp())
    >>> _ = (folder / "part1.svm").write_text("1 1:1\\n-1 2:1\\n")
    >>> _ = (folder / "part2.svm").write_text("1 1:2 3:1\\n-1 2:1 4:1\\n")
    >>> data = distributed.read(folder / "part*.svm", shards=2)
    >>> data
    <Shards: 2>
    >>> model = distributed.fit(Perceptron(), data, rounds=2)
    >>> model.coef_.shape
    (1, 4)
    """
    files = _expand(paths)
    if format is not None and not callable(format):
        check_choice("format", format, (*(row.name for row in FORMATS if row.labelled), COLUMNS))
    if shards is not None:
        check_whole("shards", shards, at_least=1)
    reader: Reader
    if callable(format):
        reader = FunctionReader(format)
    elif format == COLUMNS:
        reader = ColumnReader(label_column, comments)
    else:
        reader = TableReader(Schema(format, spaces_in_leaves, tokens))
    return from_files(files, reader, shards)


def from_files(paths: Sequence[str], reader: Reader, shards: int | None = None) -> Shards:
    """Shards of files that any reader reads."""
    groups = _groups(paths, shards)
    return Shards([FileShard(tuple(group), reader, sum(map(_size, group))) for group in groups])


def from_dask(X: Any, y: Any = None) -> Shards:
    """A data set of Dask's collections: each of their partitions or blocks is a shard.

    Parameters
    ----------
    X : dask.bag.Bag, dask.array.Array or dask.dataframe.DataFrame
        Inputs. Arrays are parted along their rows only.
    y : a collection of the same partitions, optional
        Labels.

    Returns
    -------
    Shards

    Examples
    --------
    >>> import dask.array
    >>> import numpy as np
    >>> from hedgerow import distributed
    >>> from hedgerow.online import Perceptron
    >>> X = dask.array.from_array(np.array([[1.0, 0.0], [0.0, 1.0], [2.0, 0.0], [0.0, 2.0]]), chunks=(2, 2))
    >>> y = dask.array.from_array(np.array(["a", "b", "a", "b"]), chunks=2)
    >>> data = distributed.from_dask(X, y)
    >>> len(data)
    2
    """
    inputs = _delayed(X, "X")
    outputs = [None] * len(inputs) if y is None else _delayed(y, "y")
    if len(inputs) != len(outputs):
        raise ValueError(f"X has {len(inputs)} partitions, but y has {len(outputs)}")
    from dask.delayed import delayed

    given = delayed(GivenShard, pure=False)
    blocks = enumerate(zip(inputs, outputs, strict=True))
    return Shards([given(a, b, f"block {number}", uuid4().hex) for number, (a, b) in blocks])


def _delayed(collection: Any, name: str) -> list[Any]:
    if not hasattr(collection, "to_delayed"):
        raise TypeError(f"{name} must be a Dask bag, array or dataframe, got a {type(collection).__name__}")
    if (
        getattr(collection, "ndim", 1) == 2
        and hasattr(collection, "numblocks")
        and collection.numblocks[1] > 1
    ):
        raise ValueError(
            f"{name} is split into {collection.numblocks[1]} groups of columns; rechunk it into rows"
        )
    blocks = collection.to_delayed()
    return list(blocks.ravel() if hasattr(blocks, "ravel") else blocks)


def _expand(paths: Any) -> list[str]:
    """The files of paths and patterns, each of which must have some."""
    given: list[str] = [
        os.fspath(name) for name in ([paths] if isinstance(paths, str | os.PathLike) else paths)
    ]
    if not given:
        raise ValueError("paths must name at least one file")
    return [os.path.abspath(path) for path in matching(map(os.fspath, given))]


def _groups(paths: Sequence[str], shards: int | None) -> list[list[str]]:
    """Neighbouring files, in groups of about equal size, or large enough for a task."""
    sizes = [_size(path) for path in paths]
    if shards is not None:
        if shards > len(paths):
            raise ValueError(f"shards must be at most {len(paths)}, the number of files, got {shards}")
        return _even_groups(paths, sizes, shards)
    groups: list[list[str]] = []
    size = 0
    for path, more in zip(paths, sizes, strict=True):
        if not groups or size + more > SMALL:
            groups.append([])
            size = 0
        groups[-1].append(path)
        size += more
    return groups


def _size(path: str) -> int:
    """In bytes; a file that is missing is for its task to complain about."""
    return os.path.getsize(path) if os.path.exists(path) else 0


def _even_groups(paths: Sequence[str], sizes: list[int], n: int) -> list[list[str]]:
    groups: list[list[str]] = [[] for _ in range(n)]
    total, before, current = sum(sizes) or 1, 0, 0
    for number, (path, size) in enumerate(zip(paths, sizes, strict=True)):
        wanted = min(n - 1, before * n // total)
        # Never leave more groups than files, nor a group empty.
        current = max(min(wanted, current + bool(groups[current])), n - (len(paths) - number))
        groups[current].append(path)
        before += size
    return groups
