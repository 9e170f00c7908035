"""``hedgerow train``: the same models as from Python, for all formats and learners; failures in one sentence."""

from __future__ import annotations

import errno
import gzip
import json
import os
import pty
import re
import signal
import subprocess
import sys
from contextlib import suppress
from typing import get_args

import numpy as np
import pytest

import hedgerow
from hedgerow import Forest
from hedgerow.cli import examples
from hedgerow.io import sources, write_svmlight_tk
from hedgerow.kernels import (
    RBF,
    Linear,
    Mismatch,
    Normalized,
    PartialTree,
    Polynomial,
    Sigmoid,
    Spectrum,
    SubPath,
    Subsequence,
    SubsetTree,
    SubTree,
)
from hedgerow.models.annotations import Multiclass
from hedgerow.online import (
    Ahpatron,
    ForgetfulProjectron,
    Forgetron,
    PassiveAggressive,
    Perceptron,
    Projectron,
    ProjectronPlusPlus,
    RandomBudgetPerceptron,
    Stoptron,
)

COMMAND = [sys.executable, "-m", "hedgerow"]
SST = Normalized(SubsetTree())


def same(model, expected, X):
    assert type(model) is type(expected)
    assert model.classes_.tolist() == expected.classes_.tolist()
    assert model.mistakes_ == expected.mistakes_
    assert np.array_equal(model.decision_function(X), expected.decision_function(X))


LEARNERS = [
    (["perceptron"], Perceptron(SST)),
    (["perceptron", "--averaging", "average"], Perceptron(SST, averaging="average")),
    (["perceptron", "--averaging", "vote", "--bias"], Perceptron(SST, averaging="vote", bias=True)),
    (["pa", "--variant", "PA-II", "-C", "0.5"], PassiveAggressive(SST, variant="PA-II", C=0.5)),
    (["pa"], PassiveAggressive(SST)),
    (["stoptron", "--budget", "9"], Stoptron(SST, budget=9)),
    (
        ["random-budget", "--budget", "9", "--seed", "3"],
        RandomBudgetPerceptron(SST, budget=9, random_state=3),
    ),
    (["forgetron", "--budget", "9"], Forgetron(SST, budget=9)),
    (["forgetron", "--budget", "9", "--shrinking", "greedy"], Forgetron(SST, budget=9, shrinking="greedy")),
    (["projectron", "--eta", "0.3"], Projectron(SST, eta=0.3)),
    (["projectron++", "--budget", "20"], ProjectronPlusPlus(SST, budget=20)),
    (["forgetful-projectron", "--budget", "9"], ForgetfulProjectron(SST, budget=9)),
    (["ahpatron", "--budget", "9"], Ahpatron(SST, budget=9)),
]


