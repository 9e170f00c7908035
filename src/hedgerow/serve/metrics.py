"""Figures for Prometheus."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping
from typing import Any

from prometheus_client import CollectorRegistry, Counter, Histogram, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric

from hedgerow.serve.engine import Engine

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"
_SECONDS = (0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.5, 1.0, 5.0)
_STATES = {"stable": 0, "warning": 1, "drift": 2}


class Metrics:
    """Counts of requests, and figures of models when they are asked for."""

    def __init__(self, engines: Mapping[str, Engine]) -> None:
        self._engines = engines
        self._registry = CollectorRegistry()
        self._registry.register(self)
        self._requests = Counter(
            "hedgerow_requests",
            "Requests by what was asked and answered",
            ["path", "status"],
            registry=self._registry,
        )
        self._seconds = Histogram(
            "hedgerow_request_seconds",
            "How long answers took",
            ["path"],
            buckets=_SECONDS,
            registry=self._registry,
        )
        self._predictions: deque[float] = deque(maxlen=1000)  # seconds that the last ones took
        self._known: dict[tuple[str, int], tuple[Any, Any]] = {}

    def count(self, path: str, status: int, seconds: float) -> None:
        """One more request."""
        found = self._known.get((path, status))
        if found is None:
            found = self._requests.labels(path, str(status)), self._seconds.labels(path)
            self._known[path, status] = found
        found[0].inc()
        found[1].observe(seconds)
        if path == "predict":
            self._predictions.append(seconds)

    def latency(self) -> dict[str, float]:
        """The median and the 0.99 quantile of the last predictions, in milliseconds."""
        ordered = sorted(self._predictions)
        if not ordered:
            return {}
        return {
            name: 1000 * ordered[int(q * (len(ordered) - 1))] for name, q in (("p50", 0.5), ("p99", 0.99))
        }

    def text(self) -> bytes:
        return generate_latest(self._registry)

    def collect(self) -> Iterator[Metric]:
        """Figures of every model, for the registry."""
        families = {
            name: kind(f"hedgerow_{name}", what, labels=["model", *more])
            for name, kind, what, more in _FIGURES
        }
        for name, engine in self._engines.items():
            for figure, value, *more in _values(engine):
                if value is not None:
                    families[figure].add_metric([name, *more], value)
        yield from families.values()


_GAUGE: Any = GaugeMetricFamily
_COUNTER: Any = CounterMetricFamily
_FIGURES: list[tuple[str, Any, str, list[str]]] = [
    ("position", _GAUGE, "The last record that was learned", []),
    ("committed", _GAUGE, "The last record of the log", []),
    ("refused", _COUNTER, "Records that the learner refused since the start", []),
    ("learning_seconds", _COUNTER, "Time spent on learning since the start", []),
    ("writes", _GAUGE, "Whether this process writes the log", []),
    ("healthy", _GAUGE, "Whether it can continue learning", []),
    ("judged", _GAUGE, "Predictions whose true label came", []),
    ("error", _GAUGE, "Share of wrong predictions among those", ["window"]),
    ("f1", _GAUGE, "F1 of these predictions", ["window"]),
    ("calibration_error", _GAUGE, "Expected calibration error of these predictions", ["window"]),
    ("drift", _GAUGE, "0 stable, 1 warning, 2 drift, by DDM", []),
    ("drift_alarms", _GAUGE, "Drifts that were found lately", []),
    ("labels", _GAUGE, "Feedback by label", ["label"]),
]


def _values(engine: Engine) -> Iterator[tuple[Any, ...]]:
    yield "position", engine.learned.position
    yield "committed", engine.last
    yield "refused", engine.refused
    yield "learning_seconds", engine.seconds_learning
    yield "writes", int(engine.storage.writes)
    yield "healthy", int(not engine.failure)
    quality = engine.quality.figures()
    yield "judged", quality["judged"]
    for window in ("so_far", "recent"):
        for figure in ("error", "f1", "calibration_error"):
            yield figure, quality[window][figure], window
    yield "drift", _STATES[quality["drift"]["state"]]
    yield "drift_alarms", len(quality["drift"]["alarms"])
    for label, n in quality["labels"].items():
        yield "labels", n, label
