"""Rerankers that are tested after each pass over the lists: by the average of their predictors, and by the last."""

from __future__ import annotations

import time
from typing import Any

import numpy as np

from hedgerow.data import CandidateLists
from hedgerow.models.reranking import evaluate_choice
from hedgerow.online import Reranker

SAMPLES_OF_AN_EPOCH = 5
ROUNDING = 1e-9  # of the largest weight: what differences of sums leave in place of 0


def learn_by_epochs(
    average_learner: Any, last_learner: Any, train: CandidateLists, test: CandidateLists, epochs: int
) -> tuple[dict[str, float], dict[str, Any]]:
    """Learn with both learners, which differ in averaging only, and test both after each epoch.

    Figures are means over epochs: precision, recall, F and nonzeros of the average of all predictors, F and nonzeros of
    the average of an epoch's predictors and of the last one; deviations of F; and mistakes and CPU time of all epochs.

    The trace has ``examples`` seen so far at each sample, ``mistakes`` and ``nonzeros`` of the predictor of that
    moment, and ``f`` after each epoch, by predictor: "average" (of all so far), "epoch" and "last".
    """
    average = Reranker(average_learner)
    last = Reranker(last_learner, trace_every=max(1, len(train) // SAMPLES_OF_AN_EPOCH))
    seconds = 0.0
    before: Any = 0.0
    tested: dict[str, list[dict[str, float]]] = {"average": [], "epoch": [], "last": []}
    for epoch in range(1, epochs + 1):
        start = time.process_time()
        average.partial_fit(train)
        seconds += time.process_time() - start
        last.partial_fit(train)
        weights = average.coef_[0]
        tested["average"].append(_test(test, weights))
        tested["epoch"].append(_test(test, average_of_epoch(weights, before, epoch)))
        tested["last"].append(_test(test, last.coef_[0]))
        before = weights
    means = {
        kind: {name: float(np.mean([figures[name] for figures in found])) for name in found[0]}
        for kind, found in tested.items()
    }
    f = {kind: [figures["f1"] for figures in found] for kind, found in tested.items()}
    figures = {
        "precision": means["average"]["precision"],
        "recall": means["average"]["recall"],
        "f_score": means["average"]["f1"],
        "f_deviation": float(np.std(f["average"])),
        "f_last_deviation": float(np.std(f["last"])),
        "nonzeros": means["average"]["nonzeros"],
        "mistakes": float(average.mistakes_),
        "seconds": seconds,
    }
    for kind in ("epoch", "last"):
        figures[f"f_{kind}"], figures[f"nonzeros_{kind}"] = means[kind]["f1"], means[kind]["nonzeros"]
    trace = last.trace_.to_dict()
    sampled = {"examples": trace["examples"], "mistakes": trace["errors"], "nonzeros": trace["support"]}
    return figures, {**sampled, "f": f}


def average_of_epoch(so_far: Any, before: Any, epoch: int) -> Any:
    """The average of the predictors of one epoch, from those of all predictors after and before it."""
    weights = epoch * so_far - (epoch - 1) * before
    weights[np.abs(weights) < ROUNDING * np.abs(weights).max(initial=0)] = 0
    return weights


def _test(lists: CandidateLists, weights: Any) -> dict[str, float]:
    """How good the candidates are that the weights choose, and how many weights there are."""
    chosen = lists.highest(lists.features @ weights)
    return evaluate_choice(lists, chosen)["reranked"] | {"nonzeros": float(np.count_nonzero(weights))}
