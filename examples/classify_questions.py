"""What does a question ask for? Learners on parse trees, beside a support vector machine on words.

Reads the questions that ship with hedgerow and compares their parses with the subset tree kernel:
cross-validates an online learner, which works on the trees themselves, and scikit-learn's SVC on the matrix of
kernel values.

    python examples/classify_questions.py
"""

from __future__ import annotations

from time import perf_counter

import numpy as np
from rich.console import Console
from rich.table import Table
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.metrics import confusion_matrix
from sklearn.model_selection import GridSearchCV, StratifiedKFold, cross_val_predict
from sklearn.pipeline import make_pipeline
from sklearn.svm import SVC, LinearSVC

from hedgerow.datasets import load_questions
from hedgerow.kernels import Normalized, SubsetTree
from hedgerow.online import PassiveAggressive

FOLDS = StratifiedKFold(n_splits=5, shuffle=True, random_state=0)
C_VALUES = [0.1, 1, 10, 100]


def main() -> None:
    console = Console()
    trees, y = load_questions()
    texts = [" ".join(tree.leaves()) for tree in trees]
    classes = np.unique(y)
    console.print(f"{len(trees)} questions, {trees.n_nodes} nodes, classes {', '.join(classes)}\n")
    console.print(f"[bold]{texts[1]}[/]  ({y[1]})\n{trees[1]}\n", highlight=False)

    kernel = Normalized(SubsetTree(decay=0.4))
    start = perf_counter()
    K = kernel(trees)
    seconds = perf_counter() - start
    console.print(f"Gram matrix of {kernel}: {len(K)} x {len(K)} in {1000 * seconds:.1f} ms\n")

    # All models choose their C from the same values, within the training part of each fold.
    online = PassiveAggressive(kernel, averaging="average", epochs=5)
    online = GridSearchCV(online, {"C": C_VALUES}, cv=3)
    by_online = cross_val_predict(online, trees, y, cv=FOLDS)
    tree_svm = GridSearchCV(SVC(kernel="precomputed"), {"C": C_VALUES}, cv=3)
    by_trees = cross_val_predict(tree_svm, K, y, cv=FOLDS)
    word_svm = make_pipeline(CountVectorizer(analyzer=str.split), LinearSVC(max_iter=100_000))
    word_svm = GridSearchCV(word_svm, {"linearsvc__C": C_VALUES}, cv=3)
    by_words = cross_val_predict(word_svm, texts, y, cv=FOLDS)

    predictions = {
        "parse trees, Passive-Aggressive": by_online,
        "parse trees, SVC": by_trees,
        "bag of words, LinearSVC": by_words,
    }
    console.print(accuracy_table(y, predictions))
    console.print(confusion_table(y, by_online, classes))
    console.print(neighbour_table(K, texts, y))


def accuracy_table(y: np.ndarray, predictions: dict[str, np.ndarray]) -> Table:
    table = Table(title="Accuracy by fold", title_justify="left")
    table.add_column("model")
    tests = [test for _, test in FOLDS.split(y, y)]
    for number in range(1, len(tests) + 1):
        table.add_column(str(number), justify="right")
    table.add_column("all", justify="right", style="bold")
    for name, predicted in predictions.items():
        right = predicted == y
        table.add_row(name, *(f"{right[test].mean():.1%}" for test in tests), f"{right.mean():.1%}")
    return table


def confusion_table(y: np.ndarray, predicted: np.ndarray, classes: np.ndarray) -> Table:
    table = Table(title="Passive-Aggressive: class (rows), predicted (columns)", title_justify="left")
    table.add_column("")
    for name in classes:
        table.add_column(name, justify="right")
    counts = confusion_matrix(y, predicted, labels=classes)
    for i, name in enumerate(classes):
        cells = [f"[bold]{n}[/]" if i == j else str(n) if n else "." for j, n in enumerate(counts[i])]
        table.add_row(name, *cells)
    return table


def neighbour_table(K: np.ndarray, texts: list[str], y: np.ndarray) -> Table:
    table = Table(title="A question of each class and its nearest neighbour", title_justify="left")
    table.add_column("question")
    table.add_column("nearest by kernel value")
    table.add_column("value", justify="right")
    for i in np.unique(y, return_index=True)[1]:
        values = K[i].copy()
        values[i] = -np.inf
        j = int(values.argmax())
        table.add_row(f"{texts[i]}  ({y[i]})", f"{texts[j]}  ({y[j]})", f"{values[j]:.3f}")
    return table


if __name__ == "__main__":
    main()
