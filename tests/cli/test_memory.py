"""Files larger than memory: what commands hold does not grow with the number of examples."""

from __future__ import annotations

import subprocess
import sys

import pytest

pytestmark = pytest.mark.slow

# Runs a command whose examples are worth keeping in memory up to 2 MB only, and prints its peak in MB.
COMMAND = """
import resource, sys
import hedgerow.cli.examples
hedgerow.cli.examples.KEPT_BYTES = 2 << 20
from hedgerow.cli import main
try:
    main()
finally:
    print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10, file=sys.stderr)
"""
FEW, MANY = 10_000, 150_000
GROWTH = 30  # MB: less than any of the large files takes when it is parsed


def peak(*arguments):
    """MB of the command's process at its largest."""
    done = subprocess.run(
        [sys.executable, "-c", COMMAND, *map(str, arguments)], capture_output=True, text=True, timeout=300
    )
    assert done.returncode == 0, done.stderr
    return int(done.stderr.split()[-1])


def tree(i):
    return f"(S (NP (D the) (N n{i % 7})) (VP (V v{i % 5}) (NP (D a) (N n{i % 3}))) (PP (P p{i % 11}) (N x)))"


def label(i):
    return "+1" if i % 7 < 3 else "-1"


EXAMPLES = {
    "trees alone": lambda i: f"{tree(i)}\n",
    "labelled trees": lambda i: f"{label(i)} {tree(i)}\n",
    "lines": lambda i: f"{label(i)} |BT| {tree(i)} |ET|\n",
    "vectors": lambda i: f"{label(i)} {' '.join(f'{j}:{(i * j) % 97}' for j in range(1 + i % 7, 40, 2))}\n",
    "sentences": lambda i: f"w{i % 7} T{i % 3} B-NP\nv{i % 5} V I-NP\n\n",
}


@pytest.fixture
def write(folder):
    """Writes so many examples of a kind into a file, and returns its name."""

    def written(name, kind, n):
        with open(name, "w") as file:
            file.writelines(EXAMPLES[kind](i) for i in range(n))
        return name

    return written


def assert_bounded(write, name, kind, *command, many=MANY):
    """The command takes about as much memory for many examples as for few."""
    few = peak(*command, write(f"few.{name}", kind, FEW))
    more = peak(*command, write(f"many.{name}", kind, many))
    assert more - few < GROWTH, (few, more)


class TestPrediction:
    @pytest.mark.parametrize("kind", ["trees alone", "labelled trees"])
    def test_trees(self, write, kind, hedgerow_command):
        hedgerow_command.good(
            "train", "--learner", "perceptron", write("a.mrg", "labelled trees", 50), "-o", "m", "--quiet"
        )
        assert_bounded(write, "mrg", kind, "predict", "-o", "out.txt", "m")

    def test_evaluation_of_sequences(self, write, hedgerow_command):
        hedgerow_command.good("train", write("a.txt", "sentences", 50), "-o", "m", "--problem", "sequence")
        assert_bounded(write, "txt", "sentences", "evaluate", "m", many=60_000)


class TestTraining:
    def test_learners_on_weights(self, write):
        command = ("train", "--learner", "pa", "--epochs", 2, "--quiet", "-o", "m")
        assert_bounded(write, "svm", "vectors", *command)

    def test_learners_on_kernels(self, write):
        command = ("train", "--learner", "forgetron", "--budget", 20, "--epochs", 2, "-o", "m")
        assert_bounded(write, "tk", "lines", *command)

    def test_sampled_machines(self, write):
        command = ("train", "--learner", "cutting-plane", "--sampling", "uniform", "--sample-size", 50)
        assert_bounded(write, "tk", "lines", *command, "--max-iter", 5, "--seed", 1, "-o", "m")

    def test_structured_streams(self, write):
        command = (
            "train",
            "--problem",
            "sequence",
            "--learner",
            "structured-perceptron",
            "--stream",
            "-o",
            "m",
        )
        assert_bounded(write, "txt", "sentences", *command, many=60_000)


def test_sampled_machines_learn_the_same_from_files(write, hedgerow_command, monkeypatch):
    name = write("a.tk", "lines", 3000)
    command = ("train", name, "--learner", "cutting-plane", "--sampling", "uniform", "--sample-size", 50)
    hedgerow_command.good(*command, "--seed", 1, "-o", "in-memory")
    monkeypatch.setattr("hedgerow.cli.examples.KEPT_BYTES", 1000)
    hedgerow_command.good(*command, "--seed", 1, "-o", "from-files")
    scores = (
        hedgerow_command.good("predict", model, name, "--scores") for model in ("in-memory", "from-files")
    )
    assert next(scores) == next(scores)
