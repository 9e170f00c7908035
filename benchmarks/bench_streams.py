"""Streams of SVM-light's lines, 50,000 examples of 78 features, on one thread: reading, and reading with learning.

Rows a second, beside scikit-learn's reader and `SGDClassifier` on the same text in one run. The text comes from a file
that the system has in memory; values have three digits, or as many as a double needs. Vowpal Wabbit, where it is
installed (`make bench-peers`), reads the same rows in its own format, on one thread more than the one that learns.
"""

from __future__ import annotations

import re
import tempfile
from collections import deque
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Console
from sklearn.datasets import load_svmlight_file
from sklearn.linear_model import SGDClassifier
from timing import best_time, keep_freed_memory

from hedgerow import set_n_jobs
from hedgerow.io import iter_svmlight
from hedgerow.model_selection import progressive_validation
from hedgerow.online import Perceptron

ROWS, WIDTH, NONZEROS = 50_000, 100_000, 78
console = Console(highlight=False, width=140)


def main() -> None:
    set_n_jobs(1)
    keep_freed_memory()
    with tempfile.TemporaryDirectory() as folder:
        for name, written in {"three digits": "{:.3g}", "all digits": "{!r}"}.items():
            path = Path(folder, "examples.svm")
            path.write_text(_lines(written))
            path.with_suffix(".vw").write_text(
                re.sub("^(..) ", r"\1 | ", path.read_text(), flags=re.MULTILINE)
            )
            compare(name, path)


def compare(name: str, path: Path) -> None:
    size = path.stat().st_size
    console.print(f"[bold]{name}[/bold]: {size / ROWS:.0f} bytes a row")
    runs: dict[str, Callable[[], Any]] = {
        "scikit-learn: load_svmlight_file": lambda: load_svmlight_file(str(path)),
        "hedgerow: iter_svmlight": lambda: deque(iter_svmlight(path), maxlen=0),
        "scikit-learn: and SGDClassifier": lambda: _scikit_learn(path),
        "hedgerow: and Perceptron": lambda: _learn(Perceptron(), path),
        "hedgerow: and Perceptron, averaged": lambda: _learn(Perceptron(averaging="average"), path),
        "hedgerow: the same, progressive": lambda: progressive_validation(
            Perceptron(averaging="average"), iter_svmlight(path), classes=[-1, 1]
        ),
    }
    if find_spec("vowpalwabbit") is None:
        console.print("  Vowpal Wabbit is not installed (make bench-peers installs it)")
    else:
        runs["Vowpal Wabbit, hinge loss"] = lambda: _vowpal_wabbit(path.with_suffix(".vw"))
    for what, run in runs.items():
        seconds = best_time(run, repeat=5)
        console.print(f"  {what:36}{ROWS / seconds:>12,.0f} rows a second, {size / seconds / 1e6:5.0f} MB/s")


def _learn(model: Perceptron, path: Path) -> None:
    for X, y in iter_svmlight(path):
        model.partial_fit(X, y, classes=[-1, 1])


def _scikit_learn(path: Path) -> None:
    X, y = load_svmlight_file(str(path))
    X.indices, X.indptr = X.indices.astype(np.int32), X.indptr.astype(np.int32)  # it takes no others
    learner = SGDClassifier(loss="perceptron", learning_rate="constant", eta0=1.0, penalty=None)
    learner.partial_fit(X, y, classes=[-1, 1])


def _vowpal_wabbit(path: Path) -> None:
    from vowpalwabbit import Workspace

    with Workspace(data=str(path), loss_function="hinge", noconstant=True, quiet=True) as learner:
        assert learner.get_weighted_examples() == ROWS


def _lines(written: str) -> str:
    random = np.random.default_rng(0)
    truth = random.normal(size=WIDTH)
    lines = []
    for _ in range(ROWS):
        features = np.unique(random.integers(0, WIDTH, NONZEROS))
        values = np.abs(random.normal(size=len(features)))
        label = "+1" if values @ truth[features] > 0 else "-1"
        pairs = zip((features + 1).tolist(), values.tolist(), strict=True)
        lines.append(f"{label} {' '.join(f'{j}:{written.format(value)}' for j, value in pairs)}\n")
    return "".join(lines)


if __name__ == "__main__":
    main()
