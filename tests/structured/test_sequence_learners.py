"""Learning to label sequences: what users do."""

from __future__ import annotations

import pickle
from typing import ClassVar

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import GridSearchCV, cross_val_score

import hedgerow
from hedgerow.io import read_columns
from hedgerow.kernels import Linear, Polynomial
from hedgerow.structured import (
    LabelSequence,
    SequenceSVC,
    StructuredPerceptron,
    StructuredSVM,
    Templates,
    span_scores,
)

NAMES = ["Mary Jones", "Rome", "New York", "Peter", "Anna Maria Bell", "Paris"]
KINDS = ["PER", "LOC", "LOC", "PER", "PER", "LOC"]
FRAMES = ["{} lives in {} .", "I saw {} today .", "in {} it rains", "{} and {} met", "nobody sings"]


def corpus(n, seed=0):
    """Sentences with names: "in" comes before places only."""
    random = np.random.RandomState(seed)
    X, Y = [], []
    for _ in range(n):
        words, labels = [], []
        last = ""
        for word in FRAMES[random.randint(len(FRAMES))].split():
            if word != "{}":
                words.append(word)
                labels.append("O")
            else:
                k = random.choice([i for i in range(len(NAMES)) if (KINDS[i] == "LOC") == (last == "in")])
                parts = NAMES[k].split()
                words += parts
                labels += [f"B-{KINDS[k]}"] + [f"I-{KINDS[k]}"] * (len(parts) - 1)
            last = word
        X.append(words)
        Y.append(labels)
    return X, Y


X, Y = corpus(40)
NEW_X, NEW_Y = corpus(30, seed=1)


@pytest.mark.parametrize("order", [0, 1, 2])
def test_perceptrons(order):
    model = StructuredPerceptron(LabelSequence(order=order, window=1), epochs=10, averaging="average").fit(
        X, Y
    )
    assert model.score(X, Y) == 1.0
    assert span_scores(NEW_Y, model.predict(NEW_X)).f1 > 0.95


def test_machines_of_all_solvers_agree():
    objectives = [
        SequenceSVC(C=0.1, solver=solver, tol=1e-3, random_state=0).fit(X, Y).objective_
        for solver in ("frank-wolfe", "one-slack", "n-slack")
    ]
    assert_allclose(objectives, objectives[-1], atol=40 * 0.1 * 1e-3)


@pytest.mark.parametrize("rescaling", [None, "margin", "slack"])
@pytest.mark.parametrize("slack", ["linear", "quadratic"])
def test_all_forms_of_the_machine(rescaling, slack):
    model = SequenceSVC(C=1.0, solver="n-slack", slack=slack, rescaling=rescaling, tol=0.1).fit(
        X[:20], Y[:20]
    )
    assert model.converged_
    assert model.score(X[:20], Y[:20]) == 1.0


def test_costs_of_labels_are_for_margins():
    costs = {("O", "B-PER"): 0.5}
    assert SequenceSVC(loss=costs, random_state=0).fit(X[:5], Y[:5]).score(X[:5], Y[:5]) > 0.5
    with pytest.raises(ValueError, match=r"it supports .*slack='linear', rescaling='margin'"):
        SequenceSVC(loss=costs, rescaling="slack", solver="one-slack").fit(X, Y)


def test_a_kernel_that_is_linear_changes_nothing():
    parameters = {"C": 0.2, "solver": "n-slack", "tol": 1e-4}
    plain = SequenceSVC(**parameters).fit(X[:15], Y[:15])
    kernelised = SequenceSVC(kernel=Linear(), **parameters).fit(X[:15], Y[:15])
    assert_allclose(kernelised.objective_, plain.objective_, rtol=1e-3)
    assert_allclose(kernelised.transitions_, plain.transitions_, atol=0.02)
    assert kernelised.predict(NEW_X) == plain.predict(NEW_X)


def test_polynomials_of_tokens():
    model = SequenceSVC(kernel=Polynomial(2), window=1, solver="n-slack", tol=0.1).fit(X, Y)
    assert model.score(NEW_X, NEW_Y) > 0.97
    dual = StructuredPerceptron(LabelSequence(kernel=Polynomial(2), window=1), epochs=5).fit(X, Y)
    assert dual.score(NEW_X, NEW_Y) > 0.95


def test_templates_and_constraints():
    templates = Templates(["word[0]", "lower[-1]", "shape[0]", "B: shape[0]"])
    model = SequenceSVC(templates=templates, constraints="bio", boundaries=True, random_state=0).fit(X, Y)
    sentence = [["the", "Xyz", "Abc", "Rome", "and"]] * 2
    for labels in [*model.predict(sentence), *model.predict(NEW_X)]:
        for before, after in zip(["O", *labels], labels, strict=False):
            assert after[0] != "I" or before[2:] == after[2:]
    assert model.score(NEW_X, NEW_Y) > 0.95


