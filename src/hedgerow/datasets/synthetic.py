"""Data made by chance, on which papers compare learners."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.utils import check_random_state

from hedgerow.checks import check_whole

CENTRE = np.array([1.0, 1.0])  # of the positive examples; the negative ones have its mirror image
VARIANCE = np.array([0.2, 2.0])
# Of strings: letters, outputs before noise, lengths of inputs.
LETTERS = "abcd"
OUTPUTS = ("abad", "abbd", "aabc")
SHORTEST, LONGEST = 10, 15
ONE, TWO = 0.3, 0.15  # probabilities of one and of two insertions, and again of deletions


def make_two_gaussians(
    n_samples: int = 10_000, *, label_noise: float = 0.1, random_state: Any = None
) -> tuple[np.ndarray[Any, np.dtype[np.float64]], np.ndarray[Any, np.dtype[np.int64]]]:
    """Points of two Gaussian clouds in the plane, some with the wrong label.

    The synthetic set on which papers about online learning with kernels compare their learners [1]_ [2]_ [3]_.
    Both classes are equally likely. The positive class has mean (1, 1), the negative one (-1, -1), and both
    have the covariance diag(0.2, 2). Without noise a line separates the classes but for one point in a
    hundred; with the default noise no rule is right for more than about nine in ten.

    Parameters
    ----------
    n_samples : int
    label_noise : float
        The probability with which each label is flipped.
    random_state : int, numpy.random.RandomState or None
        Equal states make equal sets.

    Returns
    -------
    X : float64 array of shape (n_samples, 2)
    y : int64 array of shape (n_samples,)
        1 and -1.

    References
    ----------
    .. [1] K. Crammer, O. Dekel, J. Keshet, S. Shalev-Shwartz, Y. Singer: Online passive-aggressive
       algorithms. JMLR 7, 2006.
    .. [2] F. Orabona, J. Keshet, B. Caputo: Bounded kernel-based online learning. JMLR 10, 2009.
    .. [3] P. McKenna: Online learning for structural kernels, 2011, section 5.1.

    Examples
    --------
    >>> from hedgerow.datasets import make_two_gaussians
    >>> X, y = make_two_gaussians(1000, label_noise=0, random_state=0)
    >>> X.shape, sorted(set(y.tolist()))
    ((1000, 2), [-1, 1])
    >>> X[y == 1].mean(axis=0).round().tolist(), X[y == -1].mean(axis=0).round().tolist()
    ([1.0, 1.0], [-1.0, -1.0])
    """
    if isinstance(n_samples, bool) or not isinstance(n_samples, int | np.integer) or n_samples < 0:
        raise ValueError(f"n_samples must be a whole number of at least 0, got {n_samples!r}")
    if not 0 <= label_noise <= 1:
        raise ValueError(f"label_noise must be a probability from 0 to 1, got {label_noise!r}")
    random = check_random_state(random_state)
    side = np.where(random.random_sample(n_samples) < 0.5, 1, -1)
    X = side[:, None] * CENTRE + random.standard_normal((n_samples, 2)) * np.sqrt(VARIANCE)
    flipped = random.random_sample(n_samples) < label_noise
    return X, np.where(flipped, -side, side)


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
