"""Structured learners over shards: against one machine, against slow versions, with and without workers."""

from __future__ import annotations

import gzip
import os
import pickle
import signal

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning

from hedgerow import distributed, persistence
from hedgerow.data import FormatError
from hedgerow.distributed import cache
from hedgerow.kernels import RBF
from hedgerow.structured import (
    GrammarSVC,
    LabelSequence,
    Multiclass,
    SequenceSVC,
    StringMapping,
    StructuredPerceptron,
    StructuredSVM,
    TaxonomySVC,
    span_scores,
)
from hedgerow.structured.problem import Binding
from hedgerow_papers.datasets import load_conll2000
from tests.distributed.structured_shards import (
    dense,
    in_shards,
    inputs_and_labels,
    slow_mixing,
    write_sentences,
)
from tests.structured.tiny_problems import Tags, make_tags

VARIANTS = {"perceptron": 1.0, "PA": 1.0, "PA-I": 0.05, "PA-II": 0.05}  # with their C; two have none

TEMPLATES = ["word[0]", "word[-1]"]


def tagger():
    return LabelSequence(templates=TEMPLATES)


def perceptron(**options):
    return StructuredPerceptron(tagger(), **{"epochs": 4, "averaging": "average", **options})


def machine(**options):
    return StructuredSVM(tagger(), **{"C": 0.1, "solver": "one-slack", **options})


def all_of(data):
    parts = inputs_and_labels(data)
    return [x for X, _ in parts for x in X], [y for _, Y in parts for y in Y]


@pytest.fixture
def folder(tmp_path):
    return write_sentences(tmp_path)


@pytest.fixture
def data(folder):
    return in_shards(folder)


def assert_same(model, other):
    """Bit for bit."""
    assert np.array_equal(model.coef_, other.coef_)
    if isinstance(model, StructuredPerceptron):
        for name in ("mistakes_", "n_updates_", "n_seen_"):
            assert getattr(model, name) == getattr(other, name)
        assert np.array_equal(model._native().late(), other._native().late())
    else:
        assert (model.objective_, model.dual_objective_, model.n_iter_) == (
            other.objective_,
            other.dual_objective_,
            other.n_iter_,
        )


class TestMixing:
    @pytest.mark.parametrize("variant", VARIANTS)
    @pytest.mark.parametrize("averaging", [None, "average"])
    def test_rounds_over_one_shard_are_epochs(self, folder, variant, averaging):
        data = in_shards(folder, 1)
        local = perceptron(variant=variant, averaging=averaging, C=VARIANTS[variant]).fit(*all_of(data))
        mixed = distributed.fit(perceptron(variant=variant, averaging=averaging, C=VARIANTS[variant]), data)
        assert np.allclose(mixed.coef_, local.coef_, rtol=0, atol=1e-13)
        for name in ("mistakes_", "n_updates_", "n_seen_"):
            assert getattr(mixed, name) == getattr(local, name)
        ends = np.isin(local.trace_.examples, mixed.trace_.examples)
        for name in ("examples", "mistakes", "loss"):
            assert np.allclose(getattr(mixed.trace_, name), getattr(local.trace_, name)[ends])

    @pytest.mark.parametrize("variant", VARIANTS)
    def test_against_a_slow_version(self, data, variant):
        model = distributed.fit(perceptron(variant=variant, C=VARIANTS[variant]), data, rounds=3)
        last, mean, mistakes = slow_mixing(
            model.problem_, inputs_and_labels(data), 3, variant, VARIANTS[variant]
        )
        assert np.allclose(model.coef_, dense(mean, len(model.coef_)), rtol=0, atol=1e-12)
        model.averaging, model._coef = None, None
        assert np.allclose(model.coef_, dense(last, len(model.coef_)), rtol=0, atol=1e-12)
        assert model.mistakes_ == mistakes
        assert model.n_seen_ == 3 * 42
        assert model.trace_.examples.tolist() == [42, 84, 126]

    def test_a_shuffled_pass_depends_on_seed_round_and_shard(self, data):
        models = [distributed.fit(perceptron(shuffle=True, random_state=seed), data) for seed in (0, 0, 1)]
        assert_same(*models[:2])
        assert not np.array_equal(models[0].coef_, models[2].coef_)

    def test_saved_and_resumed(self, data, tmp_path):
        X, Y = all_of(data)
        model = distributed.fit(perceptron(variant="PA-I"), data)
        persistence.save(model, tmp_path / "model")
        copies = [persistence.load(tmp_path / "model"), pickle.loads(pickle.dumps(model))]
        model.partial_fit(X, Y)
        assert model.n_seen_ == 5 * len(X)
        for copy in copies:
            assert_same(copy.partial_fit(X, Y), model)
            assert copy.predict(X) == model.predict(X)

    def test_interrupted_it_keeps_the_rounds_so_far(self, data):
        def stop(progress):
            if progress.round == 3 and progress.done == progress.total:
                raise KeyboardInterrupt

        model = perceptron()
        with pytest.raises(KeyboardInterrupt):
            distributed.fit(model, data, watch=stop)
        assert_same(model, distributed.fit(perceptron(), data, rounds=2))

    def test_progress(self, data):
        seen = []
        distributed.fit(perceptron(), data, rounds=2, watch=seen.append)
        assert [(p.round, p.rounds, p.done, p.total) for p in seen] == [
            (number, 2, done, 42) for number in (1, 2) for done in (9, 21, 28, 42)
        ]
        assert "mistakes" in seen[-1].words

    def test_what_it_does_not_do(self, data):
        with pytest.raises(ValueError, match="dual=True is for learning on one machine"):
            distributed.fit(perceptron(dual=True), data)
        with pytest.raises(ValueError, match="LabelSequence with kernel does not learn from shards"):
            distributed.fit(StructuredPerceptron(LabelSequence(kernel=RBF())), data)
        with pytest.raises(ValueError, match="StringMapping with input_kernel does not learn from shards"):
            distributed.fit(StructuredPerceptron(StringMapping()), data)


