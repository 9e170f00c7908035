"""Learners on weights over shards from everywhere, with workers, and mishaps."""

from __future__ import annotations

import gzip
import os
import signal
from itertools import pairwise
from typing import Any, ClassVar

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy import sparse
from sklearn.base import clone

from hedgerow import distributed, online
from hedgerow.data import FormatError
from hedgerow.distributed.shards import GivenShard, Shards
from hedgerow.feature_extraction import TextHasher
from hedgerow_papers.datasets import load_newsgroups
from tests.distributed.weight_shards import (
    WIDTH,
    N,
    X,
    Y,
    assert_same,
    each,
    model_of,
    sharded,
)

NEWSGROUP_LEARNERS = {
    "perceptron": online.Perceptron(),
    "averaged perceptron": online.Perceptron(averaging="average"),
    "PA-I": online.PassiveAggressive(),
}


class TestSources:
    """The same examples give the same model, wherever they are."""

    bounds = (0, 24, 48, 64)

    def expected(self, **parameters: Any) -> Any:
        return distributed.fit(model_of("PA-I", **parameters), sharded(bounds=self.bounds))

    def test_arrays(self, client):
        array = pytest.importorskip("dask.array")
        rows = array.from_array(X, chunks=(24, WIDTH))
        y = array.from_array(Y, chunks=24)
        for blocks in (rows, rows.map_blocks(sparse.csr_matrix)):
            for workers in (None, client):
                model = distributed.fit(model_of("PA-I"), distributed.from_dask(blocks, y), client=workers)
                assert_same(model, self.expected())

    def test_bags(self, client):
        bag = pytest.importorskip("dask.bag")
        data = distributed.from_dask(
            bag.from_sequence(X.tolist(), partition_size=24), bag.from_sequence(Y.tolist(), partition_size=24)
        )
        for workers in (None, client):
            assert_same(distributed.fit(model_of("PA-I"), data, client=workers), self.expected())

    def test_data_frames(self, client):
        pandas, frames = pytest.importorskip("pandas"), pytest.importorskip("dask.dataframe")
        columns = [f"column {j}" for j in range(WIDTH)]
        table = pandas.DataFrame(X, columns=columns).assign(label=Y)
        parts = frames.concat(
            [frames.from_pandas(table[a:b], npartitions=1) for a, b in pairwise(self.bounds)]
        )
        for workers in (None, client):
            data = distributed.from_dask(parts[columns], parts["label"])
            model = distributed.fit(model_of("PA-I"), data, client=workers)
            assert_array_equal(model.coef_, self.expected().coef_)
            assert model.feature_names_in_.tolist() == columns
            assert_array_equal(model.predict(table[columns]), self.expected().predict(X))

    def test_files(self, client, folder):
        for workers in (None, client):
            model = distributed.fit(model_of("PA-I"), read(folder), client=workers)
            assert_allclose(model.coef_, self.expected().coef_, rtol=1e-12)
            assert model.classes_.tolist() == ["high", "low", "middle"]

    def test_vectors_of_different_lengths(self):
        parts = [(X[:32], Y[:32]), (X[32:, :9], Y[32:])]
        data = Shards([GivenShard(*part, f"block {k}", os.urandom(8).hex()) for k, part in enumerate(parts)])
        with pytest.raises(
            ValueError, match="block 1 has vectors of 9 features, but block 0 has vectors of 14"
        ):
            distributed.fit(model_of("PA-I"), data)


@pytest.fixture
def folder(tmp_path: Any) -> Any:
    for number, (a, b) in enumerate(pairwise(TestSources.bounds)):
        lines = [
            " ".join([y, *(f"{j + 1}:{x[j]!r}" for j in np.flatnonzero(x))]) + "\n"
            for x, y in zip(X[a:b].tolist(), Y[a:b], strict=True)
        ]
        (tmp_path / f"part{number}.svm").write_text("".join(lines))
    (tmp_path / "part3.svm").write_text("")
    return tmp_path