class TestLearners:
    @pytest.mark.parametrize(
        ("args", "learner"), LEARNERS, ids=lambda v: " ".join(v) if isinstance(v, list) else ""
    )
    def test_two_classes(self, questions, hedgerow_command, args, learner):
        said = hedgerow_command.good("train", "two.tk", "-o", "a.model", "--learner", *args)
        y = np.where(questions.y[:240] == "NUM", 1, -1)
        same(hedgerow.load("a.model"), learner.fit(questions.trees[:240], y), questions.trees[240:])
        assert said == (
            f"240 examples of 2 classes, {learner.mistakes_} mistakes, {learner.n_support_} supports\n"
        )

    @pytest.mark.parametrize("scheme", get_args(Multiclass))
    def test_six_classes(self, questions, hedgerow_command, scheme):
        seed = ["--seed", 5] if scheme == "codes" else []
        hedgerow_command.good(
            "train", "--learner", "perceptron", "six.tk", "-o", "a.model", "--multiclass", scheme, *seed
        )
        learner = Perceptron(SST, multiclass=scheme, random_state=5)
        same(
            hedgerow.load("a.model"),
            learner.fit(questions.trees[:240], questions.y[:240]),
            questions.trees[240:],
        )

    def test_small_batches_and_data_that_are_read_twice_change_nothing(
        self, questions, hedgerow_command, monkeypatch
    ):
        hedgerow_command.good("train", "--learner", "perceptron", "six.tk", "-o", "a.model")
        monkeypatch.setattr(sources, "BATCH", 7)
        hedgerow_command.good("train", "--learner", "perceptron", "six.tk", "-o", "b.model")
        monkeypatch.setattr(examples, "KEPT_BYTES", 1000)
        hedgerow_command.good("train", "--learner", "perceptron", "six.tk", "-o", "c.model")
        a, b, c = (hedgerow.load(f"{name}.model") for name in "abc")
        same(b, a, questions.trees[240:])
        same(c, a, questions.trees[240:])

    def test_epochs_and_shuffling(self, questions, hedgerow_command, monkeypatch):
        monkeypatch.setattr(sources, "BATCH", 50)
        options = ["--epochs", 3, "--shuffle", "--seed", 1, "--averaging", "average"]
        hedgerow_command.good("train", "--learner", "perceptron", "six.tk", "-o", "a.model", *options)
        learner = Perceptron(SST, epochs=3, shuffle=True, random_state=1, averaging="average")
        same(
            hedgerow.load("a.model"),
            learner.fit(questions.trees[:240], questions.y[:240]),
            questions.trees[240:],
        )

    def test_epochs_without_memory(self, questions, hedgerow_command, monkeypatch):
        monkeypatch.setattr(examples, "KEPT_BYTES", 1000)
        hedgerow_command.good("train", "--learner", "perceptron", "two.tk", "-o", "a.model", "--epochs", 3)
        assert hedgerow.load("a.model").n_seen_ == 3 * 240
        assert "--shuffle needs all examples in memory" in hedgerow_command.sentence(
            "train", "two.tk", "-o", "a.model", "--shuffle"
        )

    def test_resuming_is_as_if_nothing_had_happened(self, questions, hedgerow_command):
        write_svmlight_tk("first.tk", questions.trees[:100], questions.y[:100])
        write_svmlight_tk("second.tk", questions.trees[100:240], questions.y[100:240])
        options = ["--learner", "random-budget", "--budget", 30, "--averaging", "average", "--seed", 1]
        hedgerow_command.good("train", "--learner", "perceptron", "first.tk", "-o", "a.model", *options)
        hedgerow_command.good("train", "second.tk", "-o", "a.model", "--resume", "a.model")
        hedgerow_command.good(
            "train", "--learner", "perceptron", "first.tk", "second.tk", "-o", "b.model", *options
        )
        same(hedgerow.load("a.model"), hedgerow.load("b.model"), questions.trees[240:])

    def test_trace(self, questions, hedgerow_command):
        hedgerow_command.good(
            "train",
            "--learner",
            "perceptron",
            "two.tk",
            "-o",
            "a.model",
            "--trace",
            "a.csv",
            "--trace-every",
            40,
        )
        lines = (questions.folder / "a.csv").read_text().splitlines()
        assert lines[0] == "examples,mistakes,errors,updates,f1,support,l1_norm,seconds"
        assert [line.split(",")[0] for line in lines[1:]] == ["40", "80", "120", "160", "200", "240"]
        assert lines[-1].split(",")[1] == str(hedgerow.load("a.model").mistakes_)

    @pytest.mark.parametrize(
        ("args", "needed"),
        [
            (["--learner", "perceptron"], "--shuffle or --multiclass codes"),
            (["--learner", "perceptron", "--multiclass", "one-vs-one"], "--shuffle or --multiclass codes"),
            (["--learner", "svm"], "--multiclass codes"),
            (["--learner", "cutting-plane"], "--sampling uniform or importance"),
            (["--problem", "multiclass", "--solver", "one-slack"], "--solver auto or frank-wolfe"),
        ],
    )
    def test_a_seed_where_nothing_is_random(self, questions, hedgerow_command, args, needed):
        said = hedgerow_command.sentence("train", "two.tk", "-o", "a.model", "--seed", 1, *args, code=2)
        assert f"--seed: nothing is random without {needed}" in said.replace("\n", " ")

    @pytest.mark.parametrize(
        "args",
        [
            ["perceptron", "--shuffle"],
            ["perceptron", "--multiclass", "codes"],
            ["random-budget", "--budget", 5],
        ],
    )
    def test_a_seed_that_matters(self, questions, hedgerow_command, args):
        said = hedgerow_command.good("train", "two.tk", "-o", "a.model", "--seed", 1, "--learner", *args)
        assert re.fullmatch(r"\d+ examples of 2 classes, \d+ mistakes, \d+ supports\n", said)


