"""The TREC questions of Li and Roth with parse trees."""

from __future__ import annotations

import os
from typing import Any, Literal

import numpy as np

from hedgerow.checks import check_choice
from hedgerow.data import Forest, FormatError
from hedgerow.datasets.folders import Subset, data_file
from hedgerow.io import read_svmlight_tk

ENDINGS = {"constituency": "ct", "grct": "grct", "lct": "lct"}


def load_question_types(
    folder: str | os.PathLike[str],
    subset: Subset = "train",
    *,
    labels: Literal["coarse", "fine"] = "coarse",
    trees: Literal["constituency", "grct", "lct"] = "constituency",
) -> tuple[Forest, np.ndarray[Any, np.dtype[np.str_]]]:
    """Parsed questions, and what each asks for.

    The TREC questions of Li and Roth (2002), in 6 coarse and 50 fine classes. They are no part of hedgerow (a
    small set that is: `load_questions`). The folder must hold ``qc/train.ct.tk`` and ``qc/test.ct.tk``, plain
    or gzip, one question a line: ``DESC:manner |BT| (ROOT (SBARQ ...)) |ET|``; dependency trees are in
    ``qc/train.grct.tk`` and so on.

    Parameters
    ----------
    folder : path
        The folder that has ``qc`` in it.
    subset : {"train", "test"}
    labels : {"coarse", "fine"}
        ABBR, DESC, ENTY, HUM, LOC, NUM, or the fine classes ``DESC:manner`` and so on.
    trees : {"constituency", "grct", "lct"}
        Constituents, or dependency trees centred on grammatical relations or on words.

    Returns
    -------
    trees : Forest
    y : array of str

    Examples
    --------
    >>> import pathlib, tempfile
    >>> from hedgerow.datasets import load_question_types
    >>> folder = pathlib.Path(tempfile.mkdtemp())
    >>> (folder / "qc").mkdir()
    >>> line = "NUM:date |BT| (ROOT (SBARQ (WHADVP (WRB When)) (SQ (VBZ is) (NP (NNP Easter))))) |ET|"
    >>> _ = (folder / "qc" / "test.ct.tk").write_text(line)
    >>> trees, y = load_question_types(folder, "test")
    >>> " ".join(trees[0].leaves()), y.tolist()
    ('When is Easter', ['NUM'])
    >>> load_question_types(folder, "test", labels="fine")[1].tolist()
    ['NUM:date']
    """
    check_choice("subset", subset, ("train", "test"))
    check_choice("labels", labels, ("coarse", "fine"))
    check_choice("trees", trees, tuple(ENDINGS))
    path = data_file(
        folder, f"qc/{subset}.{ENDINGS[trees]}.tk", "questions as lines COARSE:fine |BT| tree |ET|"
    )
    forest, fine = read_svmlight_tk(path, labels="word")
    coarse, colon, _ = np.char.partition(fine, ":").T
    if not np.all(colon == ":"):
        bad = int(np.argmin(colon == ":"))
        raise FormatError(f"the label {fine[bad]} is not of the form COARSE:fine", path=str(path), item=bad)
    return forest, fine if labels == "fine" else coarse
