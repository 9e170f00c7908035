"""Taxonomies as graphs: how they may be given, heights, distances, cycles."""

from __future__ import annotations

import gzip

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hedgerow.data import FormatError
from hedgerow.structured.hierarchy import Hierarchy

#        top
#      /  |  \
#     a   b   c       leaves at three depths
#        / \
#      ba   bb
#          /  \
#        bba  bbb
TREE = {"a": "top", "b": "top", "c": "top", "ba": "b", "bb": "b", "bba": "bb", "bbb": "bb"}


def test_all_ways_to_give_links(tmp_path):
    pairs = [(parent, child) for child, parent in TREE.items()]
    text = "".join(f"{parent}\t{child}\n" for parent, child in pairs)
    (tmp_path / "plain.tsv").write_text(text)
    (tmp_path / "packed.tsv.gz").write_bytes(gzip.compress(text.replace("\n", "\r\n").encode()))
    forms = (
        {child: [parent] for child, parent in TREE.items()},
        {**TREE, "top": None},
        pairs,
        iter(pairs),
        tmp_path / "plain.tsv",
        str(tmp_path / "packed.tsv.gz"),
    )
    expected = {child: (parent,) for child, parent in TREE.items()} | {"top": ()}
    for form in forms:
        assert Hierarchy(form).parents == expected


def test_nodes_come_before_their_parents_and_leaves_are_nobodys_parent():
    hierarchy = Hierarchy(TREE)
    for child, parent in TREE.items():
        assert hierarchy.nodes.index(child) < hierarchy.nodes.index(parent)
    assert sorted(hierarchy.leaves()) == ["a", "ba", "bba", "bbb", "c"]


def test_heights_count_the_longest_way_down():
    heights = {node: Hierarchy(TREE).height(node) for node in ("top", "b", "bb", "a", "bba")}
    assert heights == {"top": 3, "b": 2, "bb": 1, "a": 0, "bba": 0}


def test_tree_losses():
    classes = ["a", "ba", "bba", "bbb", "b"]
    assert Hierarchy(TREE).tree_losses(classes).tolist() == [
        [0, 3, 3, 3, 3],
        [3, 0, 2, 2, 2],
        [3, 2, 0, 1, 2],
        [3, 2, 1, 0, 2],
        [3, 2, 2, 2, 0],  # an inner node is the first common ancestor of itself and what is below
    ]


def test_path_losses():
    classes = ["a", "ba", "bba", "bbb", "b"]
    assert Hierarchy(TREE).path_losses(classes).tolist() == [
        [0, 3, 4, 4, 2],
        [3, 0, 3, 3, 1],
        [4, 3, 0, 2, 2],
        [4, 3, 2, 0, 2],
        [2, 1, 2, 2, 0],
    ]


def test_several_parents_and_roots():
    # x is below both roots; the lowest common ancestor and the shortest way count.
    hierarchy = Hierarchy({"x": ["p", "q"], "y": "p", "z": "q", "p": "deep", "deep": "root"})
    assert hierarchy.tree_losses(["x", "y", "z"]).tolist() == [[0, 1, 1], [1, 0, 4], [1, 4, 0]]
    # y - p - deep - root - above all - q - z
    assert hierarchy.path_losses(["x", "y", "z"]).tolist() == [[0, 2, 2], [2, 0, 6], [2, 6, 0]]
    assert set(hierarchy.ascent("x")) == {"x", "p", "q", "deep", "root"}


def test_ancestor_matrix():
    matrix, nodes = Hierarchy(TREE).ancestor_matrix(["bba", "a"])
    features = [{node for node, value in zip(nodes, row, strict=True) if value} for row in matrix.toarray()]
    assert features == [{"bba", "bb", "b", "top"}, {"a", "top"}]
    assert "c" not in nodes  # above none of the classes


@pytest.mark.parametrize(
    ("links", "cycle"),
    [
        (
            {"a": "b", "b": "c", "c": "a", "x": "a"},
            {"a -> b -> c -> a", "b -> c -> a -> b", "c -> a -> b -> c"},
        ),
        ({"a": "a", "b": "c"}, {"a -> a"}),
        ({"a": ["b", "d"], "b": "c", "c": ["b"], "d": "e"}, {"b -> c -> b", "c -> b -> c"}),
    ],
)
def test_cycles_are_named(links, cycle):
    with pytest.raises(ValueError, match="parents has a cycle: ") as caught:
        Hierarchy(links)
    assert str(caught.value).removeprefix("parents has a cycle: ") in cycle


def test_unknown_classes_are_named():
    with pytest.raises(ValueError, match="the taxonomy has no 'x', 'y': every class"):
        Hierarchy(TREE).check(["a", "x", "y"])
    with pytest.raises(ValueError, match=r"'1', '2', '3', '4', '5' and 2 more: every class"):
        Hierarchy(TREE).tree_losses([*"1234567"])


@pytest.mark.parametrize("links", [7, ["ab"], [("a", "b", "c")], {1, 2}])
def test_what_is_no_taxonomy(links):
    with pytest.raises(TypeError, match="parents must be a dict, pairs"):
        Hierarchy(links)


def test_empty_taxonomies():
    with pytest.raises(ValueError, match="parents must have at least one link"):
        Hierarchy({})


def test_bad_lines_are_named(tmp_path):
    path = tmp_path / "classes.tsv"
    path.write_text("top\ta\n\ntop\tb\tc\n")
    with pytest.raises(FormatError, match="expected parent and child") as caught:
        Hierarchy(path)
    assert caught.value.line == 3


@given(st.lists(st.integers(0, 50), min_size=2, max_size=12))
def test_losses_are_those_of_a_slow_walk(choices):
    # Node i + 1 hangs below any node before it.
    parents = {i + 1: choice % (i + 1) for i, choice in enumerate(choices)}
    hierarchy = Hierarchy(parents)
    nodes = range(len(choices) + 1)

    def way(node):
        return [node] if node == 0 else [node, *way(parents[node])]

    def height(node):
        return max([0, *(1 + height(child) for child in parents if parents[child] == node)])

    tree, path = hierarchy.tree_losses(nodes), hierarchy.path_losses(nodes)
    for a in nodes:
        for b in nodes:
            first = next(node for node in way(a) if node in way(b))
            assert tree[a, b] == (0 if a == b else height(first))
            assert path[a, b] == way(a).index(first) + way(b).index(first)
    assert np.array_equal(tree, tree.T)
