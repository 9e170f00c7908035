"""The formats of files: their names, and how they are guessed."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path

from hedgerow.registry import Format


class DataFormat(StrEnum):
    svmlight_tk = "svmlight-tk"
    brackets = "brackets"
    text = "text"


class InputFormat(StrEnum):
    svmlight_tk = "svmlight-tk"
    brackets = "brackets"
    python = "python"
    json = "json"
    jsonl = "jsonl"
    xml = "xml"
    html = "html"
    conllu = "conllu"


FORMATS = (
    Format(
        "svmlight-tk",
        "Trees and vectors of SVM-light-TK: lines LABEL |BT| tree |ET| 1:0.5 7:2 |EV|.",
        (".tk", ".dat", ".svm", ".svmlight", ".libsvm"),
        labelled=True,
    ),
    Format(
        "brackets",
        "Trees of treebanks: lines LABEL (S (NP Mary) (VP sings)).",
        (".mrg", ".ptb", ".tree", ".trees", ".brackets"),
        labelled=True,
    ),
    Format("text", "Texts: lines LABEL<tab>text.", labelled=True),
    Format("python", "Programs, as syntax trees.", (".py",)),
    Format("json", "Documents, as trees.", (".json",)),
    Format("jsonl", "Documents, one per line, as trees.", (".jsonl",)),
    Format("xml", "Documents, as trees of elements.", (".xml",)),
    Format("html", "Pages, as trees of elements.", (".html", ".htm")),
    Format("conllu", "Dependency parses, as trees.", (".conllu",)),
)
SUFFIXES = {suffix: InputFormat(row.name) for row in FORMATS for suffix in row.suffixes}


def guess_format(path: str) -> InputFormat | None:
    """The format that a file's name speaks of, with or without .gz."""
    return SUFFIXES.get(Path(path.removesuffix(".gz")).suffix.lower())


def guess_data_format(path: str) -> DataFormat:
    return DataFormat.brackets if guess_format(path) is InputFormat.brackets else DataFormat.svmlight_tk
