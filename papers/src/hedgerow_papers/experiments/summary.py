"""Runs put together: means and deviations beside the published ones."""

from __future__ import annotations

import statistics
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from hedgerow_papers.experiments.experiment import Experiment, Layout, Measure, Row, Run, Settings
from hedgerow_papers.experiments.published import Figure, PublishedTable, published_table


@dataclass(frozen=True)
class Cell:
    """One measure of one row: the values of all runs, and what was published."""

    measure: Measure
    values: tuple[float, ...]
    published: Figure | None
    comparable: bool

    @property
    def mean(self) -> float | None:
        return statistics.fmean(self.values) if self.values else None

    @property
    def deviation(self) -> float | None:
        """The standard deviation over runs, for two of them or more."""
        return statistics.stdev(self.values) if len(self.values) > 1 else None

    @property
    def difference(self) -> float | None:
        return None if self.mean is None or self.published is None else self.mean - self.published.mean

    @property
    def beyond_deviation(self) -> bool | None:
        """Whether the difference exceeds one standard deviation; None where that says nothing.

        The deviation is the published one, or that over the runs where none was published.
        """
        if self.difference is None or self.published is None:
            return None
        allowed = self.deviation if self.published.deviation is None else self.published.deviation
        if allowed is None or not (self.comparable and self.measure.compared):
            return None
        return abs(self.difference) > allowed

    @property
    def mark(self) -> Literal["above", "below"] | None:
        """Where the mean is, if it is beyond one standard deviation of the published one."""
        if not self.beyond_deviation or self.difference is None:
            return None
        return "above" if self.difference > 0 else "below"


@dataclass(frozen=True)
class SummaryRow:
    row: Row
    runs: int
    cells: tuple[Cell, ...]


@dataclass(frozen=True)
class Table:
    """A table with hedgerow's figures beside the published ones."""

    layout: Layout
    published: PublishedTable
    rows: tuple[SummaryRow, ...]

    def cells(self) -> Iterator[tuple[SummaryRow, Cell]]:
        return ((row, cell) for row in self.rows for cell in row.cells)

    def data_differences(self) -> list[str]:
        """How the data of the rows that have been run differ from those of the publication."""
        by_row = (row.row.data_difference for row in self.rows if row.runs)
        differences = (self.layout.data_difference, self.layout.slight_difference, *by_row)
        return list(dict.fromkeys(words for words in differences if words))

    def means(self, measure: str) -> dict[str, float]:
        """The measure by row, of the rows that have been run."""
        return {
            row.row.name: cell.mean
            for row, cell in self.cells()
            if cell.measure.name == measure and cell.mean is not None
        }


def summarise(experiment: Experiment, settings: Settings, runs: Sequence[Run]) -> list[Table]:
    """The tables of an experiment, of all its runs or of those that there are."""
    # In order of permutation, so that sums do not depend on which run ended first.
    ordered = sorted(runs, key=lambda run: run.permutation)
    return [_table(experiment, layout, ordered, settings.quick) for layout in experiment.layouts]


def _table(experiment: Experiment, layout: Layout, runs: Sequence[Run], quick: bool) -> Table:
    published = published_table(layout.published)
    rows = []
    for row in experiment.rows:
        if layout.rows is not None and row.name not in layout.rows:
            continue
        own = [run for run in runs if run.row == row.name]
        figures = published.rows.get(row.published, {}) if row.published is not None else {}
        comparable = not (quick or layout.data_difference or row.data_difference)
        cells = tuple(
            Cell(
                measure,
                tuple(run.figures[measure.name] for run in own if measure.name in run.figures),
                figures.get(measure.name),
                comparable,
            )
            for measure in layout.measures
        )
        rows.append(SummaryRow(row, len(own), cells))
    return Table(layout, published, tuple(rows))
