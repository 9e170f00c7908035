"""``hedgerow train`` without ``--learner``: the estimator of `hedgerow.auto`, and a line that says what was chosen."""

from __future__ import annotations

import re
import shlex

import numpy as np
import pytest

import hedgerow
from hedgerow.online import Perceptron
from hedgerow.svm import SVC


def chosen(result):
    """The options that were chosen, and why."""
    assert result.exit_code == 0, result.output
    (line,) = [line for line in result.stderr.splitlines() if line.startswith("hedgerow: chose")]
    options, _, why = line.removeprefix("hedgerow: chose ").partition(": ")
    return shlex.split(options), why


class TestFiles:
    def test_it_is_the_model_of_auto(self, questions, hedgerow_command):
        options, why = chosen(hedgerow_command.run("train", "six.tk", "-o", "a.model"))
        model = hedgerow.load("a.model")
        expected = hedgerow.auto(questions.trees[:240], questions.y[:240])
        assert repr(model) == repr(expected)
        assert why == expected.chosen_
        test = questions.trees[240:]
        assert np.array_equal(model.decision_function(test), expected.decision_function(test))
        assert model.score(test, questions.y[240:]) > 0.8
        hedgerow_command.good("train", "six.tk", "-o", "b.model", *options)
        again = hedgerow.load("b.model")
        assert np.array_equal(model.decision_function(test), again.decision_function(test))

    def test_vectors_are_for_weights(self, folder, hedgerow_command):
        rng = np.random.default_rng(0)
        lines = []
        for _ in range(300):
            features = np.sort(rng.choice(5000, 20, replace=False)) + 1
            label = 1 if features[0] % 2 else -1
            lines.append(
                f"{label} " + " ".join(f"{i}:0.1" for i in features) + f" {features[0] % 2 + 5001}:1"
            )
        (folder / "wide.svm").write_text("\n".join(lines) + "\n")
        options, why = chosen(hedgerow_command.run("train", "wide.svm", "-o", "a.model"))
        assert "--kernel" not in options
        assert why.startswith("passes on weights, best of ")
        assert hedgerow_command.good("predict", "a.model", "wide.svm").split()[:3] == [
            line.split()[0] for line in lines[:3]
        ]

    def test_texts(self, folder, hedgerow_command):
        words = np.random.default_rng(0).choice(["so", "we", "saw", "few"], (120, 5))
        lines = [
            f"{'spam' if i % 2 else 'ham'}\t{' '.join(row)} {'free' if i % 2 else 'flee'}"
            for i, row in enumerate(words)
        ]
        (folder / "mail.tsv").write_text("\n".join(lines) + "\n")
        options, _ = chosen(hedgerow_command.run("train", "mail.tsv", "-o", "a.model", "--format", "text"))
        assert hedgerow_command.good("predict", "a.model", "mail.tsv").split()[:2] == ["ham", "spam"]
        options, _ = chosen(
            hedgerow_command.run("train", "mail.tsv", "-o", "b.model", "--format", "text", "--ngrams", 1)
        )
        assert options[options.index("--ngrams") + 1] == "1"
        assert "--kernel" not in options

    def test_quiet(self, questions, hedgerow_command):
        result = hedgerow_command.run(
            "train", "two.tk", "-o", "a.model", "--kernel", "sst", "-C", 1, "--quiet"
        )
        assert result.stderr == ""


class TestWhatIsSaid:
    @pytest.mark.parametrize(
        ("said", "found"),
        [
            (["-C", "3"], r"svm --kernel (sst|fragments|pt|subpath) .*-C 3"),
            (["--kernel", "st"], r"svm --kernel st -C 10?"),
            (["--kernel", "sst", "--decay", "0.3"], r"svm --kernel sst --decay 0.3 -C 10?"),
            (
                ["--kernel", "sst", "--cost-factor", "2"],
                r"svm --kernel sst --decay 0.[14] -C 10? --cost-factor 2",
            ),
            (["--kernel", "sst + pt", "-C", "2"], r"svm --kernel 'sst \+ pt' -C 2"),
        ],
    )
    def test_it_is_kept_and_the_rest_is_found(self, questions, hedgerow_command, said, found):
        result = hedgerow_command.run("train", "two.tk", "-o", "a.model", *said)
        options, _ = chosen(result)
        assert re.fullmatch(f"--learner {found}", shlex.join(options))
        assert type(hedgerow.load("a.model")) is SVC

    def test_options_of_passes_ask_for_them(self, questions, hedgerow_command):
        result = hedgerow_command.run("train", "two.tk", "-o", "a.model", "--epochs", 2)
        assert "chose" not in result.stderr
        assert repr(hedgerow.load("a.model")).startswith("Perceptron(epochs=2")
        sentence = hedgerow_command.sentence("train", "two.tk", "-o", "m", "--epochs", 2, "-C", 3, code=2)
        assert "-C: --epochs asks for the learner perceptron, which does not take it" in sentence

    def test_all_columns_are_used(self, folder, hedgerow_command):
        (folder / "a.tk").write_text("1 |BT| (S (N a)) |ET| 1:1 |EV|\n-1 |BT| (S (N b)) |ET| 1:-1 |EV|\n" * 9)
        result = hedgerow_command.run("train", "a.tk", "-o", "a.model")
        options, _ = chosen(result)
        assert re.search(r"on tree \+ normalized\(linear\) on vector$", options[3])
        hedgerow_command.good("train", "a.tk", "-o", "b.model", "--column", "vector", "--quiet")
        assert "vector" in repr(hedgerow.load("b.model").kernel)


class TestWhatIsReadOnce:
    def test_streams(self, questions, hedgerow_command):
        content = (questions.folder / "two.tk").read_bytes()
        result = hedgerow_command.run("train", "-", "-o", "a.model", stdin=content)
        options, why = chosen(result)
        assert options == ["--learner", "perceptron", "--averaging", "average"]
        assert why == "what can be read only once is not searched"
        assert repr(hedgerow.load("a.model")).startswith("Perceptron(averaging='average'")
        result = hedgerow_command.run("train", "two.tk", "-o", "b.model", "--classes", "-1,1")
        assert chosen(result)[1] == "with --classes nothing is searched"
        sentence = hedgerow_command.sentence("train", "-", "-o", "a.model", "-C", 1, stdin=content, code=2)
        assert "-C: name a --learner that takes it: what can be read only once" in sentence

    def test_more_than_memory_holds(self, questions, hedgerow_command, monkeypatch):
        monkeypatch.setattr("hedgerow.cli.examples.KEPT_BYTES", 10)
        _, why = chosen(hedgerow_command.run("train", "two.tk", "-o", "a.model"))
        assert "larger than memory" in why
        assert type(hedgerow.load("a.model")) is Perceptron
