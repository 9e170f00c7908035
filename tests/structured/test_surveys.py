"""Problems that are settled from surveys of shards are those that have seen all examples at once."""

from __future__ import annotations

import itertools
import pickle

import numpy as np
import pytest
from scipy import sparse
from sklearn.base import clone

from hedgerow import _core
from hedgerow.data import CandidateLists, Forest
from hedgerow.kernels import RBF
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
from tests.structured.tiny_problems import KernelTags, make_classes, make_tags

SENTENCES = [
    [("He", "PRP"), ("sees", "VBZ"), ("Ann", "NNP")],
    [("Ann", "NNP"), ("sleeps", "VBZ")],
    [],
    [("a", "DT"), ("dog", "NN"), ("sees", "VBZ"), ("a", "DT"), ("cat", "NN")],
    [("cats", "NNS"), ("sleep", "VBP")],
]
LABELS = [["O", "V", "B"], ["B", "V"], [], ["N", "N", "V", "N", "A"], ["A", "V"]]
WORDS = [[word for word, _ in sentence] for sentence in SENTENCES]
DICTS = [[{"word": word, "length": len(word)} for word in sentence] for sentence in WORDS]
RANDOM = np.random.RandomState(0)
VECTORS = [RANDOM.standard_normal((len(sentence), 3)) for sentence in SENTENCES]
TREES = [
    "(S (NP (PRP He)) (VP (VBZ sees) (NP (NNP Ann))))",
    "(S (NP (NNP Ann)) (VP (VBZ sleeps)))",
    "(S (NP (DT a) (JJ old) (NN dog)) (VP (VBZ sees) (NP (DT a) (JJ young) (JJ black) (NN cat))))",
    "(FRAG (NP (NP (NN dog))))",
    "(S (S (NP (NNS cats)) (VP (VBP sleep))) (CC and) (S (NP (PRP He)) (VP (VBZ barks))))",
]
PARENTS = {"cat": "animal", "dog": "animal", "oak": "plant", "animal": "thing", "plant": "thing"}
ROWS = RANDOM.standard_normal((5, 4))
CLASSES = np.array(["dog", "dog", "oak", "cat", "dog"])
LISTS = CandidateLists(
    [2, 1, 3, 2, 2],
    features=sparse.random_array((10, 6), density=0.5, random_state=0),
    grades=RANDOM.uniform(size=10),
)

PROBLEMS = {
    "words": (LabelSequence(), WORDS, LABELS),
    "window": (LabelSequence(window=1, boundaries=True, order=2), WORDS, LABELS),
    "dicts": (LabelSequence(loss={("B", "N"): 3.0}), DICTS, LABELS),
    "vectors": (LabelSequence(transition_features=[1]), VECTORS, LABELS),
    "templates": (LabelSequence(templates="chunking"), SENTENCES, LABELS),
    "moving templates": (LabelSequence(templates=["word[0]", "B:tag[0]"]), SENTENCES, LABELS),
    "given labels": (LabelSequence(classes=["V", "X", "A", "B", "N", "O"]), WORDS, LABELS),
    "labels of two kinds": (LabelSequence(), WORDS, [[1 if y == "V" else y for y in Y] for Y in LABELS]),
    "dense rows": (Multiclass(), ROWS, CLASSES),
    "sparse rows": (Multiclass(), sparse.csr_array(ROWS), CLASSES),
    "taxonomy": (Taxonomy(PARENTS, node_weights="normalized"), ROWS, CLASSES),
    "leaves": (Taxonomy(PARENTS, classes="all", loss="path"), ROWS, CLASSES),
    "features of classes": (OutputFeatures({"dog": "a b", "cat": "a c", "oak": "d"}), ROWS, CLASSES),
    "tags": (WeightedGrammar(), TREES, TREES),
    "rare words": (WeightedGrammar(input="words", parents=True, markov=2), TREES, TREES),
    "all words": (WeightedGrammar(input="words", min_word_count=1, branching="left"), TREES, TREES),
    "forest": (WeightedGrammar(loss="brackets"), Forest(TREES), Forest(TREES)),
    "lists": (Reranking(), LISTS, LISTS.oracles()),
    "Python": make_classes(n=5),
    "Python tags": make_tags(n=5),
}


def settled(problem, X, Y, begins):
    """From surveys of the examples between these places, which travel as others do."""
    surveys = [clone(problem).survey(X[i:j], Y[i:j]) for i, j in itertools.pairwise(begins)]
    made = clone(problem)
    made.settle(pickle.loads(pickle.dumps(surveys)))
    return made


