"""One example at a time, from Python: how long `predict` and `partial_fit` take, and how much of it is Python's.

Models of about 10,000 supports (trees, texts), and weights learned from 2,000 sequences, one thread. For each call p50
and p99, and the p50 of the native call inside it on items that are ready; the difference is what preparing the example,
checks, locks and labels take.

    python benchmarks/bench_one.py --calls 300
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from time import perf_counter_ns
from typing import Any

import numpy as np
from rich.console import Console
from rich.table import Table

from hedgerow import Forest, set_n_jobs
from hedgerow.kernels import Normalized, Spectrum, SubsetTree
from hedgerow.online import Perceptron
from hedgerow.structured import LabelSequence, StructuredPerceptron

EXAMPLES = 20_000  # with random labels, of which half become supports
WORDS = [f"w{k}" for k in range(500)]
console = Console(highlight=False, width=140)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--calls", type=int, default=1000)
    calls = parser.parse_args().calls
    set_n_jobs(1)
    random = np.random.default_rng(0)
    table = Table("", "call", "p50, µs", "p99, µs", "native p50, µs", "above it, µs")
    trees = [a_tree(random) for _ in range(EXAMPLES)]
    texts = [" ".join(random.choice(WORDS, 8)) for _ in range(EXAMPLES)]
    y = np.arange(EXAMPLES) % 2
    for name, kernel, X in (
        ("tree, SST", Normalized(SubsetTree()), Forest(trees)),
        ("text, Spectrum(3)", Normalized(Spectrum(3)), texts),
    ):
        model = Perceptron(kernel).fit(X, random.permutation(y))
        rows(table, f"{name}, {model.n_support_} supports", model, [X[i : i + 1] for i in range(50)], calls)
    tokens = [[{"word": word} for word in random.choice(WORDS, 10)] for _ in range(2_000)]
    tags = [["A" if int(token["word"][1:]) % 3 else "B" for token in sentence] for sentence in tokens]
    model = StructuredPerceptron(LabelSequence()).fit(tokens, tags)
    run_rows(
        table,
        "sequence of 10 words, weights",
        model,
        [[one] for one in tokens[:50]],
        [[one] for one in tags[:50]],
        calls,
    )
    console.print(table)


def rows(table: Table, name: str, model: Any, examples: list[Any], calls: int) -> None:
    items = [model.kernel_._items(model.kernel_._prepare(x)) for x in examples]
    native = microseconds(lambda k: model._native.decisions(items[k], 1, False), len(items), calls)
    add(
        table,
        name,
        "predict",
        microseconds(lambda k: model.predict(examples[k]), len(examples), calls),
        native,
    )
    labels = [np.array([k % 2]) for k in range(len(examples))]
    codes = [label.astype(np.int32) for label in labels]
    native = microseconds(lambda k: model._native.learn(items[k], codes[k], None, []), len(items), calls)
    learned = microseconds(lambda k: model.partial_fit(examples[k], labels[k]), len(examples), calls)
    add(table, "", "partial_fit", learned, native)


def run_rows(table: Table, name: str, model: Any, X: list[Any], Y: list[Any], calls: int) -> None:
    add(table, name, "predict", microseconds(lambda k: model.predict(X[k]), len(X), calls), None)
    add(table, "", "partial_fit", microseconds(lambda k: model.partial_fit(X[k], Y[k]), len(X), calls), None)


def add(table: Table, name: str, call: str, times: Any, native: Any) -> None:
    p50, p99 = np.percentile(times, [50, 99])
    inner = None if native is None else float(np.median(native))
    table.add_row(
        name,
        call,
        f"{p50:.1f}",
        f"{p99:.1f}",
        *(("", "") if inner is None else (f"{inner:.1f}", f"{p50 - inner:.1f}")),
    )


def microseconds(call: Callable[[int], Any], examples: int, calls: int) -> Any:
    """Of each call, after some that are not counted."""
    times = []
    for k in range(calls + 20):
        begin = perf_counter_ns()
        call(k % examples)
        times.append((perf_counter_ns() - begin) / 1000)
    return np.array(times[20:])


def a_tree(random: Any) -> str:
    words = random.choice(WORDS, 4)
    return "(S (NP (DT {}) (NN {})) (VP (VB {}) (NP (NN {}))))".format(*words)


if __name__ == "__main__":
    main()
