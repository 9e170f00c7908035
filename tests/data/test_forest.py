import copy
import io
import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from nltk import ImmutableTree, ParentedTree
from nltk import Tree as NltkTree

from hedgerow import Forest, FormatError, Tree
from tests.strategies import ANY_LABEL, brackets, trees

TEXTS = ["(S (NP Mary) (VP sings))", "(NP (D a) (N dog))", "(dog)", "(S (NP Mary) (VP sings))", "(N a b c)"]


@pytest.fixture
def forest():
    return Forest(TEXTS)


class TestMaking:
    def test_kinds_of_sequences(self, forest):
        assert Forest(tuple(TEXTS)) == forest
        assert Forest(iter(TEXTS)) == forest
        assert Forest(np.array(TEXTS)) == forest
        assert Forest(np.array(TEXTS, dtype=object)) == forest
        assert Forest(forest) == forest
        assert Forest(list(forest)) == forest
        assert Forest(np.asarray(forest)) == forest

    def test_kinds_of_trees_mix(self, forest):
        mixed = [TEXTS[0], forest[1], NltkTree("dog", []), Forest(TEXTS)[3], NltkTree("N", ["a", "b", "c"])]
        assert Forest(mixed) == forest

    def test_nothing(self):
        for empty in (Forest(), Forest([]), Forest(np.array([])), Forest(Forest())):
            assert len(empty) == 0
            assert empty.shape == (0,)
            assert empty.to_brackets() == []
            assert empty.n_nodes == 0
            assert list(empty) == []

    @pytest.mark.parametrize(
        ("trees", "message"),
        [
            ("(S (NP a))", r"not one string; write Forest\(\[text\]\), or Forest.read"),
            (b"(S (NP a))", "not one string"),
            (NltkTree("S", ["a"]), r"write Forest\(\[tree\]\) for one nltk.Tree"),
            (
                [b"(S a)"],
                "item 0 is a bytes; a tree must be a bracketed string, a hedgerow Tree or an nltk.Tree",
            ),
            (["(S a)", 3], "item 1 is a int"),
            (["(S a)", None], "item 1 is a NoneType"),
            ([["(S a)"]], "item 0 is a list"),
            (np.zeros((2, 2)), r"got an array of shape \(2, 2\)"),
            (3, "not iterable"),
        ],
    )
    def test_refused(self, trees, message):
        with pytest.raises(TypeError, match=message):
            Forest(trees)

    def test_one_tree_or_a_list_of_forests(self, forest):
        with pytest.raises(TypeError, match=r"write Forest\(\[tree\]\)"):
            Forest(forest[0])
        with pytest.raises(TypeError, match="item 0 is a Forest"):
            Forest([forest])

    def test_from_postorder(self):
        forest = Forest.from_postorder(["the", "D", "dog", "N", "NP", "x"], [0, 1, 0, 1, 2, 0], [5, 0, 1])
        assert forest.to_brackets() == ["(NP (D the) (N dog))", "", "(x)"]
        assert forest.tree_sizes().tolist() == [5, 0, 1]

    @pytest.mark.parametrize(
        ("labels", "arity", "sizes", "message"),
        [
            (["a", "b"], [0], [2], "every node needs a label and a number of children"),
            (["a", "b"], [0, 2], [2], "a node claims more children than there are"),
            (["a", "b"], [0, -1], [2], "a node claims more children than there are"),
            (["a", "b"], [0, 0], [2], "a tree does not end in one root"),
            (["a", "b"], [0, 1], [1], "a tree|do not add up"),
            (["a", "b"], [0, 1], [1, 1], "a node claims more children than there are"),
            (["a", "b"], [0, 1], [3], "do not add up"),
            (["a", "b"], [0, 1], [-1], "do not add up"),
            (["a", ""], [0, 1], [2], "a label must be a non-empty text without NUL, got ''"),
            (["a\0", "b"], [0, 1], [2], "a label must be a non-empty text without NUL"),
            (["a\ud800", "b"], [0, 1], [2], "UTF-8|utf-8"),
        ],
    )
    def test_from_postorder_refused(self, labels, arity, sizes, message):
        with pytest.raises(ValueError, match=message):
            Forest.from_postorder(labels, arity, sizes)


