"""``hedgerow explain``: what models have learned, and why they predict what they predict."""

from __future__ import annotations

import json
import re

import numpy as np
import pytest

import hedgerow
from hedgerow.inspection import explain, fragments
from hedgerow.kernels import RBF
from hedgerow.online import Perceptron
from hedgerow.svm import SVC


@pytest.fixture
def six(questions, hedgerow_command):
    """A model of the six classes of questions."""
    hedgerow_command.good("train", "six.tk", "-o", "six.model", "--learner", "pa", "--averaging", "average")
    return hedgerow.load("six.model")


def test_what_a_model_has_learned(six, hedgerow_command):
    out = hedgerow_command.good("explain", "six.model", "-k", 3)
    assert out == f"{fragments(six, 3)}\n"
    assert out.splitlines()[0] == "ABBR:"
    assert len(out.splitlines()) == 6 * 4
    one = hedgerow_command.good("explain", "six.model", "-k", 2, "--class", "LOC")
    assert one == "LOC:\n" + "".join(
        f"  {fragment.weight:+10.4g}  {fragment.tree}\n" for fragment in fragments(six, 2, label="LOC")
    )


def test_why_it_predicts_what_it_predicts(six, questions, hedgerow_command):
    out = hedgerow_command.good("explain", "six.model", "test.tk", "-k", 2, "--examples", "1,3-4")
    heads = re.findall(r"^example (\d+), labelled (\w+): predicted (\w+)$", out, re.MULTILINE)
    new, y = questions.trees[240:], questions.y[240:]
    predicted = six.predict(new)
    assert heads == [(str(n), y[n - 1], predicted[n - 1]) for n in (1, 3, 4)]
    assert str(explain(six, new[0], 2)) in out
    assert out == "\n".join(
        hedgerow_command.good("explain", "six.model", "test.tk", "-k", 2, "--examples", n) for n in (1, 3, 4)
    )


def test_json_adds_up(six, questions, hedgerow_command):
    out = hedgerow_command.good("explain", "six.model", "test.tk", "--json", "-", "--examples", "1-5")
    read = json.loads(out)["explanations"]
    assert [one["example"] for one in read] == [1, 2, 3, 4, 5]
    scores = six.decision_function(questions.trees[240:245])
    for one, row in zip(read, scores, strict=True):
        for entry, score in zip(one["scores"], row, strict=True):
            total = sum(part["contribution"] for part in entry["contributions"])
            assert total + entry["remainder"] + entry["bias"] == pytest.approx(score, abs=1e-9)
            assert sum(entry["nodes"][""]) + entry["bias"] == pytest.approx(score, abs=1e-9)
    learned = json.loads(
        hedgerow_command.good("explain", "six.model", "-k", 2, "--json", "-", "--class", "HUM")
    )
    assert learned["exact"]
    assert [entry["label"] for entry in learned["fragments"]] == ["HUM", "HUM"]


def test_pages(six, hedgerow_command, folder):
    assert hedgerow_command.good("explain", "six.model", "-k", 2, "--html", "learned.html") == ""
    hedgerow_command.good(
        "explain", "six.model", "test.tk", "--examples", "2", "--html", "why.html", "--json", "why.json"
    )
    for name, n_drawings in (("learned.html", 12), ("why.html", 1)):
        text = (folder / name).read_text()
        assert text.count("<svg") >= n_drawings
    assert json.loads((folder / "why.json").read_text())["explanations"][0]["example"] == 2


def test_terminals_get_drawings(six, hedgerow_command, monkeypatch):
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("COLUMNS", "100")
    out = hedgerow_command.good("explain", "six.model", "-k", 3)
    assert "├─" in out
    assert "\x1b[" in out
    out = hedgerow_command.good("explain", "six.model", "test.tk", "--examples", "1")
    assert "predicted" in out
    assert "all other fragments" in out


def test_standard_input(six, hedgerow_command):
    tree = "(SBARQ (WHADVP (WRB Where)) (SQ (VBZ is) (NP (NN home))) (. ?))"
    out = hedgerow_command.good(
        "explain", "six.model", "-", "--format", "brackets", "-k", 1, "--class", "LOC", stdin=f"{tree}\n"
    )
    assert out.startswith("example 1: predicted LOC\nLOC: ")


def test_two_classes_have_one_score(questions, hedgerow_command):
    hedgerow_command.good("train", "two.tk", "-o", "two.model", "--learner", "svm")
    out = hedgerow_command.good("explain", "two.model", "test2.tk", "--examples", "1", "-k", 2)
    assert [line.split(":")[0] for line in out.splitlines() if not line.startswith(" ")] == [
        "example 1, labelled 1",
        "1",
    ]


def test_models_of_svm_light_tk(questions, hedgerow_command):
    hedgerow_command.run("svm_learn", "-t", 5, "two.tk", "old.model")
    assert "1:" in hedgerow_command.good("explain", "old.model", "-k", 2)
    out = hedgerow_command.good("explain", "old.model", "test2.tk", "--examples", 1, "--json", "-")
    score = json.loads(out)["explanations"][0]["scores"][0]["score"]
    printed = hedgerow_command.good("predict", "old.model", "test2.tk", "--scores").splitlines()[0]
    assert score == pytest.approx(float(printed), abs=1e-9)


