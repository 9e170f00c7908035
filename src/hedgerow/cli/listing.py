"""``hedgerow list``: what there is, by name."""

from __future__ import annotations

import json
import shutil
import sys
import textwrap
from typing import Annotated, Literal

import typer

from hedgerow import registry
from hedgerow.cli.train.named import problems

Kind = Literal["learners", "kernels", "problems", "formats"]


def show(
    what: Annotated[Kind, typer.Argument(metavar="learners|kernels|problems|formats")],
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """List what there is, one per line: learners, kernels, problems or formats.

    Learners, kernels and problems are named by the options of `hedgerow train`, whose help then shows their own
    options: `hedgerow train --learner pa --help`. Expressions combine kernels: `--kernel "sst + 0.5 * linear"`.
    `hedgerow convert` reads all formats.
    """
    rows = problems() if what == "problems" else getattr(registry, what)()
    purposes = {name: row.purpose for name, row in rows.items()}
    if as_json:
        typer.echo(json.dumps(purposes, ensure_ascii=False))
        return
    room = max(map(len, purposes)) + 2
    # One line each on a terminal, whole lines elsewhere.
    width = shutil.get_terminal_size().columns - room if sys.stdout.isatty() else 1000
    for name, purpose in purposes.items():
        typer.echo(f"{name:{room}}{textwrap.shorten(purpose, max(width, 20), placeholder=' ...')}")
