"""Shards of files: what they hold, what is kept of them, what goes wrong."""

from __future__ import annotations

import gzip
import os
from pathlib import Path

import numpy as np
import pytest

from hedgerow import distributed
from hedgerow.data import FormatError
from hedgerow.distributed import cache
from hedgerow.distributed.shards import FileShard, Shards, survey
from hedgerow.distributed.workers import OnDask, Workers, workers_for


def load(shard):
    return shard.load()


def process(shard):
    return os.getpid()


@pytest.fixture
def parts(tmp_path: Path) -> Path:
    for number in range(4):
        lines = [f"{'+1' if row % 2 else '-1'} {row + 1}:1 {10 + number}:0.5\n" for row in range(6)]
        path = tmp_path / f"part{number}.svm.gz"
        path.write_bytes(gzip.compress("".join(lines).encode()))
    return tmp_path


class TestRead:
    def test_each_file_is_a_shard_or_small_ones_share_one(self, parts):
        assert len(distributed.read(parts / "*.gz")) == 1
        for n in range(1, 5):
            data = distributed.read(parts / "*.gz", shards=n)
            assert len(data) == n
            assert [path for shard in data.parts for path in shard.paths] == sorted(
                map(str, parts.glob("*.gz"))
            )

    def test_too_many_shards_or_no_file(self, parts):
        with pytest.raises(ValueError, match="at most 4, the number of files, got 5"):
            distributed.read(parts / "*.gz", shards=5)
        with pytest.raises(FileNotFoundError, match=r"no file matches .*\.zip"):
            distributed.read(parts / "*.zip")
        with pytest.raises(ValueError, match="format must be"):
            distributed.read(parts / "*.gz", "csv")

    def test_a_survey_settles_width_and_classes(self, parts):
        surveyed = distributed.read(parts / "*.gz", shards=4).surveyed(Workers())
        assert surveyed.counts.tolist() == [6] * 4
        assert surveyed.classes.tolist() == [-1, 1]
        X, y = surveyed.shards[0].load()
        assert X.shape == (6, 13)
        assert y.tolist() == [-1, 1] * 3

    def test_sentences_in_columns(self, tmp_path):
        (tmp_path / "a.txt").write_text("He PRP B\nruns VBZ I\n\nIt PRP B\n")
        (shard,) = distributed.read(tmp_path / "a.txt", "columns").parts
        X, Y = shard.load()
        assert X == [[("He", "PRP"), ("runs", "VBZ")], [("It", "PRP")]]
        assert Y == [["B", "I"], ["B"]]
        assert survey(shard).n == 2

    def test_brackets(self, tmp_path):
        (tmp_path / "a.mrg").write_text("x (S (A a))\ny (S (B b))\n")
        data = distributed.read(tmp_path / "a.mrg")
        assert data.surveyed(Workers()).classes.tolist() == ["x", "y"]
        assert len(data.surveyed(Workers()).shards[0].load()[0]) == 2


class TestCache:
    def test_a_shard_is_read_once_until_its_file_changes(self, parts):
        cache.clear()
        (shard, *_) = distributed.read(parts / "*.gz", shards=4).surveyed(Workers()).shards
        first, _ = shard.load()
        assert shard.load()[0] is first
        path = Path(shard.paths[0])
        path.write_text("1 1:1\n")
        assert shard.load()[0].shape[0] == 1

    def test_what_was_not_used_for_longest_goes_first(self, monkeypatch):
        cache.clear()
        monkeypatch.setenv(cache.ROOM, "1")
        made = []

        def make(name):
            return lambda: made.append(name) or np.zeros(60_000)

        for name in "abaca":
            cache.get(name, (), make(name))
        assert made == ["a", "b", "c"]
        cache.get("b", (), make("b"))
        assert made[-1] == "b"


