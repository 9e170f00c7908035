"""Forest: an immutable, array-like sequence of labelled ordered trees."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import Any, Literal, TypeAlias, TypedDict, Unpack, overload

import numpy as np

from hedgerow import _core
from hedgerow.data import nltk_trees
from hedgerow.data.errors import (
    Collect,
    Collected,
    FormatError,
    OnError,
    Raise,
    check_label,
    check_on_error,
    line_errors,
)
from hedgerow.data.files import read_bytes
from hedgerow.data.forest_sources import ForestSources
from hedgerow.data.indexing import OneDimensional, as_positions
from hedgerow.data.postorder import native_forest
from hedgerow.data.tree import Tree

# As in the native reader, white space is ASCII's only: other spaces may be part of a label.
_WHITE_SPACE = re.compile("[ \t\n\v\f\r]+")
_UNPRINTABLE = re.compile("[ \t\n\v\f\r()\0]")


Path: TypeAlias = str | os.PathLike[str]
Layout: TypeAlias = Literal["auto", "lines", "free"]


class ReadOptions(TypedDict, total=False):
    layout: Layout
    field: int | None
    spaces_in_leaves: bool


class Forest(ForestSources, OneDimensional[Tree]):
    """An immutable sequence of labelled ordered trees that behaves like a one-dimensional array.

    Trees are kept in flat native arrays, so millions of them fit in memory and kernels run over them at full
    speed. scikit-learn's splitters, searches and pipelines take a Forest as X.

    Parameters
    ----------
    trees : iterable of str, Tree or nltk.Tree, or a Forest
        Bracketed strings such as ``"(S (NP (D the) (N dog)) (VP (V barks)))"``: a label, then children that
        are trees or bare tokens (leaves). White space is free, the Penn Treebank's unlabelled outer bracket
        is taken off, and ``(dog)`` is the leaf ``dog``.

    Raises
    ------
    FormatError
        When a string is not a tree; it says which one, and where and what was expected.

    Examples
    --------
    >>> from hedgerow import Forest
    >>> trees = Forest(["(S (NP Mary) (VP sings))", "(S (NP John) (VP sleeps))", "(NP (D a) (N dog))"])
    >>> len(trees), trees.shape
    (3, (3,))
    >>> trees[0]
    Tree('(S (NP Mary) (VP sings))')
    >>> trees[[True, False, True]].to_brackets()
    ['(S (NP Mary) (VP sings))', '(NP (D a) (N dog))']
    """

    __slots__ = ("_native",)
    _native: _core.Forest

    def __init__(self, trees: Iterable[Any] = ()) -> None:
        self._native = _native_forest(trees)

    @classmethod
    def _wrap(cls, native: _core.Forest) -> Forest:
        forest = cls.__new__(cls)
        forest._native = native
        return forest

    # -- making forests -------------------------------------------------------------------------------------

    @overload
    @classmethod
    def read(cls, path: Path, *, errors: Raise = ..., **options: Unpack[ReadOptions]) -> Forest: ...
    @overload
    @classmethod
    def read(cls, path: Path, *, errors: Collect, **options: Unpack[ReadOptions]) -> Collected[Forest]: ...
    @classmethod
    def read(
        cls,
        path: Path,
        *,
        errors: OnError = "raise",
        layout: Layout = "auto",
        field: int | None = None,
        spaces_in_leaves: bool = False,
    ) -> Forest | Collected[Forest]:
        """Read a file of bracketed trees, plain or gzip: one tree a line, or a treebank's ``.mrg``.

        Parameters
        ----------
        path : path, or "-" for standard input
        errors : {"raise", "collect"}
            Stop at the first bad tree, or leave bad trees out and return them as a list of `FormatError`.
        layout : {"auto", "lines", "free"}
            How trees are told apart. "lines": a line that starts with ``(``, indented no deeper than the tree
            under way, begins a new tree, so a missing bracket spoils one tree only. "free": trees may be
            broken anywhere, and several may share a line. "auto": "lines", or "free" when trees are broken
            without indentation and that reads the whole file.
        field : int, optional
            Read the tree in this tab-separated field, counted from 0, of every line.
        spaces_in_leaves : bool
            Read ``(N New York)`` as one leaf, as SVM-light-TK does, instead of two.

        Returns
        -------
        forest : Forest
        errors : list of FormatError
            Only with ``errors="collect"``.
        """
        check_on_error(errors)
        if layout not in ("auto", "lines", "free"):
            raise ValueError(f"layout must be 'auto', 'lines' or 'free', got {layout!r}")
        if field is not None and field < 0:
            raise ValueError(f"field counts from 0, got {field}")
        native, found = _core.read_brackets(
            read_bytes(path), field, layout, errors == "collect", spaces_in_leaves
        )
        return cls._converted((native, line_errors(found, os.fspath(path))), errors)

    @classmethod
    def from_postorder(cls, labels: Sequence[str], arity: Sequence[int], tree_sizes: Sequence[int]) -> Forest:
        """Build a forest from all nodes in post-order: a label and a number of children each.

        Examples
        --------
        >>> Forest.from_postorder(["the", "D", "dog", "N", "NP"], [0, 1, 0, 1, 2], [5]).to_brackets()
        ['(NP (D the) (N dog))']
        """
        names: dict[str, int] = {}
        ids = np.fromiter((names.setdefault(label, len(names)) for label in labels), np.int32, len(labels))
        for name in names:
            check_label(name)
        return cls._wrap(native_forest(names, ids, arity, tree_sizes))

    @classmethod
    def concatenate(cls, forests: Iterable[Forest]) -> Forest:
        """All trees of the forests, one after the other. ``a + b`` does the same for two."""
        parts = list(forests)
        for part in parts:
            if not isinstance(part, Forest):
                raise TypeError(f"concatenate takes Forests, got a {type(part).__name__}")
        return cls._wrap(_core.Forest.concatenate([part._native for part in parts]))

    # -- an array of trees ----------------------------------------------------------------------------------

    def __len__(self) -> int:
        return len(self._native)

    @property
    def n_nodes(self) -> int:
        """Number of nodes of all trees, leaves included."""
        return self._native.n_nodes

    @property
    def nbytes(self) -> int:
        """About how many bytes the trees take, as of an array."""
        return 16 * self.n_nodes

    def tree_sizes(self) -> np.ndarray[Any, np.dtype[np.int64]]:
        """Number of nodes of each tree."""
        return self._native.tree_sizes()

    @overload
    def __getitem__(self, key: int) -> Tree: ...
    @overload
    def __getitem__(self, key: Any) -> Forest: ...
    def __getitem__(self, key: Any) -> Tree | Forest:
        positions = as_positions(key, len(self))
        if isinstance(positions, int):
            return Tree._wrap(self._native.select(np.array([positions], dtype=np.int64)))
        return Forest._wrap(self._native.select(positions))

    def __eq__(self, other: object) -> bool:
        return self._native == other._native if isinstance(other, Forest) else NotImplemented

    __hash__ = None  # type: ignore[assignment]  # as numpy's arrays

    def __repr__(self) -> str:
        n = len(self)
        counts = f"{n} {'tree' if n == 1 else 'trees'}, {self.n_nodes} nodes"
        if n == 0:
            return f"Forest({counts})"
        shown = [_shorten(str(self[i])) for i in ([0, 1, n - 1] if n > 3 else range(n))]
        if n > 3:
            shown.insert(2, "...")
        return f"Forest({counts}:\n  " + "\n  ".join(shown) + ")"

    def _repr_html_(self) -> str:
        n, shown = len(self), min(len(self), 3)
        drawn = "".join(self[i]._repr_html_() for i in range(shown))
        counts = f"{n:,} {'tree' if n == 1 else 'trees'}, {self.n_nodes:,} nodes"
        return f"<div>{counts}{f'; the first {shown}:' if n > shown else ''}</div>{drawn}"

    def __reduce__(self) -> tuple[Any, ...]:
        native = self._native.compact()
        state = (native.labels(), native.label_of_node(), native.arity(), native.tree_sizes())
        return _unpickle, state

    # -- out again ------------------------------------------------------------------------------------------

    def to_brackets(self, *, replace_space: str | None = None) -> list[str]:
        """The trees as bracketed strings; an empty tree is an empty string.

        Parameters
        ----------
        replace_space : str, optional
            Labels that hold white space or brackets (``nltk`` and programs can make them) have no bracketed
            form, which is an error unless this says what to write for white space; brackets then become
            ``-LRB-`` and ``-RRB-``.
        """
        if replace_space is not None:
            return _replace_unprintable(self._native, replace_space).to_brackets()
        try:
            return self._native.to_brackets()
        except ValueError as error:
            raise ValueError(
                f"the label {error.args[0]!r} cannot be written in brackets, since it holds white space or "
                "brackets; pass replace_space='_' to write something else for them"
            ) from None

    def to_nltk(self) -> list[Any]:
        """The trees as a list of ``nltk.Tree``. Needs the ``nlp`` extra."""
        return nltk_trees.to_nltk(self._native)


def _native_forest(trees: Iterable[Any]) -> _core.Forest:
    if isinstance(trees, Forest):
        return trees._native
    if isinstance(trees, str | bytes):
        raise TypeError(
            "Forest takes a sequence of trees, not one string; write Forest([text]), or Forest.read(path)"
        )
    if isinstance(trees, Tree):
        raise TypeError("Forest takes a sequence of trees; write Forest([tree])")
    if nltk_trees.is_nltk(trees):
        # An nltk.Tree is a list of its children: taking it apart would be silent nonsense.
        raise TypeError("Forest takes a sequence of trees; write Forest([tree]) for one nltk.Tree")
    if isinstance(trees, np.ndarray) and trees.ndim != 1:
        raise TypeError(
            f"expected a one-dimensional sequence of trees, got an array of shape {trees.shape}; numpy takes "
            "nltk.Tree objects apart, so pass them in a list"
        )
    if hasattr(trees, "columns") and hasattr(trees, "shape"):  # which would give the names of its columns
        raise TypeError(
            f"expected a sequence of trees, got a {type(trees).__name__}; choose one of its columns, as "
            "Forest(frame['parse']) or kernel.on('parse')"
        )
    items = list(trees)
    if all(isinstance(item, str) for item in items):
        return _parse(items)
    parts: list[_core.Forest] = []
    kinds = [_kind(item, i) for i, item in enumerate(items)]
    for kind, numbers in groupby(range(len(items)), kinds.__getitem__):  # neighbours of one kind together
        first, *others = numbers
        run = items[first : first + 1 + len(others)]
        if kind is str:
            parts.append(_parse(run, first))
        elif kind is Tree:
            parts.extend(tree._native for tree in run)
        else:
            parts.append(nltk_trees.from_nltk(run, first))
    return _core.Forest.concatenate(parts)


def single_tree(tree: Any) -> _core.Forest:
    """A native forest of just this tree."""
    try:
        return _native_forest([tree])
    except FormatError as error:
        raise FormatError(error.message, column=error.column) from None


def _kind(item: Any, number: int) -> type:
    if isinstance(item, str):
        return str
    if isinstance(item, Tree):
        return Tree
    if nltk_trees.is_nltk(item):
        return list
    raise TypeError(
        f"item {number} is a {type(item).__name__}; a tree must be a bracketed string, a hedgerow Tree or an "
        "nltk.Tree"
    )


def _parse(strings: list[str], first: int = 0) -> _core.Forest:
    try:
        native, found = _core.parse_trees(strings)
    except UnicodeEncodeError as error:
        number = next(i for i, text in enumerate(strings) if text is error.object or text == error.object)
        raise FormatError(
            f"{error.object[error.start]!r} cannot be written in UTF-8",
            item=first + number,
            column=error.start + 1,
        ) from None
    for number, column, message in found:
        raise FormatError(message, item=first + number, column=column)
    return native


def _replace_unprintable(native: _core.Forest, space: str) -> _core.Forest:
    if not space or _UNPRINTABLE.search(space):
        raise ValueError(f"replace_space must be a text without white space and brackets, got {space!r}")
    native = native.compact()  # a few trees may share the vocabulary of very many
    labels = [
        _WHITE_SPACE.sub(lambda _: space, label).replace("(", "-LRB-").replace(")", "-RRB-")
        for label in native.labels()
    ]
    return _core.Forest.from_postorder(labels, native.label_of_node(), native.arity(), native.tree_sizes())


def _shorten(text: str, width: int = 90) -> str:
    return text if len(text) <= width else text[: width - 4] + " ..."


def _unpickle(labels: list[str], ids: Any, arity: Any, sizes: Any) -> Forest:
    return Forest._wrap(_core.Forest.from_postorder(labels, ids, arity, sizes))
