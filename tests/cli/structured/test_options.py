"""Options of structured problems: what does not fit together is refused in one sentence."""

from __future__ import annotations

import pytest

import hedgerow


class TestOptions:
    @pytest.mark.parametrize(
        ("options", "text"),
        [
            (["--learner", "structured-svm"], "needs --problem, which is one of sequence, taxonomy"),
            (["--solver", "n-slack"], "--solver: it is for structured problems; give --problem too"),
            (["--taxonomy", "x"], "--taxonomy: it is for structured problems"),
            (["--stream"], "--stream: it is for structured problems"),
            (["--loss", "hamming"], "--loss: this loss is for structured problems"),
            (["--problem", "sequence", "--learner", "pa"], "structured-svm and structured-perceptron"),
            (["--problem", "sequence", "--taxonomy", "x"], "--taxonomy: it is for --problem taxonomy"),
            (
                ["--problem", "sequence", "--loss", "tree"],
                "the losses of --problem sequence are hamming, mean",
            ),
            (["--problem", "sequence", "--l1", 1], "the learner structured-svm has no such parameter"),
            (["--problem", "sequence", "--epochs", 2], "the learner structured-svm has no such parameter"),
            (["--problem", "sequence", "--update", "all"], "has no such parameter"),
            (["--problem", "sequence", "--loss", "zero-one", "--rescaling", "slack"], "nothing to scale"),
            (
                ["--problem", "sequence", "--learner", "structured-perceptron", "-C", 1],
                "a perceptron has none",
            ),
            (
                ["--problem", "sequence", "--learner", "structured-perceptron", "--averaging", "vote"],
                "it must be none or average",
            ),
            (
                ["--problem", "sequence", "--learner", "structured-perceptron", "--variant", "SCW-I"],
                "it must be one of PA, PA-I, PA-II",
            ),
        ],
        ids=lambda value: " ".join(map(str, value)) if isinstance(value, list) else "",
    )
    def test_what_does_not_fit_together(self, chunks, hedgerow_command, options, text):
        assert text in hedgerow_command.sentence("train", "train.txt", "-o", "a.model", *options, code=2)

    def test_combinations_that_do_not_exist(self, chunks, hedgerow_command):
        text = hedgerow_command.sentence(
            "train", "train.txt", "-o", "a.model", "--problem", "sequence", "--solver", "frank-wolfe", "--slack",
            "quadratic",
        )  # fmt: skip
        assert "solver='frank-wolfe' cannot take slack='quadratic'" in text

    def test_trace(self, chunks, hedgerow_command, folder):
        command = ["train", "train.txt", "-o", "a.model", "--problem", "sequence", "--trace", "t.csv"]
        hedgerow_command.good(*command, "--solver", "one-slack")
        lines = (folder / "t.csv").read_text().splitlines()
        assert lines[0].startswith("iteration,objective,dual_objective,certificate")
        assert len(lines) == hedgerow.load("a.model").n_iter_ + 1
        hedgerow_command.good(*command, "--learner", "structured-perceptron")
        assert (folder / "t.csv").read_text().splitlines()[0].startswith("examples,mistakes")

    def test_scores_are_not_written(self, chunks, hedgerow_command):
        hedgerow_command.good("train", "train.txt", "-o", "a.model", "--problem", "sequence")
        text = hedgerow_command.sentence("predict", "a.model", "test.txt", "--scores", code=2)
        assert "models of structured outputs write none" in text
