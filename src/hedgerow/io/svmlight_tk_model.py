"""Model files of SVM-light-TK: what they hold, reading and writing.

A line with the version, the header (one ``value # comment`` a line), then a line for each support vector: its
coefficient, its trees and its vectors. The decision is ``sum_i coefficient_i K(support_i, x) - threshold``.

Averaged and voted models are followed by their votes, which other versions of svm_classify do not look at:
a line ``averaged # ...`` or ``voted # ...``, then one whole number a line for each support vector, in the order
in which learning added them: the number of examples, this one included, after which the predictor made by
adding it was in use. Bare numbers, without the first line, belong to an averaged model.
"""

from __future__ import annotations

import math
import os
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, fields
from typing import Any, Literal

import numpy as np

from hedgerow import _core
from hedgerow.data import Forest
from hedgerow.data.errors import FormatError, line_errors
from hedgerow.data.files import decode_utf8, name_of, read_bytes, writing
from hedgerow.io.examples import Examples, Vector, take_table
from hedgerow.io.svmlight_tk_writer import example_lines, number_text

VERSION = "V5.01-TK-1.5"
FIRST_WORDS = "SVM-light Version "
Voting = Literal["averaged", "voted"]


def _flag(letter: str, default: Any) -> Any:
    return field(default=default, metadata={"flag": letter})


@dataclass(frozen=True)
class SvmlightTkParameters:
    """The parameters of a kernel, each with the letter and the default that SVM-light-TK gives it.

    Examples
    --------
    >>> from hedgerow.io import SvmlightTkParameters
    >>> parameters = SvmlightTkParameters.from_flags({"t": "5", "L": "0.2"})
    >>> parameters.kernel_type, parameters.decay
    (5, 0.2)
    """

    kernel_type: int = _flag("t", 0)
    degree: int = _flag("d", 3)
    gamma: float = _flag("g", 1.0)
    scale: float = _flag("s", 1.0)
    offset: float = _flag("r", 1.0)
    custom: str = _flag("u", "empty")
    decay: float = _flag("L", 0.4)
    tree_weight: float = _flag("T", 1.0)
    combination: str = _flag("C", "T")
    tree_kernel: int = _flag("F", 1)
    vector_kernel: int = _flag("S", 1)
    vertical_decay: float = _flag("M", 0.4)
    normalization: int = _flag("N", 3)
    vector_pairing: str = _flag("V", "S")
    tree_pairing: str = _flag("W", "S")
    tree_parameters: int = _flag("U", 0)

    @classmethod
    def from_flags(cls, flags: dict[str, str]) -> SvmlightTkParameters:
        """From letters and the texts given with them; a ValueError names the letter and what it takes."""
        names = {f.metadata["flag"]: f for f in fields(cls)}
        values = {names[letter].name: _parsed(letter, names[letter], text) for letter, text in flags.items()}
        return cls(**values)


FLAGS: dict[str, str] = {f.metadata["flag"]: f.name for f in fields(SvmlightTkParameters)}
_CHOICES = {"C": "+*TV", "V": "SA", "W": "SA"}


