import copy
import pickle

import numpy as np
import pytest
from nltk import Tree as NltkTree
from scipy import sparse

from hedgerow import Forest, Records, Tree

TEXTS = ["(S (NP a))", "(S (NP b))", "(c)", "(S (NP a))"]
DENSE = np.arange(8.0).reshape(4, 2)
SPARSE = sparse.csr_matrix(np.diag([1.0, 0.0, 2.0, 3.0]))
STRINGS = ["x", "", "yy\0", "é"]
TOKENS = [("a", "b"), (), ("c",), ("a", "b")]


@pytest.fixture
def records():
    return Records(parse=Forest(TEXTS), dense=DENSE, sparse=SPARSE, text=STRINGS, tokens=TOKENS)


class TestColumns:
    def test_kinds(self, records):
        assert records.columns == ("parse", "dense", "sparse", "text", "tokens")
        assert records["parse"] == Forest(TEXTS)
        assert np.array_equal(records["dense"], DENSE)
        assert sparse.issparse(records["sparse"])
        assert records["sparse"].format == "csr"
        assert records["text"].tolist() == STRINGS
        assert records["tokens"].tolist() == TOKENS

    @pytest.mark.parametrize(
        "trees",
        [
            lambda: [Tree(text) for text in TEXTS],
            lambda: [NltkTree.fromstring(text) for text in TEXTS],
            lambda: Forest(TEXTS).to_nltk(),
            lambda: np.asarray(Forest(TEXTS)),
        ],
    )
    def test_trees(self, trees):
        column = Records(parse=trees())["parse"]
        assert isinstance(column, Forest)
        assert column == Forest(TEXTS)

    def test_nltk_trees_of_one_shape_stay_trees(self):
        trees = [NltkTree("S", ["a", "b"]), NltkTree("S", ["c", "d"])]
        assert Records(parse=trees)["parse"].to_brackets() == ["(S a b)", "(S c d)"]
        with pytest.raises((TypeError, ValueError), match="column 'parse'"):
            Records(parse=np.asarray(trees))

    @pytest.mark.parametrize(
        "matrix",
        [
            DENSE.tolist(),
            DENSE.astype(np.float32),
            DENSE.astype(int),
            np.asfortranarray(DENSE),
            [tuple(row) for row in DENSE.tolist()],
            list(DENSE),
            DENSE.astype(object),
        ],
    )
    def test_matrices(self, matrix):
        column = Records(x=matrix)["x"]
        assert column.dtype == np.float64
        assert column.flags.c_contiguous
        assert np.array_equal(column, DENSE)

    @pytest.mark.parametrize("format", ["csr", "csc", "coo", "lil"])
    def test_sparse_matrices(self, format):
        column = Records(x=SPARSE.asformat(format))["x"]
        assert column.format == "csr"
        assert np.array_equal(column.toarray(), SPARSE.toarray())
        column = Records(x=sparse.coo_array(SPARSE.asformat(format)))["x"]
        assert column.shape == (4, 4)
        assert np.array_equal(column[[1, 2]].toarray(), SPARSE.toarray()[[1, 2]])

    def test_frames_of_other_packages_are_matrices(self):
        class Frame:
            """Iterates over the names of its columns, as frames do."""

            shape = (4, 2)

            def __array__(self, dtype=None, copy=None):
                return DENSE.astype(dtype)

            def __iter__(self):
                return iter(["first", "second"])

        assert np.array_equal(Records(x=Frame())["x"], DENSE)

    def test_strings_are_kept_whole(self):
        assert Records(x=np.array(["ab", "c"]))["x"].tolist() == ["ab", "c"]
        assert Records(x=["(S a)"])["x"].tolist() == ["(S a)"]  # trees only when they are said to be

    def test_token_lists_of_any_lengths(self):
        for tokens in ([["a", "b"], ["c", "d"]], [["a"]], [["a", "b"]], [[], ["a"]], [("a", "b"), ["c"]]):
            assert Records(x=tokens)["x"].tolist() == [tuple(item) for item in tokens]

    def test_names(self):
        assert Records({"part of speech": ["a"], "x-y": ["b"]}, z=["c"]).columns == (
            "part of speech",
            "x-y",
            "z",
        )

    @pytest.mark.parametrize(
        ("values", "message"),
        [
            ([1.0, 2.0], r"two-dimensional matrix.* of shape \(2,\)"),
            (np.zeros(3), r"two-dimensional matrix.* of shape \(3,\)"),
            (np.zeros((2, 2, 2)), r"two-dimensional matrix.* of shape \(2, 2, 2\)"),
            ("one string", "expected a list of strings, got one string"),
            (NltkTree("S", ["a"]), "expected a list of trees, got one nltk.Tree"),
            ([[1.0], [1.0, 2.0]], "expected"),
            (["a", 1.0], "expected"),
            (["a", ("b",)], "expected"),
            ([["a", 1.0]], "expected"),
            (np.array([["1", "2"]]), "expected"),
            ([None, None], "expected"),
            ({"a": 1}, "expected"),
            (3, "expected"),
            (None, "expected"),
            (np.array([[1 + 2j]]), "expected"),
        ],
    )
    def test_refused(self, values, message):
        with pytest.raises((TypeError, ValueError), match=f"column 'x': .*{message}"):
            Records(x=values)

    def test_other_hedgerow_things_are_refused(self, records):
        with pytest.raises(TypeError, match="column 'x': Records cannot hold Records"):
            Records(x=records)
        with pytest.raises((TypeError, ValueError), match="column 'x': expected"):
            Records(x=Tree("(a b)"))
        with pytest.raises((TypeError, ValueError), match="column 'x': expected"):
            Records(x=[Tree("(a b)"), "(a b)"])

    def test_lengths_must_agree(self):
        with pytest.raises(ValueError, match=r"the columns differ in length \('a': 1, 'b': 4\)"):
            Records(a=["x"], b=DENSE)

    def test_no_columns(self):
        with pytest.raises(ValueError, match="at least one column"):
            Records()

    def test_unknown_column(self, records):
        with pytest.raises(KeyError, match="no column 'parsed'; the columns are 'parse', 'dense'"):
            records["parsed"]


