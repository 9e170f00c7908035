"""``hedgerow convert``: files of examples from one format to another."""

from __future__ import annotations

import os
from collections.abc import Iterator
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from hedgerow.cli.failures import DATA, complain
from hedgerow.cli.formats import OutputFormat, ReadOptions, files_in, read_examples
from hedgerow.cli.options import SpacesInLeaves
from hedgerow.cli.outputs import write_examples
from hedgerow.cli.progress import with_progress
from hedgerow.data import FormatError
from hedgerow.data.converters.postorder import safe_label
from hedgerow.data.files import name_of
from hedgerow.io.examples import Table
from hedgerow.io.formats import InputFormat, guess_format
from hedgerow.io.patterns import matching


class LabelSource(StrEnum):
    folder = "folder"


class OnError(StrEnum):
    stop = "raise"
    collect = "collect"


class DependencyForm(StrEnum):
    grct = "grct"
    lct = "lct"


_PYTHON, _MARKUP, _CONLLU = "Python", "XML and HTML", "CoNLL-U"

Inputs = Annotated[
    list[str],
    typer.Argument(
        metavar="INPUT",
        help="Files or folders, also patterns as 'parts/*.gz'; - is standard input.",
        callback=matching,
    ),
]
Output = Annotated[
    str, typer.Option("--output", "-o", help="File to write, gzip when it ends in .gz; - is standard output.")
]
From = Annotated[
    InputFormat | None, typer.Option("--from", help="Format of the inputs. Default: by file name.")
]
To = Annotated[
    OutputFormat | None,
    typer.Option("--to", help="Format of the output. Default: by file name, else brackets."),
]
Errors = Annotated[
    OnError,
    typer.Option(
        help="raise: stop at the first bad example and write nothing. collect: write the good ones, list the errors on "
        "standard error and end with exit code 1."
    ),
]
Label = Annotated[
    str | None, typer.Option(metavar="TEXT", help="Label of all examples from inputs without labels.")
]
LabelsFrom = Annotated[
    LabelSource | None,
    typer.Option(help="folder: the label is the name of the folder that the input file is in."),
]
Column = Annotated[
    str | None,
    typer.Option(
        metavar="NAME", help="The column of trees to write, when SVM-light-TK examples have several parts."
    ),
]
Identifiers = Annotated[
    bool, typer.Option(help="Names of variables, functions, ... as leaves.", rich_help_panel=_PYTHON)
]
Constants = Annotated[
    bool, typer.Option(help="Constants as leaves, or only their types.", rich_help_panel=_PYTHON)
]
Attributes = Annotated[bool, typer.Option(help="Attributes as nodes @name.", rich_help_panel=_MARKUP)]
Text = Annotated[bool, typer.Option(help="Words of the text as leaves.", rich_help_panel=_MARKUP)]
Form = Annotated[
    DependencyForm,
    typer.Option(help="Trees centred on relations (grct) or on words (lct).", rich_help_panel=_CONLLU),
]
Prefixes = Annotated[
    bool, typer.Option(help="Mark labels with SYNT##, POS## and LEX##.", rich_help_panel=_CONLLU)
]


