"""What ``hedgerow tune`` prints and draws."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import typer
from rich.console import Console
from rich.table import Table

from hedgerow.cli.derived import text_of
from hedgerow.cli.tune.search import Ranking
from hedgerow.data.files import writing


def print_table(ranking: Ranking, command: str) -> None:
    options = ranking.options
    names = _names(ranking)
    table = Table(*names)
    for heading in (options.score, "deviation", "seconds"):
        table.add_column(heading, justify="right")
    for candidate in ranking.candidates:
        settings = candidate.settings
        cells = [text_of(settings[name]) if name in settings else "" for name in names]
        table.add_row(
            *cells, f"{candidate.mean:.4f}", f"{candidate.deviation:.4f}", f"{candidate.seconds:.2f}"
        )
    machines = "exact machines" if options.sampling == "none" else f"samples of {options.size}"
    typer.echo(
        f"{ranking.n_examples} examples, {len(ranking.candidates)} candidates, {options.folds} folds, {machines}"
    )
    Console().print(table)
    best = ", ".join(f"{name} {text_of(value)}" for name, value in ranking.best.settings.items())
    typer.echo(f"Best: {best}")
    typer.echo(command)


def print_json(ranking: Ranking, command: str) -> None:
    options = ranking.options
    typer.echo(
        json.dumps(
            {
                "examples": ranking.n_examples,
                "score": options.score,
                "folds": options.folds,
                "sampling": options.sampling,
                "sample_size": None if options.sampling == "none" else options.size,
                "candidates": [
                    {
                        **candidate.settings,
                        "mean": candidate.mean,
                        "deviation": candidate.deviation,
                        "seconds": candidate.seconds,
                    }
                    for candidate in ranking.candidates
                ],
                "best": ranking.best.settings,
                "command": command,
            },
            ensure_ascii=False,
        )
    )


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
    kernels = list(dict.fromkeys(candidate.settings["kernel"] for candidate in ranking.candidates))
    groups = [""] if parameter == "kernel" or len(kernels) == 1 else sorted(kernels)
    tables = {}
    for group in groups:
        rows = [
            candidate
            for candidate in ranking.candidates
            if parameter in candidate.settings and group in ("", candidate.settings["kernel"])
        ]
        if rows:
            tables[group] = {
                f"param_{parameter}": [row.settings[parameter] for row in rows],
                "mean_test_score": [row.mean for row in rows],
                "std_test_score": [row.deviation for row in rows],
            }
    return tables


def _names(ranking: Ranking) -> list[str]:
    """Of all columns of settings: the kernel, its parameters, those of the machine."""
    of_kernels = [name for candidate in ranking.candidates for name in candidate.kernel.given]
    return list(dict.fromkeys(["kernel", *of_kernels, *ranking.best.of_machine]))
