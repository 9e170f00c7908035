"""``hedgerow predict`` and ``hedgerow evaluate``: the models' own answers, and figures as scikit-learn has them."""

from __future__ import annotations

import json
import os

import numpy as np
import pytest
from sklearn.metrics import accuracy_score, confusion_matrix, log_loss, precision_recall_fscore_support

import hedgerow
from hedgerow.io import sources
from hedgerow.kernels import RBF, Normalized, SubsetTree
from hedgerow.models.tallies import Confusion, evaluation
from hedgerow.online import Perceptron


@pytest.fixture
def six(questions, hedgerow_command):
    hedgerow_command.good("train", "--learner", "perceptron", "six.tk", "-o", "six.model")
    return hedgerow.load("six.model")


@pytest.fixture
def two(questions, hedgerow_command):
    hedgerow_command.good("train", "--learner", "perceptron", "two.tk", "-o", "two.model")
    return hedgerow.load("two.model")


class TestPredict:
    def test_labels(self, six, questions, hedgerow_command):
        expected = "".join(f"{label}\n" for label in six.predict(questions.trees[240:]))
        assert hedgerow_command.good("predict", "six.model", "test.tk") == expected
        hedgerow_command.good("predict", "six.model", "test.tk", "-o", "out.txt")
        assert (questions.folder / "out.txt").read_text() == expected

    def test_scores(self, six, two, questions, hedgerow_command):
        values = six.decision_function(questions.trees[240:])
        lines = hedgerow_command.good("predict", "six.model", "test.tk", "--scores").splitlines()
        assert [list(map(float, line.split("\t"))) for line in lines] == values.tolist()
        values = two.decision_function(questions.trees[240:])
        lines = hedgerow_command.good("predict", "two.model", "test.tk", "--scores").splitlines()
        assert list(map(float, lines)) == values.tolist()

    def test_probabilities(self, two, questions, hedgerow_command):
        run = hedgerow_command.good
        run("train", "six.tk", "-o", "p.model", "--learner", "svm", "--probability", "isotonic")
        expected = hedgerow.load("p.model").predict_proba(questions.trees[240:])
        lines = run("predict", "p.model", "test.tk", "--probabilities").splitlines()
        assert [list(map(float, line.split("\t"))) for line in lines] == expected.tolist()
        run(
            "train",
            "two.tk",
            "-o",
            "q.model",
            "--learner",
            "pa",
            "--kernel",
            "sst",
            "--probability",
            "sigmoid",
        )
        lines = run("predict", "q.model", "test.tk", "--probabilities").splitlines()
        assert [sum(map(float, line.split("\t"))) for line in lines] == pytest.approx([1] * 60)
        sentence = hedgerow_command.sentence("predict", "two.model", "test.tk", "--probabilities", code=2)
        assert "this Perceptron gives none" in sentence
        assert "--probability sigmoid" in sentence
        both = hedgerow_command.sentence(
            "predict", "p.model", "test.tk", "--probabilities", "--scores", code=2
        )
        assert "cannot be combined" in both

    def test_many_batches_and_files(self, six, questions, hedgerow_command, monkeypatch):
        whole = hedgerow_command.good("predict", "six.model", "six.tk", "test.tk")
        monkeypatch.setattr(sources, "BATCH", 7)
        assert hedgerow_command.good("predict", "six.model", "six.tk", "test.tk") == whole
        assert whole.count("\n") == 300

    def test_brackets_without_labels(self, six, questions, hedgerow_command):
        text = "\n".join(questions.trees[240:].to_brackets())
        expected = hedgerow_command.good("predict", "six.model", "test.tk")
        assert (
            hedgerow_command.good("predict", "six.model", "-", "--format", "brackets", stdin=text) == expected
        )

    def test_models_saved_from_python(self, points, questions, hedgerow_command):
        model = Perceptron(RBF(0.1)).fit(points.X, points.y)
        hedgerow.save(model, "a.model")
        predicted = hedgerow_command.good("predict", "a.model", "points.svm").split()
        assert predicted == [str(label) for label in model.predict(points.X)]
        model = Perceptron(Normalized(SubsetTree())).fit(questions.trees[:240], questions.y[:240])
        hedgerow.save(model, "b.model")
        predicted = hedgerow_command.good("predict", "b.model", "test.tk").split()
        assert predicted == model.predict(questions.trees[240:]).tolist()
        assert "a tree must be" in hedgerow_command.sentence("predict", "b.model", "points.svm")

    def test_failures(self, two, questions, hedgerow_command):
        run = hedgerow_command.sentence
        folder = questions.folder
        assert run("predict", "none.model", "test.tk") == "none.model: No such file or directory"
        assert run("predict", "two.model", "none.tk") == "none.tk: No such file or directory"
        assert run("predict", "test.tk", "test.tk") == "test.tk: not a hedgerow model"
        assert run("predict", "two.model", "test.tk", "-o", str(folder)) == f"{folder}: Is a directory"
        assert run("predict", "two.model", "test.tk", "-o", "test.tk").startswith("test.tk is also an input")
        (folder / "empty.tk").write_text("")
        assert run("predict", "two.model", "empty.tk", "-o", "out") == "no example in empty.tk"
        (folder / "bad.tk").write_text("1 |BT| (S a) |ET|\n" * 16 + "1 |BT| (S (N a) |ET|\n")
        assert run("predict", "two.model", "bad.tk", "-o", "out").startswith("bad.tk, line 17, column ")
        (folder / "vectors.svm").write_text("1 1:2\n")
        assert run("predict", "two.model", "vectors.svm") == (
            "vectors.svm: the examples have the columns vector, but the model was trained on tree"
        )
        content = (folder / "two.model").read_bytes()
        (folder / "cut.model").write_bytes(content[:-3])
        assert run("predict", "cut.model", "test.tk").startswith("cut.model: the model file is damaged")
        assert "out" not in os.listdir(folder)


