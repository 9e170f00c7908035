"""Options of structured problems."""

from __future__ import annotations

from typing import Annotated

import typer

from hedgerow.cli.names import Constraints, GrammarInput, ProblemName, Rescaling, Slack, Solver

_STRUCTURED = "Structured output"  # the panel of the help where they stand

ProblemChoice = Annotated[
    ProblemName | None,
    typer.Option(
        help="What is predicted: labels of sequences, classes in a taxonomy, parses, classes, or the best of "
        "candidates. The learners are structured-svm (default) and structured-perceptron.",
        rich_help_panel=_STRUCTURED,
    ),
]
SolverChoice = Annotated[
    Solver | None,
    typer.Option(
        help="Of structured-svm. Default: frank-wolfe for sequence and taxonomy, n-slack for grammar and for any "
        "slack but linear, else one-slack.",
        rich_help_panel=_STRUCTURED,
    ),
]
SlackChoice = Annotated[
    Slack | None,
    typer.Option(
        help="Of structured-svm: what violated constraints cost; none: they are not allowed. Default: linear; of "
        "grammar: quadratic, unless another solver than n-slack is chosen.",
        rich_help_panel=_STRUCTURED,
    ),
]
RescalingChoice = Annotated[
    Rescaling | None,
    typer.Option(
        help="Of structured-svm: what the loss scales; none: all wrong outputs are equally wrong. Default: margin.",
        rich_help_panel=_STRUCTURED,
    ),
]
LabelColumn = Annotated[
    int | None,
    typer.Option(
        help="Of sequence: the column of the labels, from 1, or from -1 backwards. Default: -1, the last one.",
        rich_help_panel=_STRUCTURED,
    ),
]
Comments = Annotated[
    str | None,
    typer.Option(
        metavar="PREFIX",
        help="Of sequence: skip lines that begin so. Default: none.",
        rich_help_panel=_STRUCTURED,
    ),
]
Templates = Annotated[
    str | None,
    typer.Option(
        metavar="FILE|chunking|names|tagged-names",
        help="Of sequence: the features of tokens, in a file with a template a line, as word[-1] word[0] or those of "
        "CRF++, or by name. Default: chunking for tokens with a tag, names for words alone.",
        rich_help_panel=_STRUCTURED,
    ),
]
Order = Annotated[
    int | None,
    typer.Option(
        min=0,
        help="Of sequence: the score of a label looks at so many labels before it. Default: 1.",
        rich_help_panel=_STRUCTURED,
    ),
]
ConstraintsChoice = Annotated[
    Constraints | None,
    typer.Option(
        help="Of sequence: predict valid spans only, of labels B, I, O or B, I, E, S, O. Default: any labels.",
        rich_help_panel=_STRUCTURED,
    ),
]
TaxonomyFile = Annotated[
    str | None,
    typer.Option(
        metavar="FILE",
        help="Of taxonomy: a file with a parent and a child on each line, and a tab between.",
        rich_help_panel=_STRUCTURED,
    ),
]
InputChoice = Annotated[
    GrammarInput | None,
    typer.Option(
        "--input",
        help="Of grammar: parse parts of speech or words. Default: tags.",
        rich_help_panel=_STRUCTURED,
    ),
]
Markov = Annotated[
    int | None,
    typer.Option(
        min=0,
        help="Of grammar: rules of long nodes remember so many neighbouring children. Default: all.",
        rich_help_panel=_STRUCTURED,
    ),
]
ParentsFlag = Annotated[
    bool | None,
    typer.Option(
        "--parents", help="Of grammar: rules depend on the label above.", rich_help_panel=_STRUCTURED
    ),
]
StreamFlag = Annotated[
    bool,
    typer.Option(
        "--stream",
        help="Learn in pieces as they are read, for data larger than memory: structured-perceptron, and "
        "structured-svm with --solver frank-wolfe.",
        rich_help_panel=_STRUCTURED,
    ),
]