@dataclass
class SvmlightTkModel:
    """A model as its file has it.

    Attributes
    ----------
    parameters : SvmlightTkParameters
    supports : Forest, csr_matrix or Records
        As `read_svmlight_tk` gives examples.
    coefficients : array
        ``alpha * y`` of each support.
    threshold : float
        What the decision subtracts from the sum.
    votes : int64 array or None
        Of averaged and voted models, see above; the sums are then weighted by them.
    voting : {"averaged", "voted"}
        What the votes are for.
    n_documents : int
        Number of examples that the model was trained on.
    highest_feature : int
        The highest feature index of all vectors.
    version : str
        What the first line says after "SVM-light Version".

    Examples
    --------
    >>> import numpy as np
    >>> from hedgerow import Forest
    >>> from hedgerow.io import SvmlightTkModel, SvmlightTkParameters
    >>> supports = Forest(["(NP (D a) (N dog))", "(NP (D a) (N cat))"])
    >>> model = SvmlightTkModel(SvmlightTkParameters(kernel_type=5), supports, np.array([1.0, -0.5]), threshold=0.25)
    >>> model.version
    'V5.01-TK-1.5'
    """

    parameters: SvmlightTkParameters
    supports: Examples
    coefficients: Vector
    threshold: float = 0.0
    votes: Vector | None = None
    voting: Voting = "averaged"
    n_documents: int = 0
    highest_feature: int = 0
    version: str = VERSION

    def __post_init__(self) -> None:
        n = self.supports.shape[0]
        self.coefficients = np.asarray(self.coefficients, dtype=np.float64)
        if self.votes is not None:
            self.votes = np.asarray(self.votes, dtype=np.int64)
        for name in ("coefficients", "votes"):
            values = getattr(self, name)
            if values is not None and values.shape != (n,):
                raise ValueError(
                    f"{name} must hold one number for each of the {n} supports, got {values.shape}"
                )
        if not np.isfinite(self.coefficients).all() or not math.isfinite(self.threshold):
            raise ValueError("coefficients and threshold must be finite")
        if self.votes is not None and (self.votes < 0).any():
            raise ValueError("votes must be at least 0")
        if self.voting not in ("averaged", "voted"):
            raise ValueError(f"voting must be 'averaged' or 'voted', got {self.voting!r}")

    def expansion_coefficients(self) -> Vector:
        """Coefficients of the one sum over supports that scores with this model.

        With votes c of an averaged model these are ``coefficient_i * (c_i + c_(i+1) + ...) / sum of c``. A voted
        model has no such sum, which is a ValueError.
        """
        if self.votes is None:
            return self.coefficients
        if self.voting == "voted":
            raise ValueError("a voted model counts the signs of many sums, so no single one scores like it")
        suffix_sums = np.cumsum(self.votes[::-1])[::-1]
        weighted: Vector = self.coefficients * suffix_sums / max(int(self.votes.sum()), 1)
        return weighted


# -- reading -------------------------------------------------------------------------------------------------


def is_svmlight_tk_model(start: bytes) -> bool:
    """Whether a file that starts like this is a model of SVM-light or SVM-light-TK."""
    return start.startswith(FIRST_WORDS.encode())


def read_svmlight_tk_model(
    path: str | os.PathLike[str], *, spaces_in_leaves: bool = False
) -> SvmlightTkModel:
    """Read a model file of SVM-light-TK 1.5 or 1.2, or of SVM-light itself, plain or gzip.

    Parameters
    ----------
    path : path, or "-" for standard input
    spaces_in_leaves : bool
        Read ``(N New York)`` as one leaf, as SVM-light-TK does, instead of two.

    Returns
    -------
    model : SvmlightTkModel

    Raises
    ------
    FormatError
        With the line that cannot be read.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> import numpy as np
    >>> from hedgerow import Forest
    >>> from hedgerow.io import SvmlightTkModel, SvmlightTkParameters
    >>> from hedgerow.io import read_svmlight_tk_model, write_svmlight_tk_model
    >>> path = pathlib.Path(tempfile.mkdtemp(), "svm_model")
    >>> supports = Forest(["(NP (D a) (N dog))"])
    >>> write_svmlight_tk_model(path, SvmlightTkModel(SvmlightTkParameters(kernel_type=5), supports, np.array([0.5])))
    >>> model = read_svmlight_tk_model(path)
    >>> model.supports.to_brackets(), model.coefficients
    (['(NP (D a) (N dog))'], array([0.5]))
    """
    name = name_of(path)
    lines = read_bytes(path).rstrip().split(b"\n")
    header = _Header(name, lines)
    version = header.version()
    values = header.values()
    begin, n = header.at, values.pop("supports") - 1
    if n < 0 or len(lines) - begin < n:
        raise header.error(f"the file is cut short: it should have {n} support vectors", len(lines))
    supports, coefficients = _read_supports(
        name, lines, begin, n, values["highest_feature"], spaces_in_leaves
    )
    voting, votes = _read_votes(header, lines[begin + n :], begin + n, n)
    return SvmlightTkModel(
        SvmlightTkParameters(**values.pop("parameters")),
        supports,
        coefficients,
        votes=votes,
        voting=voting,
        version=version,
        **values,
    )


