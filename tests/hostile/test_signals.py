"""Signals at any moment: the old file or the new one is there, whole, and left-overs do not grow in number."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

import hedgerow
from hedgerow.io import write_svmlight_tk
from hedgerow.svmlight_tk import read_svmlight_tk_model
from tests.hostile.commands import commands

STOPPING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
# Each writes its output to "out".
COMMANDS = {
    "train": "train trees.tk -o out --kernel sst --averaging average",
    "train-svm": "train noise.svm -o out --learner svm --kernel rbf -C 1e4 --tol 1e-6",
    "train-weights": "train noise.svm -o out --learner arow --epochs 100 --quiet",
    "tune": "tune noise.svm -o out --kernels rbf --gamma 0.1,1 -C 1,100 --folds 2",
    "convert": "convert trees.tk -o out --to json",
    "svm_learn": "svm_learn -t 2 -c 10000 -e 1e-6 noise.svm out",
    "svm_learn-online": "svm_learn -z o -A averaged -t 5 trees.tk out",
}


@pytest.fixture(scope="module")
def start(tmp_path_factory):
    with commands() as found:
        found.run(tmp_path_factory.mktemp("first"), "--version")  # when this has ended, all is imported
        yield found


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    folder = tmp_path_factory.mktemp("data")
    rng = np.random.default_rng(0)
    write_svmlight_tk(folder / "noise.svm", rng.normal(size=(500, 5)).round(3), rng.choice([-1, 1], 500))
    trees = [
        f"(S (N w{rng.integers(50)}) (V (A w{rng.integers(50)}) (B w{rng.integers(9)})))" for _ in range(1500)
    ]
    lines = [f"{rng.choice(['1', '-1'])} |BT| {tree} |ET|\n" for tree in trees]
    (folder / "trees.tk").write_text("".join(lines))
    return folder


class Target:
    """A folder in which a command writes to "out", and what that may hold."""

    def __init__(self, name, folder, data, start):
        self.arguments, self.start, self.folder = COMMANDS[name].split(), start, folder
        for file in data.iterdir():
            (folder / file.name).symlink_to(file)
        self.data = {file.name for file in data.iterdir()} | {"stderr"}
        started = time.perf_counter()
        assert start.run(folder, *self.arguments) == 0, (folder / "stderr").read_text()
        self.seconds = time.perf_counter() - started
        self.new = (folder / "out").read_bytes()

    def others(self):
        """Files beside data and output."""
        return sorted(set(os.listdir(self.folder)) - self.data - {"out"})

    def check(self, path: Path) -> None:
        """It is whole."""
        if self.arguments[0] == "svm_learn":
            read_svmlight_tk_model(path)
        elif self.arguments[0] != "convert":
            hedgerow.load(path)
        else:
            assert path.read_bytes() == self.new


def one_run(target: Target, rng: random.Random) -> None:
    """A command that gets a signal or two at some moment."""
    out = target.folder / "out"
    before = rng.choice([None, b"old"])
    out.unlink(missing_ok=True)
    if before is not None:
        out.write_bytes(before)
    left_over = target.others()
    assert left_over in ([], [".out.0.part"])
    command = target.start.start(target.folder, *target.arguments)
    first = rng.choice([*STOPPING, signal.SIGKILL])
    time.sleep(rng.uniform(0, target.seconds * 1.1))
    command.send(first)
    second = rng.choice([None, None, None, *STOPPING])
    if second is not None:
        time.sleep(rng.uniform(0, 0.02))
        command.send(second)
    status, said = command.status(), command.said()
    assert status in {0, 128 + first, -first} | ({-second, 128 + second} if second else set()), (status, said)
    if status == 0:
        assert out.read_bytes() == target.new
    if status in {128 + number for number in STOPPING}:
        assert said.startswith("hedgerow: interrupted"), said
        assert said.count("\n") == 1 + said.count("the best so far is being trained"), said
        assert second is not None or set(target.others()) <= {*left_over, "out.interrupted"}
    assert "Traceback" not in said
    assert "Exception ignored" not in said
    if out.exists() and out.read_bytes() not in (before, target.new):
        assert before is None
        assert f"was written to {out.name}" in said or status < 0
        target.check(out)
    if before is not None:
        assert out.exists()
    beside = target.folder / "out.interrupted"
    if beside.exists():
        target.check(beside)
        beside.unlink()
    assert len(target.others()) <= 1


@pytest.mark.parametrize("name", COMMANDS)
@pytest.mark.parametrize(
    "runs", [4, pytest.param(int(os.environ.get("HEDGEROW_SIGNALS", 12)), marks=pytest.mark.slow)]
)
def test_signals_at_any_moment(name, runs, tmp_path, data, start):
    target = Target(name, tmp_path, data, start)
    rng = random.Random(f"{name} {runs}")
    for _ in range(runs):
        one_run(target, rng)
    # What killed runs left behind is gone after a good one.
    assert start.run(tmp_path, *target.arguments) == 0
    assert target.others() == []
    assert (tmp_path / "out").read_bytes() == target.new


FINALIZER = """
import os, signal, time
from hedgerow.interrupts import signals_interrupt
class Ends:
    def __del__(self):
        os.kill(os.getpid(), signal.SIGTERM)
try:
    with signals_interrupt():
        Ends()
        time.sleep(60)
except KeyboardInterrupt:
    print("interrupted")
"""


@pytest.mark.slow
def test_a_signal_in_a_finalizer_comes_again():
    """Python prints what is raised there, and goes on."""
    found = subprocess.run([sys.executable, "-c", FINALIZER], capture_output=True, text=True, timeout=50)
    assert (found.stdout, found.stderr) == ("interrupted\n", "")
