"""``hedgerow reproduce`` as people use it."""

from __future__ import annotations

import csv
import io
import json
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from typer.testing import CliRunner

from hedgerow.cli.app import app
from hedgerow.datasets import load_questions
from hedgerow_papers import experiments
from hedgerow_papers.experiments import EXPERIMENTS

COMMAND = [sys.executable, "-c", "from hedgerow.cli import main; main()"]
QUICK = ("online_synthetic", "--quick", "--permutations", "1")


@pytest.fixture(autouse=True)
def _working_folder(tmp_path_factory, monkeypatch):
    """Runs are kept in the working folder."""
    monkeypatch.chdir(tmp_path_factory.mktemp("working"))


def run(*args: str):
    return CliRunner().invoke(app, ["reproduce", *args], env={"COLUMNS": "120"})


def sentence(*args: str, code: int) -> str:
    result = run(*args)
    assert result.exit_code == code, result.output
    assert result.stdout == ""
    (line,) = result.stderr.splitlines()
    return line.removeprefix("hedgerow: ")


def test_table():
    result = run(*QUICK)
    assert result.exit_code == 0, result.output
    for text in ("Averaged", "88.99 ±0.31", "Forgetron-500", "Runs", "McKenna", "not comparable"):
        assert text in result.stdout
    assert result.stderr == ""


def test_help_lists_all_experiments():
    text = " ".join(run("--help").stdout.replace("│", " ").split())
    for experiment in EXPERIMENTS.values():
        assert f"{experiment.name}: {experiment.summary}" in text


def test_files(tmp_path):
    pytest.importorskip("matplotlib")
    names = {kind: str(tmp_path / f"out.{kind}") for kind in ("json", "csv", "png")}
    result = run(*QUICK, "--json", names["json"], "--csv", names["csv"], "--plot", names["png"])
    assert result.exit_code == 0, result.output
    assert "Averaged" in result.stdout
    content = json.loads((tmp_path / "out.json").read_text())
    assert content["complete"]
    assert [row["row"] for row in content["tables"][0]["rows"]] == [
        row.name for row in EXPERIMENTS["online_synthetic"].rows
    ]
    lines = list(csv.DictReader((tmp_path / "out.csv").open()))
    assert {line["measure"] for line in lines} == {"f1", "accuracy", "support", "seconds"}
    assert (tmp_path / "out.png").read_bytes().startswith(b"\x89PNG")
    assert len(list(tmp_path.iterdir())) == 3


def test_standard_output_in_place_of_the_table():
    result = run(*QUICK, "--json", "-")
    assert json.loads(result.stdout)["experiment"] == "online_synthetic"
    result = run(*QUICK, "--csv", "-")
    assert next(csv.reader(io.StringIO(result.stdout)))[0] == "experiment"


def test_seed_decides():
    def accuracies(seed):
        table = json.loads(run(*QUICK, "--seed", seed, "--json", "-").stdout)["tables"][0]
        return [row["measures"]["accuracy"]["values"] for row in table["rows"]]

    assert accuracies("3") == accuracies("3") != accuracies("4")


@pytest.fixture
def boundaries(tmp_path):
    """A folder with a few argument boundaries, which are questions in truth."""
    trees, y = load_questions()
    lines = [
        f"{'+1' if label == 'HUM' else '-1'} |BT| {tree} |ET|\n"
        for tree, label in zip(trees.to_brackets(), y, strict=True)
    ]
    (tmp_path / "srl_ewt").mkdir()
    (tmp_path / "srl_ewt" / "train.tk").write_text("".join(lines[::5]))
    (tmp_path / "srl_ewt" / "test.tk").write_text("".join(lines[1::5]))
    return tmp_path


class TestAgainstAParameter:
    def test_some_rows_with_findings_and_a_plot(self, boundaries):
        pytest.importorskip("matplotlib")
        plot = boundaries / "out.svg"
        result = run(
            "sampled_cuts_size",
            *("--data", str(boundaries), "--rows", "?00 samples", "--rows", "exact", "--plot", str(plot)),
        )
        assert result.exit_code == 0, result.output
        assert "from the exact machine" in result.stdout
        assert "Severyn" in result.stdout
        assert "<svg" in plot.read_text()

    def test_time_is_announced(self, boundaries):
        result = run("sampled_cuts_size", "--data", str(boundaries), "--rows", "exact", "--csv", "-")
        assert re.fullmatch(r"sampled_cuts_size: 1 runs, about \d+ minutes on two cores\n", result.stderr)

    def test_rows_left_out_are_named(self, boundaries):
        result = run("sampled_cuts_kernels", "--data", str(boundaries))
        text = " ".join(result.stdout.split())
        assert "Left out, because they take long (--rows '*' runs all): ST, 1,000 samples (about " in text
        assert "SST best: " in text

    def test_tables_without_runs_are_not_shown(self, boundaries):
        result = run("parameter_choice", "--data", str(boundaries), "--rows", "decay 0.4", "--quick")
        assert "F1 by decay" in result.stdout
        assert "F1 by C" not in result.stdout

    def test_quick_ones_announce_nothing(self, boundaries):
        arguments = ("--data", str(boundaries), "--quick", "--rows", "100 *", "--csv", "-")
        assert run("sampled_cuts_size", *arguments).stderr == ""


