"""Strings with noisy outputs that are strings too."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.utils import check_random_state

from hedgerow.checks import check_whole

LETTERS = "abcd"
OUTPUTS = ("abad", "abbd", "aabc")
SHORTEST, LONGEST = 10, 15
ONE, TWO = 0.3, 0.15  # probabilities of one and of two insertions, and again of deletions


def make_string_pairs(n_samples: int = 200, *, random_state: Any = None) -> tuple[list[str], list[str]]:
    """Strings of three kinds over a, b, c and d, and an output for each, which depends on the kind.

    The synthetic set on which kernel dependency estimation was tried first [1]_ and string kernels of pairs later
    [2]_. Inputs come from Markov chains and have 10 to 15 letters. In the first kind all letters are equally likely;
    in the second a letter is repeated with probability 0.7, else another of the three follows; the third is like the
    second, but has c and d only. Outputs are abad, abbd and aabc, with noise: one random letter is inserted with
    probability 0.3, and two with probability 0.15; then one random letter is deleted with probability 0.3, and two
    with probability 0.15. Kinds are equally likely.

    Parameters
    ----------
    n_samples : int
    random_state : int, numpy.random.RandomState or None
        Equal states make equal sets.

    Returns
    -------
    X : list of str
    y : list of str

    Notes
    -----
    The text of [2]_ has two random deletions in place of two insertions; the data of [1]_ have insertions.

    References
    ----------
    .. [1] J. Weston, O. Chapelle, A. Elisseeff, B. Schölkopf, V. Vapnik: Kernel dependency estimation, NIPS 2002.
    .. [2] I. Tsochantaridis: Support vector machine learning for interdependent and structured output spaces, 2005,
       section 4.6.4.

    Examples
    --------
    >>> from hedgerow.datasets import make_string_pairs
    >>> X, y = make_string_pairs(3, random_state=0)
    >>> len(X), all(set(x) <= set("abcd") and 10 <= len(x) <= 15 for x in X)
    (3, True)
    """
    check_whole("n_samples", n_samples, at_least=0)
    random = check_random_state(random_state)
    kinds = random.randint(len(OUTPUTS), size=n_samples)
    return [_input(kind, random) for kind in kinds], [_noisy(OUTPUTS[kind], random) for kind in kinds]


def _input(kind: int, random: np.random.RandomState) -> str:
    letters = LETTERS[2:] if kind == 2 else LETTERS
    stay = 1 / len(letters) if kind == 0 else 0.7
    text = letters[random.randint(len(letters))]
    for _ in range(random.randint(SHORTEST, LONGEST + 1) - 1):
        if random.random_sample() >= stay:
            others = letters.replace(text[-1], "")
            text += others[random.randint(len(others))]
        else:
            text += text[-1]
    return text


def _noisy(text: str, random: np.random.RandomState) -> str:
    for _ in range(_how_often(random)):
        place = random.randint(len(text) + 1)
        text = text[:place] + LETTERS[random.randint(len(LETTERS))] + text[place:]
    for _ in range(_how_often(random)):
        place = random.randint(len(text))
        text = text[:place] + text[place + 1 :]
    return text


def _how_often(random: np.random.RandomState) -> int:
    return int(random.choice(3, p=[1 - ONE - TWO, ONE, TWO]))
