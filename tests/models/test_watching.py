"""Who watches a model is told how far it is; what it learns does not change."""

from __future__ import annotations

import numpy as np
import pytest

from hedgerow.cli.train import lessons
from hedgerow.cli.train.lessons import ProgressOptions, Whole
from hedgerow.kernels import RBF
from hedgerow.online import AROW, Forgetron, Perceptron
from hedgerow.structured import GrammarSVC, Multiclass, SequenceSVC, StructuredPerceptron
from hedgerow.svm import SVC, CuttingPlaneSVC

X = np.random.default_rng(0).normal(size=(300, 4))
Y = np.array(["a", "b", "c"])[np.abs(X[:, :3]).argmax(axis=1)]
PARSES = ["(S (N a) (V b))", "(S (N b) (V (V b) (N a)))", "(S (V a) (N b))"] * 3
WORDS = [["a", "b"], ["b"]], [["X", "Y"], ["X"]]
MODELS = {
    "shuffled": (lambda: AROW(epochs=3, shuffle=True, random_state=0), X, Y, "900 of 900 examples"),
    "averaged": (lambda: Perceptron(averaging="average", bias=True), X, Y, "300 of 300 examples"),
    "traced": (lambda: Perceptron(trace_every=7, epochs=2), X, Y, "600 of 600 examples"),
    "budget": (lambda: Forgetron(RBF(), budget=20, epochs=2), X, Y, "600 of 600 examples"),
    "supports": (lambda: Perceptron(RBF(), epochs=3), X, Y, "900 of 900 examples"),
    "structured": (lambda: StructuredPerceptron(Multiclass(), epochs=2), X, Y, "600 of 600 examples"),
    "svm": (lambda: SVC(RBF()), X, Y, "class 3 of 3, "),
    "svm of two classes": (lambda: SVC(RBF()), X, Y == "a", " iterations, violation "),
    "cutting planes": (lambda: CuttingPlaneSVC(), X, Y, "round "),
    "grammar": (lambda: GrammarSVC(), PARSES, PARSES, "round "),
    "sequences": (lambda: SequenceSVC(random_state=0), *WORDS, "round "),
}


@pytest.mark.parametrize("name", MODELS)
def test_watched(name, monkeypatch):
    made, inputs, outputs, last = MODELS[name]
    told = []

    class Spinner:
        def __enter__(self):
            return told.append

        def __exit__(self, *_):
            pass

    monkeypatch.setattr(lessons, "spinning", lambda *_, **__: Spinner())
    watched, alone = made(), made().fit(inputs, outputs)
    Whole(inputs, outputs).learn(watched, ProgressOptions())
    assert last in told[-1]
    assert "_watch" not in watched.__dict__
    assert list(map(str, watched.predict(inputs))) == list(map(str, alone.predict(inputs)))
    if hasattr(alone, "decision_function"):
        np.testing.assert_array_equal(watched.decision_function(inputs), alone.decision_function(inputs))
    if hasattr(alone, "support_"):
        np.testing.assert_array_equal(watched.support_, alone.support_)
        assert len(np.unique(alone.support_)) == len(alone.support_)
    if name == "traced":
        assert watched.trace_.mistakes.tolist() == alone.trace_.mistakes.tolist()


def test_ctrl_c_while_telling():
    machine = SVC(RBF(), C=10.0)

    def press(words):
        raise KeyboardInterrupt

    machine._watch = press
    with pytest.raises(KeyboardInterrupt):
        machine.fit(X, Y == "a")
    assert not machine.converged_
    assert machine.predict(X).shape == Y.shape
