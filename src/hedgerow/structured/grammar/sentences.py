"""Sentences in all forms: lists of tokens, texts, or below trees."""

from __future__ import annotations

from typing import Any, NamedTuple

from hedgerow.data import Forest
from hedgerow.data.nltk_trees import is_nltk
from hedgerow.data.parse_nodes import Node, trees_of
from hedgerow.data.tree import Tree


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
