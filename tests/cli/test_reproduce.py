"""``hedgerow reproduce`` as people use it."""

from __future__ import annotations

import csv
import io
import json
import signal
import subprocess
import sys
import time

import pytest
from typer.testing import CliRunner

from hedgerow.cli.app import app
from hedgerow.experiments import EXPERIMENTS

COMMAND = [sys.executable, "-c", "from hedgerow.cli import main; main()"]
QUICK = ("online_synthetic", "--quick", "--permutations", "1")


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
    for text in ("Averaged", "88.99 ± 0.31", "Forgetron-500", "1 run", "McKenna", "not comparable"):
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


class TestFailures:
    def test_unknown_name(self):
        line = sentence("online_magic", code=2)
        assert "'online_magic' is not one of online_synthetic, online_adult" in line

    def test_data_needed(self):
        assert "online_adult reads data" in sentence("online_adult", code=2)

    def test_missing_data(self, tmp_path):
        line = sentence("online_adult", "--data", str(tmp_path), code=1)
        assert str(tmp_path / "a9a" / "train.libsvm") in line
        assert "expected the Adult data a9a" in line

    @pytest.mark.parametrize("option", ["--json", "--csv", "--plot"])
    def test_outputs_are_checked_before_anything_runs(self, option, tmp_path):
        line = sentence("online_synthetic", option, str(tmp_path / "nowhere" / "out.png"), code=1)
        assert "there is no folder" in line

    def test_unknown_kind_of_plot(self, tmp_path):
        pytest.importorskip("matplotlib")
        line = sentence("online_synthetic", "--plot", str(tmp_path / "out.txt"), code=2)
        assert "must end in one of" in line
        assert ".png" in line

    @pytest.mark.parametrize("jobs", ["1", "2"])
    def test_ctrl_c_prints_what_there_is(self, jobs, tmp_path):
        """A thousand permutations would take minutes; the JSON file shows how many were run."""
        file = tmp_path / "out.json"
        arguments = ["reproduce", *QUICK[:2], "--permutations", "1000", "-j", jobs, "--json", str(file)]
        for wait in (4, 15, 40):  # until the first run is over, however busy the machine
            process = subprocess.Popen(
                [*COMMAND, *arguments],
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                text=True,
                env={"PYTHONUNBUFFERED": "1"},
            )
            time.sleep(wait)
            process.send_signal(signal.SIGINT)
            out, err = process.communicate(timeout=60)
            if "Averaged" in out:
                break
        assert process.returncode == 130, err
        assert "interrupted after" in err
        assert "Traceback" not in err
        assert "Averaged" in out
        content = json.loads(file.read_text())
        assert not content["complete"]
        assert 0 < content["tables"][0]["rows"][-1]["runs"] < 1000
