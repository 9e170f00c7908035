"""Threads that use one model: one changes it, the others predict, copy, save and look at it.

Run as a program, ``python -m tests.hostile.thread_stress weights 0.2``: a group of cases and the seconds for each.
"""

from __future__ import annotations

import copy
import faulthandler
import pickle
import sys
import tempfile
import threading
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from scipy import sparse
from sklearn.base import clone

import hedgerow
from hedgerow import Records
from hedgerow.data import CandidateLists
from hedgerow.datasets import load_questions
from hedgerow.feature_selection import ExtremalFeatureSelection
from hedgerow.kernels import (
    RBF,
    Kernel,
    Normalized,
    PartialTree,
    Polynomial,
    Spectrum,
    Subsequence,
    SubsetTree,
    SubTree,
)
from hedgerow.neighbors import TreeIndex
from hedgerow.online import OnlineLearner, Perceptron, Reranker
from hedgerow.registry import learners
from hedgerow.structured import (
    PCFG,
    GrammarSVC,
    LabelSequence,
    Multiclass,
    StructuredPerceptron,
    TaxonomySVC,
    WeightedGrammar,
)
from hedgerow.svm import SVC, CuttingPlaneSVC
from hedgerow.testing.contracts import take

N, STEP = 60, 3
random = np.random.default_rng(5)
TREES, LABELS = (part[:N] for part in load_questions())
LABELS = np.where(np.isin(LABELS, ["NUM", "HUM"]), LABELS, "OTHER")
VECTORS = random.normal(size=(N, 5)) + (LABELS == "NUM")[:, None] - (LABELS == "HUM")[:, None]
COUNTS = sparse.csr_matrix(np.abs(np.where(np.abs(VECTORS) > 0.5, VECTORS, 0)))
STRINGS = ["".join(random.choice(list("abc"), size=8)) + str(label)[:1].lower() for label in LABELS]
RECORDS = Records(tree=TREES, text=STRINGS, features=VECTORS)
LISTS = CandidateLists([2] * N, features=random.normal(size=(2 * N, 6)), grades=random.uniform(size=2 * N))
WORDS = [
    [f"w{k}" for k in random.integers(0, 5 + i, size=1 + i % 4)] for i in range(N)
]  # with ever more words
TAGS = [["even" if int(word[1:]) % 2 == 0 else "odd" for word in words] for words in WORDS]
PARENTS = {"NUM": "thing", "HUM": "thing", "thing": "all", "OTHER": "all"}
PARSES = [f"(S (NP (D {d}) (N {n})) (VP (V {v})))" for d, n, v in random.integers(0, 4, size=(N, 3))]

ATTRIBUTES = (
    *(
        "classes_",
        "coef_",
        "dual_coef_",
        "intercept_",
        "mistakes_",
        "n_features_in_",
        "n_nonzero_",
        "n_seen_",
    ),
    *("n_support_", "n_updates_", "pair_coef_", "scores_", "support_", "support_items_", "support_pairs_"),
    *("support_vectors_", "trace_"),
)


class MarginPerceptron:
    """A rule in Python."""

    def learn(self, f: Any, y: float, weight: float) -> None:
        if y * f.score <= 0.5:
            f.add(weight * y)


class DotProduct(Kernel):
    """A kernel in Python."""

    def compute(self, X: Any, Y: Any) -> Any:
        return X @ Y.T + 1.0


@dataclass(eq=False, repr=False)
class GrowingIndex(TreeIndex):
    """An index that learns trees: its answers are their nearest neighbours."""

    def partial_fit(self, X: Any, y: Any = None) -> None:
        self.add(X) if hasattr(self, "_native") else self.fit(X)

    def decision_function(self, X: Any) -> Any:
        return self.kneighbors(X, 1)[0]


