"""Whether one row of a table is better than another, run by run."""

from __future__ import annotations

import math
import statistics

from hedgerow_papers.experiments.summary import Table


def compare(table: Table, row: str, other: str, measure: str, claim: str, higher: bool = False) -> list[str]:
    """What the runs say to the claim that a row has a lower (or higher) measure than another; [] without runs.

    Runs of the two rows are of the same data, so their differences vary less than the figures. The claim counts as
    found when their mean is away from 0 by two standard errors.
    """
    values = {cells.row.name: cell.values for cells, cell in table.cells() if cell.measure.name == measure}
    pairs = list(zip(values.get(row, ()), values.get(other, ()), strict=False))
    if not pairs:
        return []
    differences = [mine - theirs for mine, theirs in pairs]
    mean = statistics.fmean(differences)
    gain = mean if higher else -mean
    means = f"{statistics.fmean(mine for mine, _ in pairs):.3f} against {statistics.fmean(t for _, t in pairs):.3f}"
    if len(differences) < 2:
        return [f"{claim}: {'found' if gain > 0 else 'not found'} ({means}, one run)."]
    error = statistics.stdev(differences) / math.sqrt(len(differences))
    held = "found" if gain > 2 * error else "not found" if gain <= 0 else "not beyond chance"
    return [f"{claim}: {held} ({means}, difference {mean:+.3f} ± {error:.3f})."]