class TestWorkers:
    def test_results_come_in_order(self, client, parts):
        data = distributed.read(parts / "*.gz", shards=4)
        for workers in (Workers(), OnDask(client)):
            for ahead in (True, False):
                loaded = list(workers.map(load, data.surveyed(Workers()).shards, ahead=ahead))
                assert [X[0, 9 + number] for number, (X, _) in enumerate(loaded)] == [0.5] * 4

    def test_a_shard_stays_with_its_worker(self, client, parts):
        workers = workers_for(client)
        shards = distributed.read(parts / "*.gz", shards=4).parts
        first = list(workers.map(process, shards))
        assert len(set(first)) == 2
        assert list(workers.map(process, shards)) == first

    @pytest.mark.parametrize("sizes", [[5] * 8, [1] * 9, [40, 1, 9, 30, 2, 2, 1, 5, 0], [3]])
    @pytest.mark.parametrize("threads", [{"a": 1, "b": 1}, {"a": 1, "b": 3, "c": 2}])
    def test_workers_get_their_share_and_keep_it(self, sizes, threads):
        shards = [FileShard((f"part{number}",), reader=None, size=size) for number, size in enumerate(sizes)]
        workers = OnDask(None)

        def assigned(threads):
            workers._assign(shards, threads)
            return [workers._homes[number] for number in range(len(shards))]

        def is_fair(homes, threads):
            counted = [max(1, size) for size in sizes]
            share = sum(counted) / sum(threads.values())
            loads = {
                home: sum(size for own, size in zip(homes, counted, strict=True) if own == home)
                for home in threads
            }
            return all(loads[home] < share * threads[home] + max(counted) for home in threads)

        first = assigned(threads)
        assert is_fair(first, threads)
        assert assigned(threads) == first
        fewer = {home: n for home, n in threads.items() if home != "a"}
        after_loss = assigned(fewer)
        assert "a" not in after_loss
        assert is_fair(after_loss, fewer)
        assert all(now == before for now, before in zip(after_loss, first, strict=True) if before != "a")
        assert is_fair(assigned({**fewer, "z": 4}), {**fewer, "z": 4})

    def test_a_broken_file_is_named(self, client, parts):
        (parts / "part2.svm.gz").write_bytes(gzip.compress(b"1 1:1\n1 x:1\n"))
        data = distributed.read(parts / "*.gz", shards=4)
        for workers in (Workers(), OnDask(client)):
            with pytest.raises(FormatError, match=r"part2\.svm\.gz, line 2"):
                data.surveyed(workers)

    def test_a_missing_file_is_named(self, client, parts):
        data = distributed.read(parts / "*.gz", shards=4)
        (parts / "part1.svm.gz").unlink()
        for workers in (Workers(), OnDask(client)):
            with pytest.raises(FileNotFoundError, match=r"part1\.svm\.gz"):
                data.surveyed(workers)


class TestDaskCollections:
    def test_arrays_and_bags(self, client):
        bag, array = pytest.importorskip("dask.bag"), pytest.importorskip("dask.array")
        trees = bag.from_sequence(["(S a)", "(S b)", "(S c)", "(S d)"], npartitions=2)
        labels = array.from_array(np.array([0, 1, 1, 0]), chunks=2)
        data = distributed.from_dask(trees, labels)
        for workers in (Workers(), OnDask(client)):
            assert isinstance(data, Shards)
            loaded = list(workers.map(load, data.parts))
            assert [X for X, _ in loaded] == [["(S a)", "(S b)"], ["(S c)", "(S d)"]]
        assert data.surveyed(OnDask(client)).classes.tolist() == [0, 1]

    def test_parts_must_fit(self):
        array = pytest.importorskip("dask.array")
        X = array.zeros((4, 4), chunks=(2, 2))
        with pytest.raises(ValueError, match="rechunk"):
            distributed.from_dask(X)
        with pytest.raises(ValueError, match="2 partitions, but y has 1"):
            distributed.from_dask(X.rechunk((2, 4)), array.zeros(4, chunks=4))
        with pytest.raises(TypeError, match="Dask bag, array or dataframe, got a list"):
            distributed.from_dask([[1.0]])
