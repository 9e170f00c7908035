"""Learners on kernels over shards: what they reach, and what it costs that the learner travels.

Each line is a learner, each column a number of shards; 1 is one machine (`fit`). In brackets are the supports of the
model and seconds of the processor. Question types (qc, 6 classes): accuracy in percent. Argument boundaries (the first
10,000 of srl_ewt; 5,000 for testing): F1 in percent. Normalised subset trees, one pass. All runs in this process:
how many workers there are changes nothing.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from time import process_time
from typing import Any

import numpy as np
from data import DATA
from rich.console import Console
from rich.table import Table
from sklearn.base import clone
from sklearn.metrics import f1_score

from hedgerow import distributed
from hedgerow.distributed.shards import GivenShard, Shards
from hedgerow.kernels import Normalized, SubsetTree
from hedgerow.online import Forgetron, PassiveAggressive, Perceptron, ProjectronPlusPlus
from hedgerow_papers.datasets import load_question_types, load_srl_boundaries

SHARDS = (1, 8, 64)
KERNEL = Normalized(SubsetTree(decay=0.4))
BUDGET = 300
LEARNERS: dict[str, Any] = {
    "Perceptron, averaged": Perceptron(KERNEL, averaging="average"),
    "PassiveAggressive, PA-I": PassiveAggressive(KERNEL),
    f"Forgetron of {BUDGET}": Forgetron(KERNEL, budget=BUDGET),
    f"ProjectronPlusPlus of {BUDGET}": ProjectronPlusPlus(KERNEL, budget=BUDGET),
}
Measure = Callable[[Any, Any], float]
console = Console(highlight=False, width=140)


def main() -> None:
    if not DATA.is_dir():
        console.print(f"no data folder at {DATA} (set HEDGEROW_DATA): nothing to run on")
        return
    compare("qc", load_question_types(DATA), load_question_types(DATA, "test"), accuracy)
    train = load_srl_boundaries(DATA, limit=10_000)
    compare("srl_ewt", train, load_srl_boundaries(DATA, "test", limit=5_000), f1)


def accuracy(y: Any, predicted: Any) -> float:
    return float(np.mean(y == predicted))


def f1(y: Any, predicted: Any) -> float:
    return float(f1_score(y, predicted, pos_label=max(y)))


def compare(name: str, train: tuple[Any, Any], test: tuple[Any, Any], measure: Measure) -> None:
    table = Table("learner", *(f"{n} shards" if n > 1 else "one machine" for n in SHARDS), title=name)
    for label, learner in LEARNERS.items():
        cells = []
        for n in SHARDS:
            model, begin = clone(learner), process_time()
            if n == 1:
                model.fit(*train)
            else:
                distributed.fit(model, in_shards(*train, n))
            seconds = process_time() - begin
            reached = 100 * measure(test[1], model.predict(test[0]))
            cells.append(f"{reached:.1f} ({model.n_support_}; {seconds:.2f} s)")
        table.add_row(label, *cells)
    console.print(table)


def in_shards(X: Any, y: Any, n: int) -> Shards:
    """Examples in their order, in parts of equal size."""
    parts = np.array_split(np.arange(len(y)), n)
    return Shards(
        [GivenShard(X[rows], y[rows], f"part {k}", os.urandom(8).hex()) for k, rows in enumerate(parts)]
    )


if __name__ == "__main__":
    main()
