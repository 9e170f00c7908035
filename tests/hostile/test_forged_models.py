"""Model files that somebody has changed and signed again: they are refused, or what is loaded works."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import hedgerow
from hedgerow import FormatError
from hedgerow.persistence import model_file
from hedgerow.persistence.model_file import Arrays, pack, unpack
from hedgerow.svmlight_tk import read_svmlight_tk_model
from tests.hostile.forged_kinds import forgeables
from tests.hostile.forging import mersenne
from tests.hostile.fuzz_models import fuzz
from tests.persistence.kinds import kinds

Change = Callable[[dict[str, Any], Arrays], object]
SEED = 19


@pytest.fixture(autouse=True, scope="module")
def one_thread():
    """Workers are forked."""
    n = hedgerow.get_n_jobs()
    hedgerow.set_n_jobs(1)
    yield
    hedgerow.set_n_jobs(n)


class TestFuzzing:
    def test_every_kind(self):
        names = list(forgeables())
        findings = fuzz(names, SEED, n=len(names))
        assert not findings.failures
        assert findings.counts["refused"] > findings.counts["loaded"] > len(names) / 8

    @pytest.mark.slow
    @pytest.mark.parametrize("name", forgeables())
    def test_one_kind(self, name):
        assert not fuzz([name], SEED, first=10**6, n=50).failures


def refusal(kind: str, change: Change, tmp_path: Path) -> str:
    """What `load` says of a file with changes."""
    _, manifest, arrays = unpack(forgeables()[kind].content, "")
    change(manifest, arrays)
    path = tmp_path / "forged.model"
    path.write_bytes(pack(manifest, arrays))
    with pytest.raises(FormatError) as caught:
        hedgerow.load(path)
    assert str(caught.value).startswith(f"{path}: ")
    return caught.value.message


def put(name: str, *values: float) -> Change:
    """New values for the first items of an array."""

    def change(_: Any, arrays: Arrays) -> None:
        array = arrays[name] = arrays[name].copy()
        array.ravel()[: len(values)] = values

    return change


def take(name: str, values: Any, dtype: Any = None) -> Change:
    """Another array."""

    def change(_: Any, arrays: Arrays) -> None:
        arrays[name] = np.array(values, dtype=arrays[name].dtype if dtype is None else dtype)

    return change


def free_all(_: Any, arrays: Arrays) -> None:
    """As if no slot of an expansion held a support, which the kernel's part denies."""
    users = arrays["expansion.users"]
    arrays["expansion.free"] = np.arange(len(users), dtype=np.int32)
    arrays["expansion.users"] = np.full_like(users, -1)
    arrays["expansion.members"] = arrays["expansion.members"][:0]
    arrays["expansion.member_counts"] = np.zeros_like(arrays["expansion.member_counts"])


def as_table(name: str) -> Change:
    """The array with one column."""

    def change(_: Any, arrays: Arrays) -> None:
        arrays[name] = arrays[name].reshape(-1, 1)

    return change


LINEAR, KERNEL, TREES = "weights/arow-last", "expansions/perceptron-vote", "kernels/sst"


