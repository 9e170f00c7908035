"""Examples and labels as JSON has them, and as the model takes them: derived from how the model reads files."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from itertools import groupby
from math import isfinite
from typing import Any

import numpy as np
from scipy import sparse

from hedgerow import _core
from hedgerow.data import Forest, FormatError, Records
from hedgerow.io.schema import Schema
from hedgerow.models.schema import schema_of

SOURCE_OPTIONS = ("tokens", "identifiers", "literals", "fields", "strict")
WIDEST = 2**31 - 1


class Refused(ValueError):
    """What is wrong with a field of a request."""

    def __init__(self, field: str, message: str) -> None:
        super().__init__(message)
        self.field = field


class Column(ABC):
    """One kind of values."""

    form: str  # what JSON holds

    def plain(self, value: Any, field: str) -> Any:
        """What the log keeps of a value."""
        return value

    @abstractmethod
    def check(self, value: Any, field: str) -> Any:
        """The value for `arrange`, or Refused. It need not look inside: `arrange` may complain, too."""

    @abstractmethod
    def arrange(self, values: list[Any]) -> Any:
        """Checked values as learners take them."""

    def kind(self, value: Any) -> Any:
        """Only values of one kind are arranged together."""
        return None

    def size(self, checked: Any) -> int:
        """Nodes of a tree, tokens of a sequence."""
        return 0


class Trees(Column):
    form = "a tree in brackets, such as (S (NP Mary) (VP sings))"

    def plain(self, value: Any, field: str) -> Any:
        """Source code, with its language and the options of `Forest.from_source`, becomes its tree at once.

        Another version of a parser may make another tree of it; the log must not.
        """
        if not isinstance(value, dict) or "source" not in value:
            return value
        options = {name: one for name, one in value.items() if name not in ("source", "language")}
        if unknown := options.keys() - SOURCE_OPTIONS:
            raise Refused(
                f"{field}.{min(unknown)}", f"expected source, language, {', '.join(SOURCE_OPTIONS)}"
            )
        source = _text(value["source"], f"{field}.source", "source code")
        language = _text(value.get("language"), f"{field}.language", "a language, such as python")
        try:
            return Forest.from_source([source], language, n_jobs=1, **options).to_brackets()[0]
        except (ValueError, TypeError, ImportError) as error:
            raise Refused(field, str(error)) from error

    def __init__(self, spaces_in_leaves: bool) -> None:
        self._spaces_in_leaves = spaces_in_leaves

    def check(self, value: Any, field: str) -> str:
        return _text(value, field, self.form)

    def size(self, checked: Any) -> int:
        return int(checked.count("("))

    def arrange(self, values: list[Any]) -> Forest:
        if not self._spaces_in_leaves:
            return Forest(values)
        return Forest.concatenate(map(_with_spaces, values))


class Texts(Column):
    form = "a text"

    def __init__(self, schema: Schema) -> None:
        self._tokens = schema.tokens
        if schema.tokens:
            self.form = "a list of tokens, or a text with spaces between them"

    def check(self, value: Any, field: str) -> Any:
        if self._tokens and isinstance(value, list):
            return [_text(token, f"{field}[{i}]", "a text") for i, token in enumerate(value)]
        text = _text(value, field, self.form)
        return text.split() if self._tokens else text

    def arrange(self, values: list[Any]) -> Any:
        return values


class Vectors(Column):
    """Dense as lists, sparse as objects from columns, counted from 0, to values."""

    def __init__(self, width: int | None, most: int | None) -> None:
        self._width = width  # of lists
        self._most = WIDEST if most is None else most
        lists = "a list of numbers" if width is None else f"a list of {width} numbers"
        self.form = f"{lists}, or an object from columns, counted from 0, to numbers"

    def check(self, value: Any, field: str) -> Any:
        if isinstance(value, list):
            if self._width is not None and len(value) != self._width:
                raise Refused(field, f"expected {self._width} numbers, got {len(value)}")
            if not value:
                raise Refused(field, "expected one number at least")
            return np.array([_number(one, f"{field}[{i}]") for i, one in enumerate(value)])
        if not isinstance(value, dict):
            raise Refused(field, f"expected {self.form}")
        return {self._place(name, field): _number(one, f"{field}.{name}") for name, one in value.items()}

    def _place(self, name: str, field: str) -> int:
        if not (name.isascii() and name.isdigit() and len(name) < 11 and int(name) < self._most):
            raise Refused(field, f"columns are whole numbers from 0 to {self._most - 1}, got {name[:50]!r}")
        return int(name)

    def kind(self, value: Any) -> Any:
        return type(value), len(value) if isinstance(value, np.ndarray) else 0

    def arrange(self, values: list[Any]) -> Any:
        if isinstance(values[0], np.ndarray):
            return np.stack(values)
        rows = [sorted(value.items()) for value in values]
        begins = np.cumsum([0] + [len(row) for row in rows])
        places = np.array([place for row in rows for place, _ in row], np.int64)
        data = np.array([number for row in rows for _, number in row], np.float64)
        width = max(self._width or 1, int(places.max(initial=0)) + 1)
        return sparse.csr_matrix((data, places, begins), shape=(len(rows), width))


class Tokens(Column):
    """Sequences: a text or a list of columns for each token."""

    def __init__(self, columns: int) -> None:
        self._columns = columns
        each = "a text" if columns == 1 else f"a list of {columns} texts"
        self.form = f"a list of tokens, each {each}"

    def check(self, value: Any, field: str) -> Any:
        if not isinstance(value, list) or not value:
            raise Refused(field, f"expected {self.form}")
        return [self._token(token, f"{field}[{i}]") for i, token in enumerate(value)]

    def _token(self, token: Any, field: str) -> list[str]:
        parts = [token] if isinstance(token, str) else token
        if not isinstance(parts, list) or len(parts) != self._columns:
            raise Refused(field, f"expected {self.form}")
        return [_text(part, field, self.form) for part in parts]

    def arrange(self, values: list[Any]) -> list[Any]:
        return values

    def size(self, checked: Any) -> int:
        return len(checked)


class Examples:
    """What a model takes, and the labels that it knows.

    Parameters
    ----------
    model : a fitted model
    facts : dict
        What `facts_of` said about the first model of the log, so that what is accepted does not depend on what was
        learned since.
    """

    def __init__(self, model: Any, facts: dict[str, Any]) -> None:
        problem: Any = getattr(model, "problem_", None)
        self.sequences = hasattr(problem, "reader_")  # which reads tokens
        if self.sequences:
            templates = problem.reader_.templates
            if templates is None:
                raise ValueError("sequences whose tokens are vectors cannot be served: train with templates")
            self.columns: dict[str, Column] = {"tokens": Tokens(len(templates.columns))}
        elif hasattr(model, "decision_function") and hasattr(model, "classes_"):
            self.columns = _columns(model, Schema.from_notes(facts["schema"]), facts["width"])
        else:
            what = type(model if problem is None else problem).__name__
            raise ValueError(
                f"models of {what} cannot be served yet: only classifiers and label sequences can"
            )
        self._several = len(self.columns) > 1

    @property
    def form(self) -> str:
        """What an example looks like."""
        if not self._several:
            return next(iter(self.columns.values())).form
        return "an object with " + "; ".join(
            f"{name!r}: {column.form}" for name, column in self.columns.items()
        )

    def plain(self, value: Any, field: str) -> Any:
        """An example as the log keeps it."""
        if not self._several:
            return next(iter(self.columns.values())).plain(value, field)
        if not isinstance(value, dict):
            return value  # which `check` refuses
        return {
            name: self.columns[name].plain(one, f"{field}.{name}") if name in self.columns else one
            for name, one in value.items()
        }

    def check(self, value: Any, field: str) -> Any:
        """A value of JSON, checked."""
        if not self._several:
            return next(iter(self.columns.values())).check(value, field)
        if not isinstance(value, dict):
            raise Refused(field, f"expected {self.form}")
        for name in value:
            if name not in self.columns:
                raise Refused(f"{field}.{name}", f"the columns are {', '.join(self.columns)}")
        for name in self.columns:
            if name not in value:
                raise Refused(f"{field}.{name}", f"missing; expected {self.columns[name].form}")
        return {name: column.check(value[name], f"{field}.{name}") for name, column in self.columns.items()}

    def runs(self, checked: Sequence[Any], fields: Sequence[str]) -> list[Any]:
        """Checked examples as models take them, in runs of one kind; Refused names the one that cannot be read."""
        try:
            if len(checked) == 1:
                return [self._arranged(list(checked))]
            return [self._arranged(list(run)) for _, run in groupby(checked, self.kind)]
        except (ValueError, TypeError, OverflowError) as error:
            for one, field in zip(checked, fields, strict=True) if len(checked) > 1 else ():
                self.runs([one], [field])
            message = error.message if isinstance(error, FormatError) else str(error)
            raise Refused(fields[0], f"{message}; expected {self.form}") from error

    def check_size(self, checked: Any, field: str, most: int) -> None:
        """Of what requests bring; the log may hold what larger limits let in."""
        for name, column in self.columns.items():
            if column.size(checked[name] if self._several else checked) > most:
                raise Refused(field, f"it has more than {most} nodes or tokens")

    def kind(self, checked: Any) -> Any:
        """Only examples of one kind are arranged together."""
        if not self._several:
            return next(iter(self.columns.values())).kind(checked)
        return [column.kind(checked[name]) for name, column in self.columns.items()]

    def _arranged(self, checked: list[Any]) -> Any:
        if not self._several:
            return next(iter(self.columns.values())).arrange(checked)
        return Records(
            {name: column.arrange([one[name] for one in checked]) for name, column in self.columns.items()}
        )

    # -- labels ---------------------------------------------------------------------------------------------

    def label(self, model: Any, value: Any, example: Any, field: str) -> Any:
        """A label of JSON as the model has it."""
        if self.sequences:
            return self._labels(model, value, example, field)
        known = model.classes_.tolist()
        by_name = {str(label): label for label in known}
        if isinstance(value, str | int | float) and not isinstance(value, bool):
            if value in known:
                return known[known.index(value)]
            if isinstance(value, str) and value in by_name:
                return by_name[value]
            if getattr(model, "_open_classes", False) and type(value) in {type(label) for label in known}:
                return value
        hint = "" if getattr(model, "_open_classes", False) else ", and the model takes no new ones"
        raise Refused(field, f"labels are {', '.join(by_name)}{hint}; got {_shown(value)}")

    def _labels(self, model: Any, value: Any, example: Any, field: str) -> list[str]:
        known = set(model.problem_.classes_.tolist())
        if not isinstance(value, list) or len(value) != len(example):
            raise Refused(field, f"expected a list with a label for each of the {len(example)} tokens")
        for i, label in enumerate(value):
            if not isinstance(label, str) or label not in known:
                raise Refused(f"{field}[{i}]", f"labels are {', '.join(sorted(known))}; got {_shown(label)}")
        return value


def _with_spaces(text: str) -> Forest:
    """One tree, with leaves such as New York."""
    native, errors = _core.read_brackets(text.encode(), None, "free", False, True)
    forest = Forest._wrap(native)
    if errors or len(forest) != 1:
        raise ValueError("not one tree")
    return forest


def _columns(model: Any, schema: Schema, width: int | None) -> dict[str, Column]:
    """Of the schema; models that were saved from Python need not name any."""
    kinds: dict[str, Any] = dict(schema.columns)
    if not kinds:
        kernel = getattr(model, "kernel_", getattr(getattr(model, "problem_", None), "kernel", None))
        leaves: Any = getattr(kernel, "_leaves", list)()
        kind = "text" if schema.format == "text" else leaves[0][0].data_kind if leaves else "vector"
        kinds = {kind: kind}
    on_weights = getattr(model, "_on_weights", False)
    found: dict[str, Column] = {}
    for name, kind in kinds.items():
        if kind == "tree":
            found[name] = Trees(schema.spaces_in_leaves)
        elif kind == "text":
            found[name] = Texts(schema)
        else:
            own = schema.n_features.get(name, width if len(kinds) == 1 else None)
            found[name] = Vectors(own, None if on_weights else own)
    return found


def facts_of(model: Any, notes: dict[str, Any]) -> dict[str, Any]:
    """What is to be known of the first model of a log: how it reads examples, and how long vectors are."""
    width = getattr(model, "n_features_in_", None)
    classifies = hasattr(model, "decision_function") and hasattr(model, "classes_")
    facts = {
        "schema": schema_of(model, notes).notes() if classifies else None,
        "width": None if width is None else int(width),
    }
    Examples(model, facts)  # which complains about models that cannot be served
    return facts


def _text(value: Any, field: str, form: str) -> str:
    if not isinstance(value, str):
        raise Refused(field, f"expected {form}, got {_shown(value)}")
    return value


def _number(value: Any, field: str) -> float:
    if not isinstance(value, int | float) or isinstance(value, bool):
        raise Refused(field, f"expected a number, got {_shown(value)}")
    try:
        number = float(value)
    except OverflowError:
        number = float("inf")
    if not isfinite(number):
        raise Refused(field, "the number is too large")
    return number


def _shown(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 50 else f"{text[:47]}..."
