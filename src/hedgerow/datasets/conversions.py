"""Public files as they are published, turned into the files that the loaders read.

A conversion takes the contents of one or several originals, and options, and gives the content of one file. Which file
is made by which conversion stands in ``sources.json``.
"""

from __future__ import annotations

import io
import re
import tarfile
import zipfile
from collections.abc import Callable, Iterator

Conversion = Callable[..., bytes]

CONTROL = re.compile(r"[\x00-\x1f\x7f]+")


def stripped_lines(original: bytes, *, skip: int = 0, unique: bool = False) -> bytes:
    """Lines without blanks at their ends; without the first ones, empty ones and, on request, repeated ones."""
    lines = [line.rstrip() for line in original.splitlines()[skip:]]
    if unique:
        lines = list(dict.fromkeys(lines))
    return joined(line.decode() for line in lines if line)


def zip_member(archive: bytes, *, member: str) -> bytes:
    """A file of a zip archive, with one end of line at its end."""
    return _member(archive, member).rstrip(b"\n") + b"\n"


def labelled_trees(archive: bytes, trees: bytes, *, member: str) -> bytes:
    """Questions with their labels, and their parses over several lines each, as ``LABEL |BT| tree |ET|``."""
    labels = [line.split(" ", 1)[0] for line in _member(archive, member).decode("latin-1").splitlines()]
    parses = [" ".join(parse.split()) for parse in re.split(r"\n\s*\n", trees.decode().strip())]
    if len(labels) != len(parses):
        raise ValueError(f"{len(labels)} labels and {len(parses)} parses do not belong together")
    return joined(f"{label} |BT| {parse} |ET|" for label, parse in zip(labels, parses, strict=True))


def newsgroup_posts(archive: bytes, *, folder: str) -> bytes:
    """Posts in a folder for each group of a tar archive, as lines of group, number, header and body."""
    posts = {}
    for name, content in tar_files(archive):
        if found := re.fullmatch(rf"(?:\./)?{folder}/([a-z.\-]+)/(\d+)", name):
            header, _, body = content.decode("latin-1").replace("\r\n", "\n").partition("\n\n")
            posts[found[1], int(found[2])] = f"{printable(header)}\t{printable(body)}"
    return joined(f"{group}\t{number}\t{posts[group, number]}" for group, number in sorted(posts))


def newsgroup_tree(archive: bytes, *, folder: str) -> bytes:
    """The tree that the dots in the names of groups make, as lines of parent and child."""
    groups = {line.split("\t")[0] for line in newsgroup_posts(archive, folder=folder).decode().splitlines()}
    edges = set()
    for group in groups:
        parts = group.split(".")
        for i in range(len(parts)):
            edges.add((".".join(parts[:i]) or "ROOT", ".".join(parts[: i + 1])))
    return joined(f"{parent}\t{child}" for parent, child in sorted(edges))


CONVERSIONS: dict[str, Conversion] = {
    conversion.__name__: conversion
    for conversion in (
        stripped_lines,
        zip_member,
        labelled_trees,
        newsgroup_posts,
        newsgroup_tree,
    )
}


def joined(lines: Iterator[str] | list[str]) -> bytes:
    """Lines with their ends."""
    return "".join(f"{line}\n" for line in lines).encode()


def squeezed(text: str) -> str:
    """With single blanks."""
    return " ".join(text.split())


def printable(text: str) -> str:
    """Without control characters, and with single blanks."""
    return squeezed(CONTROL.sub(" ", text))


def _member(archive: bytes, name: str) -> bytes:
    with zipfile.ZipFile(io.BytesIO(archive)) as opened:
        return opened.read(name)


def tar_files(archive: bytes) -> Iterator[tuple[str, bytes]]:
    """Names and contents of the files of a tar archive."""
    with tarfile.open(fileobj=io.BytesIO(archive)) as opened:
        for member in opened:
            if member.isfile() and (file := opened.extractfile(member)) is not None:
                yield member.name, file.read()
