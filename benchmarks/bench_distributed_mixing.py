"""What parameter mixing over 8 shards loses to one machine: accuracy on 20 newsgroups after 1, 5 and 10 rounds.

Words by tf-idf; one machine learns in 5 epochs. All in this process: the number of workers changes nothing.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
from data import DATA
from rich.console import Console
from rich.table import Table
from sklearn.base import clone
from sklearn.feature_extraction.text import TfidfVectorizer

from hedgerow import distributed
from hedgerow.distributed.shards import GivenShard, Shards
from hedgerow.online import AROW, FTRL, RDA, PassiveAggressive, Perceptron
from hedgerow_papers.datasets import load_newsgroups

SHARDS, EPOCHS, ROUNDS = 8, 5, (1, 5, 10)
LEARNERS = (
    Perceptron(),
    Perceptron(averaging="average"),
    PassiveAggressive(),
    PassiveAggressive(averaging="average"),
    AROW(),
    FTRL(),
    RDA(l1=1e-5, learning_rate=10.0),
    RDA(loss="logistic", l1=1e-6, learning_rate=50.0),
    RDA(loss="logistic", l1=1e-6, learning_rate=10.0),
    RDA(loss="logistic", l1=1e-6, learning_rate=10.0, averaging="average"),
    RDA(l1=1e-5, adaptive=True),
)
console = Console(highlight=False, width=140)


def main() -> None:
    if not DATA.is_dir():
        console.print(f"no data folder at {DATA} (set HEDGEROW_DATA): nothing to run on")
        return
    (X, y), test = newsgroups()
    bounds = np.linspace(0, len(y), SHARDS + 1).astype(int)
    data = Shards(
        [GivenShard(X[a:b], y[a:b], f"posts {a} to {b}", f"posts {a}") for a, b in pairwise(bounds)]
    )
    table = Table(title=f"Percent right, {SHARDS} shards", title_justify="left")
    table.add_column("learner")
    for heading in ("one machine", *(f"{rounds} rounds" for rounds in ROUNDS)):
        table.add_column(heading, justify="right")
    for learner in LEARNERS:
        alone = clone(learner).set_params(epochs=EPOCHS).fit(X, y)
        mixed = [distributed.fit(clone(learner), data, rounds=rounds) for rounds in ROUNDS]
        table.add_row(str(learner), *(f"{100 * model.score(*test):.1f}" for model in (alone, *mixed)))
    console.print(table)


def newsgroups() -> tuple[tuple[Any, Any], tuple[Any, Any]]:
    """Vectors and groups for learning, in another order than group by group, and for testing."""
    (texts, y), (test_texts, y_test) = (load_newsgroups(DATA, subset) for subset in ("train", "test"))
    words = TfidfVectorizer(sublinear_tf=True)
    order = np.random.default_rng(0).permutation(len(y))
    return (words.fit_transform(texts)[order], y[order]), (words.transform(test_texts), y_test)


if __name__ == "__main__":
    main()
