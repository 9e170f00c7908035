"""What converters share: a builder of forests without recursion, labels made safe, and errors by item."""

from __future__ import annotations

import re
from array import array
from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeVar

import numpy as np

from hedgerow import _core, limits
from hedgerow.data.errors import FormatError

Node = TypeVar("Node")
Source = TypeVar("Source")

_SPACE = re.compile(r"[ \t-\r]+")
_UNWRITABLE = re.compile("[\0\ud800-\udfff]")  # neither NUL nor halves of surrogate pairs are text


def safe_label(text: str) -> str:
    """The text as a label that can be written in brackets.

    White space becomes ``_``, brackets ``-LRB-`` and ``-RRB-``, an empty text ``-NONE-``.

    Examples
    --------
    >>> safe_label("New York (NY)"), safe_label("")
    ('New_York_-LRB-NY-RRB-', '-NONE-')
    """
    text = _UNWRITABLE.sub("\ufffd", _SPACE.sub("_", text))
    return text.replace("(", "-LRB-").replace(")", "-RRB-") or "-NONE-"


class PostorderBuilder:
    """Collects trees node by node, children before their parent, with safe labels."""

    def __init__(self) -> None:
        self._ids: dict[str, int] = {}  # of labels as given; several may share a safe one
        self._labels: dict[str, int] = {}
        self._label_of_node = array("i")
        self._arity = array("i")
        self._tree_sizes = array("q")
        self._begin = 0

    def node(self, label: str, arity: int = 0) -> None:
        """Add a node whose children are the last `arity` nodes without a parent."""
        known = self._ids.get(label)
        if known is None:
            known = self._labels.setdefault(safe_label(label), len(self._labels))
            self._ids[label] = known
        self._label_of_node.append(known)
        self._arity.append(arity)

    def walk(self, root: Node, describe: Callable[[Node], tuple[str, Sequence[Node]]]) -> None:
        """Add the tree under `root`; `describe` gives the label and the children of a node."""
        # Reversed pre-order with the children from the right is post-order.
        nodes: list[tuple[str, int]] = []
        stack = [root]
        while stack:
            label, children = describe(stack.pop())
            nodes.append((label, len(children)))
            stack.extend(children)
        for label, arity in reversed(nodes):
            self.node(label, arity)

    def end_tree(self) -> None:
        if fault := limits.excess(self._arity[self._begin :]):
            raise FormatError(fault)
        self._tree_sizes.append(len(self._arity) - self._begin)
        self._begin = len(self._arity)

    def abandon_tree(self) -> None:
        del self._arity[self._begin :], self._label_of_node[self._begin :]

    def arrays(self) -> tuple[list[str], Any, Any, Any]:
        """The labels, and by node the number of its label and its arity; the sizes of the trees."""
        return (
            list(self._labels),
            np.array(self._label_of_node, dtype=np.int32),
            np.array(self._arity, dtype=np.int32),
            np.array(self._tree_sizes, dtype=np.int64),
        )

    def finish(self) -> _core.Forest:
        return _core.Forest.from_postorder(*self.arrays())


def convert_each(
    sources: Iterable[Source], add: Callable[[PostorderBuilder, Source], None]
) -> tuple[_core.Forest, list[FormatError]]:
    """One tree a source, and the errors, by item, of those that `add` could not read."""
    builder = PostorderBuilder()
    problems: list[FormatError] = []
    for number, source in enumerate(sources):
        try:
            add(builder, source)
            builder.end_tree()
        except FormatError as error:
            builder.abandon_tree()
            problems.append(FormatError(error.message, line=error.line, column=error.column, item=number))
    return builder.finish(), problems
