"""Cutting planes over shards: the result is that of one machine, whoever does the work and whatever happens to them."""

from __future__ import annotations

import os
import pickle
import signal
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy import sparse

from hedgerow import Forest, distributed
from hedgerow.data import FormatError
from hedgerow.distributed import sharded_sums, some_examples
from hedgerow.distributed.shards import GivenShard, Shards
from hedgerow.io import iter_svmlight_tk
from hedgerow.kernels import Normalized, SubsetTree
from hedgerow.svm import CuttingPlaneSVC, cutting_rounds
from tests.svm.data import BINARY, CLASSES, KERNELS, TREES, N

pytestmark = pytest.mark.filterwarnings("ignore:stopped after:sklearn.exceptions.ConvergenceWarning")
SST = Normalized(SubsetTree())
SAMPLINGS = (None, "importance", "uniform")


def sharded(X: Any, y: Any, bounds: tuple[int, ...] = (0, 20, 55, 56, N)) -> Shards:
    """In parts of unequal size."""
    X = X.tocsr() if sparse.issparse(X) else X
    parts = [(X[a:b], y[a:b]) for a, b in pairwise(bounds)]
    return Shards([GivenShard(*part, f"part {k}", os.urandom(8).hex()) for k, part in enumerate(parts)])


def machine(kernel: Any, sampling: str | None = None, **parameters: Any) -> CuttingPlaneSVC:
    """One that needs more rounds than are worth the time of a test."""
    how = {"tol": 0.01, "max_iter": 8, "random_state": 3, **parameters}
    if sampling is not None:
        how.setdefault("sample_size", 25)
    return CuttingPlaneSVC(kernel, sampling=sampling, **how)


def assert_same(model: CuttingPlaneSVC, expected: CuttingPlaneSVC) -> None:
    """To the last bit: cuts of the same examples have the same values, wherever these are."""
    assert_array_equal(model.classes_, expected.classes_)
    assert_array_equal(model.n_iter_, expected.n_iter_)
    assert_array_equal(model.support_, expected.support_)
    assert_array_equal(model.dual_coef_, expected.dual_coef_)
    assert_array_equal(model.dual_objective_, expected.dual_objective_)
    assert_array_equal(model.violation_, expected.violation_)
    for name in ("function", "iteration", "objective", "dual_objective", "violation", "support"):
        assert_array_equal(getattr(model.trace_, name), getattr(expected.trace_, name))
    assert model.converged_ == expected.converged_


