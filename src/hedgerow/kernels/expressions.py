"""Kernels in words: ``sst + 0.5 * linear``, as commands take them, and the Python form that ``repr`` prints.

sum      = term {"+" term}
term     = factor {"*" factor}                            numbers are weights
factor   = atom {"on" column | "." "on" "(" column ")"}   a column is a word or a quoted text
atom     = number | "(" sum ")" | name ["(" [argument {"," argument}] ")"]
argument = [name "="] (sum | quoted text | True | False | None)
"""

from __future__ import annotations

import re
from ast import literal_eval
from collections.abc import Callable, Mapping
from difflib import get_close_matches
from functools import cache
from typing import Any, NamedTuple, NoReturn, get_args

from hedgerow import registry
from hedgerow.kernels.base import Kernel
from hedgerow.kernels.combinations import Normalized, OnColumn, Product, Sum, Weighted
from hedgerow.parameters import Parameter
from hedgerow.registry import DataKind, KernelRow

_TOKEN = re.compile(
    r"""\s* (?: (?P<number> -?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)? )
              | (?P<name> [^\W\d]\w*(?:-[^\W\d]\w*)* )
              | (?P<quoted> '(?:[^'\\]|\\.)*' | "(?:[^"\\]|\\.)*" )
              | (?P<sign> [+*().,=] )
              | (?P<end> $ )
              | (?P<other> . ) )""",
    re.VERBOSE | re.DOTALL,
)
_CONSTANTS = {"true": True, "false": False, "none": None}
_WEIGHT = "a number is the weight of a kernel, as in 0.5 * linear"


def parse_kernel(text: str, normalize: bool | None = None) -> Kernel:
    """The kernel that an expression such as ``sst + 0.5 * linear`` describes.

    Names are those of ``hedgerow list kernels``, as ``sst`` or ``rbf(gamma=0.1)``, with the parameters of their
    classes. ``+``, ``*`` and numbers as weights combine kernels, ``on COLUMN`` applies the kernel before it to a column
    of `Records`, and ``normalized(...)`` normalises what is in the parentheses. Classes, as ``SubsetTree()``, mean
    what they mean in Python; so what ``repr`` prints of hedgerow's kernels is an expression too.

    Parameters
    ----------
    text : str
    normalize : bool, optional
        Whether kernels with names as ``sst`` are normalised, each by itself. By default those of trees are, as on the
        command line. Classes never are.

    Raises
    ------
    ValueError
        Says which column of the text is wrong, and what is accepted.

    Examples
    --------
    >>> from hedgerow.kernels import parse_kernel
    >>> parse_kernel("sst(decay=0.1) + 0.5 * linear")
    Normalized(SubsetTree(decay=0.1)) + 0.5 * Linear()
    >>> parse_kernel("pt * rbf(gamma=0.1) on column", normalize=False)
    PartialTree() * RBF(gamma=0.1).on('column')
    >>> kernel = parse_kernel("normalized(pt + sst-bow) on tree_1")
    >>> repr(parse_kernel(repr(kernel))) == repr(kernel)
    True
    """
    try:
        return _Parser(text, normalize).whole()
    except RecursionError:
        raise ValueError(f"the kernel {text[:40]!r}... is nested too deeply") from None


def split_kernels(text: str) -> list[str]:
    """The expressions between commas that are not in parentheses."""
    found, depth = [""], 0
    for character in text:
        depth += {"(": 1, ")": -1}.get(character, 0)
        if character == "," and depth == 0:
            found.append("")
        else:
            found[-1] += character
    return [word.strip() for word in found]


class Expression(KernelRow):
    """An expression where a name could stand; it leaves no parameter to choose."""

    def __init__(self, text: str, /) -> None:
        super().__init__(text, type(parse_kernel(text)))

    @property
    def parameters(self) -> dict[str, Parameter]:
        return {}

    @property
    def data_kind(self) -> DataKind:
        """What its parts compare; of several kinds the first of trees, vectors and texts."""
        kinds = [leaf.data_kind for leaf, _ in parse_kernel(self.name)._leaves()]
        return min(filter(None, kinds), key=get_args(DataKind).index)

    def kernel(self, normalize: bool | None = None, **given: Any) -> Any:
        return parse_kernel(self.name, normalize)


class _Token(NamedTuple):
    kind: str
    word: str
    at: int  # its place in the text


