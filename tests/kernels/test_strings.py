"""Kernels of strings against the enumeration of all their features."""

from collections import Counter
from itertools import combinations, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.svm import SVC

from hedgerow import Forest, Records
from hedgerow.kernels import RBF, Mismatch, Normalized, Spectrum, Subsequence, strings

KERNELS = [
    Spectrum(1),
    Spectrum(2),
    Spectrum(3),
    Spectrum(5),
    Mismatch(2, 1, "abc"),
    Mismatch(3, 2, "abcdefghijklmnopqrstuvwxyz äß𝔘"),
    Mismatch(3, 1),
    Mismatch(3, 0),
    Subsequence(1, 0.3),
    Subsequence(2),
    Subsequence(3, 1.0),
    Subsequence(4, 0.01),
]
texts = st.lists(st.text("abc", max_size=9), min_size=1, max_size=5)


@pytest.fixture(params=KERNELS, ids=str)
def kernel(request):
    return request.param


@pytest.fixture
def words():
    rng = np.random.default_rng(0)
    return ["".join(rng.choice(list("abc"), n)) for n in rng.integers(0, 30, 25)]


# -- the features, one by one ------------------------------------------------------------------------------


def kmers(s, k):
    return Counter(tuple(s[i : i + k]) for i in range(len(s) - k + 1))


def mismatch_features(s, k, m, alphabet):
    found = kmers(s, k)
    return {
        feature: sum(
            n for kmer, n in found.items() if sum(a != b for a, b in zip(kmer, feature, strict=True)) <= m
        )
        for feature in product(alphabet, repeat=k)
    }


def subsequence_features(s, length, decay):
    features = Counter()
    for places in combinations(range(len(s)), length):
        features[tuple(s[i] for i in places)] += decay ** (places[-1] - places[0] + 1)
    return features


def dot(f, g):
    return sum(value * g[feature] for feature, value in f.items() if feature in g)


def gram(features):
    return np.array([[dot(f, g) for g in features] for f in features], dtype=float)


@given(texts, st.integers(1, 5))
@settings(deadline=None)
def test_spectrum(items, k):
    assert np.array_equal(Spectrum(k)(items), gram([kmers(s, k) for s in items]))


@given(texts, st.integers(1, 4), st.data(), st.sampled_from(["abc", "abcd", "cba-+*"]))
@settings(deadline=None, max_examples=60)
def test_mismatch(items, k, data, alphabet):
    m = data.draw(st.integers(0, k - 1))
    expected = gram([mismatch_features(s, k, m, alphabet) for s in items])
    assert np.array_equal(Mismatch(k, m, alphabet)(items), expected)
    tokens = [list(s) for s in items]
    assert np.array_equal(Mismatch(k, m, list(alphabet))(tokens), expected)


@given(texts, st.integers(1, 4), st.data())
@settings(deadline=None, max_examples=60)
def test_mismatch_over_the_alphabet_of_the_call(items, k, data):
    m = data.draw(st.integers(0, k - 1))
    left, right = items[:2], items[2:]
    alphabet = sorted(set("".join(items)))
    features = [mismatch_features(s, k, m, alphabet) for s in items]
    assert np.array_equal(Mismatch(k, m)(items), gram(features))
    assert np.array_equal(Mismatch(k, m)(left, right), gram(features)[:2, 2:])
    roots = np.sqrt(np.diag(gram(features)))
    K = gram(features)[:2, 2:]
    sizes = np.outer(roots[:2], roots[2:])
    expected = np.divide(K, sizes, out=np.zeros_like(K), where=sizes > 0)
    np.testing.assert_allclose(Normalized(Mismatch(k, m))(left, right), expected, rtol=1e-13)


@given(texts, st.integers(1, 5), st.sampled_from([1.0, 0.5, 0.9, 0.01]))
@settings(deadline=None)
def test_subsequence(items, length, decay):
    expected = gram([subsequence_features(s, length, decay) for s in items])
    np.testing.assert_allclose(Subsequence(length, decay)(items), expected, rtol=1e-12)
    np.testing.assert_allclose(Subsequence(length, decay)(items, items[:2]), expected[:, :2], rtol=1e-12)
    np.testing.assert_allclose(Subsequence(length, decay).diag(items), np.diag(expected), rtol=1e-12)


