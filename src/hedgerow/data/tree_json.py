"""Trees as plain JSON: ``["label", child, ...]`` with children of the same form; an empty tree is ``[]``."""

from __future__ import annotations

import json

from hedgerow.data.forest import Forest


def tree_lines(forest: Forest) -> list[str]:
    """One line a tree.

    Examples
    --------
    >>> tree_lines(Forest(["(S (NP Mary) (VP sings))"]))
    ['["S",["NP",["Mary"]],["VP",["sings"]]]']
    """
    native = forest._native
    labels = [json.dumps(label, ensure_ascii=False) for label in native.labels()]
    ids, arity, sizes = native.label_of_node().tolist(), native.arity().tolist(), native.tree_sizes().tolist()
    lines: list[str] = []
    end = 0
    for size in sizes:
        begin, end = end, end + size
        lines.append(_tree_text(labels, ids[begin:end], arity[begin:end]) if size else "[]")
    return lines


def _tree_text(labels: list[str], ids: list[int], arity: list[int]) -> str:
    """Post-order read backwards meets a node before its children, from the right; so write backwards too."""
    pieces: list[str] = []
    waiting: list[list[int]] = []  # open nodes: label, and number of children still to come
    for label, children in zip(reversed(ids), reversed(arity), strict=True):
        pieces.append("]")
        waiting.append([label, children])
        while waiting and waiting[-1][1] == 0:
            pieces.append(f"[{labels[waiting.pop()[0]]}")
            if waiting:
                pieces.append(",")
                waiting[-1][1] -= 1
    return "".join(reversed(pieces))
