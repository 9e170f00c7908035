"""Which nodes of a parse are arguments of a predicate: the English Web Treebank with PropBank's roles."""

from __future__ import annotations

import os
from typing import Any

from hedgerow.checks import check_choice
from hedgerow.data import Forest
from hedgerow.io import iter_svmlight_tk, read_svmlight_tk
from hedgerow_papers.datasets.folders import Subset, data_file


def load_srl_boundaries(
    folder: str | os.PathLike[str], subset: Subset = "train", *, limit: int | None = None
) -> tuple[Forest, Any]:
    """Pairs of a predicate and a node of its sentence's parse, and whether the node is an argument.

    Each example is the part of the parse that spans the predicate and the node, with ``-P`` and ``-B`` at
    their labels; about 6% are positive. The set has 1,098,554 examples for training and 109,931 for testing,
    and is not part of hedgerow; the folder must hold ``srl_ewt/train.tk`` and ``srl_ewt/test.tk``, plain or
    gzip, one example a line: ``+1 |BT| (SBARQ (WHADVP-B (WRB Where)) (SQ (VBZ-P is))) |ET|``

    Parameters
    ----------
    folder : path
        The folder that has ``srl_ewt`` in it.
    subset : {"train", "test"}
    limit : int, optional
        Read no more than the first so many examples.

    Returns
    -------
    trees : Forest
    y : int64 array
        1 for arguments, -1 for the other nodes.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> from hedgerow_papers.datasets import load_srl_boundaries
    >>> folder = pathlib.Path(tempfile.mkdtemp())
    >>> (folder / "srl_ewt").mkdir()
    >>> lines = "+1 |BT| (S (NP-B Mary) (VP (VBZ-P sings))) |ET|\\n-1 |BT| (S (VP-B (VBZ-P sings))) |ET|\\n"
    >>> _ = (folder / "srl_ewt" / "train.tk").write_text(lines)
    >>> trees, y = load_srl_boundaries(folder)
    >>> len(trees), y.tolist()
    (2, [1, -1])
    >>> len(load_srl_boundaries(folder, limit=1)[0])
    1
    """
    check_choice("subset", subset, ("train", "test"))
    if limit is not None and limit < 1:
        raise ValueError(f"limit must be at least 1 or None, got {limit!r}")
    path = data_file(folder, f"srl_ewt/{subset}.tk", "argument boundaries as lines +1 |BT| tree |ET|")
    if limit is None:
        trees, y = read_svmlight_tk(path, labels="int", columns=("tree",))
    else:
        batches = iter_svmlight_tk(path, limit, labels="int", columns=("tree",))
        trees, y = next(batches, (Forest(), []))
    return trees, y
