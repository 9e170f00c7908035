"""Programs by the problem that they solve (POJ-104): fragments of syntax trees against n-grams of tokens.

Accuracy on the development part with 1, 10, 50 and all programs a class to learn from, names kept and replaced by their
kind. The C of all is chosen on a fifth of the programs to learn from, held out (with one a class it is 1). Seconds are
those of features, learning and prediction; parsing is told apart. Kernel machines learn from at most 50 a class and are
tested on the first 10 of each class, since they compare every program with every other.
"""

from __future__ import annotations

import argparse
import gzip
import json
import re
from time import perf_counter
from typing import Any

import numpy as np
from data import DATA
from rich.console import Console
from rich.table import Table
from sklearn.feature_extraction.text import CountVectorizer, TfidfTransformer
from sklearn.model_selection import train_test_split
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.svm import LinearSVC

from hedgerow import Forest
from hedgerow.feature_extraction import FragmentHasher
from hedgerow.kernels import parse_kernel
from hedgerow.online import PassiveAggressive
from hedgerow.svm import SVC

FOLDER = DATA / "poj104"
TOKEN = re.compile(r"[^\W\d]\w*|\d[\w.]*|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'|[-+*/%<>=!&|^]+|[^\w\s]")
KEYWORD = re.compile(
    r"auto|bool|break|case|char|class|const|continue|default|define|delete|do|double|else|enum|extern|"
    r"false|float|for|goto|if|include|inline|int|long|namespace|new|operator|private|public|register|"
    r"return|short|signed|sizeof|static|struct|switch|template|this|true|typedef|union|unsigned|using|"
    r"virtual|void|volatile|while"
)
CHOICES = {"fragments": (0.1, 0.3, 1.0, 10.0), "tokens": (0.3, 1.0, 3.0, 10.0)}
KERNELS, KERNEL_SIZES, KERNEL_CHOICES, KERNEL_TESTS = ("pt", "subpath"), (50,), (1.0, 10.0, 100.0), 10
console = Console(highlight=False, width=120)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", default="1,10,50,300", help="programs a class; default 1,10,50,300")
    parser.add_argument("--tests", type=int, default=10**9, help="programs a class to test; default all")
    parser.add_argument("--no-kernels", action="store_true", help="leave out kernel machines")
    options = parser.parse_args()
    if not FOLDER.is_dir():
        console.print(f"no programs in {FOLDER} (set HEDGEROW_DATA)")
        return
    sizes = [int(size) for size in options.sizes.split(",")]
    (code, y), (test_code, y_test) = read("train", max(sizes)), read("dev", options.tests)
    table = Table(title=f"Accuracy on {len(y_test)} programs of {len(set(y))} problems", title_justify="left")
    for name in ("names", "features", "a class", "C", "accuracy", "seconds"):
        table.add_column(name, justify="left" if name in ("names", "features") else "right")
    for names in ("keep", "kind"):
        start = perf_counter()
        trees, test_trees = (Forest.from_source(some, "cpp", identifiers=names) for some in (code, test_code))
        console.print(f"names: {names}; parsed in {perf_counter() - start:.1f} s")
        texts, test_texts = ([tokens(one, names) for one in some] for some in (code, test_code))
        for size in sizes:
            rows = some_of_each(y, size)
            for kind, X, X_test in (("fragments", trees, test_trees), ("tokens", texts, test_texts)):
                given = X[rows] if kind == "fragments" else [X[row] for row in rows]
                figures = by_features(kind, given, y[rows], size, X_test, y_test)
                add(table, names, kind, size, figures)
            if size in KERNEL_SIZES and not options.no_kernels:
                tests = some_of_each(y_test, KERNEL_TESTS)
                for kernel in KERNELS:
                    figures = by_kernel(kernel, trees[rows], y[rows], test_trees[tests], y_test[tests])
                    add(table, names, kernel, size, figures)
    console.print(table)


def add(table: Table, names: str, kind: str, size: int, figures: tuple[str, str, str]) -> None:
    table.add_row(names, kind, str(size), *figures)
    console.print(names, kind, size, *figures)


def by_features(kind: str, X: Any, y: Any, size: int, X_test: Any, y_test: Any) -> tuple[str, str, str]:
    """C, accuracy and seconds of a learner on weights."""
    C = chosen(kind, X, y, size)
    start = perf_counter()
    accuracy = model(kind, C).fit(X, y).score(X_test, y_test)
    return f"{C:g}", f"{accuracy:.4f}", f"{perf_counter() - start:.1f}"


def model(kind: str, C: float) -> Pipeline:
    if kind == "tokens":
        words = CountVectorizer(analyzer=n_grams, binary=True)
        return make_pipeline(words, TfidfTransformer(), LinearSVC(C=C))
    learner = PassiveAggressive(
        multiclass="direct", C=C, epochs=5, shuffle=True, averaging="average", random_state=0
    )
    return make_pipeline(FragmentHasher(norm="none"), TfidfTransformer(), learner)


def by_kernel(name: str, X: Any, y: Any, X_test: Any, y_test: Any) -> tuple[str, str, str]:
    """C, accuracy and seconds of an exact machine on one matrix of kernel values."""
    start = perf_counter()
    kernel = parse_kernel(name)
    values, test_values = kernel(X), kernel(X_test, X)
    learn, held = train_test_split(np.arange(len(y)), test_size=0.2, stratify=y, random_state=0)

    def accuracy(C: float, rows: Any, tests: Any, labels: Any) -> float:
        machine = SVC("precomputed", C=C).fit(values[np.ix_(rows, rows)], y[rows])
        return float(machine.score(tests[:, rows], labels))

    C = max(KERNEL_CHOICES, key=lambda C: accuracy(C, learn, values[held], y[held]))
    reached = accuracy(C, np.arange(len(y)), test_values, y_test)
    return f"{C:g}", f"{reached:.4f}", f"{perf_counter() - start:.1f}"


def chosen(kind: str, X: Any, y: Any, size: int) -> float:
    """The C that is best on a fifth of the examples."""
    if size < 5:
        return 1.0
    learn, held = train_test_split(np.arange(len(y)), test_size=0.2, stratify=y, random_state=0)

    def part(rows: Any) -> Any:
        return X[rows] if kind == "fragments" else [X[row] for row in rows]

    def accuracy(C: float) -> float:
        return float(model(kind, C).fit(part(learn), y[learn]).score(part(held), y[held]))

    return max(CHOICES[kind], key=accuracy)


def some_of_each(y: Any, size: int) -> Any:
    """The first examples of every class."""
    return np.sort(np.concatenate([np.flatnonzero(y == label)[:size] for label in np.unique(y)]))


def tokens(code: str, names: str) -> list[str]:
    found = TOKEN.findall(code)
    if names == "keep":
        return found
    return ["name" if token[0].isalpha() and not KEYWORD.fullmatch(token) else token for token in found]


def n_grams(found: list[str]) -> list[str]:
    return [" ".join(found[i : i + n]) for n in (1, 2, 3) for i in range(len(found) - n + 1)]


def read(part: str, size: int) -> tuple[list[str], Any]:
    """Sources and labels of at most so many programs of every class."""
    with gzip.open(FOLDER / f"{part}.tsv.gz", "rt", encoding="utf-8") as lines:
        rows = [line.split("\t", 1) for line in lines]
    labels = np.array([label for label, _ in rows])
    kept = some_of_each(labels, size)
    return [json.loads(rows[i][1]) for i in kept], labels[kept]


if __name__ == "__main__":
    main()
