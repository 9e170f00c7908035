"""Parsers of the English Web Treebank (ewt_trees): F1 of brackets, and the time of learning on one thread.

For sentences of at most 10 and of at most 40 words, a PCFG beside a machine with the same rules and the same treatment
of unknown words, with and without features of spans: a structured SVM by Frank-Wolfe on the short sentences, the
averaged perceptron on the long ones. The machine's C is the best of some on the development sentences; test sentences
are parsed once. Sentences are given by their parts of speech, and by their words. Short sentences take a minute or two,
the long ones some ten minutes of one core.
"""

from __future__ import annotations

import argparse
import gzip
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from time import process_time
from typing import Any

from data import DATA
from rich.console import Console
from sklearn.exceptions import ConvergenceWarning

import hedgerow
from hedgerow import Forest
from hedgerow.structured import PCFG, GrammarSVC, StructuredPerceptron, WeightedGrammar, bracket_scores

PASSES = {10: 5, 40: 2}
COSTS = (0.01, 0.03, 0.1)
console = Console(highlight=False, soft_wrap=True)


@dataclass(frozen=True)
class Treebank:
    train: Forest
    dev: Forest
    test: Forest


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--lengths", type=int, nargs="+", choices=PASSES, default=list(PASSES))
    parser.add_argument("--inputs", nargs="+", choices=("tags", "words"), default=["tags", "words"])
    options = parser.parse_args()
    if not (DATA / "ewt_trees").is_dir():
        console.print(f"no folder ewt_trees in {DATA} (set HEDGEROW_DATA): left out")
        return
    warnings.simplefilter("ignore", ConvergenceWarning)  # few passes are meant
    hedgerow.set_n_jobs(1)
    for most in options.lengths:
        treebank = Treebank(*(trees(subset, most) for subset in ("train", "dev", "test")))
        for given in options.inputs:
            console.print(
                f"\n[bold]Up to {most} words, {given}: {len(treebank.train)} trees to learn from, "
                f"{len(treebank.test)} to test[/]"
            )
            compete(treebank, most, given)


def trees(subset: str, most: int) -> Forest:
    """Those of sentences that are not longer."""
    with gzip.open(DATA / "ewt_trees" / f"{subset}.tsv.gz", "rt") as file:
        forest = Forest([line.rstrip("\n").split("\t")[1] for line in file])
    return Forest([tree for tree in forest if 0 < len(tree.leaves()) <= most])


def compete(treebank: Treebank, most: int, given: Any) -> None:
    show("PCFG", treebank, [lambda: PCFG(input=given)])
    for name, templates in (("rules alone", None), ("rules and spans", "auto")):
        if most == 10:
            show(f"SVM, {name}", treebank, [machine(given, templates, C) for C in COSTS])
        else:
            show(f"averaged perceptron, {name}", treebank, [perceptron(given, templates)])


def machine(given: Any, templates: Any, C: float) -> Callable[[], Any]:
    return lambda: GrammarSVC(
        C,
        input=given,
        span_features=templates,
        slack="linear",
        solver="frank-wolfe",
        max_iter=PASSES[10],
        random_state=0,
    )


def perceptron(given: Any, templates: Any) -> Callable[[], Any]:
    return lambda: StructuredPerceptron(
        WeightedGrammar(input=given, span_features=templates),
        averaging="average",
        epochs=PASSES[40],
        shuffle=True,
        random_state=0,
    )


def show(name: str, treebank: Treebank, choices: list[Callable[[], Any]]) -> None:
    """The choice that is best on the development sentences: its time, and F1 there and on the test sentences."""
    found = []
    for make in choices:
        start = process_time()
        model = make().fit(treebank.train, treebank.train)
        seconds = process_time() - start
        f1 = 100 * bracket_scores(treebank.dev, model.predict(treebank.dev)).f1
        found.append((f1, seconds, model))
    f1, seconds, model = max(found, key=lambda choice: choice[0])
    scores = bracket_scores(treebank.test, model.predict(treebank.test))
    chosen = f"C {model.C:g}" if len(choices) > 1 else ""
    console.print(
        f"  {name:36} {chosen:7} {seconds:7.1f} s   dev {f1:.2f}   test {100 * scores.f1:.2f}, "
        f"exact {100 * scores.exact_match:.1f}"
    )


if __name__ == "__main__":
    main()