def test_published_values():
    # Lodhi et al., section 2: K(car, car) = 2 decay^4 + decay^6, K(car, cat) = decay^4.
    for decay in (0.5, 0.8):
        expected = [[2 * decay**4 + decay**6, decay**4], [decay**4, 2 * decay**4 + decay**6]]
        np.testing.assert_allclose(Subsequence(2, decay)(["car", "cat"]), expected, rtol=1e-14)


@pytest.mark.parametrize("k", [4, 7, 8, 16, 31, 50])
def test_long_kmers(k):
    items = ["ab" * 40, "abc" * 20, "ab" * 30 + "c" + "ab" * 5, "b" * (k - 1)]
    assert np.array_equal(Spectrum(k)(items), gram([kmers(s, k) for s in items]))


def test_mismatch_over_a_large_alphabet():
    # A pair has 1 + 2 * 4999 neighbours; it shares 5000 with one that differs in one place, 2 if in both.
    alphabet = [str(i) for i in range(5000)]
    K = Mismatch(2, 1, alphabet)([["0", "1"], ["0", "2"], ["3", "4"]])
    assert K.tolist() == [[9999, 5000, 2], [5000, 9999, 2], [2, 2, 9999]]


def test_mismatch_zero_is_spectrum(words):
    assert np.array_equal(Mismatch(3, 0)(words), Spectrum(3)(words))


# -- contracts ---------------------------------------------------------------------------------------------


def test_normalized(kernel, words):
    long_enough = kernel.diag(words) > 0
    assert 0 < long_enough.sum() < len(words)
    K = Normalized(kernel)(words)
    assert np.array_equal(np.diag(K), long_enough)
    assert (K[~long_enough] == 0).all()
    assert K.max() <= 1 + 1e-14
    np.testing.assert_allclose(np.diag(Normalized(kernel)(words, list(words))), long_enough, rtol=1e-14)


def test_threads_do_not_change_a_bit(kernel, words):
    for arguments in ((words,), (words, words[:11])):
        assert np.array_equal(kernel(*arguments, n_jobs=1), kernel(*arguments, n_jobs=2))


def test_empty_collections(kernel):
    for none in ([], (), np.array([], dtype=object), np.array([], dtype=str)):
        for k in (kernel, Normalized(kernel)):
            assert k(none).shape == (0, 0)
            assert k(none, ["a", "b"]).shape == (0, 2)
            assert k([["a"], ["b"], ["c"]], none).shape == (3, 0)
            assert k.diag(none).shape == (0,)


def test_strings_that_are_too_short(kernel):
    size = getattr(kernel, "k", None) or kernel.length
    items = ["", "a" * (size - 1), "abc"[:size] + "a" * (size - 3)]
    assert (kernel(items)[:2] == 0).all()
    assert kernel(items)[2, 2] > 0
    assert kernel(["", ""]).tolist() == [[0, 0], [0, 0]]
    assert Normalized(kernel)(["", ""]).tolist() == [[0, 0], [0, 0]]


def test_characters_and_tokens_are_symbols_alike(kernel, words):
    as_tokens = [tuple(s) for s in words]
    np.testing.assert_allclose(kernel(as_tokens), kernel(words), rtol=1e-13)
    np.testing.assert_allclose(
        kernel(as_tokens, [list(s) for s in words[:3]]), kernel(words)[:, :3], rtol=1e-13
    )


def test_tokens_are_compared_whole():
    assert Spectrum(1)([["the", "cat"], ["t", "he", "cat"]]).tolist() == [[2, 1], [1, 3]]
    assert Spectrum(2)([["a", "bc"], ["ab", "c"]]).tolist() == [[1, 0], [0, 1]]


