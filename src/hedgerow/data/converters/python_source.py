"""Trees from Python source code."""

from __future__ import annotations

import ast
import warnings
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from hedgerow.data.converters.postorder import PostorderBuilder
from hedgerow.data.errors import FormatError

# Fields that repeat what the tree shows (whether a name is read or written) or how it was spelt.
SKIPPED = frozenset({"ctx", "type_comment", "type_ignores", "kind", "simple", "conversion"})


class _Group(NamedTuple):
    """A node that the syntax tree does not have: a label and what is below it."""

    label: str
    children: Sequence[Any]


def add_python(builder: PostorderBuilder, source: str | bytes, *, identifiers: bool, constants: bool) -> None:
    builder.walk(_parse(source), _describer(identifiers, constants))


def _parse(source: str | bytes) -> ast.AST:
    if not isinstance(source, str | bytes):
        raise TypeError(f"expected Python source as str or bytes, got {type(source).__name__}")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # about the code, such as invalid escapes
            return ast.parse(source)
    except SyntaxError as error:
        line, column = error.lineno or None, error.offset or None
        raise FormatError(f"not Python: {error.msg}", line=line, column=column) from None
    except (RecursionError, MemoryError):
        raise FormatError("the code is nested too deeply for Python's own parser") from None
    except ValueError as error:  # NUL bytes, half surrogate pairs
        raise FormatError(f"not Python: {error}") from None


def _describer(identifiers: bool, constants: bool) -> Callable[[Any], tuple[str, Sequence[Any]]]:
    def describe(node: Any) -> tuple[str, Sequence[Any]]:
        if isinstance(node, str):
            return node, ()
        if isinstance(node, _Group):
            return node.label, node.children
        name = type(node).__name__
        if isinstance(node, ast.Constant | ast.MatchSingleton):
            return name, (_constant_text(node.value) if constants else type(node.value).__name__,)
        children: list[Any] = []
        for field in node._fields:
            value = getattr(node, field, None)
            if field in SKIPPED or value is None:
                continue
            if isinstance(value, list):
                items = ["None" if item is None else item for item in value]
                if not identifiers:
                    items = [item for item in items if isinstance(item, ast.AST) or item == "None"]
                if items:
                    children.append(_Group(field, items))
            elif isinstance(value, ast.AST):
                children.append(value)
            elif isinstance(value, str):
                if identifiers:
                    children.append(value)
            elif field == "level" and value:
                children.append("." * value)  # from .. import
            elif field == "is_async" and value:
                children.append("async")
        return name, children

    return describe


def _constant_text(value: object) -> str:
    try:
        return repr(value)
    except ValueError:  # Python prints no decimals of thousands of digits
        return hex(value) if isinstance(value, int) else type(value).__name__
