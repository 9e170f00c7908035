"""``hedgerow tune`` with a learner or a problem: its figures, and the command that trains the best."""

from __future__ import annotations

import json
import shlex

import numpy as np
import pytest
from sklearn.model_selection import StratifiedKFold, cross_val_score

from hedgerow.kernels import Normalized, SubsetTree
from hedgerow.online import AROW, PassiveAggressive

SENTENCES = [
    "the DT B-NP\ncat NN I-NP\nsleeps VB O\n",
    "a DT B-NP\ndog NN I-NP\nbarks VB O\nloudly RB O\n",
    "birds NN B-NP\nsing VB O\nsongs NN B-NP\n",
]
TREES = "(S (NP (N a)) (VP (V b)))\n(S (NP (N a) (N b)) (VP (V a)))\n(S (NP (N b)) (VP (V a) (NP (N a))))\n"


@pytest.fixture
def files(points):
    """points.svm, and examples of structured problems."""
    (points.folder / "chunks.txt").write_text("\n".join(SENTENCES * 4))
    (points.folder / "parents.tsv").write_text("-1\tall\n1\tall\n")
    (points.folder / "trees.mrg").write_text(TREES * 4)
    return points


class TestLearners:
    def test_on_weights(self, files, hedgerow_command):
        args = [
            "--learner",
            "arow",
            "--regularization",
            "0.01,1,100",
            "--epochs",
            "2",
            "--averaging",
            "none",
            "--json",
        ]
        found = json.loads(hedgerow_command.good("tune", "points.svm", *args))
        folds = StratifiedKFold(3, shuffle=True, random_state=0)
        expected = {
            r: cross_val_score(AROW(r, epochs=2), files.X, files.y, cv=folds).mean()
            for r in (0.01, 1.0, 100.0)
        }
        means = {row["regularization"]: row["mean"] for row in found["candidates"]}
        assert means == pytest.approx(expected, abs=1e-12)
        assert "kernel" not in found["best"]

    def test_values_that_the_learner_refuses_are_not_tried(self, files, hedgerow_command):
        tried = json.loads(
            hedgerow_command.good("tune", "points.svm", "--learner", "pa", "--variant", "PA", "--json")
        )
        assert {tuple(sorted(row)) for row in tried["candidates"]} == {
            ("averaging", "deviation", "epochs", "examples", "mean", "seconds", "tied", "variant")
        }
        tried = json.loads(hedgerow_command.good("tune", "points.svm", "--learner", "pa", "--json"))
        assert {row["C"] for row in tried["candidates"]} == {0.1, 1.0, 10.0}

    def test_on_a_kernel(self, questions, hedgerow_command):
        args = [
            "--learner",
            "pa",
            "--kernels",
            "sst",
            "-C",
            "0.1,1",
            "--epochs",
            "2",
            "--averaging",
            "average",
        ]
        found = json.loads(hedgerow_command.good("tune", "two.tk", *args, "--json"))
        assert {row["kernel"] for row in found["candidates"]} == {"sst"}
        assert "--learner pa --kernel sst" in found["command"]
        folds = StratifiedKFold(3, shuffle=True, random_state=0)
        y = np.where(questions.y[:240] == "NUM", 1, -1)
        for row in found["candidates"]:
            learner = PassiveAggressive(Normalized(SubsetTree()), C=row["C"], epochs=2, averaging="average")
            expected = cross_val_score(learner, questions.trees[:240], y, cv=folds).mean()
            assert row["mean"] == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize(
    ("args", "options"),
    [
        (["points.svm", "--learner", "rda", "--l1", "0,0.1", "--shuffle", "yes"], "--learner rda"),
        (["points.svm", "--learner", "perceptron"], "--learner perceptron"),
        (
            ["chunks.txt", "--problem", "sequence", "-C", "0.1,1"],
            "--problem sequence --learner structured-svm",
        ),
        (
            [
                "chunks.txt",
                "--problem",
                "sequence",
                "--learner",
                "structured-perceptron",
                "--templates",
                "names",
            ],
            "--problem sequence --learner structured-perceptron --templates names",
        ),
        (
            ["points.svm", "--problem", "taxonomy", "--taxonomy", "parents.tsv", "-C", "1,10"],
            "--problem taxonomy --learner structured-svm --taxonomy parents.tsv",
        ),
        (["trees.mrg", "--problem", "grammar", "--markov", "1,all", "-C", "1"], "--problem grammar"),
        (["points.svm", "--problem", "multiclass", "-C", "0.1,1", "--score", "f1"], "--problem multiclass"),
    ],
)
def test_the_model_is_that_of_the_printed_command(args, options, files, hedgerow_command):
    found = json.loads(hedgerow_command.good("tune", *args, "--folds", 2, "-o", "tuned.model", "--json"))
    assert options in found["command"]
    assert len(found["candidates"]) > 1
    command = shlex.split(found["command"].replace("tuned.model", "trained.model"))
    assert hedgerow_command.run(*command[1:], "--quiet").exit_code == 0
    tuned, trained = (
        hedgerow_command.good("predict", f"{name}.model", args[0]) for name in ("tuned", "trained")
    )
    assert tuned == trained


def test_the_default_templates_are_among_those_that_are_tried(files, hedgerow_command):
    found = json.loads(
        hedgerow_command.good(
            "tune",
            "chunks.txt",
            "--problem",
            "sequence",
            "-C",
            "1",
            "--averaging",
            "none",
            "--folds",
            2,
            "--json",
        )
    )
    assert {row["templates"] for row in found["candidates"]} == {"text", "chunking", "names"}


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (
            ["points.svm", "--learner", "arow", "--kernels", "sst"],
            "--kernels: the learner arow with the kernels sst",
        ),
        (["points.svm", "--learner", "arow", "--refit", "exact"], "--refit: it is for the learner svm"),
        (["points.svm", "--learner", "pa", "--sample-size", "9"], "--sample-size: it is for the learner svm"),
        (["points.svm", "--learner", "structured-svm"], "the learner structured-svm needs --problem"),
        (["points.svm", "--learner", "arow", "-C", "1"], "-C: the learner arow does not take it"),
        (["chunks.txt", "--problem", "sequence", "--score", "f1"], "--score: f1 is that of labels"),
    ],
)
def test_refusals(args, words, files, hedgerow_command):
    assert words in hedgerow_command.sentence("tune", *args, code=2).replace("'", "")
