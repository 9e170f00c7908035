"""Options that several commands have, written once."""

from __future__ import annotations

from typing import Annotated

import typer

from hedgerow.io.patterns import matching

Inputs = Annotated[
    list[str],
    typer.Argument(
        metavar="DATA",
        help="Files, also patterns as 'parts/*.gz'; - is standard input.",
        callback=matching,
    ),
]
Normalize = Annotated[
    bool | None,
    typer.Option(
        "--normalize/--no-normalize",
        help="Give every item length 1 under the kernel. Default: trees only.",
        rich_help_panel="Kernel",
    ),
]