def convert(
    inputs: Inputs,
    output: Output = "-",
    source: From = None,
    target: To = None,
    errors: Errors = OnError.stop,
    label: Label = None,
    labels_from: LabelsFrom = None,
    column: Column = None,
    spaces_in_leaves: SpacesInLeaves = False,
    identifiers: Identifiers = True,
    constants: Constants = True,
    attributes: Attributes = True,
    text: Text = True,
    form: Form = DependencyForm.grct,
    prefixes: Prefixes = True,
) -> None:
    """Convert files of examples from one format to another.

    Several inputs are written one after the other. A folder stands for all files of the format --from in it
    and its subfolders, in sorted order. Files may be gzip. The output appears only when all of it is written.

    Formats:

    - **svmlight-tk**, in and out: lines `LABEL |BT| tree |ET| 1:0.5 7:2 |EV|`
      (.tk, .dat, .svm, .svmlight, .libsvm)
    - **brackets**, in and out: `(S (NP Mary) (VP sings))` (.mrg, .ptb, .tree, .trees, .brackets)
    - **python**, **xml**, **html**, in: one document per file
    - **json**, in: one document per file, or with **jsonl** one per line
    - **json**, out: one tree per line, as `["label", child, ...]` where every child has the same form
    - **conllu**, in: dependency parses

    Labels are not kept in brackets and json; comments are kept nowhere.

    Examples:

    - `hedgerow convert wsj.mrg -o wsj.tk --label 1`
    - `hedgerow convert projects/ --from python --labels-from folder -o code.tk.gz`
    - `hedgerow convert page.html --no-attributes`
    - `hedgerow convert train.tk --to json | head -1`
    """
    files = list(_find_files(inputs, source))
    target = target or _guess_target(output)
    if target is OutputFormat.svmlight_tk and label is None and labels_from is None:
        _require_labels(files)
    options = ReadOptions(
        spaces_in_leaves,
        python={"identifiers": identifiers, "constants": constants},
        markup={"attributes": attributes, "text": text},
        conllu={"form": form.value, "prefixes": prefixes},
    )
    tables, problems = _read(files, options, errors, label, labels_from is not None)
    if tables:
        write_examples(Table.concatenate(tables), output, target, column, spaces_in_leaves)
    elif not problems:
        raise ValueError(f"no example in {', '.join(path for path, _ in files)}")
    _complain_of(problems, sum(map(len, tables)))


def _read(
    files: list[tuple[str, InputFormat]],
    options: ReadOptions,
    errors: OnError,
    label: str | None,
    by_folder: bool,
) -> tuple[list[Table], list[FormatError]]:
    """The examples of all files, and what is wrong with the others."""
    tables: list[Table] = []
    problems: list[FormatError] = []
    for path, kind in with_progress(files, "Reading"):
        table, found = read_examples(path, kind, options)
        if found and errors is OnError.stop:
            raise found[0]
        problems.extend(found)
        if kind is not InputFormat.svmlight_tk:
            name = label if label is not None else _folder_label(path) if by_folder else ""
            table = table.relabelled(name)
        if len(table):
            tables.append(table)
    return tables, problems


def _complain_of(problems: list[FormatError], good: int) -> None:
    for problem in problems:
        complain(str(problem))
    if problems:
        n = len(problems)
        complain(f"{n} of {n + good} examples could not be read; the others were written")
        raise typer.Exit(DATA)


def _find_files(inputs: list[str], source: InputFormat | None) -> Iterator[tuple[str, InputFormat]]:
    """Every input file with its format."""
    for path in inputs:
        if os.path.isdir(path):
            if source is None:
                raise typer.BadParameter(f"say which files of the folder {path} to read", param_hint="--from")
            found = files_in(path, source)
            if not found:
                raise FileNotFoundError(f"{path}: no {source.value} file in this folder")
            yield from ((file, source) for file in found)
        else:
            kind = source or guess_format(path)
            if kind is None:
                what = name_of(path)
                raise typer.BadParameter(
                    f"cannot tell the format of {what}, please say it", param_hint="--from"
                )
            yield path, kind


def _guess_target(output: str) -> OutputFormat:
    if output == "-":
        return OutputFormat.brackets
    guess = guess_format(output)
    if guess is InputFormat.jsonl:
        return OutputFormat.json
    if guess is None or guess.value not in list(OutputFormat):
        raise typer.BadParameter(f"cannot tell the format of {output}, please say it", param_hint="--to")
    return OutputFormat(guess.value)


def _require_labels(files: list[tuple[str, InputFormat]]) -> None:
    for path, kind in files:
        if kind is not InputFormat.svmlight_tk:
            raise typer.BadParameter(
                f"{path} has no labels, which svmlight-tk needs; give --label TEXT or --labels-from folder",
                param_hint="--to",
            )


def _folder_label(path: str) -> str:
    if path == "-":
        raise typer.BadParameter("standard input is in no folder", param_hint="--labels-from")
    return safe_label(Path(path).resolve().parent.name)