class TestEqualsOneMachine:
    @pytest.mark.parametrize("name", KERNELS)
    @pytest.mark.parametrize(
        "sampling", [None, *(pytest.param(sampling, marks=pytest.mark.slow) for sampling in SAMPLINGS[1:])]
    )
    def test_every_kernel(self, client, name, sampling):
        kernel, X = KERNELS[name]
        expected = machine(kernel, sampling).fit(X, BINARY)
        for workers in (None, client):
            model = distributed.fit(machine(kernel, sampling), sharded(X, BINARY), client=workers)
            assert_same(model, expected)
            assert_array_equal(model.decision_function(X), expected.decision_function(X))

    @pytest.mark.parametrize("sampling", SAMPLINGS)
    def test_several_classes_weights_and_precision(self, client, sampling):
        how = {"class_weight": {"other": 3.0}, "cost_factor": "balanced", "precision": "single", "C": 5.0}
        expected = machine(SST, sampling, **how).fit(TREES, CLASSES)
        for workers in (None, client):
            model = distributed.fit(machine(SST, sampling, **how), sharded(TREES, CLASSES), client=workers)
            assert_same(model, expected)
            assert_array_equal(model.predict(TREES), expected.predict(TREES))

    @pytest.mark.parametrize("at_hand", [0, 50_000])
    def test_first_guess_over_few_examples_here_or_many_there(self, client, monkeypatch, at_hand):
        monkeypatch.setattr(cutting_rounds, "GUESS_FROM", 40)
        monkeypatch.setattr(sharded_sums, "AT_HAND", at_hand)
        expected = machine(SST).fit(TREES, BINARY)
        for workers in (None, client):
            assert_same(distributed.fit(machine(SST), sharded(TREES, BINARY), client=workers), expected)

    @pytest.mark.parametrize("at_hand", [1, 60])
    def test_samples_of_few_rounds_at_a_time(self, monkeypatch, at_hand):
        monkeypatch.setattr(some_examples, "AT_HAND", at_hand)
        how = {"sample_size": 8, "max_iter": 80}  # some cuts are forgotten on the way
        expected = machine(SST, "uniform", **how).fit(TREES, CLASSES)
        assert_same(distributed.fit(machine(SST, "uniform", **how), sharded(TREES, CLASSES)), expected)

    @pytest.mark.slow
    def test_number_of_workers(self, client):
        with distributed.connected(workers=1) as alone:
            one, two = (
                distributed.fit(machine(SST), sharded(TREES, BINARY), client=workers)
                for workers in (alone, client)
            )
        assert_same(one, two)

    def test_dask_collections(self, client):
        bag, array = pytest.importorskip("dask.bag"), pytest.importorskip("dask.array")
        kernel, X = KERNELS["linear"]
        y = array.from_array(BINARY, chunks=40)
        data = distributed.from_dask(array.from_array(X, chunks=(40, 4)), y)
        assert_same(distributed.fit(machine(kernel), data, client=client), machine(kernel).fit(X, BINARY))
        trees = bag.from_sequence(TREES.to_brackets(), partition_size=40)
        model = distributed.fit(machine(SST), distributed.from_dask(trees, y), client=client)
        assert_same(model, machine(SST).fit(TREES, BINARY))

    def test_frames(self):
        frames = pytest.importorskip("pandas")
        kernel, X = KERNELS["rbf"]
        frame = frames.DataFrame(X, columns=list("abcd"))
        data = Shards(
            [
                GivenShard(frame[a:b], frames.Series(BINARY[a:b]), f"rows from {a}", os.urandom(8).hex())
                for a, b in pairwise((0, 50, N))
            ]
        )
        for sampling in SAMPLINGS:
            model = distributed.fit(machine(kernel, sampling), data)
            assert_same(model, machine(kernel, sampling).fit(frame, BINARY))
            assert model.feature_names_in_.tolist() == list("abcd")

    def test_an_ordinary_machine(self, client, tmp_path):
        from hedgerow import persistence

        model = distributed.fit(machine(SST), sharded(TREES, BINARY), client=client)
        persistence.save(model, tmp_path / "model.hedgerow")
        for copy in (pickle.loads(pickle.dumps(model)), persistence.load(tmp_path / "model.hedgerow")):
            assert_array_equal(copy.decision_function(TREES), model.decision_function(TREES))
        assert model.support_items_.to_brackets() == TREES[model.support_].to_brackets()


