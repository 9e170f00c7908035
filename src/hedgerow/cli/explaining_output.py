"""How ``hedgerow explain`` shows what it has found: in colours on a terminal, plain in a pipe, as JSON, as a page."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from html import escape
from typing import Any

import typer
from rich.console import Console, Group
from rich.table import Table
from rich.text import Text

from hedgerow.cli.explaining import Explained
from hedgerow.data.files import writing
from hedgerow.data.tree_text import tree_text
from hedgerow.inspection import Account, Explanation, Fragment, Fragments, SequenceExplanation, Weights


def write(found: Iterable[Explained], as_json: str | None, as_html: str | None, title: str) -> None:
    """To files, if these are asked for, else to the terminal as it comes."""
    if as_json is not None or as_html is not None:
        everything = list(found)
        if as_json is not None:
            _write_text(as_json, json.dumps(_dictionary(everything), ensure_ascii=False, default=str) + "\n")
        if as_html is not None:
            _write_text(as_html, page(everything, title))
        return
    console = Console(highlight=False)
    for number, one in enumerate(found):
        if number:
            typer.echo()
        if console.is_terminal:
            console.print(shown(one))
        else:
            typer.echo(plain(one))


def _write_text(path: str, text: str) -> None:
    with writing(path) as out:
        out.write(text.encode())


def _dictionary(found: Sequence[Explained]) -> dict[str, Any]:
    if found and found[0].number is None:
        return dict(_chosen(found[0].what, found[0].labels).to_dict())
    return {
        "explanations": [
            {"example": one.number, "true": one.true or None, **_chosen(one.what, one.labels).to_dict()}
            for one in found
        ]
    }


def _chosen(what: Any, labels: list[Any] | None) -> Any:
    """Only what belongs to some of the classes."""
    if labels is None or isinstance(what, SequenceExplanation):
        return what
    if isinstance(what, Fragments):
        kept = tuple(fragment for fragment in what if fragment.label in labels)
        return Fragments(kept, labels, what.exact, {label: what.bounds[label] for label in labels})
    if isinstance(what, Weights):
        return Weights(tuple(table for table in what if table.label in labels))
    return Explanation(what.predicted, tuple(what[label] for label in labels), what.trees)


def _heading(one: Explained) -> str:
    if one.number is None:
        return ""
    true = f", labelled {one.true}" if one.true else ""
    return f"example {one.number}{true}"


# -- plain ---------------------------------------------------------------------------------------------------


def plain(one: Explained) -> str:
    """A line for each contribution."""
    what = _chosen(one.what, one.labels)
    text = what.to_text(one.labels) if isinstance(what, SequenceExplanation) else str(what)
    heading = _heading(one)
    return f"{heading}: {text}" if heading else text


# -- on a terminal -------------------------------------------------------------------------------------------


def shown(one: Explained) -> Group:
    """Tables in colours, with trees drawn by lines."""
    what = _chosen(one.what, one.labels)
    if isinstance(what, Fragments):
        return Group(*(_fragments(what, label) for label in what.labels))
    if isinstance(what, Weights):
        return Group(*(_weights(str(table.label), table.features) for table in what))
    if isinstance(what, SequenceExplanation):
        parts: list[Any] = [Text(f"{_heading(one)}: score {what.score:.6g}", style="bold")]
        for account in what.accounts:
            if one.labels is None or str(account.label[1]) in one.labels:
                parts.append(_account(account, f"{account.label[0]}  {account.label[1]}"))
        return Group(*parts)
    parts = [Text(f"{_heading(one)}: predicted {what.predicted}", style="bold")]
    for name, tree in what.trees.items():
        parts.append(Text(tree_text(tree, what.main.nodes.get(name))))
    ordered = sorted(what.accounts, key=lambda account: (account.label != what.predicted, -account.score))
    return Group(*parts, *(_account(account, str(account.label)) for account in ordered))


def _table(title: str) -> Table:
    table = Table(title=title, title_justify="left", title_style="bold", box=None, show_header=False)
    table.add_column(justify="right", vertical="top", no_wrap=True)
    table.add_column(overflow="fold")
    return table


def _number(value: float) -> Text:
    return Text(f"{value:+.4g}", style="blue" if value > 0 else "dark_orange3")


def _named(what: Any) -> Text:
    return Text(tree_text(what) if isinstance(what, Fragment) else str(what))


def _fragments(found: Fragments, label: Any) -> Table:
    table = _table(str(label))
    for fragment in found.of(label):
        table.add_row(_number(fragment.weight), _named(fragment))
    if note := found.note(label):
        table.add_row("", Text(note, style="dim"))
    return table


def _weights(title: str, features: Sequence[Any]) -> Table:
    table = _table(title)
    for feature in features:
        table.add_row(_number(feature.weight), _named(feature))
    return table


def _account(account: Account, title: str) -> Table:
    table = _table(f"{title}: {account.score:.6g}")
    for one in account.contributions:
        table.add_row(_number(one.contribution), _named(one))
    for name, value in account.rest():
        if value:
            table.add_row(_number(value), Text(name, style="dim"))
    if note := account.note():
        table.add_row("", Text(note, style="dim"))
    return table


# -- as a page -----------------------------------------------------------------------------------------------


def page(found: Sequence[Explained], title: str) -> str:
    """A page that needs nothing else."""
    parts = []
    for one in found:
        what = _chosen(one.what, one.labels)
        inside = what.to_html(one.labels) if isinstance(what, SequenceExplanation) else what._repr_html_()
        heading = f"<h2>{escape(_heading(one))}</h2>" if one.number is not None else ""
        parts.append(f"<section>{heading}{inside}</section>")
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"/>'
        f"<title>{escape(title)}</title><style>:root {{ color-scheme: light dark }} "
        "body { font-family: system-ui, sans-serif; margin: 2em auto; max-width: 75em; padding: 0 1em }</style></head>"
        f"<body><h1>{escape(title)}</h1>{''.join(parts)}</body></html>\n"
    )
