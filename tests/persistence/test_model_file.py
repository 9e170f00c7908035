"""Saving and loading: exact, complete or not at all, and clear about files that are not right."""

from __future__ import annotations

import errno
import json
import math
import os
import pickle
from contextlib import suppress
from fractions import Fraction

import numpy as np
import pytest
import safetensors.numpy
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as of_numpy
from sklearn.base import BaseEstimator
from sklearn.pipeline import make_pipeline

import hedgerow
from hedgerow import FormatError, online
from hedgerow.kernels import RBF, Kernel, Normalized, PartialTree, SubsetTree
from hedgerow.persistence import model_file
from hedgerow.persistence.classes import classes_in
from hedgerow.persistence.values import decode, encode


class Learner(BaseEstimator):
    """Stands for a learner: parameters, a description and arrays."""

    def __init__(self, kernel=None, C=1.0, random_state=None, class_weight=None):
        self.kernel = kernel
        self.C = C
        self.random_state = random_state
        self.class_weight = class_weight

    def learn(self, classes, **arrays):
        self.classes_ = classes
        self.arrays_ = {name: np.asarray(values) for name, values in arrays.items()}
        return self

    def _to_state(self):
        return {"classes": self.classes_, "steps": 3}, self.arrays_

    def _from_state(self, description, arrays):
        if description["steps"] != 3:
            raise ValueError("steps must be 3")
        self.classes_, self.arrays_ = description["classes"], arrays


@pytest.fixture(autouse=True)
def known(monkeypatch):
    monkeypatch.setitem(classes_in("hedgerow.online"), "Learner", Learner)


@pytest.fixture
def learner():
    return Learner(kernel=Normalized(SubsetTree(decay=0.3)), C=0.1).learn(
        np.array(["no", "yes"]), weights=np.arange(5) / 3, labels=np.array([1, 2], dtype=np.int32)
    )


def same(a, b) -> bool:
    if isinstance(a, np.ndarray | np.generic):
        return type(a) is type(b) and a.dtype == b.dtype and a.shape == b.shape and repr(a) == repr(b)
    if isinstance(a, Kernel):
        return repr(a) == repr(b)
    if isinstance(a, list | tuple):
        return type(a) is type(b) and len(a) == len(b) and all(map(same, a, b))
    if isinstance(a, dict):
        return list(map(repr, a)) == list(map(repr, b)) and all(map(same, a.values(), b.values()))
    return type(a) is type(b) and (a == b or (a != a and b != b))


def complaint(path) -> str:
    with pytest.raises(FormatError) as caught:
        hedgerow.load(path)
    text = str(caught.value)
    assert text.startswith(f"{path}: ")
    assert "\n" not in text
    return text.removeprefix(f"{path}: ")


class TestRoundTrip:
    def test_everything_comes_back(self, tmp_path, learner):
        hedgerow.save(learner, tmp_path / "a.model")
        again = hedgerow.load(tmp_path / "a.model")
        assert type(again) is Learner
        assert repr(again) == repr(learner)
        assert same(again.classes_, learner.classes_)
        assert same({name: again.arrays_[name] for name in learner.arrays_}, learner.arrays_)

    def test_arrays_to_the_last_bit(self, tmp_path):
        rng = np.random.default_rng(0)
        raw = rng.integers(0, 256, 8 * 1000, dtype=np.uint8)
        arrays = {
            "doubles": raw.view(np.float64),
            "bytes": raw,
            "int32": raw.view(np.int32),
            "int64": raw.view(np.int64),
            "none": np.empty(0),
            "every_second": raw.view(np.int64)[::2],
        }
        hedgerow.save(Learner().learn([0, 1], **arrays), tmp_path / "a")
        again = hedgerow.load(tmp_path / "a").arrays_
        assert again.keys() == arrays.keys()
        for name, values in arrays.items():
            assert (again[name].dtype, again[name].tobytes()) == (values.dtype, values.tobytes())

    def test_gzip_and_notes(self, tmp_path, learner):
        model_file.write_model(learner, tmp_path / "a.gz", {"columns": ["tree"], "n_features": None})
        assert (tmp_path / "a.gz").read_bytes()[:2] == b"\x1f\x8b"
        model, notes = model_file.read_model(tmp_path / "a.gz")
        assert same(model.classes_, learner.classes_)
        assert notes == {"columns": ["tree"], "n_features": None}

    def test_equal_models_make_equal_files(self, tmp_path, learner):
        for name in "ab":
            hedgerow.save(learner, tmp_path / name)
        assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()

    def test_a_random_state_goes_on(self, tmp_path):
        state = np.random.RandomState(7)
        state.rand(5)
        hedgerow.save(Learner(random_state=state).learn([0, 1]), tmp_path / "a")
        assert hedgerow.load(tmp_path / "a").random_state.rand(3).tolist() == state.rand(3).tolist()


