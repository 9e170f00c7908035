"""The cutting-plane machine on argument boundaries (srl_ewt), normalised subset trees, C = 1, all cores.

- Uniform sampling, 1,000 examples a cut, on all 1,098,554 examples.
- Exact cuts to tol 0.001 on the first 10,000 and 100,000, and with `--full` on all (two minutes). How the time
  grows from one to the next; `--plot FILE` draws it.
"""

from __future__ import annotations

import argparse
import math
import os
import resource
from itertools import pairwise
from time import perf_counter, process_time
from typing import Any

from data import DATA
from rich.console import Console
from sklearn.metrics import f1_score

from hedgerow.kernels import Normalized, SubsetTree
from hedgerow.svm import CuttingPlaneSVC
from hedgerow_papers.datasets import load_srl_boundaries

SIZES = (10_000, 100_000, 1_098_554)
console = Console(highlight=False, soft_wrap=True)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--full", action="store_true", help="exact cuts on all examples, too")
    parser.add_argument("--plot", metavar="FILE", help="draw the time of exact cuts against the examples")
    options = parser.parse_args()
    if not DATA.is_dir():
        console.print(f"no data folder at {DATA} (set HEDGEROW_DATA): nothing to run on")
        return
    X, y = load_srl_boundaries(DATA, "train")
    test = load_srl_boundaries(DATA, "test")
    fit(f"1,000 samples, {len(y):,} examples", X, y, test, sampling="uniform", random_state=0)
    sizes = SIZES if options.full else SIZES[:2]
    times = {n: fit(f"exact, {n:,} examples", X[:n], y[:n], test, verbose=n > 100_000) for n in sizes}
    for fewer, more in pairwise(sizes):
        power = math.log(times[more] / times[fewer]) / math.log(more / fewer)
        console.print(
            f"from {fewer:,} to {more:,} examples the time grows with the power {power:.2f} of their number"
        )
    if options.plot:
        draw(times, options.plot)


def fit(what: str, X: Any, y: Any, test: tuple[Any, Any], **parameters: Any) -> float:
    """Train and test a machine; the seconds of training."""
    machine = CuttingPlaneSVC(Normalized(SubsetTree(decay=0.4)), C=1.0, tol=1e-3, **parameters)
    start, cpu = perf_counter(), process_time()
    machine.fit(X, y)
    seconds, cpu = perf_counter() - start, process_time() - cpu
    f1 = f1_score(test[1], machine.predict(test[0]))
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
    console.print(
        f"{what}: {seconds:.1f} s ({cpu:.1f} s CPU, load {os.getloadavg()[0]:.1f}), {machine.n_iter_[0]} rounds, "
        f"{machine.n_support_:,} support vectors, F1 {f1:.4f}, peak {peak:.2f} GB"
    )
    return seconds


def draw(times: dict[int, float], path: str) -> None:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(6.4, 4.2), layout="constrained")
    ax = figure.subplots()
    ax.loglog(list(times), list(times.values()), marker="o", color="#0072B2", label="exact cuts")
    first = min(times)
    linear = [times[first] * n / first for n in times]
    ax.loglog(list(times), linear, linestyle="--", color="#999999", label="proportional to the examples")
    for n, seconds in times.items():
        label = f"{seconds:.2g} s" if seconds < 10 else f"{seconds:,.0f} s"
        ax.annotate(label, (n, seconds), xytext=(-4, 6), textcoords="offset points", ha="right")
    ax.set(xlabel="Examples", ylabel="Seconds of training")
    ax.grid(True, color="#DDDDDD", linewidth=0.6)
    ax.legend(frameon=False)
    figure.savefig(path, dpi=150)


if __name__ == "__main__":
    main()