def test_any_character_is_a_symbol(kernel):
    # Beyond the basic plane, combining, NUL and lone surrogates.
    strange = ["𝔘äß", "a\u0308äß", "\0\0pq", "\ud800pq\udfff"]
    plain = ["xyz", "abyz", "ccde", "fdeg"]
    if getattr(kernel, "alphabet", None) is None:
        np.testing.assert_allclose(kernel(strange), kernel(plain), rtol=1e-13)


def test_kinds_of_collections(kernel):
    items = ["abcab", "bcab", "cabb"]
    K = kernel(items)
    for same in (tuple(items), np.array(items), np.array(items, dtype=object), [np.str_(s) for s in items]):
        assert np.array_equal(kernel(same), K)
    records = Records(text=items, features=np.eye(3))
    assert np.array_equal(kernel(records), K)
    assert np.array_equal(kernel(Records(tokens=[list(s) for s in items])), K)
    both = Records(text=items, other=items[::-1])
    assert np.array_equal(kernel.on("other")(both), kernel(items[::-1]))
    with pytest.raises(ValueError, match=r"more than one string column.*'text', 'other'.*on\(\"name\"\)"):
        kernel(both)
    with pytest.raises(ValueError, match="no string column"):
        kernel(Records(features=np.eye(3)))


# -- large and small numbers -------------------------------------------------------------------------------


def test_very_long_strings():
    long, short = "ab" * 50_000, "abcdeabcde"
    for decay in (0.5, 0.999, 1.0):
        kernel = Subsequence(3, decay)
        K = kernel([long], [short, "ab"])
        assert np.isfinite(K).all()
        assert K[0, 0] > 0
        np.testing.assert_allclose(kernel([short, "ab"], [long]), K.T, rtol=1e-9)
    # aab and aac stand in the short string once each, abc four times.
    n = 100_000
    assert Subsequence(3, 1.0)([short], ["a" * n + "bc"]).item() == n * (n - 1) + 4 * n


def test_gaps_too_long_for_a_number_count_nothing():
    far = "a" + "x" * 3000 + "b"
    other = "a" + "y" * 3000 + "b"
    assert Subsequence(2, 0.5)([far], [other]).item() == 0
    np.testing.assert_allclose(Subsequence(2, 0.9)([far], ["ab"]).item(), 0.9 ** (3002 + 2), rtol=1e-11)


def test_small_decay_does_not_vanish_when_normalised():
    kernel = Normalized(Subsequence(200, 0.01))
    s = "ab" * 150
    K = kernel([s, s + "a", "b" * 250])
    np.testing.assert_array_equal(np.diag(K), 1)
    assert 0.1 < K[0, 1] < 1
    assert kernel.diag([s]).item() == 1
    assert Subsequence(200, 0.01)([s]).item() == 0  # decay^400


def test_overflow_is_an_error():
    with pytest.raises(OverflowError):
        Subsequence(250, 1.0)(["a" * 700])
    with pytest.raises(OverflowError):
        Subsequence(20, 1.0)(["a" * 300], dtype=np.float32)


def test_too_many_mismatches_are_refused(monkeypatch):
    with pytest.raises(ValueError, match=r"k=1000 with mismatches=500.*smaller k"):
        Mismatch(1000, 500)(["ab" * 1000])
    assert Mismatch(1000, 500)(["ab"]).item() == 0
    monkeypatch.setattr(strings, "_MAX_ENTRIES", 100)
    with pytest.raises(ValueError, match="limit of 100 entries"):
        Mismatch(5, 2)(["abcabcaacb", "abcbbcabbc"])


# -- bad input and parameters ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("items", "error", "match"),
    [
        ("abc", TypeError, r"\['abc'\]"),
        (["abc", ["a"]], TypeError, "both"),
        (["abc", 3], TypeError, "3 as item 1"),
        ([["a", None]], TypeError, "as item 0"),
        ([b"abc"], TypeError, "as item 0"),
        ({"abc"}, TypeError, "set"),
        (3, TypeError, "int"),
        (None, TypeError, "NoneType"),
        (np.array([["a"]]), ValueError, r"\(1, 1\)"),
        (np.array("a"), ValueError, r"\(\)"),
        (np.eye(2), ValueError, "one-dimensional"),
        (np.ones(2), TypeError, "as item 0"),
    ],
)
def test_bad_items(kernel, items, error, match):
    with pytest.raises(error, match=match):
        kernel(items)
    if items is not None:
        with pytest.raises(error, match=match):
            kernel(["ab"], items)


