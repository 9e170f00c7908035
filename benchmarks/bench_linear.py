"""Learners on weights beside scikit-learn's, in one run, on one thread: examples a second of CPU time.

- One pass over 50,000 examples with 78 of 100,000 features each, in memory as CSR, plain and averaged.
- `partial_fit` with one example a call, CSR and dense.
- How the time grows with the number of features when the nonzeros stay the same: 10^4, 10^6, 10^8.

Contenders take turns, and the shortest of several runs counts, so that a busy machine slows none more than the others.
"""

from __future__ import annotations

import argparse
import warnings
from collections.abc import Callable, Mapping
from functools import partial
from time import process_time
from typing import Any

import numpy as np
import sklearn.linear_model as other
from rich.console import Console
from rich.table import Table
from scipy import sparse
from sklearn.exceptions import ConvergenceWarning
from timing import keep_freed_memory

import hedgerow.online as own
from hedgerow import set_n_jobs

ROWS, FEATURES, NONZEROS = 50_000, 100_000, 78
console = Console(highlight=False, width=140)

ONE_PASS = {"max_iter": 1, "tol": None, "shuffle": False, "fit_intercept": False}
# What scikit-learn has: name, plain, averaged.
OTHERS: dict[str, Callable[..., Any]] = {
    "Perceptron": lambda average: other.SGDClassifier(
        loss="perceptron", penalty=None, learning_rate="constant", eta0=1.0, average=average, **ONE_PASS
    ),
    "PA-I": lambda average: other.SGDClassifier(
        loss="hinge", penalty=None, learning_rate="pa1", eta0=1.0, average=average, **ONE_PASS
    ),
    "SGD": lambda average: other.SGDClassifier(
        loss="hinge", penalty=None, learning_rate="constant", eta0=0.1, average=average, **ONE_PASS
    ),
    "SGD, l1": lambda average: other.SGDClassifier(
        loss="hinge",
        penalty="l1",
        alpha=1e-5,
        learning_rate="constant",
        eta0=0.1,
        average=average,
        **ONE_PASS,
    ),
}
# Ours: how it is made, the contender, and at least how many times as fast it has to be.
OWN: dict[str, tuple[Callable[..., Any], str, float]] = {
    "Perceptron": (own.Perceptron, "Perceptron", 1),
    "PA": (lambda **options: own.PassiveAggressive(variant="PA", **options), "PA-I", 1),
    "PA-I": (lambda **options: own.PassiveAggressive(variant="PA-I", **options), "PA-I", 1),
    "PA-II": (lambda **options: own.PassiveAggressive(variant="PA-II", **options), "PA-I", 1),
    "SGD (truncated gradient, no l1)": (own.TruncatedGradient, "SGD", 1),
    "ROMMA": (own.ROMMA, "SGD", 0.5),
    "aggressive ROMMA": (lambda **options: own.ROMMA(aggressive=True, **options), "SGD", 0.5),
    "positive Winnow": (own.PositiveWinnow, "SGD", 0.5),
    "balanced Winnow": (own.BalancedWinnow, "SGD", 0.5),
    "modified balanced Winnow": (own.ModifiedBalancedWinnow, "SGD", 0.5),
    "truncated gradient, l1": (lambda **options: own.TruncatedGradient(l1=1e-5, **options), "SGD, l1", 2),
    "FOBOS, l1": (lambda **options: own.FOBOS(l1=1e-5, **options), "SGD, l1", 2),
    "RDA, l1": (lambda **options: own.RDA(l1=1e-5, **options), "SGD, l1", 2),
    "voted RDA, l1": (lambda **options: own.RDA(l1=1e-5, update="mistakes", **options), "SGD, l1", 2),
    "FTRL, l1": (lambda **options: own.FTRL(l1=1e-5, **options), "SGD, l1", 2),
    "AROW": (own.AROW, "SGD", 0.5),
    "SCW": (own.SCW, "SGD", 0.5),
}


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rounds", type=int, default=10, help="runs of which the shortest counts")
    rounds = parser.parse_args().rounds
    set_n_jobs(1)
    warnings.simplefilter("ignore", ConvergenceWarning)
    growth(rounds)  # before freed memory is kept, which would have to be cleared for weights of 10^8 features
    keep_freed_memory()
    X, y = examples(ROWS, FEATURES, NONZEROS)
    passes(X, y, rounds)
    single_examples(X, y)


def examples(n: int, width: int, nonzeros: int) -> tuple[sparse.csr_matrix, Any]:
    """Rows of unit length whose features are as unevenly frequent as words, with labels that can be learned."""
    random = np.random.default_rng(0)
    features = (width * random.random((n, nonzeros)) ** 3).astype(np.int32)
    features.sort(axis=1)
    fresh = np.diff(features, axis=1, prepend=-1) > 0  # a feature drawn twice in a row counts once
    begins = np.concatenate([[0], np.cumsum(fresh.sum(axis=1))])
    values = random.random(begins[-1]) + 0.5
    lengths = np.sqrt(np.add.reduceat(values**2, begins[:-1]))
    X = sparse.csr_matrix(
        (values / np.repeat(lengths, np.diff(begins)), features[fresh], begins), shape=(n, width)
    )
    score = X @ random.normal(size=width)
    return X, np.where(score + 0.2 * random.normal(size=n) > 0, 1, -1)


