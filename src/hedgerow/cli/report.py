"""``hedgerow report``: one page about models, their training and how well they do."""

from __future__ import annotations

from typing import Annotated

import typer


def report(
    files: Annotated[
        list[str],
        typer.Argument(metavar="FILES...", help="Models, traces and evaluations; - is standard input."),
    ],
    output: Annotated[
        str, typer.Option("--output", "-o", metavar="PAGE", help="The page to write; - is standard output.")
    ] = "report.html",
    title: Annotated[str, typer.Option(help="Title of the page.")] = "hedgerow report",
) -> None:
    """Write one HTML page about trained models and how well they do.

    Files may be, in any order and under any name:

    - **models**, as hedgerow train writes them: what was trained, with what parameters, what matters in it
    - **traces** (train --trace): learning curves, supports and CPU time
    - **evaluations** (evaluate --json): accuracy, precision, recall and F1, confusions
    - **reproductions** (reproduce --json, of the package hedgerow-papers): published figures and hedgerow's own

    The page is one file that loads nothing, for any browser, light or dark, wide or narrow, and for paper.

    Examples:

    - `hedgerow report questions.model`
    - `hedgerow report questions.model test.json -o questions.html --title "Questions"`
    - `hedgerow evaluate questions.model test.tk --json | hedgerow report questions.model - -o questions.html`
    """
    # Imported here: matplotlib takes its time to load.
    from hedgerow.cli.paths import check_output
    from hedgerow.cli.terminal import say
    from hedgerow.report import Report

    check_output(output, files)
    page = Report(title)
    for path in files:
        page.add(path)
    page.write(output)
    if output != "-":
        say(f"{output}: {page.summary()}")
