"""Tables for people (rich), for programs (JSON) and for spreadsheets (CSV)."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Sequence
from typing import Any

import rich.box
import rich.table
from rich.text import Text

from hedgerow.experiments.experiment import Experiment, Settings
from hedgerow.experiments.published import Figure
from hedgerow.experiments.summary import Cell, Table

CSV_COLUMNS = (
    "experiment",
    "table",
    "row",
    "measure",
    "runs",
    "mean",
    "deviation",
    "published_mean",
    "published_deviation",
    "difference",
    "beyond_deviation",
)


def rich_table(table: Table) -> rich.table.Table:
    """Two lines a row: hedgerow's figures above the published ones, if any. In narrow places figures wrap."""
    drawn = rich.table.Table(title=table.layout.title, box=rich.box.SIMPLE_HEAD, title_justify="left")
    drawn.add_column(table.layout.first_column, no_wrap=True)
    drawn.add_column("Runs", justify="right", no_wrap=True)
    for measure in table.layout.measures:
        drawn.add_column(measure.heading, justify="right", overflow="fold")
    sections = any(cell.published for _, cell in table.cells())
    for row in table.rows:
        if row.row.published_only:
            first = f"{row.row.name} (published)"
        else:
            compared = any(cell.published for cell in row.cells)
            figures = (_own(cell) for cell in row.cells)
            drawn.add_row(row.row.name, str(row.runs), *figures, end_section=sections and not compared)
            if not compared:
                continue
            first = "  published"
        drawn.add_row(first, "", *(_published(cell) for cell in row.cells), style="dim", end_section=True)
    return drawn


def legend(tables: Sequence[Table]) -> str | None:
    """What the arrows mean, where there are any."""
    if any(cell.beyond_deviation for table in tables for _, cell in table.cells()):
        return "↑ ↓  more than one published standard deviation above or below the published mean"
    return None


def to_json(
    experiment: Experiment, settings: Settings, tables: Sequence[Table], *, complete: bool, version: str
) -> str:
    """All figures and the values of all runs as one JSON object."""
    content = {
        "experiment": experiment.name,
        "hedgerow": version,
        "quick": settings.quick,
        "seed": settings.seed,
        "permutations": experiment.runs_of_a_row(settings),
        "complete": complete,
        "notes": experiment.notes(settings),
        "findings": experiment.findings(tables),
        "tables": [
            {
                "table": table.layout.published,
                "source": table.published.source,
                "setting": table.published.setting,
                "rows": [
                    {
                        "row": row.row.name,
                        "runs": row.runs,
                        "measures": {
                            cell.measure.name: {**_figures(cell), "values": list(cell.values)}
                            for cell in row.cells
                        },
                    }
                    for row in table.rows
                ],
            }
            for table in tables
        ],
    }
    return json.dumps(content, indent=2) + "\n"


def to_csv(experiment: Experiment, tables: Sequence[Table]) -> str:
    """One line for each table, row and measure."""
    out = io.StringIO()
    writer = csv.DictWriter(out, CSV_COLUMNS, lineterminator="\n")
    writer.writeheader()
    for table in tables:
        for row, cell in table.cells():
            place = {
                "experiment": experiment.name,
                "table": table.layout.published,
                "row": row.row.name,
                "measure": cell.measure.name,
                "runs": row.runs,
            }
            writer.writerow({**place, **_figures(cell)})
    return out.getvalue()


def _figures(cell: Cell) -> dict[str, Any]:
    published = cell.published or Figure(mean=float("nan"), deviation=None)
    return {
        "mean": cell.mean,
        "deviation": cell.deviation,
        "published_mean": published.mean if cell.published else None,
        "published_deviation": published.deviation,
        "difference": cell.difference,
        "beyond_deviation": cell.beyond_deviation,
    }


def _own(cell: Cell) -> Text:
    if cell.mean is None:
        return Text("")
    text = Text(_number(cell.mean, cell.deviation, cell.measure.decimals))
    if cell.beyond_deviation:
        text.append(" ↑" if (cell.difference or 0) > 0 else " ↓")
        text.stylize("yellow")
    elif cell.beyond_deviation is False:
        text.append("  ")  # keeps the figures of a column in line
    return text


def _published(cell: Cell) -> Text:
    if cell.published is None:
        return Text("")
    text = Text(_number(cell.published.mean, cell.published.deviation, cell.measure.decimals))
    if cell.beyond_deviation is not None:
        text.append("  ")
    return text


def _number(mean: float, deviation: float | None, decimals: int) -> str:
    spread = "" if deviation is None else f" ±{deviation:,.{decimals}f}"
    return f"{mean:,.{decimals}f}{spread}"
