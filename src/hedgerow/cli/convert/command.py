"""``hedgerow convert``: files of examples from one format to another."""

from __future__ import annotations

import os
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Annotated, Any, Literal

import typer

from hedgerow.cli.convert.files import TARGETS, FileRead, files_in, read_all, write_examples
from hedgerow.cli.convert.kinds import Kinds
from hedgerow.cli.convert.models import convert_model, is_model
from hedgerow.cli.derived_command import Derived
from hedgerow.cli.failures import DATA, complain, refused
from hedgerow.cli.options import Output, SpacesInLeaves
from hedgerow.cli.progress import with_progress
from hedgerow.cli.rescue import whole_or_not
from hedgerow.data import FormatError
from hedgerow.data.converters.postorder import safe_label
from hedgerow.data.files import matching, name_of
from hedgerow.io.examples import Table
from hedgerow.io.formats import SOURCE, guess_format
from hedgerow.registry import Format

SVMLIGHT_TK = "svmlight-tk"  # the only format here whose examples have labels of their own
_UNLABELLED = "0"  # there

Inputs = Annotated[
    list[str],
    typer.Argument(
        metavar="INPUT",
        help="Files or folders, or patterns such as 'parts/*.gz'; - is standard input.",
        callback=matching,
    ),
]
Source = Annotated[
    str | None,
    typer.Option("--from", metavar="FORMAT", help="Format of the inputs. Default: by file name."),
]
Target = Annotated[
    Literal["svmlight-tk", "brackets", "json", "hedgerow"] | None,
    typer.Option("--to", help="Format of the output. Default: by file name, else brackets."),
]
OnError = Annotated[
    Literal["raise", "collect"],
    typer.Option(
        help="raise: stop at the first bad example and write nothing. collect: write the good ones, list the errors "
        "on standard error and end with exit code 1."
    ),
]
Label = Annotated[
    str | None,
    typer.Option(
        metavar="TEXT", help="Label of all examples from inputs without labels. Default for source code: 0."
    ),
]
LabelsFrom = Annotated[
    Literal["folder"] | None,
    typer.Option(help="folder: the label is the name of the folder that the input file is in."),
]
Column = Annotated[
    str | None,
    typer.Option(
        metavar="NAME", help="The column of trees to write, when SVM-light-TK examples have several parts."
    ),
]


def _convert(
    kinds: Kinds,
    inputs: Inputs,
    output: Output = "-",
    source: Source = None,
    target: Target = None,
    errors: OnError = "raise",
    label: Label = None,
    labels_from: LabelsFrom = None,
    column: Column = None,
    spaces_in_leaves: SpacesInLeaves = False,
    **values: Any,
) -> None:
    """Convert files of examples from one format to another.

    Several inputs are written one after the other. A folder stands for all files of the format --from in it
    and its subfolders, in sorted order. Files may be gzip. The output appears only when all of it is written.

    `hedgerow list formats` shows what can be read. Options follow from the inputs: `hedgerow convert --from python
    --help` adds those of **python**. Output is **svmlight-tk**, **brackets**, or **json**: one tree per line, as
    `["label", child, ...]` where every child has the same form. Brackets and json keep no labels, nothing keeps
    comments.

    - `hedgerow convert wsj.mrg -o wsj.tk --label 1`
    - `hedgerow convert projects/ --from python --labels-from folder -o code.tk.gz`
    - `hedgerow convert src/ --from source --unit function -o code.mrg`
    - `hedgerow convert page.html --no-attributes`
    - `hedgerow convert train.tk --to json | head -1`

    Model files of two classes on a kernel that SVM-light-TK has are converted **--to svmlight-tk**, and its model files
    **--to hedgerow**.

    - `hedgerow convert questions.model --to svmlight-tk -o svm_model`
    """
    if len(inputs) == 1 and is_model(inputs[0]):
        convert_model(inputs[0], output, target, spaces_in_leaves)
        return
    if target == "hedgerow":
        raise refused("--to", "hedgerow is for one model file of SVM-light-TK")
    files = list(_find_files(inputs, kinds.named))
    to = target or _guess_target(output)
    if to == SVMLIGHT_TK and label is None and labels_from is None:
        _require_labels(files)
    tables: list[Table] = []
    problems: list[FormatError] = []
    syntax_errors: dict[str, int] = {}  # by file
    with whole_or_not(output):
        given = partial(kinds.given, values=values)
        for read in read_all(with_progress(files, "Reading"), spaces_in_leaves, given):
            if read.problems and errors == "raise":
                raise read.problems[0]
            problems.extend(read.problems)
            syntax_errors[read.path] = read.syntax_errors
            tables += [_labelled(read, label, labels_from, to)] if len(read.table) else []
        if tables:
            write_examples(Table.concatenate(tables), output, to, column, spaces_in_leaves)
        elif not problems:
            raise ValueError(f"no example in {', '.join(path for path, _ in files)}")
    _report(problems, syntax_errors, sum(len(table) for table in tables))


def _find_files(inputs: list[str], source: Format | None) -> Iterator[tuple[str, Format]]:
    """Every input file with its format."""
    for path in inputs:
        if os.path.isdir(path):
            if source is None:
                raise refused("--from", f"say which files of the folder {path} to read")
            found = files_in(path, source)
            if not found:
                raise FileNotFoundError(f"{path}: no {source.name} file in this folder")
            yield from ((file, source) for file in found)
        else:
            kind = source or guess_format(path)
            if kind is None:
                raise refused("--from", f"cannot tell the format of {name_of(path)}, please say it")
            yield path, kind


def _guess_target(output: str) -> str:
    if output == "-":
        return "brackets"
    guess = guess_format(output)
    name = "" if guess is None else "json" if guess.name == "jsonl" else guess.name
    if name not in TARGETS:
        raise refused("--to", f"cannot tell the format of {output}, please say it")
    return name


def _require_labels(files: list[tuple[str, Format]]) -> None:
    """Programs may be without: whoever looks for clones has none."""
    for path, kind in files:
        if kind.name not in (SVMLIGHT_TK, SOURCE.name):
            raise refused(
                "--to",
                f"{path} has no labels, which svmlight-tk needs; give --label TEXT or --labels-from folder",
            )


def _folder_label(path: str) -> str:
    if path == "-":
        raise refused("--labels-from", "standard input is in no folder")
    return safe_label(Path(path).resolve().parent.name)


def _labelled(read: FileRead, label: str | None, labels_from: str | None, to: str) -> Table:
    """The examples of a file, with the labels that the command line gives to those without."""
    if read.kind.name == SVMLIGHT_TK:
        return read.table
    unlabelled = _UNLABELLED if to == SVMLIGHT_TK else ""
    return read.table.relabelled(label or (_folder_label(read.path) if labels_from else unlabelled))


def _report(problems: list[FormatError], syntax_errors: dict[str, int], good: int) -> None:
    """Says what could not be read, and ends the command if there is any such thing."""
    if damaged := {path: n for path, n in syntax_errors.items() if n}:
        worst = max(damaged, key=damaged.__getitem__)
        complain(
            f"syntax errors: {sum(damaged.values())} in {len(damaged)} file{'s' * (len(damaged) > 1)}, most in "
            f"{name_of(worst)}; the trees have ERROR nodes there (--strict refuses such code)"
        )
    for problem in problems:
        complain(str(problem))
    if problems:
        complain(
            f"{len(problems)} of {len(problems) + good} examples could not be read; the others were written"
        )
        raise typer.Exit(DATA)


convert = Derived(_convert, Kinds)
