"""Chooses the parameters of ``hedgerow reproduce voted_rda`` by F on the development set.

Prints the mean over epochs of the F of the averaged predictor and of its nonzeros, the best first, for each learner
that has parameters, and which of them is chosen: of those within a standard error of the best F, the one with the
fewest nonzeros.

    python papers/tools/tune_voted_rda.py FOLDER
"""

from __future__ import annotations

import itertools
import sys
from pathlib import Path

import numpy as np

from hedgerow.online import Reranker
from hedgerow_papers.experiments import Settings
from hedgerow_papers.experiments.voted_rda import TUNED, VotedRda, make_learner

EPOCHS = 10
RATES = {"TG": (0.1, 1.0), "vRDA": (0.01, 1.0, 10.0)}
L1 = {"TG": (1e-4, 1e-3, 1e-2), "vRDA": (1e-4, 3e-4, 1e-3)}


def main() -> None:
    data = VotedRda().load(Settings(data=Path(sys.argv[1])))
    f_of_sentences = data.dev.grades[data.dev.begins[:-1] + data.dev.baselines()]
    standard_error = f_of_sentences.std() / np.sqrt(len(f_of_sentences))
    for row in TUNED:
        kind = row.split()[0]
        found = []
        for learning_rate, l1 in itertools.product(RATES[kind], L1[kind]):
            reranker = Reranker(make_learner(row, "average", learning_rate=learning_rate, l1=l1))
            scores, nonzeros = [], []
            for _ in range(EPOCHS):
                reranker.partial_fit(data.train)
                scores.append(reranker.score(data.dev))
                nonzeros.append(reranker.n_nonzero_)
            found.append((float(np.mean(scores)), float(np.mean(nonzeros)), learning_rate, l1))
        best = max(found)[0]
        chosen = min((nonzero, *rest) for f, nonzero, *rest in found if f > best - standard_error)[1:]
        for f, nonzero, *parameters in sorted(found, reverse=True):
            mark = " <- chosen" if parameters == list(chosen) else ""
            learning_rate, l1 = parameters
            print(
                f"{row}: learning rate {learning_rate:g}, l1 {l1:g}: F {f:.4f}, {nonzero:,.0f} nonzeros{mark}",
                flush=True,
            )


if __name__ == "__main__":
    main()