@dataclass
class Case:
    """A model, and examples that come one after the other."""

    model: Any
    X: Any
    y: Any

    def __post_init__(self) -> None:
        if "random_state" in self.model.get_params():
            self.model.set_params(random_state=0)

    def piece(self, begin: int, end: int) -> tuple[Any, Any]:
        numbers = np.arange(begin, end)
        y = None if self.y is None else [self.y[i] for i in numbers]
        return (self.X[begin:end] if isinstance(self.X, list | CandidateLists) else take(self.X, numbers)), y

    def learn(self, model: Any, begin: int, end: int) -> None:
        X, y = self.piece(begin, end)
        told = {"classes": np.unique(self.y)} if hasattr(model, "multiclass") and begin == 0 else {}
        model.partial_fit(X, y, **told)

    def answers(self, model: Any, n: int) -> bytes:
        """All that a model says about the first examples."""
        X, _ = self.piece(0, n)
        for method in ("decision_function", "transform", "predict"):
            if hasattr(model, method):
                said = getattr(model, method)(X)
                return said.tobytes() if isinstance(said, np.ndarray) else repr(said).encode()
        raise TypeError(f"nothing to ask of {model!r}")


# -- cases ----------------------------------------------------------------------------------------------------


def on_weights() -> Iterator[tuple[str, Case]]:
    for name, row in learners().items():
        if not row.on_weights or row.structured:
            continue
        choices = (None, *row.parameters["averaging"].choices) if "averaging" in row.parameters else (None,)
        for averaging in dict.fromkeys(choices):
            given = {} if averaging is None else {"averaging": averaging}
            yield f"{name} {averaging}", Case(row.make(trace_every=7, **given), COUNTS, LABELS)
    yield "reranker", Case(Reranker(Perceptron(averaging="average"), trace_every=7), LISTS, None)
    yield "feature selection", Case(ExtremalFeatureSelection(k=3), COUNTS.toarray(), LABELS)


def on_kernels() -> Iterator[tuple[str, Case]]:
    for name, row in learners().items():
        if not row.on_kernels or row.batch:
            continue
        given = {"budget": 10} if "budget" in row.parameters else {}
        yield f"{name} RBF", Case(row.make(kernel=RBF(gamma=0.3), trace_every=7, **given), VECTORS, LABELS)
        if name in ("forgetron", "projectron"):
            yield f"{name} trees", Case(row.make(kernel=SubsetTree(), **given), TREES, LABELS)
    for averaging in ("average", "vote", "normalized"):
        yield averaging, Case(Perceptron(Normalized(SubsetTree()), averaging=averaging), TREES, LABELS)
    for kernel, X in [
        (Normalized(PartialTree()), TREES),
        (Spectrum(k=2), STRINGS),
        (Subsequence(length=2), STRINGS),
        (Polynomial(degree=2), COUNTS),
        (SubsetTree().on("tree") + RBF().on("features"), RECORDS),
        (DotProduct(), VECTORS),
    ]:
        yield repr(kernel), Case(Perceptron(kernel, averaging="average"), X, LABELS)
    yield "rule", Case(OnlineLearner(MarginPerceptron(), RBF()), VECTORS, LABELS)


def structured() -> Iterator[tuple[str, Case]]:
    for averaging in (None, "average"):
        model = StructuredPerceptron(
            LabelSequence(classes=["even", "odd"]), averaging=averaging, dual=averaging is None
        )
        yield f"sequences {averaging}", Case(model, WORDS, TAGS)
    yield "grammar", Case(StructuredPerceptron(WeightedGrammar()), PARSES, PARSES)
    classes = Multiclass(classes=list(np.unique(LABELS)))
    yield "classes", Case(StructuredPerceptron(classes), VECTORS, LABELS)
    yield "taxonomy", Case(TaxonomySVC(PARENTS, classes=list(np.unique(LABELS)), max_iter=2), VECTORS, LABELS)


def indexes() -> Iterator[tuple[str, Case]]:
    for kernel in (Normalized(SubsetTree()), SubTree(), Normalized(PartialTree())):
        for measure in ("distance", "similarity"):
            yield f"{kernel!r} {measure}", Case(GrowingIndex(kernel, measure=measure), TREES, None)


