"""Many classes on weights, on one thread: CPU seconds to learn in one pass and to predict, for 2 to 1,000 classes.

Rows have 300 of 2^18 features each, drawn as words of texts are: some often, most seldom. Beside PA-I one against the
rest and PA-I of all classes at once stand one learner for each class alone, which needs the same arithmetic, and
scikit-learn's PA-I one against the rest. Their ratios to hedgerow's are printed.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from time import process_time
from typing import Any

import numpy as np
from rich.console import Console
from rich.table import Table
from scipy import sparse
from sklearn.linear_model import SGDClassifier
from timing import keep_freed_memory

from hedgerow import set_n_jobs
from hedgerow.online import AROW, PassiveAggressive

FEATURES, NONZEROS = 2**18, 300


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--classes", default="2,6,20,104,1000", help="numbers of classes, from 2,6,20,104,1000"
    )
    wanted = parser.parse_args().classes.split(",")
    keep_freed_memory()
    set_n_jobs(1)
    console = Console(highlight=False, width=140)
    table = Table(
        title="CPU seconds, and times of others as multiples of one against the rest", title_justify="left"
    )
    for name in ("classes", "rows", "", "fit", "predict", "fit, ratio", "predict, ratio"):
        table.add_column(name, justify="left" if name == "" else "right")
    for n_classes, n in ((2, 20_000), (6, 10_000), (20, 5_000), (104, 2_000), (1_000, 1_000)):
        if str(n_classes) not in wanted:
            continue
        X, y = rows(n, n_classes)
        ours: tuple[float, float] | None = None
        for name, run in contenders(n_classes).items():
            fit, predict = run(X, y)
            ours = ours or (fit, predict)
            ratios = (f"{fit / ours[0]:.2f}", f"{predict / ours[1]:.2f}")
            table.add_row(str(n_classes), str(n), name, f"{fit:.3f}", f"{predict:.3f}", *ratios)
        table.add_section()
    console.print(table)


def rows(n: int, n_classes: int) -> tuple[Any, Any]:
    random = np.random.default_rng(0)
    ranks = np.minimum(random.zipf(1.3, size=(n, NONZEROS)), FEATURES) - 1
    columns = (ranks * 2_654_435_761) % FEATURES
    X = sparse.csr_matrix(
        (np.ones(n * NONZEROS), columns.ravel(), np.arange(0, n * NONZEROS + 1, NONZEROS)), (n, FEATURES)
    )
    X.sum_duplicates()
    return X, random.integers(n_classes, size=n)


def contenders(n_classes: int) -> dict[str, Callable[[Any, Any], tuple[float, float]]]:
    def alone(X: Any, y: Any) -> tuple[float, float]:
        classes = np.unique(y)  # of a thousand, some are never drawn
        some = classes[:10]  # the others take as long
        spent = sum(np.array(timed(PassiveAggressive(), X, y == k)) for k in some)
        return tuple(spent * len(classes) / len(some))

    found: dict[str, Callable[[Any, Any], tuple[float, float]]] = {
        "one against the rest": lambda X, y: timed(PassiveAggressive(), X, y),
        "direct": lambda X, y: timed(PassiveAggressive(multiclass="direct"), X, y),
        "direct, averaged": lambda X, y: timed(
            PassiveAggressive(multiclass="direct", averaging="average"), X, y
        ),
        "direct, AROW": lambda X, y: timed(AROW(multiclass="direct"), X, y),
    }
    if n_classes > 2:
        found["a learner for each class"] = alone
    if n_classes <= 104:
        other = SGDClassifier(
            loss="hinge",
            penalty=None,
            learning_rate="pa1",
            eta0=1.0,
            max_iter=1,
            tol=None,
            fit_intercept=False,
        )
        found["scikit-learn"] = lambda X, y: timed(other, X, y)
    return found


def timed(model: Any, X: Any, y: Any, repeat: int = 3) -> tuple[float, float]:
    """The shortest of several runs."""
    fits, predictions = [], []
    for _ in range(repeat):
        start = process_time()
        model.fit(X, y)
        fits.append(process_time() - start)
        start = process_time()
        model.decision_function(X)
        predictions.append(process_time() - start)
    return min(fits), min(predictions)


if __name__ == "__main__":
    main()
