"""The questions that ship with hedgerow."""

from __future__ import annotations

from importlib.resources import as_file, files
from typing import Any

import numpy as np

from hedgerow.data import Forest
from hedgerow.io import read_svmlight_tk


def load_questions() -> tuple[Forest, np.ndarray[Any, np.dtype[np.str_]]]:
    """English questions as constituency trees, and what each asks for.

    A small set of six balanced classes for examples and tests, written for hedgerow from templates. Many
    words occur in several classes, so the structure of a question matters.

    Returns
    -------
    trees : Forest
        Parses in the style of the Penn Treebank.
    y : array of str
        ABBR (an abbreviation), DESC (a description), ENTY (a thing), HUM (a person or group), LOC (a place)
        or NUM (a number or date).

    Examples
    --------
    >>> from hedgerow.datasets import load_questions
    >>> trees, y = load_questions()
    >>> len(trees), sorted(set(y.tolist()))
    (300, ['ABBR', 'DESC', 'ENTY', 'HUM', 'LOC', 'NUM'])
    >>> " ".join(trees[0].leaves()), str(y[0])
    ('How did Ada Brook leave the harbour ?', 'DESC')
    """
    with as_file(files("hedgerow.datasets").joinpath("questions.tk")) as path:
        return read_svmlight_tk(path)