class TestArray:
    def test_size(self, forest):
        assert len(forest) == 5
        assert forest.shape == (5,)
        assert forest.ndim == 1
        assert forest.tree_sizes().tolist() == [5, 5, 1, 5, 4]
        assert forest.n_nodes == 20

    def test_one(self, forest):
        for i in range(-5, 5):
            for index in (i, np.int32(i), np.int64(i)):
                assert isinstance(forest[index], Tree)
                assert forest[index].to_brackets() == TEXTS[i]
        for i in (5, -6):
            with pytest.raises(IndexError, match=f"index {i} is out of range for 5 items"):
                forest[i]

    @pytest.mark.parametrize(
        "key",
        [
            slice(1, 3),
            slice(None, None, -2),
            slice(3, 100),
            [0, -1, 0],
            [2],
            np.array([4, 0]),
            np.array([4, 0], dtype=np.uint8),
            [True, False, True, False, True],
            np.array([False] * 5),
            [],
            np.array([], dtype=int),
            range(1, 4),
        ],
    )
    def test_several(self, forest, key):
        part = forest[key]
        assert isinstance(part, Forest)
        assert (
            part.to_brackets()
            == np.array([*TEXTS, None], dtype=object)[:-1][
                np.asarray(key, dtype=int) if isinstance(key, list) and not key else key
            ].tolist()
        )
        assert part.shape == (len(part),)

    def test_iteration_and_membership(self, forest):
        assert [tree.to_brackets() for tree in forest] == TEXTS
        assert [tree.to_brackets() for tree in reversed(forest)] == TEXTS[::-1]
        assert Tree("(dog)") in forest
        assert Tree("(cat)") not in forest
        assert forest.index(Tree("(dog)")) == 2
        assert forest.count(Tree(TEXTS[0])) == 2

    def test_numpy(self, forest):
        for array in (np.asarray(forest), np.array(forest), np.asarray(forest, dtype=object)):
            assert array.shape == (5,)
            assert array.dtype == object
            assert all(isinstance(tree, Tree) for tree in array)
            assert Forest(array) == forest
        assert np.asarray(forest[:1]).shape == (1,)
        assert np.asarray(Forest()).shape == (0,)
        with pytest.raises(TypeError, match="Forest cannot become an array of float64"):
            np.asarray(forest, dtype=float)

    def test_immutable(self, forest):
        with pytest.raises(TypeError):
            forest[0] = forest[1]
        with pytest.raises(TypeError):
            del forest[0]
        with pytest.raises(AttributeError):
            forest.colour = "green"
        with pytest.raises(AttributeError):
            forest.shape = (1,)
        forest.tree_sizes()[0] = 7
        assert forest.tree_sizes()[0] == 5
        with pytest.raises(TypeError, match="unhashable"):
            hash(forest)

    def test_repr(self, forest):
        assert repr(Forest()) == "Forest(0 trees, 0 nodes)"
        assert repr(forest[:1]) == "Forest(1 tree, 5 nodes:\n  (S (NP Mary) (VP sings)))"
        assert repr(forest) == (
            "Forest(5 trees, 20 nodes:\n  (S (NP Mary) (VP sings))\n  (NP (D a) (N dog))\n  ...\n  (N a b c))"
        )
        long = repr(Forest([f"(S {' '.join(['word'] * 1000)})"]))
        assert len(long) < 150
        assert long.endswith(" ...)")


class TestEquality:
    def test_history_does_not_matter(self, forest):
        other = Forest(["(other (labels (first))) ", *reversed(TEXTS), "(last)"])[1:-1][::-1]
        assert other == forest
        assert forest == other
        assert other + forest == forest + other

    def test_differences(self, forest):
        assert forest != forest[:-1]
        assert forest != forest[::-1]
        assert forest != Forest([*TEXTS[:-1], "(N a b d)"])
        assert Forest(["(a a a)"]) != Forest(["(a (a a))"])
        assert Forest(["(a b)", "(c)"]) != Forest(["(c)", "(a b)"])
        assert Forest(["(a)", "(b)"]) != Forest(["(b)", "(a)"])

    def test_other_types(self, forest):
        assert forest != TEXTS
        assert forest != None  # noqa: E711
        assert (forest == TEXTS) is False

    @given(st.lists(trees(), max_size=3), st.lists(trees(), max_size=3))
    def test_as_lists_compare(self, a, b):
        left = Forest([brackets(tree) for tree in a])
        right = Forest(["(c b)", *(brackets(tree) for tree in b)])[1:]
        assert (left == right) is (a == b)


