"""Trees of a treebank as nodes in post-order, with the words that each node covers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from hedgerow.data.forest import Forest


class Node(NamedTuple):
    """A node above the words, which covers those from ``start`` to before ``end``."""

    label: str
    n_children: int  # 0 for a pre-terminal, whose only child is a word
    parent: str | None  # the label of the node above; None for the root
    start: int
    end: int
    word: str | None  # of a pre-terminal

    @property
    def is_tag(self) -> bool:
        """Whether the node is a pre-terminal: a part of speech."""
        return self.word is not None


def as_forest(trees: Any) -> Forest:
    """Trees in any of their forms."""
    return trees if isinstance(trees, Forest) else Forest(trees)


def trees_of(trees: Any, name: str) -> Iterator[list[Node]]:
    """The nodes of each tree in post-order; an empty tree has none.

    Every word must have a part of speech above it that has no other child; ``name`` says in an error what the
    trees are.
    """
    native = as_forest(trees)._native
    labels = native.labels()
    ids, arities = native.label_of_node().tolist(), native.arity().tolist()
    at = 0
    for number, size in enumerate(native.tree_sizes().tolist()):
        yield _nodes([labels[k] for k in ids[at : at + size]], arities[at : at + size], f"{name}[{number}]")
        at += size


def _nodes(labels: list[str], arities: list[int], where: str) -> list[Node]:
    if len(labels) == 1:
        raise ValueError(
            f"{where} is the single word {labels[0]!r}; every word needs a part of speech above it, as in (UH yes)"
        )
    starts: list[int] = []
    parents: list[str | None] = [None] * len(labels)
    pending: list[int] = []
    words = 0
    ends: list[int] = []
    for k, arity in enumerate(arities):
        if arity == 0:
            starts.append(words)
            words += 1
        else:
            children = pending[-arity:]
            del pending[-arity:]
            starts.append(starts[children[0]])
            for child in children:
                parents[child] = labels[k]
                if arities[child] == 0 and arity > 1:
                    raise ValueError(
                        f"{where} has the word {labels[child]!r} beside other children of {labels[k]!r}; every "
                        "word needs a part of speech above it, as in (NP (DT the) (NN dog))"
                    )
        ends.append(words)
        pending.append(k)
    return [
        Node(labels[k], 0, parents[k], starts[k], ends[k], labels[k - 1])
        if arities[k] == 1 and arities[k - 1] == 0
        else Node(labels[k], arities[k], parents[k], starts[k], ends[k], None)
        for k in range(len(labels))
        if arities[k]
    ]
