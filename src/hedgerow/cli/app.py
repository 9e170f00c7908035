"""The application: all commands, and the option --version."""

from __future__ import annotations

from typing import Annotated

import typer

from hedgerow.cli import version_line
from hedgerow.cli.commands import LazyGroup

app = typer.Typer(
    cls=LazyGroup,
    no_args_is_help=True,
    rich_markup_mode="markdown",
    context_settings={"help_option_names": ["-h", "--help"]},
    help="Large-margin learning over trees, strings and vectors.",
    epilog="Exit codes: 0 all went well, 1 something is wrong with the data, 2 with the command line, 130 "
    "interrupted (143 by SIGTERM, 129 by SIGHUP).",
)


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(version_line())
        raise typer.Exit


@app.callback()
def _main(
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    pass
