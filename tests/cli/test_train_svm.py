"""``hedgerow train`` with support vector machines: the machines of Python, what is said, and interruptions."""

from __future__ import annotations

import csv
import json
import os
import pty
import re
import subprocess
import sys

import numpy as np
import pytest

import hedgerow
from hedgerow import threads
from hedgerow.cli import examples
from hedgerow.io import write_svmlight_tk
from hedgerow.kernels import RBF, Normalized, PartialTree, SubsetTree
from hedgerow.svm import SVC, CuttingPlaneSVC
from hedgerow.svmlight_tk import read_svmlight_tk_model

COMMAND = [sys.executable, "-m", "hedgerow"]
SST = Normalized(SubsetTree())
SVM, PLANE = ["--learner", "svm"], ["--learner", "cutting-plane"]
MACHINES = [
    (SVM, SVC(SST)),
    ([*SVM, "-C", "3", "--cost-factor", "balanced"], SVC(SST, C=3, cost_factor="balanced")),
    ([*SVM, "-C", "3", "--cost-factor", "2.5", "--tol", "1e-5"], SVC(SST, C=3, cost_factor=2.5, tol=1e-5)),
    ([*SVM, "--class-weight", "balanced", "--no-bias"], SVC(SST, class_weight="balanced", bias=False)),
    ([*SVM, "--loss", "squared-hinge", "--cache-size", "1"], SVC(SST, loss="squared-hinge", cache_size=1)),
    (PLANE, CuttingPlaneSVC(SST)),
    ([*PLANE, "-C", "2", "--tol", "0.01"], CuttingPlaneSVC(SST, C=2, tol=0.01)),
    (
        [*PLANE, "--sampling", "uniform", "--sample-size", "50", "--seed", "1", "--tol", "0.1"],
        CuttingPlaneSVC(SST, sampling="uniform", sample_size=50, random_state=1, tol=0.1),
    ),
    (
        [
            *PLANE,
            "--sampling",
            "importance",
            "--sample-size",
            "100",
            "--seed",
            "2",
            "--cost-factor",
            "balanced",
        ],
        CuttingPlaneSVC(SST, sampling="importance", sample_size=100, random_state=2, cost_factor="balanced"),
    ),
]


@pytest.fixture(autouse=True)
def _threads_stay(monkeypatch):
    """--jobs sets the number of threads of the process, which these tests share."""
    monkeypatch.setattr(threads, "_n_jobs", 1)


def same(model, expected, X):
    assert type(model) is type(expected)
    assert model.classes_.tolist() == expected.classes_.tolist()
    assert np.array_equal(model.decision_function(X), expected.decision_function(X))


