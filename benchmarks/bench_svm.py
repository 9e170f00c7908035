"""The exact support vector machine beside scikit-learn's, in one run, one thread each, with the same cache.

Times are those of the CPU: with one thread they are what the clock says on an idle machine.

- Questions (QC), six classes one against the rest, normalised subset trees, kernel included; scikit-learn's machines
  get the finished Gram matrix.
- a9a with RBF 0.04 and C = 1, as CSR: training, and prediction of the test part. scikit-learn takes a minute for all
  32,561 examples, so without `--full` it is the first 8,000.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from time import process_time
from typing import Any

import numpy as np
import sklearn.svm
from data import DATA
from rich.console import Console
from sklearn.multiclass import OneVsRestClassifier

from hedgerow import set_n_jobs
from hedgerow.datasets import load_questions
from hedgerow.kernels import RBF, Normalized, SubsetTree
from hedgerow.svm import SVC
from hedgerow_papers.datasets import load_adult, load_question_types

CACHE = 1000  # megabytes
SUBSET = 8_000
console = Console(highlight=False, soft_wrap=True)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--full", action="store_true", help="all of a9a (two minutes)")
    full = parser.parse_args().full
    set_n_jobs(1)
    if not DATA.is_dir():
        console.print(
            f"no data folder at {DATA} (set HEDGEROW_DATA): the questions that ship; a9a is left out"
        )
        trees, y = load_questions()
        questions(trees[::2], y[::2], trees[1::2], y[1::2])
        return
    questions(*load_question_types(DATA, "train"), *load_question_types(DATA, "test"))
    adult(None if full else SUBSET)


def questions(X: Any, y: Any, X_test: Any, y_test: Any) -> None:
    kernel = Normalized(SubsetTree(decay=0.4))
    kernel(X)  # memory that is touched for the first time may cost more than all the rest
    own, seconds = timed(lambda: SVC(kernel, cache_size=CACHE).fit(X, y))
    gram, gram_seconds = timed(lambda: kernel(X))
    machines = OneVsRestClassifier(sklearn.svm.SVC(kernel="precomputed", cache_size=CACHE))
    other, other_seconds = timed(lambda: machines.fit(gram, y))
    console.print(
        f"questions, {len(y):,} of six classes, SST: {seconds:.2f} s with the kernel; its Gram matrix alone "
        f"{gram_seconds:.2f} s, and scikit-learn's machines on that {other_seconds:.2f} s more "
        f"({(gram_seconds + other_seconds) / seconds:.1f} times as long)"
    )
    report("accuracy", own.score(X_test, y_test), other.score(kernel(X_test, X), y_test))


def adult(n: int | None) -> None:
    (X, y), (X_test, y_test) = load_adult(DATA, "train"), load_adult(DATA, "test")
    X, y = X[:n], y[:n]
    own, own_seconds = timed(lambda: SVC(RBF(gamma=0.04), C=1.0, cache_size=CACHE).fit(X, y))
    other, other_seconds = timed(lambda: sklearn.svm.SVC(gamma=0.04, C=1.0, cache_size=CACHE).fit(X, y))
    compare(f"a9a, {len(y):,} examples, RBF, training", own_seconds, other_seconds)
    own_labels, own_seconds = timed(lambda: own.predict(X_test))
    other_labels, other_seconds = timed(lambda: other.predict(X_test))
    compare(f"a9a, prediction of {len(y_test):,}", own_seconds, other_seconds)
    report("accuracy", np.mean(own_labels == y_test), np.mean(other_labels == y_test))
    report("support vectors", own.n_support_, int(other.n_support_.sum()))
    console.print(f"  the same predictions: {np.mean(own_labels == other_labels):.2%}")


def timed(run: Callable[[], Any]) -> tuple[Any, float]:
    """The result, and the seconds that it took."""
    start = process_time()
    result = run()
    return result, process_time() - start


def compare(what: str, own: float, other: float) -> None:
    console.print(f"{what}: {own:.2f} s, scikit-learn {other:.2f} s: {other / own:.1f} times as long")


def report(what: str, own: float, other: float) -> None:
    console.print(f"  {what}: {own:,.5g}, scikit-learn {other:,.5g}")


if __name__ == "__main__":
    main()
