"""Public files as they are published, turned into the files that the loaders read.

A conversion takes the contents of one or several originals, and options, and gives the content of one file. Which file
is made by which conversion stands in ``sources.json``.
"""

from __future__ import annotations

import html
import io
import re
import tarfile
import zipfile
from collections.abc import Callable, Iterator

Conversion = Callable[..., bytes]

CONTROL = re.compile(r"[\x00-\x1f\x7f]+")
CONTROL_REFERENCE = re.compile(r"&#(\d|[12]\d|3[01]|127);")


def stripped_lines(original: bytes, *, skip: int = 0, unique: bool = False) -> bytes:
    """Lines without blanks at their ends; without the first ones, empty ones and, on request, repeated ones."""
    lines = [line.rstrip() for line in original.splitlines()[skip:]]
    if unique:
        lines = list(dict.fromkeys(lines))
    return _joined(line.decode() for line in lines if line)


def zip_member(archive: bytes, *, member: str) -> bytes:
    """A file of a zip archive, with one end of line at its end."""
    return _member(archive, member).rstrip(b"\n") + b"\n"


def labelled_lines(original: bytes) -> bytes:
    """Lines of a label, a tab and a text, whose blanks are squeezed."""
    records = (line.split("\t", 1) for line in original.decode().split("\n") if line.strip())
    return _joined(f"{label}\t{_squeezed(text)}" for label, text in records)


def sparse_advertisements(original: bytes) -> bytes:
    """Internet advertisements, a line of names and then comma-separated values, as SVM-light's lines without zeros."""
    lines = []
    for line in original.decode().splitlines()[1:]:
        *values, label = (value.strip() for value in line.split(","))
        features = (f" {i}:{value}" for i, value in enumerate(values, 1) if value not in ("?", "0"))
        lines.append(("+1" if label == "ad." else "-1") + ("".join(features) or " "))
    return _joined(lines)


def labelled_trees(archive: bytes, trees: bytes, *, member: str) -> bytes:
    """Questions with their labels, and their parses over several lines each, as ``LABEL |BT| tree |ET|``."""
    labels = [line.split(" ", 1)[0] for line in _member(archive, member).decode("latin-1").splitlines()]
    parses = [" ".join(parse.split()) for parse in re.split(r"\n\s*\n", trees.decode().strip())]
    if len(labels) != len(parses):
        raise ValueError(f"{len(labels)} labels and {len(parses)} parses do not belong together")
    return _joined(f"{label} |BT| {parse} |ET|" for label, parse in zip(labels, parses, strict=True))


def labelled_reviews(archive: bytes, *, folder: str) -> bytes:
    """Texts in the folders ``neg`` and ``pos`` of a zip archive, as lines of label, name and text."""
    lines = []
    with zipfile.ZipFile(io.BytesIO(archive)) as opened:
        for name in sorted(opened.namelist()):
            if found := re.fullmatch(rf"{folder}/(neg|pos)/(\w+)\.txt", name):
                lines.append(f"{found[1]}\t{found[2]}\t{_squeezed(opened.read(name).decode())}")
    return _joined(lines)


def labelled_mail(archive: bytes, *, folder: str) -> bytes:
    """Messages in the folders ``ham`` and ``spam`` of a tar archive, as lines of label, name and text."""
    lines = []
    for name, content in _tar_files(archive):
        if found := re.fullmatch(rf"(?:\./)?{folder}/(ham|spam)/(.+)\.txt", name):
            lines.append(f"{found[1]}\t{found[2]}\t{_printable(content.decode('latin-1'))}")
    return _joined(sorted(lines, key=lambda line: line.split("\t")[:2]))


def newsgroup_posts(archive: bytes, *, folder: str) -> bytes:
    """Posts in a folder for each group of a tar archive, as lines of group, number, header and body."""
    posts = {}
    for name, content in _tar_files(archive):
        if found := re.fullmatch(rf"(?:\./)?{folder}/([a-z.\-]+)/(\d+)", name):
            header, _, body = content.decode("latin-1").replace("\r\n", "\n").partition("\n\n")
            posts[found[1], int(found[2])] = f"{_printable(header)}\t{_printable(body)}"
    return _joined(f"{group}\t{number}\t{posts[group, number]}" for group, number in sorted(posts))


def newsgroup_tree(archive: bytes, *, folder: str) -> bytes:
    """The tree that the dots in the names of groups make, as lines of parent and child."""
    groups = {line.split("\t")[0] for line in newsgroup_posts(archive, folder=folder).decode().splitlines()}
    edges = set()
    for group in groups:
        parts = group.split(".")
        for i in range(len(parts)):
            edges.add((".".join(parts[:i]) or "ROOT", ".".join(parts[: i + 1])))
    return _joined(f"{parent}\t{child}" for parent, child in sorted(edges))


def hierarchical_arff(original: bytes) -> bytes:
    """Numbers and paths of classes (``2@2/1@2/1/3``) of an ARFF file, as SVM-light's lines of the longest path."""
    lines = []
    for line in _arff_data(original):
        *values, paths = line.split(",")
        label = max(paths.split("@"), key=lambda path: path.count("/"))
        lines.append(label + "".join(f" {i}:{value}" for i, value in enumerate(values, 1) if float(value)))
    return _joined(lines)


def arff_tree(original: bytes) -> bytes:
    """The classes that an ARFF file declares, as lines of parent and child."""
    declared = re.search(
        r"^@ATTRIBUTE class hierarchical (.+)$", original.decode(), re.MULTILINE | re.IGNORECASE
    )
    if declared is None:
        raise ValueError("expected a line @ATTRIBUTE class hierarchical ...")
    paths = sorted(path.strip() for path in declared[1].split(","))
    return _joined(f"{path.rpartition('/')[0] or 'ROOT'}\t{path}" for path in paths)


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
    return _joined(f"{number}\t{rest}" for number, rest in sorted(lines))


CONVERSIONS: dict[str, Conversion] = {
    conversion.__name__: conversion
    for conversion in (
        stripped_lines,
        zip_member,
        labelled_lines,
        sparse_advertisements,
        labelled_trees,
        labelled_reviews,
        labelled_mail,
        newsgroup_posts,
        newsgroup_tree,
        hierarchical_arff,
        arff_tree,
        reuters_stories,
    )
}


def _joined(lines: Iterator[str] | list[str]) -> bytes:
    return "".join(f"{line}\n" for line in lines).encode()


def _squeezed(text: str) -> str:
    return " ".join(text.split())


def _printable(text: str) -> str:
    """Without control characters, and with single blanks."""
    return _squeezed(CONTROL.sub(" ", text))


def _member(archive: bytes, name: str) -> bytes:
    with zipfile.ZipFile(io.BytesIO(archive)) as opened:
        return opened.read(name)


def _tar_files(archive: bytes) -> Iterator[tuple[str, bytes]]:
    with tarfile.open(fileobj=io.BytesIO(archive)) as opened:
        for member in opened:
            if member.isfile() and (file := opened.extractfile(member)) is not None:
                yield member.name, file.read()


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
    return _printable(html.unescape(CONTROL_REFERENCE.sub(" ", text)))
