"""Public files as they are published, turned into the files that the loaders read; see hedgerow's own."""

from __future__ import annotations

import html
import io
import re
import zipfile

from hedgerow.datasets.conversions import Conversion, joined, printable, squeezed, stripped_lines, tar_files

CONTROL_REFERENCE = re.compile(r"&#(\d|[12]\d|3[01]|127);")


def labelled_lines(original: bytes) -> bytes:
    """Lines of a label, a tab and a text, whose blanks are squeezed."""
    records = (line.split("\t", 1) for line in original.decode().split("\n") if line.strip())
    return joined(f"{label}\t{squeezed(text)}" for label, text in records)


def sparse_advertisements(original: bytes) -> bytes:
    """Internet advertisements, a line of names and then comma-separated values, as SVM-light's lines without zeros."""
    lines = []
    for line in original.decode().splitlines()[1:]:
        *values, label = (value.strip() for value in line.split(","))
        features = (f" {i}:{value}" for i, value in enumerate(values, 1) if value not in ("?", "0"))
        lines.append(("+1" if label == "ad." else "-1") + ("".join(features) or " "))
    return joined(lines)


def labelled_reviews(archive: bytes, *, folder: str) -> bytes:
    """Texts in the folders ``neg`` and ``pos`` of a zip archive, as lines of label, name and text."""
    lines = []
    with zipfile.ZipFile(io.BytesIO(archive)) as opened:
        for name in sorted(opened.namelist()):
            if found := re.fullmatch(rf"{folder}/(neg|pos)/(\w+)\.txt", name):
                lines.append(f"{found[1]}\t{found[2]}\t{squeezed(opened.read(name).decode())}")
    return joined(lines)


def labelled_mail(archive: bytes, *, folder: str) -> bytes:
    """Messages in the folders ``ham`` and ``spam`` of a tar archive, as lines of label, name and text."""
    lines = []
    for name, content in tar_files(archive):
        if found := re.fullmatch(rf"(?:\./)?{folder}/(ham|spam)/(.+)\.txt", name):
            lines.append(f"{found[1]}\t{found[2]}\t{printable(content.decode('latin-1'))}")
    return joined(sorted(lines, key=lambda line: line.split("\t")[:2]))


def hierarchical_arff(original: bytes) -> bytes:
    """Numbers and paths of classes (``2@2/1@2/1/3``) of an ARFF file, as SVM-light's lines of the longest path."""
    lines = []
    for line in _arff_data(original):
        *values, paths = line.split(",")
        label = max(paths.split("@"), key=lambda path: path.count("/"))
        lines.append(label + "".join(f" {i}:{value}" for i, value in enumerate(values, 1) if float(value)))
    return joined(lines)


def arff_tree(original: bytes) -> bytes:
    """The classes that an ARFF file declares, as lines of parent and child."""
    declared = re.search(
        r"^@ATTRIBUTE class hierarchical (.+)$", original.decode(), re.MULTILINE | re.IGNORECASE
    )
    if declared is None:
        raise ValueError("expected a line @ATTRIBUTE class hierarchical ...")
    paths = sorted(path.strip() for path in declared[1].split(","))
    return joined(f"{path.rpartition('/')[0] or 'ROOT'}\t{path}" for path in paths)


def reuters_stories(*originals: bytes, split: str) -> bytes:
    """Stories of Reuters' SGML files in a split of Apté, Damerau and Weiss, as number, topics, title and body."""
    lines = []
    for original in originals:
        for head, story in re.findall(
            r"<REUTERS([^>]*)>(.*?)</REUTERS>", original.decode("latin-1"), re.DOTALL
        ):
            field = dict(re.findall(r'(\w+)="([^"]*)"', head))
            if field["LEWISSPLIT"] != split or field["TOPICS"] != "YES":
                continue
            topics = re.findall(r"<D>(.*?)</D>", _element(story, "TOPICS"))
            title = _plain(_element(story, "TITLE"))
            body = _plain(_element(story, "BODY") or _without_elements(_element(story, "TEXT")))
            body = re.sub(r" (Reuter|REUTER)$", "", body)
            lines.append((int(field["NEWID"]), f"{','.join(topics) or '-'}\t{title}\t{body}"))
    return joined(f"{number}\t{rest}" for number, rest in sorted(lines))


CONVERSIONS: dict[str, Conversion] = {
    conversion.__name__: conversion
    for conversion in (
        stripped_lines,
        labelled_lines,
        sparse_advertisements,
        labelled_reviews,
        labelled_mail,
        hierarchical_arff,
        arff_tree,
        reuters_stories,
    )
}


def _arff_data(original: bytes) -> list[str]:
    _, _, data = original.decode().partition("@DATA")
    return [line.strip() for line in data.splitlines() if line.strip()]


def _element(story: str, name: str) -> str:
    found = re.search(rf"<{name}[^>]*>(.*?)</{name}>", story, re.DOTALL)
    return found[1] if found else ""


def _without_elements(text: str) -> str:
    """What stands outside: the body of stories that have no element for it."""
    return re.sub(r"<(TITLE|AUTHOR|DATELINE)>.*?</\1>", " ", text, flags=re.DOTALL)


def _plain(text: str) -> str:
    return printable(html.unescape(CONTROL_REFERENCE.sub(" ", text)))