def batch() -> Iterator[tuple[str, Case]]:
    yield "SVC", Case(SVC(RBF()), VECTORS, LABELS)
    yield "SVC on trees", Case(SVC(Normalized(SubsetTree())), TREES, LABELS)
    yield "cutting planes", Case(CuttingPlaneSVC(RBF(), tol=0.1), VECTORS, LABELS)
    yield "perceptron", Case(Perceptron(RBF()), VECTORS, LABELS)
    yield "sequences", Case(StructuredPerceptron(LabelSequence()), WORDS, TAGS)
    yield "grammar", Case(PCFG(), PARSES, PARSES)
    yield "grammar machine", Case(GrammarSVC(tol=0.5), PARSES, PARSES)


GROUPS: dict[str, Callable[[], Iterator[tuple[str, Case]]]] = {
    "weights": on_weights,
    "kernels": on_kernels,
    "structured": structured,
    "indexes": indexes,
    "batch": batch,
}

# -- what threads do ------------------------------------------------------------------------------------------


class Crowd:
    """Threads that use a model until the work is done; what they saw must be among what was expected."""

    def __init__(self, case: Case, model: Any, expected: set[bytes]) -> None:
        self.case, self.model, self.expected = case, model, expected
        self.done = threading.Event()
        self.faults: list[BaseException] = []
        self.looks = 0

    def run(self, *work: Callable[[], None]) -> None:
        looks = [self._predict, self._copy, self._look]
        readers = [threading.Thread(target=self._guarded, args=(self._repeat, look)) for look in looks]
        writers = [threading.Thread(target=self._guarded, args=(some,)) for some in work]
        for thread in (*readers, *writers):
            thread.start()
        for thread in writers:
            thread.join()
        self.done.set()
        for thread in readers:
            thread.join()
        if self.faults:
            raise self.faults[0]

    def _guarded(self, function: Callable[..., None], *args: Any) -> None:
        try:
            function(*args)
        except BaseException as fault:
            self.faults.append(fault)
            self.done.set()

    def _repeat(self, look: Callable[[], None]) -> None:
        while not self.done.is_set():
            look()
            self.looks += 1

    def _expect(self, what: str, answers: bytes) -> None:
        if answers not in self.expected:
            raise AssertionError(f"{what} gave answers that no state of the model gives")

    def _predict(self) -> None:
        for n in (3, 40):  # large batches go another way
            self._expect("a prediction", self.case.answers(self.model, n))
        if hasattr(self.model, "predict"):
            self.model.predict(self.case.piece(0, 5)[0])

    def _copy(self) -> None:
        self._expect("a pickle", self.case.answers(pickle.loads(pickle.dumps(self.model)), 3))
        self._expect("a copy", self.case.answers(copy.deepcopy(self.model), 3))
        with tempfile.TemporaryDirectory() as folder:
            try:
                hedgerow.save(self.model, Path(folder, "model"))
            except TypeError as error:
                if "pickle" not in str(error):
                    raise
                return
            self._expect("a model file", self.case.answers(hedgerow.load(Path(folder, "model")), 3))

    def _look(self) -> None:
        repr(self.model)
        clone(self.model)
        for name in ATTRIBUTES:
            getattr(self.model, name, None)
        if hasattr(self.model, "functions"):
            with suppress(TypeError, ValueError):  # of votes
                self.model.functions()


def learn_beside(case: Case, seconds: float) -> int:
    """One thread learns, the others see the model after one of its calls; it ends as if it had been alone."""
    alone = clone(case.model)
    expected: set[bytes] = set()
    for i in range(0, N, STEP):
        case.learn(alone, i, i + STEP)
        expected |= {case.answers(alone, n) for n in (3, 40)}
    looks, end = 0, time.monotonic() + seconds
    while looks == 0 or time.monotonic() < end:
        model = clone(case.model)
        case.learn(model, 0, STEP)
        crowd = Crowd(case, model, expected)

        def work(model: Any = model) -> None:
            for i in range(STEP, N, STEP):
                case.learn(model, i, i + STEP)

        crowd.run(work)
        looks += crowd.looks
        if case.answers(model, N) != case.answers(alone, N):
            raise AssertionError("the model is not what one thread makes of it")
    return looks


