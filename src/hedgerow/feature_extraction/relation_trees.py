"""Trees of relations: the part of a parse that two mentions enclose."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from hedgerow.checks import as_list
from hedgerow.data import Forest

Span = tuple[int, int]


def path_enclosed_trees(
    trees: Any, first: Iterable[Any], second: Iterable[Any], *, marks: tuple[str, str] | None = None
) -> Forest:
    """The path-enclosed tree of two mentions in each parse: what lies on and between the paths to both.

    It is the smallest subtree with both mentions, without what stands left of the one or right of the other. For
    the classification of relations between two mentions it is the usual tree: whole sentences drown the relation in
    what surrounds it.

    Parameters
    ----------
    trees : Forest, or what it takes
    first, second : for each tree a mention: the number of a leaf, from 0, or a pair ``(begin, end)`` of such
        A pair has the leaves from ``begin`` on up to ``end``, without it. Either may come first in the sentence.
    marks : pair of str, optional
        Labels of nodes that are put above the first and the second mention, as ("E1", "E2"): above the largest node
        that has the mention's last leaf and nothing but the mention.

    Returns
    -------
    Forest
        One tree for each.

    References
    ----------
    M. Zhang, J. Zhang, J. Su, G. Zhou: A composite kernel to extract relations between entities with both flat and
    structured features, ACL 2006.

    Examples
    --------
    >>> from hedgerow.feature_extraction import path_enclosed_trees
    >>> parse = "(S (RB Today) (NP (NNP Mary)) (VP (VBD left) (NP (NP (DT the) (NN city)) (PP (IN of) (NP Rome)))))"
    >>> path_enclosed_trees([parse], [1], [(3, 5)], marks=("E1", "E2")).to_brackets()
    ['(S (E1 (NP (NNP Mary))) (VP (VBD left) (NP (E2 (NP (DT the) (NN city))))))']
    """
    forest = trees if isinstance(trees, Forest) else Forest(trees)
    pairs = [
        as_list(name, given, "one mention for each tree")
        for name, given in (("first", first), ("second", second))
    ]
    for name, given in zip(("first", "second"), pairs, strict=True):
        if len(given) != len(forest):
            raise ValueError(
                f"{name} must have one mention for each of {len(forest)} trees, got {len(given)}"
            )
    if marks is not None and (isinstance(marks, str) or len(marks) != 2):
        raise ValueError(f"marks must be a pair of labels, got {marks!r}")
    labels: list[str] = []
    arity: list[int] = []
    sizes: list[int] = []
    for i, tree in enumerate(forest):
        parse = _Parse(tree)
        spans = [
            parse.span(name, given[i], i) for name, given in zip(("first", "second"), pairs, strict=True)
        ]
        sizes.append(parse.enclosed(spans, marks, labels, arity))
    return Forest.from_postorder(labels, arity, sizes)


class _Parse:
    """A tree by its nodes in post-order, with the leaves below each."""

    def __init__(self, tree: Any) -> None:
        self.labels: list[str] = tree._names()
        self.arity: list[int] = tree._native.arity().tolist()
        self.n_leaves = 0
        self.spans: list[Span] = []
        open_: list[int] = []  # where the leaves of subtrees begin that have no parent yet
        for arity in self.arity:
            if arity == 0:
                begin, self.n_leaves = self.n_leaves, self.n_leaves + 1
            else:
                begin = open_[-arity]
                del open_[-arity:]
            open_.append(begin)
            self.spans.append((begin, self.n_leaves))

    def span(self, name: str, given: Any, tree: int) -> Span:
        """A mention, if it is one."""
        try:
            begin, end = map(int, given) if hasattr(given, "__len__") else (int(given), int(given) + 1)
        except (TypeError, ValueError):
            raise TypeError(
                f"{name}[{tree}] must be the number of a leaf or a pair (begin, end), got {given!r}"
            ) from None
        if not 0 <= begin < end <= self.n_leaves:
            known = f"the {self.n_leaves} leaves of its tree"
            raise ValueError(f"{name}[{tree}] must lie within {known}, with begin < end, got {given!r}")
        return begin, end

    def enclosed(
        self, mentions: Sequence[Span], marks: tuple[str, str] | None, labels: list[str], arity: list[int]
    ) -> int:
        """Adds the nodes of the path-enclosed tree; returns how many there are."""
        low, high = min(begin for begin, _ in mentions), max(end for _, end in mentions)
        # In post-order the smallest subtree with both comes first.
        root = next(
            i
            for i, (begin, end) in enumerate(self.spans)
            if begin <= low and end >= high and self.arity[i] > 0
        )
        marked: dict[int, list[str]] = {}
        for (first, last), mark in zip(mentions, marks or (), strict=False):
            spans = enumerate(self.spans[: root + 1])
            _, above = min((begin, -i) for i, (begin, end) in spans if first <= begin < end == last)
            marked.setdefault(-above, []).append(mark)
        before, kept = len(labels), list[int]()
        for i, (begin, end) in enumerate(self.spans[: root + 1]):
            children = sum(kept[len(kept) - self.arity[i] :]) if self.arity[i] else 0
            del kept[len(kept) - self.arity[i] :]
            kept.append(int(begin < high and end > low))
            if kept[-1]:
                labels += [self.labels[i], *marked.get(i, [])]
                arity += [children, *(1 for _ in marked.get(i, []))]
        return len(labels) - before
