"""``hedgerow svm_learn`` and ``svm_classify``: flags, model files, and the learners' own decisions."""

from __future__ import annotations

import os

import numpy as np
import pytest

from hedgerow import Forest, Records
from hedgerow.io import read_svmlight_tk, write_svmlight_tk
from hedgerow.kernels import Linear, Normalized, PartialTree, Polynomial, SubsetTree
from hedgerow.online import (
    Forgetron,
    PassiveAggressive,
    Perceptron,
    Projectron,
    ProjectronPlusPlus,
)
from hedgerow.svmlight_tk import read_svmlight_tk_model
from hedgerow.svmlight_tk.flags import parse_flags

SST = Normalized(SubsetTree())
ALGORITHMS = [
    (["perceptron"], Perceptron(SST)),
    (["perceptron", "-b", "1"], Perceptron(SST, bias=True)),
    (["averaged"], Perceptron(SST, averaging="average")),
    (["averaged", "-b1"], Perceptron(SST, averaging="average", bias=True)),
    (["averaged", "-j", "2"], Perceptron(SST, averaging="average", class_weight={-1: 1, 1: 2})),
    (["voted"], Perceptron(SST, averaging="vote")),
    (["pa"], PassiveAggressive(SST, variant="PA")),
    (["pai", "-c", "0.3"], PassiveAggressive(SST, variant="PA-I", C=0.3)),
    (["paii", "-c0.3"], PassiveAggressive(SST, variant="PA-II", C=0.3)),
    (["forgetron", "-B", "9"], Forgetron(SST, budget=9, shrinking="basic")),
    (["tunedforgetron", "-B9"], Forgetron(SST, budget=9)),
    (["greedyforgetron", "-B9"], Forgetron(SST, budget=9, shrinking="greedy")),
    (["projectron", "-E", "0.2"], Projectron(SST, eta=0.2)),
    (["projectron++"], ProjectronPlusPlus(SST)),
    (["projectron++", "-B", "100"], ProjectronPlusPlus(SST, budget=100)),
]


@pytest.mark.parametrize(
    ("args", "learner"), ALGORITHMS, ids=lambda v: " ".join(v) if isinstance(v, list) else ""
)
def test_algorithms(questions, hedgerow_command, args, learner):
    """What svm_classify decides with the file is what the learner decides."""
    text = hedgerow_command.good("svm_learn", "-z", "o", "-A", *args, "-t", "5", "two.tk", "model")
    learner.fit(questions.trees[:240], np.where(questions.y[:240] == "NUM", 1, -1))
    assert text == (
        f"240 examples, {learner.mistakes_} mistakes while learning, {learner.n_support_} support vectors\n"
    )
    said = hedgerow_command.good("svm_classify", "test2.tk", "model", "out")
    decisions = np.array(list(map(float, (questions.folder / "out").read_text().split())))
    expected = learner.decision_function(questions.trees[240:])
    np.testing.assert_allclose(decisions, expected, rtol=1e-9, atol=1e-12)
    y = np.where(questions.y[240:] == "NUM", 1, -1)
    right = int(((decisions > 0) == (y > 0)).sum())
    assert said.startswith(
        f"Accuracy on test set: {100 * right / 60:.2f}% ({right} correct, {60 - right} incorrect, 60 total)\n"
        "Precision/recall on test set: "
    )
    model = read_svmlight_tk_model("model")
    assert model.version == "V5.01-TK-1.5"
    assert (model.votes is not None) == (learner.averaging is not None)
    if model.votes is not None:
        assert model.votes.sum() == 240


def test_shuffled(folder, hedgerow_command):
    """A file that is sorted by class ruins one pass, which says so; in random order it does not."""
    words = [["a", "b", "c"][i % 3] for i in range(150)]
    y = np.repeat([-1, 1], 150)
    trees = Forest(
        [
            f"(S ({'P' if sign > 0 else 'N'} {word}) (B b{i % 7}))"
            for sign in (-1, 1)
            for i, word in enumerate(words)
        ]
    )
    write_svmlight_tk(folder / "sorted.tk", trees, y)
    flags = ["svm_learn", "-z", "o", "-A", "averaged", "-t", "5"]
    assert "sorted by class" in hedgerow_command.run(*flags, "sorted.tk", "a").stderr
    result = hedgerow_command.run(*flags, "--shuffle", "sorted.tk", "b")
    assert result.stderr == ""
    order = np.random.RandomState(0).permutation(300)
    expected = Perceptron(SST, averaging="average").fit(trees[order], y[order])
    hedgerow_command.good("svm_classify", "sorted.tk", "b", "out")
    assert np.loadtxt(folder / "out") == pytest.approx(expected.decision_function(trees))
    assert "--shuffle belongs to -z o" in hedgerow_command.run("svm_learn", "--shuffle", "sorted.tk").stderr


