"""Parses of short sentences, for learning grammars."""

from __future__ import annotations

import os
from typing import Literal

from hedgerow.checks import check_choice
from hedgerow.data import Forest
from hedgerow_papers.datasets.folders import data_file

SUBSETS = {"ewt": ("train", "dev", "test"), "ptb": ("train", "test")}


def load_wcfg10(
    folder: str | os.PathLike[str],
    subset: Literal["train", "dev", "test"] = "train",
    *,
    treebank: Literal["ewt", "ptb"] = "ewt",
) -> Forest:
    """Parses of sentences of at most 10 tokens, without traces and function tags.

    From the English Web Treebank there are 4,651 sentences for training, 1,014 for development and 1,150 for testing;
    from the freely available part of the Penn Treebank 359 and 34. They are not part of hedgerow; the folder must
    hold ``wcfg10/ewt.train.mrg`` and so on, plain or gzip, one tree a line.

    Parameters
    ----------
    folder : path
        The folder that has ``wcfg10`` in it.
    subset : {"train", "dev", "test"}
        There is no "dev" of the Penn Treebank.
    treebank : {"ewt", "ptb"}

    Returns
    -------
    trees : Forest

    Examples
    --------
    >>> import pathlib, tempfile
    >>> from hedgerow_papers.datasets import load_wcfg10
    >>> folder = pathlib.Path(tempfile.mkdtemp())
    >>> (folder / "wcfg10").mkdir()
    >>> _ = (folder / "wcfg10" / "ptb.test.mrg").write_text("(TOP (S (NP (PRP It)) (VP (VBZ rains))))")
    >>> load_wcfg10(folder, "test", treebank="ptb").to_brackets()
    ['(TOP (S (NP (PRP It)) (VP (VBZ rains))))']
    """
    check_choice("treebank", treebank, tuple(SUBSETS))
    check_choice("subset", subset, SUBSETS[treebank])
    return Forest.read(data_file(folder, f"wcfg10/{treebank}.{subset}.mrg", "parses in brackets, one a line"))
