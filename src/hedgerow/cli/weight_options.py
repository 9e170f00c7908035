"""Options of learners that keep weights."""

from __future__ import annotations

from typing import Annotated

import typer

from hedgerow.cli.names import Schedule, Update

_WEIGHTS = "Without a kernel"  # the panel of the help where they stand

L1 = Annotated[
    float | None,
    typer.Option(
        "--l1", help="Pulls weights to 0, so that few are left. Default: 0.", rich_help_panel=_WEIGHTS
    ),
]
L2 = Annotated[
    float | None,
    typer.Option("--l2", help="Keeps weights small. Default: 0.", rich_help_panel=_WEIGHTS),
]
LearningRate = Annotated[
    float | None,
    typer.Option(help="The size of steps. Default: the learner's own.", rich_help_panel=_WEIGHTS),
]
Margin = Annotated[
    float | None,
    typer.Option(
        help="Of mbw: examples within it are learned from too. Default: 1.", rich_help_panel=_WEIGHTS
    ),
]
Promotion = Annotated[
    float | None,
    typer.Option(help="Of winnow, bw, mbw: what raises weights. Default: 1.5.", rich_help_panel=_WEIGHTS),
]
Demotion = Annotated[
    float | None,
    typer.Option(help="Of winnow, bw, mbw: what lowers weights. Default: 0.5.", rich_help_panel=_WEIGHTS),
]
Threshold = Annotated[
    float | None,
    typer.Option(
        help="Of winnow, bw, mbw: of the score (default: 1); of truncated-gradient: weights above it stay as they "
        "are (default: none).",
        rich_help_panel=_WEIGHTS,
    ),
]
MaxFeatures = Annotated[
    int | None,
    typer.Option(
        help="Of mbw: keep no more features than that, the extremal ones. Default: all.",
        rich_help_panel=_WEIGHTS,
    ),
]
Top = Annotated[
    float | None,
    typer.Option(
        help="Of --max-features: the share of large weights among those kept. Default: 0.9.",
        rich_help_panel=_WEIGHTS,
    ),
]
UpdateChoice = Annotated[
    Update | None,
    typer.Option(
        help="Of rda, adagrad-rda and fobos: learn from all examples or from mistakes only. Default: all.",
        rich_help_panel=_WEIGHTS,
    ),
]
TruncateEvery = Annotated[
    int | None,
    typer.Option(
        help="Of truncated-gradient: examples between two truncations. Default: 1.",
        rich_help_panel=_WEIGHTS,
    ),
]
ScheduleChoice = Annotated[
    Schedule | None,
    typer.Option(help="Of truncated-gradient: its steps. Default: constant.", rich_help_panel=_WEIGHTS),
]
Alpha = Annotated[
    float | None,
    typer.Option(help="Of ftrl: the size of steps. Default: 0.1.", rich_help_panel=_WEIGHTS),
]
Beta = Annotated[
    float | None,
    typer.Option(help="Of ftrl: dampens the first steps. Default: 1.", rich_help_panel=_WEIGHTS),
]
R = Annotated[
    float | None,
    typer.Option(
        "--r", help="Of arow: how little single examples count. Default: 1.", rich_help_panel=_WEIGHTS
    ),
]
Confidence = Annotated[
    float | None,
    typer.Option(
        help="Of scw: the probability with which examples are to be classified rightly. Default: 0.9.",
        rich_help_panel=_WEIGHTS,
    ),
]
