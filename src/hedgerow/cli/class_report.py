"""Figures of classes for people: what `metrics.evaluation` gives, as tables."""

from __future__ import annotations

from typing import Any

from rich.console import Console
from rich.table import Table

from hedgerow.models.ranked_tally import margin_range

MOST_CONFUSIONS = 20


def print_classes(figures: dict[str, Any], console: Console, what: str = "examples") -> None:
    """Accuracy, a table of classes and one of confusions."""
    console.print(f"{figures['examples']} {what}, accuracy {figures['accuracy']:.4f}", highlight=False)
    if "calibration" in figures:
        names = {"error": "expected calibration error", "log_loss": "log loss", "brier": "Brier score"}
        said = ", ".join(f"{name} {figures['calibration'][key]:.4f}" for key, name in names.items())
        console.print(f"probabilities: {said}", highlight=False)
    scores = Table("class")
    for name in (what, "precision", "recall", "F1"):
        scores.add_column(name, justify="right")
    for label, values in figures["classes"].items():
        scores.add_row(label, str(values["examples"]), *_ratios(values))
    scores.add_section()
    for mean in ("macro", "micro"):
        scores.add_row(mean, str(figures["examples"]), *_ratios(figures[mean]))
    console.print(scores)
    labels, counts = figures["confusion"]["labels"], figures["confusion"]["counts"]
    table = Table("true / predicted", title="Confusion")
    for label in labels:
        table.add_column(str(label), justify="right")
    for label, row in zip(labels, counts, strict=True):
        table.add_row(str(label), *map(str, row))
    fits = console.measure(table, options=console.options.update(width=10_000)).maximum <= console.width
    console.print(table if fits else _most_frequent(labels, counts))


def print_found(figures: dict[str, dict[str, Any]], console: Console, what: str) -> None:
    """A table of what was to be found, and what was, a row for each kind."""
    table = Table(what)
    for heading in ("true", "found", "precision", "recall", "F1"):
        table.add_column(heading, justify="right")
    for name, values in figures.items():
        table.add_row(name, str(values["true"]), str(values["predicted"]), *_ratios(values))
    console.print(table)


def print_ranks(k_best: dict[str, Any], console: Console) -> None:
    """Where true outputs stand among the best ones, and how often predictions are right by their margins."""
    shares = ", ".join(f"{share:.4f}" for share in k_best["within"])
    console.print(
        f"true outputs among the best 1 to {len(k_best['within'])}: {shares}", highlight=False, soft_wrap=True
    )
    table = Table("margin over the next best")
    for heading in ("outputs", "right"):
        table.add_column(heading, justify="right")
    for group in k_best["margins"]:
        table.add_row(margin_range(group), str(group["examples"]), f"{group['accuracy']:.4f}")
    console.print(table)


def _most_frequent(labels: list[Any], counts: list[list[int]]) -> Table:
    """Confusions of more classes than the terminal has columns for."""
    wrong = [
        (count, str(true), str(predicted))
        for true, row in zip(labels, counts, strict=True)
        for predicted, count in zip(labels, row, strict=True)
        if count and true != predicted
    ]
    shown = sorted(wrong, key=lambda entry: -entry[0])[:MOST_CONFUSIONS]
    table = Table(
        "true", "predicted", title=f"The {len(shown)} most frequent of {len(wrong)} confusions (all: --json)"
    )
    table.add_column("examples", justify="right")
    for count, true, predicted in shown:
        table.add_row(true, predicted, str(count))
    return table


def _ratios(values: dict[str, float]) -> list[str]:
    return [f"{values[name]:.4f}" for name in ("precision", "recall", "f1")]