def test_what_was_learned():
    model = SequenceSVC(random_state=0, transition_scale=2.0, templates=None).fit(X, Y)
    assert model.classes_.tolist() == ["B-LOC", "B-PER", "I-LOC", "I-PER", "O"]
    transitions = model.transitions_
    assert transitions[1, 3] > transitions[1, 2]  # I-PER goes on with B-PER, I-LOC does not
    emissions = model.emissions_
    assert emissions.shape == (5, len(model.feature_names_))
    assert model.classes_[emissions[:, model.feature_names_.index("Rome")].argmax()] == "B-LOC"
    with pytest.raises(NotFittedError):
        SequenceSVC().transitions_  # noqa: B018


def test_weights_as_dicts():
    model = SequenceSVC(random_state=0, transition_scale=2.0, window=1).fit(X, Y)
    labels = model.classes_.tolist()
    assert len(model.transition_features_) == len(labels) ** 2
    assert model.transition_features_["B-PER", "I-PER"] == model.transitions_[1, 3]
    table = dict.fromkeys(((name, label) for name in model.feature_names_ for label in labels), 0.0)
    table |= model.state_features_
    assert_array_equal(
        [[table[name, label] for name in model.feature_names_] for label in labels], model.emissions_
    )


def test_estimator_and_problem_are_one():
    parameters = {"order": 2, "window": 1, "bias": False, "boundaries": True}
    one = SequenceSVC(0.5, solver="one-slack", tol=0.01, **parameters).fit(X[:10], Y[:10])
    other = StructuredSVM(LabelSequence(**parameters), 0.5, solver="one-slack").fit(X[:10], Y[:10])
    assert_array_equal(one.coef_, other.coef_)
    # Every parameter of the problem is one of the estimator, with the same default.
    mine = SequenceSVC().get_params(deep=False)
    for name, value in LabelSequence().get_params(deep=False).items():
        assert mine[name] == value


def test_pieces_equal_one_pass():
    labels = ["B-LOC", "B-PER", "I-LOC", "I-PER", "O"]
    for problem in (
        LabelSequence(classes=labels),
        LabelSequence(classes=labels, transition_features=["i"], window=1),
    ):
        whole = StructuredPerceptron(problem, averaging="average").fit(X, Y)
        pieces = StructuredPerceptron(problem, averaging="average")
        for begin in range(0, len(X), 7):
            pieces.partial_fit(X[begin : begin + 7], Y[begin : begin + 7])
        # Features arrive in the same order, so that even their numbers agree.
        assert_allclose(pieces.coef_, whole.coef_)
        assert pieces.predict(NEW_X) == whole.predict(NEW_X)


def test_machines_learn_from_streams():
    """Sentences in two pieces; the second brings features that the first did not have."""
    model = SequenceSVC(window=1, classes=["B-LOC", "B-PER", "I-LOC", "I-PER", "O"], random_state=0)
    model.partial_fit(X[:5], Y[:5])
    before = model.emissions_.shape[1]
    model.partial_fit(X[5:], Y[5:])
    assert model.emissions_.shape[1] == len(model.feature_names_) > before
    assert model.score(NEW_X, NEW_Y) > 0.9


def test_labels_must_be_known_in_streams():
    model = StructuredPerceptron(LabelSequence()).partial_fit(X[:1], [["O"] * len(X[0])])
    with pytest.raises(ValueError, match="which is not one of"):
        model.partial_fit(X, Y)


@pytest.mark.parametrize(
    "model",
    [
        SequenceSVC(random_state=0, constraints="bio", transition_features=["i"]),
        SequenceSVC(kernel=Polynomial(2), solver="one-slack", tol=0.1),
        SequenceSVC(templates=Templates(["word[0]", "suffix2[-1]"]), random_state=0),
        StructuredPerceptron(LabelSequence(order=2), averaging="average"),
    ],
)
def test_saved_models(model, tmp_path):
    model = clone(model).fit(X, Y)
    hedgerow.save(model, tmp_path / "model")
    loaded = hedgerow.load(tmp_path / "model")
    for other in (loaded, pickle.loads(pickle.dumps(model))):
        assert_array_equal(other.coef_, model.coef_)
        assert other.predict(NEW_X) == model.predict(NEW_X)
        assert other.score(NEW_X, NEW_Y) == model.score(NEW_X, NEW_Y)


