"""The frame of experiments, with an experiment that learns nothing: summaries, tables and files."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from rich.console import Console

from hedgerow_papers.experiments import (
    EXPERIMENTS,
    Cell,
    Experiment,
    Layout,
    Line,
    Measure,
    Plot,
    Row,
    Run,
    Settings,
    number_of_runs,
    run_all,
    summarise,
)
from hedgerow_papers.experiments.published import Figure, published_table
from hedgerow_papers.experiments.report import (
    CSV_COLUMNS,
    in_few_lines,
    legend,
    rich_table,
    to_csv,
    to_json,
)


class Toy(Experiment):
    """Its figures are made of the row and the permutation, so that every mean is known."""

    name = "toy"
    summary = "figures without learning"
    permutations = 3
    rows = (Row("SVM", "SVM", published_only=True), Row("Averaged", "Averaged"), Row("New", "no such row"))
    layouts = (
        Layout(
            "A toy",
            "online_synthetic",  # there Averaged has F1 88.99 +- 0.31 and support 1961.2 +- 51.99
            (
                Measure("f1", "F1"),
                Measure("support", "Supports", decimals=1),
                Measure("seconds", "CPU seconds", compared=False),
            ),
        ),
    )

    def load(self, settings):
        return {"Averaged": 89.0, "New": 50.0}

    def run(self, data, row, permutation, settings):
        figures = {"f1": data[row] + permutation, "support": 1960.0, "seconds": 99.0}
        return Run(row, permutation, figures)


def table_of(settings=None, experiment=None):
    settings, experiment = settings or Settings(), experiment or Toy()
    (table,) = summarise(experiment, settings, list(run_all(experiment, settings)))
    return table


def printed(table):
    console = Console(width=120, file=io.StringIO(), color_system=None)
    console.print(rich_table(table))
    return console.file.getvalue()


class TestRunning:
    def test_every_row_runs_for_every_permutation(self):
        runs = [(run.row, run.permutation) for run in run_all(Toy(), Settings())]
        assert runs == [(row, permutation) for permutation in range(3) for row in ("Averaged", "New")]
        assert number_of_runs(Toy(), Settings()) == 6

    @pytest.mark.parametrize(
        ("settings", "runs"),
        [(Settings(permutations=5), 5), (Settings(quick=True), 2), (Settings(quick=True, permutations=1), 1)],
    )
    def test_number_of_runs(self, settings, runs):
        assert number_of_runs(Toy(), settings) == len(list(run_all(Toy(), settings))) == 2 * runs

    def test_random_states_differ_by_seed_and_path(self):
        draws = {
            Settings(seed=seed).random_state(*path).randint(10**9)
            for seed in (0, 1)
            for path in ((0,), (1,), (1, 0), (1, 1))
        }
        assert len(draws) == 8
        assert Settings(seed=4).random_state(2).randint(10**9) == Settings(seed=4).random_state(2).randint(
            10**9
        )

    def test_rows_that_take_long_have_to_be_asked_for(self):
        class Long(Toy):
            rows = (*Toy.rows[:2], Row("New", None, minutes=90, by_default=False))

        def names(**settings):
            return [row.name for row in Long().chosen_rows(Settings(**settings))]

        assert names() == ["Averaged"]
        assert names(quick=True) == names(rows=("*",)) == ["Averaged", "New"]
        assert names(rows=("N?w",)) == ["New"]
        assert number_of_runs(Long(), Settings(rows=("New",))) == 3
        assert {run.row for run in run_all(Long(), Settings(rows=("New",)))} == {"New"}
        assert Long().minutes(Settings()) == Long().minutes(Settings(quick=True, rows=("New",))) == 0
        assert Long().minutes(Settings(rows=("New",), permutations=2)) == 180

    def test_unknown_rows(self):
        with pytest.raises(ValueError, match=r"'SVM' fits none of the rows of toy: Averaged; New"):
            Toy().chosen_rows(Settings(rows=("Averaged", "SVM")))

    def test_data_folder(self):
        assert Settings(data=Path("here")).data_folder() == Path("here")
        with pytest.raises(ValueError, match="data must name the folder"):
            Settings().data_folder()


class TestSummary:
    def test_means_and_deviations(self):
        _, averaged, new = table_of().rows
        f1, support, _ = averaged.cells
        assert f1.values == (89, 90, 91)
        assert (f1.mean, f1.deviation) == (90, 1)
        assert (support.mean, support.deviation) == (1960, 0)
        assert f1.published == published_table("online_synthetic").rows["Averaged"]["f1"]
        assert f1.difference == pytest.approx(1.01)
        assert new.cells[0].published is None
        assert new.cells[0].difference is None

    def test_marks(self):
        svm, averaged, new = table_of().rows
        assert [cell.beyond_deviation for cell in averaged.cells] == [True, False, None]
        assert [cell.beyond_deviation for cell in (*svm.cells, *new.cells)] == [None] * 6

    def test_nothing_is_marked_that_cannot_be_compared(self):
        class OtherData(Toy):
            layouts = (replace(Toy.layouts[0], data_difference="toys instead of tools"),)

        class OtherRows(Toy):
            rows = tuple(replace(row, data_difference="toys instead of tools") for row in Toy.rows)

        for table in (
            table_of(Settings(quick=True)),
            table_of(experiment=OtherData()),
            table_of(experiment=OtherRows()),
        ):
            assert {cell.beyond_deviation for _, cell in table.cells()} == {None}
            assert legend([table]) is None

    def test_one_run_has_no_deviation(self):
        cell = table_of(Settings(permutations=1)).rows[1].cells[0]
        assert (cell.mean, cell.deviation) == (89, None)

    def test_order_of_runs_does_not_matter(self):
        runs = list(run_all(Toy(), Settings()))
        assert summarise(Toy(), Settings(), runs) == summarise(Toy(), Settings(), runs[::-1])

    def test_tables_with_rows_of_their_own(self):
        class Two(Toy):
            (layout,) = Toy.layouts
            layouts = (replace(layout, rows=("New",)), replace(layout, rows=("SVM", "Averaged")))

        first, second = summarise(Two(), Settings(), list(run_all(Two(), Settings())))
        assert [row.row.name for row in first.rows] == ["New"]
        assert first.means("f1") == {"New": 51}
        assert second.means("f1") == {"Averaged": 90}  # the SVM has only been published

    def test_part_of_the_runs(self):
        runs = list(run_all(Toy(), Settings()))[:3]
        (table,) = summarise(Toy(), Settings(), runs)
        assert [row.runs for row in table.rows] == [0, 2, 1]
        (empty,) = summarise(Toy(), Settings(), [])
        assert [row.runs for row in empty.rows] == [0, 0, 0]


class TestReports:
    def test_table(self):
        lines = [" ".join(line.split()) for line in printed(table_of()).splitlines()]
        assert "Averaged 3 90.00 ±1.00 ↑ 1,960.0 ±0.0 99.00 ±0.00" in lines
        assert "published 88.99 ±0.31 1,961.2 ±52.0 1.28 ±0.04" in lines
        assert "SVM (published) 89.21 ±0.25 3,054.8 ±81.8 33.89 ±3.19" in lines
        assert "standard deviation" in legend([table_of()])

    def test_no_line_for_what_nobody_published(self):
        lines = [" ".join(line.split()) for line in printed(table_of()).splitlines()]
        assert sum(line.startswith("published") for line in lines) == 1  # of Averaged, not of New

    def test_unfinished_table(self):
        (table,) = summarise(Toy(), Settings(), [])
        lines = [" ".join(line.split()) for line in printed(table).splitlines()]
        assert "Averaged 0" in lines

    def test_narrow_table_loses_nothing(self):
        console = Console(width=60, file=io.StringIO(), color_system=None)
        console.print(rich_table(table_of()))
        text = console.file.getvalue()
        assert "…" not in text
        assert all(figure in text for figure in ("90.00", "±1.00", "1,960.0", "33.89", "±3.19"))

    def test_json(self):
        settings = Settings(seed=7)
        runs = list(run_all(Toy(), settings))
        content = json.loads(to_json(Toy(), settings, runs, version="1.2"))
        assert (content["experiment"], content["title"]) == ("toy", Toy.summary)
        assert (content["seed"], content["permutations"], content["rows"]) == (7, 3, [])
        assert (content["complete"], content["hedgerow"], content["quick"]) == (True, "1.2", False)
        assert (content["runs"], content["runs_wanted"]) == (6, 6)
        assert content["minutes"] == sum(run.seconds for run in runs) / 60 > 0
        assert "standard deviation" in content["legend"]
        (table,) = content["tables"]
        assert "McKenna" in table["source"]
        assert (table["title"], table["first_column"]) == ("A toy", "Learner")
        assert table["measures"][1] == {
            "name": "support",
            "heading": "Supports",
            "decimals": 1,
            "compared": True,
        }
        svm, averaged, new = table["rows"]
        assert (averaged["row"], averaged["runs"], averaged["published_only"]) == ("Averaged", 3, False)
        f1 = averaged["measures"]["f1"]
        assert f1["values"] == [89, 90, 91]
        assert (f1["mean"], f1["published_mean"], f1["published_deviation"]) == (90, 88.99, 0.31)
        assert (f1["beyond_deviation"], f1["mark"]) == (True, "above")
        assert (svm["published_only"], svm["measures"]["f1"]["mean"]) == (True, None)
        assert new["measures"]["f1"]["published_mean"] is None

    def test_json_of_unfinished_runs(self):
        content = json.loads(to_json(Toy(), Settings(), list(run_all(Toy(), Settings()))[:4], version="1"))
        assert (content["complete"], content["runs"], content["runs_wanted"]) == (False, 4, 6)

    def test_json_has_no_numbers_that_are_none(self):
        runs = [Run("Averaged", 0, {"f1": float("nan"), "support": float("inf")})]
        text = to_json(Toy(), Settings(), runs, version="1")
        measures = json.loads(text, parse_constant=pytest.fail)["tables"][0]["rows"][1]["measures"]
        assert (measures["f1"]["mean"], measures["support"]["values"]) == (None, [None])

    def test_json_has_traces_and_plots(self):
        class Drawn(Toy):
            def plots(self, tables):
                return [
                    Plot(
                        "F1",
                        "x",
                        "y",
                        (Line("one", {1.0: 2.0}, {1.0: "here"}, deviations={1.0: 0.5}),),
                        {"top": 3.0},
                    )
                ]

        runs = [
            Run("New", permutation, {"f1": 1.0}, {"examples": [1, 2], "support": [0, permutation]})
            for permutation in (1, 0)
        ]
        content = json.loads(to_json(Drawn(), Settings(), runs, version="1"))
        assert content["traces"] == {"New": {"examples": [1, 2], "support": [0, 0]}}
        (plot,) = content["plots"]
        assert plot["lines"] == [
            {
                "name": "one",
                "points": [[1, 2]],
                "beside": [[1, "here"]],
                "joined": True,
                "deviations": [[1, 0.5]],
            }
        ]
        assert (plot["levels"], plot["parameter_scale"]) == ({"top": 3}, "log")

    def test_data_differences_are_named(self):
        class Other(Toy):
            rows = (Toy.rows[1], replace(Toy.rows[2], data_difference="New has toys (paper: tools)"))
            layouts = (replace(Toy.layouts[0], slight_difference="fewer tools"),)

        (table,) = summarise(Other(), Settings(), list(run_all(Other(), Settings())))
        assert table.data_differences() == ["fewer tools", "New has toys (paper: tools)"]
        assert "Other data than published. fewer tools; New has toys (paper: tools)." in printed(table)
        assert table.rows[0].cells[0].beyond_deviation is True  # a slight difference leaves it comparable
        assert list(csv.DictReader(io.StringIO(to_csv(Other(), [table]))))[-1]["data_difference"] == (
            "fewer tools; New has toys (paper: tools)"
        )

    def test_difference_line(self):
        lines = [" ".join(line.split()) for line in printed(table_of()).splitlines()]
        assert "difference +1.01 -1.2" in lines  # not of seconds, which are not compared
        console = Console(width=120, file=io.StringIO(), color_system=None)
        console.print(rich_table(table_of(), differences=False))
        assert "difference" not in console.file.getvalue()

    def test_own_deviation_where_none_was_published(self):
        def beyond(*values):
            cell = Cell(Measure("f1", "F1"), values, Figure(90.0, None), comparable=True)
            return cell.beyond_deviation, cell.mark

        assert beyond(89.5, 90.6) == (False, None)
        assert beyond(91.0, 92.0) == (True, "above")
        assert beyond(87.0, 88.0) == (True, "below")
        assert beyond(91.0) == (None, None)

    def test_csv(self):
        lines = list(csv.DictReader(io.StringIO(to_csv(Toy(), [table_of()]))))
        assert tuple(lines[0]) == CSV_COLUMNS
        assert len(lines) == 9
        f1 = next(line for line in lines if (line["row"], line["measure"]) == ("Averaged", "f1"))
        assert (f1["mean"], f1["published_mean"], f1["beyond_deviation"]) == ("90.0", "88.99", "True")
        svm = next(line for line in lines if (line["row"], line["measure"]) == ("SVM", "f1"))
        assert (svm["runs"], svm["mean"], svm["published_mean"]) == ("0", "", "89.21")


class TestCatalogue:
    @pytest.mark.parametrize("name", EXPERIMENTS)
    def test_rows_and_measures_are_published(self, name):
        """Every row that says so has published figures for at least one column of each of its tables."""
        experiment = EXPERIMENTS[name]
        assert experiment.name == name
        assert len({row.name for row in experiment.rows}) == len(experiment.rows)
        shown = set()
        for layout in experiment.layouts:
            published = published_table(layout.published)
            rows = [row for row in experiment.rows if layout.rows is None or row.name in layout.rows]
            assert layout.rows is None or len(rows) == len(layout.rows)
            shown |= set(rows)
            assert {row.published for row in rows} - {None} == set(published.rows)
            measured = {measure.name for measure in layout.measures}
            for figures in published.rows.values():
                assert set(figures) <= measured
        assert shown == set(experiment.rows)

    @pytest.mark.shared_data
    def test_published_figures_are_those_of_the_reference(self, data_folder):
        path = data_folder.parent / "published" / "tables.json"
        if not path.exists():
            pytest.skip(f"no published tables at {path}")
        reference = json.loads(path.read_text())
        for experiment in EXPERIMENTS.values():
            for layout in experiment.layouts:
                table = reference.get(layout.published)
                # test_sampled_cuts.py, test_single_pass.py and test_published_tables.py have these.
                if table is None or table["columns"][0] in ("kernel", "MBW", "flat 0/1", "test_loss"):
                    continue
                own = published_table(layout.published).rows
                for row, figures in table["rows"].items():
                    ours = own[row.replace("SVM-tuned", "SVM, tuned")]
                    for column, figure in zip(table["columns"], figures, strict=True):
                        name = column.removesuffix("_sd").removesuffix("_sec23")
                        if name == "hours":
                            name, figure = "seconds", figure * 3600
                        got = ours.get(name)
                        if figure is None:
                            assert got is None
                        else:
                            got = got.deviation if column.endswith("_sd") else got.mean
                            np.testing.assert_allclose(
                                got, figure, err_msg=f"{layout.published} {row} {column}"
                            )


def test_numbers_of_a_curve_are_one_line():
    content = {
        "curve": [1.5, 2.0, None],
        "words": ["a [b", "c"],
        "pairs": [[1, 2], [3, 4]],
        "none": [],
        "of": [{"x": [1]}],
    }
    text = in_few_lines(json.dumps(content, indent=2))
    assert json.loads(text) == content
    assert '"curve": [1.5, 2.0, null],\n' in text
    assert "    [1, 2],\n    [3, 4]\n" in text