@pytest.mark.parametrize(
    ("kind", "change", "field"),
    [
        # Features beyond the width were read beyond the end of rows.
        (LINEAR, put("width", 2), "function0.features"),
        (LINEAR, put("function0.features", -1), "function0.features"),
        (LINEAR, put("function0.variance", np.nan), "function0.variance"),
        ("weights/mbw-bounded-last", put("function0.features", 0), "function0.features"),
        ("weights/mbw-bounded-last", put("function0.slots", 2**31 - 1), "function0.slots"),
        ("weights/perceptron-vote", put("function0.history.predictors", 10**9), "function0.history.predictors"),
        ("rerankers/perceptron", put("native.function0.scale", 0.0), "function0.scale"),
        # Hashes of a table's shape were refused by native code when the model predicted.
        ("rerankers/parses", as_table("features.hashes"), "hashes must hold n numbers"),
        ("weights/rda-average", put("function0.threshold", 1e10), "function0.thresholds must increase up to"),
        # Expansions: slots that are free, in use or there twice.
        ("kernels/sst", free_all, "expansion.free"),
        ("kernels/spectrum", free_all, "expansion.free"),
        (KERNEL, put("expansion.members", 10**6), "expansion.members"),
        (KERNEL, put("expansion.members", 1, 1), "expansion.members"),
        (KERNEL, put("expansion.member_counts", -1), "expansion.member_counts"),
        (KERNEL, put("expansion.users", 99), "expansion.users"),
        (KERNEL, put("expansion.arrivals", 2**62), "expansion.arrivals"),
        (KERNEL, put("expansion.scale", 0.0), "expansion.scale"),
        (KERNEL, put("expansion.history0.what", 10**6), "expansion.history0.what"),
        (KERNEL, put("expansion.history0.ends", -5), "expansion.history0.ends"),
        (KERNEL, put("expansion.history0.counts", -5), "expansion.history0.counts"),
        ("expansions/projectron", put("rule0.factor", 0.0), "factor"),
        ("expansions/projectron", take("rule0.factor", [1.0]), "rule0.factor"),
        # Vectors: rows that end before they begin, and memory that a few bytes ask for.
        ("kernels/polynomial", put("expansion.kernel.begin", 0, 10**6), "expansion.kernel.begin"),
        ("kernels/linear-dense", put("expansion.kernel.width", 2**31 - 1), "expansion.kernel.dense"),
        ("kernels/rbf", put("expansion.kernel.value", np.inf), "expansion.kernel.value"),
        (TREES, put("expansion.kernel.node_labels", 10**6), "label"),
        (TREES, put("expansion.kernel.labels", 255), "expansion.kernel.labels"),
        (TREES, put("expansion.kernel.order", 10**6), "expansion.kernel.order"),
        # scipy does not look whether rows end before they begin.
        ("structured/taxonomy-perceptron", take("problem.output_features.indptr", [0, 5, 6, 0]), "output_features"),
        ("structured/taxonomy-perceptron", put("problem.output_features.indices", 10**6), "output_features"),
        ("structured/multiclass-one-slack", take("coef", [1.0] * 1000), "weights"),
        ("structured/multiclass-cost-one-slack", take("problem.losses", [0.0]), "losses"),
        ("structured/sequence-averaged", put("dual.indices", -1), "dual.indices"),
        ("structured/sequence-frank-wolfe", take("state.progress", [1.0]), "progress"),
        ("structured/grammar-perceptron", put("problem.rules", 10**6), "rules"),
        ("structured/grammar-perceptron", put("problem.chain_begin", 5), "chain_begin"),
        ("structured/grammar-spans-perceptron", put("problem.spans.values", 10**6), "spans have values"),
        ("structured/grammar-spans-perceptron", put("problem.spans.value_begin", 1), "span features"),
        ("structured/grammar-spans-perceptron", put("problem.spans.templates", 99), "unknown template"),
        ("structured/grammar-spans-perceptron", put("problem.spans.attributes", -1), "span features"),
        ("structured/grammar-spans-perceptron", put("problem.spans.classes", 10**4), "spans have classes"),
        ("structured/grammar-spans-perceptron", put("problem.spans.features", 10**6), "n_features"),
        ("structured/sequence-perceptron", put("problem.n_wide", 2**40), "n_wide"),
    ],
)  # fmt: skip
def test_arrays(kind, change, field, tmp_path):
    assert field in refusal(kind, change, tmp_path)


def report_as_method(_: Any, arrays: Arrays) -> None:
    arrays["report.predict"] = np.zeros(())


def described(**values: Any) -> Change:
    return lambda manifest, _: manifest["description"].update(values)


def parameters(**values: Any) -> Change:
    return lambda manifest, _: manifest["parameters"].update(values)


def moves_of_numbers(manifest: dict[str, Any], _: Any) -> None:
    problem = manifest["parameters"]["problem"]["$object"]
    problem["parameters"]["transition_features"] = {"$array": [], "dtype": "<i8", "shape": [0]}


@pytest.mark.parametrize(
    ("kind", "change", "words"),
    [
        (LINEAR, described(classes={"dtype": "<U1", "values": 3}), "a list of items"),
        (LINEAR, described(classes={"dtype": "<i8", "values": [3, 1, 2]}), "classes must be sorted"),
        (LINEAR, described(classes={"dtype": "<U99999999", "values": ["a", "b", "c"]}), "too wide"),
        (LINEAR, described(codes=[[1] * 3] * 3), "codes must be those of 3 classes"),
        (LINEAR, described(codes=[[10**9]]), "codes must be those of 3 classes"),
        (LINEAR, described(codes=3), "codes must be those of 3 classes"),
        (LINEAR, lambda manifest, _: manifest.update(description=3), "its description: "),
        (LINEAR, described(n_features_in_=[6]), "n_features_in_"),
        (LINEAR, described(seed=2**80), "seed"),
        ("weights/selection", described(n_features_in_=3), "n_features_in_"),
        (LINEAR, lambda manifest, _: manifest.update(notes=[]), "notes"),
        (
            "structured/grammar-perceptron",
            lambda manifest, _: manifest["description"]["problem"]["rules"].update(starts=[]),
            "starts",
        ),
        # numpy reads beyond the 624 numbers of its generator.
        (
            "weights/arow-codes",
            parameters(random_state={"$random_state": {"$tuple": ["MT19937", mersenne(), 10**6, 0, 0.0]}}),
            "position",
        ),
        (LINEAR, parameters(regularization={"$array": [], "dtype": "<f8"}), "index 0"),
        (LINEAR, lambda manifest, _: manifest.pop("description"), "missing 'description'"),
        ("structured/multiclass-one-slack", report_as_method, "report.predict is not known"),
        ("structured/multiclass-one-slack", parameters(tol="x"), "tol must be a number"),
        # Checked only when features were new, so that the model could be loaded, but not saved and loaded again.
        ("structured/sequence-templates-perceptron", moves_of_numbers, "transition_features must be"),
        (
            "structured/grammar-perceptron",
            lambda manifest, _: manifest["description"]["problem"]["rules"]["symbols"].reverse(),
            "a grammar with a word whose tag is no tag",
        ),
        # An older file, whose notes become a vectorizer when it is loaded.
        ("commands/texts", parameters(n_features=2), "n_features must be None beside a vectorizer"),
    ],
)
def test_manifests(kind, change, words, tmp_path):
    assert words in refusal(kind, change, tmp_path)


