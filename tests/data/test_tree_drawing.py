"""Trees as text and as pictures."""

import xml.etree.ElementTree as ElementTree
from itertools import pairwise

import pytest
from hypothesis import given, settings

from hedgerow import Forest
from hedgerow.data import Tree
from hedgerow.inspection import Fragment, tree_svg, tree_text
from tests.strategies import brackets, size, trees

SVG = "{http://www.w3.org/2000/svg}"


def texts(svg):
    """What is written in a picture, which must be well-formed."""
    return ["".join(node.itertext()) for node in ElementTree.fromstring(svg).iter(f"{SVG}text")]


def test_text():
    text = tree_text("(S (NP (D the) (N dog)) (VP (V barks) (ADV very loudly)) !)")
    assert text == (
        "S\n"
        "├─ NP\n"
        "│  ├─ D ─ the\n"
        "│  └─ N ─ dog\n"
        "├─ VP\n"
        "│  ├─ V ─ barks\n"
        "│  └─ ADV\n"
        "│     ├─ very\n"
        "│     └─ loudly\n"
        "└─ !"
    )


def test_open_nodes_and_words_look_different():
    fragment = Fragment(
        ("NP", "sings", "V", "S"), (0, 0, 1, 2), ("open", "word", "expanded", "expanded"), 1.0, ""
    )
    assert tree_text(fragment) == "S\n├─ NP ...\n└─ V ─ sings"
    assert fragment.tree == "(S NP (V sings))"
    svg = tree_svg(fragment)
    assert svg.count("stroke-dasharray") == 1
    assert svg.count("italic") == 1
    assert fragment._repr_html_().count("<svg") == 1


def test_values_stand_beside_nodes():
    assert tree_text("(NP dog)", [0.25, -1]) == "NP [-1] ─ dog [+0.25]"
    svg = tree_svg("(NP dog)", [0.25, -1])
    assert svg.count("<rect") == 2
    assert svg.index("#D55E00") < svg.index("#0072B2")  # the root comes first
    assert tree_svg("(NP dog)", [0, 0]).count("<rect") == 0
    with pytest.raises(ValueError, match="one value for each of the 2 nodes"):
        tree_text("(NP dog)", [1.0])


@pytest.mark.parametrize("label", ["<b>", "a&b", "\"'", "]]>", "&lt;", "日本語", "tab\x01", "\ufffe"])
def test_labels_are_escaped(label):
    forest = Forest.from_postorder([label, "N"], [0, 1], [2])
    written = texts(tree_svg(forest[0]))
    assert written[0] == "N"
    assert written[1] == label.replace("\x01", "�").replace("\ufffe", "�")


def test_long_labels_are_shortened():
    svg = tree_svg(Forest.from_postorder(["x" * 500], [0], [1])[0])
    title, text = ElementTree.fromstring(svg).iter(f"{SVG}title"), texts(svg)
    assert [node.text for node in title] == ["x" * 500]
    assert text[0].endswith("x" * 39 + "…")


@given(trees())
@settings(deadline=None)
def test_every_node_is_drawn_once(tree):
    outer = brackets(tree)
    assert len(texts(tree_svg(outer))) == size(tree)
    assert sum(letter not in "├└│─ \n" for letter in tree_text(outer)) == size(tree)


def places(svg):
    """Left and right end of every label, by row."""
    rows = {}
    for node in ElementTree.fromstring(svg).iter(f"{SVG}text"):
        half = 7.3 * len("".join(node.itertext())) / 2
        rows.setdefault(node.get("y"), []).append((float(node.get("x")) - half, float(node.get("x")) + half))
    return rows


@given(trees(max_nodes=12))
@settings(deadline=None)
def test_labels_do_not_overlap(tree):
    svg = tree_svg(brackets(tree))
    width = float(ElementTree.fromstring(svg).get("width"))
    for row in places(svg).values():
        for (_, right), (left, _) in pairwise(row):
            assert right < left
        assert row[0][0] >= 0
        assert row[-1][1] <= width


def test_deep_and_wide_trees_are_cut():
    deep = Tree("(a " * 50_000 + "b" + ")" * 50_000)
    assert tree_text(deep).splitlines()[-1] == "... and 49,960 more nodes"
    assert texts(tree_svg(deep))[-1] == "and 49,960 more nodes"
    wide = Tree("(a " + "b " * 5000 + ")")
    assert tree_text(wide) == "a ...\n... and 5,000 more nodes"
    assert len(texts(tree_svg(wide))) == 2
    assert len(texts(tree_svg(wide, max_nodes=10_000))) == 5001
    assert tree_text("(a (b c d))", max_depth=1) == "a\n└─ b ...\n... and 2 more nodes"
    with pytest.raises(ValueError, match="max_nodes must be"):
        tree_svg("(a b)", max_nodes=0)


def test_empty_trees():
    empty = Forest.from_postorder([], [], [0])[0]
    assert tree_text(empty) == ""
    assert texts(tree_svg(empty)) == []


def test_notebooks_draw_trees_and_forests():
    forest = Forest(["(a b)"] * 5)
    assert forest[0]._repr_html_().count("<svg") == 1
    assert forest._repr_html_().count("<svg") == 3
    assert "5 trees, 10 nodes; the first 3:" in forest._repr_html_()
    assert "the first" not in forest[:2]._repr_html_()