TREE_KERNELS = [
    (["st", "--decay", "0.5"], Normalized(SubTree(0.5))),
    (["sst", "--no-normalize"], SubsetTree()),
    (["sst-bow"], Normalized(SubsetTree(bag_of_words=True))),
    (["pt", "--vertical-decay", "0.3", "--max-length", "4"], Normalized(PartialTree(0.4, 0.3, max_length=4))),
    (["upt", "--terminal-factor", "0.5"], Normalized(PartialTree(lexical=False, terminal_factor=0.5))),
    (["subpath"], Normalized(SubPath())),
]
VECTOR_KERNELS = [
    (["linear"], Linear()),
    (["polynomial", "--degree", "2", "--scale", "0.5", "--offset", "2"], Polynomial(2, 0.5, 2)),
    (["rbf", "--gamma", "0.1"], RBF(0.1)),
    (["sigmoid", "--scale", "0.1"], Sigmoid(0.1)),
    (["polynomial", "--normalize"], Normalized(Polynomial())),
]
TEXT_KERNELS = [
    (["spectrum", "--k", "2"], Spectrum(2)),
    (["subsequence", "--length", "2", "--decay", "0.3", "--normalize"], Normalized(Subsequence(2, 0.3))),
    (["mismatch", "--k", "3", "--mismatches", "1", "--alphabet", "ab"], Mismatch(3, 1, alphabet="ab")),
]
IDS = {"ids": lambda v: " ".join(v) if isinstance(v, list) else ""}


