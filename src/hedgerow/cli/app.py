"""The application: all commands of hedgerow itself, and the option --version."""

from __future__ import annotations

from typing import Annotated

import typer

import hedgerow
from hedgerow.cli.convert import convert
from hedgerow.cli.evaluate import evaluate
from hedgerow.cli.explain import explain
from hedgerow.cli.plugins import ExtensibleGroup
from hedgerow.cli.predict import predict
from hedgerow.cli.report import report
from hedgerow.cli.svm_classify import svm_classify
from hedgerow.cli.svm_learn import svm_learn
from hedgerow.cli.train import train
from hedgerow.cli.tune import tune

app = typer.Typer(
    cls=ExtensibleGroup,
    no_args_is_help=True,
    rich_markup_mode="markdown",
    context_settings={"help_option_names": ["-h", "--help"]},
    help="Large-margin learning over trees, strings and vectors.",
    epilog="Exit codes: 0 all went well, 1 something is wrong with the data, 2 with the command line, 130 "
    "interrupted.",
)
for command in (train, predict, evaluate, explain, tune, convert, report):
    app.command()(command)
for old_command in (svm_learn, svm_classify):
    # Their flags are their own, -h among them, and typer calls commands svm-learn unless told otherwise.
    app.command(
        old_command.__name__,
        context_settings={"ignore_unknown_options": True, "help_option_names": ["--help", "-?"]},
    )(old_command)


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"hedgerow {hedgerow.__version__}")
        raise typer.Exit


@app.callback()
def _main(
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    pass
