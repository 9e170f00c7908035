"""Structured solvers on two threads beside one, by the clock: how much the searches of a pass gain, and equal results.

For chunks (conll2000) and for parses of short sentences (ewt_trees). One-slack and n-slack search all examples of a
round at the same time, Frank-Wolfe up to sixteen, whose steps threads find in the same loop. The searches should be
1.6 times as fast at least; of a pass, some is done by one thread: steps are taken one after the other. Reading the
examples is not counted. A few rounds each, which is enough for their times; the shortest of some fits counts, and both
take turns. Run it on an idle machine; on a busy one, the CPU time of the calling thread, which takes part in all
loops and does the rest alone, says more than the clock.
"""

from __future__ import annotations

import argparse
import gzip
import warnings
from time import perf_counter, thread_time
from typing import Any

import numpy as np
from data import DATA
from rich.console import Console
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning

from hedgerow import Forest
from hedgerow.structured import GrammarSVC, SequenceSVC
from hedgerow.structured.questions import violation_for
from hedgerow_papers.datasets import load_conll2000

console = Console(highlight=False, soft_wrap=True)
ROUNDS = {"one-slack": 6, "n-slack": 4, "frank-wolfe": 3}


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--fits", type=int, default=2, help="of which the shortest counts (2)")
    parser.add_argument("--solvers", nargs="+", choices=ROUNDS, default=list(ROUNDS))
    parser.add_argument("--sentences", type=int, default=2_000, help="that are learned from (2000)")
    options = parser.parse_args()
    warnings.simplefilter("ignore", ConvergenceWarning)  # few rounds are meant
    if not DATA.is_dir():
        console.print(f"no data folder at {DATA} (set HEDGEROW_DATA)")
        return
    X, Y = load_conll2000(DATA)
    chunks = X[: options.sentences], Y[: options.sentences]
    trees = short_trees(options.sentences)
    for solver in options.solvers:
        settings: dict[str, Any] = {"solver": solver, "max_iter": ROUNDS[solver], "random_state": 0}
        compare(f"chunks, {solver}", SequenceSVC(**settings), *chunks, options.fits)
        machine = GrammarSVC(slack="linear", input="tags", **settings)
        compare(f"parses, {solver}", machine, trees, trees, options.fits)


def short_trees(n: int) -> Forest:
    """Of sentences of at most ten words."""
    with gzip.open(DATA / "ewt_trees" / "train.tsv.gz", "rt") as file:
        forest = Forest([line.rstrip("\n").split("\t")[1] for line in file])
    return Forest([tree for tree in forest if 0 < len(tree.leaves()) <= 10][:n])


def compare(name: str, machine: Any, X: Any, Y: Any, fits: int) -> None:
    times: dict[int, list[tuple[float, float, float]]] = {1: [], 2: []}
    weights = {}
    for _ in range(fits):
        for threads in (1, 2):
            model = clone(machine).set_params(n_jobs=threads)
            problem = model._make_problem()
            binding = model._start(X, Y, problem)
            settings = model._settings(violation_for(problem, model.slack, model.rescaling))
            start, own = perf_counter(), thread_time()
            run = model._run(model.solver, binding, settings).solve()
            times[threads].append((run.argmax_seconds, perf_counter() - start, thread_time() - own))
            weights[threads] = run.coordinates
    one, two = (np.min(times[threads], axis=0) for threads in (1, 2))
    same = "the same weights" if np.array_equal(weights[1], weights[2]) else "[red]other weights[/]"
    said = ", ".join(
        f"{what} {a:.2f} and {b:.2f} s ({a / b:.2f})"
        for what, a, b in zip(("searches", "passes", "CPU of the calling thread"), one, two, strict=True)
    )
    console.print(f"{name:24} {said}: {same}")


if __name__ == "__main__":
    main()