def test_trees_are_no_strings(kernel):
    with pytest.raises(TypeError, match="Forest"):
        kernel(Forest(["(A b)"]))


def test_left_and_right_must_be_of_one_kind(kernel):
    with pytest.raises(TypeError, match="strings and token lists"):
        kernel(["ab"], [["a", "b"]])


def test_symbols_outside_the_alphabet():
    with pytest.raises(ValueError, match="'n' is not in the alphabet 'acgt'"):
        Mismatch(alphabet="acgt")(["acg", "ann"])
    with pytest.raises(ValueError, match="'bird'"):
        Mismatch(alphabet=["cat", "dog"])([["cat"]], [["bird"]])


@pytest.mark.parametrize(
    ("kernel", "error", "name"),
    [
        (Spectrum(0), ValueError, "k must"),
        (Spectrum(1.5), TypeError, "k must"),
        (Mismatch(0, 0), ValueError, "k must"),
        (Mismatch(3, 3), ValueError, "mismatches .* at most 2"),
        (Mismatch(3, -1), ValueError, "mismatches"),
        (Mismatch(3, True), TypeError, "mismatches"),
        (Mismatch(alphabet=""), ValueError, "alphabet"),
        (Mismatch(alphabet="aba"), ValueError, "alphabet"),
        (Mismatch(alphabet=[1, 2]), TypeError, "alphabet"),
        (Mismatch(alphabet=4), TypeError, "alphabet"),
        (Subsequence(0), ValueError, "length"),
        (Subsequence(2, 0.0), ValueError, "decay"),
        (Subsequence(2, 1.5), ValueError, "decay"),
        (Subsequence(2, "x"), TypeError, "decay"),
    ],
)
def test_bad_parameters(kernel, error, name):
    with pytest.raises(error, match=name):
        kernel(["abc"])
    with pytest.raises(error, match=name):
        Normalized(kernel).diag(["abc"])


def test_huge_and_numpy_parameters():
    assert Spectrum(2**62)(["abc"]).item() == 0
    assert Subsequence(2**62)(["abc"]).item() == 0
    assert Mismatch(2**62, 2**61)(["abc"]).item() == 0
    with pytest.raises(ValueError, match=r"k must be a whole number at least 1 and below 2\*\*63, got 1000"):
        Spectrum(10**30)(["abc"])
    assert Spectrum(np.int64(2))(["abc"]).item() == 2
    assert Mismatch(np.int64(2), np.int8(1), "abc")(["ab"]).item() == 5
    assert Subsequence(np.int64(1), np.float32(0.5))(["ab"]).item() == 0.5


def test_on_columns_of_records(words):
    records = Records(text=words, features=np.arange(2.0 * len(words)).reshape(-1, 2))
    kernel = Normalized(Spectrum(2)).on("text") + 0.5 * RBF(0.01).on("features")
    expected = Normalized(Spectrum(2))(words) + 0.5 * RBF(0.01)(records["features"])
    np.testing.assert_allclose(kernel(records), expected, rtol=1e-14)


@pytest.mark.parametrize("kernel", [Spectrum(2), Mismatch(3, 1, "ab"), Subsequence(3)], ids=str)
def test_learns_with_sklearn(kernel):
    # Many a against many b.
    rng = np.random.default_rng(3)
    items = ["".join(rng.choice(list("ab"), 12, p=p)) for p in ([0.9, 0.1], [0.3, 0.7]) for _ in range(40)]
    y = np.repeat([0, 1], 40)
    K = Normalized(kernel)(items)
    train = np.arange(80) % 4 != 0
    model = SVC(kernel="precomputed").fit(K[np.ix_(train, train)], y[train])
    assert model.score(K[np.ix_(~train, train)], y[~train]) > 0.8
