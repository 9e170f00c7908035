"""Kernels in words: the grammar, what `repr` prints, and where an expression is wrong."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.base import clone

from hedgerow import Forest, Records
from hedgerow.kernels import (
    RBF,
    Fragments,
    Linear,
    Mismatch,
    Normalized,
    PartialTree,
    Polynomial,
    Product,
    Sigmoid,
    Spectrum,
    SubPath,
    Subsequence,
    SubsetTree,
    SubTree,
    Sum,
    Weighted,
    parse_kernel,
)
from hedgerow.kernels.expressions import split_kernels

decays = st.floats(0.01, 1.0)
leaves = st.one_of(
    st.builds(SubsetTree, decays, st.booleans()),
    st.builds(SubTree, decays),
    st.builds(SubPath, decays.map(np.float64)),
    st.builds(PartialTree, decays, decays, max_length=st.none() | st.integers(1, 9)),
    st.builds(Fragments, st.integers(1, 9), siblings=st.booleans()),
    st.builds(Linear),
    st.builds(Polynomial, st.integers(1, 5)),
    st.builds(RBF, st.floats(1e-5, 1e5)),
    st.builds(Sigmoid, offset=st.floats(-10.0, 10.0, allow_subnormal=False)),
    st.builds(Spectrum),
    st.builds(Subsequence, decay=decays),
    st.builds(Mismatch),
)
kernels = st.recursive(
    leaves,
    lambda parts: st.one_of(
        st.builds(Normalized, parts),
        st.builds(Sum, parts, parts),
        st.builds(Product, parts, parts),
        st.builds(Weighted, parts, st.floats(1e-10, 1e10)),
        st.builds(lambda kernel, column: kernel.on(column), parts, st.text(max_size=5)),
    ),
    max_leaves=6,
)


def structure(kernel):
    """All that a kernel is: classes and parameters, all the way down."""
    own = kernel.get_params(deep=False)
    return type(kernel), {
        name: structure(value) if hasattr(value, "get_params") else value for name, value in own.items()
    }


@given(kernels)
def test_what_repr_prints_is_the_kernel_for_the_parser_and_for_python(kernel):
    import hedgerow.kernels

    assert structure(parse_kernel(repr(kernel))) == structure(kernel)
    assert structure(eval(repr(kernel), vars(hedgerow.kernels))) == structure(kernel)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("sst", "Normalized(SubsetTree())"),
        ("sst + 0.5 * linear", "Normalized(SubsetTree()) + 0.5 * Linear()"),
        ("pt * rbf(gamma=0.1) on column", "Normalized(PartialTree()) * RBF(gamma=0.1).on('column')"),
        ("(sst + pt) on tree_1", "(Normalized(SubsetTree()) + Normalized(PartialTree())).on('tree_1')"),
        ("normalized(sst(decay=0.1))", "Normalized(SubsetTree(decay=0.1))"),
        ("normalized(rbf + linear)", "Normalized(RBF() + Linear())"),
        ("sst-bow", "Normalized(SubsetTree(bag_of_words=True))"),
        ("upt(max-length=3)", "Normalized(PartialTree(lexical=False, max_length=3))"),
        ("SubsetTree() on 'my trees'", "SubsetTree().on('my trees')"),
        ("2 * 3 * rbf(2)", "6.0 * RBF(gamma=2)"),
        ("sigmoid(offset=-1.5)", "Sigmoid(offset=-1.5)"),
        ("pt(max_length=none, lexical=false)", "Normalized(PartialTree(lexical=False))"),
        # as scikit-learn prints kernels inside estimators
        ("Sum(left=Linear(), right=OnColumn(column='x', kernel=RBF()))", "Linear() + RBF().on('x')"),
        ("linear + rbf + linear * rbf", "Linear() + RBF() + Linear() * RBF()"),
        ("linear + (rbf + linear)", "Linear() + (RBF() + Linear())"),
    ],
)
def test_expressions(text, expected):
    assert repr(parse_kernel(text)) == expected


def test_normalisation_is_that_of_the_command_line():
    text = "sst + linear + SubsetTree()"
    assert repr(parse_kernel(text)) == "Normalized(SubsetTree()) + Linear() + SubsetTree()"
    assert repr(parse_kernel(text, normalize=False)) == "SubsetTree() + Linear() + SubsetTree()"
    assert repr(parse_kernel(text, True)) == "Normalized(SubsetTree()) + Normalized(Linear()) + SubsetTree()"


def test_values():
    X = Records(tree=Forest(["(S (NP a))", "(S (VP b))"]), column=np.array([[1.0, 0.0], [2.0, 1.0]]))
    kernel = parse_kernel("sst + 0.5 * linear on column")
    expected = Normalized(SubsetTree())(X["tree"]) + 0.5 * Linear()(X["column"])
    np.testing.assert_allclose(kernel(X), expected)
    np.testing.assert_allclose(clone(kernel)(X), expected)


@pytest.mark.parametrize(
    ("text", "column", "message"),
    [
        ("sst + liner", 7, "'liner' is not a kernel; did you mean linear? accepted are sst, st, sst-bow,"),
        ("sst(decya=0.1)", 5, "sst does not take 'decya' here; its parameters are decay, bag_of_words"),
        ("sst-bow(bag_of_words=False)", 9, "its parameters are decay"),
        ("linear(3)", 8, "linear does not take '3' here; it has no parameters"),
        ("sst(decay=0.1, decay=0.2)", 16, "does not take 'decay' here"),
        ("linear + sst(decay=2)", 10, "decay must be a number above 0 and at most 1, got 2"),
        ("sst + 0.5", 7, "a number is the weight of a kernel"),
        ("0.5 + sst", 1, "a number is the weight of a kernel"),
        ("3", 1, "a number is the weight of a kernel"),
        ("0.5 on a", 1, "a number is the weight of a kernel"),
        ("-1 * sst", 1, "weight must be a number above 0, got -1.0"),
        ("sst +", 6, "expected a kernel or a number, got 'the end'"),
        ("", 1, "expected a kernel or a number"),
        ("sst linear", 5, r"expected \+, \*, on or the end, got 'linear'"),
        ("(sst", 5, r"expected '\)', got 'the end'"),
        ("sst on", 7, "expected the name of a column, got 'the end'"),
        ("sst.off('a')", 5, "expected 'on', got 'off'"),
        ("normalized", 1, "kernel"),
        ("normalized(0.5)", 1, "kernel must be a hedgerow kernel, got 0.5"),
        ("sst § linear", 5, "got '§'"),
        (r"linear on '\x'", 11, "truncated"),
    ],
)
def test_errors_say_where_and_what_is_accepted(text, column, message):
    with pytest.raises(ValueError, match=f"column {column}: .*{message.replace('?', '[?]')}"):
        parse_kernel(text)


def test_nesting_too_deep_is_an_error():
    with pytest.raises(ValueError, match="nested too deeply"):
        parse_kernel("(" * 100_000)


def test_expressions_between_commas():
    assert split_kernels("sst, pt(decay=0.1, lexical=True) + linear,rbf") == [
        "sst",
        "pt(decay=0.1, lexical=True) + linear",
        "rbf",
    ]
