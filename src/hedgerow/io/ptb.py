"""Reading treebanks in the Penn Treebank's format."""

from __future__ import annotations

import os
from pathlib import Path
from typing import overload

from hedgerow.data import Forest, FormatError
from hedgerow.data.errors import Collect, Collected, OnError, Raise, check_on_error


@overload
def read_ptb(path: str | os.PathLike[str], *, errors: Raise = "raise") -> Forest: ...
@overload
def read_ptb(path: str | os.PathLike[str], *, errors: Collect) -> Collected[Forest]: ...
def read_ptb(path: str | os.PathLike[str], *, errors: OnError = "raise") -> Forest | Collected[Forest]:
    """Read the trees of a treebank file or folder.

    Parameters
    ----------
    path : path, or "-" for standard input
        A file, plain or gzip, or a folder: then all ``.mrg`` and ``.mrg.gz`` files in it and its subfolders,
        in sorted order.
    errors : {"raise", "collect"}
        Stop at the first bad tree, or leave bad trees out and return them as a list of `FormatError`.

    Returns
    -------
    forest : Forest
        The unlabelled outer bracket of each tree is taken off.
    errors : list of FormatError
        Only with ``errors="collect"``.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> from hedgerow.io import read_ptb
    >>> folder = pathlib.Path(tempfile.mkdtemp())
    >>> _ = (folder / "wsj_0001.mrg").write_text("( (S (NP Mary)\\n     (VP sings) ) )\\n( (NP (D a)) )\\n")
    >>> read_ptb(folder).to_brackets()
    ['(S (NP Mary) (VP sings))', '(NP (D a))']
    """
    check_on_error(errors)
    forests: list[Forest] = []
    problems: list[FormatError] = []
    for file in _treebank_files(path):
        forest, found = Forest.read(file, errors="collect")
        if found and errors == "raise":
            raise found[0]
        forests.append(forest)
        problems.extend(found)
    whole = Forest.concatenate(forests)
    return (whole, problems) if errors == "collect" else whole


def _treebank_files(path: str | os.PathLike[str]) -> list[str]:
    if path == "-" or not Path(path).is_dir():
        return [os.fspath(path)]
    files = sorted(file for file in Path(path).rglob("*") if file.name.endswith((".mrg", ".mrg.gz")))
    if not files:
        raise FileNotFoundError(f"no .mrg or .mrg.gz file in the folder {os.fspath(path)}")
    return [os.fspath(file) for file in files]