class TestKernels:
    @pytest.mark.parametrize(("args", "kernel"), TREE_KERNELS, **IDS)
    def test_trees(self, questions, hedgerow_command, args, kernel):
        hedgerow_command.good(
            "train", "--learner", "perceptron", "two.tk", "-o", "a.model", "--kernel", *args
        )
        y = np.where(questions.y[:240] == "NUM", 1, -1)
        same(
            hedgerow.load("a.model"), Perceptron(kernel).fit(questions.trees[:240], y), questions.trees[240:]
        )

    @pytest.mark.parametrize(("args", "kernel"), VECTOR_KERNELS, **IDS)
    def test_vectors(self, points, hedgerow_command, args, kernel):
        hedgerow_command.good(
            "train", "--learner", "perceptron", "points.svm", "-o", "a.model", "--kernel", *args
        )
        same(hedgerow.load("a.model"), Perceptron(kernel).fit(points.X, points.y), points.X)

    @pytest.mark.parametrize(("args", "kernel"), TEXT_KERNELS, **IDS)
    def test_texts(self, folder, hedgerow_command, args, kernel):
        texts = ["aaba", "bbab", "aaab", "bbba", "abaa", "babb"] * 3
        labels = ["a", "b"] * 9
        (folder / "texts").write_text("".join(f"{c}\t{t}\n" for c, t in zip(labels, texts, strict=True)))
        hedgerow_command.good("train", "--learner", "perceptron", "texts", "-o", "a.model", "--kernel", *args)
        same(hedgerow.load("a.model"), Perceptron(kernel).fit(texts, labels), texts)
        (folder / "new").write_text("aaba\nbbab\n")
        assert hedgerow_command.good("predict", "a.model", "new") == "a\nb\n"

    def test_words(self, folder, hedgerow_command):
        (folder / "texts").write_text("x\tthe cat sat\ny\ta dog ran\nx\tthe cat ran\ny\ta dog sat\n")
        hedgerow_command.good(
            "train",
            "--learner",
            "perceptron",
            "texts",
            "-o",
            "a.model",
            "--kernel",
            "spectrum",
            "--k",
            1,
            "--tokens",
        )
        assert hedgerow_command.good("predict", "a.model", "-", stdin="cat\ndog\n") == "x\ny\n"

    def test_one_part_of_several(self, folder, hedgerow_command):
        (folder / "a.tk").write_text(
            "1 |BT| (S a) |BT| (S b) |ET| 1:1\n-1 |BT| (S a) |BT| (S c) |ET| 1:-1\n" * 5
        )
        assert hedgerow_command.sentence(
            "train", "--learner", "perceptron", "a.tk", "-o", "a.model", "--kernel", "sst"
        ) == (
            "the data have several columns of trees; choose one of tree, tree_2 with --column, or say more with "
            '--kernel "sst on tree + sst on tree_2"'
        )
        hedgerow_command.good(
            "train", "--learner", "perceptron", "a.tk", "-o", "a.model", "--column", "tree_2"
        )
        assert hedgerow_command.good("predict", "a.model", "a.tk") == "1\n-1\n" * 5
        hedgerow_command.good(
            "train",
            "--learner",
            "perceptron",
            "a.tk",
            "-o",
            "b.model",
            "--kernel",
            "linear",
            "--column",
            "vector",
        )
        assert hedgerow_command.good("predict", "b.model", "a.tk") == "1\n-1\n" * 5

    def test_parameters_of_other_kernels_and_learners(self, questions, hedgerow_command):
        def complaint(*args):
            return hedgerow_command.sentence(
                "train", "--learner", "perceptron", "two.tk", "-o", "a.model", *args, code=2
            )

        assert (
            "the learner perceptron with the kernel sst does not take it; it is for the kernel rbf"
            in complaint("--kernel", "sst", "--gamma", 1)
        )
        assert "the learner perceptron does not take it; it is for the kernel rbf" in complaint("--gamma", 1)
        assert "does not take it; it is for the learners stoptron, " in complaint(
            "--learner", "rda", "--budget", 9
        )
        assert "-C: the learner perceptron does not take it; it is for the learners pa, scw" in complaint(
            "-C", 2
        )
        assert "--no-bias: the learner romma does not take it" in complaint("--no-bias", "--learner", "romma")
        assert "give --trace too" in complaint("--trace-every", 9)


class TestInput:
    def test_gzip_standard_input_and_output(self, questions, hedgerow_command):
        content = (questions.folder / "two.tk").read_bytes()
        (questions.folder / "two.tk.gz").write_bytes(gzip.compress(content))
        for name, stdin in (("two.tk", None), ("two.tk.gz", None), ("-", content)):
            hedgerow_command.good("train", "--learner", "perceptron", name, "-o", "a.model", stdin=stdin)
            hedgerow_command.good(
                "train", "--learner", "perceptron", name, "-o", "b.model", "--classes", "-1,1", stdin=stdin
            )
            a, b = (hedgerow.load(f"{which}.model") for which in "ab")
            same(a, b, questions.trees[240:])
        done = subprocess.run(
            [*COMMAND, "train", "--learner", "perceptron", "two.tk", "-o", "-"],
            capture_output=True,
            check=True,
        )
        (questions.folder / "c.model").write_bytes(done.stdout)
        same(hedgerow.load("c.model"), hedgerow.load("a.model"), questions.trees[240:])

    def test_labelled_brackets(self, questions, hedgerow_command):
        lines = zip(questions.y[:240], questions.trees[:240].to_brackets(), strict=True)
        (questions.folder / "six.trees").write_text("".join(f"{y}\t{tree}\n" for y, tree in lines))
        hedgerow_command.good("train", "--learner", "perceptron", "six.trees", "-o", "a.model")
        hedgerow_command.good("train", "--learner", "perceptron", "six.tk", "-o", "b.model")
        same(*(hedgerow.load(f"{name}.model") for name in "ab"), questions.trees[240:])
        (questions.folder / "new.mrg").write_text("( (SBARQ (WHNP\n   (WP who)) ) )\n")
        assert hedgerow_command.good("predict", "a.model", "new.mrg").strip() in questions.y
        expected = hedgerow_command.good("predict", "a.model", "test.tk")
        assert hedgerow_command.good("predict", "b.model", "test.tk") == expected

    def test_width_of_vectors(self, points, hedgerow_command):
        (points.folder / "wide.svm").write_text("1 1:1 9:1\n-1 1:-1\n")
        hedgerow_command.good(
            "train", "--learner", "perceptron", "points.svm", "-o", "a.model", "--kernel", "rbf"
        )
        scores = hedgerow_command.good("predict", "a.model", "wide.svm", "--scores")
        expected = Perceptron(RBF()).fit(np.pad(points.X.toarray(), ((0, 0), (0, 3))), points.y)
        wide = np.zeros((2, 9))
        wide[:, 0], wide[0, 8] = (1, -1), 1
        np.testing.assert_allclose(
            [float(s) for s in scores.split()], expected.decision_function(wide), rtol=1e-9
        )
        # Linear: what is new counts nothing.
        hedgerow_command.good("train", "--learner", "perceptron", "points.svm", "-o", "c.model", "--quiet")
        assert hedgerow_command.good("predict", "c.model", "wide.svm") == "1\n-1\n"
        assert "--features must be at least 6" in hedgerow_command.sentence(
            "train", "points.svm", "-o", "a.model", "--features", 5
        )