def test_vectors_and_texts(folder, hedgerow_command):
    (folder / "v.svm").write_text("ham 1:1 2:1\nspam 2:1 3:2\n" * 5)
    hedgerow_command.run("train", "v.svm", "-o", "v.model", "--learner", "rda", "--classes", "ham,spam")
    out = hedgerow_command.good("explain", "v.model")
    assert "feature 3" in out
    assert "feature 3" in hedgerow_command.good("explain", "v.model", "v.svm", "--examples", 2)
    (folder / "t.tsv").write_text("ham\tgood morning\nspam\tcheap pills\n" * 5)
    hedgerow_command.run(
        "train",
        "t.tsv",
        "-o",
        "t.model",
        "--format",
        "text",
        "--learner",
        "mbw",
        "--ngrams",
        2,
        "--classes",
        "ham,spam",
    )
    out = hedgerow_command.good("explain", "t.model", "t.tsv", "--examples", "2")
    assert {"cheap", "pills", "cheap pills"} <= set(re.findall(r"^ +\S+  (.+)$", out, re.MULTILINE))
    assert "cheap pills" in hedgerow_command.good("explain", "t.model")


def test_sequences(folder, hedgerow_command):
    (folder / "s.txt").write_text("the D\ncat N\nsleeps V\n\na D\ndog N\nbarks V\n\n" * 5)
    hedgerow_command.run("train", "s.txt", "-o", "s.model", "--problem", "sequence", "--templates", "names")
    out = hedgerow_command.good("explain", "s.model", "-k", 2)
    assert [line.split(":")[0] for line in out.splitlines() if not line.startswith(" ")] == [
        "D",
        "N",
        "V",
        "moves",
    ]
    out = hedgerow_command.good("explain", "s.model", "s.txt", "--examples", "1", "-k", 2)
    assert out.startswith("example 1: score ")
    assert "\ncat N: " in out
    assert "D -> N" in hedgerow_command.good("explain", "s.model", "s.txt", "--examples", "1", "--class", "N")
    assert "X is none of D, N, V" in hedgerow_command.sentence(
        "explain", "s.model", "s.txt", "--class", "X", code=2
    )
    for flag, name in (("--html", "s.html"), ("--json", "s.json")):
        hedgerow_command.good("explain", "s.model", "s.txt", flag, name, "--examples", "2")
    read = json.loads((folder / "s.json").read_text())["explanations"][0]
    assert read["predicted"] == ["D", "N", "V"]
    assert sum(token["score"] for token in read["tokens"]) == pytest.approx(read["score"])


def test_parses(questions, folder, hedgerow_command):
    lines = [str(tree) for tree in questions.trees[:30]]
    (folder / "t.mrg").write_text("\n".join(lines) + "\n")
    hedgerow_command.run(
        "train", "t.mrg", "-o", "p.model", "--problem", "grammar", "--learner", "structured-perceptron"
    )
    assert hedgerow_command.good("explain", "p.model", "-k", 2).startswith("rules: ")
    out = hedgerow_command.good("explain", "p.model", "t.mrg")
    assert out.startswith("example 1: predicted (")
    assert out.count("example ") == 30
    assert " -> " in out


def test_lists_of_candidates(folder, hedgerow_command):
    (folder / "l.svm").write_text("1 qid:1 1:1 2:0.5\n0 qid:1 2:1\n0 qid:2 2:3\n1 qid:2 1:1\n" * 3)
    hedgerow_command.run("train", "l.svm", "-o", "l.model", "--problem", "reranking")
    assert "feature 1" in hedgerow_command.good("explain", "l.model")
    out = hedgerow_command.good("explain", "l.model", "l.svm", "--examples", "2")
    assert out.startswith("example 2: predicted candidate 2\ncandidate 2: ")


def test_parts_of_a_sum_and_supports(folder, hedgerow_command):
    lines = "1 |BT| (S (NP a) (VP b)) |ET| 1:1 3:0.5 |EV|\n-1 |BT| (S (NP a) (VP c)) |ET| 2:1 3:0.4 |EV|\n"
    (folder / "a.tk").write_text(lines * 5)
    hedgerow_command.run("train", "a.tk", "-o", "a.model", "--learner", "svm")
    out = hedgerow_command.good("explain", "a.model", "a.tk", "--examples", "1", "-k", 2)
    assert "  (VP b)\n" in out
    assert "  feature 1 (vector)\n" in out
    hedgerow_command.run("train", "a.tk", "-o", "r.model", "--kernel", "rbf on vector")
    assert "  support 0\n" in hedgerow_command.good("explain", "r.model", "a.tk", "--examples", "1")
    hedgerow_command.run("train", "a.tk", "-o", "l.model", "--kernel", "linear")
    assert "  feature 1\n" in hedgerow_command.good("explain", "l.model")


def test_failures(six, questions, folder, hedgerow_command):
    sentence = hedgerow_command.sentence
    assert "nobody is none of ABBR, DESC" in sentence("explain", "six.model", "--class", "nobody", code=2)
    assert "needs DATA" in sentence("explain", "six.model", "--examples", "1", code=2)
    assert "expected numbers from 1" in sentence("explain", "six.model", "test.tk", "--examples", "0", code=2)
    assert "--examples names none of the 60" in sentence(
        "explain", "six.model", "test.tk", "--examples", "99"
    )
    assert "No such file" in sentence("explain", "six.model", "missing.tk")
    X = np.arange(20.0)[:, None]
    hedgerow.save(SVC(RBF()).fit(X, X[:, 0] > 5), "rbf.model")
    assert "no part that is a tree kernel" in sentence("explain", "rbf.model")
    votes = Perceptron(averaging="vote").fit(X, X[:, 0] > 5)
    hedgerow.save(votes, "votes.model")
    assert "votes of many predictors" in sentence("explain", "votes.model")
    (folder / "empty.tk").write_text("")
    assert "no example" in sentence("explain", "six.model", "empty.tk")
