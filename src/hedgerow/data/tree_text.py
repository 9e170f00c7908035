"""Trees as text: one node per line for terminals, and one tree per line as JSON."""

from __future__ import annotations

import json
from typing import Any

from hedgerow.data.tree_outline import TreeOutline


def tree_text(tree: Any, values: Any = None, *, max_nodes: int = 300, max_depth: int = 40) -> str:
    """A tree as indented text.

    Parameters
    ----------
    tree : str, Tree, nltk.Tree or Fragment
    values : sequence of float, optional
        A number for each node in post-order, written beside it unless it is 0, as `Explanation` has them.
    max_nodes, max_depth : int
        What is beyond is left out, and a line says how much.

    Returns
    -------
    text : str
        A word stands behind the node above it; a node whose children a fragment leaves open ends in ``...``.

    Examples
    --------
    >>> from hedgerow.inspection import tree_text
    >>> print(tree_text("(S (NP (D the) (N dog)) (VP (V barks)))"))
    S
    ├─ NP
    │  ├─ D ─ the
    │  └─ N ─ dog
    └─ VP
       └─ V ─ barks
    """
    outline = TreeOutline.of(tree, values, max_nodes=max_nodes, max_depth=max_depth)
    lines: list[str] = []
    indents: list[str] = [""]  # of what is below the nodes on the way to the present one
    joined: set[int] = set()
    last = {children[-1] for children in outline.children if children}
    for node in range(len(outline)):
        if node in joined:
            continue
        depth = outline.depths[node]
        del indents[depth + 1 :]
        branch = "" if depth == 0 else "└─ " if node in last else "├─ "
        text = _described(outline, node)
        children = outline.children[node]
        if len(children) == 1 and outline.kinds[children[0]] == "word":
            text += f" ─ {_described(outline, children[0])}"
            joined.add(children[0])
        lines.append(indents[depth] + branch + text)
        indents.append(indents[depth] + ("" if depth == 0 else "   " if node in last else "│  "))
    if outline.left_out:
        lines.append(f"... and {outline.left_out:,} more {'node' if outline.left_out == 1 else 'nodes'}")
    return "\n".join(lines)


def _described(outline: TreeOutline, node: int) -> str:
    text = outline.labels[node]
    if outline.kinds[node] == "open" or outline.hidden[node]:
        text += " ..."
    if outline.values is not None and outline.values[node] != 0:
        text += f" [{outline.values[node]:+.3g}]"
    return text


def tree_lines(forest: Any) -> list[str]:
    """Trees as JSON, one per line: ``["label", child, ...]`` with children of the same form; an empty tree is ``[]``.

    Examples
    --------
    >>> from hedgerow import Forest
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
