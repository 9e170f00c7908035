"""Explaining one prediction beside making it, with models of 10,000 supports.

Every tree has a random sign as its coefficient, so weights of fragments are close together, which is hard. Explanations
list the ten strongest fragments for and against. Times are milliseconds of one processor, the mean over inputs, after
the model has been looked at once (`first`); `slowest` is that of the input that takes longest, `exact` how many of the
lists are known to be the best. The list of the whole model is that of the ten largest weights.
"""

from __future__ import annotations

from collections.abc import Callable
from time import process_time
from typing import Any

import numpy as np
from data import DATA, forests
from rich.console import Console
from rich.table import Table

import hedgerow
from hedgerow import Forest
from hedgerow.inspection import explain, fragments
from hedgerow.io import iter_svmlight_tk
from hedgerow.kernels import Kernel, Normalized, PartialTree, SubPath, SubsetTree, SubTree
from hedgerow.models import Expansion
from hedgerow.online import PassiveAggressive

SUPPORTS = 10_000
EXPLAINED = 50
KERNELS = {
    "ST": SubTree(),
    "SST": SubsetTree(),
    "SST-bow": SubsetTree(bag_of_words=True),
    "PT": PartialTree(),
    "SubPath": SubPath(),
}


def main() -> None:
    hedgerow.set_n_jobs(1)
    table = Table(title="milliseconds", title_justify="left")
    for column in (
        "kernel",
        "supports",
        "prediction",
        "explanation",
        "slowest",
        "first",
        "exact",
        "whole model",
    ):
        table.add_column(column, justify="left" if column in ("kernel", "supports") else "right")
    for name, forest in forests().items():
        supports = min(SUPPORTS, len(forest) - min(EXPLAINED, len(forest) // 5))
        for label, kernel in KERNELS.items():
            table.add_row(label, f"{name} {supports}", *measure(kernel, forest, supports))
    if (DATA / "srl_ewt").is_dir():
        table.add_section()
        table.add_row("SST", *measure_roles())
    Console(width=120).print(table)


def measure_roles() -> list[str]:
    """A trained model of all semantic roles, whose explanations have a score for each of them."""
    X, y = next(iter(iter_svmlight_tk(DATA / "srl_ewt" / "roles.train.tk.gz", batch_size=20_000)))
    new, _ = next(iter(iter_svmlight_tk(DATA / "srl_ewt" / "roles.test.tk.gz", batch_size=EXPLAINED)))
    model = PassiveAggressive(Normalized(SubsetTree()), averaging="average").fit(X, y)
    name = f"{model.n_support_} of {len(model.classes_)} roles, trained"
    return [name, *times(model, [new[i : i + 1] for i in range(len(new))])]


def measure(kernel: Kernel, forest: Forest, supports: int) -> list[str]:
    model = Expansion(Normalized(kernel))
    signs = np.random.default_rng(0).choice([-1.0, 1.0], size=supports)
    model.add(forest[:supports], signs)
    inputs = [forest[i : i + 1] for i in range(supports, min(supports + EXPLAINED, len(forest)))]
    return times(model, inputs)


def times(model: Any, inputs: list[Forest]) -> list[str]:
    predicting = milliseconds(model.decision_function, inputs)
    first = milliseconds(lambda x: explain(model, x), inputs[:1])
    explained = []
    explaining = milliseconds(lambda x: explained.extend(explain(model, x)), inputs)
    whole = milliseconds(lambda _: fragments(model), [None])
    exact = np.mean([account.exact for one in explained for account in one.accounts])
    return [
        f"{np.mean(predicting):.2f}",
        f"{np.mean(explaining):.1f}",
        f"{max(explaining):.1f}",
        f"{first[0]:.0f}",
        f"{exact:.0%}",
        f"{whole[0]:.0f}",
    ]


def milliseconds(run: Callable[[Any], Any], inputs: list[Any]) -> list[float]:
    measured = []
    for x in inputs:
        start = process_time()
        run(x)
        measured.append(1e3 * (process_time() - start))
    return measured


if __name__ == "__main__":
    main()
