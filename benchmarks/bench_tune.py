"""The race of ``hedgerow tune`` beside the exhaustive search: every candidate an exact machine on all examples.

Both have the same candidates, shared kernel values and threads; the exhaustive search holds out all of three folds.
Needs the data folder (HEDGEROW_DATA): semantic roles of the English Web Treebank. Examples are named on the command
line, by default 20,000.
"""

from __future__ import annotations

import argparse
import time
from itertools import product

import numpy as np
from data import DATA

from hedgerow.io import iter_svmlight_tk
from hedgerow.kernels import parse_kernel
from hedgerow.model_selection.measures import Accuracy
from hedgerow.model_selection.race import Race
from hedgerow.svm import SVC
from hedgerow.threads import resolve


def compare(n: int, kernels: list[str], costs: list[float]) -> None:
    X, y = next(iter(iter_svmlight_tk(DATA / "srl_ewt" / "train.tk.gz", batch_size=n)))[:2]
    pairs = list(product(kernels, costs))
    candidates = [SVC(parse_kernel(kernel), C) for kernel, C in pairs]
    print(
        f"{len(y)} trees of srl_ewt, {len(pairs)} candidates: {', '.join(kernels)} with C of {costs}",
        flush=True,
    )
    seconds = {}
    races = {
        name: Race(candidates, Accuracy(), seconds=300.0, jobs=resolve(None), **given)
        for name, given in (("race", {}), ("exhaustive", {"enough": len(y)}))
    }
    for name, race in races.items():
        started = time.process_time()
        if name == "race":
            race.run(X, y)
        else:
            race.results.update(race._compare(list(range(len(candidates))), X, np.asarray(y), len(y)))
        seconds[name] = time.process_time() - started
        print(f"{name}: {seconds[name]:.1f} s of processor time", flush=True)
        for i in race.ranking():
            result, (kernel, C) = race.results[i], pairs[i]
            mark = "=" if i in race.tied() else " "
            print(
                f"  {mark} {kernel:16} C {C:<5g} accuracy {result.score:.4f} on "
                f"{result.examples} examples, {result.seconds:.1f} s a fold",
                flush=True,
            )
    best = races["exhaustive"].ranking()[0]
    said = (
        "chosen"
        if best == races["race"].ranking()[0]
        else "tied"
        if best in races["race"].tied()
        else "missed"
    )
    ratio = seconds["race"] / seconds["exhaustive"]
    print(f"the best of the exhaustive search is {said}, in {ratio:.2f} of its time\n", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("examples", type=int, nargs="*", default=[20_000])
    parser.add_argument("--kernels", nargs="+", default=["st", "sst(decay=0.1)", "sst(decay=0.4)"])
    parser.add_argument("-C", type=float, nargs="+", default=[0.1, 1.0, 10.0])
    options = parser.parse_args()
    for n in options.examples:
        compare(n, options.kernels, options.C)


if __name__ == "__main__":
    main()
