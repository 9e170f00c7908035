"""Questions with their parses and the class of answer that they ask for."""

from __future__ import annotations

from importlib.resources import files
from typing import Any

import numpy as np

from hedgerow import _core
from hedgerow.data import Forest


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
    content = files("hedgerow.datasets").joinpath("questions.tk").read_bytes()
    reader = _core.SvmlightTkReader()
    reader.read(content, 0, 1_000_000, True)
    names, label_of_row, ((_, native),), _, _, _ = reader.take_rows()
    return Forest._wrap(native), np.array(names)[label_of_row]
