"""Finds the noun phrases of sentences: a label for every word, searched for together.

Sentences come in columns, a token a line with its label last and a blank line between sentences (as in CoNLL 2000);
without any, they are made of the parsed questions that ship with hedgerow. A structured perceptron and a structured
support vector machine learn; a look at each word alone, without its neighbours' labels, is the baseline.

    python examples/chunk_sentences.py
    python examples/chunk_sentences.py train.txt test.txt
"""

from __future__ import annotations

import argparse
from time import perf_counter

from rich.console import Console
from rich.table import Table

from hedgerow import Tree
from hedgerow.datasets import load_questions
from hedgerow.io import read_columns
from hedgerow.structured import LabelSequence, SequenceSVC, StructuredPerceptron, span_scores

Words, Labels = list[list[str]], list[list[str]]


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("files", nargs="*", help="training and test sentences in columns")
    files = parser.parse_args().files
    (X, Y), (X_test, Y_test) = [columns(file) for file in files] if files else questions()
    compare(X, Y, X_test, Y_test)


def compare(X: Words, Y: Labels, X_test: Words, Y_test: Labels) -> None:
    console = Console(highlight=False)
    features = {"templates": "names", "constraints": "bio"}
    learners = {
        "each word alone": SequenceSVC(0.1, order=0, templates="names", random_state=0),
        "perceptron, averaged": StructuredPerceptron(
            LabelSequence(**features), averaging="average", epochs=5
        ),
        "support vector machine": SequenceSVC(0.1, **features, random_state=0),
    }
    table = Table(title=f"{len(X)} sentences to learn from, {len(X_test)} to test", title_justify="left")
    for name in ("learner", "precision", "recall", "F1 of phrases", "seconds"):
        table.add_column(name, justify="left" if name == "learner" else "right")
    for name, learner in learners.items():
        start = perf_counter()
        learner.fit(X, Y)
        seconds = perf_counter() - start
        scores = span_scores(Y_test, learner.predict(X_test))
        figures = (f"{value:.3f}" for value in (scores.precision, scores.recall, scores.f1))
        table.add_row(name, *figures, f"{seconds:.1f}")
    console.print(table)
    for words, labels in zip(X_test[:5], learner.predict(X_test[:5]), strict=True):
        console.print(marked(words, labels), markup=False)


def marked(words: list[str], labels: list[str]) -> str:
    """The words, with phrases in brackets."""
    text = ""
    for word, label, following in zip(words, labels, [*labels[1:], "O"], strict=True):
        begins, ends = label.startswith("B"), label != "O" and not following.startswith("I")
        text += f" {'[' * begins}{word}{']' * ends}"
    return text.strip()


def columns(path: str) -> tuple[Words, Labels]:
    sentences = read_columns(path)
    return [[token[0] for token in s] for s in sentences], [[token[-1] for token in s] for s in sentences]


def questions() -> list[tuple[Words, Labels]]:
    trees, _ = load_questions()
    parsed = [phrases(tree) for tree in trees]
    pairs = [([word for word, _ in tokens], [label for _, label in tokens]) for tokens in parsed]
    return [([x for x, _ in part], [y for _, y in part]) for part in (pairs[::5], pairs[1::5])]


def phrases(node: Tree) -> list[tuple[str, str]]:
    """(word, label) of every word; a base noun phrase is an NP with nothing but words below it."""
    children = node.children()
    if len(children) == 1 and not children[0].children():
        return [(children[0].label, "O")]
    tokens = [token for child in children for token in phrases(child)]
    if node.label == "NP" and all(child.children()[0].n_nodes == 1 for child in children):
        tokens = [(word, "I-NP" if place else "B-NP") for place, (word, _) in enumerate(tokens)]
    return tokens


if __name__ == "__main__":
    main()
