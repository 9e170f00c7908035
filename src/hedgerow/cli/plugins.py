"""Commands of other packages, which declare them as entry points of the group ``hedgerow.commands``."""

from __future__ import annotations

from importlib.metadata import EntryPoint, entry_points
from typing import Any

import typer

from hedgerow.cli.failures import CleanGroup

GROUP = "hedgerow.commands"


class ExtensibleGroup(CleanGroup):
    """The commands of hedgerow, then those of other packages, which are imported when they are asked for."""

    def list_commands(self, ctx: Any) -> list[str]:
        own = super().list_commands(ctx)
        return [*own, *sorted(_points().keys() - set(own))]

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        own = super().get_command(ctx, cmd_name)
        if own is not None or cmd_name not in _points():
            return own
        return _command(_points()[cmd_name])


def _points() -> dict[str, EntryPoint]:
    return {point.name: point for point in entry_points(group=GROUP)}


def _command(point: EntryPoint) -> Any:
    try:
        return _made(point.load(), point.name)
    except Exception as error:  # whatever is wrong with it must not break the other commands
        package = point.dist.name if point.dist is not None else point.value
        return _refusal(point.name, f"{package} cannot be loaded: {type(error).__name__}: {error}")


def _refusal(name: str, sentence: str) -> Any:
    """A command that only says why it cannot run."""

    def refuse(_: typer.Context) -> None:
        raise ImportError(sentence)

    anything = {"ignore_unknown_options": True, "allow_extra_args": True}
    return _made(refuse, name, help=sentence, context_settings=anything)


def _made(function: Any, name: str, **settings: Any) -> Any:
    app = typer.Typer(rich_markup_mode="markdown", add_completion=False)
    app.command(name, **settings)(function)
    return typer.main.get_command(app)