def test_votes_weight_the_predictors_of_the_time(questions, hedgerow_command):
    """The averaged model against the explicit average of all 240 predictors."""
    hedgerow_command.good("svm_learn", "-zo", "-Aaveraged", "-t5", "two.tk", "model")
    model = read_svmlight_tk_model("model")
    assert set(model.coefficients.tolist()) <= {-1.0, 1.0}
    learner, total = Perceptron(SST), 0
    y = np.where(questions.y[:240] == "NUM", 1, -1)
    for i in range(240):
        learner.partial_fit(questions.trees[i : i + 1], y[i : i + 1], classes=[-1, 1])
        total = total + learner.decision_function(questions.trees[240:])
    K = SST(questions.trees[240:], model.supports)
    np.testing.assert_allclose(K @ model.expansion_coefficients(), total / 240, rtol=1e-9, atol=1e-12)


KERNELS = [
    (["-t", "0"], Linear().on("vector")),
    (["-t", "1", "-d", "2", "-s", "0.5", "-r", "0"], Polynomial(2, 0.5, 0).on("vector")),
    (["-t5", "-F3", "-L", "0.3", "-M.2"], Normalized(PartialTree(0.3, 0.2, max_length=5)).on("tree")),
    (["-t5", "-C", "V", "-S", "0", "-N", "0"], Linear().on("vector") + Linear().on("vector_2")),
    (
        ["-t5", "-C+", "-T", "0.5", "-S0", "-N1"],
        Linear().on("vector") + Linear().on("vector_2") + 0.5 * Normalized(SubsetTree()).on("tree"),
    ),
    (
        ["-t5", "-C*", "-S0"],
        (Normalized(Linear()).on("vector") + Normalized(Linear()).on("vector_2"))
        * Normalized(SubsetTree()).on("tree"),
    ),
]


@pytest.mark.parametrize(
    ("args", "kernel"), KERNELS, ids=lambda v: " ".join(v) if isinstance(v, list) else ""
)
def test_kernels(questions, hedgerow_command, args, kernel):
    rng = np.random.default_rng(0)
    vectors = rng.normal(size=(2, 240, 4)).round(2)
    y = np.where(questions.y[:240] == "NUM", 1, -1)
    X = Records(tree=questions.trees[:240], vector=vectors[0], vector_2=vectors[1])
    write_svmlight_tk("a.dat", X, y)
    hedgerow_command.good("svm_learn", "-z", "o", "-A", "pai", *args, "-v", "0", "a.dat", "model")
    hedgerow_command.good("svm_classify", "-v", "0", "a.dat", "model", "out")
    X, y = read_svmlight_tk("a.dat")
    expected = PassiveAggressive(kernel).fit(X, y).decision_function(X)
    decisions = np.array(list(map(float, (questions.folder / "out").read_text().split())))
    np.testing.assert_allclose(decisions, expected, rtol=1e-8, atol=1e-10)
    parameters = read_svmlight_tk_model("model").parameters
    assert parameters.kernel_type == int(args[0][2:] or args[1])


def test_predict_and_evaluate_take_old_models(questions, hedgerow_command):
    hedgerow_command.good("svm_learn", "-zo", "-Aperceptron", "-t5", "two.tk", "model")
    hedgerow_command.good("svm_classify", "test2.tk", "model", "out")
    decisions = (questions.folder / "out").read_text()
    assert hedgerow_command.good("predict", "model", "test2.tk", "--scores") == decisions
    labels = ["1" if float(value) > 0 else "-1" for value in decisions.split()]
    assert hedgerow_command.good("predict", "model", "test2.tk").split() == labels
    assert "accuracy" in hedgerow_command.good("evaluate", "model", "test2.tk", "--json")


