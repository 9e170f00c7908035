"""What ``hedgerow tune`` prints and draws."""

from __future__ import annotations

import io
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich.table import Table

from hedgerow.cli.derived import text_of
from hedgerow.cli.terminal import Terminal, say
from hedgerow.cli.tune.search import Candidate, SearchOptions
from hedgerow.data.files import writing


@dataclass(frozen=True)
class Ranking:
    """All candidates, best first."""

    n_examples: int
    options: SearchOptions
    candidates: list[Candidate]
    finished: bool = True

    @property
    def ties(self) -> int:
        """How many are not significantly worse than the best."""
        return sum(candidate.tied for candidate in self.candidates[1:])

    @property
    def best(self) -> Candidate:
        return self.candidates[0]

    @property
    def names(self) -> list[str]:
        """All settings: the kernel, its parameters, those of the machine."""
        of_kernels = [name for candidate in self.candidates for name in candidate.choice.kernel.given]
        of_best = [*self.best.settings]
        return list(dict.fromkeys([*of_best[:1], *of_kernels, *of_best]))

    @property
    def varied(self) -> list[str]:
        """Parameters with more than one value."""
        tried = {
            name: {text_of(c.settings[name]) for c in self.candidates if name in c.settings}
            for name in self.names
        }
        return [name for name, values in tried.items() if len(values) > 1 and name != "kernel"]


def print_table(ranking: Ranking, command: str) -> None:
    options = ranking.options
    table = Table(*ranking.names)
    parts = ranking.candidates[-1].examples < ranking.n_examples
    for heading in (options.score, "deviation", "seconds", *(["examples"] if parts else [])):
        table.add_column(heading, justify="right")
    for candidate in ranking.candidates:
        settings = candidate.settings
        cells = [text_of(settings[name]) if name in settings else "" for name in ranking.names]
        mark = "= " if candidate.tied and ranking.ties else ""
        figures = [f"{mark}{candidate.mean:.4f}", f"{candidate.deviation:.4f}", f"{candidate.seconds:.2f}"]
        figures += [str(candidate.examples)] if parts else []
        table.add_row(*cells, *figures)
    learner = ranking.best.choice.learner
    machines = "exact machines" if learner.name == "svm" else f"learner {learner.name}"
    machines = machines if options.sampling == "none" else f"samples of {options.sample_size}"
    n = len(ranking.candidates)
    say(f"{ranking.n_examples} examples, {n} candidates, {options.folds} folds, {machines}")
    Terminal().print(table)
    best = ", ".join(f"{name} {text_of(value)}" for name, value in ranking.best.settings.items())
    others = "1 other is" if ranking.ties == 1 else f"{ranking.ties} others are"
    tied = f" (= {others} not significantly worse)" if ranking.ties else ""
    say(f"Best: {best}{tied}\n{command}")


def print_json(ranking: Ranking, command: str) -> None:
    options = ranking.options
    candidates = [
        {
            **c.settings,
            "mean": c.mean,
            "deviation": c.deviation,
            "seconds": c.seconds,
            "examples": c.examples,
            "tied": c.tied,
        }
        for c in ranking.candidates
    ]
    figures = {
        "examples": ranking.n_examples,
        "score": options.score,
        "folds": options.folds,
        "sampling": options.sampling,
        "sample_size": None if options.sampling == "none" else options.sample_size,
        "candidates": candidates,
        "best": ranking.best.settings,
        "command": command,
    }
    say(json.dumps(figures, ensure_ascii=False))


def draw(ranking: Ranking, path: str) -> None:
    """A panel for each parameter that varied, a line for each kernel; of kernels alone just their scores."""
    from matplotlib.figure import Figure

    from hedgerow.inspection import ParameterChoiceDisplay

    parameters = ranking.varied or ["kernel"]
    figure = Figure(figsize=(5.6 * len(parameters), 4.2), layout="constrained")
    for ax, parameter in zip(figure.subplots(1, len(parameters), squeeze=False)[0], parameters, strict=True):
        display = ParameterChoiceDisplay.from_results(_tables(ranking, parameter), parameter, ax=ax)
        display.ax_.set_ylabel(f"Cross-validated {ranking.options.score}")
    out = io.BytesIO()
    figure.savefig(out, format=Path(path).suffix.removeprefix("."), dpi=150)
    with writing(path) as file:
        file.write(out.getvalue())


def _tables(ranking: Ranking, parameter: str) -> dict[str, dict[str, Any]]:
    """Results of each kernel as a search would give them."""
    having = [candidate for candidate in ranking.candidates if parameter in candidate.settings]
    kernels = sorted({candidate.settings.get("kernel", "") for candidate in having})
    groups = {"": having}
    if parameter != "kernel" and len({c.settings.get("kernel") for c in ranking.candidates}) > 1:
        groups = {kernel: [c for c in having if c.settings["kernel"] == kernel] for kernel in kernels}
    return {
        group: {
            f"param_{parameter}": [row.settings[parameter] for row in rows],
            "mean_test_score": [row.mean for row in rows],
            "std_test_score": [row.deviation for row in rows],
        }
        for group, rows in groups.items()
    }
