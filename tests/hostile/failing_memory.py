"""A program in which memory runs out at one allocation of an update after the other; see test_memory.py.

It is to run with ``failing_new.cpp`` loaded before all else. Prints a line for each learner, and fails if a model is
not what it was after the last whole example.
"""

from __future__ import annotations

import ctypes
import os
import sys
import warnings
from collections.abc import Callable
from functools import partial
from itertools import product
from typing import Any

import numpy as np

from hedgerow import Forest
from hedgerow.data import CandidateLists
from hedgerow.kernels import (
    RBF,
    Linear,
    Normalized,
    PartialTree,
    Polynomial,
    Spectrum,
    Subsequence,
    SubsetTree,
    SubTree,
)
from hedgerow.online import Perceptron, Reranker
from hedgerow.structured import LabelSequence, Multiclass, StructuredPerceptron, WeightedGrammar
from tests.hostile.test_poison import ONLINE, VARIED, assert_same, few

N = 24
NEVER = -1
random = np.random.default_rng(3)
Y = np.array(["a", "b", "c"])[random.integers(0, 3, N)]
VECTORS = np.abs(random.normal(size=(N, 6)))
WORDS = ["".join(random.choice(list("abcd"), 12)) for _ in range(N)]
TREES = Forest([f"(S (N {w[:3]}) (V (W {w[3:5]}) (N {w[5:7]})))" for w in WORDS])
LISTS = CandidateLists([3] * N, features=random.normal(size=(3 * N, 4)), grades=np.tile([1.0, 0.0, 0.5], N))
SEQUENCES = [[[f"{w[i]}", f"{w[i + 1]}"] for i in range(5)] for w in WORDS]
PARSES = [f"(S (NP (D {w[0]}) (N {w[1]})) (VP (V {w[2]})))" for w in WORDS]
TAGS = [["v" if token[0] == "a" else "c" for token in sequence] for sequence in SEQUENCES]
KERNELS: dict[str, tuple[Any, Any]] = {
    "linear": (Linear(), VECTORS),
    "polynomial": (Normalized(Polynomial(2)), VECTORS),
    "rbf": (RBF() + 0.5 * Linear(), VECTORS),
    "st": (SubTree(), TREES),
    "sst": (Normalized(SubsetTree()), TREES),
    "pt": (Normalized(PartialTree()), TREES),
    "spectrum": (Spectrum(2), WORDS),
    "subsequence": (Subsequence(2), WORDS),
}

Make = Callable[[], Any]


def cases() -> dict[str, tuple[Make, Any, Any]]:
    """By name: what makes a learner, examples and outputs."""
    found: dict[str, tuple[Make, Any, Any]] = {}
    for name, row in ONLINE.items():
        varied = [{}, *VARIED.get(name, [])]
        for i, parameters in enumerate(varied):
            if row.on_weights:
                found[f"{name} {i}"] = partial(row.make, **parameters), VECTORS, Y
        for i, (kernel, (made, examples)) in enumerate(KERNELS.items() if row.on_kernels else ()):
            parameters = varied[i % len(varied)]  # each somewhere
            make = partial(row.make, kernel=made, **few(name) | parameters)
            found[f"{name} {kernel}"] = make, examples, Y
    found["votes on trees"] = partial(Perceptron, KERNELS["sst"][0], averaging="vote"), TREES, Y
    found["reranker"] = partial(Reranker, Perceptron(averaging="average"), trace_every=2), LISTS, None
    for (name, (problem, X, outputs)), variant in product(structured().items(), ("perceptron", "PA-I")):
        make = partial(StructuredPerceptron, problem, variant=variant, averaging="average")
        found[f"{name} {variant}"] = make, X, outputs
    found["multiclass dual"] = (
        partial(StructuredPerceptron, structured()["multiclass"][0], dual=True),
        VECTORS,
        Y,
    )
    return found


def structured() -> dict[str, tuple[Any, Any, Any]]:
    """Problems with examples and outputs; those with a kernel cannot go on learning."""
    return {
        "multiclass": (Multiclass(classes=["a", "b", "c"]), VECTORS, Y),
        "sequence": (LabelSequence(classes=["c", "v"]), SEQUENCES, TAGS),
        "grammar": (WeightedGrammar(), PARSES, PARSES),
    }


def learn(model: Any, X: Any, y: Any, begin: int, end: int) -> None:
    X = X[begin:end]
    if y is None:
        model.partial_fit(X)
    elif isinstance(y, np.ndarray):
        known = {} if isinstance(model, StructuredPerceptron) else {"classes": ["a", "b", "c"]}
        model.partial_fit(X, y[begin:end], **known)
    else:
        model.partial_fit(X, y[begin:end])


def seen(model: Any) -> int:
    native = getattr(model, "_learned", None) or getattr(model, "_native", None)
    return int(native.seen) if native is not None else 0


def check(name: str, make: Make, X: Any, y: Any, step: int, fail_after: Any) -> tuple[int, int]:
    """How often memory ran out, and how often in the midst of learning."""
    failures = midway = 0
    for allocations in range(1, 10**6, step):
        model, other = make(), make()
        learn(model, X, y, 0, 2)  # all that is made once
        learn(other, X, y, 0, 2)
        fail_after(allocations, 16 << 20)
        try:
            learn(model, X, y, 2, N)
        except MemoryError:
            failures += 1
        finally:
            left = fail_after(NEVER, 0)
        if left > 0:
            return failures, midway
        end = seen(model)  # all of them if the reserve was enough for the last update
        if end > 2:
            midway += 1
            learn(other, X, y, 2, end)
        assert_same(model, other)
        if end < N:
            learn(model, X, y, end, N)
            learn(other, X, y, end, N)
        assert_same(model, other)
    raise AssertionError(f"{name} never ends")


def check_last_resort(make: Make, X: Any, y: Any, fail_after: Any) -> int:
    """How often a model was emptied, since even the reserve was not there; it is fit for use or says that it is not."""
    emptied = 0
    for allocations in range(1, 200, 7):
        model = make()
        learn(model, X, y, 0, 2)
        fail_after(allocations, 0)
        try:
            learn(model, X, y, 2, N)
        except MemoryError:
            emptied += 1
        finally:
            fail_after(NEVER, 0)
        try:
            learn(model, X, y, 0, N)
            assert np.isfinite(model.decision_function(X)).all()
        except RuntimeError as error:
            if "the model is lost" not in str(error):
                raise
    return emptied


def main() -> None:
    warnings.simplefilter("ignore", UserWarning)  # kernel values that a Forgetron does not expect
    step, chosen = int(sys.argv[1]), sys.argv[2:]
    library = ctypes.CDLL(os.environ["LD_PRELOAD"])
    library.fail_after.argtypes, library.fail_after.restype = [ctypes.c_long, ctypes.c_size_t], ctypes.c_long
    for name, (make, X, y) in cases().items():
        if chosen and name not in chosen:
            continue
        failures, midway = check(name, make, X, y, step, library.fail_after)
        print(name, failures, midway, sep="\t", flush=True)
    for name in ("perceptron sst", "pa rbf", "perceptron 1"):
        assert check_last_resort(*cases()[name], library.fail_after) > 0, name


if __name__ == "__main__":
    main()
