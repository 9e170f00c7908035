"""What two pieces of source code share, as places in their texts."""

from __future__ import annotations

from typing import Any

from hedgerow.data.converters.languages import is_comment, parser_of

Spans = list[tuple[int, int]]  # bytes, from and to


def shared_spans(
    language: str, sources: tuple[bytes, bytes], lines: tuple[tuple[int, int], tuple[int, int]]
) -> tuple[Spans, Spans]:
    """The largest complete subtrees that two parts of files have in common, each part given by its lines from 1 on.

    Subtrees are equal when kinds and words are; white space and comments do not count.
    """
    ids: dict[Any, int] = {}
    found = [
        _subtrees(parser_of(language).parse(source).root_node, span, ids)
        for source, span in zip(sources, lines, strict=True)
    ]
    everywhere = {number for number, _, _ in found[0]} & {number for number, _, _ in found[1]}
    a, b = (_largest(nodes, everywhere) for nodes in found)
    return a, b


def _subtrees(root: Any, lines: tuple[int, int], ids: dict[Any, int]) -> list[tuple[int, int, int]]:
    """The number of each subtree within the lines, and its bytes, parents before their children."""
    first, last = lines[0] - 1, lines[1] - 1
    order, stack = [], [root]
    while stack:  # no recursion: code may be nested as deeply as it likes
        node = stack.pop()
        if is_comment(node.type) or node.end_point[0] < first or node.start_point[0] > last:
            continue
        order.append(node)
        stack.extend(reversed(node.children))
    numbers: dict[int, int] = {}
    for node in reversed(order):
        below = tuple(numbers[child.id] for child in node.children if child.id in numbers)
        numbers[node.id] = ids.setdefault((node.type, below or node.text), len(ids))
    return [
        (numbers[node.id], node.start_byte, node.end_byte)
        for node in order
        if node.start_point[0] >= first and node.end_point[0] <= last
    ]


def _largest(nodes: list[tuple[int, int, int]], shared: set[int]) -> Spans:
    spans: Spans = []
    end = -1
    for number, start, stop in nodes:
        if start >= end and number in shared and stop > start:
            spans.append((start, stop))
            end = stop
    return spans
