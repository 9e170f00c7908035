"""Posts of twenty newsgroups."""

from __future__ import annotations

import os
from typing import Any, Literal

import numpy as np

from hedgerow.checks import check_choice
from hedgerow.datasets.folders import Subset, data_file, read_table, read_tree


def load_newsgroups(
    folder: str | os.PathLike[str],
    subset: Subset = "train",
    *,
    text: Literal["body", "all"] = "body",
) -> tuple[list[str], np.ndarray[Any, np.dtype[np.str_]]]:
    """Posts, and the newsgroup of each.

    The 20 newsgroups of Lang (1995), split by date. They are no part of hedgerow; the folder must hold
    ``newsgroups20/train.tsv`` and ``newsgroups20/test.tsv``, plain or gzip, one post a line:
    ``sci.med<TAB>58045<TAB>From: ... Subject: ...<TAB>body``

    Parameters
    ----------
    folder : path
        The folder that has ``newsgroups20`` in it.
    subset : {"train", "test"}
    text : {"body", "all"}
        Without or with the header, whose names and addresses tell a lot about the group.

    Returns
    -------
    texts : list of str
    y : array of str

    Examples
    --------
    >>> import pathlib, tempfile
    >>> from hedgerow.datasets import load_newsgroups
    >>> folder = pathlib.Path(tempfile.mkdtemp())
    >>> (folder / "newsgroups20").mkdir()
    >>> _ = (folder / "newsgroups20" / "test.tsv").write_text("sci.med\\t7\\tFrom: me\\tI have a cold.\\n")
    >>> texts, y = load_newsgroups(folder, "test")
    >>> texts, y.tolist()
    (['I have a cold.'], ['sci.med'])
    >>> load_newsgroups(folder, "test", text="all")[0]
    ['From: me I have a cold.']
    """
    check_choice("subset", subset, ("train", "test"))
    check_choice("text", text, ("body", "all"))
    path = data_file(
        folder,
        f"newsgroups20/{subset}.tsv",
        "posts as lines group, number, header and body, with tabs between",
    )
    records = read_table(path, ("group", "number", "header", "body"))
    texts = [body if text == "body" else f"{header} {body}" for _, _, header, body in records]
    return texts, np.array([group for group, *_ in records], dtype=str)


def load_newsgroups_taxonomy(folder: str | os.PathLike[str]) -> dict[str, str]:
    """The tree of the twenty newsgroups of `load_newsgroups`: the parent of each.

    Parameters
    ----------
    folder : path
        The folder that has ``newsgroups20/hierarchy.tsv`` in it, plain or gzip, lines ``parent<TAB>group``, made from
        the dots in the names of groups.

    Returns
    -------
    parents : dict from str to str

    Examples
    --------
    >>> import pathlib, tempfile
    >>> from hedgerow.datasets import load_newsgroups_taxonomy
    >>> folder = pathlib.Path(tempfile.mkdtemp())
    >>> (folder / "newsgroups20").mkdir()
    >>> _ = (folder / "newsgroups20" / "hierarchy.tsv").write_text("ROOT\\tsci\\nsci\\tsci.med\\n")
    >>> load_newsgroups_taxonomy(folder)
    {'sci': 'ROOT', 'sci.med': 'sci'}
    """
    return read_tree(folder, "newsgroups20/hierarchy.tsv")
