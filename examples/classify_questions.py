"""What does a question ask for? What hedgerow chooses for parse trees, beside the same machine on words.

Learns from the questions that ship with hedgerow, shows how well it does and why, and writes a page about it:

    python examples/classify_questions.py
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
from rich.console import Console
from rich.table import Table
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.model_selection import StratifiedKFold, learning_curve, train_test_split
from sklearn.pipeline import make_pipeline

import hedgerow
from hedgerow.datasets import load_questions
from hedgerow.inspection import curve_text, explain, fragments, tree_text
from hedgerow.kernels import Linear, Normalized
from hedgerow.report import Report
from hedgerow.svm import SVC

PAGE = Path("demo-output/report.html")
MODEL = Path("demo-output/questions.model")
SHOWN = 10  # a question
FOLDS = StratifiedKFold(n_splits=5, shuffle=True, random_state=0)

console = Console(highlight=False)


def main() -> None:
    trees, y = load_questions()
    texts = [" ".join(tree.leaves()) for tree in trees]
    console.print(
        f"{len(trees)} questions ask for an abbreviation, a description, a thing (ENTY), a person (HUM), a place or "
        f"a number. They come as parse trees; this one asks for {y[SHOWN]}:\n"
    )
    console.print(f"[bold]{texts[SHOWN]}[/]\n{tree_text(trees[SHOWN])}\n")

    train, test = train_test_split(np.arange(len(y)), test_size=0.25, stratify=y, random_state=0)
    by_trees = hedgerow.auto(trees[train], y[train])
    console.print(f"[bold]hedgerow.auto[/] chose {by_trees}: {by_trees.chosen_}\n")
    # The same machine on counts of words, for comparison.
    by_words = make_pipeline(
        CountVectorizer(analyzer=str.split, dtype=float), SVC(Normalized(Linear()), C=by_trees.C)
    )
    some_texts = [texts[i] for i in train]
    compare({"parse trees": (by_trees, trees[train]), "bag of words": (by_words, some_texts)}, y[train])

    console.print("[bold]What it has learned:[/] the fragments with the largest weights, class by class")
    console.print(fragment_table(by_trees))

    question = next(i for i in test if y[i] == by_trees.predict(trees[[i]])[0] == "LOC")
    why = explain(by_trees, trees[[question]], n_largest=3)[0]
    console.print(f"\n[bold]Why[/] “{texts[question]}” asks for {why.predicted}:\n{why.main}\n")

    report = Report("What does a question ask for?").add(by_trees, "parse trees")
    report.add_evaluation(by_trees, trees[test], y[test], f"{len(test)} questions that were not learned from")
    report.add(why, f"Why “{texts[question]}” asks for {why.predicted}")
    PAGE.parent.mkdir(exist_ok=True)
    report.write(PAGE)
    console.print(f"More is on the page [bold]{PAGE}[/]: open it in a browser.")
    hedgerow.save(by_trees, MODEL)
    data = MODEL.with_suffix(".data")
    console.print(
        "To ask it, correct it and watch it learn (needs the extra serve):\n"
        f"[bold]hedgerow serve {MODEL} --data {data}[/]"
    )


def compare(models: dict[str, tuple], y: np.ndarray) -> None:
    """Accuracy in cross-validation, by the number of questions that a model has learned from."""
    curves = {}
    for name, (model, X) in models.items():
        sizes, _, scores = learning_curve(model, X, y, cv=FOLDS, train_sizes=np.linspace(0.1, 1, 10))
        curves[name] = (sizes, 100 * scores.mean(axis=1))
        console.print(f"{name:>12}: accuracy [bold]{scores[-1].mean():.1%}[/] ± {scores[-1].std():.1%}")
    console.print("\n[bold]Accuracy[/] in percent, by the number of questions learned from:")
    console.print(f"{curve_text(curves, x_label='questions')}\n")


def fragment_table(model: SVC) -> Table:
    table = Table(box=None, pad_edge=False, show_header=False)
    for label in model.classes_:
        best = fragments(model, 3, label=label, sign="for")
        table.add_row(f"[bold]{label}[/]", *(f"{fragment.weight:+.2f} {fragment}" for fragment in best))
    return table


if __name__ == "__main__":
    main()
