"""Reproductions: what ``hedgerow reproduce --json`` writes, published figures below hedgerow's own.

The form of the JSON is described in `hedgerow_papers.experiments.report`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from hedgerow.report.blocks import Block, Cell, CellTable, Facts, Gallery, Item, Paragraph, Section
from hedgerow.report.figures import new_axes, picture
from hedgerow.report.numbers import seconds, several, whole
from hedgerow.report.traces import TraceItem, kind_of, trace_blocks
from hedgerow_papers.experiments import Line, Plot
from hedgerow_papers.report.experiment_plots import draw_plot

ARROWS = {"above": "↑", "below": "↓"}


@dataclass(frozen=True)
class ReproductionItem(Item):
    """A reproduction, as an item of a report."""

    content: Mapping[str, Any]
    kind: ClassVar[str] = "reproduction"

    def section(self) -> Section:
        return _section(self.name, self.content)


def reproduction_item(content: Mapping[str, Any]) -> ReproductionItem | None:
    """What ``hedgerow report`` asks: is this a reproduction?"""
    if {"experiment", "tables"} <= content.keys():
        return ReproductionItem(str(content["experiment"]), content)
    return None


def _section(name: str, content: Mapping[str, Any]) -> Section:
    """Tables, what they say, and plots."""
    title = content.get("title", "")
    blocks: list[Block] = [Paragraph(f"{title[0].upper()}{title[1:]}.")] if title else []
    blocks.append(Facts(_facts(content)))
    for table in content["tables"]:
        if any(row["runs"] for row in table["rows"]):
            blocks += _table(table)
    blocks += [Paragraph(finding) for finding in content.get("findings", ())]
    asides = [*([content["legend"]] if content.get("legend") else []), *content.get("notes", ())]
    blocks += [Paragraph(note, aside=True) for note in asides]
    if content.get("plots"):
        blocks.append(Gallery([_drawn(_plot(plot)) for plot in content["plots"]]))
    traces = [
        TraceItem(row, columns)
        for row, columns in content.get("traces", {}).items()
        if kind_of(columns) is not None
    ]
    blocks += trace_blocks(traces)
    return Section(name, blocks, kicker="Reproduction")


def _facts(content: Mapping[str, Any]) -> list[tuple[str, str]]:
    facts: list[tuple[str, str]] = []
    if "runs" in content:
        left = "" if content["complete"] else f" of {content['runs_wanted']:,}; the others were not run"
        facts.append(("Runs", f"{content['runs']:,}{left}"))
    elif not content.get("complete", True):
        facts.append(("Complete", "no: it was interrupted"))
    if content.get("permutations"):
        facts.append(("Runs of a row", whole(content["permutations"])))
    if content.get("quick"):
        facts.append(("Quick", "yes: little data, so the figures are not comparable with the published ones"))
    if "seed" in content:
        facts.append(("Seed", str(content["seed"])))
    if content.get("minutes"):
        facts.append(("Time of all runs", seconds(60 * content["minutes"])))
    if content.get("hedgerow"):
        facts.append(("With", f"hedgerow {content['hedgerow']}"))
    return facts


def _table(table: Mapping[str, Any]) -> list[Block]:
    measures = _measures(table)
    rows = [
        [
            Cell(row["row"], under="published only" if row.get("published_only") else ""),
            Cell(whole(row["runs"]) if row["runs"] else ""),
            *(_cell(row["measures"].get(measure["name"], {}), measure["decimals"]) for measure in measures),
        ]
        for row in table["rows"]
        if row["runs"] or row.get("published_only")
    ]
    headings = [table.get("first_column", ""), "Runs", *(measure["heading"] for measure in measures)]
    drawn = CellTable(headings, rows, caption=table.get("title", table["table"]))
    small = any(cell.under for cells in rows for cell in cells[1:])
    said = [
        f"{'Published, in small print' if small else 'Published'}: {table['source']}: {table['setting']}."
    ]
    if different := table.get("data_differences"):
        said.append(f"Other data than published. {'; '.join(different)}.")
    return [drawn, Paragraph(" ".join(said), aside=True)]


def _measures(table: Mapping[str, Any]) -> Sequence[Mapping[str, Any]]:
    """The columns; their names do where nothing else is said about them."""
    names = dict.fromkeys(name for row in table["rows"] for name in row["measures"])
    return table.get("measures") or [{"name": name, "heading": name, "decimals": 2} for name in names]


def _cell(figures: Mapping[str, Any], decimals: int) -> Cell:
    """Own figure with a mark, and the published one below with the difference."""
    own = _number(figures.get("mean"), figures.get("deviation"), decimals)
    published = _number(figures.get("published_mean"), figures.get("published_deviation"), decimals)
    mark = ARROWS.get(figures.get("mark") or "")
    if mark is None and figures.get("beyond_deviation"):
        mark = "↑" if figures["difference"] > 0 else "↓"
    return Cell(f"{own} {mark}" if mark else own, under=published, strong=bool(mark))


def _number(mean: float | None, deviation: float | None, decimals: int) -> str:
    if mean is None:
        return ""
    spread = "" if deviation is None else f" ±{deviation:,.{decimals}f}"
    return f"{mean:,.{decimals}f}{spread}"


def _plot(content: Mapping[str, Any]) -> Plot:
    lines = tuple(
        Line(
            line["name"],
            dict(line["points"]),
            dict(line.get("beside", ())),
            line.get("joined", True),
            dict(line.get("deviations", ())),
        )
        for line in content["lines"]
    )
    known = ("title", "parameter", "measure", "levels", "parameter_scale", "measure_scale", "diagonal")
    return Plot(lines=lines, **{name: content[name] for name in known if name in content})


def _drawn(plot: Plot) -> Any:
    with new_axes() as ax:
        draw_plot(plot, ax)
        title = ax.get_title()
        ax.set_title("")  # it stands below
        names = ", ".join(dict.fromkeys(line.name for line in plot.lines))
        label = f"{title}: {plot.measure} by {plot.parameter}, {several(len(plot.lines), 'line')}: {names}"
        return picture(ax, label, title)
