"""Parameters by small samples: do machines with sampled cuts prefer the C and the decay that exact ones prefer?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from hedgerow.svm import SVC, CuttingPlaneSVC
from hedgerow_papers.datasets import load_question_types
from hedgerow_papers.experiments.experiment import Experiment, Layout, Measure, Row, Run, Settings
from hedgerow_papers.experiments.online_questions import QUESTION_FILES, QUESTIONS_DIFFERENCE
from hedgerow_papers.experiments.plot import Line, Plot
from hedgerow_papers.experiments.sampled_cuts import (
    BOUNDARIES_DIFFERENCE,
    BOUNDARY_FILES,
    OTHER_DATA_NOTE,
    exact_machine,
    load_boundaries,
    make_kernel,
    train_and_test,
)
from hedgerow_papers.experiments.split import Split
from hedgerow_papers.experiments.summary import Table

CS = {f"C = {C:g}": C for C in (0.01, 0.1, 1.0, 10.0, 100.0, 1000.0)}
BOUNDARY_CS = {f"boundaries, C = {C:g}": C for C in CS.values()}
BOUNDARY_PREFIX = 100_000
DECAYS = {f"decay {tenths / 10}": tenths / 10 for tenths in range(1, 11)}
CLASSES = ("DESC", "NUM")
METHODS = ("SVM", "uSVM", "iSVM")
DECAY_SIZES = (100, 250, 500)
BOUNDARY_PLOTS: tuple[tuple[str, str, Literal["linear", "log"]], ...] = (
    ("f1", "F1 in per cent", "linear"),
    ("minutes", "Minutes of training", "log"),
)
QUICK, QUICK_SAMPLE = 200, 50
C_SAMPLE = 1000  # as in the paper's choice of C for argument boundaries


@dataclass(frozen=True)
class _Data:
    """What the chosen rows need; the rest is None."""

    questions: Split | None
    boundaries: Split | None


class ParameterChoice(Experiment):
    name = "parameter_choice"
    summary = "F1 by C and by decay, for exact and sampled machines; needs qc and srl_ewt"
    permutations = 1
    rows = (
        *(Row(name, None, minutes=1.0, files=QUESTION_FILES) for name in CS),
        *(
            Row(name, None, minutes=1.0 if C <= 1 else 1.5, files=BOUNDARY_FILES)
            for name, C in BOUNDARY_CS.items()
        ),
        *(Row(name, None, minutes=1.0, files=BOUNDARY_FILES) for name in DECAYS),
    )
    layouts = (
        Layout(
            "Questions, subset tree kernel: F1 by C",
            "parameter_choice_c",
            tuple(
                Measure(f"{label} {method}", f"{label}, {method}") for label in CLASSES for method in METHODS
            ),
            rows=tuple(CS),
            first_column="C",
            slight_difference=QUESTIONS_DIFFERENCE,
        ),
        Layout(
            f"{BOUNDARY_PREFIX:,} argument boundaries, subset tree kernel: F1 and minutes of training by C",
            "parameter_choice_c_boundaries",
            (
                *(Measure(f"{method} f1", f"F1, {method}") for method in METHODS),
                *(Measure(f"{method} minutes", f"Minutes, {method}", compared=False) for method in METHODS),
            ),
            rows=tuple(BOUNDARY_CS),
            first_column="C",
            data_difference=BOUNDARIES_DIFFERENCE,
        ),
        Layout(
            "Argument boundaries, subset tree kernel, uSVM: F1 by decay and sample size",
            "parameter_choice_decay",
            tuple(Measure(str(size), f"{size} samples") for size in DECAY_SIZES),
            rows=tuple(DECAYS),
            first_column="Decay",
            data_difference=BOUNDARIES_DIFFERENCE,
        ),
    )

    def chosen_rows(self, settings: Settings) -> list[Row]:
        rows = super().chosen_rows(settings)
        return rows[::2] if settings.quick and not settings.rows else rows

    def load(self, settings: Settings) -> Any:
        chosen = {row.name for row in self.chosen_rows(settings)}
        return _Data(
            questions=_load_questions(settings) if chosen & set(CS) else None,
            boundaries=load_boundaries(settings) if chosen & {*DECAYS, *BOUNDARY_CS} else None,
        )

    def run(self, data: Any, row: str, permutation: int, settings: Settings) -> Run:
        if row in CS:
            figures = {
                f"{label} {method}": _f1_of_a_class(
                    data.questions, label, _machine(method, CS[row], permutation, settings)
                )
                for label in CLASSES
                for method in METHODS
            }
        elif row in BOUNDARY_CS:
            split = data.boundaries.prefix(BOUNDARY_PREFIX)
            figures = {}
            for method in METHODS:
                found = train_and_test(
                    _boundary_machine(method, BOUNDARY_CS[row], permutation, settings), split
                )
                figures |= {f"{method} {name}": found[name] for name in ("f1", "minutes")}
        else:
            kernel = make_kernel("SST", DECAYS[row])
            figures = {
                str(size): train_and_test(machine, data.boundaries)["f1"]
                for size in DECAY_SIZES
                for machine in [_sampled(kernel, 1.0, "uniform", size, permutation, settings)]
            }
        return Run(row, permutation, figures)

    def notes(self, settings: Settings) -> list[str]:
        return [
            "The paper draws these figures and prints no numbers. As there, F1 is that of the test set.",
            f"uSVM and iSVM draw {_c_sample(settings):,} examples for each cut; the paper does not say how "
            "many questions it drew. They have no bias; the SVM of questions has one. That of argument boundaries is "
            "the cutting-plane machine over all examples, because it scales.",
            "On argument boundaries the paper's SVM, which is SVM-light, takes far longer than uSVM where C is large. "
            "This one takes the least time of the three from C = 1 on, in one run beside other work.",
            OTHER_DATA_NOTE,
        ]

    def findings(self, tables: Sequence[Table]) -> list[str]:
        by_c, by_boundary_c, by_decay = tables
        found = []
        tried = {label: (by_c, f"{label} {{}}") for label in CLASSES}
        tried["Argument boundaries"] = (by_boundary_c, "{} f1")
        for label, (table, measure) in tried.items():
            f1 = {method: table.means(measure.format(method)) for method in METHODS}
            if all(f1.values()):
                found.append(f"{label}, best C: {_best(f1)}. {_price(f1)}")
        f1 = {f"{size} samples": by_decay.means(str(size)) for size in DECAY_SIZES}
        if all(f1.values()):
            found.append(f"Best decay: {_best(f1)}.")
        return found

    def plots(self, tables: Sequence[Table]) -> list[Plot]:
        by_c, by_boundary_c, by_decay = tables
        plots = [
            Plot(
                f"{label} questions",
                "C",
                "F1 in per cent",
                tuple(_line(by_c, f"{label} {method}", method, CS) for method in METHODS),
            )
            for label in CLASSES
        ]
        plots += [
            Plot(
                f"{BOUNDARY_PREFIX:,} argument boundaries",
                "C",
                label,
                tuple(_line(by_boundary_c, f"{method} {name}", method, BOUNDARY_CS) for method in METHODS),
                measure_scale=scale,
            )
            for name, label, scale in BOUNDARY_PLOTS
        ]
        lines = tuple(_line(by_decay, str(size), f"uSVM, {size} samples", DECAYS) for size in DECAY_SIZES)
        plots.append(Plot("Argument boundaries", "Decay", "F1 in per cent", lines, parameter_scale="linear"))
        return [plot for plot in plots if any(line.points for line in plot.lines)]


def _load_questions(settings: Settings) -> Split:
    folder = settings.data_folder()
    split = Split(*load_question_types(folder, "train"), *load_question_types(folder, "test"))
    return split.prefix(QUICK) if settings.quick else split


def _f1_of_a_class(split: Split, label: str, machine: Any) -> float:
    one_class = Split(split.X, split.y == label, split.X_test, split.y_test == label)
    return train_and_test(machine, one_class)["f1"]


def _machine(method: str, C: float, permutation: int, settings: Settings) -> Any:
    kernel = make_kernel("SST")
    if method == "SVM":
        return SVC(kernel, C=C)
    sampling = {"uSVM": "uniform", "iSVM": "importance"}[method]
    return _sampled(kernel, C, sampling, _c_sample(settings), permutation, settings)


def _boundary_machine(method: str, C: float, permutation: int, settings: Settings) -> Any:
    if method == "SVM":
        return exact_machine(C)
    return _machine(method, C, permutation, settings)


def _c_sample(settings: Settings) -> int:
    return QUICK_SAMPLE if settings.quick else C_SAMPLE


def _sampled(
    kernel: Any, C: float, sampling: Any, size: int, permutation: int, settings: Settings
) -> CuttingPlaneSVC:
    return CuttingPlaneSVC(
        kernel,
        C=C,
        sampling=sampling,
        sample_size=size,
        tol=1e-3,
        random_state=settings.random_state(permutation),
    )


def _best(f1: Mapping[str, Mapping[str, float]]) -> str:
    """The best row of each method, with its F1."""
    best = {method: max(values, key=lambda row: values[row]) for method, values in f1.items()}
    return ", ".join(f"{method} {row.split()[-1]} (F1 {f1[method][row]:.2f})" for method, row in best.items())


def _price(f1: Mapping[str, Mapping[str, float]]) -> str:
    """What the exact machine loses with the C that the sampled ones prefer."""
    exact = f1["SVM"]
    losses = {
        method: max(exact.values()) - exact[max(f1[method], key=lambda row: f1[method][row])]
        for method in METHODS[1:]
    }
    return (
        "The SVM loses "
        + " and ".join(f"{loss:.2f} with that of {method}" for method, loss in losses.items())
        + "."
    )


def _line(table: Table, measure: str, name: str, parameters: Mapping[str, float]) -> Line:
    return Line(name, {parameters[row]: value for row, value in table.means(measure).items()})
