"""The experiments with sampled cuts on little data."""

from __future__ import annotations

import json

import pytest

from hedgerow.kernels import Normalized, PartialTree, SubsetTree, SubTree
from hedgerow.svm import SVC
from hedgerow_papers.datasets import load_srl_boundaries
from hedgerow_papers.experiments import EXPERIMENTS, Run, Settings, run_all, sampled_cuts_kernels, summarise
from hedgerow_papers.experiments.published import published_table
from hedgerow_papers.experiments.sampled_cuts import KERNELS, make_kernel, train_and_test
from hedgerow_papers.experiments.sampled_cuts_kernels import EXACT, GROUPS
from hedgerow_papers.experiments.split import Split

NAMES = ("sampled_cuts_kernels", "sampled_cuts_size", "parameter_choice")
TIMES = ("minutes", "cpu_minutes")


def figures(name, settings, jobs=1):
    """All figures but times."""
    return {
        run.row: {measure: value for measure, value in run.figures.items() if measure not in TIMES}
        for run in run_all(EXPERIMENTS[name], settings, jobs)
    }


def tables_of(name, **f1):
    """Tables in which some rows have an F1."""
    runs = [Run(row, 0, {"f1": value, "minutes": 2.0, "support": 10.0}) for row, value in f1.items()]
    return summarise(EXPERIMENTS[name], Settings(), runs)


@pytest.mark.parametrize("name", NAMES)
class TestFromAFolder:
    @pytest.mark.slow
    def test_all_rows_are_filled(self, small_data, name):
        experiment = EXPERIMENTS[name]
        settings = Settings(data=small_data, rows=("*",))
        for table in summarise(experiment, settings, list(run_all(experiment, settings))):
            for row, cell in table.cells():
                assert len(cell.values) == (cell.measure.name != "f1_sec24"), (
                    row.row.name,
                    cell.measure.name,
                )
                assert all(value >= 0 for value in cell.values)

    @pytest.mark.shared_data
    def test_quick(self, data_folder, name):
        rows = {"sampled_cuts_kernels": "*SST, *", "sampled_cuts_size": "*", "parameter_choice": "*1"}[name]
        found = figures(name, Settings(data=data_folder, quick=True, rows=(rows,)))
        best = max(value for row in found.values() for measure, value in row.items() if measure != "support")
        assert best > 30


class TestKernels:
    @pytest.mark.parametrize(
        ("name", "kernel"),
        [
            ("ST", SubTree(0.4)),
            ("SST", SubsetTree(0.4)),
            ("SST-bow", SubsetTree(0.4, bag_of_words=True)),
            ("PT", PartialTree(0.4, 0.4)),
            ("uPT", PartialTree(0.4, 0.4, lexical=False)),
        ],
    )
    def test_parameters_are_the_paper_s(self, name, kernel):
        made = make_kernel(name)
        assert isinstance(made, Normalized)
        assert type(made.kernel) is type(kernel)
        assert made.kernel.get_params() == kernel.get_params()

    def test_unknown_name(self):
        with pytest.raises(ValueError, match="name must be one of ST, SST, SST-bow, PT, uPT, got 'sst'"):
            make_kernel("sst")

    def test_exact_rows_use_the_first_examples(self, small_data, monkeypatch):
        monkeypatch.setattr(sampled_cuts_kernels, "EXACT_PREFIX", 40)
        row = f"SST, {EXACT}"
        found = figures("sampled_cuts_kernels", Settings(data=small_data, rows=(row,)))[row]
        X, y = load_srl_boundaries(small_data, "train")
        split = Split(X[:40], y[:40], *load_srl_boundaries(small_data, "test"))
        expected = train_and_test(SVC(make_kernel("SST"), tol=1e-3), split)
        assert found == {measure: value for measure, value in expected.items() if measure not in TIMES}
        assert found["support"] <= 40

    def test_seed_decides(self, small_data, monkeypatch):
        monkeypatch.setattr(sampled_cuts_kernels, "SIZES", (15, 20, 25, 30))  # else a sample has all examples
        first, again, other = (
            figures("sampled_cuts_kernels", Settings(data=small_data, seed=seed, rows=("SST*, 1*",)))
            for seed in (3, 3, 4)
        )
        assert first == again != other

    @pytest.mark.slow
    def test_processes_change_no_figure(self, small_data):
        settings = Settings(data=small_data, rows=("SST, *",))
        here = figures("sampled_cuts_kernels", settings)
        assert len(here) == len(GROUPS)
        assert figures("sampled_cuts_kernels", settings, jobs=2) == here

    def test_order_is_found_or_not(self):
        expected = dict(zip(KERNELS, (10.0, 80.0, 79.0, 70.0, 75.0), strict=True))
        other = {**expected, "SST-bow": 81.0, "uPT": 60.0}
        f1 = {f"{kernel}, {GROUPS[0]}": value for kernel, value in expected.items()}
        f1 |= {f"{kernel}, {GROUPS[1]}": value for kernel, value in other.items()}
        f1 |= {f"ST, {GROUPS[2]}": 5.0}  # not all kernels: says nothing
        findings = EXPERIMENTS["sampled_cuts_kernels"].findings(tables_of("sampled_cuts_kernels", **f1))
        assert findings == [
            "100 samples: SST 80.0 > SST-bow 79.0 > uPT 75.0 > PT 70.0 > ST 10.0",
            "250 samples: SST-bow 81.0 > SST 80.0 > PT 70.0 > uPT 60.0 > ST 10.0",
            "ST far below (over 20 points): found (100 samples; 250 samples).",
            "SST best: not found (250 samples); found (100 samples).",
            "uPT above PT: not found (250 samples); found (100 samples).",
        ]
        assert EXPERIMENTS["sampled_cuts_kernels"].findings(tables_of("sampled_cuts_kernels")) == []

    def test_plots(self):
        f1 = {f"SST, {GROUPS[0]}": 70.0, f"SST, {GROUPS[2]}": 75.0, f"SST, {EXACT}": 80.0}
        left, right = EXPERIMENTS["sampled_cuts_kernels"].plots(tables_of("sampled_cuts_kernels", **f1))
        (line,) = left.lines
        assert (line.name, line.points) == ("SST", {100: 70.0, 500: 75.0})
        assert left.levels == {"SST": 80.0}
        assert right.lines[0].points == {100: 2.0, 500: 2.0}

    @pytest.mark.shared_data
    def test_published_figures_are_those_of_the_reference(self, data_folder):
        path = data_folder.parent / "published" / "tables.json"
        if not path.exists():
            pytest.skip(f"no published tables at {path}")
        reference = json.loads(path.read_text())["sampled_cuts_kernels"]
        own = published_table("sampled_cuts_kernels").rows
        by_size = published_table("sampled_cuts_size").rows
        assert len(own) == 25
        for group, cells in zip(GROUPS, reference["rows"].values(), strict=True):
            for kernel, f1, f1_sec24, minutes in cells:
                expected = {"f1": f1, "f1_sec24": f1_sec24, "minutes": minutes}
                assert {name: cell.mean for name, cell in own[f"{kernel}, {group}"].items()} == expected
                if kernel == "SST" and group in by_size:
                    assert by_size[group] == own[f"SST, {group}"]


