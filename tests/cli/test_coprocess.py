"""``hedgerow predict MODEL -`` beside another program: every line is answered as it comes."""

from __future__ import annotations

import json
import subprocess
import sys

import numpy as np
import pytest

import hedgerow
from hedgerow.feature_extraction import TextHasher
from hedgerow.io import read_columns, write_svmlight_tk
from hedgerow.kernels import Normalized, SubsetTree
from hedgerow.online import AROW, FTRL, Perceptron
from hedgerow.structured import SequenceSVC, StringMapping, StructuredPerceptron
from hedgerow.svm import SVC

TREES = ["(S (NP Mary) (VP sings))", "(S (NP dogs) (VP bark))"]
TEXTS, LABELS = ["cheap pills now", "lunch at noon", "win a cheap prize"], ["spam", "ham", "spam"]


def asked(questions, *arguments):
    """Answers, each of which is read before the next question is asked."""
    run = [sys.executable, "-m", "hedgerow", "predict", "a.model", "-", *arguments]
    answers = []
    with subprocess.Popen(run, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            for question in questions:
                process.stdin.write(question)
                process.stdin.flush()
                lines = [process.stdout.readline()]
                while question.endswith("\n\n") and lines[-1].strip():  # columns, up to a blank line
                    lines.append(process.stdout.readline())
                answers.append("".join(lines))
            process.stdin.close()
            assert process.stdout.read() == ""
        finally:
            process.kill()
    return answers


def conversations():
    texts = AROW(vectorizer=TextHasher()).fit(TEXTS, LABELS)
    yield "texts", texts, [f"{text}\n" for text in TEXTS], ["--format", "text"]
    vectors = FTRL().fit(np.eye(3), ["a", "b", "c"])
    yield "vectors", vectors, ["0 1:1\n", "0 3:1\n"], []
    trees = SVC(Normalized(SubsetTree())).fit(hedgerow.Forest(TREES), [0, 1])
    yield "brackets", trees, [f"{tree}\n" for tree in TREES], ["--format", "brackets"]
    yield "labelled brackets", trees, [f"0 {tree}\n" for tree in TREES], ["--format", "brackets"]
    tagged = [[("He", "PRP"), ("runs", "VBZ")], [("It", "PRP")]]
    sequences = SequenceSVC(random_state=0).fit(tagged, [["B", "I"], ["B"]])
    yield "columns", sequences, ["He PRP\nruns VBZ\n\n", "It PRP\n\n"], []
    pairs = StructuredPerceptron(StringMapping()).fit(["cat", "dog"], ["cats", "dogs"])
    yield "strings", pairs, ["cat\n", "dog\n"], []


@pytest.mark.parametrize("kind", list(conversations()), ids=lambda kind: kind[0])
def test_every_line_is_answered(tmp_path, monkeypatch, hedgerow_command, kind):
    _, model, questions, options = kind
    monkeypatch.chdir(tmp_path)
    hedgerow.save(model, "a.model")
    answers = asked(questions, *options)
    together = hedgerow_command.good("predict", "a.model", "-", *options, stdin="".join(questions))
    assert "".join(answers) == together


def test_scores_and_probabilities(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    model = FTRL(loss="logistic", vectorizer=TextHasher()).fit(TEXTS, LABELS)
    hedgerow.save(model, "a.model")
    lines = [f"{text}\n" for text in TEXTS]
    scores, chances = model.decision_function(TEXTS), model.predict_proba(TEXTS)
    assert [float(answer) for answer in asked(lines, "--scores")] == scores.tolist()
    shown = [[float(word) for word in answer.split("\t")] for answer in asked(lines, "--probabilities")]
    assert shown == chances.tolist()
    objects = [json.loads(answer) for answer in asked(lines, "--jsonl", "--scores", "--probabilities")]
    assert objects == [
        {
            "label": label,
            "scores": {"ham": -score, "spam": score},
            "probabilities": {"ham": ham, "spam": spam},
        }
        for label, score, (ham, spam) in zip(model.predict(TEXTS), scores, chances.tolist(), strict=True)
    ]


class TestObjects:
    def test_classes(self, counts_of_three, hedgerow_command):
        model, X = counts_of_three
        lines = hedgerow_command.good("predict", "a.model", "a.svm", "--jsonl", "--scores").splitlines()
        rows = model.decision_function(X).tolist()
        assert [json.loads(line) for line in lines] == [
            {"label": int(label), "scores": dict(zip("123", row, strict=True))}
            for label, row in zip(model.predict(X), rows, strict=True)
        ]
        said = hedgerow_command.sentence("predict", "a.model", "a.svm", "--scores", "--probabilities", code=2)
        assert "nor with --scores but for --jsonl" in said

    @pytest.fixture
    def counts_of_three(self, folder):
        X = np.random.default_rng(0).normal(size=(9, 4)).round(2)
        write_svmlight_tk("a.svm", X, [1, 2, 3] * 3)
        model = Perceptron().fit(X, [1, 2, 3] * 3)
        hedgerow.save(model, "a.model")
        return model, X

    def test_structured(self, folder, hedgerow_command):
        (folder / "a.txt").write_text("He PRP B\nruns VBZ I\n\nIt PRP B\n")
        sentences = read_columns("a.txt", fields=(0, 1))
        model = SequenceSVC(random_state=0).fit(sentences, [["B", "I"], ["B"]])
        hedgerow.save(model, "a.model")
        lines = hedgerow_command.good("predict", "a.model", "a.txt", "--jsonl").splitlines()
        assert [json.loads(line)["output"] for line in lines] == [
            list(row) for row in model.predict(sentences)
        ]
        lines = hedgerow_command.good("predict", "a.model", "a.txt", "--jsonl", "--scores").splitlines()
        assert [json.loads(line)["score"] for line in lines] == model.decision_scores(sentences).tolist()
        said = hedgerow_command.sentence("predict", "a.model", "a.txt", "--jsonl", "--k-best", 2, code=2)
        assert "it cannot be combined with --k-best" in said