class TestMachines:
    @pytest.mark.parametrize(
        ("args", "machine"), MACHINES, ids=lambda v: " ".join(v) if isinstance(v, list) else ""
    )
    def test_two_classes(self, questions, hedgerow_command, args, machine):
        said = hedgerow_command.good("train", "two.tk", "-o", "a.model", *args)
        y = np.where(questions.y[:240] == "NUM", 1, -1)
        machine.fit(questions.trees[:240], y)
        model = hedgerow.load("a.model")
        same(model, machine, questions.trees[240:])
        assert model.converged_ is True
        assert said.startswith(f"240 examples of 2 classes, {machine.n_support_} supports, ")
        what = "rounds, violation" if args[1] == "cutting-plane" else r"iterations, relative duality gap"
        assert re.search(rf" {machine.n_iter_.sum()} {what} \S+, converged\n$", said)
        predicted = hedgerow_command.good("predict", "a.model", "test2.tk").split()
        assert predicted == machine.predict(questions.trees[240:]).astype(str).tolist()

    @pytest.mark.parametrize("machine", [SVC(SST), CuttingPlaneSVC(SST)], ids=["svm", "cutting-plane"])
    def test_six_classes(self, questions, hedgerow_command, machine):
        name = "svm" if isinstance(machine, SVC) else "cutting-plane"
        said = hedgerow_command.good("train", "six.tk", "-o", "a.model", "--learner", name, "--jobs", 2)
        assert said.startswith("240 examples of 6 classes, ")
        machine.fit(questions.trees[:240], questions.y[:240])
        model = hedgerow.load("a.model")
        same(model, machine, questions.trees[240:])
        assert model.n_jobs is None  # those who predict may have other machines
        figures = json.loads(hedgerow_command.good("evaluate", "a.model", "test.tk", "--json"))
        assert figures["accuracy"] == pytest.approx(machine.score(questions.trees[240:], questions.y[240:]))

    def test_other_kernels_and_data(self, questions, points, hedgerow_command):
        hedgerow_command.good("train", "two.tk", "-o", "a.model", *SVM, "--kernel", "pt", "--decay", "0.3")
        y = np.where(questions.y[:240] == "NUM", 1, -1)
        expected = SVC(Normalized(PartialTree(0.3))).fit(questions.trees[:240], y)
        same(hedgerow.load("a.model"), expected, questions.trees[240:])
        hedgerow_command.good("train", "points.svm", "-o", "b.model", *SVM, "--kernel", "rbf", "--gamma", 0.1)
        same(hedgerow.load("b.model"), SVC(RBF(0.1)).fit(points.X, points.y), points.X)
        (points.folder / "texts").write_text("x\tthe cat\ny\ta dog\nx\tthe hat\ny\ta frog\n")
        hedgerow_command.good("train", "texts", "-o", "c.model", *PLANE, "--kernel", "spectrum", "--k", 2)
        assert hedgerow_command.good("predict", "c.model", "-", stdin="the rat\na log\n") == "x\ny\n"

    def test_all_data_are_kept_and_may_come_through_a_pipe(self, questions, hedgerow_command, monkeypatch):
        hedgerow_command.good("train", "two.tk", "-o", "a.model", *PLANE)
        monkeypatch.setattr(examples, "KEPT_BYTES", 1000)
        content = (questions.folder / "two.tk").read_bytes()
        hedgerow_command.good("train", "-", "-o", "b.model", *PLANE, stdin=content)
        same(*(hedgerow.load(f"{name}.model") for name in "ab"), questions.trees[240:])

    def test_to_standard_output_nothing_else_is_said(self, questions):
        done = subprocess.run(
            [*COMMAND, "train", "two.tk", "-o", "-", *PLANE], capture_output=True, check=True
        )
        assert done.stderr == b""
        (questions.folder / "a.model").write_bytes(done.stdout)
        assert hedgerow.load("a.model").converged_

    def test_trace(self, questions, hedgerow_command):
        hedgerow_command.good("train", "six.tk", "-o", "a.model", *PLANE, "--trace", "a.csv")
        trace = hedgerow.load("a.model").trace_
        with open(questions.folder / "a.csv") as file:
            rows = list(csv.DictReader(file))
        assert len(rows) == len(trace) > 6
        assert [float(row["violation"]) for row in rows] == trace.violation.tolist()
        assert [int(row["support"]) for row in rows] == trace.support.tolist()

    def test_what_did_not_converge_is_written_with_a_warning(self, questions, hedgerow_command):
        result = hedgerow_command.run("train", "two.tk", "-o", "a.model", *PLANE, "--max-iter", 1)
        assert result.exit_code == 0
        assert result.stderr.startswith("hedgerow: warning: stopped after 1 rounds")
        assert result.stdout.endswith("not converged\n")
        assert hedgerow.load("a.model").converged_ is False


