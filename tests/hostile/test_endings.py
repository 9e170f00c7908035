"""How commands end: by signals, under nohup, with their terminal, with workers; and the temporary files they leave."""

from __future__ import annotations

import errno
import os
import pty
import random
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
import typer

import hedgerow
from hedgerow.cli.app import app
from hedgerow.data.files import writing

# More than one piece of text, so that there is something learned while the pipe stays open.
LINES = "".join(f"{y} |BT| (S (N {'w' * 400}) (V {y})) |ET|\n" for y in (1, -1)) * 6000
COMMAND = [sys.executable, "-m", "hedgerow"]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def heed_hangups():
    """Whoever runs the tests may have started them with nohup."""
    signal.signal(signal.SIGHUP, signal.SIG_DFL)


def learning(*options, **settings):
    """A command that has learned something from a pipe, and the pipe."""
    os.mkfifo("in")
    process = subprocess.Popen(
        [*COMMAND, "train", "in", "-o", "a.model", "--learner", "perceptron", "--classes", "-1,1", *options],
        text=True,
        **{"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "preexec_fn": heed_hangups, **settings},
    )
    pipe = open("in", "w")  # noqa: SIM115
    pipe.write(LINES)
    pipe.flush()
    return process, pipe


def end(process, number):
    """Sends the signal until it is looked at: one between two reads of the pipe waits for the second."""
    while process.poll() is None:
        process.send_signal(number)
        try:
            process.wait(timeout=5)
        except subprocess.TimeoutExpired:
            continue
    return process.returncode


@pytest.mark.parametrize(("name", "code"), [("SIGTERM", 143), ("SIGHUP", 129)])
def test_what_was_learned_is_kept(folder, name, code):
    process, pipe = learning()
    with pipe:
        assert end(process, signal.Signals[name]) == code
    found = re.fullmatch(
        rf"hedgerow: interrupted by {name} after (\d+) examples; the model learned so far was written to a.model\n",
        process.communicate()[1],
    )
    assert found is not None
    assert hedgerow.load("a.model").n_seen_ == int(found[1]) > 0


def test_an_interruption_while_a_class_is_made(folder, capsys, monkeypatch):
    class Interrupts:
        def __set_name__(self, owner, name):
            raise KeyboardInterrupt

    def load(*_):
        type("Made", (), {"field": Interrupts()})  # Python raises a RuntimeError

    monkeypatch.setattr("hedgerow.cli.commands._load", load)
    with pytest.raises(SystemExit) as ended:
        typer.main.get_command(app)(["list"])
    assert ended.value.code == 130
    assert "interrupted" in capsys.readouterr().err


@pytest.mark.slow
def test_nohup_keeps_going(folder):
    process, pipe = learning(preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN))
    with pipe:
        for _ in range(5):
            process.send_signal(signal.SIGHUP)
            time.sleep(0.05)
    _, errors = process.communicate()
    assert process.returncode == 0, errors
    assert hedgerow.load("a.model").n_seen_ == 12000


@pytest.mark.slow
def test_the_end_of_the_terminal(folder):
    """It takes standard error away as well, on which there is a progress bar."""
    main, terminal = pty.openpty()

    def own_terminal():
        os.setsid()
        os.close(os.open(os.ttyname(terminal), os.O_RDWR))  # becomes the controlling terminal

    process, pipe = learning(stdin=terminal, stdout=terminal, stderr=terminal, preexec_fn=own_terminal)
    os.close(terminal)
    with pipe:
        assert os.read(main, 1)  # the bar
        os.close(main)
        assert end(process, signal.SIGCONT) == 129
    assert hedgerow.load("a.model").n_seen_ > 0


@pytest.mark.slow
def test_nobody_reads_standard_error(folder):
    reading, writing_end = os.pipe()
    process, pipe = learning("--progress-every", "1000", stderr=writing_end)
    os.close(writing_end)
    os.close(reading)
    pipe.close()
    process.communicate()
    assert process.returncode == 0
    assert hedgerow.load("a.model").n_seen_ == 12000


SLOW_DISK = """
import os, time
wait, times = os.fsync, 0
def slow(file):
    print("writing", flush=True)
    for _ in range(40):
        time.sleep(0.1)
    return wait(file)
os.fsync = slow
from hedgerow.cli import main
main()
"""


