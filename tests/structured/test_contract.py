"""What every structured problem and learner promises, for all of the registry."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest
from scipy import sparse
from sklearn.base import clone

from hedgerow import registry
from hedgerow.data import CandidateLists, Forest
from hedgerow.kernels import RBF, Normalized, Spectrum, SubsetTree
from hedgerow.structured import (
    LabelSequence,
    Multiclass,
    OutputFeatures,
    Problem,
    Reranking,
    StringMapping,
    Taxonomy,
    WeightedGrammar,
)
from hedgerow.testing import check_learner, check_problem

random = np.random.RandomState(0)
SENTENCES = [
    [("He", "PRP"), ("sees", "VBZ"), ("Ann", "NNP")],
    [("Ann", "NNP"), ("sleeps", "VBZ")],
    [],
    [("a", "DT"), ("dog", "NN"), ("sees", "VBZ"), ("cats", "NNS")],
    [("cats", "NNS"), ("sleep", "VBP")],
]
LABELS = [["N", "V", "N"], ["N", "V"], [], ["O", "N", "V", "N"], ["N", "V"]]
WORDS = [[word for word, _ in sentence] for sentence in SENTENCES]
DICTS = [[{"word": word, "length": len(word)} for word in sentence] for sentence in WORDS]
VECTORS = [random.standard_normal((len(sentence), 3)) for sentence in SENTENCES]
TREES = [
    "(S (NP (PRP He)) (VP (VBZ sees) (NP (NNP Ann))))",
    "(S (NP (NNP Ann)) (VP (VBZ sleeps)))",
    "(S (NP (DT a) (JJ old) (NN dog)) (VP (VBZ sees) (NP (DT a) (JJ young) (JJ black) (NN cat))))",
    "(FRAG (NP (NP (NN dog))))",
    "(S (S (NP (NNS cats)) (VP (VBP sleep))) (CC and) (S (NP (PRP He)) (VP (VBZ barks))))",
]
PARENTS = {"cat": "animal", "dog": "animal", "oak": "plant", "animal": "thing", "plant": "thing"}
COSTS = [[0, 1, 2], [1, 0, 0.5], [0.5, 1, 0]]
ROWS = random.standard_normal((6, 4))
CLASSES = np.array(["dog", "cat", "oak", "cat", "dog", "oak"])
LISTS = CandidateLists(
    [2, 1, 3, 2, 2],
    features=sparse.random_array((10, 6), density=0.5, random_state=0),
    trees=Forest([f"(S (a {i % 3}) (b {i % 4}))" for i in range(10)]),
    grades=random.uniform(size=10),
)
STRINGS, MAPPED = ["abab", "babb", "aabb", "bbaa", "abba"], ["xy", "yy", "xx", "yx", "xyy"]
ON_STRINGS = (Normalized(Spectrum(k=2)), Normalized(Spectrum(k=1)))
SST = Normalized(SubsetTree())

# Problems with examples, by name in the registry.
EXAMPLES: dict[str, list[tuple[Problem, Any, Any]]] = {
    "sequence": [
        (LabelSequence(), WORDS, LABELS),
        (LabelSequence(window=1, boundaries=True, order=2, loss="mean"), WORDS, LABELS),
        (LabelSequence(loss={("N", "V"): 3.0}), DICTS, LABELS),
        (LabelSequence(transition_features=[1], loss="zero-one"), VECTORS, LABELS),
        (LabelSequence(templates="chunking", bias=False), SENTENCES, LABELS),
        (LabelSequence(templates=["word[0]", "B:tag[0]"], classes=["V", "X", "N", "O"]), SENTENCES, LABELS),
        (LabelSequence(kernel=RBF(), order=0), WORDS, LABELS),
    ],
    "taxonomy": [
        (Taxonomy(PARENTS, node_weights="normalized"), ROWS, CLASSES),
        (Taxonomy(PARENTS, classes="all", loss="path"), sparse.csr_array(ROWS), CLASSES),
    ],
    "grammar": [
        (WeightedGrammar(), TREES, TREES),
        (WeightedGrammar(input="words", parents=True, markov=2), TREES, TREES),
        (WeightedGrammar(loss="brackets", branching="left"), Forest(TREES), Forest(TREES)),
    ],
    "multiclass": [
        (Multiclass(), ROWS, CLASSES),
        (Multiclass(loss=COSTS), sparse.csr_array(ROWS), CLASSES),
        (Multiclass(SST), Forest([*TREES, "(S (a b))"]), CLASSES),
        (Multiclass("precomputed"), ROWS @ ROWS.T, CLASSES),
    ],
    "reranking": [
        (Reranking(), LISTS, LISTS.oracles()),
        (Reranking(loss="zero-one", kernel=SST), LISTS, LISTS.oracles()),
    ],
    "output-features": [
        (OutputFeatures({"dog": "a b", "cat": "a c", "oak": "d"}), ROWS, CLASSES),
        (OutputFeatures(similarity=np.eye(3) + 0.5), ROWS, CLASSES),
    ],
    "string-mapping": [
        (StringMapping(*ON_STRINGS), STRINGS, MAPPED),
        (
            StringMapping(*ON_STRINGS, candidates=lambda x: [x[:2], x[::-1], "xy"], loss="edit"),
            STRINGS,
            MAPPED,
        ),
    ],
}
CASES = [(name, *example) for name in registry.problems() for example in EXAMPLES[name]]
IDS = [f"{name}-{i}" for name in registry.problems() for i in range(len(EXAMPLES[name]))]


def all_labels(problem: Problem) -> Any:
    """All label sequences of an input."""
    labels = problem.classes or ["N", "O", "V"]
    return lambda x: map(list, product(labels, repeat=x.shape[0] if hasattr(x, "shape") else len(x)))


@pytest.mark.parametrize(("name", "problem", "X", "y"), CASES, ids=IDS)
def test_problem(name: str, problem: Problem, X: Any, y: Any) -> None:
    skip = ["copies"] if getattr(problem, "candidates", None) and name == "string-mapping" else []
    check_problem(problem, X, y, candidates=all_labels(problem) if name == "sequence" else None, skip=skip)


STRUCTURED = {name: row for name, row in registry.learners().items() if row.structured}
LEARNERS = [
    (learner, problem)
    for learner, row in STRUCTURED.items()
    for problem, its in registry.problems().items()
    if its.takes(row)
]


@pytest.mark.parametrize(("learner", "problem"), LEARNERS)
def test_learner(learner: str, problem: str) -> None:
    row = STRUCTURED[learner]
    given, X, y = EXAMPLES[problem][0]
    parameters = {"problem": clone(given)} if "problem" in row.parameters else {}
    # With a kernel, further examples are refused.
    skip = ["pieces", "going_on"] if problem == "string-mapping" else []
    check_learner(row.make(**parameters), X, y, skip=skip)


@pytest.mark.parametrize("problem", [name for name, row in registry.problems().items() if row.machine])
def test_machine(problem: str) -> None:
    given, X, y = EXAMPLES[problem][0]
    machine = registry.problems()[problem].machine
    known = set(registry.Row("machine", machine).parameters)
    check_learner(machine(**{k: v for k, v in given.get_params(deep=False).items() if k in known}), X, y)
