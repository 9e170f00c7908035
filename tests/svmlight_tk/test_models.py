"""Model files of SVM-light-TK: what other programs wrote, round trips, votes, and files that are not right."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

from hedgerow import Forest, FormatError, Records
from hedgerow.kernels import RBF, Linear, Normalized, PartialTree, Polynomial, Sigmoid, SubsetTree, SubTree
from hedgerow.svmlight_tk import (
    SvmlightTkModel,
    SvmlightTkParameters,
    kernel_for,
    read_svmlight_tk_model,
    write_svmlight_tk_model,
)

# As the program prints it: two blanks behind the coefficient, blanks before line ends, every leaf in brackets.
VERSION_15 = """SVM-light Version V5.01-TK-1.5
5 # kernel type
3 # kernel parameter -d 
1 # kernel parameter -g 
1 # kernel parameter -s 
1 # kernel parameter -r 
empty# kernel parameter -u 
0.40000001 # kernel parameter -L 
0.5 # kernel parameter -T 
+ # kernel parameter -C 
3 # kernel parameter -F 
0 # kernel parameter -S 
0.400000 # kernel parameter -M 
1 # kernel parameter -N 
S # kernel parameter -V 
S # kernel parameter -W 
0 # kernel parameter -U 
7 # highest feature index 
12 # number of training documents 
4 # number of support vectors plus 1 
-0.25 # threshold b, each following line is a SV (starting with alpha*y)
0.5000000000000001  |BT| (S (NP (Mary))(VP (sings))) |BT| (N (dog)) |ET| 1:2 5:0.5  |BV| 2:1  |EV| 
-1  |BT| (S (NP (John))) |ET| 3:1  |EV| 
0.125  |BT| (N (cat)) |BT| (N (cat)) |ET| 
"""  # noqa: W291


def write(tmp_path, text):
    path = tmp_path / "old.model"
    path.write_text(text)
    return path


def complaint(tmp_path, text):
    path = write(tmp_path, text)
    with pytest.raises(FormatError) as caught:
        read_svmlight_tk_model(path)
    assert str(caught.value).startswith(str(path))
    return str(caught.value).removeprefix(str(path)).lstrip(", ")


class TestReading:
    def test_version_15(self, tmp_path):
        model = read_svmlight_tk_model(write(tmp_path, VERSION_15))
        assert model.version == "V5.01-TK-1.5"
        assert model.parameters == SvmlightTkParameters(
            kernel_type=5,
            decay=0.40000001,
            tree_weight=0.5,
            combination="+",
            tree_kernel=3,
            vector_kernel=0,
            normalization=1,
        )
        assert model.coefficients.tolist() == [0.5000000000000001, -1, 0.125]
        assert (model.threshold, model.n_documents, model.highest_feature) == (-0.25, 12, 7)
        assert model.votes is None
        assert model.supports.columns == ("tree", "tree_2", "vector", "vector_2")
        assert model.supports["tree"].to_brackets() == [
            "(S (NP Mary) (VP sings))",
            "(S (NP John))",
            "(N cat)",
        ]
        assert model.supports["tree_2"].to_brackets() == ["(N dog)", "", "(N cat)"]
        assert model.supports["vector"].toarray().tolist() == [
            [2, 0, 0, 0, 0.5, 0, 0],
            [0, 0, 1, 0, 0, 0, 0],
            [0] * 7,
        ]

    @pytest.mark.parametrize(("method", "kernel"), [("0.000000", 0), ("1.000000", 1)])
    def test_version_12(self, tmp_path, method, kernel):
        text = VERSION_15.replace("TK-1.5", "TK-1.2").replace("0 # kernel parameter -U \n", "")
        text = text.replace("3 # kernel parameter -F", "1 # kernel parameter -F")
        text = text.replace("0.400000 # kernel parameter -M", f"{method} # kernel parameter -D")
        model = read_svmlight_tk_model(write(tmp_path, text))
        assert model.version == "V5.01-TK-1.2"
        assert model.parameters.tree_kernel == kernel
        assert model.parameters.vertical_decay == 0.4

    def test_svm_light_itself(self, tmp_path):
        lines = VERSION_15.splitlines(keepends=True)
        header = [*lines[:7], *lines[17:19], "2 # number of support vectors plus 1\n", lines[20]]
        text = "".join(header).replace("5 # kernel type", "0 # kernel type").replace("V5.01-TK-1.5", "V6.02")
        model = read_svmlight_tk_model(write(tmp_path, text + "1 1:1.5 4:-0.25 #\n"))
        assert model.version == "V6.02"
        assert model.supports.toarray().tolist() == [[1.5, 0, 0, -0.25, 0, 0, 0]]

    def test_a_model_without_supports(self, tmp_path):
        text = "\n".join(VERSION_15.splitlines()[:21]).replace("4 # number of s", "1 # number of s")
        model = read_svmlight_tk_model(write(tmp_path, text))
        assert len(model.coefficients) == 0

    def test_spaces_in_leaves(self, tmp_path):
        path = write(tmp_path, VERSION_15.replace("(N (dog))", "(N guide dog)"))
        assert read_svmlight_tk_model(path).supports["tree_2"].tree_sizes().tolist() == [3, 0, 2]
        model = read_svmlight_tk_model(path, spaces_in_leaves=True)
        assert model.supports["tree_2"].tree_sizes().tolist() == [2, 0, 2]


class TestBadFiles:
    def test_foreign(self, tmp_path):
        assert "line 1: not a model of SVM-light-TK" in complaint(tmp_path, "hello\n")
        assert "line 1: not a model of SVM-light-TK" in complaint(tmp_path, "")

    @pytest.mark.parametrize(("lines", "where"), [(5, 5), (20, 20), (22, 22), (23, 23)])
    def test_cut_short(self, tmp_path, lines, where):
        text = "\n".join(VERSION_15.splitlines()[:lines])
        assert complaint(tmp_path, text).startswith(f"line {where}: the file is cut short")

    def test_a_blank_support(self, tmp_path):
        lines = VERSION_15.splitlines()
        assert "2 of 3 support vectors" in complaint(tmp_path, "\n".join([*lines[:22], "", *lines[23:]]))

    def test_values(self, tmp_path):
        assert complaint(tmp_path, VERSION_15.replace("+ # k", "x # k")) == (
            "line 10: -C must be one of +, *, T, V, got 'x'"
        )
        assert complaint(
            tmp_path, VERSION_15.replace("3 # kernel parameter -d", "2.5 # kernel parameter -d")
        ) == ("line 3: -d must be a whole number, got '2.5'")
        assert complaint(tmp_path, VERSION_15.replace("-0.25 #", "nan #")) == (
            "line 21: threshold b, each following line is a SV (starting with alpha*y) must be a number, got 'nan'"
        )
        assert "line 9: unknown parameter -X" in complaint(tmp_path, VERSION_15.replace("-T ", "-X "))
        assert "line 3: expected 'value # comment'" in complaint(
            tmp_path, VERSION_15.replace(" # kernel parameter -d", "")
        )

    def test_supports(self, tmp_path):
        assert complaint(tmp_path, VERSION_15.replace("(S (NP (John)))", "(S (NP (John))")).startswith(
            "line 23"
        )
        assert complaint(tmp_path, VERSION_15.replace("\n-1  |", "\none  |")).startswith("line 23")
        assert complaint(tmp_path, VERSION_15.replace("\n-1  |", "\ninf  |")).startswith("line 23")

    def test_votes(self, tmp_path):
        assert "line 26: 2 votes for 3" in complaint(tmp_path, VERSION_15 + "averaged # votes\n1 2")
        assert "line 26: expected a number of votes" in complaint(tmp_path, VERSION_15 + "1 2\nx\n")


NUMBERS = st.floats(allow_nan=False, allow_infinity=False)


@st.composite
def models(draw):
    n = draw(st.integers(1, 4))
    trees = Forest(draw(st.lists(st.sampled_from(["(S a)", "(S (N b) c)"]), min_size=n, max_size=n)))
    rows = draw(st.lists(st.lists(NUMBERS, min_size=3, max_size=3), min_size=n, max_size=n))
    matrix = sparse.csr_matrix(np.array(rows))
    supports = draw(st.sampled_from([trees, matrix, Records(tree=trees, vector=matrix)]))
    parameters = SvmlightTkParameters(
        kernel_type=draw(st.sampled_from([0, 1, 2, 3, 5])),
        degree=draw(st.integers(1, 9)),
        gamma=draw(NUMBERS),
        scale=draw(NUMBERS),
        offset=draw(NUMBERS),
        decay=draw(NUMBERS),
        combination=draw(st.sampled_from("TV+*")),
        tree_pairing=draw(st.sampled_from("SA")),
    )
    votes = draw(st.none() | st.lists(st.integers(0, 2**40), min_size=n, max_size=n))
    return SvmlightTkModel(
        parameters,
        supports,
        draw(st.lists(NUMBERS, min_size=n, max_size=n)),
        threshold=draw(NUMBERS),
        votes=None if votes is None else np.array(votes),
        voting=draw(st.sampled_from(["averaged", "voted"])) if votes is not None else "averaged",
        n_documents=draw(st.integers(0, 10**9)),
        highest_feature=3,
    )


@given(models())
def test_round_trip(tmp_path_factory, model):
    path = tmp_path_factory.mktemp("models") / "a.model"
    write_svmlight_tk_model(path, model)
    again = read_svmlight_tk_model(path)
    assert again.parameters == model.parameters
    assert again.coefficients.tolist() == model.coefficients.tolist()
    for name in ("threshold", "voting", "n_documents", "highest_feature", "version"):
        assert getattr(again, name) == getattr(model, name)
    assert (again.votes is None) == (model.votes is None)
    if model.votes is not None:
        assert again.votes.tolist() == model.votes.tolist()
    assert type(again.supports) is type(model.supports)
    if isinstance(model.supports, sparse.csr_matrix):
        assert np.array_equal(again.supports.toarray(), model.supports.toarray())
    else:
        assert again.supports == model.supports


def test_gzip_and_the_original_after_a_round_trip(tmp_path):
    model = read_svmlight_tk_model(write(tmp_path, VERSION_15))
    write_svmlight_tk_model(tmp_path / "a.gz", model)
    again = read_svmlight_tk_model(tmp_path / "a.gz")
    assert (tmp_path / "a.gz").read_bytes()[:2] == b"\x1f\x8b"
    assert again.supports == model.supports
    assert again.coefficients.tolist() == model.coefficients.tolist()


def test_votes_as_the_thesis_appends_them(tmp_path):
    """A bare list of integers; the averaged predictor is the explicit average of all predictors."""
    model = read_svmlight_tk_model(write(tmp_path, VERSION_15 + "4 1 5\n"))
    assert (model.voting, model.votes.tolist()) == ("averaged", [4, 1, 5])
    predictors = np.tril(np.ones((3, 3))) * model.coefficients  # row k: the first k + 1 supports
    np.testing.assert_allclose(model.expansion_coefficients(), [4, 1, 5] @ predictors / 10, rtol=1e-15)


def test_a_voted_model_is_no_expansion():
    model = SvmlightTkModel(SvmlightTkParameters(), Forest(["(S a)"]), [1.0], votes=[2], voting="voted")
    with pytest.raises(ValueError, match="signs of many sums"):
        model.expansion_coefficients()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"coefficients": [1.0, 2.0]}, "coefficients must hold one number for each of the 1 supports"),
        ({"coefficients": [np.nan]}, "must be finite"),
        ({"votes": [-1]}, "votes must be at least 0"),
        ({"votes": [1], "voting": "both"}, "voting must be"),
    ],
)
def test_models_are_checked(change, message):
    with pytest.raises(ValueError, match=message):
        SvmlightTkModel(SvmlightTkParameters(), Forest(["(S a)"]), **{"coefficients": [1.0], **change})


# -- kernels -------------------------------------------------------------------------------------------------

T = Forest(["(S (NP (D a) (N dog)) (VP barks))", "(S (NP (N Mary)) (VP sings))", "(NP (D a) (N dog))"])
U = Forest.concatenate([Forest(["(N dog)"]), Forest.from_postorder([], [], [0]), Forest(["(N dog)"])])
V = sparse.csr_matrix([[1.0, 0, 2], [0, 0, 0], [0.5, 3, 0]])
W = sparse.csr_matrix([[0.0, 1], [1, 1], [0, 0]])
ALL = Records(tree=T, tree_2=U, vector=V, vector_2=W)
COLUMNS = ALL.columns


def flags(**given):
    return SvmlightTkParameters.from_flags({"t": "5", **{letter: str(v) for letter, v in given.items()}})


def test_one_column():
    assert np.array_equal(kernel_for(flags(), ["tree"])(T), Normalized(SubsetTree())(T))
    for F, expected in [
        (0, SubTree(0.3)),
        (1, SubsetTree(0.3)),
        (2, SubsetTree(0.3, bag_of_words=True)),
        (3, PartialTree(0.3, 0.2, max_length=5)),
        (4, PartialTree(0.3, 0.2, lexical=False, max_length=5)),
    ]:
        assert np.array_equal(kernel_for(flags(F=F, L=0.3, M=0.2, N=0))(T), expected(T))
    for t, expected in [
        (0, Linear()),
        (1, Polynomial(2, 0.5, 3)),
        (2, RBF(0.7)),
        (3, Sigmoid(0.5, 3)),
    ]:
        of_vectors = {"d": 2, "s": 0.5, "r": 3, "g": 0.7}
        assert np.array_equal(kernel_for(flags(t=t, **of_vectors), ["vector"])(V), expected(V))
        assert np.array_equal(kernel_for(flags(t=t, **of_vectors), COLUMNS)(ALL), expected(V))
        assert np.array_equal(kernel_for(flags(C="V", S=t, N=0, **of_vectors), ["vector"])(V), expected(V))


def unit(kernel, X):
    K = kernel(X)
    norms = np.sqrt(np.diag(K))
    norms[norms == 0] = 1  # a zero norm counts as 1
    return K / np.outer(norms, norms)


def test_sums_and_products_over_columns():
    trees = unit(SubsetTree(), T) + unit(SubsetTree(), U)
    vectors = unit(Polynomial(), V) + unit(Polynomial(), W)
    np.testing.assert_allclose(kernel_for(flags(), COLUMNS)(ALL), trees, rtol=1e-12)
    np.testing.assert_allclose(kernel_for(flags(C="V"), COLUMNS)(ALL), vectors, rtol=1e-12)
    np.testing.assert_allclose(
        kernel_for(flags(C="+", T=0.3), COLUMNS)(ALL), vectors + 0.3 * trees, rtol=1e-12
    )
    np.testing.assert_allclose(kernel_for(flags(C="+", T=0), COLUMNS)(ALL), vectors, rtol=1e-12)
    np.testing.assert_allclose(kernel_for(flags(C="*", T=0.3), COLUMNS)(ALL), vectors * trees, rtol=1e-12)
    raw = SubsetTree()(T) + SubsetTree()(U)
    np.testing.assert_allclose(kernel_for(flags(N=2), COLUMNS)(ALL), raw, rtol=1e-12)
    np.testing.assert_allclose(
        kernel_for(flags(N=1, C="V", S=0), COLUMNS)(ALL), Linear()(V) + Linear()(W), rtol=1e-12
    )


def test_all_pairs_of_one_tree_are_that_pair():
    assert np.array_equal(kernel_for(flags(W="A"))(T), kernel_for(flags())(T))


@pytest.mark.parametrize(
    ("given", "columns", "message"),
    [
        ({"t": 4}, ["vector"], "-t 4 is a kernel of the user's own"),
        ({"t": 12}, ["tree"], "re-rank pairs"),
        ({"t": 6}, ["vector"], "-t must be 0 to 3, or 5, got 6"),
        ({"S": 4, "C": "V"}, ["vector"], "-S 4 is a kernel of the user's own"),
        ({"S": 5, "C": "V"}, ["vector"], "-S must be 0 to 3, got 5"),
        ({"F": 7}, ["tree"], "-F must be 0 "),
        ({"N": 4}, ["tree"], "-N must be"),
        ({"U": 1}, ["tree"], "-U reads weights"),
        ({"W": "A"}, ["tree", "tree_2"], "-W A compares all pairs of trees"),
        ({"V": "A", "C": "+"}, ["tree", "vector", "vector_2"], "-V A compares all pairs of vectors"),
        ({}, ["vector"], "-C T needs trees"),
        ({"C": "+"}, ["tree"], r"-C \+ needs vectors"),
        ({"t": 0}, ["tree"], "-t 0 needs vectors"),
    ],
)
def test_what_is_refused(given, columns, message):
    with pytest.raises(ValueError, match=message):
        kernel_for(flags(**given), columns)
