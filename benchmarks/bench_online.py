"""Passes of online learners, in seconds, on one thread, beside what others take for comparable work in one run.

- An averaged perceptron over all examples of srl_ewt, reading included, with peak memory and F1 on its test part.
- An averaged perceptron with RBF 0.04 over a9a.
- Predictions by the votes of all predictors of learners on weights, on the test part of a9a.
- Six classes of questions that share supports, beside each class alone, in CPU time.
- Learning from one example a call, beside scikit-learn's linear perceptron (`partial_fit`).
"""

from __future__ import annotations

import resource
from pathlib import Path
from time import perf_counter, process_time
from typing import Any

import numpy as np
from data import DATA
from rich.console import Console
from sklearn.datasets import load_svmlight_file
from sklearn.linear_model import SGDClassifier
from sklearn.metrics import f1_score

from hedgerow import set_n_jobs
from hedgerow.datasets import load_questions
from hedgerow.io import read_svmlight_tk
from hedgerow.kernels import RBF, Normalized, PartialTree, SubsetTree
from hedgerow.online import AROW, FOBOS, FTRL, RDA, Forgetron, PassiveAggressive, Perceptron

console = Console(highlight=False)


def main() -> None:
    set_n_jobs(1)
    single_examples()
    several_classes()
    if not DATA.is_dir():
        console.print(f"no data folder at {DATA} (set HEDGEROW_DATA): a9a and srl_ewt are left out")
        return
    adult(DATA)
    votes(DATA)
    semantic_roles(DATA)


def single_examples() -> None:
    random = np.random.default_rng(0)
    X = random.normal(size=(3_000, 5))
    y = (X[:, 0] + 0.3 * random.normal(size=len(X)) > 0).astype(int)
    rates = {}
    learners = {
        "hedgerow Perceptron(RBF)": Perceptron(RBF()),
        "scikit-learn, linear": SGDClassifier(loss="perceptron"),
    }
    for name, learner in learners.items():
        learner.partial_fit(X[:1], y[:1], classes=[0, 1])
        start = perf_counter()
        for i in range(len(X)):
            learner.partial_fit(X[i : i + 1], y[i : i + 1])
        rates[name] = len(X) / (perf_counter() - start)
        console.print(f"partial_fit of one example, {name}: {rates[name]:,.0f} a second")
    own, other = rates.values()
    console.print(f"  {own / other:.0f} times as many")


def several_classes() -> None:
    if DATA.is_dir():
        X, fine = read_svmlight_tk(DATA / "qc/train.ct.tk.gz")
        y = np.array([str(label).split(":")[0] for label in fine])
    else:
        X, y = load_questions()
    X, y = X[:3_000], np.asarray(y)[:3_000]

    def seconds(learner: Any, labels: Any) -> float:
        times = []
        for _ in range(7):
            start = process_time()
            learner.fit(X, labels)
            times.append(process_time() - start)
        return min(times)

    for kernel in (Normalized(SubsetTree()), Normalized(PartialTree())):
        for learner in (Perceptron(kernel), PassiveAggressive(kernel), Forgetron(kernel, budget=200)):
            together = seconds(learner, y)
            alone = sum(seconds(learner, y == label) for label in np.unique(y))
            console.print(
                f"{len(y):,} questions, {type(learner).__name__}, {type(kernel.kernel).__name__}: {together:.3f} s CPU "
                f"for all classes, {alone / together:.1f} times as much one by one"
            )


def adult(folder: Path) -> None:
    X, y = load_svmlight_file(str(folder / "a9a/train.libsvm.gz"), n_features=123)
    start, cpu = perf_counter(), process_time()
    model = Perceptron(RBF(gamma=0.04), averaging="average").fit(X, y)
    console.print(
        f"a9a, RBF 0.04, averaged: {perf_counter() - start:.2f} s ({process_time() - cpu:.2f} s CPU), "
        f"{model.n_support_} supports"
    )


def votes(folder: Path) -> None:
    X, y = load_svmlight_file(str(folder / "a9a/train.libsvm.gz"), n_features=123)
    X_test, _ = load_svmlight_file(str(folder / "a9a/test.libsvm.gz"), n_features=123)
    for learner in (Perceptron(), AROW(), RDA(), FOBOS(), FTRL()):
        learner.set_params(averaging="vote").fit(X, y)
        cpu = process_time()
        learner.decision_function(X_test)
        console.print(
            f"a9a, votes of {learner.updates_:,} predictors of {type(learner).__name__} on {len(X_test.indptr) - 1:,} "
            f"rows: {process_time() - cpu:.2f} s CPU"
        )


def semantic_roles(folder: Path) -> None:
    start, cpu = perf_counter(), process_time()
    X, y = read_svmlight_tk(folder / "srl_ewt/train.tk.gz")
    read, read_cpu = perf_counter() - start, process_time() - cpu
    model = Perceptron(Normalized(SubsetTree()), averaging="average").fit(X, y)
    learned, learned_cpu = perf_counter() - start, process_time() - cpu
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
    console.print(
        f"srl_ewt, {len(y):,} trees: reading {read:.1f} s ({read_cpu:.1f} CPU), reading and learning {learned:.1f} s "
        f"({learned_cpu:.1f} CPU), {model.n_support_} supports, peak {peak:.2f} GB"
    )
    test, truth = read_svmlight_tk(folder / "srl_ewt/test.tk.gz")
    averaged = f1_score(truth, model.predict(test))
    last = f1_score(truth, Perceptron(Normalized(SubsetTree())).fit(X, y).predict(test))
    console.print(f"  F1 on the test part: last predictor {last:.4f}, average {averaged:.4f}")


if __name__ == "__main__":
    main()