class TestRefusals:
    @pytest.fixture
    def complaint(self, folder, hedgerow_command):
        def run(*args, code=2):
            (folder / "a.tk").write_text("1 |BT| (S a) |ET|\n-1 |BT| (S b) |ET|\n")
            text = hedgerow_command.sentence("train", "a.tk", "-o", "a.model", *args, code=code)
            assert not (folder / "a.model").exists()
            return text.replace("'", "")

        return run

    @pytest.mark.parametrize(
        ("args", "words"),
        [
            (
                [*SVM, "--epochs", "2"],
                "--epochs: the learner svm does not take it; it is for the learners perceptron",
            ),
            ([*PLANE, "--shuffle"], "--shuffle: the learner cutting-plane does not take it"),
            ([*SVM, "--classes", "-1,1"], "--classes: the learner svm needs all examples in memory"),
            ([*SVM, "--resume", "a.model"], "--learner: the model that --resume names has this settled"),
            (
                [*SVM, "--sampling", "uniform"],
                "--sampling: the learner svm does not take it",
            ),
            ([*SVM, "--shuffle"], "--shuffle: the learner svm does not take it"),
            ([*SVM, "--averaging", "average"], "--averaging: the learner svm does not take it"),
            ([*SVM, "--trace", "t.csv"], "--trace: the learner svm records none"),
            (
                [*PLANE, "--trace", "t", "--trace-every", "5"],
                "--trace-every: the learner cutting-plane does not take it",
            ),
            (
                [*PLANE, "--cache-size", "9"],
                "--cache-size: the learner cutting-plane does not take it; it is for the learner svm",
            ),
            (
                [*PLANE, "--bias"],
                "--bias: the learner cutting-plane does not take it; it is for the learners perceptron",
            ),
            ([*PLANE, "--loss", "hinge"], "--loss: the learner cutting-plane does not take it"),
            (
                ["--learner", "perceptron", "--cost-factor", "2"],
                "--cost-factor: the learner perceptron does not take it; it is for the learners svm, cutting-plane",
            ),
        ],
    )
    def test_options_of_others(self, complaint, args, words):
        assert f"Invalid value for {words}" in complaint(*args)

    @pytest.mark.parametrize(
        ("args", "words"),
        [
            ([*SVM, "-C", "0"], "-C: it must be a number at least 1e-20 and at most 1e+20, got 0.0"),
            (
                [*SVM, "--cost-factor", "heavy"],
                "must be a number or weights as A=2,B=0.5 or balanced, got heavy",
            ),
            (
                [*SVM, "--cost-factor", "-1"],
                "cost_factor must be a number at least 1e-20 and at most 1e+20, got -1.0",
            ),
            ([*SVM, "--tol", "0"], "--tol: it must be"),
            ([*SVM, "--cache-size", "-1"], "--cache-size: it must be"),
            ([*PLANE, "--tol", "nan"], "--tol: it must be"),
            ([*PLANE, "--sampling", "uniform", "--sample-size", "0"], "--sample-size: it must be"),
            ([*PLANE, "--sample-size", "9"], "sample_size has no effect without sampling, got 9"),
            ([*PLANE, "--max-iter", "0"], "--max-iter: it must be"),
        ],
    )
    def test_values(self, complaint, args, words):
        assert words in complaint(*args)

    def test_machines_do_not_resume(self, questions, hedgerow_command):
        hedgerow_command.good("train", "two.tk", "-o", "a.model", *PLANE)
        assert hedgerow_command.sentence("train", "two.tk", "-o", "b.model", "--resume", "a.model") == (
            "a.model holds a CuttingPlaneSVC, which cannot continue learning"
        )

    def test_machines_on_kernel_values_cannot_look_at_examples(self, folder, hedgerow_command):
        hedgerow.save(SVC("precomputed").fit(np.eye(4), [0, 1, 0, 1]), "a.model")
        (folder / "a.svm").write_text("1 1:1\n")
        assert hedgerow_command.sentence("predict", "a.model", "a.svm").startswith(
            "a.model holds a SVC that knows kernel values only (kernel='precomputed')"
        )


@pytest.mark.slow
class TestOnATerminal:
    def run(self, folder, *args):
        """What a command writes to a terminal on its standard error."""
        ours, theirs = pty.openpty()
        with subprocess.Popen([*COMMAND, "train", *args], stderr=theirs, stdout=subprocess.PIPE) as process:
            os.close(theirs)
            shown = b""
            while True:
                try:
                    piece = os.read(ours, 4096)
                except OSError:  # the other end is closed
                    break
                shown += piece
        os.close(ours)
        assert process.returncode == 0
        return shown.decode()

    def test_rounds(self, questions):
        shown = self.run(questions.folder, "six.tk", "-o", "a.model", *PLANE, "--tol", "0.0001")
        assert re.search(r"Learning: class \w+ \(\d of 6\), round \d+, violation [\d.]+, \d+ supports", shown)

    def test_a_sign_of_life(self, questions):
        assert "Learning" in self.run(questions.folder, "two.tk", "-o", "a.model", *SVM)