def read(folder: Any) -> Shards:
    return distributed.read(folder / "part*.svm", shards=4)


@pytest.fixture(scope="module")
def one_worker() -> Any:
    with distributed.connected(workers=1) as client:
        yield client


class TestWorkers:
    options: ClassVar[dict[str, Any]] = {"averaging": "average", "shuffle": True, "random_state": 3}

    @each
    def test_two_give_the_same(self, name, client):
        here = distributed.fit(model_of(name, **self.options), sharded())
        assert_same(distributed.fit(model_of(name, **self.options), sharded(), client=client), here)

    @pytest.mark.slow
    @each
    def test_one_gives_the_same(self, name, one_worker):
        here = distributed.fit(model_of(name, **self.options), sharded())
        assert_same(distributed.fit(model_of(name, **self.options), sharded(), client=one_worker), here)

    @pytest.mark.slow
    def test_a_worker_that_is_killed_changes_nothing(self):
        options = {"averaging": "average", "epochs": 4}
        with distributed.connected(workers=2) as client:
            victims = list(client.run(os.getpid).values())[:1]

            def kill(progress: distributed.Progress) -> None:
                # In the midst of a round: others wait for what the worker has learned.
                if progress.round == 2 and victims:
                    os.kill(victims.pop(), signal.SIGKILL)

            killed = distributed.fit(model_of("RDA", **options), sharded(), client=client, watch=kill)
        assert not victims
        assert_same(killed, distributed.fit(model_of("RDA", **options), sharded()))

    def test_tasks_may_run_twice(self):
        """A task changes nothing of what it is given."""
        from hedgerow.distributed import weight_mixing

        (shard,) = sharded(bounds=(0, N)).parts
        learner = model_of("RDA", averaging="average")
        learner.classes_ = np.unique(Y)
        arrays = learner._new_native(learner.classes_, np.random.RandomState(0)).save()
        before = {name: values.copy() for name, values in arrays.items()}
        start = weight_mixing.Start(learner, arrays, 0, 0, False)
        changes = [weight_mixing.epoch(shard, 0, start).change for _ in range(2)]
        assert_array_equal(changes[0].cells, changes[1].cells)
        for name, values in before.items():
            assert_array_equal(arrays[name], values)

    def test_interrupted_it_keeps_the_rounds_so_far(self, client):
        def stop(progress: distributed.Progress) -> None:
            if progress.round == 3 and progress.done > 10:
                raise KeyboardInterrupt

        for workers in (None, client):
            model = model_of("AROW", averaging="average", epochs=5)
            with pytest.raises(KeyboardInterrupt):
                distributed.fit(model, sharded(), client=workers, watch=stop)
            assert_same(model, distributed.fit(model_of("AROW", averaging="average"), sharded(), rounds=2))

    def test_progress(self):
        seen: list[distributed.Progress] = []
        distributed.fit(model_of("PA-I"), sharded(), rounds=2, watch=seen.append)
        assert [(p.round, p.rounds, p.done, p.total) for p in seen] == [
            (number, 2, done, N) for number in (1, 2) for done in (10, 40, 48, N)
        ]


