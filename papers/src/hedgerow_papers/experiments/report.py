"""Tables for people (rich), for programs (JSON) and for spreadsheets (CSV).

The JSON of `to_json` is one object with all that a page about an experiment needs:

=====================  ================================================================================================
``experiment``         its name; ``title`` says in a line what it is about
``hedgerow``           the version
``quick``, ``seed``,   the settings: ``permutations`` runs of each row; ``rows`` are the patterns of ``--rows``, ``[]``
``permutations``,      for the usual ones
``rows``
``complete``           whether ``runs`` (how many there are) are all ``runs_wanted``
``minutes``            of all runs, by the clock, one after the other
``data_differences``   sentences: what hedgerow learned from where it is not what the publication learned from
``findings``,          sentences: what the figures say, and what a reader should know; ``legend`` says what marks mean,
``notes``, ``legend``  None without marks
``tables``             a list of objects, see below
``plots``              a list of objects: ``title``, ``parameter`` and ``measure`` (names of the axes, with
                       ``parameter_scale`` and ``measure_scale``: linear or log), ``lines`` (each with ``name``,
                       ``points`` as pairs, ``beside`` (words at some of them), ``deviations`` (of some), ``joined``),
                       ``levels`` (by name) and ``diagonal``
``traces``             what happened in the first run of a row while it learned, if that was asked for (``--plot`` or
                       ``--output``): lists by name, for online learners those of `Trace`
=====================  ================================================================================================

A table has ``table`` (its name among the published ones), ``title``, ``first_column`` (the heading above the names of
rows), ``source`` and ``setting`` (of the publication), ``data_differences``, ``measures`` (in order: ``name``,
``heading``, ``decimals``, and whether it is ``compared``) and ``rows``. A row has ``row`` (its name), ``runs``,
``published_only`` and ``measures``, by name: ``mean`` and ``deviation`` over runs, ``values``, ``published_mean``,
``published_deviation``, ``difference``, ``beyond_deviation`` and ``mark`` ("above", "below" or None). What there is
not, or is no number, is None.
"""

from __future__ import annotations

import csv
import io
import json
import math
import re
from collections.abc import Sequence
from typing import Any

import rich.box
import rich.table
from rich.text import Text

from hedgerow_papers.experiments.experiment import Experiment, Run, Settings
from hedgerow_papers.experiments.plot import Plot
from hedgerow_papers.experiments.running import number_of_runs
from hedgerow_papers.experiments.summary import Cell, SummaryRow, Table, summarise

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
    "data_difference",
)
ARROWS = {"above": " ↑", "below": " ↓"}


def rich_table(table: Table, *, differences: bool = True) -> rich.table.Table:
    """Up to three lines a row: hedgerow's figures, the published ones, and the difference of those that are compared.

    In narrow places figures wrap. Below the table stands how the data differ.
    """
    drawn = rich.table.Table(
        title=table.layout.title, box=rich.box.SIMPLE_HEAD, title_justify="left", caption_justify="left"
    )
    if different := table.data_differences():
        drawn.caption = Text("Other data than published. " + "; ".join(different) + ".")
    drawn.add_column(table.layout.first_column, no_wrap=True)
    drawn.add_column("Runs", justify="right", no_wrap=True)
    for measure in table.layout.measures:
        drawn.add_column(measure.heading, justify="right", overflow="fold")
    sections = any(cell.published for _, cell in table.cells())
    for row in table.rows:
        _add_row(drawn, row, sections, differences)
    return drawn


def _add_row(drawn: rich.table.Table, row: SummaryRow, sections: bool, differences: bool) -> None:
    if row.row.published_only:
        published = (_published(cell) for cell in row.cells)
        drawn.add_row(f"{row.row.name} (published)", "", *published, style="dim", end_section=True)
        return
    compared = any(cell.published for cell in row.cells)
    figures = (_own(cell) for cell in row.cells)
    drawn.add_row(row.row.name, str(row.runs), *figures, end_section=sections and not compared)
    if not compared:
        return
    away = [_difference(cell) for cell in row.cells] if differences else []
    last = not any(away)
    drawn.add_row("  published", "", *(_published(cell) for cell in row.cells), style="dim", end_section=last)
    if not last:
        drawn.add_row("  difference", "", *away, style="dim", end_section=True)


def legend(tables: Sequence[Table]) -> str | None:
    """What the arrows mean, where there are any."""
    if any(cell.mark for table in tables for _, cell in table.cells()):
        return (
            "↑ ↓  more than one standard deviation above or below the published mean: the published deviation, or "
            "that over the runs where none was published"
        )
    return None