class TestFiles:
    @pytest.fixture
    def folder(self, tmp_path: Path) -> Path:
        lines = [f"{y} |BT| {tree} |ET|\n" for y, tree in zip(BINARY, TREES.to_brackets(), strict=True)]
        for part in range(3):
            (tmp_path / f"part{part}.tk").write_text("".join(lines[part * 30 : part * 30 + 30]))
        return tmp_path

    @pytest.mark.parametrize("sampling", SAMPLINGS)
    def test_the_same_as_their_examples(self, client, folder, sampling):
        expected = machine(SST, sampling).fit(TREES, BINARY)
        for workers in (None, client):
            data = distributed.read(folder / "part*.tk", shards=3)
            assert_same(distributed.fit(machine(SST, sampling), data, client=workers), expected)

    def test_uniform_samples_keep_no_shard(self, folder, monkeypatch):
        def load(self: Any) -> Any:
            raise AssertionError("all of a shard was read")

        monkeypatch.setattr("hedgerow.distributed.shards.FileShard.load", load)
        data = distributed.read(folder / "part*.tk", shards=3)
        assert distributed.fit(machine(SST, "uniform", max_iter=100), data).converged_

    @pytest.mark.parametrize("sampling", SAMPLINGS)
    def test_a_file_that_breaks_on_the_way_is_named(self, client, folder, sampling):
        for workers in (None, client):
            data = distributed.read(folder / "part*.tk", shards=3)
            data.surveyed(distributed.workers.workers_for(workers))
            path = folder / "part1.tk"
            good = path.read_text()
            path.write_text("+1 |BT| (S (A a) |ET|\n")
            with pytest.raises(FormatError, match=r"part1\.tk, line 1"):
                distributed.fit(machine(SST, sampling), data, client=workers)
            path.write_text(good)

    def test_labels_are_needed(self):
        data = Shards([GivenShard(TREES, None, "all", os.urandom(8).hex())])
        with pytest.raises(ValueError, match="needs a label for each example"):
            distributed.fit(machine(SST), data)
        with pytest.raises(ValueError, match="only one class"):
            distributed.fit(machine(SST), sharded(TREES, np.ones(N)))

    def test_what_is_not_for_machines(self):
        with pytest.raises(ValueError, match="rounds is not for CuttingPlaneSVC"):
            distributed.fit(machine(SST), sharded(TREES, BINARY), rounds=3)


class TestMishaps:
    @pytest.mark.slow
    def test_a_lost_worker_changes_nothing(self):
        expected = machine(SST).fit(TREES, BINARY)
        with distributed.connected(workers=2) as client:
            victims = list(client.run(os.getpid).values())[:1]

            def watch(progress: distributed.Progress) -> None:
                if progress.round == 3 and victims:
                    os.kill(victims.pop(), signal.SIGKILL)

            model = distributed.fit(machine(SST), sharded(TREES, BINARY), client=client, watch=watch)
        assert not victims
        assert_same(model, expected)

    @pytest.mark.parametrize("sampling", SAMPLINGS)
    def test_interrupted_it_keeps_what_it_has(self, client, sampling):
        def watch(progress: distributed.Progress) -> None:
            if progress.round == 4:
                raise KeyboardInterrupt

        model = machine(SST, sampling)
        with pytest.raises(KeyboardInterrupt):
            distributed.fit(model, sharded(TREES, BINARY), client=client, watch=watch)
        assert not model.converged_
        assert len(model.trace_) == (4 if sampling == "uniform" else 3)
        expected = machine(SST, sampling, max_iter=len(model.trace_)).fit(TREES, BINARY)
        assert_array_equal(model.decision_function(TREES), expected.decision_function(TREES))

    def test_progress(self, client):
        seen: list[distributed.Progress] = []
        model = distributed.fit(machine(SST), sharded(TREES, BINARY), client=client, watch=seen.append)
        assert [progress.done for progress in seen[:4]] == [20, 55, 56, N]
        assert {progress.round for progress in seen} == set(
            range(1, model.n_iter_[0] + 2)
        )  # and supports are chosen
        assert "violation" in str(seen[-1])


@pytest.mark.slow
@pytest.mark.shared_data
def test_argument_boundaries(client, data_folder, tmp_path):
    """Exact cuts over real trees, with a first guess, and few files for each worker."""
    X, y = next(iter_svmlight_tk(data_folder / "srl_ewt/test.tk.gz", 8000, labels="int", columns=("tree",)))
    data = sharded(X, y, tuple(range(0, 8001, 2000)))
    for sampling in SAMPLINGS:
        how = {"sampling": sampling, "random_state": 0, "tol": 0.01, "max_iter": 30}
        expected = CuttingPlaneSVC(SST, **how).fit(X, y)
        model = distributed.fit(CuttingPlaneSVC(SST, **how), data, client=client)
        assert_same(model, expected)
        assert_allclose(model.dual_objective_, expected.dual_objective_, rtol=1e-9)
        assert isinstance(model.support_items_, Forest)
