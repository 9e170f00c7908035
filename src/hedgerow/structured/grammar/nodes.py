"""Trees of a treebank as nodes in post-order, with the words that each node covers; and sentences in all forms."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from hedgerow.data import Forest
from hedgerow.data.nltk_trees import is_nltk
from hedgerow.data.tree import Tree


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


class Sentence(NamedTuple):
    """What the grammar reads, parts of speech or words, and what its trees have as leaves."""

    tokens: list[str]
    words: list[str]


def sentence_of_tree(nodes: list[Node], by_tags: bool) -> Sentence:
    """The sentence below a tree."""
    words = [node.word or "" for node in nodes if node.is_tag]
    return Sentence([node.label for node in nodes if node.is_tag] if by_tags else words, words)


def sentences_of(X: Any, by_tags: bool) -> list[Sentence]:
    """Sentences as lists of tokens, as text with spaces between them, or below trees."""
    if isinstance(X, str):
        raise TypeError("X must be a sequence of sentences, not one text; write [text]")
    if isinstance(X, Forest):
        return [sentence_of_tree(nodes, by_tags) for nodes in trees_of(X, "X")]
    items = list(X)
    trees = [k for k, item in enumerate(items) if _is_tree(item)]
    of_trees = dict(
        zip(trees, sentences_of(Forest([items[k] for k in trees]), by_tags), strict=True) if trees else ()
    )
    return [of_trees[k] if k in of_trees else _tokens(item, k) for k, item in enumerate(items)]


def _is_tree(item: Any) -> bool:
    return (
        isinstance(item, Tree) or is_nltk(item) or (isinstance(item, str) and item.lstrip().startswith("("))
    )


def _tokens(item: Any, number: int) -> Sentence:
    tokens = item.split() if isinstance(item, str) else item
    if not hasattr(tokens, "__iter__") or not all(isinstance(token, str) for token in tokens):
        raise TypeError(
            f"X[{number}] must be a sentence: a list of str, a text with spaces between its words, or a tree; "
            f"got {item!r}"
        )
    tokens = [str(token) for token in tokens]
    return Sentence(tokens, tokens)