def test_output_forms_and_default_names(questions, hedgerow_command):
    assert hedgerow_command.good("svm_learn", "-zo", "-Apa", "-t5", "-v0", "two.tk") == ""
    assert hedgerow_command.good("svm_classify", "-v", "0", "test2.tk", "svm_model") == ""
    values = list(map(float, (questions.folder / "svm_predictions").read_text().split()))
    hedgerow_command.good("svm_classify", "-v0", "-f", "0", "test2.tk", "svm_model", "old")
    for value, line in zip(values, (questions.folder / "old").read_text().splitlines(), strict=True):
        sign = "+1" if value > 0 else "-1"
        assert line.startswith(f"{abs(value):.8g}:{sign} ")


def test_spaces_in_leaves(folder, hedgerow_command):
    (folder / "a.dat").write_text("1 |BT| (S (N New York)) |ET|\n-1 |BT| (S (N York)) |ET|\n" * 3)
    hedgerow_command.good("svm_learn", "-zo", "-Apa", "-t5", "--spaces-in-leaves", "a.dat", "model")
    assert "(N New York)" in (folder / "model").read_text()
    hedgerow_command.good("svm_classify", "--spaces-in-leaves", "a.dat", "model", "out")
    values = list(map(float, (folder / "out").read_text().split()))
    assert [value > 0 for value in values] == [True, False] * 3


