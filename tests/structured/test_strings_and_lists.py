"""String mapping and reranking as problems: losses, errors, copies."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy import sparse
from sklearn.base import clone

from hedgerow.data import CandidateLists
from hedgerow.kernels import Normalized, Spectrum, Subsequence, SubsetTree
from hedgerow.structured import Reranking, StringMapping

X, Y = ["abab", "babb", "aabb", "bb"], ["xy", "yy", "xx", "yy"]


class TestStringLosses:
    def test_are_what_the_kernel_leaves_of_one(self):
        problem = StringMapping(output_kernel=Spectrum(k=1))
        L = Normalized(Spectrum(k=1))(["xy", "xxx", "z"])
        assert problem.compute_loss("xy", "xxx") == pytest.approx(1 - L[0, 1])
        assert_allclose(problem.compute_losses(["xy", "z"], ["z", "z"]), [1, 0])
        assert problem.mean_loss(["xy", "z"], ["z", "z"]) == pytest.approx(0.5)

    def test_strings_without_features(self):
        problem = StringMapping(output_kernel=Subsequence(length=3))
        assert problem.compute_losses(["ab", "ab"], ["ab", "abc"]).tolist() == [0, 1]

    def test_others(self):
        assert StringMapping(loss="edit").compute_loss("kitten", "sitting") == 3
        assert StringMapping(loss="zero-one").compute_losses("ab", "aa").tolist() == [0, 1]
        assert StringMapping(loss=lambda a, b: len(a)).compute_losses(["xx", "x"], ["yy", "x"]).tolist() == [
            2,
            0,
        ]

    def test_differing_lengths(self):
        with pytest.raises(ValueError, match="there are 2 true outputs, but 1 others"):
            StringMapping().compute_losses(["a", "b"], ["a"])


class TestStringMapping:
    def test_each_output_is_a_candidate_once(self):
        problem = StringMapping(Spectrum(k=1), Spectrum(k=1))
        problem._bind(X, Y, True)
        assert problem.outputs_ == ["xy", "yy", "xx"]

    def test_features_of_outputs_multiply_to_the_kernel(self):
        problem = StringMapping(Spectrum(k=1), Spectrum(k=1))
        problem._bind(X, Y, True)
        features = problem.factor_.features
        assert_allclose(features @ features.T, Spectrum(k=1)(["xy", "yy", "xx"]), atol=1e-12)
        new = problem.factor_.features_of(Spectrum(k=1)(["yxz"], problem.outputs_))
        assert_allclose(new @ features.T, Spectrum(k=1)(["yxz"], problem.outputs_), atol=1e-12)

    def test_token_lists(self):
        problem = StringMapping(Spectrum(k=1), Spectrum(k=1), loss="edit")
        oracle = problem._bind([["le", "chat"], ["un", "chat"]], [["the", "cat"], ["a", "cat"]], True).oracle
        assert oracle.find(0, np.zeros(oracle.n_features), "margin")[2] == 1  # one word differs
        weights = np.random.RandomState(0).normal(size=oracle.n_features)
        assert problem._decode([["le", "chat"]], weights, 1)[0] in (["the", "cat"], ["a", "cat"])

    def test_losses_of_proposed_strings_count_against_the_true_one(self):
        problem = StringMapping(
            Spectrum(k=1), Spectrum(k=1), candidates=lambda x: ["xyzz", "xy"], loss="edit"
        )
        oracle = problem._bind(["ab"], ["x"], True).oracle
        assert oracle.find(0, np.zeros(oracle.n_features), "margin")[2] == 3
        assert problem.outputs_ == ["x", "xyzz", "xy"]

    @pytest.mark.parametrize(
        ("parameters", "error", "message"),
        [
            ({"input_kernel": "sst"}, TypeError, "input_kernel must be a hedgerow kernel"),
            ({"output_kernel": Spectrum(k=0)}, ValueError, "k must be a whole number at least 1"),
            ({"candidates": ["a"]}, TypeError, "candidates must be a function of an input or None"),
            ({"candidates": lambda x: []}, ValueError, "candidates has no output for input 0: 'abab'"),
            ({"loss": "tree"}, ValueError, "loss must be one of 'kernel', 'edit', 'zero-one' or a callable"),
            (
                {"loss": lambda a, b: -1, "output_kernel": Spectrum(k=1)},
                ValueError,
                "is -1.0 for 'yy' in place of 'xy'",
            ),
            ({"output_kernel": Spectrum(k=9)}, ValueError, "the kernel between outputs must not be zero"),
        ],
    )
    def test_errors(self, parameters, error, message):
        with pytest.raises(error, match=message):
            StringMapping(**parameters)._bind(X, Y, True)

    def test_pieces(self):
        problem = StringMapping()
        with pytest.raises(ValueError, match="cannot continue with other examples"):
            problem._bind(X, Y, False)
        with pytest.raises(ValueError, match="there are 4 inputs, but 2 outputs"):
            problem._bind(X, Y[:2], True)

    @pytest.mark.parametrize("proposed", [None, lambda x: ["xxy", "yx"]])
    def test_copies(self, proposed):
        problem = StringMapping(Normalized(Spectrum(k=2)), Spectrum(k=1), candidates=proposed)
        oracle = problem._bind(X, Y, True).oracle
        weights = np.random.RandomState(1).normal(size=oracle.n_features)
        twin = clone(problem)
        twin._from_state(*problem._to_state())
        copies = [twin] if proposed else [twin, pickle.loads(pickle.dumps(problem))]
        for copy in copies:
            assert copy._decode(X, weights, 1) == problem._decode(X, weights, 1)
            assert copy.outputs_ == problem.outputs_


def lists(**changes):
    columns = {"features": np.arange(10.0).reshape(5, 2) % 3, "grades": [0, 1, 0.5, 0.8, 0.8], **changes}
    return CandidateLists([2, 3], **columns)


class TestReranking:
    def test_losses_are_what_grades_lack(self):
        oracle = Reranking()._bind(lists(), None, True).oracle
        assert oracle.find(0, np.zeros(2), "margin")[2] == 1
        assert oracle.find(1, np.zeros(2), "margin")[2] == pytest.approx(0.3)

    def test_other_candidates_may_be_called_true(self):
        oracle = Reranking()._bind(lists(), [0, 2], True).oracle
        # Better ones cost nothing.
        assert oracle.find(0, np.zeros(2), "best_wrong")[2] == 0
        assert oracle.find(1, np.zeros(2), "margin")[2] == pytest.approx(0.3)

    def test_features_may_grow(self):
        problem = Reranking()
        problem._bind(lists(), None, True)
        wider = lists(features=sparse.csr_array(np.eye(5)))
        assert problem._bind(wider, None, False).oracle.n_features == 5
        assert problem._bind(lists(), None, False).oracle.n_features == 5
        assert problem.scores(wider, np.ones(2)).tolist() == [1, 1, 0, 0, 0]

    def test_accuracy(self):
        assert Reranking().accuracy([0, 2, 1], np.array([0, 1, 1])) == pytest.approx(2 / 3)

    @pytest.mark.parametrize(
        ("problem", "given", "truths", "error", "message"),
        [
            (Reranking(), [[1.0]], None, TypeError, "Reranking takes CandidateLists, got a list"),
            (Reranking(), lists()[:0], None, ValueError, "there are no lists"),
            (Reranking(), lists(grades=None), [0, 0], ValueError, "no grades, which loss='grade' needs"),
            (Reranking(loss="zero-one"), lists(grades=None), None, ValueError, "the lists have no grades"),
            (Reranking(), lists(features=None), None, ValueError, "the lists have no features"),
            (Reranking(kernel=SubsetTree()), lists(), None, ValueError, "the lists have no trees"),
            (Reranking(loss="f1"), lists(), None, ValueError, "loss must be one of 'grade', 'zero-one'"),
            (Reranking(), lists(), [0], ValueError, "outputs must be 2 whole numbers"),
            (Reranking(), lists(), [0.0, 1.0], ValueError, "outputs must be 2 whole numbers"),
            (
                Reranking(),
                lists(),
                [0, 3],
                ValueError,
                "list 1 has 3 candidates, but its true one is number 3",
            ),
        ],
    )
    def test_errors(self, problem, given, truths, error, message):
        with pytest.raises(error, match=message):
            problem._bind(given, truths, True)

    def test_kernels_take_all_at_once(self):
        problem = Reranking(kernel=SubsetTree())
        given = lists(trees=["(A a)", "(B b)", "(A a)", "(C c)", "(B b)"])
        problem._bind(given, None, True)
        with pytest.raises(ValueError, match="cannot continue with other examples"):
            problem._bind(given, None, False)

    @pytest.mark.parametrize("kernel", [None, Normalized(SubsetTree())])
    def test_copies(self, kernel):
        given = lists(trees=["(S (A a))", "(S (B b))", "(S (A a) (B b))", "(S (C c))", "(S (A a) (A a))"])
        problem = Reranking(kernel=kernel)
        oracle = problem._bind(given, None, True).oracle
        weights = np.random.RandomState(2).normal(size=oracle.n_features)
        twin = Reranking(kernel=kernel)
        twin._from_state(*problem._to_state())
        for copy in (twin, pickle.loads(pickle.dumps(problem))):
            assert_array_equal(copy.scores(given, weights), problem.scores(given, weights))