class TestSize:
    def test_distance_from_the_exact_machine(self):
        tables = tables_of("sampled_cuts_size", **{"100 samples": 70.0, "5,000 samples": 79.9, "exact": 80.0})
        experiment = EXPERIMENTS["sampled_cuts_size"]
        assert experiment.findings(tables) == [
            "100 samples: -10.00 F1 from the exact machine, 1 of its time.",
            "5,000 samples: -0.10 F1 from the exact machine, 1 of its time.",
        ]
        assert experiment.findings(tables_of("sampled_cuts_size", **{"100 samples": 70.0})) == []
        f1, minutes = experiment.plots(tables)
        assert f1.levels == {"exact": 80.0}
        assert f1.lines[0].points == {100: 70.0, 5000: 79.9}
        assert f1.lines[0].beside == {100: "10", 5000: "10"}
        assert minutes.measure_scale == "log"


class TestParameterChoice:
    @pytest.fixture
    def tables(self):
        runs = [
            Run("C = 1", 0, {f"NUM {method}": 80.0 for method in ("SVM", "uSVM", "iSVM")}),
            Run("C = 10", 0, {"NUM SVM": 85.0, "NUM uSVM": 84.0, "NUM iSVM": 79.0}),
            *(
                Run(f"boundaries, C = {C}", 0, {f"{method} f1": f1, f"{method} minutes": 0.5 * C})
                for C, f1 in ((1, 90.0), (10, 91.0))
                for method in ("SVM", "uSVM", "iSVM")
            ),
            Run("decay 0.3", 0, {"100": 70.0, "250": 71.0, "500": 72.0}),
            Run("decay 0.4", 0, {"100": 69.0, "250": 73.0, "500": 74.0}),
        ]
        return summarise(EXPERIMENTS["parameter_choice"], Settings(), runs)

    def test_best_values_side_by_side(self, tables):
        assert EXPERIMENTS["parameter_choice"].findings(tables) == [
            "NUM, best C: SVM 10 (F1 85.00), uSVM 10 (F1 84.00), iSVM 1 (F1 80.00). "
            "The SVM loses 0.00 with that of uSVM and 5.00 with that of iSVM.",
            "Argument boundaries, best C: SVM 10 (F1 91.00), uSVM 10 (F1 91.00), iSVM 10 (F1 91.00). "
            "The SVM loses 0.00 with that of uSVM and 0.00 with that of iSVM.",
            "Best decay: 100 samples 0.3 (F1 70.00), 250 samples 0.4 (F1 73.00), 500 samples 0.4 (F1 74.00).",
        ]

    def test_plots(self, tables):
        num, f1, minutes, decay = EXPERIMENTS["parameter_choice"].plots(tables)  # nothing is known of DESC
        assert num.title == "NUM questions"
        assert [line.name for line in num.lines] == ["SVM", "uSVM", "iSVM"]
        assert num.lines[2].points == {1.0: 80.0, 10.0: 79.0}
        assert f1.lines[0].points == {1.0: 90.0, 10.0: 91.0}
        assert (minutes.lines[1].points, minutes.measure_scale) == ({1.0: 0.5, 10.0: 5.0}, "log")
        assert decay.lines[1].points == {0.3: 71.0, 0.4: 73.0}

    def test_only_what_is_needed_is_read(self, small_data):
        for path in (small_data / "srl_ewt").iterdir():
            path.unlink()
        settings = Settings(data=small_data, rows=("C = 1",))
        (found,) = figures("parameter_choice", settings).values()
        assert set(found) == {
            f"{label} {method}" for label in ("DESC", "NUM") for method in ("SVM", "uSVM", "iSVM")
        }
        assert found["NUM SVM"] > 0

    def test_boundaries_by_c(self, small_data):
        settings = Settings(data=small_data, rows=("boundaries, C = 10",))
        (found,) = figures("parameter_choice", settings).values()
        assert set(found) == {f"{m} {name}" for m in ("SVM", "uSVM", "iSVM") for name in ("f1", "minutes")}
        assert found["SVM f1"] > 0
