"""Forms of tokens and labels, and what is wrong with them."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy import sparse
from sklearn.base import clone

from hedgerow import _core
from hedgerow.kernels import RBF, Linear, Polynomial
from hedgerow.structured import LabelSequence
from hedgerow.structured.sequence.tokens import TokenReader
from tests.structured.slow_sequences import SlowSequences

WORDS = [["the", "cat"], [], ["the", "dog", "runs"]]
TAGS = [["D", "N"], [], ["D", "N", "V"]]


def rows(reader, X, grow=True):
    """Every token as a dict from names (or columns) to values."""
    tokens = reader.read(X, grow)
    names = reader.new_names(0)
    value = np.ones(len(tokens.feature)) if tokens.value is None else tokens.value
    cut = [
        {
            (names[f] if names else f): v
            for f, v in zip(tokens.feature[i:j].tolist(), value[i:j].tolist(), strict=True)
        }
        for i, j in zip(tokens.row_begin[:-1], tokens.row_begin[1:], strict=True)
    ]
    return [cut[i:j] for i, j in zip(tokens.sequence_begin[:-1], tokens.sequence_begin[1:], strict=True)]


def new_reader(window=0):
    return TokenReader(None, window)


class TestForms:
    def test_strings_and_lists_of_strings(self):
        expected = [[{"the": 1.0}, {"cat": 1.0}], [], [{"the": 1.0}, {"dog": 1.0}, {"runs": 1.0}]]
        assert rows(new_reader(), WORDS) == expected
        assert rows(new_reader(), [[[word] for word in x] for x in WORDS]) == expected
        assert rows(new_reader(), [[(word,) for word in x] for x in WORDS]) == expected
        assert rows(new_reader(), [[{word} for word in x] for x in WORDS]) == expected
        assert rows(new_reader(), tuple(tuple(x) for x in WORDS)) == expected
        assert rows(new_reader(), [["a", ["b", "c"], []]]) == [[{"a": 1.0}, {"b": 1.0, "c": 1.0}, {}]]

    def test_dicts(self):
        token = {"word": "cat", "length": 3, "upper": False, "first": True, "share": 0.5, "none": 0}
        assert rows(new_reader(), [[token]]) == [
            [{"word=cat": 1.0, "length": 3.0, "first": 1.0, "share": 0.5}]
        ]
        numpys = {"a": np.float32(2), "b": np.int64(3), "c": np.bool_(True)}
        assert rows(new_reader(), [[numpys]]) == [[{"a": 2.0, "b": 3.0, "c": 1.0}]]

    def test_any_string_is_a_feature(self):
        for name in ("", "ünïcode", "\ud800", "a\0b", "日本"):
            reader = new_reader()
            assert rows(reader, [[name]]) == [[{name: 1.0}]]
            assert reader.read([[name]], False).feature.tolist() == [0]

    @pytest.mark.parametrize(
        "form", [np.array, sparse.csr_matrix, sparse.csr_array, sparse.coo_array, lambda x: x.tolist(), list]
    )
    def test_vectors(self, form):
        dense = [np.array([[0, 1, 0], [2, 0, -1.5]]), np.array([[0, 0, 0], [1, 1, 1]])]
        reader = new_reader()
        found = rows(reader, [form(x) for x in dense])
        assert found == [[{1: 1.0}, {0: 2.0, 2: -1.5}], [{}, {0: 1.0, 1: 1.0, 2: 1.0}]]
        assert reader.n_features == 3

    def test_vectors_among_empty_sequences(self):
        reader = new_reader()
        assert rows(reader, [[], np.zeros((0, 2)), sparse.csr_array((0, 2)), [[0, 1]]]) == [
            [],
            [],
            [],
            [{1: 1.0}],
        ]

    def test_unknown_features_are_left_out(self):
        reader = new_reader()
        rows(reader, WORDS)
        assert rows(reader, [["the", "fish"]], grow=False) == [[{"the": 1.0}, {}]]
        assert reader.n_features == 4
        assert rows(reader, [["fish"]]) == [[{"fish": 1.0}]]
        assert reader.n_features == 5

    def test_windows_of_names(self):
        reader = new_reader(window=1)
        tokens = reader.read([["a", "b"], ["c"]], True)
        assert reader.n_features == 9
        # (feature * 3 + offset + 1): a token has its left neighbour, itself, its right neighbour.
        assert tokens.feature.tolist() == [0 + 1, 3 + 2, 0 + 0, 3 + 1, 6 + 1]

    @pytest.mark.parametrize(
        ("X", "message"),
        [
            ("abc", "X must be a list of sequences, got str"),
            (3, "X must be a list of sequences, got int"),
            ([3], "a sequence must be a list of tokens, got 3"),
            (["abc"], "a sequence must be a list of tokens, got a string"),
            ([["a"], ["b", 3]], "token 1 of sequence 1 must be a string, a list of strings, or a dict"),
            ([["a"], ["b", ["c", 4]]], "token 1 of sequence 1 has a feature that is no string: 4"),
            ([[{1: 2}]], "token 0 of sequence 0 has a feature that is no string: 1"),
            ([[{"a": None}]], "feature 'a' with a value that is neither number, bool nor string: None"),
            ([[{"a": float("nan")}]], "feature 'a' with the value nan; values must be finite"),
            ([[[1.0, 2.0]], [[1.0]]], "tokens of sequence 1 have 1 features, but 2 are expected"),
            ([[[1.0, 2.0], [1.0]]], "tokens of sequence 0 must be rows of numbers of one length"),
            ([np.zeros(3)], "sequence 0 must be a matrix of tokens by features, got one of shape"),
            ([np.ones((1, 2)), [[1.0, np.inf]]], "token 0 of sequence 1 has a value that is not finite"),
        ],
    )
    def test_errors(self, X, message):
        with pytest.raises((TypeError, ValueError), match=message):
            new_reader().read(X, True)

    def test_forms_may_not_change(self):
        problem = LabelSequence(templates=None)
        problem._bind(WORDS, TAGS, True)
        with pytest.raises(TypeError, match="as in training, got vectors"):
            problem._decode([np.ones((1, 2))], np.zeros(30), 1)
        problem._bind([np.ones((1, 2))], [["a"]], True)
        with pytest.raises(TypeError, match="vectors as in training"):
            problem._decode([["a"]], np.zeros(30), 1)
        with pytest.raises(ValueError, match="have 3 features, but 2 are expected"):
            problem._decode([np.ones((1, 3))], np.zeros(30), 1)


class TestLabels:
    def test_labels_of_any_kind(self):
        for labels in (["x", "y"], [3, 1], [("a", 1), ("b", 2)], [True, False], [None, "x"], [1.5, "a"]):
            problem = LabelSequence(templates=None)
            problem._bind([["a", "b"]], [labels], True)
            weights = np.zeros(problem._n_weights())
            for feature, label in enumerate(labels):
                weights[problem.chain_.plain + 2 * feature + problem.numbers_.numbers[label]] = 1
            assert problem._decode([["a", "b", "a"]], weights, 1) == [[labels[0], labels[1], labels[0]]]

    def test_labels_in_arrays_and_strings(self):
        problem = LabelSequence()
        problem._bind([["a", "b"], ["c"]], [np.array(["x", "y"]), "y"], True)
        assert problem.classes_.tolist() == ["x", "y"]

    def test_given_labels(self):
        problem = LabelSequence(classes=["V", "N", "D", "P"])
        problem._bind(WORDS, TAGS, True)
        assert problem.classes_.tolist() == ["V", "N", "D", "P"]

    @pytest.mark.parametrize(
        ("parameters", "Y", "message"),
        [
            ({}, TAGS[:2], "there are 3 inputs, but 2 outputs"),
            ({}, [["D", "N"], ["N"], ["D", "N", "V"]], "sequence 1 has 0 tokens, but 1 labels"),
            ({}, [["D"], [], ["D", "N", "V"]], "sequence 0 has 2 tokens, but 1 labels"),
            ({}, [3, [], []], "the labels of a sequence must be a list, got 3"),
            ({"classes": ["D", "N"]}, TAGS, "token 2 of sequence 2 has the label 'V', which is not one of"),
            ({"classes": ["D", "D"]}, TAGS, "classes must be distinct"),
        ],
    )
    def test_errors(self, parameters, Y, message):
        with pytest.raises((ValueError, TypeError), match=message):
            LabelSequence(**parameters)._bind(WORDS, Y, True)

    def test_nothing_to_learn_from(self):
        with pytest.raises(ValueError, match="there are no labels: all sequences, or the classes"):
            LabelSequence()._bind([[], []], [[], []], True)
        with pytest.raises(ValueError, match="no examples"):
            LabelSequence()._bind([], [], True)

    def test_accuracy_counts_unknown_labels_as_errors(self):
        assert LabelSequence().accuracy([["a", "new"]], [["a", "b"]]) == 0.5


class TestParameters:
    @pytest.mark.parametrize(
        ("parameters", "message"),
        [
            ({"order": -1}, "order must be a whole number at least 0"),
            ({"window": 1.5}, "window must be a whole number"),
            ({"transition_scale": -1}, "transition_scale must be a number at least 0"),
            ({"boundaries": 1}, "boundaries must be True or False"),
            (
                {"loss": "f1"},
                "loss must be one of 'hamming', 'mean', 'zero-one', 'spans', 'span-f1', got 'f1'",
            ),
            ({"loss": np.zeros((2, 2))}, "a row and a column for each of the 3 classes"),
            (
                {"loss": {("D", "N"): -1}},
                "loss must be finite and at least 0, but is -1.0 for 'N' in place of 'D'",
            ),
            ({"kernel": "rbf"}, "kernel must be a hedgerow kernel or None"),
            ({"kernel": Linear(), "transition_features": "all"}, "transition_features need kernel=None"),
            ({"constraints": "bilou"}, "constraints must be None, 'bio', 'iobes', or pairs"),
            ({"constraints": [3]}, "constraints must be None, 'bio', 'iobes', or pairs"),
            ({"constraints": "bio"}, "got 'D'"),
            ({"transition_features": 3.5}, "transition_features must be"),
            ({"transition_features": [1]}, "transition_features must be"),
            ({"order": 8, "classes": [*"DNV", *range(30)]}, "too many labels for moves of this order"),
        ],
    )
    def test_errors_name_the_parameter(self, parameters, message):
        with pytest.raises((ValueError, TypeError), match=message):
            LabelSequence(**parameters)._bind(WORDS, TAGS, True)

    def test_columns_with_moves_must_be_there(self):
        with pytest.raises(ValueError, match="numbers of columns below 2, got \\[2\\]"):
            LabelSequence(transition_features=[2])._bind([np.ones((1, 2))], [["a"]], True)
        with pytest.raises(TypeError, match=r"numbers of columns, or 'all', got \['x'\]"):
            LabelSequence(transition_features=["x"])._bind([np.ones((1, 2))], [["a"]], True)

    def test_clone(self):
        problem = LabelSequence(order=2, kernel=RBF(), constraints="bio")
        problem._bind([["a"]], [["O"]], True)
        assert clone(problem).get_params(deep=False).keys() == problem.get_params(deep=False).keys()
        assert not hasattr(clone(problem), "classes_")


class TestConstraints:
    def allowed(self, constraints, labels):
        """Words of two labels that predictions may have, start and end with ^ and $."""
        problem = LabelSequence(constraints=constraints, classes=labels)
        problem._bind([["x"]], [["O"]], True)
        from hedgerow.structured.sequence.labels import allowed_moves

        matrix = allowed_moves(constraints, labels)
        return {
            (a, b)
            for i, a in enumerate([*labels, "^"])
            for j, b in enumerate([*labels, "$"])
            if matrix[i, j] and (a, b) != ("^", "$")
        }

    def test_bio(self):
        labels = ["O", "B-X", "I-X", "I-Y"]
        every = {(a, b) for a in [*labels, "^"] for b in [*labels, "$"]} - {("^", "$")}
        wrong = {
            (a, b) for a, b in every if b[0] == "I" and not (a in ("B-X", "I-X", "I-Y") and a[2:] == b[2:])
        }
        assert self.allowed("bio", labels) == every - wrong

    def test_iobes(self):
        labels = ["O", "B-X", "I-X", "E-X", "S-X"]
        inside = {(a, b) for a in ("B-X", "I-X") for b in ("I-X", "E-X")}
        outside = {(a, b) for a in ("O", "E-X", "S-X", "^") for b in ("O", "B-X", "S-X", "$")} - {("^", "$")}
        assert self.allowed("iobes", labels) == inside | outside

    def test_pairs_of_labels_that_are_not_there_do_not_matter(self):
        assert len(self.allowed([("O", "?"), (None, "O")], ["O", "B-X"])) == 7

    def test_no_labels_left(self):
        problem = LabelSequence(constraints=[(None, "D"), (None, "N"), (None, "V")])
        problem._bind(WORDS, TAGS, True)
        with pytest.raises(ValueError, match="the constraints allow no labels for sequence 1"):
            problem._decode([[], ["the"]], np.zeros(problem._n_weights()), 1)

    def test_true_labels_must_be_allowed_in_training(self):
        problem = LabelSequence(constraints=[("N", "V")], constrained_training=True)
        with pytest.raises(ValueError, match="sequence 2 have 'V' after 'N' at token 2"):
            problem._bind(WORDS, TAGS, True)


class TestFeaturesOfMoves:
    def weights(self, **parameters):
        problem = LabelSequence(bias=False, templates=None, **parameters)
        oracle = problem._bind(WORDS, TAGS, True).oracle
        assert oracle.n_features == problem._n_weights()
        return (oracle.n_features - 9 - 4 * 3) // 9

    def test_chosen_by_name(self):
        assert self.weights() == 0
        assert self.weights(transition_features="all") == 4
        assert self.weights(transition_features=["t"]) == 1
        assert self.weights(transition_features=["t", "d", "?"]) == 2
        assert self.weights(transition_features=lambda name: len(name) == 3) == 3

    def test_chosen_by_templates(self):
        problem = LabelSequence(templates=["word[0]", "B: suffix1[0]"])
        X = [[(word,) for word in x] for x in WORDS]
        problem._bind(X, TAGS, True)
        names = problem.feature_names()
        wide = [name for name, flag in zip(names, problem.moving_.wide, strict=True) if flag]
        assert sorted(wide) == ["B: suffix1[0]=e", "B: suffix1[0]=g", "B: suffix1[0]=s", "B: suffix1[0]=t"]

    def test_further_features_go_behind(self):
        problem = LabelSequence(templates=None, transition_features=["r"], boundaries=True, window=1)
        problem._bind(WORDS, TAGS, True)
        before = problem.moving_.places(np.arange(12, dtype=np.int32), problem.chain_.plain)[0]
        size = problem._n_weights()
        binding = problem._bind([["rats", "run"]], [["N", "V"]], False)
        after = problem.moving_.places(np.arange(18, dtype=np.int32), problem.chain_.plain)[0]
        assert_array_equal(after[:12], before)
        assert after[12] == size
        assert binding.oracle.n_features == problem._n_weights() == size + 2 * (3 * 3 + 9)

    def test_a_failure_leaves_nothing_undone(self):
        problem = LabelSequence(templates=None, transition_features=["r"])
        problem._bind(WORDS, TAGS, True)
        weights = np.random.RandomState(0).randn(problem._n_weights())
        before = problem._decode(WORDS, weights, 1)
        with pytest.raises(ValueError, match="has the label 'X'"):
            problem._bind([["rats"]], [["X"]], False)
        assert problem._n_weights() == len(weights)
        with pytest.raises(TypeError, match="token 1 of sequence 0"):
            problem._bind([["rats", 3]], [["N", "V"]], False)
        assert problem._decode(WORDS, weights, 1) == before
        assert problem._bind([["rats"]], [["N"]], False).oracle.n_features == len(weights) + 3 + 9


class TestKernels:
    @pytest.mark.parametrize("order", [0, 1, 2])
    def test_a_kernel_equals_its_features(self, order):
        """(x.z + 1)^2 has the features 1, sqrt(2) x_i, x_i^2 and sqrt(2) x_i x_j."""
        random = np.random.RandomState(order)
        X = [random.randint(0, 2, size=(n, 3)).astype(float) for n in (3, 0, 5, 4)]
        Y = [random.randint(0, 2, size=len(x)) for x in X]

        def explicit(x):
            pairs = [np.sqrt(2) * x[:, i] * x[:, j] for i, j in ((0, 1), (0, 2), (1, 2))]
            return np.column_stack([np.ones(len(x)), np.sqrt(2) * x, x**2, *pairs])

        kernelised = LabelSequence(kernel=Polynomial(degree=2), order=order, classes=[0, 1])
        plain = LabelSequence(order=order, classes=[0, 1])
        dual, primal = kernelised._bind(X, Y, True), plain._bind([explicit(x) for x in X], Y, True)
        assert not dual.space.is_plain
        distinct = len(np.unique(np.concatenate(X), axis=0))
        assert dual.oracle.n_features == kernelised.chain_.plain + 2 * distinct

        coordinates = np.zeros(dual.oracle.n_features)
        weights = np.zeros(primal.oracle.n_features)
        for number in (0, 2, 3, 0, 2):
            scores = dual.space.image(coordinates)
            for search in ("best", "best_wrong", "margin", "slack"):
                one = dual.oracle.find(number, scores, search)
                other = primal.oracle.find(number, weights, search)
                assert one[2:] == other[2:]
                assert_allclose(scores[one[0]] @ one[1], weights[other[0]] @ other[1], atol=1e-9)
            coordinates[one[0]] += 0.3 * one[1]
            weights[other[0]] += 0.3 * other[1]
        new = [random.randint(0, 3, size=(6, 3)).astype(float)]
        assert kernelised._decode(new, coordinates, 1) == plain._decode(
            [explicit(x) for x in new], weights, 1
        )
        assert kernelised._decode([[]], coordinates, 1) == [[]]

    def test_names_as_vectors(self):
        problem = LabelSequence(kernel=Linear(), window=1)
        binding = problem._bind(WORDS, TAGS, True)
        plain = LabelSequence(window=1)
        plain_binding = plain._bind(WORDS, TAGS, True)
        indices, values, *_ = binding.oracle.find(2, np.zeros(binding.oracle.n_features), "margin")
        coordinates = np.zeros(binding.oracle.n_features)
        coordinates[indices] = values
        indices, values, *_ = plain_binding.oracle.find(
            2, np.zeros(plain_binding.oracle.n_features), "margin"
        )
        weights = np.zeros(plain_binding.oracle.n_features)
        weights[indices] = values
        new = [["the", "runs", "dog", "fish"]]
        assert problem._decode(new, coordinates, 1) == plain._decode(new, weights, 1)

    def test_no_coefficients(self):
        problem = LabelSequence(kernel=RBF())
        problem._bind(WORDS, TAGS, True)
        assert problem._decode(WORDS, np.zeros(problem._n_weights()), 1) == [["D"] * 2, [], ["D"] * 3]

    def test_no_further_examples(self):
        problem = LabelSequence(kernel=RBF())
        problem._bind(WORDS, TAGS, True)
        with pytest.raises(ValueError, match="needs kernel=None"):
            problem._bind(WORDS, TAGS, False)


class TestCopies:
    PROBLEMS = (
        (LabelSequence(window=1, order=2), WORDS),
        (LabelSequence(transition_features=["t"], boundaries=True, constraints=[("D", "D")]), WORDS),
        (LabelSequence(kernel=Polynomial(2)), WORDS),
        (LabelSequence(templates=["word[0]", "B: suffix1[0]"]), WORDS),
        (LabelSequence(loss={("D", "N"): 2.0}), [np.eye(len(x), 3) for x in WORDS]),
    )

    @pytest.mark.parametrize(("problem", "X"), PROBLEMS)
    def test_copies_decode_alike(self, problem, X):
        problem = clone(problem)
        problem._bind(X, TAGS, True)
        description, arrays = problem._to_state()
        loaded = clone(problem)
        loaded._from_state(description, arrays)
        weights = np.random.RandomState(0).randn(problem._n_weights())
        for other in (loaded, copy.deepcopy(problem), pickle.loads(pickle.dumps(problem))):
            assert other._n_weights() == problem._n_weights()
            assert other._decode(X, weights, 1) == problem._decode(X, weights, 1)
            assert other.compute_loss(["D", "N"], ["N", "N"]) == problem.compute_loss(["D", "N"], ["N", "N"])
            if problem.kernel is None:
                size = other._bind(X, TAGS, False).oracle.n_features
                assert size == problem._n_weights()

    def test_weights_that_have_not_met_all_features(self):
        problem = LabelSequence()
        problem._bind(WORDS, TAGS, True)
        weights = np.random.RandomState(0).randn(problem._n_weights())
        expected = problem._decode(WORDS, weights, 1)
        problem._bind([["new"]], [["D"]], False)
        assert problem._decode(WORDS, weights, 1) == expected


class TestNative:
    """Arrays that do not fit together never reach a loop."""

    def test_token_sequences(self):
        begin, rows, start = np.array([0, 1]), np.array([0, 1]), np.array([3], dtype=np.int32)
        assert len(_core.TokenSequences(begin, rows, start, None, None, 2, 1)) == 1
        for broken in (
            (np.array([0, 2]), rows, start, None, None),
            (np.array([1, 1]), rows, start, None, None),
            (begin, np.array([0, 2]), start, None, None),
            (begin, rows, np.array([-1], dtype=np.int32), None, None),
            (begin, rows, start, np.ones(2), None),
            (begin, rows, start, np.zeros(1), None),
            (begin, rows, start, np.array([np.nan]), None),
            (begin, rows, start, None, np.ones(3, dtype=np.uint8)),
            (begin, rows, np.array([2**31 - 2], dtype=np.int32), None, None),
        ):
            with pytest.raises(ValueError, match=r"fit together|values|places|too many"):
                _core.TokenSequences(*broken, 2, 1)

    def test_oracles(self):
        chain = _core.Chain(2, 1, 1.0, False, False, None)
        tokens = _core.TokenSequences(
            np.array([0, 1]), np.array([0, 1]), np.array([4], dtype=np.int32), None, None, 2, 1
        )
        labels = np.array([1], dtype=np.int32)
        assert (
            _core.sequence_oracle(chain, tokens, labels, 6, "hamming", None, None, None, False).n_features
            == 6
        )
        for arguments in (
            (np.array([2], dtype=np.int32), 6, "hamming", None, None, None),
            (np.array([0, 0], dtype=np.int32), 6, "hamming", None, None, None),
            (labels, 5, "hamming", None, None, None),
            (labels, 6, "f1", None, None, None),
            (labels, 6, "table", np.ones(3), None, None),
            (labels, 6, "spans", None, labels, labels),
            (labels, 6, "spans", None, np.array([0, 5], dtype=np.int32), np.zeros(2, dtype=np.int32)),
        ):
            with pytest.raises(ValueError, match=r"label|fewer features|loss"):
                _core.sequence_oracle(chain, tokens, *arguments, False)
        with pytest.raises(ValueError, match="too short"):
            chain.decode(tokens, np.zeros(5), 1)

    def test_slow_features_have_the_size_of_the_native_ones(self):
        chain = _core.Chain(3, 2, 1.0, True, True, None)
        assert chain.plain == SlowSequences(3, 0, 2, 1.0, True, True).size