LABELS = [
    np.array([0, 1]),
    np.array([False, True]),
    np.array([-1.5, math.pi]),
    np.array([0.1], dtype=np.float32),
    np.array(["", "ä\0b", "\ud800"]),
    np.array([b"a", b"\xff"]),
    np.array(["2020-01-01", "NaT"], dtype="datetime64[D]"),
    np.array([1, "one", None, (1, 2), 2.5, True], dtype=object),
    np.array([np.int64(3), np.str_("x")], dtype=object),
    np.zeros((2, 0), dtype=np.uint8),
]


@pytest.mark.parametrize("value", LABELS, ids=lambda value: str(value.dtype))
def test_labels_of_many_types(tmp_path, value):
    hedgerow.save(Learner().learn(value), tmp_path / "a")
    again = hedgerow.load(tmp_path / "a").classes_
    assert (again.dtype, again.shape) == (value.dtype, value.shape)
    assert same(again.tolist(), value.tolist()) or repr(again) == repr(value)
    if value.dtype == object:
        assert [type(item) for item in again] == [type(item) for item in value]


@pytest.mark.parametrize(
    "value", [np.array([Fraction(1, 2)]), np.array([1j]), {1, 2}, [object()], np.longdouble(1), lambda: 0]
)
def test_values_that_no_file_holds(tmp_path, value):
    with pytest.raises(TypeError, match=r"what was learned.*cannot hold"):
        hedgerow.save(Learner().learn(value), tmp_path / "a")
    assert os.listdir(tmp_path) == []


ATOMS = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(st.characters(codec="utf-8"))
    | st.binary()
)
VALUES = st.recursive(
    ATOMS | of_numpy.arrays(of_numpy.scalar_dtypes(), 2).filter(lambda a: a.dtype.kind in "biufUSMm"),
    lambda inner: (
        st.lists(inner) | st.lists(inner).map(tuple) | st.dictionaries(st.text() | st.integers(), inner)
    ),
    max_leaves=10,
)


@given(VALUES)
def test_values_survive_json(value):
    try:
        text = json.dumps(encode(value, "value"), allow_nan=False)
    except TypeError as error:
        assert "float128" in str(error) or "longdouble" in str(error)  # noqa: PT017
        return
    assert same(decode(json.loads(text)), value)


@pytest.mark.parametrize(
    "kernel",
    [Normalized(PartialTree(max_length=3)), 0.5 * SubsetTree().on("t") + RBF(0.1).on("v") * RBF().on("w")],
)
def test_kernels_survive_json(kernel):
    again = decode(json.loads(json.dumps(encode(kernel, "kernel"))))
    assert type(again) is type(kernel)
    assert again.get_params().keys() == kernel.get_params().keys()
    assert repr(again) == repr(kernel)


class TestRefusals:
    def test_classes_of_others(self, tmp_path):
        class Mine(SubsetTree):
            pass

        class Perceptron(Learner):
            pass

        with pytest.raises(TypeError, match=r"model.kernel is a Mine of tests.*classes of hedgerow only"):
            hedgerow.save(Learner(kernel=Mine()).learn([0, 1]), tmp_path / "a")
        with pytest.raises(TypeError, match="model is a Perceptron of tests"):
            hedgerow.save(Perceptron().learn([0, 1]), tmp_path / "a")
        with pytest.raises(
            TypeError, match=r"only learners and models of hedgerow can be saved, got a dict$"
        ):
            hedgerow.save({}, tmp_path / "a")
        with pytest.raises(TypeError, match=r"got a Pipeline; skops.io.dump.*save\(pipeline\[-1\], path\)"):
            hedgerow.save(make_pipeline(Learner()), tmp_path / "a")

    def test_foreign_files(self, tmp_path):
        path = tmp_path / "a"
        for content, words in [
            (b"", "the file is empty"),
            (b"hello, world", "not a hedgerow model"),
            (pickle.dumps({"a": 1}), "not a hedgerow model"),
            (b"\x05", "not a hedgerow model"),
            (
                safetensors.numpy.save({"a": np.zeros(3)}),
                "a safetensors file, but not a hedgerow model",
            ),
            (b"\x02\0\0\0\0\0\0\0{}", "a safetensors file, but not a hedgerow model"),
            (b"\x02\0\0\0\0\0\0\0{{", "not a hedgerow model, or a damaged one"),
            (b"SVM-light Version V5.01-TK-1.5\n", "a model of SVM-light-TK"),
            (b"\x1f\x8b\x08\0\0\0\0\0\0\x03cut", "the gzip file is damaged or cut short"),
        ]:
            path.write_bytes(content)
            assert complaint(path).startswith(words)

    def test_no_file(self, tmp_path):
        with pytest.raises(FileNotFoundError):
            hedgerow.load(tmp_path / "a")
        with pytest.raises(IsADirectoryError):
            hedgerow.load(tmp_path)

    def test_cut_short_anywhere(self, tmp_path, learner):
        path = tmp_path / "a"
        hedgerow.save(learner, path)
        content = path.read_bytes()
        for length in range(1, len(content), 7):
            path.write_bytes(content[:length])
            assert complaint(path)

    def test_any_byte_changed(self, tmp_path, learner):
        """Or the model is the same: white space between the parts of the header may change."""
        path = tmp_path / "a"
        hedgerow.save(learner, path)
        content, harmless = path.read_bytes(), 0
        for place in range(len(content)):
            changed = bytearray(content)
            changed[place] ^= 1 << (place % 7)
            path.write_bytes(changed)
            with suppress(FormatError):
                again = hedgerow.load(path)
                assert same(again.classes_, learner.classes_)
                assert repr(again) == repr(learner)
                harmless += 1
        assert harmless < 20

    def test_bytes_behind_the_end(self, tmp_path, learner):
        hedgerow.save(learner, tmp_path / "a")
        with open(tmp_path / "a", "ab") as file:
            file.write(b"more")
        assert complaint(tmp_path / "a").startswith("the model file is damaged")