class TestOneSlack:
    @pytest.mark.parametrize("rescaling", ["margin", "slack", None])
    def test_within_epsilon_of_one_machine(self, data, rescaling):
        local = machine(rescaling=rescaling).fit(*all_of(data))
        model = distributed.fit(machine(rescaling=rescaling), data)
        assert model.converged_
        assert model.certificate_ <= model.tol
        assert model.dual_objective_ <= local.objective_
        assert local.dual_objective_ <= model.objective_
        assert len(model.coef_) == len(local.coef_)

    def test_the_same_optimum(self, data):
        local = machine(tol=1e-5).fit(*all_of(data))
        model = distributed.fit(machine(tol=1e-5), data)
        assert np.allclose(model.coef_, local.coef_, rtol=0, atol=2e-3)
        assert model.objective_ == pytest.approx(local.objective_, rel=1e-4)

    def test_one_shard_makes_the_cuts_of_one_machine(self, folder):
        data = in_shards(folder, 1)
        local = machine(max_iter=1)
        with pytest.warns(ConvergenceWarning, match="after 1 iterations"):
            local.fit(*all_of(data))
        model = machine(max_iter=1)
        with pytest.warns(ConvergenceWarning, match="after 1 iterations"):
            distributed.fit(model, data)
        assert model.objective_ == local.objective_

    def test_interrupted_it_keeps_the_best_so_far(self, data):
        def stop(progress):
            if progress.round == 4:
                raise KeyboardInterrupt

        model = machine(tol=1e-4)
        with pytest.raises(KeyboardInterrupt):
            distributed.fit(model, data, watch=stop)
        assert model.n_iter_ == 3
        assert not model.converged_
        assert len(model.predict(all_of(data)[0])) == 42

    def test_saved(self, data, tmp_path):
        model = distributed.fit(machine(), data)
        persistence.save(model, tmp_path / "model")
        copy = persistence.load(tmp_path / "model")
        assert_same(copy, model)
        assert copy.predict(all_of(data)[0]) == model.predict(all_of(data)[0])

    def test_other_solvers_are_refused(self, data):
        with pytest.raises(ValueError, match=r"'n-slack' does not learn from shards.*'one-slack'"):
            distributed.fit(machine(solver="n-slack"), data)
        with pytest.raises(ValueError, match="max_iter limits the rounds"):
            distributed.fit(machine(), data, rounds=3)
        with pytest.raises(ValueError, match="Multiclass with kernel does not learn from shards"):
            distributed.fit(StructuredSVM(Multiclass(RBF())), data)


MODELS = {
    "averaged": perceptron(),
    "passive-aggressive": perceptron(variant="PA-I", shuffle=True, random_state=3),
    "one-slack": machine(),
}