def learn_together(case: Case) -> None:
    """Several threads learn: no example is lost."""
    model = clone(case.model)
    case.learn(model, 0, STEP)

    def work() -> None:
        for i in range(STEP, N, STEP):
            case.learn(model, i, i + STEP)

    threads = [threading.Thread(target=work) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    seen = getattr(model, "n_seen_", None)
    expected = N + 2 * (N - STEP)
    if seen not in (None, expected):
        raise AssertionError(f"{seen} examples were seen, expected {expected}")


def fit_beside(case: Case, seconds: float) -> int:
    """One thread fits again and again, the others see the model of one fit or of the other."""
    parts = [case.piece(0, N // 2), case.piece(N // 3, N)]
    expected = {case.answers(clone(case.model).fit(*part), n) for part in parts for n in (3, 40)}
    model = clone(case.model).fit(*parts[0])
    crowd = Crowd(case, model, expected)

    def work() -> None:
        end, count = time.monotonic() + seconds, 0
        while (time.monotonic() < end or count < 4) and not crowd.done.is_set():
            count += 1
            model.fit(*parts[count % 2])

    crowd.run(work, work)
    return crowd.looks


def share_data(seconds: float) -> int:
    """Threads use the same trees and records, whose vocabularies they share; nothing changes."""
    few, kernel = TREES[:12], Normalized(SubsetTree()) + PartialTree()
    both = SubsetTree().on("tree") + RBF().on("features")
    uses: list[Callable[[], bytes]] = [
        lambda: repr(TREES[5:20].to_brackets()).encode(),
        lambda: repr(type(TREES).concatenate([TREES[:5], few, TREES[50:]]).to_brackets()).encode(),
        lambda: repr(pickle.loads(pickle.dumps(few)).to_brackets()).encode(),
        lambda: kernel(few, TREES[30:40]).tobytes(),
        lambda: kernel(few, ["(S (NP new) (VP words))", PARSES[0]]).tobytes(),
        lambda: both(RECORDS[:9], RECORDS[20:25]).tobytes(),
        lambda: repr(Records.concatenate([RECORDS[:3], RECORDS[9:]])[4:8]["tree"].to_brackets()).encode(),
        lambda: both(pickle.loads(pickle.dumps(RECORDS[:4]))).tobytes(),
    ]
    expected = [use() for use in uses]
    faults: list[int] = []
    end, rounds = time.monotonic() + seconds, [0] * 4

    def work(number: int) -> None:
        while rounds[number] == 0 or (time.monotonic() < end and not faults):
            for i in (np.arange(len(uses)) + number) % len(uses):
                if uses[i]() != expected[i]:
                    faults.append(int(i))
            rounds[number] += 1

    threads = [threading.Thread(target=work, args=(i,)) for i in range(len(rounds))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if faults or 0 in rounds:
        raise AssertionError(f"uses {faults} gave other results than alone; rounds {rounds}")
    return sum(rounds)


def main(group: str, seconds: float) -> None:
    faulthandler.enable()
    faulthandler.dump_traceback_later(120 + 60 * seconds, exit=True)
    sys.setswitchinterval(1e-5)  # threads take turns at any place
    warnings.simplefilter("ignore")
    if group == "data":
        print("data:", share_data(seconds), flush=True)
        return
    for name, case in GROUPS[group]():
        print(name, end=": ", flush=True)
        if group == "batch":
            looks = fit_beside(case, seconds)
        else:
            looks = learn_beside(case, seconds)
            learn_together(case)
        print(looks, flush=True)


if __name__ == "__main__":
    main(sys.argv[1], float(sys.argv[2]))
