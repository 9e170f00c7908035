"""F1, time and support vectors by sample size, up to the exact machine."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from hedgerow_papers.experiments.experiment import Experiment, Layout, Measure, Row, Run, Settings
from hedgerow_papers.experiments.plot import Line, Plot
from hedgerow_papers.experiments.sampled_cuts import (
    BOUNDARIES_DIFFERENCE,
    BOUNDARY_FILES,
    OTHER_DATA_NOTE,
    STOPPING_NOTE,
    SUPPORTS_NOTE,
    TIME_NOTE,
    TRAINING_MEASURES,
    exact_machine,
    load_boundaries,
    train_and_test,
)
from hedgerow_papers.experiments.summary import Table

SIZES = {f"{size:,} samples": size for size in (100, 250, 500, 1000, 2500, 5000)}
MINUTES = (0.1, 0.3, 0.5, 1.2, 4, 10)  # of training on two cores
EXACT = "exact"


class SampledCutsSize(Experiment):
    name = "sampled_cuts_size"
    summary = "F1, time and support vectors by sample size, beside the exact machine; needs srl_ewt"
    permutations = 1
    files = BOUNDARY_FILES
    rows = (
        *(Row(name, name, minutes=minutes) for name, minutes in zip(SIZES, MINUTES, strict=True)),
        Row(EXACT, EXACT, minutes=5),
    )
    layouts = (
        Layout(
            "Argument boundaries, subset tree kernel: sampled cuts by sample size",
            "sampled_cuts_size",
            (Measure("f1", "F1"), Measure("f1_sec24", "F1, sec. 24"), *TRAINING_MEASURES),
            first_column="Sample",
            data_difference=BOUNDARIES_DIFFERENCE,
        ),
    )

    def load(self, settings: Settings) -> Any:
        return load_boundaries(settings)

    def run(self, data: Any, row: str, permutation: int, settings: Settings) -> Run:
        machine = exact_machine(random_state=settings.random_state(permutation))
        if row != EXACT:
            machine.set_params(sampling="uniform", sample_size=SIZES[row])
        return Run(row, permutation, train_and_test(machine, data))

    def notes(self, settings: Settings) -> list[str]:
        return [
            OTHER_DATA_NOTE,
            "The exact row is the cutting-plane machine over all examples, because it scales; it has no bias. The "
            "paper's is SVM-light's, which has one. The paper draws its F1; the figures here are from McKenna (2011), "
            "table 6.3, an SVM with as many support vectors.",
            SUPPORTS_NOTE,
            STOPPING_NOTE,
            TIME_NOTE,
        ]

    def findings(self, tables: Sequence[Table]) -> list[str]:
        """How far each sample size is from the exact machine."""
        f1, minutes = tables[0].means("f1"), tables[0].means("minutes")
        if EXACT not in f1:
            return []
        return [
            f"{name}: {f1[name] - f1[EXACT]:+.2f} F1 from the exact machine, "
            f"{minutes[name] / minutes[EXACT]:.2g} of its time."
            for name in SIZES
            if name in f1
        ]

    def plots(self, tables: Sequence[Table]) -> list[Plot]:
        (table,) = tables
        supports: dict[float, str] = {
            SIZES[row]: f"{count:,.0f}" for row, count in table.means("support").items() if row in SIZES
        }
        return [
            _plot(table, "f1", "F1 in per cent (beside: support vectors)", "linear", supports),
            _plot(table, "minutes", "Minutes of training", "log", {}),
        ]


def _plot(table: Table, measure: str, label: str, scale: Any, beside: Mapping[float, str]) -> Plot:
    means = table.means(measure)
    points: dict[float, float] = {SIZES[row]: value for row, value in means.items() if row in SIZES}
    return Plot(
        "Sampled cuts by sample size",
        "Sample size",
        label,
        (Line("sampled cuts", points, beside),) if points else (),
        levels={EXACT: means[EXACT]} if EXACT in means else {},
        measure_scale=scale,
    )