class TestWorkers:
    @pytest.mark.parametrize("name", MODELS)
    def test_any_number_gives_the_same(self, name, client, data):
        here = distributed.fit(clone(MODELS[name]), data)
        two = distributed.fit(clone(MODELS[name]), data, client=client)
        assert_same(two, here)

    @pytest.mark.slow
    def test_one_worker(self, data):
        with distributed.connected(workers=1) as client:
            one = distributed.fit(perceptron(), data, client=client)
        assert_same(one, distributed.fit(perceptron(), data))

    @pytest.mark.slow
    def test_a_worker_that_is_killed_changes_nothing(self, data):
        killed = perceptron(variant="PA-I")
        with distributed.connected(workers=2) as client:
            victims = list(client.run(os.getpid).values())[:1]

            def kill(progress):
                # In the midst of a round: the worker has what it has bound and learned, and others wait for it.
                if progress.round == 2 and victims:
                    os.kill(victims.pop(), signal.SIGKILL)

            distributed.fit(killed, data, client=client, watch=kill)
        assert not victims
        assert_same(killed, distributed.fit(perceptron(variant="PA-I"), data))

    def test_nothing_needs_to_be_kept(self, data, monkeypatch):
        kept = distributed.fit(perceptron(), data)
        cache.clear()
        monkeypatch.setenv(cache.ROOM, "0")
        assert_same(distributed.fit(perceptron(), data), kept)

    def test_what_is_bound_takes_room(self, data):
        cache.clear()
        distributed.fit(perceptron(), data)
        sizes = [size for value, size in cache._kept.values() if isinstance(value, Binding)]
        assert len(sizes) == 4
        assert all(size > 50 * 9 for size in sizes)

    def test_a_broken_file_is_named(self, client, data, folder):
        (folder / "part2.txt.gz").write_bytes(gzip.compress(b"w1 A\nw2\n"))
        for workers in (None, client):
            with pytest.raises(FormatError, match=r"part2\.txt\.gz, line 2"):
                distributed.fit(perceptron(), data, client=workers)

    def test_a_missing_file_is_named(self, client, data, folder):
        (folder / "part1.txt.gz").unlink()
        for workers in (None, client):
            with pytest.raises(FileNotFoundError, match=r"part1\.txt\.gz"):
                distributed.fit(perceptron(), data, client=workers)

    def test_what_a_problem_does_not_like_is_named(self, client, data, folder):
        model = StructuredPerceptron(LabelSequence(templates=TEMPLATES, classes=["A", "B"]))
        for workers in (None, client):
            with pytest.raises(
                ValueError, match=r"part0\.txt\.gz: .*'C', which is not one of the classes \['A', 'B'\]"
            ):
                distributed.fit(model, data, client=workers)


class TestProblemsInPython:
    @pytest.mark.parametrize("partitions", [1, 3])
    def test_blocks_of_a_bag(self, partitions, client):
        bag = pytest.importorskip("dask.bag")
        problem, X, Y = make_tags(n=12)
        inputs, outputs = (bag.from_sequence(items, npartitions=partitions) for items in (X, Y))
        data = distributed.from_dask(inputs, outputs)
        local = StructuredPerceptron(problem, epochs=3).fit(X, Y)
        model = distributed.fit(StructuredPerceptron(problem, epochs=3), data)
        assert_same(distributed.fit(StructuredPerceptron(problem, epochs=3), data, client=client), model)
        if partitions == 1:
            assert np.array_equal(model.coef_, local.coef_)
        machine = StructuredSVM(problem, solver="one-slack", tol=1e-5)
        local_objective = clone(machine).fit(X, Y).objective_
        assert distributed.fit(machine, data).objective_ == pytest.approx(local_objective, abs=12 * 1e-5)

    def test_prepare_needs_a_survey(self):
        bag = pytest.importorskip("dask.bag")
        data = distributed.from_dask(bag.from_sequence([(0,)]), bag.from_sequence([(0,)]))
        with pytest.raises(TypeError, match="block 0: Prepared has a prepare"):
            distributed.fit(StructuredPerceptron(Prepared(2)), data)


class Prepared(Tags):
    def prepare(self, X, Y):
        self.longest_ = max(map(len, X))