class TestAlgebra:
    ITEMS = st.lists(trees(ANY_LABEL), max_size=5).map(lambda items: [brackets(tree) for tree in items])

    @given(ITEMS, ITEMS, ITEMS)
    def test_concatenation(self, a, b, c):
        x, y, z = Forest(a), Forest(b), Forest(c)
        assert (x + y).to_brackets() == a + b
        assert (x + y) + z == x + (y + z) == Forest.concatenate([x, y, z]) == Forest(a + b + c)
        assert (x + y)[: len(a)] == x
        assert (x + y)[len(a) :] == y
        assert Forest.concatenate([x, y, x, y]).to_brackets() == a + b + a + b

    @given(ITEMS.filter(len), st.data())
    def test_selection(self, items, data):
        forest = Forest(items)
        index = st.lists(st.integers(-len(items), len(items) - 1), max_size=6)
        first = np.array(data.draw(index), dtype=int)
        part = forest[first]
        assert part.to_brackets() == [items[i] for i in first]
        if len(first):
            second = np.array(data.draw(st.lists(st.integers(0, len(first) - 1), max_size=6)), dtype=int)
            assert part[second] == forest[first[second]]
        mask = np.array(data.draw(st.lists(st.booleans(), min_size=len(items), max_size=len(items))))
        assert forest[mask] + forest[~mask] == forest[np.argsort(~mask, kind="stable")]

    @given(ITEMS)
    def test_pickle_and_trees(self, items):
        forest = Forest(items)
        assert pickle.loads(pickle.dumps(forest)) == forest
        assert Forest(list(forest)) == forest
        assert Forest(forest.to_brackets()) == forest

    @given(ITEMS)
    def test_nltk_round_trip(self, items):
        forest = Forest(items)
        assert Forest(forest.to_nltk()) == forest

    def test_concatenating_nothing(self):
        assert Forest.concatenate([]) == Forest()
        assert Forest() + Forest(["(a)"]) == Forest(["(a)"])

    def test_concatenating_other_things(self, forest):
        with pytest.raises(TypeError):
            forest + "(a b)"
        with pytest.raises(TypeError, match="concatenate takes Forests, got a str"):
            Forest.concatenate([forest, "(a b)"])
        with pytest.raises(TypeError, match="concatenate takes Forests, got a Tree"):
            Forest.concatenate(forest)

    def test_empty_trees_stay(self):
        forest = Forest.from_postorder(["a"], [0], [0, 1, 0])
        assert pickle.loads(pickle.dumps(forest)) == forest
        assert (forest + forest)[[0, 1, 3]].to_brackets() == ["", "(a)", ""]
        assert forest[::2] != forest[1:]
        assert repr(forest[:1]) == "Forest(1 tree, 0 nodes:\n  )"


class TestCopies:
    @pytest.mark.parametrize("protocol", range(2, pickle.HIGHEST_PROTOCOL + 1))
    def test_pickle(self, forest, protocol):
        assert pickle.loads(pickle.dumps(forest, protocol)) == forest

    def test_copy(self, forest):
        assert copy.copy(forest) == forest
        assert copy.deepcopy(forest) == forest

    def test_a_slice_of_a_large_forest_pickles_small(self):
        forest = Forest([f"(S (A a{i}) (B b{i}))" for i in range(10_000)])
        part = forest[5000:5010]
        assert len(pickle.dumps(part)) < 2000
        assert pickle.loads(pickle.dumps(part)).to_brackets() == part.to_brackets()

    def test_unusual_labels(self):
        forest = Forest.from_postorder(["New York", "f(x)", "\n", "日"], [0, 0, 2, 1], [4])
        assert pickle.loads(pickle.dumps(forest)) == forest

    def test_joblib(self, forest):
        import joblib

        file = io.BytesIO()
        joblib.dump(forest, file)
        file.seek(0)
        assert joblib.load(file) == forest


