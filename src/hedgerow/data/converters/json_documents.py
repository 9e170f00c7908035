"""Trees from JSON."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from hedgerow.data.converters.postorder import PostorderBuilder
from hedgerow.data.errors import FormatError
from hedgerow.data.files import decode_utf8


class _Member(NamedTuple):
    """A key of an object with its value."""

    key: str
    value: Any


def add_json(builder: PostorderBuilder, document: Any, *, sort_keys: bool) -> None:
    decoded = _decode(document) if isinstance(document, str | bytes) else document
    builder.walk(decoded, _describer(sort_keys))


def _decode(text: str | bytes) -> Any:
    if isinstance(text, bytes):
        text = decode_utf8(text)
    try:
        return json.loads(text.removeprefix("\ufeff"))
    except json.JSONDecodeError as error:
        raise FormatError(f"not JSON: {error.msg}", line=error.lineno, column=error.colno) from None
    except RecursionError:
        raise FormatError("the document is nested too deeply for Python's own JSON reader") from None
    except ValueError as error:  # a number of thousands of digits
        raise FormatError(f"not JSON that Python reads: {error}") from None


def _describer(sort_keys: bool) -> Callable[[Any], tuple[str, Sequence[Any]]]:
    def describe(value: Any) -> tuple[str, Sequence[Any]]:
        if isinstance(value, _Member):
            return value.key, (value.value,)
        if isinstance(value, str):
            return value, ()
        if isinstance(value, Mapping):
            members = [_Member(str(key), below) for key, below in value.items()]
            return "object", sorted(members, key=lambda member: member.key) if sort_keys else members
        if isinstance(value, list | tuple):
            return "array", value
        if value is None or isinstance(value, bool | int | float):
            return _scalar_text(value), ()
        raise FormatError(f"a {type(value).__name__} cannot be part of JSON")

    return describe


def _scalar_text(value: Any) -> str:
    try:
        return json.dumps(value)  # true, false, null and numbers, as JSON spells them
    except ValueError:  # Python prints no decimals of thousands of digits
        return hex(value)
