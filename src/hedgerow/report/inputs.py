"""What a report is made from, recognised by content: models, traces, evaluations, and what other packages add.

Other packages name functions as entry points of the group ``hedgerow.report_items``. Each takes a mapping, as JSON
files hold them, and gives an `Item`, or None for a mapping that it does not know.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

from sklearn.exceptions import NotFittedError
from sklearn.utils.validation import check_is_fitted

from hedgerow.data.errors import FormatError
from hedgerow.data.files import decode_utf8, name_of, read_bytes
from hedgerow.inspection.findings import Findings
from hedgerow.persistence.model_file import model_file
from hedgerow.report.blocks import Item
from hedgerow.report.evaluations import EvaluationItem, is_evaluation
from hedgerow.report.findings import FindingsItem
from hedgerow.report.models import ModelItem
from hedgerow.report.numbers import listed
from hedgerow.report.traces import TraceItem, kind_of

GROUP = "hedgerow.report_items"
ACCEPTED = (
    "a report takes model files (hedgerow train), traces (hedgerow train --trace), evaluations (hedgerow evaluate "
    "--json) and, with the package hedgerow-papers, reproductions (hedgerow reproduce --json)"
)


def read_item(path: str | os.PathLike[str]) -> Item:
    """What is in a file, whatever the file is called."""
    content = read_bytes(path)
    where = name_of(path)
    name = Path(where).name
    if content[8:9] == b"{":  # as safetensors begin
        file = model_file(content, where)
        return ModelItem(name, file.model, {**file.trained_on, "version": file.version})
    text = decode_utf8(content, path=where) if b"\0" not in content[:4096] else ""
    if text.lstrip()[:1] in ("{", "["):
        return item_of(_parsed(text, where), name, where)
    header = text.split("\n", 1)[0].strip().split(",")
    if kind_of(header) is not None:
        return TraceItem(name, _columns(text, where))
    raise FormatError(f"not something that a report can use: {ACCEPTED}", path=where)


def item_of(thing: Any, name: str | None = None, where: str | None = None) -> Item:
    """A fitted model, a trace, or what a file of JSON holds."""
    if isinstance(thing, Mapping):
        if is_evaluation(thing):
            return EvaluationItem(_title(thing) or name or "evaluation", thing)
        if kind_of(thing) is not None:
            return TraceItem(name or "trace", dict(thing))
        if (item := _further_item(thing)) is not None:
            return item
    elif isinstance(thing, Findings):
        return FindingsItem(name or "Why", thing)
    elif hasattr(thing, "to_dict") and kind_of(thing.to_dict()) is not None:
        return TraceItem(name or "trace", thing.to_dict())
    elif hasattr(type(thing), "get_params") and hasattr(thing, "predict"):
        _check_fitted(thing)
        return ModelItem(name or type(thing).__name__, thing)
    if where is not None:
        raise FormatError(f"JSON, but not something that a report can use: {ACCEPTED}", path=where)
    raise TypeError(
        "a report takes fitted models, traces, explanations, dicts of hedgerow evaluate --json, "
        f"and paths of files, got a {type(thing).__name__}"
    )


def _further_item(content: Mapping[str, Any]) -> Item | None:
    """What another package makes of the mapping, if one knows it."""
    for point in entry_points(group=GROUP):
        item: Item | None = point.load()(content)
        if item is not None:
            return item
    return None


def _check_fitted(model: Any) -> None:
    try:
        check_is_fitted(model)
    except NotFittedError:
        raise ValueError(
            f"{type(model).__name__} is not fitted: a report is about models that have been trained"
        ) from None


def _title(evaluation: Mapping[str, Any]) -> str:
    """Which model was evaluated on what, if that is said."""
    model, data = evaluation.get("model"), evaluation.get("data")
    return f"{model} on {listed(data)}" if model and data else ""


def _parsed(text: str, where: str) -> Any:
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        raise FormatError(
            f"looks like JSON, but {error.msg}", path=where, line=error.lineno, column=error.colno
        ) from None


def _columns(text: str, where: str) -> dict[str, list[float]]:
    """The columns of comma-separated values."""
    first, *lines = text.splitlines()
    names = first.strip().split(",")
    columns: dict[str, list[float]] = {name: [] for name in names}
    for number, line in enumerate(lines, start=2):
        if not line.strip():
            continue
        fields = line.split(",")
        if len(fields) != len(names):
            raise FormatError(f"expected {len(names)} values, got {len(fields)}", path=where, line=number)
        for name, word in zip(names, fields, strict=True):
            try:
                columns[name].append(float(word))
            except ValueError:
                raise FormatError(
                    f"expected a number in the column {name}, got {word!r}", path=where, line=number
                ) from None
    return columns
