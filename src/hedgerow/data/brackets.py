"""Labelled brackets of parses: which there are, and how many of them two trees over one sentence share.

A bracket is a label and the words that it covers. Parts of speech are not brackets, nor are roots that all trees
of a treebank have, so that only what a parser decides is counted. Chains of unary nodes give a bracket for
every node, and equal ones count as often as they occur.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate

from hedgerow.data.parse_nodes import Node

UNCOUNTED = ("TOP", "ROOT", "S1")
Brackets = Counter[tuple[str, int, int]]


@dataclass(frozen=True)
class BracketRules:
    """Which brackets count, and which are the same."""

    uncounted: Sequence[str] = UNCOUNTED  # labels that are not brackets
    deleted: Sequence[str] = ()  # parts of speech, in the true tree, of words that are left out
    same: Mapping[str, str] = field(default_factory=dict)  # labels that count as another


PLAIN = BracketRules()
# Of evalb with COLLINS.prm. The true tree says which words are punctuation, whatever the other tree calls them.
EVALB = BracketRules(deleted=(",", ":", "``", "''", ".", "-NONE-"), same={"PRT": "ADVP"})
RULES = {"plain": PLAIN, "evalb": EVALB}


def brackets_of(nodes: list[Node], rules: BracketRules = PLAIN, true: list[Node] | None = None) -> Brackets:
    """The brackets of one tree; ``true`` is the true tree over the sentence, by default itself."""
    kept = (node.label not in rules.deleted for node in (nodes if true is None else true) if node.is_tag)
    place = [0, *accumulate(kept)]  # of each word among those that are kept
    spans = ((node, place[node.start], place[node.end]) for node in nodes if not node.is_tag)
    return Counter(
        (rules.same.get(node.label, node.label), start, end)
        for node, start, end in spans
        if node.label not in rules.uncounted and start < end
    )


def bracket_counts(
    true_trees: Iterable[list[Node]], trees: Iterable[list[Node]], rules: BracketRules, names: tuple[str, str]
) -> Iterator[tuple[int, int, int]]:
    """Of pairs of trees: the brackets that both have, those of the second tree and those of the first, true one.

    Pairs have equally many words; an empty tree has no brackets. ``names`` are what the trees are called in errors.
    """
    last: list[Node] | None = None
    wanted = Brackets()
    for number, (true, nodes) in enumerate(zip(true_trees, trees, strict=True)):
        if true and nodes and true[-1].end != nodes[-1].end:
            raise ValueError(
                f"{names[0]}[{number}] has {true[-1].end} words, but {names[1]}[{number}] has {nodes[-1].end}"
            )
        if true is not last:
            last, wanted = true, brackets_of(true, rules)
        found = brackets_of(nodes, rules, true or nodes)
        yield (wanted & found).total(), found.total(), wanted.total()
