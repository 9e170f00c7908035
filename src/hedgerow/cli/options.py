"""Options that several commands have, written once."""

from __future__ import annotations

from typing import Annotated

import typer

from hedgerow.io.formats import DataFormat
from hedgerow.io.patterns import matching

Inputs = Annotated[
    list[str],
    typer.Argument(
        metavar="DATA",
        help="Files, also patterns as 'parts/*.gz'; - is standard input.",
        callback=matching,
    ),
]
Model = Annotated[str, typer.Argument(metavar="MODEL", help="A model file of hedgerow or SVM-light-TK.")]
Format = Annotated[
    DataFormat | None, typer.Option("--format", help="Default: as in training, else by file name.")
]
SpacesInLeaves = Annotated[
    bool, typer.Option("--spaces-in-leaves", help="Read (N New York) as one leaf, as SVM-light-TK does.")
]
Normalize = Annotated[
    bool | None,
    typer.Option(
        "--normalize/--no-normalize",
        help="Give every item length 1 under the kernel. Default: trees only.",
        rich_help_panel="Kernel",
    ),
]