@pytest.mark.parametrize("learner", ["svm", "arow", "structured-perceptron --problem multiclass"])
@pytest.mark.parametrize("quiet", [False, True])
def test_quiet_on_a_terminal(points, learner, quiet):
    main, terminal = pty.openpty()
    command = [sys.executable, "-m", "hedgerow", "train", "points.svm", "-o", "a.model", "--learner"]
    command += [*learner.split(), *(["--quiet"] if quiet else [])]
    assert subprocess.run(command, stdout=subprocess.DEVNULL, stderr=terminal, check=False).returncode == 0
    os.set_blocking(main, False)
    shown = b""
    with suppress(BlockingIOError):
        shown = os.read(main, 1)
    os.close(main)
    os.close(terminal)
    assert (shown == b"") == quiet


class TestFailures:
    """One sentence, a code, no model."""

    @pytest.fixture(autouse=True)
    def nothing_is_written(self, folder):
        (folder / "old.model").write_text("old")
        yield
        assert (folder / "old.model").read_text() == "old"
        assert not [name for name in os.listdir(folder) if name.endswith(".part")]

    @pytest.fixture
    def complaint(self, folder, hedgerow_command):
        def run(content, *args, code=1):
            (folder / "a.tk").write_text(content)
            named = [] if "--resume" in args else ["--learner", "perceptron"]
            return hedgerow_command.sentence("train", *named, "a.tk", "-o", "old.model", *args, code=code)

        return run

    GOOD = "1 |BT| (S a) |ET|\n-1 |BT| (S b) |ET|\n"

    def test_files(self, folder, hedgerow_command):
        run = hedgerow_command.sentence
        assert (
            run("train", "--learner", "perceptron", "none.tk", "-o", "old.model")
            == "none.tk: No such file or directory"
        )
        assert run("train", "none.tk", "-o", "old.model") == "none.tk: No such file or directory"
        assert run("train", "--learner", "perceptron", str(folder), "-o", "old.model").endswith(
            "Is a directory"
        )
        (folder / "a.tk").write_text(self.GOOD)
        assert (
            run("train", "--learner", "perceptron", "a.tk", "-o", str(folder)) == f"{folder}: Is a directory"
        )
        assert (
            run("train", "--learner", "perceptron", "a.tk", "-o", "no/a.model")
            == "no/a.model: No such file or directory"
        )
        assert (
            run("train", "--learner", "perceptron", "a.tk", "-o", "a.tk")
            == "a.tk is also an input, which the output would replace"
        )
        assert (folder / "a.tk").read_text() == self.GOOD

    def test_examples(self, complaint):
        assert complaint("") == "no example in a.tk"
        assert complaint("\n\n# nothing\n") == "no example in a.tk"
        assert complaint("1 |BT| (S a) |ET|\n" * 3) == (
            "all 3 examples have the label 1; learning needs examples of two classes or more"
        )
        assert "a.tk, line 3, column 1: the label is missing" in complaint(self.GOOD + "|BT| (S a) |ET|\n")
        assert complaint(self.GOOD * 8 + "1 |BT| (S (N a) |ET|\n").startswith("a.tk, line 17, column ")
        assert "line 2, column 6: the value of feature 1 is not finite: 'nan'" in complaint(
            "1 1:2\n-1 1:nan\n"
        )
        assert "line 2, column 6: the value of feature 1 is not finite: 'inf'" in complaint(
            "1 1:2\n-1 1:inf\n"
        )
        assert "the kernel rbf takes vectors, but the data have trees only" in complaint(
            self.GOOD, "--kernel", "rbf"
        )
        assert "--column must be one of tree" in complaint(self.GOOD, "--column", "vector")

    @pytest.mark.parametrize("content", ["x (S a)\ny (S b)\n", "(S a)\n(S b)\n"])
    def test_brackets_that_nobody_spoke_of(self, complaint, content):
        assert complaint(content).endswith(
            "; for lines LABEL (S ...), or trees alone, say that the format is brackets"
        )

    def test_other_formats(self, complaint):
        brackets = ["--format", "brackets"]
        assert complaint("(S a)\n(S b)\n", *brackets) == "a.tk: an example has no label"
        assert (
            complaint("x (S a)\ny\n", *brackets)
            == "a.tk, line 2: the tree is missing: expected 'LABEL (S ...)'"
        )
        assert complaint("x (S a)\n\n(S b)\n", *brackets).startswith("a.tk, line 3: the label is missing")
        assert complaint("x (S a)\ny (S (N b)\n", *brackets).startswith("a.tk, line 2, column ")
        assert complaint("x\ta\nb\n", "--kernel", "spectrum") == "a.tk: an example has no label"

    def test_values(self, complaint):
        def bad(*args):
            return complaint(self.GOOD, *args, code=2)

        assert "it must be a number above 0 and at most 1, got 2.0" in bad("--kernel", "st", "--decay", "2")
        assert "'--budget': it must be a whole number" in bad("--learner", "stoptron", "--budget", "0")
        assert "'-C': it must be" in bad("--learner", "pa", "-C", "-1")
        assert "'--epochs': it must be" in bad("--epochs", "0")
        assert "must be one of none, average, vote, normalized, got 'mean'" in bad("--averaging", "mean")
        assert "must be a whole number or none, got 'x'" in bad("--seed", "x")
        assert "did you mean perceptron? hedgerow list learners" in bad("--learner", "percepton")
        assert "--learner" in complaint(self.GOOD, "--learner", "oracle", code=2)

    def test_classes(self, complaint):
        assert "which is not one of the classes [-1, 2]" in complaint(self.GOOD, "--classes", "-1,2")
        assert "--classes must name two labels" in complaint(self.GOOD, "--classes", "1")
        assert "--epochs and --shuffle are not possible" in complaint(
            self.GOOD, "--classes", "-1,1", "--epochs", 2
        )

    def test_resume(self, folder, complaint, hedgerow_command):
        assert complaint(self.GOOD, "--resume", "old.model") == "old.model: not a hedgerow model"
        hedgerow_command.good("train", "--learner", "perceptron", "a.tk", "-o", "new.model")
        assert "--decay: the model that --resume names has this settled" in complaint(
            self.GOOD, "--resume", "new.model", "--decay", "0.1", code=2
        ).replace("'", "")
        assert "not one of the classes [-1, 1]" in complaint("3 |BT| (S a) |ET|\n", "--resume", "new.model")
        assert "without --trace" in complaint(self.GOOD, "--resume", "new.model", "--trace", "t")
        assert complaint("1 1:2\n", "--resume", "new.model") == (
            "a.tk: the examples have the columns vector, but the model was trained on tree"
        )

    def test_a_full_disk(self, folder, hedgerow_command, monkeypatch):
        (folder / "a.tk").write_text(self.GOOD)
        said = hedgerow_command.sentence("train", "--learner", "perceptron", "a.tk", "-o", "/dev/full")
        found = re.fullmatch(
            r"/dev/full: No space left on device; the model was written to (.*/hedgerow-.*/full) instead",
            said,
        )
        assert found is not None, said
        assert hedgerow.load(found[1]).n_seen_ > 0

        def fail(_):
            raise OSError(errno.ENOSPC, "No space left on device")

        monkeypatch.setattr(os, "fsync", fail)
        assert (
            hedgerow_command.sentence("train", "--learner", "perceptron", "a.tk", "-o", "old.model")
            == "old.model: No space left on device"
        )

    def test_a_warning_is_a_sentence(self, folder, hedgerow_command):
        (folder / "a.svm").write_text("1 1:9\n-1 1:-9\n")
        result = hedgerow_command.run(
            "train", "a.svm", "-o", "a.model", "--learner", "forgetron", "--budget", 9
        )
        assert result.exit_code == 0
        assert result.stderr.startswith("hedgerow: warning: Forgetron expects K(x, x) <= 1")
        assert result.stderr.count("\n") == 1


