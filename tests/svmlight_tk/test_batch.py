"""``hedgerow svm_learn`` without ``-z o``: the exact machine behind the flags and model files of SVM-light-TK."""

from __future__ import annotations

import re

import numpy as np
import pytest
from sklearn.svm import SVC as ReferenceSVC

from hedgerow import Records
from hedgerow.io import read_svmlight_tk, write_svmlight_tk
from hedgerow.kernels import RBF, Linear, Normalized, PartialTree, Polynomial, SubsetTree
from hedgerow.svm import SVC
from hedgerow.svmlight_tk import read_svmlight_tk_model

SST = Normalized(SubsetTree())
FLAGS = [
    ([], SVC(SST)),
    (["-z", "c", "-c", "10", "-b0"], SVC(SST, C=10, bias=False)),
    (["-zc", "-c", "0.5", "-j", "5"], SVC(SST, C=0.5, cost_factor=5)),
    (["-c", "2", "-e", "1e-6", "-m", "40"], SVC(SST, C=2, tol=1e-6, cache_size=40)),
]


def decisions(path):
    return np.array(list(map(float, path.read_text().split())))


@pytest.mark.parametrize(
    ("flags", "machine"), FLAGS, ids=lambda v: " ".join(v) if isinstance(v, list) else ""
)
def test_flags(questions, hedgerow_command, flags, machine):
    """What svm_classify decides with the file is what the machine decides."""
    said = hedgerow_command.good("svm_learn", *flags, "-t", "5", "two.tk", "model")
    machine.fit(questions.trees[:240], np.where(questions.y[:240] == "NUM", 1, -1))
    assert re.fullmatch(
        rf"240 examples, {machine.n_support_} support vectors, C = {machine.C:g}, {machine.n_iter_.sum()} iterations, "
        r"relative duality gap \S+, converged\n",
        said,
    )
    assert hedgerow_command.good("svm_classify", "test2.tk", "model", "out").startswith(
        "Accuracy on test set: "
    )
    expected = machine.decision_function(questions.trees[240:])
    np.testing.assert_allclose(decisions(questions.folder / "out"), expected, rtol=1e-9, atol=1e-12)
    model = read_svmlight_tk_model("model")
    assert (model.votes, model.n_documents) == (None, 240)
    assert model.threshold == -machine.intercept_[0]
    assert model.coefficients.tolist() == machine.dual_coef_[0].tolist()


def test_against_another_implementation(questions, hedgerow_command):
    """scikit-learn's machine on the same Gram matrix."""
    hedgerow_command.good("svm_learn", "-t5", "-F3", "-c3", "-j4", "-e", "1e-7", "two.tk", "model")
    hedgerow_command.good("svm_classify", "test2.tk", "model", "out")
    kernel = Normalized(PartialTree(max_length=5))
    train, test = questions.trees[:240], questions.trees[240:]
    y = np.where(questions.y[:240] == "NUM", 1, -1)
    reference = ReferenceSVC(kernel="precomputed", C=3, class_weight={1: 4}, tol=1e-7).fit(kernel(train), y)
    expected = reference.decision_function(kernel(test, train))
    np.testing.assert_allclose(decisions(questions.folder / "out"), expected, atol=1e-5)


KERNELS = [
    (["-t", "0"], Linear().on("vector")),
    (["-t", "1", "-d", "2", "-s", "0.5", "-r", "1"], Polynomial(2, 0.5, 1).on("vector")),
    (["-t", "2", "-g", "0.1"], RBF(0.1).on("vector")),
    (
        ["-t5", "-C+", "-T", "0.5", "-S0", "-N1"],
        Linear().on("vector") + Linear().on("vector_2") + 0.5 * Normalized(SubsetTree()).on("tree"),
    ),
    (["-t5", "-N0", "-L", "0.1"], SubsetTree(0.1).on("tree")),
]