class TestEvaluate:
    def test_json(self, six, two, questions, hedgerow_command):
        for name, model, y, data in (
            ("six", six, questions.y[240:], "test.tk"),
            ("two", two, np.where(questions.y[240:] == "NUM", 1, -1), "test2.tk"),
        ):
            figures = json.loads(hedgerow_command.good("evaluate", f"{name}.model", data, "--json"))
            check(figures, y, model.predict(questions.trees[240:]), model.classes_)

    def test_tables(self, six, questions, hedgerow_command):
        text = hedgerow_command.good("evaluate", "six.model", "test.tk")
        figures = json.loads(hedgerow_command.good("evaluate", "six.model", "test.tk", "--json"))
        assert f"60 examples, accuracy {figures['accuracy']:.4f}" in text
        for label, values in figures["classes"].items():
            assert label in text
            assert f"{values['f1']:.4f}" in text
        assert f"{figures['macro']['f1']:.4f}" in text

    def test_probabilities(self, questions, hedgerow_command):
        run = hedgerow_command.good
        run("train", "six.tk", "-o", "p.model", "--learner", "svm", "--probability", "sigmoid")
        model = hedgerow.load("p.model")
        found = model.predict_proba(questions.trees[240:])
        figures = json.loads(run("evaluate", "p.model", "test.tk", "--json"))
        check(figures, questions.y[240:], model.predict(questions.trees[240:]), model.classes_)
        calibration = figures["calibration"]
        assert calibration["log_loss"] == pytest.approx(log_loss(questions.y[240:], found))
        assert calibration["brier"] == pytest.approx(
            ((found - (questions.y[240:, None] == model.classes_)) ** 2).sum(axis=1).mean()
        )
        assert sum(calibration["bins"]["examples"]) == 60
        right = model.classes_[found.argmax(axis=1)] == questions.y[240:]
        shares = np.average(calibration["bins"]["accuracy"], weights=calibration["bins"]["examples"])
        assert shares == pytest.approx(right.mean())
        means = np.average(calibration["bins"]["confidence"], weights=calibration["bins"]["examples"])
        assert means == pytest.approx(found.max(axis=1).mean())
        said = f"expected calibration error {calibration['error']:.4f}"
        assert said in " ".join(run("evaluate", "p.model", "test.tk").split())

    def test_labels_that_the_model_does_not_know(self, two, questions, hedgerow_command):
        text = (questions.folder / "test2.tk").read_text().replace("-1 |BT|", "7 |BT|", 1)
        (questions.folder / "new.tk").write_text(text)
        figures = json.loads(hedgerow_command.good("evaluate", "two.model", "new.tk", "--json"))
        assert figures["classes"]["7"] == {"precision": 0, "recall": 0, "f1": 0, "examples": 1}
        assert figures["confusion"]["labels"] == [-1, 1, 7]

    def test_failures(self, two, six, questions, hedgerow_command):
        run = hedgerow_command.sentence
        (questions.folder / "trees.mrg").write_text("(S a)\n")
        assert run("evaluate", "two.model", "trees.mrg", "--json") == "trees.mrg: an example has no label"
        assert "the label" in run("evaluate", "two.model", "test.tk")  # words, where the model has numbers


def check(figures, y, predicted, classes):
    precision, recall, f1, n = precision_recall_fscore_support(y, predicted, zero_division=0)
    labels = sorted({*y.tolist(), *predicted.tolist()})
    assert figures["accuracy"] == pytest.approx(accuracy_score(y, predicted))
    assert figures["confusion"] == {"labels": labels, "counts": confusion_matrix(y, predicted).tolist()}
    assert list(figures["classes"]) == list(map(str, labels))
    for i, values in enumerate(figures["classes"].values()):
        assert [values["precision"], values["recall"], values["f1"]] == pytest.approx(
            [precision[i], recall[i], f1[i]]
        )
        assert values["examples"] == n[i]
    for mean in ("macro", "micro"):
        expected = precision_recall_fscore_support(y, predicted, average=mean, zero_division=0)[:3]
        assert list(figures[mean].values()) == pytest.approx(list(expected))
    headline = f1[labels.index(classes[1])] if len(classes) == 2 else f1.mean()
    assert figures["f1"] == pytest.approx(headline)


@pytest.mark.parametrize("classes", [["a", "b"], ["a", "b", "c", "d"]])
@pytest.mark.parametrize("seed", range(5))
def test_figures(classes, seed):
    rng = np.random.default_rng(seed)
    y, predicted = rng.choice(["a", "b", "c"], 30), rng.choice(["b", "c", "d"], 30)
    confusion = Confusion()
    for part in (slice(10), slice(10, 30)):
        confusion.update(zip(y[part].tolist(), predicted[part].tolist(), strict=True))
    check(evaluation(confusion, classes), y, predicted, classes)


def test_no_example_of_the_positive_class():
    confusion = Confusion([(0, 0), (0, 0)])
    figures = evaluation(confusion, [0, 1])
    assert (figures["f1"], figures["accuracy"]) == (0, 1)