# Ctrl-C in the third round of cutting planes, and in a solver that would go on for long.
IN_A_ROUND = """
from hedgerow.svm import cutting_plane
record = cutting_plane.CutTraining._record
def record_and_interrupt(self, function, number, state):
    record(self, function, number, state)
    if number == 3:
        interrupt()
cutting_plane.CutTraining._record = record_and_interrupt
"""
IN_THE_SOLVER = """
import threading
from hedgerow import _core
solve = _core.solve_svm
def solve_and_interrupt(*args, **options):
    threading.Timer(1.0, interrupt).start()
    return solve(*args, **options)
_core.solve_svm = solve_and_interrupt
"""
IN_THE_KERNEL = """
from hedgerow.kernels import Polynomial
Polynomial._model = lambda *args: interrupt()
"""
POLYNOMIAL = ("--kernel", "polynomial")


class TestInterrupt:
    def interrupt(self, folder, where, *args):
        """The complaint of a command that is interrupted there."""
        rng = np.random.default_rng(0)
        write_svmlight_tk(folder / "noise.svm", rng.normal(size=(2000, 5)), rng.choice([-1, 1], 2000))
        start = "import os, signal\ninterrupt = lambda: os.kill(os.getpid(), signal.SIGINT)\n"
        end = "\nfrom hedgerow.cli import main\nmain()\n"
        done = subprocess.run(
            [sys.executable, "-c", start + where + end, *args], capture_output=True, text=True
        )
        assert done.returncode == 130, done.stderr
        assert done.stdout == ""
        return done.stderr

    @pytest.mark.parametrize(
        ("where", "options", "steps"),
        [
            (IN_A_ROUND, [*PLANE, "--tol", "1e-9"], "rounds"),
            (IN_THE_SOLVER, [*SVM, "-C", "1e8", "--tol", "1e-12"], "iterations"),
        ],
        ids=["cutting-plane", "svm"],
    )
    def test_the_best_model_so_far(self, folder, where, options, steps):
        said = self.interrupt(folder, where, "train", "noise.svm", "-o", "a.model", *POLYNOMIAL, *options)
        found = re.fullmatch(
            rf"hedgerow: interrupted after (\d+) {steps}; the best model so far, which has not converged, was written "
            r"to a.model\n",
            said,
        )
        assert found is not None, said
        model = hedgerow.load(folder / "a.model")
        assert model.converged_ is False
        assert model.n_iter_.sum() == int(found[1])
        assert model.n_support_ > 0

    @pytest.mark.slow
    def test_an_older_model_stays(self, folder):
        (folder / "a.model").write_text("old")
        said = self.interrupt(folder, IN_A_ROUND, "train", "noise.svm", "-o", "a.model", *POLYNOMIAL, *PLANE)
        assert "was written to a.model.interrupted; a.model is as it was" in said
        assert (folder / "a.model").read_text() == "old"
        assert hedgerow.load(folder / "a.model.interrupted").converged_ is False

    def test_before_anything_was_learned(self, folder):
        said = self.interrupt(folder, IN_THE_KERNEL, "train", "noise.svm", "-o", "a.model", *POLYNOMIAL, *SVM)
        assert said == "hedgerow: interrupted; nothing was written\n"
        assert not (folder / "a.model").exists()

    @pytest.mark.slow
    def test_svm_learn(self, folder):
        said = self.interrupt(
            folder, IN_THE_SOLVER, "svm_learn", "-t1", "-c1e8", "-e1e-12", "noise.svm", "model"
        )
        assert "the best model so far, which has not converged, was written to model" in said
        assert len(read_svmlight_tk_model(folder / "model").coefficients) > 0
