"""Model files of SVM-light-TK: what they hold, reading and writing.

A line with the version, the header (one ``value # comment`` a line), then a line for each support vector: its
coefficient, its trees and its vectors. The decision is ``sum_i coefficient_i K(support_i, x) - threshold``.

Averaged and voted models are followed by their votes, which other versions of svm_classify do not look at:
a line ``averaged # ...`` or ``voted # ...``, then one whole number a line for each support vector, in the order
in which learning added them: the number of examples, this one included, after which the predictor made by
adding it was in use. Bare numbers, without the first line, belong to an averaged model.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from hedgerow import _core
from hedgerow.data import Forest
from hedgerow.data.errors import FormatError, line_errors
from hedgerow.data.files import decode_utf8, name_of, read_bytes, writing
from hedgerow.io.examples import Examples, Vector, take_table
from hedgerow.io.svmlight_tk_writer import example_lines, number_text
from hedgerow.svmlight_tk.model import VERSION, SvmlightTkModel, Voting
from hedgerow.svmlight_tk.parameters import FLAGS, SvmlightTkParameters, number, parsed, whole

FIRST_WORDS = "SVM-light Version "


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
    >>> from hedgerow.svmlight_tk import SvmlightTkModel, SvmlightTkParameters
    >>> from hedgerow.svmlight_tk import read_svmlight_tk_model, write_svmlight_tk_model
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
        raise header.error(f"the file is cut short: expected {n} support vectors", len(lines))
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
        ("highest feature", "highest_feature", whole),
        ("number of training", "n_documents", whole),
        ("number of support", "supports", whole),
        ("threshold", "threshold", number),
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
        if not 0 <= found["highest_feature"] < 1 << 31:
            raise self.error("the highest feature must be from 0 to 2147483647")
        return found

    def _take(self, found: dict[str, Any], value: str, comment: str) -> None:
        parameters = found["parameters"]
        if comment.lower().startswith("kernel type"):
            parameters["kernel_type"] = self._parse(parsed, "t", value)
        elif letter := re.match(r"kernel param\w* -(\w)", comment, re.IGNORECASE):
            if letter[1] == "D":  # version 1.2: complete subtrees or subset trees
                if self._parse(number, "-D", value) == 0:
                    parameters["tree_kernel"] = 0
            elif letter[1] not in FLAGS:
                raise self.error(f"unknown parameter -{letter[1]}")
            else:
                parameters[FLAGS[letter[1]]] = self._parse(parsed, letter[1], value)
        else:
            for start, name, parse in self.COMMENTS:
                if comment.lower().startswith(start):
                    found[name] = self._parse(parse, comment, value)
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
    for place, line in enumerate(lines, begin + 1):
        words = decode_utf8(line, path=header.path).partition("#")[0].split()
        if not votes and words[:1] in (["averaged"], ["voted"]):
            voting, words = ("averaged" if words[0] == "averaged" else "voted"), words[1:]
        for word in words:
            if not word.isascii() or not word.isdigit() or len(word) > 18:
                raise header.error(
                    f"expected a number of votes behind the support vectors, got {word!r}", place
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
    >>> from hedgerow.svmlight_tk import SvmlightTkModel, SvmlightTkParameters, write_svmlight_tk_model
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