class TestNltk:
    def test_in_and_out(self):
        tree = NltkTree.fromstring("(S (NP (D the) (N dog)) (VP (V barks)))")
        forest = Forest([tree])
        assert forest.to_brackets() == ["(S (NP (D the) (N dog)) (VP (V barks)))"]
        assert forest.to_nltk() == [tree]

    def test_subclasses(self):
        text = "(S (NP a) (VP b))"
        assert (
            Forest([ImmutableTree.fromstring(text), ParentedTree.fromstring(text)]).to_brackets()
            == [text] * 2
        )

    def test_leaves_are_taken_as_text(self):
        assert Forest([NltkTree("N", ["New York", 3])])[0].leaves() == ["New York", "3"]

    def test_a_single_node(self):
        assert Forest([NltkTree("dog", [])]).to_brackets() == ["(dog)"]
        assert Forest(["(dog)"]).to_nltk() == [NltkTree("dog", [])]

    @pytest.mark.parametrize("bad", [NltkTree("", ["a"]), NltkTree("A", [""]), NltkTree("A", ["a\0b"])])
    def test_bad_labels(self, bad):
        with pytest.raises(FormatError, match="item 2: a label must be a non-empty text without NUL"):
            Forest(["(a b)", NltkTree("A", ["b"]), bad])

    def test_labels_that_utf8_cannot_say(self):
        with pytest.raises(FormatError, match=r"item 1: .*UTF-8"):
            Forest([NltkTree("A", ["b"]), NltkTree("A", ["\ud800"])])

    @pytest.mark.parametrize(
        "texts",
        [
            ["(S (NP a) (VP b))", "(S (NP c) (VP d))"],
            ["(S a b)", "(S c d)"],
            ["(S (NP a))"],
            ["(S a)"],
            ["(S (A b c) (D e f))", "(S (A b c) (D e f))"],
        ],
    )
    def test_an_array_that_numpy_made_of_them_is_refused(self, texts):
        array = np.asarray([NltkTree.fromstring(text) for text in texts])
        assert array.dtype.kind == "U", "numpy takes them apart: that is why Forest must refuse"
        with pytest.raises(TypeError, match=r"numpy takes nltk.Tree objects apart, so pass them in a list"):
            Forest(array)

    def test_what_numpy_makes_of_one_tree_is_refused(self):
        with pytest.raises(FormatError):
            Forest(np.asarray(NltkTree("S", ["a", "b"])))

    def test_an_object_array_of_them_is_taken(self):
        array = np.empty(2, dtype=object)
        array[0], array[1] = NltkTree("S", ["a"]), NltkTree("S", ["b"])
        assert Forest(array).to_brackets() == ["(S a)", "(S b)"]


N = 100_000


class TestAnySize:
    @pytest.fixture(scope="class")
    @staticmethod
    def chain():
        return Forest(["(a " * (N - 1) + "a" + ")" * (N - 1)])

    @pytest.fixture(scope="class")
    @staticmethod
    def star():
        return Forest([f"(r {' '.join(f'x{i}' for i in range(N))})"])

    @pytest.fixture(scope="class", params=["chain", "star"])
    @staticmethod
    def huge(request):
        return request.getfixturevalue(request.param)

    def test_sizes(self, chain, star):
        assert chain.n_nodes == N
        assert star.n_nodes == N + 1
        assert len(star[0].children()) == N
        assert len(chain[0].children()) == 1

    def test_print(self, huge):
        (text,) = huge.to_brackets()
        assert Forest([text]) == huge
        assert Forest([text]).to_brackets() == [text]
        assert len(repr(huge)) < 200
        assert len(str(huge[0])) == len(text)

    def test_slice_and_concatenate(self, huge):
        three = huge + Forest(["(a b)"]) + huge
        assert three[[2, 0]] == huge + huge
        assert three[0] == three[2] != three[1]

    def test_pickle_and_hash(self, huge):
        again = pickle.loads(pickle.dumps(huge))
        assert again == huge
        assert hash(again[0]) == hash(huge[0])
        assert copy.deepcopy(huge) == huge

    def test_nltk(self, huge):
        (tree,) = huge.to_nltk()
        assert Forest([tree]) == huge

    def test_read(self, huge, tmp_path):
        path = tmp_path / "huge.mrg"
        path.write_text(huge.to_brackets()[0] + "\n(a b)\n")
        assert Forest.read(path) == huge + Forest(["(a b)"])
        path.write_text("\n".join("(a" for _ in range(N - 1)) + "\na\n" + ")" * (N - 1))
        assert Forest.read(path).n_nodes == N

    def test_unclosed(self):
        with pytest.raises(FormatError, match=f"{N} '\\)' are missing"):
            Forest(["(a " * N])

    def test_many_trees(self):
        forest = Forest([f"(S (A {i % 100}) (B b))" for i in range(N)])
        assert len(forest) == N
        assert len(forest[::2]) == N // 2
        assert len({tree.label for tree in forest[:1000]}) == 1

    def test_trees_of_two_large_forests_make_a_forest(self):
        # Every tree brings the whole vocabulary of its forest along, which must not be merged for each anew.
        a = Forest([f"(a x{i})" for i in range(20_000)])
        b = Forest([f"(b y{i})" for i in range(20_000)])
        assert Forest([*a, *b]) == a + b
