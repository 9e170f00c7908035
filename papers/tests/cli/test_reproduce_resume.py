"""``hedgerow reproduce`` that was stopped, and goes on."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time

import pytest
from typer.testing import CliRunner

from hedgerow.cli.app import app

COMMAND = [sys.executable, "-c", "from hedgerow.cli import main; main()", "reproduce"]
TIMES = {"seconds", "minutes"}  # what is not the same twice
RUNS = 50


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(*args: str):
    return CliRunner().invoke(app, ["reproduce", *map(str, args)], env={"COLUMNS": "120"})


def without_times(content):
    if isinstance(content, dict):
        return {name: without_times(value) for name, value in content.items() if name not in TIMES}
    return [without_times(value) for value in content] if isinstance(content, list) else content


def lines_of(path):
    return path.read_bytes().count(b"\n") if path.exists() else 0


@pytest.mark.slow
@pytest.mark.parametrize("jobs", [1, 2])
def test_killed_in_the_middle(folder, jobs):
    """The power fails; the same command then does the rest, and nothing tells that it was stopped."""
    arguments = ["online_synthetic", "--quick", "--permutations", "5", "-j", str(jobs)]
    kept = folder / "stopped" / "online_synthetic.runs.jsonl"
    process = subprocess.Popen(
        [*COMMAND, *arguments, "-o", "stopped"],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    deadline = time.monotonic() + 120
    while lines_of(kept) < 3 and process.poll() is None and time.monotonic() < deadline:
        time.sleep(0.002)
    os.killpg(process.pid, signal.SIGKILL)  # workers too
    process.wait()
    before = lines_of(kept)
    assert 3 <= before < RUNS
    assert not (folder / "stopped" / "online_synthetic.json").exists()
    with kept.open("ab") as file:  # and the line that was being written is cut
        file.write(b'{"experiment": "online_synth')

    result = run(*arguments, "-o", "stopped")
    assert result.exit_code == 0, result.output
    assert f"online_synthetic: {before} of {RUNS} runs were kept in" in result.stderr
    assert run(*arguments, "-o", "whole").exit_code == 0
    stopped, whole = (
        json.loads((folder / name / "online_synthetic.json").read_text()) for name in ("stopped", "whole")
    )
    assert stopped["complete"]
    assert without_times(stopped) == without_times(whole)
    assert set(stopped["traces"]) == {row["row"] for row in stopped["tables"][0]["rows"]} - {"SVM"}


QUICK = ("online_synthetic", "--quick", "--permutations", "1")


class TestKept:
    def test_by_default_below_the_working_folder(self, folder):
        first = run(*QUICK)
        assert (folder / "reproductions" / "online_synthetic.runs.jsonl").exists()
        assert [path.name for path in folder.iterdir()] == ["reproductions"]
        again = run(*QUICK)
        assert again.stdout == first.stdout  # times too: nothing was run
        assert "10 of 10 runs were kept" in again.stderr

    def test_fresh(self, folder):
        run(*QUICK)
        path = folder / "reproductions" / "online_synthetic.runs.jsonl"
        before = path.read_bytes()
        result = run(*QUICK, "--fresh")
        assert result.stderr == ""
        assert lines_of(path) == 10
        assert path.read_bytes() != before  # seconds differ

    def test_more_permutations(self):
        run(*QUICK)
        result = run(*QUICK[:2], "--permutations", "2", "--json", "-")
        assert "10 of 20 runs were kept" in result.stderr
        assert json.loads(result.stdout)["complete"]

    def test_traces_that_are_wanted_later(self, folder):
        pytest.importorskip("matplotlib")
        run(*QUICK)
        result = run(*QUICK, "--plot", "out.svg")
        assert "1 of 10 runs were kept" in result.stderr  # the others have no trace yet; an SVM never has
        assert "<svg" in (folder / "out.svg").read_text()
        (folder / "out.svg").unlink()
        result = run(*QUICK, "--plot", "out.svg")
        assert "10 of 10 runs were kept" in result.stderr  # and traces were kept as well
        assert "<svg" in (folder / "out.svg").read_text()

    def test_a_folder_that_cannot_be_written_to(self, folder):
        (folder / "reproductions").write_text("a file")
        result = run(*QUICK)
        assert result.exit_code == 1
        assert "reproductions" in result.stderr
        assert "Traceback" not in result.output
