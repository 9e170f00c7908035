"""The formats of files: their names, and how they are guessed."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path


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


SUFFIXES: dict[str, InputFormat] = {
    **dict.fromkeys((".tk", ".dat", ".svm", ".svmlight", ".libsvm"), InputFormat.svmlight_tk),
    **dict.fromkeys((".mrg", ".ptb", ".tree", ".trees", ".brackets"), InputFormat.brackets),
    ".py": InputFormat.python,
    ".json": InputFormat.json,
    ".jsonl": InputFormat.jsonl,
    ".xml": InputFormat.xml,
    **dict.fromkeys((".html", ".htm"), InputFormat.html),
    ".conllu": InputFormat.conllu,
}


def guess_format(path: str) -> InputFormat | None:
    """The format that a file's name speaks of, with or without .gz."""
    return SUFFIXES.get(Path(path.removesuffix(".gz")).suffix.lower())


def guess_data_format(path: str) -> DataFormat:
    return DataFormat.brackets if guess_format(path) is InputFormat.brackets else DataFormat.svmlight_tk
