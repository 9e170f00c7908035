"""Options that several commands have, written once."""

from __future__ import annotations

from typing import Annotated

import typer

from hedgerow.io.formats import DataFormat
from hedgerow.io.patterns import matching

DATA = "Data"  # the panel of the help where options of the data stand

Inputs = Annotated[
    list[str],
    typer.Argument(
        metavar="DATA",
        help="Files, also patterns as 'parts/*.gz'; - is standard input.",
        callback=matching,
    ),
]
Format = Annotated[
    DataFormat | None,
    typer.Option(
        "--format", help="Default: text for kernels of texts, else by file name.", rich_help_panel=DATA
    ),
]
Column = Annotated[
    str | None,
    typer.Option(
        metavar="NAME", help="The part of the examples to use, as tree_2 or vector.", rich_help_panel=DATA
    ),
]
Features = Annotated[
    int | None,
    typer.Option(
        min=1, help="Width of the vectors. Default: the highest feature of the data.", rich_help_panel=DATA
    ),
]
Tokens = Annotated[
    bool, typer.Option("--tokens", help="Symbols of texts are words, not characters.", rich_help_panel=DATA)
]
HashBits = Annotated[
    int | None,
    typer.Option(
        min=1,
        max=30,
        help="Without a kernel: keep 2 to this power weights, whatever features come. Default: all features of "
        "vectors, 20 for texts (16 with --problem).",
        rich_help_panel=DATA,
    ),
]
Ngrams = Annotated[
    int | None,
    typer.Option(
        min=1,
        help="Texts without a kernel: the features are sequences of up to so many words. Default: 1.",
        rich_help_panel=DATA,
    ),
]
SpacesInLeaves = Annotated[
    bool,
    typer.Option(
        "--spaces-in-leaves",
        help="Read (N New York) as one leaf, as SVM-light-TK does.",
        rich_help_panel=DATA,
    ),
]
