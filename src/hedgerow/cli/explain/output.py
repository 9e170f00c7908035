"""How ``hedgerow explain`` shows what it has found: in colours on a terminal, plain in a pipe, as JSON, as a page."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Any

import typer
from rich.console import Console, Group
from rich.table import Table
from rich.text import Text

from hedgerow.cli.explain.examples import Explained
from hedgerow.data.files import writing
from hedgerow.inspection.findings import Listing


def write(found: Iterable[Explained], as_json: str | None, as_html: str | None, title: str) -> None:
    """To files, if these are asked for, else to the terminal as it comes."""
    if as_json is not None or as_html is not None:
        everything = list(found)
        if as_json is not None:
            with writing(as_json) as out:
                text = json.dumps(_dictionary(everything), ensure_ascii=False, default=str)
                out.write(f"{text}\n".encode())
        if as_html is not None:
            _write_page(everything, title, as_html)
        return
    console = Console(highlight=False)
    for number, one in enumerate(found):
        if number:
            typer.echo()
        if console.is_terminal:
            console.print(_shown(one))
        else:
            typer.echo(_headed(one, str(one.findings)))


def _dictionary(found: Sequence[Explained]) -> dict[str, Any]:
    if found and found[0].number is None:
        return found[0].findings.to_dict()
    return {
        "explanations": [
            {"example": one.number, "true": one.true or None, **one.findings.to_dict()} for one in found
        ]
    }


def _write_page(found: Sequence[Explained], title: str, path: str) -> None:
    from hedgerow.report import Report

    page = Report(title)
    for one in found:
        page.add(one.findings, one.heading or None)
    page.write(path)


def _headed(one: Explained, text: str) -> str:
    return f"{one.heading}: {text}" if one.heading else text


def _shown(one: Explained) -> Group:
    """Tables in colours, with trees drawn by lines."""
    findings = one.findings
    title = _headed(one, findings.title)
    return Group(
        *([Text(title, style="bold")] if title else []),
        *(Text(drawing.to_text()) for drawing in findings.drawings()),
        *map(_table, findings.listings()),
    )


def _table(listing: Listing) -> Table:
    table = Table(title=listing.title, title_justify="left", title_style="bold", box=None, show_header=False)
    table.add_column(justify="right", vertical="top", no_wrap=True)
    table.add_column(overflow="fold")
    for entry in listing.entries:
        table.add_row(_number(entry.amount), Text(entry.what.to_text()))
    for name, value in listing.rest:
        table.add_row(_number(value), Text(name, style="dim"))
    if listing.note:
        table.add_row("", Text(listing.note, style="dim"))
    return table


def _number(value: float) -> Text:
    return Text(f"{value:+.4g}", style="blue" if value > 0 else "dark_orange3")
