"""The list of tables and figures: nothing is forgotten, and what it says fits the experiments."""

from __future__ import annotations

import json
from importlib.resources import files

import pytest

from hedgerow_papers.experiments import EXPERIMENTS
from hedgerow_papers.experiments.online_questions import QUESTIONS_DIFFERENCE
from hedgerow_papers.experiments.papers import PAPERS, as_objects
from hedgerow_papers.experiments.sampled_cuts import BOUNDARIES_DIFFERENCE

RESULTS = [result for paper in PAPERS for result in paper.results]
DONE = [result for result in RESULTS if result.experiment is not None]


def test_every_experiment_appears():
    assert {result.experiment for result in DONE} == set(EXPERIMENTS)


def test_every_published_table_is_used():
    text = files("hedgerow_papers.experiments").joinpath("published.json").read_text(encoding="utf-8")
    assert sorted(table for result in RESULTS for table in result.tables) == sorted(json.loads(text))


@pytest.mark.parametrize("result", DONE, ids=lambda result: f"{result.experiment}, {result.place}")
class TestDone:
    def test_tables_are_those_of_the_experiment(self, result):
        layouts = EXPERIMENTS[result.experiment].layouts
        assert set(result.tables) <= {layout.published for layout in layouts}
        assert result.tables or result.drawn  # else nothing would be seen of it

    def test_every_pattern_fits_a_row(self, result):
        assert len(result.chosen_rows()) >= len(result.rows)

    def test_rows_are_in_its_tables(self, result):
        experiment = EXPERIMENTS[result.experiment]
        for layout in experiment.layouts:
            if layout.published in result.tables and layout.rows is not None:
                names = {row.name for row in result.chosen_rows()}
                assert names & set(layout.rows)

    def test_time(self, result):
        assert result.minutes() > 0


def test_every_row_belongs_to_a_result():
    for name, experiment in EXPERIMENTS.items():
        listed = {row.name for result in DONE if result.experiment == name for row in result.chosen_rows()}
        assert listed == {row.name for row in experiment.rows if not row.published_only}


def test_what_is_not_done_says_why():
    assert all(result.why_not for result in RESULTS if result.experiment is None)


def test_what_is_drawn_has_something_to_draw():
    for result in DONE:
        if result.drawn:
            experiment = EXPERIMENTS[result.experiment]
            kind = type(experiment)
            overrides = {"plots", "trace_plots"} & set(vars(kind))
            assert overrides or experiment.traces_on_request, result.experiment


def test_missing_data(tmp_path):
    (tmp_path / "qc").mkdir()
    for name in ("train.ct.tk", "test.ct.tk.gz"):
        (tmp_path / "qc" / name).touch()
    missing = {
        result["place"]: result["missing"]
        for paper in as_objects(tmp_path)
        for result in paper["results"]
        if result["experiment"] == "parameter_choice"
    }
    assert missing["figure 5"] == []
    assert missing["figure 6"] == ["srl_ewt"]
    assert as_objects()[0]["results"][1]["missing"] is None


def test_data_differences():
    found = {result.place: result.data_differences() for result in PAPERS[1].results}
    assert found["figure 1"] == []
    assert found["figure 6"] == found["table 1"] == found["figures 2, 3"] == [BOUNDARIES_DIFFERENCE]
    assert found["figure 5"] == [QUESTIONS_DIFFERENCE]
    (table,) = [result for result in RESULTS if result.place == "table 5.1"]
    assert table.data_differences() == []


@pytest.mark.shared_data
def test_reference_folder_lacks_nothing(data_folder):
    for paper in as_objects(data_folder):
        for result in paper["results"]:
            assert not result["missing"], result["place"]