def writing_slowly(folder):
    (folder / "a.svm").write_text("1 1:1\n-1 1:-1\n")
    (folder / "a.model").write_text("old")
    process = subprocess.Popen(
        [
            sys.executable,
            "-c",
            SLOW_DISK,
            "train",
            "a.svm",
            "-o",
            "a.model",
            "--learner",
            "perceptron",
            "--quiet",
        ],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout.readline() == "writing\n"
    return process


def test_a_signal_waits_until_the_model_is_written(folder):
    process = writing_slowly(folder)
    process.send_signal(signal.SIGTERM)
    process.send_signal(signal.SIGTERM)  # as timeout does
    _, errors = process.communicate()
    assert process.returncode == 143
    assert errors == "hedgerow: interrupted by SIGTERM; a.model was written\n"
    assert hedgerow.load("a.model").n_seen_ == 2


@pytest.mark.slow
def test_who_insists_need_not_wait(folder):
    process = writing_slowly(folder)
    process.send_signal(signal.SIGTERM)
    time.sleep(1.2)
    process.send_signal(signal.SIGTERM)
    _, errors = process.communicate()
    assert process.returncode == 143
    assert errors == "hedgerow: interrupted by SIGTERM; a.model is as it was\n"
    assert sorted(os.listdir(folder)) == ["a.model", "a.svm"]
    assert (folder / "a.model").read_text() == "old"


def marked(mark):
    """Processes with this in their environment."""
    found = []
    for entry in Path("/proc").glob("[0-9]*/environ"):
        try:
            if mark in entry.read_bytes():
                found.append(entry.parent.name)
        except OSError:
            continue
    return found


@pytest.mark.slow
@pytest.mark.skipif(not os.path.exists("/proc/self/environ"), reason="needs /proc")
@pytest.mark.parametrize("everyone", [False, True], ids=["one", "group"])
@pytest.mark.parametrize(
    "name",
    ["SIGINT", "SIGTERM", "SIGHUP", "SIGKILL"],
)
def test_workers_end_too(folder, name, everyone):
    pytest.importorskip("distributed")
    rng = random.Random(0)
    for file in ("a.svm", "b.svm"):
        lines = [f"{rng.choice([-1, 1])} 1:{rng.random():.4f} 2:{rng.random():.4f}\n" for _ in range(1500)]
        (folder / file).write_text("".join(lines))
    (folder / "a.model").write_text("old")
    machine = ["train", "--workers", "2", "--shards", "2", "--learner", "cutting-plane", "--tol", "1e-12"]
    options = [*machine, "--kernel", "rbf", "-C", "1e6"]
    mark = f"HEDGEROW_TEST={os.getpid()}-{time.time_ns()}"
    process = subprocess.Popen(
        [*COMMAND, *options, "a.svm", "b.svm", "-o", "a.model"],
        env={**os.environ, mark.split("=")[0]: mark.split("=")[1]},
        stderr=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        text=True,
        start_new_session=True,
    )
    while len(marked(mark.encode())) < 3:
        time.sleep(0.1)
        assert process.poll() is None, process.stderr.read()
    time.sleep(3)
    number = signal.Signals[name]
    (os.killpg if everyone else os.kill)(process.pid, number)
    errors = process.communicate(timeout=60)[1]
    if number == signal.SIGKILL:
        assert process.returncode == -9
    else:
        assert process.returncode == 128 + number, errors
        assert re.fullmatch(r"hedgerow: interrupted.*; a.model is as it was\n", errors), errors
    assert (folder / "a.model").read_text() == "old"
    last = time.monotonic() + 30
    while (left := marked(mark.encode())) and time.monotonic() < last:
        time.sleep(0.2)
    assert left == []


class TestTemporaryFiles:
    def test_a_left_over_is_used_again(self, folder):
        for _ in range(3):
            child = os.fork()
            if child == 0:
                with writing("a") as out:
                    out.write(b"x" * 10**5)
                    os.kill(os.getpid(), signal.SIGKILL)
            os.waitpid(child, 0)
            assert os.listdir(folder) == [".a.0.part"]
        with writing("a") as out:
            out.write(b"new")
        assert os.listdir(folder) == ["a"]
        assert (folder / "a").read_bytes() == b"new"

    def test_what_another_writes_is_left_alone(self, folder):
        with writing("a") as first:
            first.write(b"first")
            with writing("a") as second:
                assert sorted(os.listdir(folder)) == [".a.0.part", ".a.1.part"]
                second.write(b"second")
            assert (folder / "a").read_bytes() == b"second"
        assert (folder / "a").read_bytes() == b"first"
        assert os.listdir(folder) == ["a"]

    def test_links_and_folders_in_the_way(self, folder):
        (folder / "precious").write_text("precious")
        (folder / ".a.0.part").symlink_to("precious")
        (folder / ".a.1.part").mkdir()
        with writing("a") as out:
            out.write(b"new")
        assert (folder / "precious").read_text() == "precious"
        assert (folder / "a").read_bytes() == b"new"

    def test_a_long_name(self, folder):
        name = "\N{DECIDUOUS TREE}" * 63  # 252 bytes, of 255
        with writing(name) as out:
            out.write(b"new")
        assert os.listdir(folder) == [name]

    def test_without_locks(self, folder, monkeypatch):
        def no_locks(*_):
            raise OSError(errno.ENOLCK, "No locks available")

        monkeypatch.setattr("fcntl.flock", no_locks)
        with writing("a") as out:
            out.write(b"new")
        assert os.listdir(folder) == ["a"]

    def test_on_windows(self, folder, monkeypatch):
        """It has no such locks, nor does it rename open files."""
        (folder / "a").write_bytes(b"old")
        monkeypatch.delattr("hedgerow.data.files.fcntl")
        with monkeypatch.context() as there:
            there.setattr(sys, "platform", "win32")
            with writing("a") as out:
                out.write(b"new")
        assert (folder / "a").read_bytes() == b"new"
        assert os.listdir(folder) == ["a"]
