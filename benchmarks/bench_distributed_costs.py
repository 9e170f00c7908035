"""What a round over shards costs, by learner, shards and size of the model: seconds of tasks, bytes sent, seconds of
whoever leads.

All tasks run in this process, one after the other, and what would travel is pickled and counted, so the figures do not
depend on a cluster. `bench_distributed_rounds.py` says what the scheduler adds. One thread for native code.

- "a task": mean seconds of the tasks of a round that do the work, and examples a second in them
- "out": what every worker is sent in a round (parameters, or a sum); "back": what every shard answers
- "leads": seconds between the tasks, for mixing, line searches, quadratic programs
"""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from time import perf_counter
from typing import Any

import numpy as np
from data import DATA
from rich.console import Console
from rich.table import Table
from sklearn.feature_extraction.text import TfidfVectorizer

import hedgerow
from hedgerow.distributed.shards import GivenShard, Shards
from hedgerow.distributed.training import _trainer
from hedgerow.distributed.workers import Workers
from hedgerow.io import iter_svmlight_tk
from hedgerow.kernels import Normalized, SubsetTree
from hedgerow.online import RDA, PassiveAggressive, Perceptron
from hedgerow.structured import LabelSequence, StructuredPerceptron, StructuredSVM
from hedgerow.svm import CuttingPlaneSVC
from hedgerow_papers.datasets import load_conll2000, load_newsgroups

ROUNDS = 3
console = Console(highlight=False, width=140)


@dataclass
class Counting(Workers):
    """This process, which notes what workers would have been given and have answered."""

    tasks: list[tuple[str, float, int, int]] = field(default_factory=list)  # name, seconds, bytes out, back

    def map(
        self,
        task: Callable[..., Any],
        shards: Sequence[Any],
        *common: Any,
        each: Sequence[Any] | None = None,
        ahead: bool = True,
    ) -> Iterator[Any]:
        given = size_of(common)  # once for all tasks of a worker
        for number, shard in enumerate(shards):
            own = () if each is None else (each[number],)
            started = perf_counter()
            result = task(shard, *own, *common)
            seconds = perf_counter() - started
            self.tasks.append((task.__name__, seconds, given + size_of(own), size_of(result)))
            yield result

    def costs(self, name: str, first: int) -> tuple[float, float, float]:
        """Means over tasks of this name: seconds, bytes out and back. The first ones, which prepare, do not count."""
        rows = [row[1:] for row in self.tasks if row[0] == name][first:]
        seconds, out, back = np.mean(rows, axis=0)
        return float(seconds), float(out), float(back)


def size_of(value: Any) -> int:
    return len(pickle.dumps(value, protocol=5))


def main() -> None:
    if not DATA.is_dir():
        console.print(f"no data folder at {DATA} (set HEDGEROW_DATA): nothing to run on")
        return
    hedgerow.set_n_jobs(1)
    table = Table(title=f"Costs of a round, means over {ROUNDS} or more", title_justify="left")
    for name in (
        "learner",
        "examples",
        "shards",
        "a task, s",
        "examples/s",
        "out, MB",
        "back, MB",
        "leads, s",
    ):
        table.add_column(name, justify="left" if name == "learner" else "right")
    texts, y = load_newsgroups(DATA, "train")
    order = np.random.default_rng(0).permutation(len(y))  # they come group by group
    X = TfidfVectorizer().fit_transform(texts)[order]
    y = y[order]
    for model in (Perceptron(averaging="average"), RDA(l1=1e-5, learning_rate=10.0)):
        for shards in (2, 8, 32):
            measure(
                table, f"{type(model).__name__}, 20 newsgroups", model, X, y, shards, "epoch", rounds=ROUNDS
            )
    words, chunks = load_conll2000(DATA, "train")
    for shards in (2, 8, 32):
        learner = StructuredPerceptron(LabelSequence())
        measure(
            table,
            "StructuredPerceptron, chunks",
            learner,
            words,
            chunks,
            shards,
            "learn_shard",
            rounds=ROUNDS,
        )
    machine = StructuredSVM(LabelSequence(), C=0.01, solver="one-slack", max_iter=10, tol=1e-9)
    measure(table, "StructuredSVM one-slack, chunks", machine, words, chunks, 8, "cut_shard")
    for n in (20_000, 80_000):
        trees, labels = next(iter(iter_svmlight_tk(DATA / "srl_ewt" / "train.tk.gz", batch_size=n)))
        for shards in (2, 8):
            machine = CuttingPlaneSVC(Normalized(SubsetTree()), max_iter=20)
            measure(table, "CuttingPlaneSVC, exact, SST", machine, trees, labels, shards, "score")
        learner = PassiveAggressive(Normalized(SubsetTree()), averaging="average")
        measure(table, "PassiveAggressive on SST, merged", learner, trees, labels, 8, "learn_apart")
    console.print(table)


def measure(
    table: Table, name: str, model: Any, X: Any, y: Any, shards: int, task: str, rounds: int | None = None
) -> None:
    """Train, and add a row of what that took."""
    n = len(y)
    bounds = np.linspace(0, n, shards + 1).astype(int)
    parts = [GivenShard(X[a:b], y[a:b], f"part {a}", f"{name} {n} {shards} {a}") for a, b in pairwise(bounds)]
    workers = Counting()
    given = {} if rounds is None else {"rounds": rounds}
    started = perf_counter()
    with np.errstate(all="ignore"):
        _trainer(model, given)(model, Shards(parts), workers, None, **given)
    total = perf_counter() - started
    done = [row for row in workers.tasks if row[0] == task]
    alone = len(done) == shards  # one round only
    seconds, out, back = workers.costs(task, 0 if alone else shards)
    partial = [row for row in workers.tasks if row[0] == "partial_sum"]
    if partial:  # what cutting planes send to all workers: the partial sums of all shards
        out = sum(row[3] for row in partial) / (len(partial) / shards)
    leads = (total - sum(row[1] for row in workers.tasks)) / (len(done) / shards)
    table.add_row(
        name, f"{n:,}", str(shards), f"{seconds:.3f}", f"{n / shards / seconds:,.0f}", f"{out / 1e6:.3f}",
        f"{back / 1e6:.3f}", f"{leads:.3f}",
    )  # fmt: skip


if __name__ == "__main__":
    import warnings

    warnings.simplefilter("ignore")
    main()