class TestFailures:
    def test_unknown_name(self):
        line = sentence("online_magic", code=2)
        assert "'online_magic' is not one of online_synthetic, online_adult" in line

    def test_unknown_row(self):
        line = sentence(*QUICK, "--rows", "Magic*", code=1)
        assert "'Magic*' fits none of the rows of online_synthetic: SVM; Perceptron; " in line

    def test_no_name(self):
        assert "name an experiment, or all" in sentence(code=2)

    def test_data_needed(self):
        line = sentence("online_adult", code=1)
        assert line.startswith("online_adult reads data (a9a/train.libsvm, a9a/test.libsvm)")
        assert "--data must name the folder" in line

    def test_missing_data(self, tmp_path):
        """Which files, from where, and the command that would fetch them."""
        (tmp_path / "a9a").mkdir()
        (tmp_path / "a9a" / "train.libsvm").touch()
        line = sentence("online_adult", "--data", str(tmp_path), code=1)
        assert line.startswith(
            f"online_adult needs a9a/test.libsvm, plain or with .gz, which {tmp_path} lacks"
        )
        assert "a9a comes from https://" in line
        assert line.endswith(f"hedgerow reproduce online_adult --data {tmp_path} --fetch")

    def test_missing_data_that_nobody_can_fetch(self, tmp_path):
        line = sentence("online_srl", "--data", str(tmp_path), code=1)
        assert "srl_ewt cannot be fetched: it is made of" in line
        assert "--fetch" not in line
        assert not Path("reproductions").exists()

    @pytest.mark.parametrize("option", ["--json", "--csv", "--plot", "--rows"])
    def test_options_of_a_single_experiment(self, option):
        assert "goes with a single experiment" in sentence("all", option, "x.svg", code=2)

    @pytest.mark.parametrize("option", ["--json", "--csv", "--plot"])
    def test_outputs_are_checked_before_anything_runs(self, option, tmp_path):
        line = sentence("online_synthetic", option, str(tmp_path / "nowhere" / "out.png"), code=1)
        assert "there is no folder" in line

    def test_unknown_kind_of_plot(self, tmp_path):
        pytest.importorskip("matplotlib")
        line = sentence("online_synthetic", "--plot", str(tmp_path / "out.txt"), code=2)
        assert "must end in one of" in line
        assert ".png" in line


class TestInterrupt:
    """Ctrl-C comes after some runs."""

    @pytest.fixture(params=[0, 3, 10])
    def n_done(self, request, monkeypatch):
        real = experiments.run_plans

        def interrupted(*arguments):
            runs = real(*arguments)
            for _ in range(request.param):
                yield next(runs)
            raise KeyboardInterrupt

        monkeypatch.setattr(experiments, "run_plans", interrupted)
        return request.param

    def test_what_there_is_is_printed_and_written(self, n_done, tmp_path):
        file = tmp_path / "out.json"
        result = run(*QUICK[:2], "--permutations", "3", "--json", str(file))
        assert result.exit_code == 130
        assert result.stderr == f"hedgerow: interrupted after {n_done} of 30 runs; the same command goes on\n"
        assert ("Averaged" in result.stdout) == file.exists() == (n_done > 0)
        if n_done:
            content = json.loads(file.read_text())
            assert not content["complete"]
            assert sum(row["runs"] for row in content["tables"][0]["rows"]) == n_done


@pytest.mark.slow
def test_signal_to_the_process():
    """No traceback, and no process is left behind."""
    arguments = ["reproduce", *QUICK[:2], "--permutations", "1000", "--jobs", "2"]
    process = subprocess.Popen(
        [*COMMAND, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    children = Path(f"/proc/{process.pid}/task/{process.pid}/children")
    deadline = time.monotonic() + 60
    while children.exists() and not children.read_text() and time.monotonic() < deadline:
        time.sleep(0.1)  # until its workers start
    time.sleep(2)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=120)  # ends when no process holds the pipes any more
    assert process.returncode == 130, err
    assert "Traceback" not in err