def fastest(runs: Mapping[str, Callable[[], Any]], rounds: int) -> dict[str, float]:
    """Seconds of each contender's shortest run; they take turns, in an order that changes.

    Some slow down whoever comes after them for a tenth of a second.
    """
    seconds = dict.fromkeys(runs, np.inf)
    random = np.random.default_rng(0)
    for _ in range(rounds):
        for name in random.permutation(list(runs)):
            start = process_time()
            runs[name]()
            seconds[name] = min(seconds[name], process_time() - start)
    return seconds


def passes(X: Any, y: Any, rounds: int) -> None:
    table = Table(
        title=f"One pass over {X.shape[0]:,} x {X.shape[1]:,}, {X.nnz / X.shape[0]:.0f} nonzeros a row"
    )
    for heading in ("learner", "plain", "wanted", "averaged", "wanted "):
        table.add_column(heading, justify="left" if heading == "learner" else "right")
    rates: dict[str, dict[str, float]] = {}
    for column, average in (("plain", False), ("averaged", True)):
        runs = {f"scikit-learn {name}": make(average) for name, make in OTHERS.items()}
        runs |= {name: make(averaging="average" if average else None) for name, (make, *_) in OWN.items()}
        fits = {name: partial(learner.fit, X, y) for name, learner in runs.items()}
        for name, seconds in fastest(fits, rounds).items():
            rates.setdefault(name, {})[column] = len(y) / seconds
    for name, rate in rates.items():
        cells = [name]
        for column in ("plain", "averaged"):
            cells.append(f"{rate[column] / 1e6:.2f} million/s")
            cells.append(_wanted(rates, name, column))
        table.add_row(*cells)
    console.print(table)


def _wanted(rates: Mapping[str, Mapping[str, float]], name: str, column: str) -> str:
    if name not in OWN:
        return ""
    _, contender, times = OWN[name]
    ratio = rates[name][column] / rates[f"scikit-learn {contender}"][column]
    return f"{contender} x {times:g}: {ratio:.2f} {_held(ratio >= times)}"


def _held(held: bool) -> str:
    return "[green]held[/]" if held else "[red]not held[/]"


def single_examples(X: Any, y: Any) -> None:
    """Calls of partial_fit a second."""
    n = 2_000
    narrow = X[:n, :200].toarray()
    for kind, rows in (("CSR", [X[i] for i in range(n)]), ("dense", [narrow[i : i + 1] for i in range(n)])):
        learners = {
            "hedgerow": own.Perceptron(averaging="average"),
            "scikit-learn": OTHERS["Perceptron"](True),
        }
        labels = [y[i : i + 1] for i in range(n)]
        rates = {}
        for name, learner in learners.items():
            learner.partial_fit(rows[0], labels[0], classes=[-1, 1])

            def run(learner: Any = learner, rows: Any = rows, labels: Any = labels) -> None:
                for row, label in zip(rows, labels, strict=True):
                    learner.partial_fit(row, label)

            rates[name] = n / fastest({name: run}, 2)[name]
        ratio = rates["hedgerow"] / rates["scikit-learn"]
        console.print(
            f"partial_fit of one row, {kind}: {rates['hedgerow']:,.0f} calls a second, scikit-learn "
            f"{rates['scikit-learn']:,.0f}: {ratio:.1f} times as many (10 wanted: {_held(ratio >= 10)})"
        )


def growth(rounds: int) -> None:
    """The same examples, their features spread over more and more columns.

    The first pass also gets memory from the system: a page for every feature, once they lie far apart.
    """
    X, y = examples(20_000, 10_000, NONZEROS)
    makers: dict[str, Callable[[], Any]] = {
        "perceptron": lambda: own.Perceptron(averaging="average"),
        "RDA": lambda: own.RDA(l1=1e-5, averaging="average"),
    }
    for name, make in makers.items():
        figures = []
        for width in (10**4, 10**6, 10**8):
            indices = X.indices * np.int32(width // 10**4)
            spread = sparse.csr_matrix((X.data, indices, X.indptr), shape=(len(y), width))
            learner = make()
            first = fastest({name: partial(learner.fit, spread, y)}, 1)[name]
            further = fastest({name: partial(learner.partial_fit, spread, y)}, rounds)[name]
            figures.append(f"10^{len(str(width)) - 1}: {1e3 * first:.0f} and {1e3 * further:.0f} ms")
        console.print(
            f"{name}, averaged, {len(y):,} examples, {X.nnz:,} nonzeros; first and further passes by number of "
            f"features: {', '.join(figures)}"
        )


if __name__ == "__main__":
    main()