class _Parser:
    """One method for each rule of the grammar; each begins at the next token and takes what is its own."""

    def __init__(self, text: str, normalize: bool | None) -> None:
        self.text = text
        self.normalize = normalize
        groups = ((found, found.lastgroup or "end") for found in _TOKEN.finditer(text))
        self.tokens = [_Token(kind, found[kind], found.start(kind)) for found, kind in groups]
        self.place = 0

    @property
    def next(self) -> _Token:
        return self.tokens[self.place]

    def whole(self) -> Kernel:
        kernel = self.sum()
        if self.next.kind != "end":
            self.fail(self.next, f"expected +, *, on or the end, got {self.next.word!r}")
        return kernel if isinstance(kernel, Kernel) else self.fail(self.tokens[0], _WEIGHT)

    def sum(self) -> Any:
        token, value = self.next, self.term()
        while self.take("+"):
            here, other = self.next, self.term()
            for place, part in ((token, value), (here, other)):
                if not isinstance(part, Kernel):
                    self.fail(place, _WEIGHT)
            value = value + other
        return value

    def term(self) -> Any:
        token, value = self.next, self.factor()
        while self.take("*"):
            value = value * self.factor()
            if isinstance(value, Weighted):
                self.checked(token, value._check_params)
        return value

    def factor(self) -> Any:
        token, value = self.next, self.atom()
        while self.next.word in ("on", "."):
            if not isinstance(value, Kernel):
                self.fail(token, _WEIGHT)
            called = self.take(".")
            self.expect("on")
            if called:
                self.expect("(")
            column = self.advance()
            if column.kind not in ("name", "quoted"):
                self.fail(column, f"expected the name of a column, got {column.word or 'the end'!r}")
            value = value.on(self.literal(column) if column.kind == "quoted" else column.word)
            if called:
                self.expect(")")
        return value

    def atom(self) -> Any:
        token = self.advance()
        if token.kind == "number":
            return self.literal(token)
        if token.word == "(":
            value = self.sum()
            self.expect(")")
            return value
        if token.kind != "name":
            self.fail(token, f"expected a kernel or a number, got {token.word or 'the end'!r}")
        row = _rows().get(token.word)
        if row is None:
            close = get_close_matches(token.word, _rows())
            hint = f"did you mean {close[0]}? " if close else ""
            known = ", ".join([*registry.kernels(), "normalized"])
            self.fail(
                token, f"{token.word!r} is not a kernel; {hint}accepted are {known} and classes, as RBF"
            )
        given = self.arguments(row) if self.take("(") else {}
        if row.name == "normalized" and isinstance(given.get("kernel"), Normalized):
            return given["kernel"]  # as names of trees are; once is enough
        kernel: Kernel = self.checked(token, lambda: row.kernel(self.normalize, **given))
        self.checked(token, kernel._check_params)
        return kernel

    def arguments(self, row: KernelRow) -> dict[str, Any]:
        known = list(row.parameters)
        given: dict[str, Any] = {}
        while not self.take(")"):
            if given:
                self.expect(",")
            token = self.next
            if token.kind == "name" and self.tokens[self.place + 1].word == "=":
                name = token.word.replace("-", "_")
                self.place += 2
            else:
                name = (known[len(given) :] or [""])[0]
            if name not in known or name in given:
                accepted = f"its parameters are {', '.join(known)}" if known else "it has no parameters"
                self.fail(token, f"{row.name} does not take {token.word!r} here; {accepted}")
            given[name] = self.value()
        return given

    def value(self) -> Any:
        token = self.next
        if token.kind == "quoted":
            return self.literal(self.advance())
        if token.kind == "name" and token.word.lower() in _CONSTANTS:
            return _CONSTANTS[self.advance().word.lower()]
        return self.sum()

    # -- tokens ---------------------------------------------------------------------------------------------

    def advance(self) -> _Token:
        token = self.next
        self.place += token.kind != "end"
        return token

    def take(self, word: str) -> bool:
        found = self.next.word == word
        self.place += found
        return found

    def expect(self, word: str) -> None:
        if not self.take(word):
            self.fail(self.next, f"expected {word!r}, got {self.next.word or 'the end'!r}")

    def literal(self, token: _Token) -> Any:
        return self.checked(token, lambda: literal_eval(token.word))

    def checked(self, token: _Token, make: Callable[[], Any]) -> Any:
        """What is made; errors say where in the text it stands."""
        try:
            return make()
        except (TypeError, ValueError, SyntaxError) as error:
            self.fail(token, re.sub(r"\w+\.__init__\(\)", lambda _: token.word, str(error)))

    def fail(self, token: _Token, message: str) -> NoReturn:
        raise ValueError(f"the kernel {self.text!r}, column {token.at + 1}: {message}")


class _Class(KernelRow):
    """A class, which is what it is in Python."""

    def kernel(self, normalize: bool | None = None, **given: Any) -> Any:
        return self.make(**given)


@cache
def _rows() -> Mapping[str, KernelRow]:
    """All names: those of the registry, and classes."""
    rows = registry.kernels()
    classes = [*(row.cls for row in rows.values()), Normalized, OnColumn, Weighted, Sum, Product]
    of_classes = {cls.__name__: _Class(cls.__name__, cls) for cls in classes}
    return {**rows, "normalized": _Class("normalized", Normalized), **of_classes}
