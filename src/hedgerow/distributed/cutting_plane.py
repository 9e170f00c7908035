"""Cutting planes over shards: the rounds of one machine, with examples that are elsewhere.

Labels and one value for each example are in this process. Exact and importance-sampled cuts have their values from the
workers (`ShardedSums`). With uniform samples only these are fetched, so that memory stays bounded whatever the shards
hold (`SamplesAhead`).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from hedgerow.checks import as_random_state
from hedgerow.distributed.progress import Meter, Watch
from hedgerow.distributed.sharded_sums import ShardedSums
from hedgerow.distributed.shards import Shards
from hedgerow.distributed.some_examples import SamplesAhead, ShardedExamples
from hedgerow.distributed.workers import Workers
from hedgerow.kernels.base import Matrix
from hedgerow.models.labels import find_classes
from hedgerow.svm.cutting_plane import CuttingPlaneSVC, CutTraining
from hedgerow.svm.cutting_rounds import Round, uniform_samples
from hedgerow.svm.weighted_sums import Sums, WeightedSums
from hedgerow.threads import resolve


def fit_cutting_plane(
    model: CuttingPlaneSVC, data: Shards, workers: Workers, watch: Watch | None
) -> CuttingPlaneSVC:
    """Fit the machine as on one machine."""
    if isinstance(model.kernel, str):
        raise ValueError("kernel='precomputed' cannot learn from shards, which hold the examples themselves")
    known = data.surveyed(workers)
    if known.classes is None:
        raise ValueError("CuttingPlaneSVC needs a label for each example, but the data have none")
    classes, _ = find_classes(known.classes, None)
    uniform = model.sampling == "uniform"
    examples = ShardedExamples(workers, known, model._new_kernel(), uniform)
    labels = examples.labels(classes)
    model._start(examples.fetch(np.zeros(1, dtype=np.int64)))
    model.classes_ = classes
    training = (_sampled if uniform else _sharded)(model, examples, labels, watch)
    return model._train(training, examples)


def _sharded(
    model: CuttingPlaneSVC, examples: ShardedExamples, labels: Matrix, watch: Watch | None
) -> CutTraining:
    meter = Meter(watch, len(labels), rounds=0)
    sums = ShardedSums(examples, model.precision == "single", model.n_jobs, meter)

    def describe(number: int, words: str) -> None:
        sums.round, sums.words = number + 1, words

    return _Watched(model, sums, labels, describe)


def _sampled(
    model: CuttingPlaneSVC, examples: ShardedExamples, labels: Matrix, watch: Watch | None
) -> CutTraining:
    size = min(model.sample_size, len(labels))
    meter = Meter(watch, size, rounds=0)
    drawn = uniform_samples(len(labels), size, as_random_state(model.random_state))
    samples = SamplesAhead(examples, drawn)

    def describe(number: int, words: str) -> None:
        meter.begin_round(number, words)
        meter.add(size)

    return _Watched(model, _SampledSums(model, samples), labels, describe, samples=iter(samples))


class _SampledSums(WeightedSums):
    """Sums over samples that are here."""

    def __init__(self, model: CuttingPlaneSVC, samples: SamplesAhead) -> None:
        super().__init__(model.kernel_._model(), samples, resolve(model.n_jobs), model.precision == "single")
        self._samples = samples

    def values(self, examples: Matrix, weights: Matrix, at: Matrix | None = None) -> Matrix:
        assert at is not None
        # Asked for when there is a new cut: these are the examples of all cuts, which may be asked for again.
        self._samples.in_use = at
        return super().values(examples, weights, at)


class _Watched(CutTraining):
    """A training that says after every round how far it has come."""

    def __init__(
        self, model: CuttingPlaneSVC, sums: Sums, labels: Matrix, describe: Any, **more: Any
    ) -> None:
        super().__init__(model, sums, labels, **more)
        self._describe = describe

    def _record(self, function: int, number: int, state: Round) -> None:
        super()._record(function, number, state)
        of = f"function {function + 1} of {len(self.last)}, " if len(self.last) > 1 else ""
        self._describe(len(self.rows), f"{of}violation {state.violation:.2g}")
