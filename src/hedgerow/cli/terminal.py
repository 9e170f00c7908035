"""What commands print for people, in which names and labels cannot carry control characters or markup."""

from __future__ import annotations

from typing import Any

import typer
from rich.console import Console
from rich.text import Text

from hedgerow.visible import visible


def say(text: object, *, err: bool = False) -> None:
    """Prints lines."""
    typer.echo(visible(str(text), lines=True), err=err)


def words(text: str, style: str = "") -> Text:
    """Text of others for tables."""
    return Text(visible(text, lines=True), style)


class Terminal(Console):
    """A console for which strings, those of tables too, are words and nothing else."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(markup=False, highlight=False, emoji=False, **settings)

    def render_str(self, text: str, **settings: Any) -> Text:
        return super().render_str(visible(text, lines=True), **settings)