class _Header:
    """The lines before the support vectors."""

    COMMENTS = (
        ("highest feature", "highest_feature", int),
        ("number of training", "n_documents", int),
        ("number of support", "supports", int),
        ("threshold", "threshold", float),
    )

    def __init__(self, path: str, lines: list[bytes]) -> None:
        self.path, self.lines, self.at = path, lines, 0

    def error(self, message: str, line: int | None = None) -> FormatError:
        return FormatError(message, path=self.path, line=self.at if line is None else line)

    def _next(self) -> str:
        if self.at >= len(self.lines):
            raise self.error("the file is cut short: the header ends before the threshold", len(self.lines))
        self.at += 1
        return decode_utf8(self.lines[self.at - 1], path=self.path).rstrip()

    def version(self) -> str:
        if not is_svmlight_tk_model(self.lines[0]):
            raise self.error(f"not a model of SVM-light-TK: it should begin with {FIRST_WORDS.strip()!r}", 1)
        return self._next().removeprefix(FIRST_WORDS).strip()

    def values(self) -> dict[str, Any]:
        """All that the header says; it ends with the threshold."""
        found: dict[str, Any] = {"parameters": {}}
        while "threshold" not in found:
            value, mark, comment = self._next().rpartition("#")
            if not mark:
                raise self.error("expected 'value # comment'")
            self._take(found, value.strip(), comment.strip())
        for name in ("supports", "highest_feature", "n_documents"):
            if name not in found:
                raise self.error(f"the header does not say the {name.replace('_', ' ')}")
        return found

    def _take(self, found: dict[str, Any], value: str, comment: str) -> None:
        parameters = found["parameters"]
        if comment.lower().startswith("kernel type"):
            parameters["kernel_type"] = self._parse(_parsed, "t", _fields()["t"], value)
        elif letter := re.match(r"kernel param\w* -(\w)", comment, re.IGNORECASE):
            if letter[1] == "D":  # version 1.2: complete subtrees or subset trees
                if self._parse(_number, "-D", value) == 0:
                    parameters["tree_kernel"] = 0
            elif letter[1] not in FLAGS:
                raise self.error(f"unknown parameter -{letter[1]}")
            else:
                parsed = self._parse(_parsed, letter[1], _fields()[letter[1]], value)
                parameters[FLAGS[letter[1]]] = parsed
        else:
            for start, name, kind in self.COMMENTS:
                if comment.lower().startswith(start):
                    found[name] = self._parse(_whole if kind is int else _number, comment, value)
                    return
            raise self.error(f"cannot tell what {comment!r} is")

    def _parse(self, parse: Callable[..., Any], *what: Any) -> Any:
        try:
            return parse(*what)
        except ValueError as error:
            raise self.error(str(error)) from None


def _read_supports(
    path: str, lines: list[bytes], begin: int, n: int, width: int, spaces_in_leaves: bool
) -> tuple[Examples, Vector]:
    reader = _core.SvmlightTkReader(spaces_in_leaves, False, False, (1 << 31) - 1)
    reader.fix_labels(False, ": the coefficient of a support vector")
    text = b"\n" * begin + b"\n".join(lines[begin : begin + n])  # so that lines are counted from the top
    reader.read(text, 0, n + 1, True)
    for problem in line_errors(reader.take_errors(), path):
        raise problem
    if reader.rows != n:
        raise FormatError(f"the file is cut short: {reader.rows} of {n} support vectors are there", path=path)
    table = take_table(reader)
    for column in table.columns.values():
        if not isinstance(column, Forest) and column.shape[1] < width:
            column.resize(n, width)
    coefficients = table.labels("float")
    bad = np.flatnonzero(~np.isfinite(coefficients))
    if len(bad):
        raise FormatError(
            f"a coefficient must be finite, got {coefficients[bad[0]]}",
            path=path,
            line=begin + int(bad[0]) + 1,
        )
    return table.simplest(), coefficients


