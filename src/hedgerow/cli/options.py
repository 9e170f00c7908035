"""Options that several commands have, written once."""

from __future__ import annotations

from typing import Annotated

import typer

from hedgerow.data.files import matching
from hedgerow.io.formats import FORMATS

_LABELLED = [row.name for row in FORMATS if row.labelled or row.lists]


def _labelled(text: str) -> str:
    if text not in _LABELLED:
        raise typer.BadParameter(f"must be one of {', '.join(_LABELLED)}, got {text!r}")
    return text


Inputs = Annotated[
    list[str],
    typer.Argument(
        metavar="DATA",
        help="Files, or patterns such as 'parts/*.gz'; - is standard input.",
        callback=matching,
    ),
]
Model = Annotated[str, typer.Argument(metavar="MODEL", help="A model file of hedgerow or SVM-light-TK.")]
Output = Annotated[
    str,
    typer.Option(
        "--output", "-o", metavar="OUT", help="File to write, gzip when it ends in .gz; - is standard output."
    ),
]
Format = Annotated[
    str | None,
    typer.Option(
        "--format",
        parser=_labelled,
        metavar=f"[{'|'.join(_LABELLED)}]",
        help="Default: as in training, else by file name.",
    ),
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
