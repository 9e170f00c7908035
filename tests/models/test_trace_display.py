"""Traces in notebooks."""

from __future__ import annotations

import re

import pytest

from hedgerow.models.trace import MOST_ROWS, Trace


@pytest.mark.parametrize("entries", [0, 1, MOST_ROWS, MOST_ROWS + 1, 1000])
def test_table_has_all_columns_and_few_rows(entries: int) -> None:
    trace = Trace({"examples": range(entries), "seconds": [0.5 * i for i in range(entries)]})
    page = trace._repr_html_()
    assert re.findall("<th>(.*?)</th>", page) == ["examples", "seconds"]
    rows = [re.findall("<td>(.*?)</td>", row) for row in re.findall("<tr>(.*?)</tr>", page)][1:]
    assert len(rows) == min(entries, MOST_ROWS + 1)
    if entries:
        assert rows[0] == ["0", "0"]
        assert rows[-1] == [f"{entries - 1:.6g}", f"{0.5 * (entries - 1):.6g}"]
    assert (["...", "..."] in rows) == (entries > MOST_ROWS)


def test_names_are_escaped() -> None:
    assert "<th>&lt;b&gt;</th>" in Trace({"<b>": [1.0]})._repr_html_()
