"""``--problem output-features``: classes that a file describes; losses and weights of classes from files."""

from __future__ import annotations

import pytest

import hedgerow

EXAMPLES = "hockey 1:1 3:1\nskating 1:1 4:1\nrunning 2:1 4:1\n"
TRAIN = ("train", "train.svm", "-o", "a.model", "-C", 10, "--problem")


@pytest.fixture(autouse=True)
def files(folder):
    (folder / "train.svm").write_text(EXAMPLES)
    (folder / "new.svm").write_text("0 2:1 3:1\n")
    return folder


@pytest.mark.parametrize(
    "described",
    [
        "hockey\tteam ice\nskating\tsolo ice\nfootball\tteam grass\nrunning\tsolo grass\n",
        "hockey\t1:1 2:1\nskating\t1:1 3:1\nfootball\t4:1 2:1\nrunning\t4:1 3:1\n",
    ],
    ids=["texts", "vectors"],
)
def test_a_class_without_examples_is_found(files, hedgerow_command, described):
    (files / "classes.tsv").write_text(described)
    options = ("--class-features", "classes.tsv", "--no-identity")
    out = hedgerow_command.good(*TRAIN, "output-features", *options)
    assert out.startswith("3 examples, ")
    assert hedgerow_command.good("predict", "a.model", "new.svm") == "football\n"
    assert "3 examples, accuracy 1.0000" in hedgerow_command.good("evaluate", "a.model", "train.svm")


def test_losses_of_a_file(files, hedgerow_command):
    lines = ("hockey\tskating\t0.5", "skating\thockey\t0.5", "hockey\trunning\t3")
    (files / "losses.tsv").write_text("\n".join(lines) + "\n")
    hedgerow_command.good(*TRAIN, "multiclass", "--loss", "losses.tsv")
    problem = hedgerow.load("a.model").problem_
    assert [problem.compute_loss("hockey", other) for other in ("skating", "running")] == [0.5, 3.0]
    assert problem.compute_loss("running", "hockey") == 1.0


def test_weights_of_nodes(files, hedgerow_command):
    (files / "parents.tsv").write_text("ice\thockey\nice\tskating\nall\trunning\nall\tice\n")
    (files / "weights.tsv").write_text("ice\t2\n")
    options = ("--taxonomy", "parents.tsv", "--node-weights", "weights.tsv")
    hedgerow_command.good(*TRAIN, "taxonomy", *options)
    assert hedgerow.load("a.model").node_weights == {"ice": 2.0}