@pytest.mark.parametrize("text", ["[]", "3", "[" * 10**5, '{"class": ' * 10**5, '{"a": 1e99999}', "NaN"])
def test_manifests_that_are_none(text, tmp_path, monkeypatch):
    _, _, arrays = unpack(forgeables()[LINEAR].content, "")
    monkeypatch.setattr(json, "dumps", lambda value, dumps=json.dumps, **k: dumps(value) if value else text)
    content = model_file.pack({}, arrays)
    monkeypatch.undo()
    (tmp_path / "a").write_bytes(content)
    with pytest.raises(FormatError):
        hedgerow.load(tmp_path / "a")


def test_notes_are_those_of_a_schema(tmp_path):
    from hedgerow.io.schema import Schema

    for notes in (
        {"columns": 3},
        {"n_features": {"a": 1}},
        {1: 2},
        {"labels": ["int"]},
        {"labels": np.array([1, "int"], dtype=object)},
        {"columns": {"a": np.zeros(2)}},
    ):
        with pytest.raises(FormatError, match="how to read examples"):
            Schema.from_notes(notes)


def test_numbers_beyond_all_learning_leave_no_half_a_model(tmp_path):
    """Coefficients that do not go with the scores: learning makes numbers that are not finite, and cannot go back."""
    kind = kinds()["expansions"]["forgetron-normalized"]
    _, manifest, arrays = unpack(forgeables()["expansions/forgetron-normalized"].content, "")
    coefficients = arrays["expansion.coefficients"].copy()
    coefficients[3:] = 1.7e308
    arrays["expansion.coefficients"] = coefficients
    (tmp_path / "a").write_bytes(pack(manifest, arrays))
    model = hedgerow.load(tmp_path / "a")
    with pytest.raises(ValueError, match=r"was emptied: expansion\.kernel\.weights must be finite"):
        model.partial_fit(*kind.data.more)
    assert len(model.support_) == 0
    model.partial_fit(*kind.data.more)
    assert len(model.predict(kind.data.new)) == len(kind.data.new)


LARGEST = {"i": 1 << 62}
GO_ON = [
    (f"{group}/{name}", kind)
    for group, members in kinds().items()
    for name, kind in members.items()
    if kind.goes_on
]


def learn_from_the_largest(name: str, kind: Any, path: Path) -> int:
    """How often a model with a number at its largest value is loaded; it can be saved and loaded when it has learned.

    It may say that it cannot learn.
    """
    _, manifest, arrays = unpack(forgeables()[name].content, "")
    loaded = 0
    for array in arrays:
        if (largest := LARGEST.get(arrays[array].dtype.kind)) is None or not arrays[array].size:
            continue
        forged = arrays[array].copy()
        forged.ravel()[-1] = min(largest, np.iinfo(forged.dtype).max) if forged.dtype.kind == "i" else largest
        path.write_bytes(pack(manifest, {**arrays, array: forged}))
        try:
            model = hedgerow.load(path)
        except FormatError:
            continue
        loaded += 1
        with suppress(ValueError, OverflowError):
            model.partial_fit(*kind.data.more)
        hedgerow.save(model, path)
        try:
            hedgerow.load(path)
        except FormatError as error:
            raise AssertionError(f"{array} of {name}: {error}") from error
    return loaded


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(
    "name",
    [
        "weights/perceptron-vote",
        "weights/rda-average",
        "weights/fobos-average",
        "expansions/perceptron-vote",
        "structured/grammar-perceptron",
    ],
)
def test_counters_at_their_largest(name, tmp_path):
    """They went on when the model learned, and the file was refused afterwards."""
    assert learn_from_the_largest(name, dict(GO_ON)[name], tmp_path / "a") > 0


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(("name", "kind"), GO_ON, ids=[name for name, _ in GO_ON])
def test_all_counters_at_their_largest(name, kind, tmp_path):
    learn_from_the_largest(name, kind, tmp_path / "a")


def test_votes_of_svmlight_tk(tmp_path):
    content = forgeables()["svmlight-tk/rbf"].content.rstrip()
    (tmp_path / "a").write_bytes(content + b"9" * 30)
    with pytest.raises(FormatError, match="expected a number of votes"):
        read_svmlight_tk_model(tmp_path / "a")


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (b"7 # number of support", b"1e300 # number of support"),
        (b"0 # highest feature", b"1e18 # highest feature"),
        (b"3 # kernel parameter -d", b"nan # kernel parameter -d"),
    ],
)
def test_svmlight_tk(old, new, tmp_path):
    content = forgeables()["svmlight-tk/linear"].content
    assert old in content
    (tmp_path / "a").write_bytes(content.replace(old, new))
    with pytest.raises(FormatError, match="line"):
        read_svmlight_tk_model(tmp_path / "a")
