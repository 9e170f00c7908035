"""Models of hedgerow as files of SVM-light-TK, and back: both score the same."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import sparse

import hedgerow
from hedgerow import Forest, Records
from hedgerow.kernels import (
    RBF,
    Linear,
    Normalized,
    PartialTree,
    Polynomial,
    Sigmoid,
    SubPath,
    SubsetTree,
    SubTree,
)
from hedgerow.online import Forgetron, PassiveAggressive, Perceptron
from hedgerow.svm import SVC, CuttingPlaneSVC
from hedgerow.svmlight_tk import SvmlightTkScorer, from_svmlight_tk, to_svmlight_tk

WORDS = np.random.default_rng(0).integers(4, size=(40, 3))
TREES = Forest([f"(S (A a{a}) (B (C c{b}) (D d{c})))" for a, b, c in WORDS])
VECTORS = sparse.csr_matrix(np.random.default_rng(1).normal(size=(40, 4)))
BOTH = Records(tree=TREES, vector=VECTORS)
Y = np.where(WORDS[:, 0] + WORDS[:, 1] > 3, "yes", "no")
KERNELS = [
    (Normalized(SubsetTree(0.3)), TREES),
    (SubTree(), TREES),
    (Normalized(SubsetTree(bag_of_words=True)), TREES),
    (Normalized(PartialTree(0.3, 0.5, max_length=5)), TREES),
    (Linear(), VECTORS),
    (Polynomial(2, 0.5, 2.0), VECTORS),
    (RBF(0.3), VECTORS),
    (Sigmoid(0.1, 0.2), VECTORS),
    (Normalized(Polynomial(2)), VECTORS),
    (Normalized(SubsetTree()).on("tree") + Normalized(Linear()).on("vector"), BOTH),
    (RBF(0.5).on("vector") * SubsetTree().on("tree"), BOTH),
]


@pytest.mark.parametrize(("kernel", "X"), KERNELS, ids=[str(kernel) for kernel, _ in KERNELS])
def test_there_and_back(kernel, X):
    model = Perceptron(kernel, bias=True).fit(X[:30], Y[:30])
    expected = model.decision_function(X[30:])
    theirs = to_svmlight_tk(model)
    np.testing.assert_allclose(SvmlightTkScorer(theirs).decision_function(X[30:]), expected, atol=1e-9)
    np.testing.assert_allclose(from_svmlight_tk(theirs).decision_function(X[30:]), expected, atol=1e-9)


@pytest.mark.parametrize(
    "model",
    [
        SVC(Normalized(SubsetTree())),
        CuttingPlaneSVC(Normalized(SubsetTree())),
        CuttingPlaneSVC(Normalized(SubsetTree()), sampling="uniform", sample_size=10, random_state=0),
        PassiveAggressive(Normalized(SubsetTree()), averaging="average", epochs=2),
        Forgetron(Normalized(SubsetTree()), budget=5),
    ],
    ids=lambda model: type(model).__name__,
)
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_by_command(model, folder, hedgerow_command):
    hedgerow.save(model.fit(TREES, Y), folder / "model")
    hedgerow_command.good("convert", "model", "--to", "svmlight-tk", "-o", "theirs")
    hedgerow.io.write_svmlight_tk(folder / "new.tk", TREES, np.where(Y == "yes", 1, -1))
    hedgerow_command.good("svm_classify", "new.tk", "theirs", "out")
    expected = model.decision_function(TREES)
    np.testing.assert_allclose(np.loadtxt(folder / "out"), expected, atol=1e-9)
    hedgerow_command.good("convert", "theirs", "--to", "hedgerow", "-o", "again")
    np.testing.assert_allclose(hedgerow.load(folder / "again").decision_function(TREES), expected, atol=1e-9)


def test_what_the_format_cannot_hold(folder, hedgerow_command):
    with pytest.raises(ValueError, match=r"3 functions.*two classes"):
        to_svmlight_tk(Perceptron(RBF()).fit(VECTORS, np.arange(40) % 3))
    with pytest.raises(ValueError, match="on weights cannot become an SVM-light-TK model"):
        to_svmlight_tk(Perceptron().fit(VECTORS, Y))
    with pytest.raises(ValueError, match="has no kernel Normalized"):
        to_svmlight_tk(Perceptron(Normalized(SubPath())).fit(TREES, Y))
    wide = [f"(S {' '.join(f'(X{i} {w})' for i in range(8))})" for w in "abcdabcd"]
    with pytest.raises(ValueError, match="5 children at most"):
        to_svmlight_tk(Perceptron(PartialTree()).fit(wide, [0, 1, 0, 1, 1, 0, 0, 1]))
    with pytest.raises(
        ValueError, match="5 children at most"
    ):  # other trees may have more than these supports
        to_svmlight_tk(Perceptron(PartialTree()).fit(TREES, Y))
    with pytest.raises(ValueError, match="has no kernel SubPath"):  # though others have its values here
        to_svmlight_tk(Perceptron(SubPath()).fit(["(A a)", "(A b)", "(A a)", "(A b)"], [0, 1, 0, 1]))
    with pytest.raises(ValueError, match="votes of many predictors"):
        to_svmlight_tk(Perceptron(RBF(), averaging="vote").fit(VECTORS, Y))
    hedgerow.save(Perceptron(RBF()).fit(VECTORS, Y), folder / "model")
    assert "--to svmlight-tk" in hedgerow_command.sentence("convert", "model", "--to", "json", code=2)
    (folder / "a.mrg").write_text("(S (A a))")
    assert "one model file" in hedgerow_command.sentence("convert", "a.mrg", "--to", "hedgerow", code=2)
