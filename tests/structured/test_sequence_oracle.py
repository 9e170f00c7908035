"""Answers about label sequences against enumeration of all outputs."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy import sparse

from hedgerow.structured import LabelSequence, StructuredSVM, spans
from tests.structured.slow_sequences import SlowSequences, best_by_count, sequence_loss, violation, viterbi

QUESTIONS = [(search, root) for search in ("best", "best_wrong", "margin", "slack") for root in (False, True)]
LABELS = ["a", "b", "c"]


def examples(random, n_labels, lengths=(0, 1, 2, 3, 4, 5), n_features=4, binary=False):
    X, Y = [], []
    for length in lengths:
        dense = random.randint(0, 2 if binary else 3, size=(length, n_features)).astype(float)
        X.append(sparse.csr_array(dense) if length else sparse.csr_array((0, n_features)))
        Y.append([LABELS[k] for k in random.randint(0, n_labels, size=length)])
    return X, Y


def tokens_of(x):
    return [[(int(j), row[j]) for j in np.flatnonzero(row)] for row in x.toarray()]


def check_answers(problem, slow, X, Y, random, allowed=None, questions=QUESTIONS, loss="hamming"):
    """All answers, for weights of several sizes: near 0 the loss decides, else the score."""
    oracle = problem._bind(X, Y, True).oracle
    assert oracle.n_examples == len(X)
    assert oracle.n_features == slow.size
    numbers = {label: k for k, label in enumerate(problem.classes_)}
    for size in (0.0, 0.1, 1.0, 3.0):
        weights = size * random.randn(slow.size)
        for number, (x, y) in enumerate(zip(X, Y, strict=True)):
            tokens, truth = tokens_of(x), tuple(numbers[label] for label in y)
            true_features = slow.features(tokens, truth)
            rivals = {
                other: (true_features - slow.features(tokens, other), sequence_loss(loss, truth, other))
                for other in slow.outputs(tokens, allowed)
            }
            for search, root in questions:
                indices, values, found_loss, correct = oracle.find(number, weights, search, root)
                assert (np.diff(indices) > 0).all()
                assert (values != 0).all()
                difference = np.zeros(slow.size)
                difference[indices] = values
                scores = {
                    other: violation(search, root, its_loss, weights @ psi)
                    for other, (psi, its_loss) in rivals.items()
                    if not (search == "best_wrong" and other == truth)
                }
                if not scores:
                    assert correct
                    continue
                highest = max(scores.values())
                answers = [
                    other
                    for other, score in scores.items()
                    if score > highest - 1e-9
                    and np.allclose(rivals[other][0], difference)
                    and (other == truth) == correct
                    and np.isclose(rivals[other][1], found_loss)
                ]
                assert answers, (search, root, size, y)


@pytest.mark.parametrize("order", [0, 1, 2, 3])
@pytest.mark.parametrize("n_labels", [1, 2, 3])
def test_orders(order, n_labels):
    random = np.random.RandomState(order + 10 * n_labels)
    X, Y = examples(random, n_labels)
    problem = LabelSequence(order=order, bias=False, classes=LABELS[:n_labels])
    check_answers(problem, SlowSequences(n_labels, 4, order), X, Y, random)


@pytest.mark.parametrize("loss", ["hamming", "mean", "zero-one"])
@pytest.mark.parametrize("order", [1, 2])
def test_losses(loss, order):
    random = np.random.RandomState(1)
    X, Y = examples(random, 3)
    problem = LabelSequence(
        order=order, transition_scale=0.5, boundaries=True, bias=True, loss=loss, classes=LABELS
    )
    slow = SlowSequences(3, 4, order, 0.5, boundaries=True, bias=True)
    check_answers(problem, slow, X, Y, random, loss=loss)


MARKS = ["B-x", "I-x", "I-y", "O"]


def span_loss(kind, marks):
    def loss(y_true, y):
        wanted, found = ({*spans([marks[k] for k in codes])} for codes in (y_true, y))
        wrong = len(wanted - found) + len(found - wanted)
        return wrong if kind == "spans" else 1 - span_f1(len(wanted), len(found), wrong)

    return loss


def span_f1(n_true, n_found, n_wrong):
    return (n_true + n_found - n_wrong) / (n_true + n_found) if n_true + n_found else 1.0


@pytest.mark.parametrize("loss", ["spans", "span-f1"])
@pytest.mark.parametrize(
    ("order", "marks"), [(0, MARKS), (1, MARKS), (2, MARKS), (1, ["B-x", "E-x", "I-x", "O", "S-x"])]
)
def test_losses_of_spans(loss, order, marks):
    random = np.random.RandomState(order + len(loss))
    X, _ = examples(random, 3, lengths=(0, 1, 2, 3, 4, 5) if len(marks) == 4 else (1, 2, 3, 4))
    Y = [[marks[k] for k in random.randint(0, len(marks), size=x.shape[0])] for x in X]
    problem = LabelSequence(order=order, bias=True, boundaries=True, loss=loss, classes=marks)
    slow = SlowSequences(len(marks), 4, order, bias=True, boundaries=True)
    check_answers(problem, slow, X, Y, random, loss=span_loss(loss, marks))
    for y_true in Y:
        for other in (y_true, ["O"] * len(y_true), y_true[::-1]):
            codes = [[marks.index(label) for label in labels] for labels in (y_true, other)]
            assert problem.compute_loss(y_true, other) == pytest.approx(span_loss(loss, marks)(*codes))


def test_losses_of_spans_where_moves_are_forbidden():
    random = np.random.RandomState(7)
    X, _ = examples(random, 3, lengths=(1, 3, 5))
    Y = [["O"], ["B-x", "I-x", "O"], ["O", "B-x", "B-x", "I-x", "O"]]
    marks = ["B-x", "I-x", "O"]
    problem = LabelSequence(loss="span-f1", classes=marks, constraints="bio", constrained_training=True)
    allowed = np.ones((4, 4), dtype=bool)
    allowed[[2, 3], 1] = False
    slow = SlowSequences(3, 4, bias=True)
    check_answers(problem, slow, X, Y, random, allowed=allowed, loss=span_loss("span-f1", marks))


def test_losses_of_spans_need_spans():
    with pytest.raises(ValueError, match="need labels that mark spans"):
        StructuredSVM(LabelSequence(loss="spans")).fit([["a", "b"]], [["D", "N"]])


def test_costs_of_labels():
    random = np.random.RandomState(2)
    X, Y = examples(random, 3)
    costs = np.array([[0, 2, 0.5], [1, 0, 1], [0, 3, 0]])
    problem = LabelSequence(loss=costs, bias=False, classes=LABELS)
    questions = [("best", False), ("best_wrong", False), ("margin", False)]
    check_answers(problem, SlowSequences(3, 4), X, Y, random, questions=questions, loss=costs)
    assert not problem._supports("slack", False)
    assert not problem._supports("margin", True)
    assert problem._supports("margin", False)


@pytest.mark.parametrize("order", [1, 2])
def test_features_of_moves(order):
    random = np.random.RandomState(3)
    X, Y = examples(random, 3)
    problem = LabelSequence(order=order, transition_features=[1, 3], classes=LABELS)
    check_answers(problem, SlowSequences(3, 4, order, bias=True, wide=(1, 3)), X, Y, random)


@pytest.mark.parametrize("order", [0, 1, 2])
def test_constraints_in_training(order):
    random = np.random.RandomState(4)
    forbidden = [("a", "b"), ("b", "b"), (None, "c"), ("a", None)]
    allowed = np.ones((4, 4), dtype=bool)
    for before, after in forbidden:
        allowed[
            3 if before is None else LABELS.index(before), 3 if after is None else LABELS.index(after)
        ] = 0
    slow = SlowSequences(3, 4, order, bias=True)
    X, Y = examples(random, 3)
    Y = []
    for x in X:
        outputs = list(slow.outputs(tokens_of(x), allowed))
        Y.append([LABELS[k] for k in outputs[random.randint(len(outputs))]])
    problem = LabelSequence(order=order, constraints=forbidden, constrained_training=True, classes=LABELS)
    check_answers(problem, slow, X, Y, random, allowed=allowed)
    # Without them in training, predictions keep to them all the same.
    problem = LabelSequence(order=order, constraints=forbidden, classes=LABELS)
    check_answers(problem, slow, X, Y, random)
    weights = 3 * random.randn(slow.size)
    for x, y in zip(X, problem._decode(X, weights, 1), strict=True):
        tokens = tokens_of(x)
        best = max(slow.outputs(tokens, allowed), key=lambda other: weights @ slow.features(tokens, other))
        assert [LABELS[k] for k in best] == y


def test_windows():
    random = np.random.RandomState(5)
    X, Y = examples(random, 2)
    problem = LabelSequence(window=1, classes=LABELS[:2], bias=False)
    slow = SlowSequences(2, 12)
    oracle = problem._bind(X, Y, True).oracle
    weights = random.randn(oracle.n_features)
    for number, (x, y) in enumerate(zip(X, Y, strict=True)):
        tokens = tokens_of(x)
        wide = [
            [
                (3 * feature + offset + 1, value)
                for offset in (-1, 0, 1)
                if 0 <= t + offset < len(tokens)
                for feature, value in tokens[t + offset]
            ]
            for t in range(len(tokens))
        ]
        best = max(slow.outputs(wide), key=lambda other: weights @ slow.features(wide, other))
        truth = [LABELS.index(label) for label in y]
        difference = np.zeros(slow.size)
        indices, values, _, _ = oracle.find(number, weights, "best")
        difference[indices] = values
        assert_allclose(difference, slow.features(wide, truth) - slow.features(wide, best))
        assert problem._decode([x], weights, 1) == [[LABELS[k] for k in best]]


def test_joint_features():
    random = np.random.RandomState(6)
    X, Y = examples(random, 3)
    problem = LabelSequence(order=2, boundaries=True, transition_features="all", classes=LABELS)
    slow = SlowSequences(3, 4, 2, boundaries=True, bias=True, wide=range(4))
    problem._bind(X, Y, True)
    for x, y in zip(X, Y, strict=True):
        psi = np.zeros(slow.size)
        for index, value in problem.joint_features(x, y).items():
            psi[index] = value
        assert_allclose(psi, slow.features(tokens_of(x), [LABELS.index(label) for label in y]))


def test_long_sequences_against_a_slow_viterbi():
    random = np.random.RandomState(7)
    n_labels, n_features = 22, 50
    X = [sparse.random(length, n_features, 0.2, "csr", random_state=random) for length in (1, 7, 200, 40)]
    Y = [random.randint(0, n_labels, size=x.shape[0]) for x in X]
    problem = LabelSequence(classes=range(n_labels), bias=False)
    oracle = problem._bind(X, Y, True).oracle
    weights = random.randn(oracle.n_features)
    transitions = problem.transitions(weights)
    assert_array_equal(transitions.ravel(), weights[: n_labels**2])
    emissions = weights[n_labels**2 :].reshape(n_features, n_labels)
    assert_array_equal(problem.emissions(weights), emissions)
    for threads in (1, 3):
        for x, y in zip(X, problem._decode(X, weights, threads), strict=True):
            assert y == viterbi(x @ emissions, transitions)[0]


@pytest.mark.parametrize("loss", ["hamming", "mean"])
@pytest.mark.parametrize(
    "scale", [0.0, 1.0, 10.0]
)  # of moves: large ones make scores by count far from concave
def test_longer_sequences_by_their_number_of_wrong_labels(loss, scale):
    random = np.random.RandomState(8)
    n_labels = 4
    X = [random.randn(length, 6) for length in (1, 2, 9, 17, 30)]
    Y = [random.randint(0, n_labels, size=len(x)) for x in X]
    problem = LabelSequence(classes=range(n_labels), bias=False, loss=loss, transition_scale=scale)
    oracle = problem._bind(X, Y, True).oracle
    for size in (0.01, 0.1, 0.3, 1.0):
        weights = size * random.randn(oracle.n_features)
        transitions, table = problem.transitions(weights), problem.emissions(weights)
        for number, (x, y) in enumerate(zip(X, Y, strict=True)):
            by_count = best_by_count(x @ table, transitions, y)
            for search, root in (("slack", False), ("slack", True), ("margin", True)):
                losses = [wrong / (len(y) if loss == "mean" else 1) for wrong in range(len(y) + 1)]
                highest = max(
                    violation(search, root, its_loss, by_count[0] - score)
                    for its_loss, score in zip(losses, by_count, strict=True)
                )
                indices, values, found_loss, correct = oracle.find(number, weights, search, root)
                found = violation(search, root, found_loss, weights[indices] @ values)
                assert_allclose(found, highest, rtol=1e-9, atol=1e-9)
                assert correct == (len(indices) == 0) == (found_loss == 0)


def test_ties_take_the_first_labels():
    problem = LabelSequence(classes=LABELS)
    problem._bind([["x", "x"]], [["c", "c"]], True)
    assert problem._decode([["x", "x"]], np.zeros(30), 1) == [["a", "a"]]
