"""The formats of files: their names, and how they are guessed."""

from __future__ import annotations

from pathlib import Path

from hedgerow.data.converters.languages import ENDINGS, language_of
from hedgerow.registry import Format

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
    Format("text", "Texts: lines LABEL<tab>text.", labelled=True, trees=False),
    Format(
        "nbest",
        "Lists of parses for reranking: lines qid:NAME (S ...) with the true tree, then SCORE (S ...); or JSON.",
        (".nbest",),
        trees=False,
        lists=True,
    ),
    Format("python", "Programs, as syntax trees.", (".py",), converter="from_python"),
    Format("source", "Programs in any language, as syntax trees of tree-sitter.", converter="from_source"),
    Format("json", "Documents, as trees.", (".json",), converter="from_json"),
    Format("jsonl", "Documents, one per line, as trees.", (".jsonl",), converter="from_json"),
    Format("xml", "Documents, as trees of elements.", (".xml",), converter="from_xml"),
    Format("html", "Pages, as trees of elements.", (".html", ".htm"), converter="from_html"),
    Format("conllu", "Dependency parses, as trees.", (".conllu",), converter="from_conllu"),
)
SOURCE = next(row for row in FORMATS if row.name == "source")
_OF_SUFFIX = dict.fromkeys(ENDINGS, SOURCE) | {suffix: row for row in FORMATS for suffix in row.suffixes}


def guess_format(path: str) -> Format | None:
    """The format that a file's name speaks of, with or without .gz."""
    return _OF_SUFFIX.get(Path(path.removesuffix(".gz")).suffix.lower())


def speaks_of(path: str, wanted: Format) -> bool:
    """Whether a file's name speaks of that format; Python's programs are source code too."""
    return guess_format(path) is wanted or (wanted is SOURCE and language_of(path) is not None)