class TestInterrupt:
    def start(self, folder, lines, *args):
        """A training process that has read these lines and waits for more."""
        os.mkfifo(folder / "in")
        process = subprocess.Popen(
            [*COMMAND, "train", "--learner", "perceptron", "in", "-o", "a.model", "--classes", "-1,1", *args],
            stderr=subprocess.PIPE,
            text=True,
        )
        pipe = open(folder / "in", "w")  # noqa: SIM115
        pipe.write(lines)
        pipe.flush()
        return process, pipe

    def interrupt(self, process, pipe):
        running = True
        while running:  # a signal between two reads of the pipe is looked at after the second, which waits
            process.send_signal(signal.SIGINT)
            with suppress(subprocess.TimeoutExpired):
                process.wait(timeout=5)
                running = False
        _, errors = process.communicate()
        pipe.close()
        assert process.returncode == 130
        return errors

    # More than one piece of text, so that the first batches are learned from.
    LINES = "".join(f"{y} |BT| (S (N {'w' * 400}) (V {y})) |ET|\n" for y in (1, -1)) * 6000

    def test_the_model_so_far(self, folder):
        process, pipe = self.start(folder, self.LINES)
        errors = self.interrupt(process, pipe)
        seen = re.fullmatch(
            r"hedgerow: interrupted after (\d+) examples; the model learned so far was written to a.model\n",
            errors,
        )
        assert seen is not None, errors
        assert hedgerow.load(folder / "a.model").n_seen_ == int(seen[1]) > 0

    def test_an_older_model_stays(self, folder):
        (folder / "a.model").write_text("old")
        process, pipe = self.start(folder, self.LINES)
        errors = self.interrupt(process, pipe)
        assert "was written to a.model.interrupted; a.model is as it was" in errors
        assert (folder / "a.model").read_text() == "old"
        assert len(hedgerow.load(folder / "a.model.interrupted").classes_) == 2

    def test_before_anything_was_learned(self, folder):
        process, pipe = self.start(folder, "")
        assert self.interrupt(process, pipe) == "hedgerow: interrupted; nothing was written\n"
        assert os.listdir(folder) == ["in"]


@pytest.mark.shared_data
def test_a_large_file(data_folder, folder, hedgerow_command):
    """Questions of fifty classes, in one pass."""
    train, test = data_folder / "qc" / "train.ct.tk.gz", data_folder / "qc" / "test.ct.tk.gz"
    hedgerow_command.good(
        "train", "--learner", "perceptron", train, "-o", "a.model", "--averaging", "average"
    )
    figures = json.loads(hedgerow_command.good("evaluate", "a.model", test, "--json"))
    assert figures["examples"] == 500
    assert figures["accuracy"] > 0.7
    model = hedgerow.load("a.model")
    assert isinstance(model.support_items_, Forest)