def to_json(experiment: Experiment, settings: Settings, runs: Sequence[Run], *, version: str) -> str:
    """All figures and the values of all runs as one JSON object, whose form the module describes."""
    tables = summarise(experiment, settings, runs)
    wanted = number_of_runs(experiment, settings)
    content = {
        "experiment": experiment.name,
        "title": experiment.summary,
        "hedgerow": version,
        "quick": settings.quick,
        "seed": settings.seed,
        "permutations": experiment.runs_of_a_row(settings),
        "rows": list(settings.rows),
        "complete": len(runs) == wanted,
        "runs": len(runs),
        "runs_wanted": wanted,
        "minutes": sum(run.seconds for run in sorted(runs, key=_place)) / 60,
        "data_differences": list(
            dict.fromkeys(words for table in tables for words in table.data_differences())
        ),
        "findings": experiment.findings(tables),
        "notes": experiment.notes(settings),
        "legend": legend(tables),
        "tables": [_table(table) for table in tables],
        "plots": [_plot(plot) for plot in (*experiment.plots(tables), *experiment.trace_plots(runs))],
        "traces": {
            run.row: run.trace
            for run in sorted(runs, key=_place)
            if run.trace is not None and run.permutation == 0
        },
    }
    return in_few_lines(json.dumps(_finite(content), indent=2, allow_nan=False)) + "\n"


def in_few_lines(text: str) -> str:
    """Indented JSON whose innermost lists have a line each: curves have thousands of numbers."""
    return re.sub(
        r"\[\n\s+([^\[\]{}]*?)\n\s+\]", lambda found: "[" + re.sub(r"\n\s+", " ", found[1]) + "]", text
    )


def to_csv(experiment: Experiment, tables: Sequence[Table]) -> str:
    """One line for each table, row and measure."""
    out = io.StringIO()
    writer = csv.DictWriter(out, CSV_COLUMNS, lineterminator="\n", extrasaction="ignore")
    writer.writeheader()
    for table in tables:
        for row, cell in table.cells():
            layout = table.layout
            differences = (layout.data_difference, layout.slight_difference, row.row.data_difference)
            place = {
                "experiment": experiment.name,
                "table": layout.published,
                "row": row.row.name,
                "measure": cell.measure.name,
                "runs": row.runs,
                "data_difference": "; ".join(words for words in differences if words),
            }
            writer.writerow({**place, **_figures(cell)})
    return out.getvalue()


def _place(run: Run) -> tuple[int, str]:
    """Runs in an order that does not depend on which of them ended first."""
    return run.permutation, run.row


def _table(table: Table) -> dict[str, Any]:
    return {
        "table": table.layout.published,
        "title": table.layout.title,
        "first_column": table.layout.first_column,
        "source": table.published.source,
        "setting": table.published.setting,
        "data_differences": table.data_differences(),
        "measures": [
            {
                "name": measure.name,
                "heading": measure.heading,
                "decimals": measure.decimals,
                "compared": measure.compared,
            }
            for measure in table.layout.measures
        ],
        "rows": [
            {
                "row": row.row.name,
                "runs": row.runs,
                "published_only": row.row.published_only,
                "measures": {
                    cell.measure.name: {**_figures(cell), "values": list(cell.values)} for cell in row.cells
                },
            }
            for row in table.rows
        ],
    }


def _plot(plot: Plot) -> dict[str, Any]:
    return {
        "title": plot.title,
        "parameter": plot.parameter,
        "measure": plot.measure,
        "parameter_scale": plot.parameter_scale,
        "measure_scale": plot.measure_scale,
        "diagonal": plot.diagonal,
        "levels": dict(plot.levels),
        "lines": [
            {
                "name": line.name,
                "points": [list(point) for point in line.points.items()],
                "beside": [list(words) for words in line.beside.items()],
                "joined": line.joined,
                "deviations": [list(bar) for bar in line.deviations.items()],
            }
            for line in plot.lines
        ],
    }


def _figures(cell: Cell) -> dict[str, Any]:
    published = cell.published
    return {
        "mean": cell.mean,
        "deviation": cell.deviation,
        "published_mean": None if published is None else published.mean,
        "published_deviation": None if published is None else published.deviation,
        "difference": cell.difference,
        "beyond_deviation": cell.beyond_deviation,
        "mark": cell.mark,
    }


def _finite(content: Any) -> Any:
    """The same with None for what JSON has no number for."""
    if isinstance(content, dict):
        return {name: _finite(value) for name, value in content.items()}
    if isinstance(content, list | tuple):
        return [_finite(value) for value in content]
    return None if isinstance(content, float) and not math.isfinite(content) else content


def _own(cell: Cell) -> Text:
    if cell.mean is None:
        return Text("")
    text = Text(_number(cell.mean, cell.deviation, cell.measure.decimals))
    if cell.mark:
        text.append(ARROWS[cell.mark])
        text.stylize("yellow")
    elif cell.beyond_deviation is False:
        text.append("  ")  # keeps the figures of a column in line
    return text


def _published(cell: Cell) -> Text:
    if cell.published is None:
        return Text("")
    return _aligned(cell, _number(cell.published.mean, cell.published.deviation, cell.measure.decimals))


def _difference(cell: Cell) -> Text:
    if cell.difference is None or not cell.measure.compared:
        return Text("")
    return _aligned(cell, f"{cell.difference:+,.{cell.measure.decimals}f}")


def _aligned(cell: Cell, figure: str) -> Text:
    return Text(figure if cell.beyond_deviation is None else f"{figure}  ")


def _number(mean: float, deviation: float | None, decimals: int) -> str:
    spread = "" if deviation is None else f" ±{deviation:,.{decimals}f}"
    return f"{mean:,.{decimals}f}{spread}"