def _read_votes(header: _Header, lines: list[bytes], begin: int, n: int) -> tuple[Voting, Vector | None]:
    voting: Voting = "averaged"
    votes: list[int] = []
    for number, line in enumerate(lines, begin + 1):
        words = decode_utf8(line, path=header.path).partition("#")[0].split()
        if not votes and words[:1] in (["averaged"], ["voted"]):
            voting, words = ("averaged" if words[0] == "averaged" else "voted"), words[1:]
        for word in words:
            if not word.isascii() or not word.isdigit():
                raise header.error(
                    f"expected a number of votes behind the support vectors, got {word!r}", number
                )
            votes.append(int(word))
    if votes and len(votes) != n:
        raise header.error(f"{len(votes)} votes for {n} support vectors", begin + len(lines))
    return voting, np.array(votes, dtype=np.int64) if votes else None


# -- writing -------------------------------------------------------------------------------------------------


def write_svmlight_tk_model(
    path: str | os.PathLike[str], model: SvmlightTkModel, *, spaces_in_leaves: bool = False
) -> None:
    """Write a model file of SVM-light-TK 1.5; `read_svmlight_tk_model` gives the same model back exactly.

    The file appears only when all of it has been written. Numbers are written so that they read back to the
    last bit. Columns of trees must be called ``tree``, ``tree_2``, ... and those of vectors ``vector``,
    ``vector_2``, ..., since the format has no names.

    Parameters
    ----------
    path : path, or "-" for standard output
    model : SvmlightTkModel
    spaces_in_leaves : bool
        As in `write_svmlight_tk`.

    Examples
    --------
    >>> import numpy as np
    >>> from hedgerow import Forest
    >>> from hedgerow.io import SvmlightTkModel, SvmlightTkParameters, write_svmlight_tk_model
    >>> parameters = SvmlightTkParameters(kernel_type=5)
    >>> model = SvmlightTkModel(parameters, Forest(["(NP (D a) (N dog))"]), np.array([0.5]))
    >>> write_svmlight_tk_model("-", model)  # doctest: +ELLIPSIS
    SVM-light Version V5.01-TK-1.5
    5 # kernel type
    3 # kernel parameter -d
    ...
    2 # number of support vectors plus 1
    0 # threshold b, each following line is a SV (starting with alpha*y)
    0.5 |BT| (NP (D a) (N dog)) |ET|
    """
    with writing(path) as out:
        out.write("".join(f"{line}\n" for line in _header_lines(model)).encode())
        texts = [number_text(value) for value in model.coefficients.tolist()]
        out.writelines(example_lines(texts, model.supports, spaces_in_leaves=spaces_in_leaves))
        if model.votes is not None:
            out.write(f"{model.voting} # votes, one line for each SV in the order above\n".encode())
            out.write("".join(f"{count}\n" for count in model.votes.tolist()).encode())


def _header_lines(model: SvmlightTkModel) -> Iterator[str]:
    yield f"{FIRST_WORDS}{VERSION}"
    for letter, name in FLAGS.items():
        value = getattr(model.parameters, name)
        text = value if isinstance(value, str) else number_text(value)
        comment = "kernel type" if letter == "t" else f"kernel parameter -{letter}"
        yield f"{text}# {comment}" if letter == "u" else f"{text} # {comment}"
    yield f"{model.highest_feature} # highest feature index"
    yield f"{model.n_documents} # number of training documents"
    yield f"{len(model.coefficients) + 1} # number of support vectors plus 1"
    yield f"{number_text(model.threshold)} # threshold b, each following line is a SV (starting with alpha*y)"


# -- values --------------------------------------------------------------------------------------------------


def _fields() -> dict[str, Any]:
    return {f.metadata["flag"]: f for f in fields(SvmlightTkParameters)}


def _parsed(letter: str, parameter: Any, text: str) -> Any:
    kind = type(parameter.default)
    if kind is int:
        return _whole(f"-{letter}", text)
    if kind is float:
        return _number(f"-{letter}", text)
    choices = _CHOICES.get(letter)
    if choices is not None and (len(text) != 1 or text not in choices):
        raise ValueError(f"-{letter} must be one of {', '.join(choices)}, got {text!r}")
    return text


def _whole(what: str, text: str) -> int:
    number = _number(what, text)
    if number != int(number):
        raise ValueError(f"{what} must be a whole number, got {text!r}")
    return int(number)


def _number(what: str, text: str) -> float:
    try:
        number = float(text)
    except ValueError:
        number = math.nan
    if not math.isfinite(number):
        raise ValueError(f"{what} must be a number, got {text!r}")
    return number