def rewrite(path, change) -> None:
    """The file with its head and manifest changed, and a checksum that fits again."""
    content = path.read_bytes()
    head = model_file._head(content, "")
    manifest = json.loads(head["manifest"])
    change(head, manifest)
    head["manifest"] = json.dumps(manifest)
    arrays = safetensors.numpy.load(content)
    head["sha256"] = model_file._checksum(head["manifest"], arrays)
    path.write_bytes(safetensors.numpy.save(arrays, {"hedgerow": json.dumps(head)}))


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (
            lambda head, _: head.update(format_version=3),
            "a newer version of hedgerow wrote this model (format 3; hedgerow 0",
        ),
        (lambda head, _: head.update(format_version="2"), "the model file is damaged"),
        (lambda head, _: head.update(format_version=0), "the model file is damaged"),
        (lambda _, manifest: manifest.update({"class": "os.system"}), "it holds a os.system, which hedgerow"),
        (lambda _, manifest: manifest.update({"class": "Tree"}), "it holds a Tree, which hedgerow"),
        (lambda _, manifest: manifest["parameters"].update(D=1), "it was written by hedgerow 0"),
        (lambda _, manifest: manifest["description"].update(steps=4), "it was written by hedgerow 0"),
        (
            lambda _, manifest: manifest["description"].update(classes={"$new": 1}),
            "it was written by hedgerow 0",
        ),
        (
            lambda _, manifest: manifest.update({"class": "RBF", "parameters": {}}),
            "it was written by hedgerow 0",
        ),
    ],
)
def test_other_versions(tmp_path, learner, change, words):
    hedgerow.save(learner, tmp_path / "a")
    rewrite(tmp_path / "a", change)
    assert complaint(tmp_path / "a").startswith(words)


class TestWriting:
    """The old model stays until the new one is complete."""

    @pytest.fixture
    def old(self, tmp_path, learner):
        hedgerow.save(learner, tmp_path / "a")
        return (tmp_path / "a").read_bytes()

    @pytest.mark.parametrize("call", ["fsync", "replace"])
    def test_a_failure_leaves_the_old_model(self, tmp_path, learner, old, monkeypatch, call):
        def fail(*_):
            raise OSError(errno.ENOSPC, "No space left on device")

        monkeypatch.setattr(os, call, fail)
        with pytest.raises(OSError, match="No space left") as caught:
            hedgerow.save(learner, tmp_path / "a")
        assert caught.value.filename == str(tmp_path / "a")
        assert (tmp_path / "a").read_bytes() == old
        assert os.listdir(tmp_path) == ["a"]

    def test_what_cannot_be_saved_leaves_the_old_model(self, tmp_path, old):
        with pytest.raises(TypeError):
            hedgerow.save(Learner().learn({1}), tmp_path / "a")
        assert (tmp_path / "a").read_bytes() == old

    def test_a_full_device(self, learner):
        with pytest.raises(OSError, match="No space left") as caught:
            hedgerow.save(learner, "/dev/full")
        assert caught.value.filename == "/dev/full"

    def test_a_folder(self, tmp_path, learner):
        with pytest.raises(IsADirectoryError):
            hedgerow.save(learner, tmp_path)
        with pytest.raises(FileNotFoundError):
            hedgerow.save(learner, tmp_path / "none" / "a")


def test_rules_written_in_python_are_refused(tmp_path):
    class Rule:
        def learn(self, f, y, weight):
            f.add(weight * y)

    model = online.OnlineLearner(Rule(), RBF()).fit(np.eye(10), [0, 1] * 5)
    with pytest.raises(TypeError, match=r"model.rule is a Rule, which a model file cannot hold"):
        hedgerow.save(model, tmp_path / "a")