@pytest.mark.slow
@pytest.mark.shared_data
class TestChunking:
    """Rounds over eight shards by two workers, against as many epochs on one machine."""

    @pytest.mark.parametrize(
        "options",
        [{"averaging": "average"}, {"averaging": "average", "variant": "PA-I"}],
        ids=["perceptron", "PA-I"],
    )
    def test_within_half_a_point(self, chunks, data_folder, client, options):
        X, Y = load_conll2000(data_folder)
        X_test, Y_test = load_conll2000(data_folder, "test")

        def chunker():
            return StructuredPerceptron(LabelSequence(templates="chunking"), epochs=5, **options)

        local = chunker().fit(X, Y)
        mixed = distributed.fit(chunker(), chunks, client=client)
        assert mixed.n_seen_ == local.n_seen_
        assert f1(mixed, X_test, Y_test) > f1(local, X_test, Y_test) - 0.005


def f1(model, X, Y):
    return span_scores(Y, model.predict(X)).f1


@pytest.fixture(scope="class")
def chunks(data_folder, tmp_path_factory):
    folder = tmp_path_factory.mktemp("chunks")
    X, Y = load_conll2000(data_folder)
    for number, places in enumerate(np.array_split(np.arange(len(X)), 8)):
        tokens = [
            [" ".join([*token, label]) for token, label in zip(X[k], Y[k], strict=True)] for k in places
        ]
        text = "\n\n".join("\n".join(lines) for lines in tokens) + "\n"
        (folder / f"part{number}.txt.gz").write_bytes(gzip.compress(text.encode()))
    return in_shards(folder, 8)


def read_rows(path):
    rows = np.loadtxt(path, dtype=str)
    return rows[:, 1:].astype(float), rows[:, 0]


def read_trees(path):
    with open(path) as lines:
        trees = lines.read().splitlines()
    return trees, trees


class TestEverydayEstimators:
    """They make their problems themselves, and learn what `StructuredSVM` learns."""

    def test_sequences(self, data):
        model = distributed.fit(SequenceSVC(0.1, templates=TEMPLATES, tol=0.01), data)
        assert_same(model, distributed.fit(machine(), data))
        assert model.classes_.tolist() == ["A", "B", "C"]

    def test_taxonomies(self, tmp_path):
        random = np.random.RandomState(0)
        parents = {"cat": "animal", "dog": "animal", "oak": "plant", "animal": "thing", "plant": "thing"}
        centres = dict(zip(["cat", "dog", "oak"], random.standard_normal((3, 4)), strict=True))
        for number, label in enumerate(["cat", "dog", "oak"]):  # no shard has all classes
            rows = [
                f"{name} " + " ".join(map(str, centres[name] + 0.7 * random.standard_normal(4)))
                for name in [label] * 8 + ["oak", "cat"]
            ]
            (tmp_path / f"{number}.rows").write_text("\n".join(rows))
        data = distributed.read(tmp_path / "*.rows", read_rows, shards=3)
        parts = inputs_and_labels(data)
        X, y = (np.concatenate(part) for part in zip(*parts, strict=True))
        local = TaxonomySVC(parents, solver="one-slack", tol=1e-4).fit(X, y)
        model = distributed.fit(TaxonomySVC(parents, solver="one-slack", tol=1e-4), data)
        assert model.objective_ == pytest.approx(local.objective_, rel=1e-3)
        assert model.predict(X).tolist() == local.predict(X).tolist()
        with pytest.raises(ValueError, match="'frank-wolfe' does not learn from shards"):
            distributed.fit(TaxonomySVC(parents, solver="frank-wolfe"), data)

    def test_grammars(self, tmp_path):
        trees = [
            "(S (NP (PRP we)) (VP (VBP eat)))",
            "(S (NP (PRP I)) (VP (VBP eat) (NP (NN rice))))",
            "(S (NP (DT a) (NN dog)) (VP (VBZ eats) (NP (DT a) (JJ old) (NN bone))))",
        ]
        for number, tree in enumerate(trees):
            (tmp_path / f"{number}.trees").write_text(tree + "\n")
        data = distributed.read(tmp_path / "*.trees", read_trees, shards=3)
        options = {"solver": "one-slack", "slack": "linear", "tol": 1e-4}
        local = GrammarSVC(1.0, **options).fit(trees, trees)
        model = distributed.fit(GrammarSVC(1.0, **options), data)
        assert model.objective_ == pytest.approx(local.objective_, abs=3 * 1e-4)
        assert model.predict(["DT NN VBZ NN"]) == local.predict(["DT NN VBZ NN"])
        mixed = distributed.fit(StructuredPerceptron(model.problem_, epochs=3), data)
        assert mixed.score(trees, trees) == 1.0
