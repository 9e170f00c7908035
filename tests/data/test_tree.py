import copy
import pickle

import numpy as np
import pytest
from hypothesis import given
from nltk import Tree as NltkTree

from hedgerow import Forest, FormatError, Tree
from tests.strategies import brackets, size, trees


def leaves(tree):
    label, children = tree
    return [leaf for child in children for leaf in leaves(child)] if children else [label]


@given(trees())
def test_parts(tree):
    item = Forest([brackets(tree)])[0]
    assert item.label == tree[0]
    assert item.n_nodes == size(tree)
    assert item.leaves() == leaves(tree)
    assert [child.to_brackets() for child in item.children()] == [brackets(child) for child in tree[1]]


@given(trees(), trees())
def test_equality_and_hash(a, b):
    first, second = Forest([brackets(a)])[0], Forest(["(z z)", brackets(b)])[1]
    assert (first == second) is (a == b)
    assert (first != second) is (a != b)
    assert (hash(first) == hash(second)) or a != b
    assert len({first, second}) == (1 if a == b else 2)


def test_equality_with_other_things():
    tree = Tree("(a b)")
    assert tree != "(a b)"
    assert tree != Forest([tree])
    assert tree != None  # noqa: E711


def test_the_same_labels_in_another_shape():
    assert Tree("(a (a a))") != Tree("(a a a)")
    assert hash(Tree("(a (a a))")) != hash(Tree("(a a a)"))


class TestMaking:
    def test_from_a_string(self):
        assert Tree("(S (NP Mary))") == Forest(["(S (NP Mary))"])[0]

    def test_repr_makes_it_again(self):
        tree = Tree("(S (NP Mary) 'quoted' \"twice\")")
        assert eval(repr(tree)) == tree

    def test_from_nltk(self):
        assert Tree(NltkTree("S", [NltkTree("NP", ["Mary"])])) == Tree("(S (NP Mary))")

    def test_from_a_tree(self):
        tree = Tree("(S (NP Mary))")
        assert Tree(tree) == tree

    def test_refused(self):
        with pytest.raises(FormatError, match=r"^column 1: the tree is not closed"):
            Tree("(S")
        with pytest.raises(TypeError, match="a tree must be a bracketed string"):
            Tree(3)


def test_text():
    tree = Tree("(S (NP Mary))")
    assert str(tree) == tree.to_brackets() == "(S (NP Mary))"
    assert repr(tree) == "Tree('(S (NP Mary))')"


def test_labels_with_spaces_print_but_do_not_write():
    tree = Forest.from_postorder(["New York", "N"], [0, 1], [2])[0]
    assert str(tree) == "(N New_York)"
    with pytest.raises(ValueError, match="cannot be written in brackets"):
        tree.to_brackets()


def test_nltk():
    nltk = Tree("(S (NP Mary) now)").to_nltk()
    assert nltk == NltkTree("S", [NltkTree("NP", ["Mary"]), "now"])


def test_an_empty_tree():
    (tree,) = Forest.from_postorder([], [], [0])
    assert (tree.label, tree.n_nodes, tree.leaves(), tree.children()) == (None, 0, [], [])
    assert tree.to_brackets() == ""
    assert repr(tree) == "Tree('')"
    assert tree == pickle.loads(pickle.dumps(tree))
    with pytest.raises(ValueError, match="an empty tree has no counterpart in nltk"):
        tree.to_nltk()


@pytest.mark.parametrize("duplicate", [copy.copy, copy.deepcopy, lambda t: pickle.loads(pickle.dumps(t))])
def test_copies(duplicate):
    tree = Forest(["(a b)", "(S (NP Mary) (VP sings))"])[1]
    again = duplicate(tree)
    assert type(again) is Tree
    assert again == tree
    assert hash(again) == hash(tree)


def test_a_tree_of_a_large_forest_pickles_small():
    forest = Forest([f"(S word{i})" for i in range(10_000)])
    assert len(pickle.dumps(forest[5])) < 1000


def test_immutable():
    tree = Tree("(a b)")
    with pytest.raises(AttributeError):
        tree.label = "c"
    with pytest.raises(AttributeError):
        tree.colour = "green"
    with pytest.raises(TypeError):
        tree[0] = "c"


def test_numpy_keeps_it_whole():
    items = list(Forest(["(a b)", "(a c)"]))
    array = np.array(items)
    assert array.shape == (2,)
    assert array.dtype == object
    assert array[1] is items[1]
