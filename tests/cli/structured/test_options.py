"""Options of structured problems: what does not fit together is refused in one sentence."""

from __future__ import annotations

import pytest

import hedgerow


class TestOptions:
    @pytest.mark.parametrize(
        ("options", "text"),
        [
            (["--learner", "structured-svm"], "needs --problem: sequence, taxonomy"),
            (
                ["--solver", "n-slack"],
                "does not take it; it is for the learner structured-svm",
            ),
            (["--taxonomy", "x"], "it is for the problem taxonomy"),
            (["--stream"], "it is for the problems sequence, taxonomy, grammar"),
            (["--loss", "hamming"], "--loss: the learner perceptron does not take it"),
            (
                ["--problem", "sequence", "--learner", "pa"],
                "the learners of --problem sequence are structured-svm",
            ),
            (
                ["--problem", "sequence", "--taxonomy", "x"],
                "does not take it; it is for the problem taxonomy",
            ),
            (
                ["--problem", "sequence", "--loss", "tree"],
                "must be a file or one of hamming, mean, zero-one, got 'tree'",
            ),
            (
                ["--problem", "sequence", "--l1", 1],
                "structured-svm with the problem sequence does not take it",
            ),
            (
                ["--problem", "sequence", "--epochs", 2],
                "does not take it; it is for the learners perceptron, ",
            ),
            (["--problem", "sequence", "--update", "all"], "it is for the learners rda, adagrad-rda, fobos"),
            (
                ["--problem", "sequence", "--learner", "structured-perceptron", "-C", 2],
                "C has no effect with variant='perceptron'",
            ),
            (
                ["--problem", "sequence", "--learner", "structured-perceptron", "--averaging", "vote"],
                "must be one of none, average, got 'vote'",
            ),
            (
                ["--problem", "sequence", "--learner", "structured-perceptron", "--variant", "SCW-I"],
                "must be one of perceptron, PA, PA-I, PA-II, got 'SCW-I'",
            ),
        ],
        ids=lambda value: " ".join(map(str, value)) if isinstance(value, list) else "",
    )
    def test_what_does_not_fit_together(self, chunks, hedgerow_command, options, text):
        assert text in hedgerow_command.sentence("train", "train.txt", "-o", "a.model", *options, code=2)

    def test_combinations_that_do_not_exist(self, chunks, hedgerow_command):
        text = hedgerow_command.sentence(
            "train", "train.txt", "-o", "a.model", "--problem", "sequence", "--solver", "frank-wolfe", "--slack",
            "quadratic", code=2,
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
