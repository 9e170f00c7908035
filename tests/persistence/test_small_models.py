"""Models that were saved without what learning goes on from: small, with the same predictions, and final."""

from __future__ import annotations

import pickle
from typing import ClassVar

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from sklearn.base import clone

import hedgerow
from hedgerow.persistence.packing import pack_arrays, unpack_arrays
from hedgerow.structured import LabelSequence, SequenceSVC, StructuredPerceptron
from tests.persistence.kinds import kinds

pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
KINDS = {f"{group}-{name}": kind for group, members in kinds().items() for name, kind in members.items()}


def answer(model, X):
    asked = next(name for name in ("predict", "transform", "kneighbors_graph") if hasattr(model, name))
    found = getattr(model, asked)(X)
    return found.toarray().tolist() if hasattr(found, "toarray") else np.asarray(found, dtype=object).tolist()


@pytest.mark.parametrize("name", KINDS)
def test_every_kind_predicts_alike_and_is_final(name, tmp_path):
    kind = KINDS[name]
    model = clone(kind.model).fit(*kind.data.fit)
    path, again = tmp_path / "small.model", tmp_path / "again.model"
    hedgerow.save(model, path, resumable=False)
    small = hedgerow.load(path)
    assert answer(small, kind.data.new) == answer(model, kind.data.new)
    # Saved again, or pickled, it stays what it is.
    hedgerow.save(small, again)
    for copy in (small, hedgerow.load(again), pickle.loads(pickle.dumps(small))):
        assert answer(copy, kind.data.new) == answer(model, kind.data.new)
        if kind.goes_on:
            with pytest.raises(
                ValueError, match=r"saved with resumable=False .*it predicts, and fit learns from scratch"
            ):
                copy.partial_fit(*kind.data.more)
    small.fit(*kind.data.fit)
    hedgerow.save(small, again)
    if kind.goes_on:
        hedgerow.load(again).partial_fit(*kind.data.more)


WORDS = [["Ann", "saw", "Rome", "again"], ["Eve", "left", "Paris", "."], ["Ann", "left"]] * 5
TAGS = [["B-PER", "O", "B-LOC", "O"], ["B-PER", "O", "B-LOC", "O"], ["B-PER", "O"]] * 5


@pytest.mark.parametrize(
    "model",
    [
        SequenceSVC(random_state=0),
        SequenceSVC(random_state=0, window=1, templates=None),
        SequenceSVC(random_state=0, templates=["word[0]", "B:word[0]"]),
        StructuredPerceptron(LabelSequence(), averaging="average", epochs=3),
        StructuredPerceptron(LabelSequence(), dual=True),
    ],
)
def test_features_without_weights_are_left_out(model, tmp_path):
    model.fit(WORDS, TAGS)
    hedgerow.save(model, tmp_path / "whole.model")
    for dtype in ("float64", "float32"):
        hedgerow.save(model, tmp_path / "small.model", resumable=False, dtype=dtype)
        small = hedgerow.load(tmp_path / "small.model")
        assert small.predict(WORDS) == model.predict(WORDS)
        emissions = model.problem_.emissions(model.coef_)
        known = dict(zip(model.problem_.feature_names(), emissions, strict=True))
        kept = small.problem_.emissions(small.coef_)
        for name, row in zip(small.problem_.feature_names(), kept, strict=True):
            np.testing.assert_allclose(known.pop(name), row, rtol=1e-6, atol=1e-12)
        assert all(np.abs(row).max() < 1e-12 for row in known.values())
    assert (tmp_path / "small.model").stat().st_size < (tmp_path / "whole.model").stat().st_size


def test_rounded_numbers_cannot_be_learned_from(tmp_path):
    model = SequenceSVC(random_state=0).fit(WORDS, TAGS)
    with pytest.raises(ValueError, match="it needs resumable=False"):
        hedgerow.save(model, tmp_path / "a.model", dtype="float32")
    with pytest.raises(ValueError, match="dtype must be one of"):
        hedgerow.save(model, tmp_path / "a.model", resumable=False, dtype="float16")


class TestPacking:
    ARRAYS: ClassVar = {
        "sparse": np.where(np.arange(3000) % 100 == 7, np.arange(3000) / 7, 0).reshape(30, 100),
        "dense": np.arange(1000, dtype=np.int64),
        "noise": np.random.default_rng(0).normal(size=50),
        "zeros": np.zeros(500),
        "empty": np.zeros((0, 3)),
        "one": np.array(2.5),
    }

    def test_arrays_come_back(self):
        packed, notes = pack_arrays(self.ARRAYS, "float64")
        assert {"sparse", "dense", "zeros"} <= set(notes)
        for name, values in unpack_arrays(packed, notes).items():
            assert_array_equal(values, self.ARRAYS[name])
            assert values.dtype == self.ARRAYS[name].dtype

    @pytest.mark.parametrize(
        "change",
        [
            {0: "|O"},
            {0: 8},
            {1: [20, 100]},
            {1: [10**9, 10**9]},
            {1: [-30, -100]},
            {1: "30"},
            {2: "<f4"},
            {3: 29},
            {3: 31},
            {3: -1},
            {3: None},
        ],
    )
    def test_forged_notes_are_refused(self, change):
        packed, notes = pack_arrays({"sparse": self.ARRAYS["sparse"]}, "float64")
        for place, value in change.items():
            notes["sparse"][place] = value
        with pytest.raises(ValueError, match="sparse is not packed as its note says"):
            unpack_arrays(packed, notes)