def answers(oracle, weights, example):
    """What the oracle finds for an example, by the step that a perceptron makes from these weights."""
    learner = _core.StructuredPerceptron(_core.Space.plain(), len(weights), "perceptron", 1.0, False)
    learner.resume(weights, np.zeros(0), 0)
    learner.learn(oracle, np.array([example]), 0)
    return learner.coordinates(), learner.loss


@pytest.mark.parametrize("begins", [[0, 5], [0, 2, 5], [0, 1, 2, 3, 4, 5]], ids=str)
@pytest.mark.parametrize("name", PROBLEMS)
def test_settled_as_if_bound_to_all(name, begins):
    problem, X, Y = PROBLEMS[name]
    local = clone(problem)
    whole = local._bind(X, Y, True)
    made = settled(problem, X, Y, begins)
    if not name.startswith("Python"):
        (description, arrays), (other, others) = local._to_state(), made._to_state()
        assert description == other
        assert arrays.keys() == others.keys()
        for key, values in arrays.items():
            assert np.array_equal(values, others[key]), key
    weights = np.random.RandomState(1).standard_normal(whole.oracle.n_features)
    predicted, expected = (p._decode(X, weights, 1) for p in (made, local))
    assert list(predicted) == list(expected)
    # Every shard is bound to what was settled: nothing new appears, and answers are those of the whole.
    for i, j in itertools.pairwise(begins):
        copy = pickle.loads(pickle.dumps(made))
        part = copy._bind(X[i:j], Y[i:j], False).oracle
        assert part.n_features == whole.oracle.n_features or name.startswith("Python")
        for k in range(i, j):
            found, loss = answers(part, weights, k - i)
            wanted, wanted_loss = answers(whole.oracle, weights, k)
            assert np.array_equal(found, wanted)
            assert loss == wanted_loss


class TestWhatDoesNotFit:
    def test_dense_rows_of_two_widths(self):
        surveys = [Multiclass().survey(np.zeros((2, width)), ["a", "b"]) for width in (3, 4)]
        with pytest.raises(ValueError, match="3 features in one shard and 4 in another"):
            Multiclass().settle(surveys)

    def test_sparse_rows_may_be_narrow(self):
        rows = [sparse.csr_array(np.eye(2, width)) for width in (3, 4)]
        problem = Multiclass()
        problem.settle([problem.survey(X, y) for X, y in zip(rows, (["a", "a"], ["b", "b"]), strict=True)])
        assert problem.n_features_in_ == 4
        assert problem.classes_.tolist() == ["a", "b"]

    def test_one_class_in_all(self):
        survey = Multiclass().survey(np.eye(2), ["a", "a"])
        with pytest.raises(ValueError, match="only one class"):
            Multiclass().settle([survey, survey])

    def test_vectors_here_and_names_there(self):
        for problem in (LabelSequence(), LabelSequence(templates=["word[0]"])):
            surveys = [problem.survey([x], [["a"]]) for x in (["w"], [("w", "T")])]
            if problem.templates == "auto":
                with pytest.raises(TypeError, match="tokens are text in one part of the data"):
                    LabelSequence().settle(surveys)
            else:
                problem.settle(surveys)
        plain = LabelSequence(templates=None)
        surveys = [plain.survey(X, [["a"]]) for X in ([["w"]], [np.ones((1, 2))])]
        with pytest.raises(TypeError, match="vectors in one part of the data, and have features with names"):
            LabelSequence().settle(surveys)
        surveys = [LabelSequence().survey([np.ones((1, width))], [["a"]]) for width in (2, 3)]
        with pytest.raises(ValueError, match="the same number of features, got 2 and 3"):
            LabelSequence().settle(surveys)

    def test_lengths_are_checked_by_the_survey(self):
        with pytest.raises(ValueError, match="sequence 1 has 2 tokens, but 1 labels"):
            LabelSequence().survey([["a"], ["b", "c"]], [["x"], ["y"]])

    def test_prepare_asks_for_more(self):
        class Prepared(Problem):
            def prepare(self, X, Y):
                self.n_ = len(X)

            def joint_features(self, x, y):
                return [0.0]

        with pytest.raises(TypeError, match=r"Prepared has a prepare.* must define survey and settle too"):
            Prepared().survey([1], [2])

    def test_kernels_are_named(self):
        assert Multiclass(RBF())._kernel_in_use() == "kernel"
        assert LabelSequence(kernel=RBF())._kernel_in_use() == "kernel"
        assert Reranking(kernel=RBF())._kernel_in_use() == "kernel"
        assert StringMapping()._kernel_in_use() == "input_kernel"
        assert KernelTags(3)._kernel_in_use() == "joint_kernel"
        assert Multiclass()._kernel_in_use() is None
