"""``hedgerow reproduce`` of several experiments, its list, and its data."""

from __future__ import annotations

import gzip
import json

import pytest
from typer.testing import CliRunner

from hedgerow.cli.app import app
from hedgerow.datasets.conversions import stripped_lines
from hedgerow.datasets.sources import DataFile, DataSet, Original
from hedgerow_papers import datasets
from hedgerow_papers.experiments import EXPERIMENTS, missing_data

QUICK = ("--quick", "--permutations", "1")


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(*args, columns="120"):
    return CliRunner().invoke(app, ["reproduce", *map(str, args)], env={"COLUMNS": columns})


def words(text):
    return " ".join(text.split())


class TestSeveral:
    @pytest.mark.slow
    @pytest.mark.parametrize("jobs", [1, 2])
    def test_one_after_the_other(self, folder, jobs):
        pytest.importorskip("matplotlib")
        result = run("string_mapping", "online_synthetic", *QUICK, "-o", "out", "--n-jobs", jobs)
        assert result.exit_code == 0, result.output
        assert result.stdout.index("Loss on test pairs") < result.stdout.index("All experiments")
        assert "string_mapping 8 of 8" in words(result.stdout)
        assert "online_synthetic 10 of 10" in words(result.stdout)
        assert sorted(path.name for path in (folder / "out").iterdir()) == [
            *(f"online_synthetic.{ending}" for ending in ("csv", "json", "runs.jsonl", "svg")),
            *(f"string_mapping.{ending}" for ending in ("csv", "json", "runs.jsonl")),  # nothing to draw
        ]
        content = json.loads((folder / "out" / "string_mapping.json").read_text())
        assert content["complete"]

    def test_all_goes_on_without_data(self):
        """Those that need data are named with what they lack; the others are done."""
        result = run("all", *QUICK, "-j", "2")
        assert result.exit_code == 1
        assert "Traceback" not in result.output
        lacking = [line for line in result.stderr.splitlines() if "--data must name the folder" in line]
        assert len(lacking) == len(EXPERIMENTS) - 2
        assert "online_synthetic 10 of 10" in words(result.stdout)
        assert "string_mapping 8 of 8" in words(result.stdout)
        assert "online_adult reads data" in words(result.stdout)

    def test_wrong_data_end_one_experiment_only(self, folder):
        for subset in ("train", "test"):
            path = folder / "data" / "a9a" / f"{subset}.libsvm"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text("these are no vectors\n")
        for jobs in (1, 2):
            result = run("online_adult", "string_mapping", *QUICK, "--data", "data", "--fresh", "-j", jobs)
            assert result.exit_code == 1
            assert "train.libsvm" in result.stderr
            assert "string_mapping 8 of 8" in words(result.stdout)

    def test_a_name_twice(self):
        result = run("string_mapping", "string_mapping", *QUICK, "--csv", "-")
        assert result.exit_code == 0, result.output


class TestList:
    def test_every_experiment_in_80_columns(self):
        result = run("--list", columns="80")
        assert result.exit_code == 0, result.output
        lines = result.stdout.splitlines()
        assert max(map(len, lines)) <= 80
        for name in EXPERIMENTS:
            assert name in result.stdout
        for text in ("table 5.1", "figures 5.1-5.3", "table 4.5", "Severyn", "Minutes", "srl_ewt"):
            assert text in result.stdout
        assert "missing" not in result.stdout
        assert "…" not in result.stdout

    def test_missing_data(self, folder):
        (folder / "qc").mkdir()
        for name in ("train", "test"):
            (folder / "qc" / f"{name}.ct.tk").touch()
        result = run("--list", "--data", ".")
        assert "a9a missing" in words(result.stdout)
        assert "qc missing" not in words(result.stdout)

    def test_json(self):
        papers = json.loads(run("--list", "--json", "-").stdout)
        assert len(papers) >= 5
        adult = [
            result
            for paper in papers
            for result in paper["results"]
            if result["experiment"] == "online_adult"
        ]
        assert adult[0]["data_sets"] == ["a9a"]
        assert "Averaged" in adult[0]["rows"]
        assert adult[0]["missing"] is None

    def test_no_such_folder(self):
        result = run("--list", "--data", "nowhere")
        assert result.exit_code == 1
        assert "nowhere: there is no such data folder" in result.stderr


class TestFetch:
    @pytest.fixture
    def adult(self, folder, monkeypatch):
        """Some census forms at file addresses, in the place of the true ones."""
        lines = "".join(f"{'+1' if i % 3 else '-1'} {i % 7 + 1}:1 {i % 5 + 20}:1 \n" for i in range(60))
        (folder / "original").write_text(lines)
        known = {
            "a9a": DataSet(
                "a9a",
                "census forms",
                "none",
                {"all": Original((folder / "original").as_uri())},
                {
                    f"a9a/{subset}.libsvm": DataFile(f"a9a/{subset}.libsvm", ("all",), stripped_lines)
                    for subset in ("train", "test")
                },
            )
        }
        for place in (datasets, missing_data):
            monkeypatch.setattr(place, "sources", lambda: known)
        return lines

    def test_then_run(self, folder, adult):
        result = run("online_adult", *QUICK, "--data", "data", "--fetch", "--json", "-")
        assert result.exit_code == 0, result.output
        assert result.stderr.startswith("fetching a9a comes from file:")
        assert json.loads(result.stdout)["complete"]
        content = gzip.decompress((folder / "data" / "a9a" / "train.libsvm.gz").read_bytes())
        assert content.decode() == adult.replace(" \n", "\n")
        again = run("online_adult", *QUICK, "--data", "data", "--fetch", "--json", "-")
        assert "fetching" not in again.stderr

    def test_in_vain(self, folder, adult):
        (folder / "original").unlink()
        result = run("online_adult", *QUICK, "--data", "data", "--fetch")
        assert result.exit_code == 1
        assert "cannot be downloaded" in result.stderr
        assert "online_adult needs a9a/train.libsvm, a9a/test.libsvm" in result.stderr

    def test_where_to(self):
        result = run("online_adult", "--fetch")
        assert result.exit_code == 2
        assert "--data must name the folder" in result.stderr