class TestArray:
    def test_size(self, records):
        assert len(records) == 4
        assert records.shape == (4,)
        assert records.ndim == 1

    def test_one(self, records):
        example = records[-2]
        assert example["parse"] == Tree("(c)")
        assert example["dense"].tolist() == [4.0, 5.0]
        assert example["sparse"].toarray().ravel().tolist() == [0, 0, 2.0, 0]
        assert example["text"] == "yy\0"
        assert example["tokens"] == ("c",)
        with pytest.raises(IndexError, match="index 4 is out of range for 4 items"):
            records[4]

    @pytest.mark.parametrize(
        "key",
        [
            slice(1, 3),
            slice(None, None, -1),
            [0, 0, -1],
            [True, False, False, True],
            np.array([2]),
            [],
            slice(0, 0),
        ],
    )
    def test_several(self, records, key):
        part = records[key]
        assert isinstance(part, Records)
        rows = np.arange(4)[np.asarray(key, dtype=int) if isinstance(key, list) and not key else key]
        assert len(part) == len(rows)
        assert part["parse"].to_brackets() == [TEXTS[i] for i in rows]
        assert np.array_equal(part["dense"], DENSE[rows])
        assert np.array_equal(part["sparse"].toarray(), SPARSE.toarray()[rows])
        assert part["text"].tolist() == [STRINGS[i] for i in rows]
        assert part["tokens"].tolist() == [TOKENS[i] for i in rows]
        assert part == Records.concatenate([records[[i]] for i in rows]) if len(rows) else True

    def test_iteration(self, records):
        assert [example["text"] for example in records] == STRINGS

    def test_numpy(self, records):
        array = np.asarray(records)
        assert array.shape == (4,)
        assert array.dtype == object
        assert array[1]["text"] == ""
        with pytest.raises(TypeError, match="Records cannot become an array of float64"):
            np.asarray(records, dtype=float)

    def test_repr(self, records):
        assert repr(records) == (
            "Records(4 examples:\n"
            "  'parse': Forest of 10 nodes\n"
            "  'dense': matrix with 2 features\n"
            "  'sparse': sparse matrix with 4 features, 3 nonzeros\n"
            "  'text': strings\n"
            "  'tokens': token lists)"
        )

    def test_immutable(self, records):
        with pytest.raises(TypeError):
            records["text"] = STRINGS
        with pytest.raises(TypeError):
            records[0] = {}
        with pytest.raises(AttributeError):
            records.columns = ()
        with pytest.raises(TypeError, match="unhashable"):
            hash(records)


class TestTogether:
    def test_concatenation(self, records):
        assert records[:1] + records[1:] == records
        assert Records.concatenate([records[:1], records[1:3], records[3:]]) == records
        assert len(records + records) == 8

    def test_concatenation_with_no_examples(self, records):
        assert records[:0] + records == records
        assert records + records[:0] == records

    @pytest.mark.parametrize(
        ("a", "b", "message"),
        [
            ({"x": ["a"]}, {"y": ["a"]}, r"the columns differ: \('x',\) and \('y',\)"),
            ({"x": ["a"]}, {"x": [[1.0]]}, "column 'x'"),
            ({"x": ["a"]}, {"x": [("a",)]}, "column 'x'"),
            ({"x": [[1.0]]}, {"x": [[1.0, 2.0]]}, "column 'x'"),
            ({"x": [[1.0]]}, {"x": sparse.csr_matrix([[1.0]])}, "column 'x'"),
            ({"x": sparse.csr_matrix([[1.0, 2.0]])}, {"x": sparse.csr_matrix([[1.0]])}, "column 'x'"),
        ],
    )
    def test_different_columns(self, a, b, message):
        with pytest.raises(ValueError, match=message):
            Records(a) + Records(b)

    def test_a_forest_and_strings(self):
        with pytest.raises(ValueError, match="column 'x'"):
            Records(x=Forest(["(a)"])) + Records(x=["(a)"])

    def test_nothing_and_other_things(self, records):
        with pytest.raises(ValueError, match="at least one data set is needed"):
            Records.concatenate([])
        with pytest.raises(TypeError):
            records + 1

    def test_equality(self, records):
        assert records == Records({name: records[name] for name in records.columns})
        assert records != records[::-1]
        assert records != records[:3]
        assert records != Records(parse=Forest(TEXTS))
        assert Records(a=["x"]) != Records(a=[("x",)])
        assert Records(a=[[1.0]]) != Records(a=sparse.csr_matrix([[1.0]]))
        assert Records(a=[[1.0]]) != Records(b=[[1.0]])
        assert Records(a=[[1.0]]) != [[1.0]]

    @pytest.mark.parametrize("duplicate", [copy.copy, copy.deepcopy, lambda r: pickle.loads(pickle.dumps(r))])
    def test_copies(self, records, duplicate):
        again = duplicate(records)
        assert isinstance(again, Records)
        assert again == records
        assert len(again) == 4