def test_labels_unseen_in_training_are_errors():
    model = StructuredPerceptron(LabelSequence()).fit([["a"]], [["x"]])
    assert model.score([["a", "a"]], [["x", "new"]]) == 0.5


def test_empty_and_unknown():
    model = SequenceSVC(random_state=0).fit([[], *X], [[], *Y])
    assert model.predict([]) == []
    first, second = model.predict([[], ["unheard", "of"]])
    assert first == []
    assert len(second) == 2


def test_scikit_learns_tools():
    assert cross_val_score(SequenceSVC(random_state=0), X, Y, cv=3).min() > 0.8
    search = GridSearchCV(SequenceSVC(random_state=0), {"C": [0.01, 1.0]}, cv=2).fit(X, Y)
    assert search.best_params_["C"] in (0.01, 1.0)
    assert search.score(NEW_X, NEW_Y) > 0.9


def test_threads_change_nothing():
    one = SequenceSVC(C=0.3, solver="one-slack", n_jobs=1).fit(X, Y)
    three = SequenceSVC(C=0.3, solver="one-slack", n_jobs=3).fit(X, Y)
    assert_array_equal(one.coef_, three.coef_)
    assert one.predict(NEW_X) == three.predict(NEW_X)


@pytest.mark.shared_data
def test_chunks(data_folder):
    """A tenth of the training set, and of the test set; all of it gives 93.6."""
    train = read_columns(data_folder / "conll2000" / "train.txt.gz")[::10]
    test = read_columns(data_folder / "conll2000" / "test.txt.gz")[::10]
    cut = lambda sentences: [[token[:2] for token in s] for s in sentences]  # noqa: E731
    labels = lambda sentences: [[token[2] for token in s] for s in sentences]  # noqa: E731
    model = StructuredPerceptron(LabelSequence(templates="chunking"), averaging="average", epochs=5)
    model.fit(cut(train), labels(train))
    assert span_scores(labels(test), model.predict(cut(test))).f1 > 0.885


class TestDefaults:
    WORDS: ClassVar = [["Ann", "saw", "Rome"], ["Eve", "left", "Paris", "."]]
    TAGS: ClassVar = [["B-PER", "O", "B-LOC"], ["B-PER", "O", "B-LOC", "O"]]

    def test_text_has_templates(self):
        names = SequenceSVC(random_state=0).fit(self.WORDS, self.TAGS).feature_names_
        assert {"suffix2[0]=nn", "shape[0]=Xx", "lower[-1]=saw"} <= set(names)
        columns = [[(word, "T") for word in x] for x in self.WORDS]
        for model in (SequenceSVC(random_state=0), StructuredPerceptron(LabelSequence())):
            model.fit(columns, self.TAGS)
            assert "tag[-1] tag[0]=T|T" in model.problem_.feature_names()
            assert pickle.loads(pickle.dumps(model)).predict(columns) == model.predict(columns)

    def test_tokens_with_features_keep_them(self):
        for form in (lambda word: [word, "bias"], lambda word: {"word": word}):
            X = [[form(word) for word in x] for x in self.WORDS]
            names = SequenceSVC(random_state=0).fit(X, self.TAGS).feature_names_
            assert not any("[0]" in name for name in names)
        words = SequenceSVC(templates=None, random_state=0).fit(self.WORDS, self.TAGS)
        assert words.feature_names_ == ["Ann", "saw", "Rome", "Eve", "left", "Paris", "."]

    def test_a_text_is_not_a_list_of_tokens(self):
        with pytest.raises(TypeError, match="must be a list of tokens, got a string"):
            SequenceSVC().fit(["Ann"], [["B-PER", "O", "B-LOC"]])

    def test_saved_models_read_text_alike(self, tmp_path):
        for X in (self.WORDS, [[(word, "T", "x") for word in x] for x in self.WORDS]):
            model = SequenceSVC(random_state=0).fit(X, self.TAGS)
            hedgerow.save(model, tmp_path / "a.model")
            again = hedgerow.load(tmp_path / "a.model")
            assert again.feature_names_ == model.feature_names_
            assert again.predict(X) == model.predict(X)

    @pytest.mark.parametrize(
        ("problem", "slack", "steps"),
        [
            (LabelSequence(), "linear", True),
            (LabelSequence(kernel=Polynomial(2)), "linear", False),
            (LabelSequence(), "quadratic", False),
        ],
    )
    def test_the_solver_follows_the_problem(self, problem, slack, steps):
        model = StructuredSVM(problem, slack=slack, random_state=0).fit(X[:5], Y[:5])
        assert (model._state is not None) == steps  # Frank-Wolfe goes on from a state
        assert hasattr(model, "support_") == (slack == "quadratic")  # constraints of single examples
