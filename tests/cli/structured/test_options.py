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
            (["--loss", "hamming"], "must be one of hinge, squared-hinge, got 'hamming'"),
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
                "must be a file or one of hamming, mean, zero-one, spans, span-f1, got 'tree'",
            ),
            (
                ["--problem", "sequence", "--l1", 1],
                "structured-svm with the problem sequence does not take it",
            ),
            (
                ["--problem", "sequence", "--epochs", 2],
                "does not take it; it is for the learners perceptron, ",
            ),
            (
                ["--problem", "sequence", "--update", "all"],
                "it is for the learners regret-winnow, rda, adagrad-rda",
            ),
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
        assert "solver='frank-wolfe' does not support slack='quadratic'" in text

    def test_trace(self, chunks, hedgerow_command, folder):
        command = ["train", "train.txt", "-o", "a.model", "--problem", "sequence", "--trace", "t.csv"]
        hedgerow_command.good(*command, "--solver", "one-slack")
        lines = (folder / "t.csv").read_text().splitlines()
        assert lines[0].startswith("iteration,objective,dual_objective,certificate")
        assert len(lines) == hedgerow.load("a.model").n_iter_ + 1
        hedgerow_command.good(*command, "--learner", "structured-perceptron")
        assert (folder / "t.csv").read_text().splitlines()[0].startswith("examples,mistakes")

    def test_one_prediction_of_classifiers(self, hedgerow_command, folder):
        (folder / "a.svm").write_text("1 1:1\n-1 2:1\n")
        hedgerow_command.good("train", "a.svm", "-o", "a.model", "--learner", "perceptron", "--quiet")
        text = hedgerow_command.sentence("predict", "a.model", "a.svm", "--k-best", 2, code=2)
        assert "this Perceptron gives one prediction" in text

    def test_the_best_of_other_problems(self, hedgerow_command, folder):
        (folder / "a.svm").write_text("a 1:1\nb 2:1\nc 3:1\n")
        hedgerow_command.good("train", "a.svm", "-o", "a.model", "--problem", "multiclass")
        lines = hedgerow_command.good("predict", "a.model", "a.svm", "--k-best", 2, "--scores").splitlines()
        assert [line.split("\t")[0] for line in lines] == ["1", "2"] * 3
        assert [line.split("\t")[2] for line in lines[::2]] == ["a", "b", "c"]
        (folder / "t.mrg").write_text("(S (A a) (B b))\n(S (A a) (S (A a) (B b)))\n")
        hedgerow_command.good("train", "t.mrg", "-o", "g.model", "--problem", "grammar")
        lines = hedgerow_command.good("predict", "g.model", "t.mrg", "--k-best", 2).splitlines()
        assert lines[0] == "1\t(S (A a) (B b))"
