"""``hedgerow report``: from training to a page, and complaints in one sentence."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from hedgerow.persistence.model_file import read_model_file
from tests.report.conftest import Page

COMMAND = [sys.executable, "-m", "hedgerow"]


@pytest.fixture
def trained(questions, hedgerow_command):
    """six.model with its trace, and figures of test.tk."""
    good = hedgerow_command.good
    good(
        "train",
        "--learner",
        "perceptron",
        "six.tk",
        "-o",
        "six.model",
        "--epochs",
        "2",
        "--trace",
        "six.csv",
        "--trace-every",
        "20",
    )
    figures = good("evaluate", "six.model", "test.tk", "--json")
    (questions.folder / "six.json").write_text(figures, encoding="utf-8")
    return questions.folder


def test_journey(trained, hedgerow_command):
    said = hedgerow_command.good(
        "report", "six.model", "six.csv", "six.json", "-o", "page.html", "--title", "Six <classes>"
    )
    assert said == "page.html: 1 model, 1 trace, 1 evaluation\n"
    page = Page((trained / "page.html").read_text(encoding="utf-8"))
    assert page.text("h1") == ["Six <classes>"]
    assert page.text("h2") == ["six.model: Perceptron", "Learning curves", "six.model on test.tk"]
    facts = page.facts()
    assert facts["Trained on"] == "six.tk"
    assert facts["On"] == "test.tk"
    assert facts["Accuracy"] == f"{json.loads((trained / 'six.json').read_text())['accuracy']:.4f}"
    assert page.text("h4") == ["ABBR", "DESC", "ENTY", "HUM", "LOC", "NUM"]


def test_default_output_and_streams(trained):
    subprocess.run([*COMMAND, "report", "six.model"], check=True, cwd=trained)
    assert (trained / "report.html").read_text(encoding="utf-8").startswith("<!DOCTYPE html>")
    made = subprocess.run(
        [*COMMAND, "report", "-", "-o", "-"],
        check=True,
        cwd=trained,
        input=(trained / "six.json").read_bytes(),
        capture_output=True,
    )
    assert Page(made.stdout.decode()).text("h2") == ["six.model on test.tk"]
    assert made.stderr == b""


def test_complaints(trained, hedgerow_command):
    sentence = hedgerow_command.sentence
    said = sentence("report", "six.model", "six.tk")
    assert said.startswith("six.tk: not something that a report can use: a report takes model files")
    assert sentence("report", "none.model") == "none.model: No such file or directory"
    assert "also an input" in sentence("report", "six.json", "-o", "six.json")
    assert (
        sentence("report", "six.json", "-o", "nowhere/page.html")
        == "nowhere/page.html: No such file or directory"
    )
    assert not (trained / "report.html").exists()
    assert hedgerow_command.run("report").exit_code == 2


def test_without_the_extra(trained, hedgerow_command, monkeypatch):
    monkeypatch.setitem(sys.modules, "jinja2", None)
    assert hedgerow_command.sentence("report", "six.model").endswith("pip install 'hedgerow[report]'")


def lineage(path):
    """What a model was trained on, without how far it had come."""
    return {name: said for name, said in read_model_file(path).trained_on.items() if name != "stream"}


class TestWhatModelsWereTrainedOn:
    def test_names_and_numbers(self, questions, hedgerow_command, tmp_path):
        good = hedgerow_command.good
        absolute = str(tmp_path / "two.tk")
        good("train", "--learner", "perceptron", "six.tk", "test.tk", "-o", "a.model")
        good("train", absolute, "-o", "b.model", "--learner", "svm")
        good("tune", "two.tk", "-o", "c.model", "--kernels", "sst", "-C", "1", "--folds", "2")
        assert lineage("a.model") == {"data": ["six.tk", "test.tk"], "examples": 300}
        assert lineage("b.model") == {"data": ["two.tk"], "examples": 240}
        assert lineage("c.model") == {"data": ["two.tk"], "examples": 240}

    def test_going_on(self, questions, hedgerow_command):
        good = hedgerow_command.good
        good("train", "--learner", "perceptron", "six.tk", "-o", "a.model")
        good("train", "test.tk", "-o", "b.model", "--resume", "a.model")
        assert lineage("b.model") == {"data": ["six.tk", "test.tk"], "examples": 300}

    def test_of_unknown_beginnings(self, questions, hedgerow_command):
        import hedgerow
        from hedgerow.kernels import Normalized, SubsetTree
        from hedgerow.online import Perceptron

        model = Perceptron(Normalized(SubsetTree())).fit(questions.trees, questions.y)
        hedgerow.save(model, "a.model")
        assert read_model_file("a.model").trained_on == {}
        hedgerow_command.good("train", "six.tk", "-o", "b.model", "--resume", "a.model")
        assert read_model_file("b.model").trained_on == {}

    def test_structured(self, folder, hedgerow_command):
        (folder / "a.txt").write_text("the D\ndog N\n\na D\ncat N\n", encoding="utf-8")
        train = ("--problem", "sequence", "--learner", "structured-perceptron", "--trace", "a.csv")
        hedgerow_command.good("train", "--learner", "perceptron", "a.txt", "-o", "a.model", *train)
        hedgerow_command.good("train", "a.txt", "-o", "b.model", "--resume", "a.model")
        assert lineage("b.model") == {"data": ["a.txt", "a.txt"], "examples": 4}
        hedgerow_command.good("report", "a.model", "b.model", "a.csv", "-o", "page.html")
        page = Page((folder / "page.html").read_text(encoding="utf-8"))
        assert page.text("h2") == [
            "a.model: StructuredPerceptron",
            "b.model: StructuredPerceptron",
            "Learning curves",
        ]

    def test_equal_training_makes_equal_files(self, questions, hedgerow_command):
        for name in ("a.model", "b.model"):
            hedgerow_command.good("train", "six.tk", "-o", name, "--learner", "svm")
        a, b = ((questions.folder / name).read_bytes() for name in ("a.model", "b.model"))
        assert a == b