class TestRefusals:
    @pytest.fixture
    def complaint(self, folder, hedgerow_command):
        def run(*args, code=2):
            (folder / "a.dat").write_text("1 |BT| (S a) |ET| 1:1\n-1 |BT| (S b) |ET| 1:-1\n")
            (folder / "model").write_text("old")
            text = hedgerow_command.sentence("svm_learn", *args, "a.dat", "model", code=code)
            assert (folder / "model").read_text() == "old"
            return text.removeprefix("Invalid value: ").removesuffix(" (see hedgerow svm_learn --help)")

        return run

    @pytest.mark.parametrize(
        ("args", "words"),
        [
            (["-z", "r"], "-z r is regression, which hedgerow does not have; -z c (classification) and -z o"),
            (["-zp"], "-z p is ranking, which hedgerow does not have; -z c (classification) and -z o"),
            (["-z", "x"], "-z must be c (classification) or o (online learning), got 'x'"),
            (["-z", "o"], "-A must be one of perceptron, averaged"),
            (["-zo", "-A", "svm"], "-A must be one of perceptron, averaged"),
            (["-zo", "-Apa", "-m", "40"], "-m belongs to -z c, not to -z o"),
            (["-zo", "-Apa", "-#", "40"], "-# belongs to -z c, not to -z o"),
            (["-A", "pa"], "-A belongs to -z o, not to -z c"),
            (["-zc", "-B", "9"], "-B belongs to -z o, not to -z c"),
            (["-zc", "-h", "40"], "-h: belongs to the solver of SVM-light"),
            (["-x", "1"], "-x: hedgerow has no leave-one-out"),
            (["-b", "2"], "-b must be 0 or 1, got 2"),
            (["-c", "much"], "-c must be a number, got 'much'"),
            (["-#", "1.5"], "-# must be a whole number, got '1.5'"),
            (["-zo", "-Apa", "-p", "0.5"], "-p: belongs to transduction"),
            (["-zo", "-Apa", "-D", "0"], "-D: version 1.5 has -F 0"),
            (["-zo", "-Apa", "-G", "0"], "no such option: -G"),
            (["-zo", "-Apa", "--fast"], "no such option: --fast"),
            (["-zo", "-Apa", "-c", "1"], "-A pa does not take -c, which is for pai, paii"),
            (
                ["-zo", "-Apa", "-j", "2"],
                "-A pa does not take -j, which is for perceptron, averaged, voted, pai",
            ),
            (["-zo", "-Avoted", "-b", "1"], "-A voted does not take -b, which is for perceptron, averaged"),
            (["-zo", "-Aprojectron", "-B9", "-E1"], "-E has no effect with -B"),
            (["-L", "0.2"], "-L has no effect here; it applies to trees (-t 5 with -C T, + or *)"),
            (["-t1", "-g", "1"], "-g has no effect here; it applies to RBF kernels (-t 2, or -S 2)"),
            (
                ["-t5", "-M", "0.2"],
                "-M has no effect here; it applies to partial trees (-t 5 with -F 3 or 4)",
            ),
            (["-t5", "-d", "2"], "-d has no effect here; it applies to polynomial kernels (-t 1, or -S 1)"),
            (["-t5", "-T", "2"], "-T has no effect here; it applies to sums (-t 5 with -C +)"),
            (
                ["-zo", "-Aforgetron"],
                "-A forgetron keeps a limited number of support vectors; say how many with",
            ),
            (["-zo", "-Apai", "-c", "much"], "-c must be a number, got 'much'"),
            (["-zo", "-Aforgetron", "-B", "1.5"], "-B must be a whole number, got '1.5'"),
            (["-zo", "-Aperceptron", "-b", "2"], "-b must be 0 or 1"),
            (["-zo", "-Apa", "-t", "5", "-t", "1"], "-t is given twice, as 5 and 1"),
        ],
    )
    def test_flags(self, complaint, args, words):
        assert complaint(*args).startswith(words)

    @pytest.mark.parametrize(
        ("args", "words"),
        [
            (["-t", "x"], "-t must be a number, got 'x'"),
            (["-t", "4"], "-t 4 is a kernel of the user's own"),
            (["-t", "11"], "-t 11, 12 and 13 re-rank pairs"),
            (["-t5", "-C", "T+V"], "-C must be one of +, *, T, V, got 'T+V'"),
            (["-t5", "-L", "2"], "decay must be"),
            (["-t5", "-F", "9"], "-F must be 0 (ST)"),
            (["-t5", "-U", "1"], "-U reads weights"),
        ],
    )
    def test_kernels(self, complaint, args, words):
        assert complaint("-zo", "-Apa", *args).startswith(words)

    def test_files(self, folder, hedgerow_command):
        run = hedgerow_command.sentence
        learn = ["svm_learn", "-zo", "-Apa", "-t5"]
        assert "no file of examples" in run(*learn, code=2)
        assert "too many files: a b c" in run(*learn, "a", "b", "c", code=2)
        assert run(*learn, "none") == "none: No such file or directory"
        for name, content, words in (
            (
                "zero",
                "1 |BT| (S a) |ET|\n0 |BT| (S b) |ET|\n",
                "zero: the label 0 marks examples for transduction",
            ),
            (
                "words",
                "a |BT| (S a) |ET|\nb |BT| (S b) |ET|\n",
                "words: labels must be numbers above or below 0",
            ),
            ("empty", "", "no example in empty"),
            ("one", "1 |BT| (S a) |ET|\n", "all 1 examples have the label 1"),
        ):
            (folder / name).write_text(content)
            assert run(*learn, name, "model").startswith(words)
        assert "model" not in os.listdir(folder)
        (folder / "other").write_text("SVM-light Version V5.01-TK-1.5\n5 # kernel type\n")
        assert run("svm_classify", "one", "other").startswith("other, line 2: the file is cut short")
        assert "got 1 files" in run("svm_classify", "one", code=2)
        assert run("svm_classify", "one", "zero").startswith("zero, line 1: not a model of SVM-light-TK")


def test_predictions_of_examples_in_another_format(questions, hedgerow_command):
    hedgerow_command.good("svm_learn", "-t5", "two.tk", "model")
    trees = "".join(f"{tree}\n" for tree in questions.trees[240:].to_brackets())
    (questions.folder / "trees.txt").write_text(trees)
    found = hedgerow_command.good("predict", "model", "trees.txt", "--format", "brackets")
    assert found == hedgerow_command.good("predict", "model", "test2.tk")


def test_flags_attached_apart_and_between_files():
    known = {"known": "trz", "refused": {}}
    assert parse_flags(["-t5", "a", "-r", "-1", "--spaces-in-leaves", "-", "-zo"], **known) == (
        {"t": "5", "r": "-1", "--spaces-in-leaves": "", "z": "o"},
        ["a", "-"],
    )