@pytest.mark.parametrize(
    ("args", "kernel"), KERNELS, ids=lambda v: " ".join(v) if isinstance(v, list) else ""
)
def test_default_C_of_kernels(questions, hedgerow_command, args, kernel):
    """Without -c, C is 1 over the mean self-kernel."""
    rng = np.random.default_rng(0)
    vectors = rng.normal(size=(2, 240, 4)).round(2)
    y = np.where(questions.y[:240] == "NUM", 1, -1)
    write_svmlight_tk("a.dat", Records(tree=questions.trees[:240], vector=vectors[0], vector_2=vectors[1]), y)
    X, y = read_svmlight_tk("a.dat")
    C = 1 / np.mean(kernel.diag(X))
    said = hedgerow_command.good("svm_learn", *args, "a.dat", "model")
    assert f"C = {C:.6g}," in said
    hedgerow_command.good("svm_classify", "-v", "0", "a.dat", "model", "out")
    expected = SVC(kernel, C=C).fit(X, y).decision_function(X)
    np.testing.assert_allclose(decisions(questions.folder / "out"), expected, rtol=1e-7, atol=1e-9)


def test_labels_of_any_size(folder, hedgerow_command):
    (folder / "a.dat").write_text("2 1:1\n1 1:0.9\n-1 1:-1\n-3 1:-0.5\n")
    hedgerow_command.good("svm_learn", "-v0", "a.dat", "model")
    assert hedgerow_command.good("predict", "model", "a.dat") == "1\n1\n-1\n-1\n"


def test_iterations_may_be_limited(questions, hedgerow_command):
    result = hedgerow_command.run("svm_learn", "-t5", "-c10", "-#", "3", "two.tk", "model")
    assert result.exit_code == 0
    assert result.stderr.startswith("hedgerow: warning: ")
    assert "not converged" in result.stdout
    assert len(read_svmlight_tk_model("model").coefficients) > 0


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("1 1:1\n0 1:2\n-1 1:3\n", "a.dat: the label 0 marks examples for transduction"),
        ("1 1:1\n2 1:2\n", "a.dat: all labels are above 0; learning needs positive and negative examples"),
        ("a 1:1\nb 1:2\n", "a.dat: labels must be numbers above or below 0, got 'a'"),
        ("1 1:1\n1 1:2\n", "all 2 examples have the label 1"),
    ],
)
def test_labels_that_do_not_do(folder, hedgerow_command, content, words):
    (folder / "a.dat").write_text(content)
    assert hedgerow_command.sentence("svm_learn", "a.dat", "model").startswith(words)
    assert not (folder / "model").exists()


@pytest.mark.parametrize(
    ("flags", "words"),
    [
        (["-c", "0"], "C must be a number at least 1e-20"),
        (["-j", "-1"], "cost_factor must be a number at least 1e-20"),
        (["-e", "0"], "tol must be"),
        (["-m", "-5"], "cache_size must be"),
    ],
)
def test_values_that_do_not_do(folder, hedgerow_command, flags, words):
    said = hedgerow_command.sentence("svm_learn", *flags, "none.dat", "model", code=2)
    assert said.startswith(f"Invalid value: {words}")


@pytest.mark.shared_data
def test_the_demo_of_svm_light_tk(data_folder, folder, hedgerow_command):
    """NUM against the rest: every third question against scikit-learn, on the same Gram matrix."""
    train, test = (data_folder / "qc_num_svmtk" / f"{part}.tk.gz" for part in ("train", "test"))
    X, y = read_svmlight_tk(train)
    X, y = X[::3], y[::3]
    write_svmlight_tk("third.dat", X, y)
    hedgerow_command.good("svm_learn", "-t", "5", "-e", "1e-5", "third.dat", "model")
    hedgerow_command.good("svm_classify", test, "model", "out")
    reference = ReferenceSVC(kernel="precomputed", tol=1e-5).fit(SST(X), y)
    X_test, _ = read_svmlight_tk(test)
    np.testing.assert_allclose(
        decisions(folder / "out"), reference.decision_function(SST(X_test, X)), atol=1e-4
    )
    assert len(read_svmlight_tk_model("model").coefficients) == reference.n_support_.sum()