class TestErrors:
    def test_a_broken_file_is_named(self, client, folder):
        (folder / "part1.svm").write_text("low 1:2\nhigh 3:x\n")
        for workers in (None, client):
            with pytest.raises(FormatError, match=r"part1\.svm, line 2"):
                distributed.fit(model_of("PA-I"), read(folder), client=workers)

    def test_a_file_that_breaks_on_the_way_is_named(self, client, folder):
        for workers in (None, client):
            data = read(folder)
            data.surveyed(distributed.workers.workers_for(workers))
            good = (folder / "part1.svm").read_text()
            (folder / "part1.svm").write_text("low 1:2\nhigh 3:x\n")
            with pytest.raises(FormatError, match=r"part1\.svm, line 2"):
                distributed.fit(model_of("PA-I"), data, client=workers)
            (folder / "part1.svm").write_text("low 1:2\nelsewhere 3:1\n")
            with pytest.raises(ValueError, match=r"part1\.svm: .*'elsewhere'"):
                distributed.fit(model_of("PA-I"), data, client=workers)
            (folder / "part1.svm").write_text(good)

    def test_a_missing_file_is_named(self, client, folder):
        data = read(folder)
        (folder / "part2.svm").unlink()
        for workers in (None, client):
            with pytest.raises(FileNotFoundError, match=r"part2\.svm"):
                distributed.fit(model_of("PA-I"), data, client=workers)

    def test_what_learners_do_not_like_is_named(self, client):
        rows = X.copy()
        rows[20, 3] = -1
        for workers in (None, client):
            with pytest.raises(ValueError, match=r"part 2: Negative values .* -1\.0 in row 10"):
                distributed.fit(model_of("balanced Winnow"), sharded(rows), client=workers)

    def test_what_cannot_be_mixed(self):
        with pytest.raises(ValueError, match="averaging must not be 'vote'"):
            distributed.fit(model_of("AROW", averaging="vote"), sharded())
        with pytest.raises(ValueError, match="max_features must be None"):
            distributed.fit(online.ModifiedBalancedWinnow(max_features=5), sharded())
        with pytest.raises(ValueError, match="trace_every must be None"):
            distributed.fit(model_of("AROW", trace_every=5), sharded())
        with pytest.raises(ValueError, match="rounds must be"):
            distributed.fit(model_of("AROW"), sharded(), rounds=0)
        with pytest.raises(ValueError, match="C must be"):
            distributed.fit(online.PassiveAggressive(C=-1), sharded())
        with pytest.raises(ValueError, match="only one class"):
            distributed.fit(online.AROW(), sharded(y=np.full(N, "low")))
        with pytest.raises(ValueError, match="no example in the data"):
            distributed.fit(online.AROW(), sharded(bounds=(0, 0, 0)))

    def test_learners_of_others_are_mixed_as_their_rule_is(self):
        class Mine(online.Perceptron):
            pass

        mine, plain = (kind(random_state=0) for kind in (Mine, online.Perceptron))
        assert_same(distributed.fit(mine, sharded()), distributed.fit(plain, sharded()))


@pytest.mark.slow
@pytest.mark.shared_data
class TestNewsgroups:
    """Five rounds over eight files by two workers, against five epochs on one machine."""

    @pytest.mark.parametrize("name", NEWSGROUP_LEARNERS)
    def test_within_half_a_point(self, name, posts, client):
        data, (X, y), test = posts
        learner = NEWSGROUP_LEARNERS[name].set_params(epochs=5, vectorizer=TextHasher(n_features=2**18))
        local = clone(learner).fit(X, y)
        mixed = distributed.fit(clone(learner), data, client=client)
        assert mixed.n_seen_ == local.n_seen_ == 5 * len(y)
        assert mixed.score(*test) > local.score(*test) - 0.005


@pytest.fixture(scope="class")
def posts(data_folder, tmp_path_factory):
    """The shards, all examples, and those to test on."""
    folder = tmp_path_factory.mktemp("posts")
    texts, y = load_newsgroups(data_folder)
    order = np.random.RandomState(0).permutation(len(y))
    for number, rows in enumerate(np.array_split(order, 8)):
        lines = "".join(f"{y[row]}\t{texts[row]}\n" for row in rows)
        (folder / f"part{number}.txt.gz").write_bytes(gzip.compress(lines.encode()))
    data = distributed.read(folder / "*.txt.gz", "text", shards=8)
    texts_test, y_test = load_newsgroups(data_folder, "test")
    return data, ([texts[row] for row in order], y[order]), (texts_test, y_test)
