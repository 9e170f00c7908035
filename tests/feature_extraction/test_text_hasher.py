"""TextHasher: what scikit-learn's HashingVectorizer and TfidfTransformer give, and streams of documents."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.feature_extraction.text import HashingVectorizer, TfidfTransformer

import hedgerow
from hedgerow import Records
from hedgerow.feature_extraction import TextHasher

TEXTS = [
    "Buy cheap pills now, cheap!",
    "",
    "a I",
    "lunch at noon? lunch at one!",
    "İstanbul ΟΔΟΣ Straße x_1 café ½ ²",
    "  two  spaces\n one\tline \u2003 wide\u3000",
    "日本語 の テキスト",
    "\x00nul\x00\x00 and _under_score",
]
ALPHABETS = [("word", 1), ("word", 2), ("word", (2, 3)), ("char", 3), ("char", (2, 2)), ("char_wb", (2, 5))]


def peer(hasher, **more):
    ngrams = hasher.ngrams if isinstance(hasher.ngrams, tuple) else (1, hasher.ngrams)
    given = {"norm": None if hasher.norm == "none" else hasher.norm, "alternate_sign": hasher.alternate_sign}
    return HashingVectorizer(
        n_features=hasher.n_features,
        analyzer=hasher.analyzer,
        ngram_range=ngrams,
        lowercase=hasher.lowercase,
        **(given | more),
    )


def assert_same(found, expected):
    assert found.shape == expected.shape
    assert found.has_canonical_format
    assert (found.data != 0).all()
    np.testing.assert_allclose(found.toarray(), expected.toarray(), rtol=1e-14, atol=0)


class TestAgainstScikitLearn:
    @pytest.mark.parametrize(("analyzer", "ngrams"), ALPHABETS)
    @pytest.mark.parametrize("norm", ["none", "l1", "l2"])
    @pytest.mark.parametrize("alternate_sign", [False, True])
    def test_the_same_vectors(self, analyzer, ngrams, norm, alternate_sign):
        for lowercase in (False, True):
            hasher = TextHasher(
                2**6, analyzer, ngrams, lowercase=lowercase, norm=norm, alternate_sign=alternate_sign
            )
            assert_same(hasher.transform(TEXTS), peer(hasher).transform(TEXTS))

    @given(st.lists(st.text(max_size=30), max_size=5), st.sampled_from(ALPHABETS), st.booleans())
    def test_any_texts(self, texts, alphabet, lowercase):
        hasher = TextHasher(2**10, *alphabet, lowercase=lowercase)
        if texts:
            assert_same(hasher.transform(texts), peer(hasher).transform(texts))
        assert hasher.transform(texts).shape == (len(texts), 2**10)

    def test_binary_and_logarithms(self):
        hasher = TextHasher(2**8, norm="none", alternate_sign=False)
        counts = peer(hasher).transform(TEXTS)
        assert_same(clone(hasher).set_params(counts="binary").transform(TEXTS), counts > 0)
        counts.data = 1 + np.log(counts.data)
        assert_same(clone(hasher).set_params(counts="log").transform(TEXTS), counts)

    @pytest.mark.parametrize("norm", ["none", "l1", "l2"])
    def test_tf_idf(self, norm):
        hasher = TextHasher(2**8, counts="tf-idf", norm=norm)
        counts = peer(hasher, norm=None).transform(TEXTS)
        counts.eliminate_zeros()
        expected = TfidfTransformer(norm=None if norm == "none" else norm).fit(counts[:5]).transform(counts)
        assert_same(hasher.fit(TEXTS[:5]).transform(TEXTS), sparse.csr_array(expected))
        parts = clone(hasher).partial_fit(TEXTS[:2]).partial_fit(TEXTS[2:5])
        assert parts.n_documents_ == hasher.n_documents_ == 5
        assert_same(parts.transform(TEXTS), hasher.transform(TEXTS))
        assert hasher.fit(TEXTS[:1]).n_documents_ == 1

    def test_threads_change_nothing(self):
        texts = TEXTS * 100
        alone, together = (TextHasher(n_jobs=n).transform(texts) for n in (1, 3))
        assert (alone != together).nnz == 0


class TestInputs:
    def test_collections_of_texts(self):
        expected = TextHasher().transform(TEXTS)
        for given_ in (np.array(TEXTS), np.array(TEXTS, dtype=object), tuple(TEXTS), iter(TEXTS)):
            assert (TextHasher().transform(given_) != expected).nnz == 0
        assert (TextHasher().transform(Records(text=TEXTS, n=np.eye(8))) != expected).nnz == 0

    def test_refusals(self):
        with pytest.raises(TypeError, match="a list of strings, got a str"):
            TextHasher().transform("one text")
        with pytest.raises(TypeError, match="texts must be strings, got a bytes in place 1"):
            TextHasher().transform(["a", b"b"])
        with pytest.raises(UnicodeEncodeError):
            TextHasher().transform(["lone \ud800 surrogate"])
        with pytest.raises(NotFittedError, match="tf-idf needs texts to count"):
            TextHasher(counts="tf-idf").transform(["a"])
        with pytest.raises(AttributeError, match="only tf-idf counts documents"):
            _ = TextHasher().n_documents_

    @pytest.mark.parametrize(
        "parameters",
        [
            {"n_features": 1000},
            {"n_features": 2**31},
            {"ngrams": 0},
            {"ngrams": (2, 1)},
            {"ngrams": (1, 2, 3)},
            {"ngrams": "2"},
            {"analyzer": "line"},
            {"counts": "twice"},
            {"norm": None},
            {"lowercase": 1},
        ],
        ids=str,
    )
    def test_parameters(self, parameters):
        (name,) = parameters
        with pytest.raises((ValueError, TypeError), match=name):
            TextHasher(**parameters).transform(["a text"])


def test_copies(tmp_path):
    for hasher in (TextHasher(2**5), TextHasher(2**5, counts="tf-idf").fit(TEXTS[:4])):
        hedgerow.save(hasher, tmp_path / "a.model")
        for copy in (hedgerow.load(tmp_path / "a.model"), pickle.loads(pickle.dumps(hasher))):
            assert (copy.transform(TEXTS) != hasher.transform(TEXTS)).nnz == 0
            assert copy.get_params() == hasher.get_params()
            assert (copy.partial_fit(TEXTS).transform(TEXTS) != hasher.transform(TEXTS)).nnz == 0 or (
                hasher.counts == "tf-idf"
            )
