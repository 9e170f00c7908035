"""Trees from source code of any language that tree-sitter has a grammar of."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import groupby
from typing import Any, Literal, NamedTuple

import numpy as np

from hedgerow import _core, limits, threads
from hedgerow.data.converters.languages import (
    CLASSES,
    FUNCTIONS,
    is_comment,
    is_identifier,
    is_literal,
    parser_of,
)
from hedgerow.data.converters.postorder import PostorderBuilder
from hedgerow.data.errors import FormatError

Words = Literal["keep", "kind", "drop"]
Unit = Literal["file", "function", "class"]

_CHUNK = 500_000  # bytes of source that one process parses at a time
_NAMELESS = "<anonymous>"
_KINDS = {"function": FUNCTIONS, "class": CLASSES}


@dataclass(frozen=True)
class SourceUnit:
    """Where a tree comes from: a whole source, or a function or class of it.

    Attributes
    ----------
    source : int
        The number of the source.
    name : str
        The name of the function or class; empty for a whole source.
    first_line, last_line : int
        From 1.
    syntax_errors : int
        Places in it that its grammar does not allow.

    Examples
    --------
    >>> from hedgerow import Forest
    >>> code = ["def one():\\n    return 1\\n\\ndef two():\\n    return 2"]
    >>> Forest.from_source(code, "python", unit="function", return_units=True)[1][1]
    SourceUnit(source=0, name='two', first_line=4, last_line=5, syntax_errors=0)
    """

    source: int
    name: str
    first_line: int
    last_line: int
    syntax_errors: int


@dataclass(frozen=True)
class TreeOptions:
    """What of a syntax tree becomes nodes."""

    unit: Unit = "file"
    tokens: bool = True
    identifiers: Words = "keep"
    literals: Words = "keep"
    fields: bool = False

    def check(self) -> None:
        for name, choices in (
            ("identifiers", ("keep", "kind", "drop")),
            ("literals", ("keep", "kind", "drop")),
            ("unit", ("file", "function", "class")),
        ):
            if getattr(self, name) not in choices:
                raise ValueError(f"{name} must be one of {', '.join(choices)}, got {getattr(self, name)!r}")


class Converted(NamedTuple):
    forest: _core.Forest
    units: list[SourceUnit]
    problems: list[FormatError]  # by source


def from_source(
    sources: Sequence[str | bytes],
    languages: str | Sequence[str],
    options: TreeOptions,
    *,
    strict: bool,
    n_jobs: int | None,
) -> Converted:
    """Trees of all sources; ``strict`` leaves out those with syntax errors, and says where they are."""
    options.check()
    of_each = [languages] * len(sources) if isinstance(languages, str) else list(languages)
    if len(of_each) != len(sources):
        raise ValueError(f"there are {len(sources)} sources but {len(of_each)} languages")
    for language in dict.fromkeys(of_each):
        parser_of(language)
    chunks = list(_chunks(sources, of_each))
    jobs = min(threads.resolve(n_jobs), len(chunks))
    if jobs > 1:
        from joblib import Parallel, delayed

        parts = Parallel(n_jobs=jobs)(
            delayed(_convert)(*chunk, options, strict, limits.get_limits()) for chunk in chunks
        )
    else:
        parts = [_convert(*chunk, options, strict, None) for chunk in chunks]
    return _joined(parts)


def _chunks(
    sources: Sequence[str | bytes], languages: Sequence[str]
) -> Iterator[tuple[int, list[str | bytes], list[str]]]:
    """Neighbouring sources of some size together, each with the number of the first."""
    size, chunk_of = 0, []
    for source in sources:
        if not isinstance(source, str | bytes):
            raise TypeError(f"expected source code as str or bytes, got {type(source).__name__}")
        chunk_of.append(size // _CHUNK)
        size += len(source) + 1
    for _, group in groupby(range(len(sources)), chunk_of.__getitem__):
        numbers = list(group)
        yield numbers[0], [sources[i] for i in numbers], [languages[i] for i in numbers]


def _convert(
    first: int,
    sources: list[str | bytes],
    languages: list[str],
    options: TreeOptions,
    strict: bool,
    of_caller: limits.Limits | None,
) -> tuple[Any, list[SourceUnit], list[FormatError]]:
    """The trees of some sources as arrays, for the process that started this one."""
    if of_caller is not None:
        limits.set_limits(**of_caller)
    builder, units, problems = _Builder(), [], []
    for number, (source, language) in enumerate(zip(sources, languages, strict=True), first):
        content = source.encode("utf-8", "surrogatepass") if isinstance(source, str) else source
        root = parser_of(language).parse(content).root_node
        if strict and root.has_error:
            problems.append(_syntax_error(root, number))
            continue
        for node, unit in _units(root, language, options.unit, number):
            builder.add(node, content, _plan(language, options), options.fields)
            try:
                builder.end_tree()
                units.append(unit)
            except FormatError as error:  # beyond a limit
                builder.abandon_tree()
                problems.append(FormatError(error.message, line=unit.first_line, item=number))
    return builder.arrays(), units, problems


def _joined(parts: Sequence[tuple[Any, list[SourceUnit], list[FormatError]]]) -> Converted:
    labels: dict[str, int] = {}
    ids = []
    for (words, label_of_node, _, _), _, _ in parts:
        new = np.array([labels.setdefault(word, len(labels)) for word in words], np.int32)
        ids.append(new[label_of_node] if len(new) else label_of_node)
    columns = [
        np.concatenate([part[0][k] for part in parts]) if parts else np.empty(0, np.int32) for k in (2, 3)
    ]
    forest = _core.Forest.from_postorder(
        list(labels),
        np.concatenate(ids) if ids else np.empty(0, np.int32),
        columns[0],
        columns[1].astype(np.int64),
    )
    units = [unit for _, some, _ in parts for unit in some]
    return Converted(forest, units, [problem for _, _, some in parts for problem in some])


# -- units ------------------------------------------------------------------------------------------------------


def _units(root: Any, language: str, unit: Unit, number: int) -> Iterator[tuple[Any, SourceUnit]]:
    """The nodes that become trees, outermost ones only."""
    if unit == "file":
        yield root, _described(root, number, "")
        return
    end = -1
    for node in _captured(root, language, unit):
        if (
            node.start_byte >= end and node.parent is not None
        ):  # not inside of the one before, nor the source itself
            end = node.end_byte
            yield node, _described(node, number, _name(node))


def _captured(root: Any, language: str, unit: Unit) -> list[Any]:
    from tree_sitter import QueryCursor

    query = _query(language, unit)
    found = [] if query is None else QueryCursor(query).captures(root).get("unit", [])
    return sorted(found, key=lambda node: (node.start_byte, -node.end_byte))


@cache
def _query(language: str, unit: Unit) -> Any:
    """What finds the nodes of a unit; None if the language has none."""
    from tree_sitter import Query

    grammar = parser_of(language).language
    kinds = {
        grammar.node_kind_for_id(kind)
        for kind in range(grammar.node_kind_count)
        if grammar.node_kind_is_named(kind)
    }
    wanted = sorted(kinds & _KINDS[unit])
    return Query(grammar, "[" + " ".join(f"({kind})" for kind in wanted) + "] @unit") if wanted else None


def _described(node: Any, number: int, name: str) -> SourceUnit:
    errors = sum(1 for _ in _errors(node)) if node.has_error else 0
    return SourceUnit(number, name, node.start_point[0] + 1, node.end_point[0] + 1, errors)


def _name(node: Any) -> str:
    """What a definition is called; C has its name inside of declarators."""
    inner = node
    while inner is not None:
        named = inner.child_by_field_name("name")
        if named is not None or is_identifier(inner.type):
            return _text(named or inner)
        inner = inner.child_by_field_name("declarator") or inner.child_by_field_name("type")
    simple = next((child for child in node.children if is_identifier(child.type)), None)
    return _NAMELESS if simple is None else _text(simple)


def _text(node: Any) -> str:
    content: bytes = node.text
    return content.decode("utf-8", "replace")


def _errors(root: Any) -> Iterator[Any]:
    """Nodes that the grammar does not allow, and places where one is missing."""
    stack = [root]
    while stack:
        node = stack.pop()
        if node.is_error or node.is_missing:
            yield node
        elif node.has_error:
            stack.extend(reversed(node.children))


def _syntax_error(root: Any, number: int) -> FormatError:
    node = next(_errors(root))
    line, column = node.start_point
    what = f"a missing {node.type}" if node.is_missing else "what the grammar does not allow"
    return FormatError(f"syntax error: {what}", line=line + 1, column=column + 1, item=number)


# -- nodes ------------------------------------------------------------------------------------------------------

_SKIP, _WALK, _TEXT, _KIND = range(4)


class _Plan(dict[int, tuple[int, str]]):
    """What becomes of nodes, by the number of their kind: an action, and their label."""

    def __init__(self, grammar: Any, options: TreeOptions) -> None:
        self._grammar = grammar
        self._options = options

    def __missing__(self, kind: int) -> tuple[int, str]:
        grammar, options = self._grammar, self._options
        label = grammar.node_kind_for_id(kind) or "ERROR"
        named = label == "ERROR" or grammar.node_kind_is_named(kind)
        words = (
            options.identifiers if is_identifier(label) else options.literals if is_literal(label) else None
        )
        if is_comment(label) or (not named and not options.tokens):
            action = _SKIP
        elif words is None or not named:
            action = _WALK
        else:
            action = {"keep": _TEXT, "kind": _KIND, "drop": _SKIP}[words]
        self[kind] = action, label
        return self[kind]


@cache
def _plan(language: str, options: TreeOptions) -> _Plan:
    return _Plan(parser_of(language).language, replace(options, unit="file"))


class _Builder(PostorderBuilder):
    """Adds trees that a cursor walks through: the loop that millions of nodes go through."""

    def add(self, root: Any, content: bytes, plan: _Plan, fields: bool) -> None:
        emit = self.node
        cursor = self._cursor = root.walk()
        labels: list[str] = []  # of the nodes that the cursor is inside of
        arity = [0]  # their children so far, and those of nothing
        while True:
            node = cursor.node
            action, label = plan[node.kind_id]
            if action == _WALK and cursor.goto_first_child():
                labels.append(label)
                arity.append(0)
                continue
            if action != _SKIP:
                text = (
                    ""
                    if action == _KIND
                    else content[node.start_byte : node.end_byte].decode("utf-8", "replace")
                )
                if text and text != label:
                    emit(text)
                    emit(label, 1)
                else:
                    emit(label)
                if fields and (field := cursor.field_name):
                    emit(field, 1)
                arity[-1] += 1
            while not cursor.goto_next_sibling():
                if not cursor.goto_parent():
                    return
                emit(labels.pop(), arity.pop())
                if fields and (field := cursor.field_name):
                    emit(field, 1)
                arity[-1] += 1


# -- places -----------------------------------------------------------------------------------------------------


class NodeSpan(NamedTuple):
    """Where a node stands in its source: bytes, from and to."""

    start: int
    end: int


class _PlacedBuilder(_Builder):
    """Also notes where nodes stand."""

    def __init__(self) -> None:
        super().__init__()
        self.spans: list[NodeSpan] = []

    def node(self, label: str, arity: int = 0) -> None:
        super().node(label, arity)
        here = self._cursor.node
        self.spans.append(NodeSpan(here.start_byte, here.end_byte))


def spans_of(content: bytes, language: str, options: TreeOptions) -> list[list[NodeSpan]]:
    """Where the nodes of each tree of a source stand, in post-order."""
    options.check()
    root = parser_of(language).parse(content).root_node
    trees = []
    for node, _ in _units(root, language, options.unit, 0):
        builder = _PlacedBuilder()
        builder.add(node, content, _plan(language, options), options.fields)
        trees.append(builder.spans)
    return trees
