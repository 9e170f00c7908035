"""Which problem does a program solve? Learns from syntax trees of source code, in any language that tree-sitter knows.

Programs come from a folder that has a folder for each label, or from a file of lines (gzip or not): the label, a tab,
and the source as a JSON string. Fragments of syntax trees are hashed to columns, weighted by tf-idf, and learned by a
passive-aggressive learner of all classes at once; n-grams of tokens with a support vector machine are the baseline.
Without any files, the small programs beside this script are learned.

    python examples/classify_programs.py
    python examples/classify_programs.py train.tsv.gz test.tsv.gz --language cpp
    python examples/classify_programs.py programs/ --names kind
"""

from __future__ import annotations

import argparse
import gzip
import json
from collections import Counter
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np
from rich.console import Console
from rich.table import Table
from sklearn.feature_extraction.text import CountVectorizer, TfidfTransformer
from sklearn.metrics import confusion_matrix, precision_recall_fscore_support
from sklearn.model_selection import train_test_split
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.svm import LinearSVC

from hedgerow import Forest
from hedgerow.feature_extraction import FragmentHasher
from hedgerow.inspection import fragments
from hedgerow.online import PassiveAggressive

SMALL = Path(__file__).with_name("programs")
TOKENS = r"[^\W\d]\w*|\d[\w.]*|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'|[-+*/%<>=!&|^]+|[^\w\s]"
console = Console(highlight=False, soft_wrap=True)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "train", nargs="?", type=Path, default=SMALL, help="folder or file of programs to learn"
    )
    parser.add_argument("test", nargs="?", type=Path, help="likewise, to test; else a quarter of the others")
    parser.add_argument("--language", help="name or file ending; default: of each file in a folder, else cpp")
    parser.add_argument(
        "--names", choices=["keep", "kind"], default="keep", help="of variables and functions"
    )
    parser.add_argument("--worst", type=int, default=8, help="classes to show; default 8")
    parser.add_argument("--no-baseline", action="store_true", help="leave out n-grams of tokens")
    options = parser.parse_args()

    start = perf_counter()
    sources, labels, languages = programs(options.train, options.language)
    if options.test:
        parts = [(sources, labels, languages), programs(options.test, options.language)]
    else:
        split = train_test_split(*(sources, labels, languages), stratify=labels, random_state=0)
        parts = [split[::2], split[1::2]]
    (trees, y), (test_trees, y_test) = [
        (Forest.from_source(code, language, identifiers=options.names), np.array(given))
        for code, given, language in parts
    ]
    console.print(
        f"{len(y)} programs to learn, {len(y_test)} to test, {len(set(y))} classes; "
        f"read and parsed in {perf_counter() - start:.1f} s"
    )
    predicted, model = tried("fragments of trees", by_fragments(), trees, y, test_trees, y_test)
    if not options.no_baseline:
        tried("n-grams of tokens", by_tokens(), parts[0][0], y, parts[1][0], y_test)
    show_classes(y_test, predicted, options.worst)
    show_fragments(model, trees, y_test, predicted)


def by_fragments() -> Pipeline:
    # Chosen on a fifth of the training programs of POJ-104, held out.
    return make_pipeline(
        FragmentHasher(n_features=2**20, norm="none"),
        TfidfTransformer(),
        PassiveAggressive(
            multiclass="direct", C=0.3, epochs=5, shuffle=True, averaging="average", random_state=0
        ),
    )


def by_tokens() -> Pipeline:
    vectorizer = CountVectorizer(
        token_pattern=TOKENS, lowercase=False, ngram_range=(1, 3), binary=True, min_df=2
    )
    return make_pipeline(vectorizer, TfidfTransformer(), LinearSVC(C=1.0))


def tried(name: str, model: Pipeline, X: Any, y: Any, X_test: Any, y_test: Any) -> tuple[Any, Pipeline]:
    start = perf_counter()
    predicted = model.fit(X, y).predict(X_test)
    accuracy = (predicted == y_test).mean()
    console.print(f"{name}: accuracy {accuracy:.4f} in {perf_counter() - start:.1f} s")
    return predicted, model


# -- data -----------------------------------------------------------------------------------------------------------


def programs(path: Path, language: str | None) -> tuple[list[str], list[str], list[str]]:
    """Sources, labels, and the language of each source."""
    if path.is_dir():
        files = sorted(file for file in path.glob("*/*") if file.is_file())
        sources = [file.read_text(encoding="utf-8", errors="replace") for file in files]
        return sources, [file.parent.name for file in files], [language or file.suffix for file in files]
    opened = gzip.open if path.suffix == ".gz" else open
    with opened(path, "rt", encoding="utf-8") as lines:
        rows = [line.rstrip("\n").split("\t", 1) for line in lines]
    return (
        [json.loads(code) for _, code in rows],
        [label for label, _ in rows],
        [language or "cpp"] * len(rows),
    )


# -- report ---------------------------------------------------------------------------------------------------------


def show_classes(y: Any, predicted: Any, n_worst: int) -> None:
    """The classes with the lowest F1, and what they are taken for."""
    classes = np.unique(np.concatenate([y, predicted]))
    figures = np.array(
        precision_recall_fscore_support(y, predicted, labels=classes, zero_division=0.0), dtype=float
    )
    confused = confusion_matrix(y, predicted, labels=classes)
    np.fill_diagonal(confused, 0)
    table = Table(
        title=f"{min(n_worst, len(classes))} hardest of {len(classes)} classes", title_justify="left"
    )
    for name in ("class", "programs", "precision", "recall", "F1", "taken for"):
        table.add_column(name, justify="left" if name in ("class", "taken for") else "right")
    for k in np.argsort(figures[2], kind="stable")[:n_worst]:
        others = [j for j in np.argsort(-confused[k], kind="stable")[:3] if confused[k, j]]
        taken_for = ", ".join(f"{classes[j]} ({confused[k, j]})" for j in others)
        table.add_row(
            str(classes[k]), f"{figures[3, k]:.0f}", *(f"{f:.3f}" for f in figures[:3, k]), taken_for
        )
    console.print(table)


def show_fragments(model: Pipeline, trees: Forest, y_test: Any, predicted: Any) -> None:
    """What the learner goes by for the two classes that are confused most."""
    wrong = Counter(zip(y_test[predicted != y_test], predicted[predicted != y_test], strict=True))
    pair = list(wrong.most_common(1)[0][0]) if wrong else list(model.classes_[:2])
    found = fragments(model, trees, 12)
    console.print(f"\n{found.only(pair)}", markup=False)


if __name__ == "__main__":
    main()
