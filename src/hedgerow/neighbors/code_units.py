"""The functions of a code base as trees, with the places they come from and what was left out."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

import hedgerow
from hedgerow import _core
from hedgerow.data import Forest, FormatError
from hedgerow.data.converters.languages import language_of
from hedgerow.data.files import read_bytes, writing
from hedgerow.persistence.model_file import pack, unpack

_AT_ONCE = 4_000_000  # bytes of source that are parsed together


@dataclass(frozen=True)
class CodeUnit:
    """A function, class or file that has become a tree."""

    path: str
    name: str
    first_line: int
    last_line: int

    def __str__(self) -> str:
        return f"{self.path}:{self.first_line}-{self.last_line}"


@dataclass
class CodeBase:
    """Trees, where each comes from, and sentences about what was left out."""

    trees: Forest
    units: list[CodeUnit]
    left_out: list[str]
    n_files: int
    n_parsed: int  # files that were not in the cache

    def chosen(self, min_nodes: int, max_nodes: int) -> CodeBase:
        """Without small trees, and without large ones, which are reported."""
        sizes = self.trees._native.tree_sizes()
        left_out = [
            f"{self.units[i]}: {sizes[i]} nodes, more than --max-nodes {max_nodes}"
            for i in np.flatnonzero(sizes > max_nodes).tolist()
        ]
        kept = np.flatnonzero((sizes >= min_nodes) & (sizes <= max_nodes))
        units = [self.units[i] for i in kept.tolist()]
        return CodeBase(self.trees[kept], units, self.left_out + left_out, self.n_files, self.n_parsed)


@dataclass
class _File:
    """What parsing a file gave: the number of its trees, their places, and problems."""

    units: list[list[Any]] = field(default_factory=list)  # name, first line, last line
    problems: list[str] = field(default_factory=list)


def source_files(paths: Iterable[str], language: str | None) -> Iterator[str]:
    """Files of code: those named, and in folders all whose ending names the language, or any; no hidden folders."""
    wanted = None if language is None else language_of(f"any{language}") or language.lower()
    for path in paths:
        if not os.path.isdir(path):
            yield path
            continue
        for folder, folders, files in os.walk(path):
            folders[:] = sorted(name for name in folders if not name.startswith("."))
            for name in sorted(files):
                full = os.path.join(folder, name)
                found = language_of(name)
                if found is not None and wanted in (None, found) and os.path.isfile(full):
                    yield full


def read_code(
    paths: Iterable[str],
    *,
    language: str | None = None,
    max_bytes: int = 10_000_000,
    cache: Path | None = None,
    progress: Callable[[int], object] = lambda n: None,
    **options: Any,
) -> CodeBase:
    """The trees of all functions in files and folders.

    Files that cannot be read or are larger than ``max_bytes``, and functions beyond hedgerow's limits, are left out
    with a sentence about each. ``options`` are those of `Forest.from_source`. A ``cache`` is a file with what was
    parsed before, by the content of files; one that is damaged or of other options is made again.
    """
    kept = _Cache(cache, {"language": language, **options})
    left_out: list[str] = []
    order: list[tuple[str, str]] = []  # path, key
    waiting: list[tuple[str, bytes, str]] = []
    n_parsed = 0
    files = list(source_files(paths, language))
    for path in files:
        try:
            if os.path.getsize(path) > max_bytes:
                left_out.append(f"{path}: larger than --max-bytes {max_bytes}")
                continue
            content = read_bytes(path)
            named = language or language_of(path)
            if named is None:
                left_out.append(f"{path}: cannot tell its language")
                continue
            key = hashlib.sha256(named.encode() + b"\0" + content).hexdigest()
            order.append((path, key))
            if key not in kept.files and key not in {waits[2] for waits in waiting}:
                waiting.append((named, content, key))
                n_parsed += 1
            if sum(len(content) for _, content, _ in waiting) > _AT_ONCE:
                kept.parse(waiting)
                waiting = []
        except OSError as error:
            left_out.append(f"{path}: {error.strerror or error}")
        finally:
            progress(1)
    kept.parse(waiting)
    trees, units = kept.trees_of([key for _, key in order]), []
    for path, key in order:
        file = kept.files[key]
        units += [CodeUnit(path, *place) for place in file.units]
        left_out += [f"{path}: {problem}" for problem in file.problems]
    kept.write({key for _, key in order})
    return CodeBase(trees, units, left_out, len(files), n_parsed)


class _Cache:
    """Trees by the content of the files that they come from."""

    def __init__(self, path: Path | None, options: dict[str, Any]) -> None:
        self.path = path
        self.options = json.loads(json.dumps({"hedgerow": hedgerow.__version__, **options}))
        self.options.pop("n_jobs", None)
        self.parameters = {name: value for name, value in options.items() if name != "language"}
        self.files: dict[str, _File] = {}
        self.forests: list[Forest] = []
        self.first: dict[str, int] = {}
        self._read()

    def _read(self) -> None:
        if self.path is None or not self.path.exists():
            return
        arrays: dict[str, Any]
        try:
            _, manifest, arrays = unpack(self.path.read_bytes(), os.fspath(self.path))
            if manifest["options"] != self.options:
                return
            forest = Forest._wrap(
                _core.Forest.from_postorder(
                    manifest["labels"], arrays["label"], arrays["arity"], arrays["size"].astype(np.int64)
                )
            )
            files = {key: _File(units, problems) for key, units, problems in manifest["files"]}
            if sum(len(file.units) for file in files.values()) != len(forest):
                return
        except (FormatError, KeyError, ValueError, TypeError, IndexError, OSError):
            return
        self._append(files, forest)

    def _append(self, files: dict[str, _File], forest: Forest) -> None:
        first = sum(map(len, self.forests))
        for key, file in files.items():
            self.files[key], self.first[key] = file, first
            first += len(file.units)
        self.forests.append(forest)

    def parse(self, waiting: list[tuple[str, bytes, str]]) -> None:
        """Parse contents that are not there yet."""
        if not waiting:
            return
        forest, units, problems = Forest._from_source(
            [content for _, content, _ in waiting], [named for named, _, _ in waiting], **self.parameters
        )
        files = {key: _File() for _, _, key in waiting}
        keys = list(files)
        for unit in units:
            files[keys[unit.source]].units.append([unit.name, unit.first_line, unit.last_line])
        for problem in problems:
            line = "" if problem.line is None else f"line {problem.line}: "
            files[keys[problem.item or 0]].problems.append(f"{line}{problem.message}")
        self._append(files, forest)

    def trees_of(self, keys: list[str]) -> Forest:
        """The trees of these files, one after the other."""
        if not self.forests:
            return Forest()
        everything = Forest.concatenate(self.forests)
        self.forests = [everything]
        numbers = [np.arange(self.first[key], self.first[key] + len(self.files[key].units)) for key in keys]
        return everything[np.concatenate([np.empty(0, dtype=np.int64), *numbers])]

    def write(self, keys: set[str]) -> None:
        """Keep what these files gave, for the next time."""
        if self.path is None:
            return
        ordered = sorted(keys)
        native = self.trees_of(ordered)._native.compact()
        manifest = {
            "options": self.options,
            "labels": native.labels(),
            "files": [[key, *asdict(self.files[key]).values()] for key in ordered],
        }
        arrays: dict[str, Any] = {
            "label": native.label_of_node(),
            "arity": native.arity(),
            "size": native.tree_sizes(),
        }
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with writing(self.path) as out:
            out.write(pack(manifest, arrays))
