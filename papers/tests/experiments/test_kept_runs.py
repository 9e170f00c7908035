"""Runs that are kept: read back as they were, taken up again only where they would come out the same."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest

from hedgerow_papers.experiments import Experiment, KeptRuns, Layout, Measure, Row, Run, Settings, run_all
from hedgerow_papers.experiments.report import to_json

VERSION = "1.0"
TRACE = {"examples": [1, 2], "f1": [0.1, 1 / 3]}


class Toy(Experiment):
    name = "toy"
    summary = "figures without learning"
    permutations = 3
    rows = (Row("A", None), Row("B", None))
    layouts = (Layout("A toy", "online_synthetic", (Measure("f1", "F1"),)),)

    def load(self, settings):
        return None

    def run(self, data, row, permutation, settings):
        random = settings.random_state(permutation)
        trace = TRACE if settings.traced and permutation == 0 else None
        return Run(row, permutation, {"f1": np.float64(random.rand() / 3)}, trace)


class Traced(Toy):
    traces_on_request = True


class Reading(Toy):
    files = ("set/all.tsv",)


def kept_in(folder, settings=None, experiment=None, version=VERSION):
    return KeptRuns(folder, experiment or Toy(), settings or Settings(), version)


def keep_all(folder, settings=None, experiment=None, n=None):
    settings, experiment = settings or Settings(), experiment or Toy()
    kept = kept_in(folder, settings, experiment)
    runs = list(run_all(experiment, settings))[:n]
    for run in runs:
        kept.add(run)
    return runs


def test_what_is_kept_reads_back_the_same(tmp_path):
    runs = keep_all(tmp_path, Settings(traced=True), Traced())
    again = kept_in(tmp_path, Settings(traced=True), Traced()).read()
    assert again == runs
    assert again[0].trace == TRACE
    content = to_json(Traced(), Settings(), runs, version=VERSION)
    assert to_json(Traced(), Settings(), again[::-1], version=VERSION) == content


def test_nothing_is_kept_at_first(tmp_path):
    assert kept_in(tmp_path).read() == []
    kept_in(tmp_path).forget()
    assert list(tmp_path.iterdir()) == []


def test_going_on_gives_what_an_uninterrupted_run_gives(tmp_path):
    keep_all(tmp_path, n=4)
    kept = kept_in(tmp_path).read()
    done = {(run.row, run.permutation) for run in kept}
    rest = list(run_all(Toy(), Settings(), done=done))
    assert len(kept) == 4
    assert [(run.row, run.permutation) for run in rest] == [("A", 2), ("B", 2)]
    figures = [(run.row, run.permutation, run.figures) for run in [*kept, *rest]]
    assert figures == [(run.row, run.permutation, run.figures) for run in run_all(Toy(), Settings())]


@pytest.mark.parametrize(
    ("settings", "version"),
    [(Settings(seed=1), VERSION), (Settings(quick=True), VERSION), (Settings(), "1.1")],
)
def test_other_settings_are_other_runs(tmp_path, settings, version):
    keep_all(tmp_path)
    assert kept_in(tmp_path, settings, version=version).read() == []


def test_rows_and_number_of_permutations_may_change(tmp_path):
    keep_all(tmp_path)

    def tasks(**changes):
        runs = kept_in(tmp_path, Settings(**changes)).read()
        return [(run.row, run.permutation) for run in runs]

    assert tasks(rows=("B",)) == [("B", 0), ("B", 1), ("B", 2)]
    assert tasks(permutations=1) == [("A", 0), ("B", 0)]
    assert len(tasks(permutations=9)) == 6


class TestTraces:
    def test_a_run_without_the_trace_that_is_wanted_is_done_again(self, tmp_path):
        keep_all(tmp_path, experiment=Traced())
        runs = kept_in(tmp_path, Settings(traced=True), Traced()).read()
        assert {run.permutation for run in runs} == {1, 2}

    def test_rows_that_have_no_trace_are_not_run_again_for_one(self, tmp_path):
        experiment = Traced()
        experiment.rows = (Row("A", None), Row("B", None, traced=False))
        keep_all(tmp_path, experiment=experiment)
        runs = kept_in(tmp_path, Settings(traced=True), experiment).read()
        assert [run.row for run in runs if run.permutation == 0] == ["B"]

    def test_a_trace_too_many_does_no_harm(self, tmp_path):
        keep_all(tmp_path, Settings(traced=True), Traced())
        assert len(kept_in(tmp_path, Settings(), Traced()).read()) == 6

    def test_experiments_without_traces_are_not_run_again_for_them(self, tmp_path):
        keep_all(tmp_path)
        assert len(kept_in(tmp_path, Settings(traced=True)).read()) == 6


class TestData:
    @pytest.fixture
    def settings(self, tmp_path):
        (tmp_path / "data" / "set").mkdir(parents=True)
        (tmp_path / "data" / "set" / "all.tsv").write_text("a\n")
        return Settings(data=tmp_path / "data")

    def test_same_data_elsewhere(self, tmp_path, settings):
        keep_all(tmp_path, settings, Reading())
        moved = (tmp_path / "data").rename(tmp_path / "moved")
        assert len(kept_in(tmp_path, replace(settings, data=moved), Reading()).read()) == 6

    def test_other_data(self, tmp_path, settings):
        keep_all(tmp_path, settings, Reading())
        (tmp_path / "data" / "set" / "all.tsv").write_text("b\n")
        assert kept_in(tmp_path, settings, Reading()).read() == []


class TestDamage:
    def test_every_place_where_a_line_may_be_cut(self, tmp_path):
        runs = keep_all(tmp_path, n=2)
        path = kept_in(tmp_path).path
        content = path.read_bytes()
        first, second = content.splitlines(keepends=True)
        for cut in range(0, len(second), 7):
            path.write_bytes(first + second[:cut])
            kept = kept_in(tmp_path)
            assert kept.read() == runs[:1]
            kept.add(runs[1])  # the next line does not become part of the broken one
            assert kept.read() == runs

    @pytest.mark.parametrize("line", [b"\xff\xfe\n", b"[1]\n", b'{"row": "A"}\n', b"\n", b"null\n"])
    def test_lines_that_say_nothing(self, tmp_path, line):
        runs = keep_all(tmp_path)
        path = kept_in(tmp_path).path
        lines = path.read_bytes().splitlines(keepends=True)
        path.write_bytes(b"".join([lines[0], line, *lines[1:]]))
        assert kept_in(tmp_path).read() == runs

    def test_the_last_of_two_runs_counts(self, tmp_path):
        (run,) = keep_all(tmp_path, n=1)
        kept_in(tmp_path).add(replace(run, figures={"f1": 77.0}))
        assert [again.figures for again in kept_in(tmp_path).read()] == [{"f1": 77.0}]


def test_forget_leaves_other_settings(tmp_path):
    keep_all(tmp_path)
    others = keep_all(tmp_path, Settings(seed=5))
    kept_in(tmp_path).forget()
    assert kept_in(tmp_path).read() == []
    assert kept_in(tmp_path, Settings(seed=5)).read() == others


def test_forget_leaves_other_rows(tmp_path):
    keep_all(tmp_path)
    kept_in(tmp_path, Settings(rows=("A",))).forget()
    assert {run.row for run in kept_in(tmp_path).read()} == {"B"}


def test_lines_are_json(tmp_path):
    keep_all(tmp_path, n=1)
    line = json.loads(kept_in(tmp_path).path.read_text())
    assert (line["experiment"], line["version"], line["row"]) == ("toy", VERSION, "A")
