"""Models: what was trained, with what parameters, what it keeps, and how much of it matters."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from scipy import sparse
from sklearn.exceptions import NotFittedError

from hedgerow.inspection.drawing import COLOURS, tidy_axes
from hedgerow.report.blocks import (
    Block,
    CellTable,
    Facts,
    Gallery,
    Heading,
    Item,
    Paragraph,
    Picture,
    Section,
    row,
)
from hedgerow.report.figures import new_axes, picture, plain
from hedgerow.report.findings import fragment_blocks, weight_blocks
from hedgerow.report.numbers import figure, in_full, listed, share, whole
from hedgerow.report.traces import TraceItem, kind_of

MOST_FUNCTIONS = 20  # that bars are drawn for


@dataclass(frozen=True)
class ModelItem(Item):
    """A fitted model, and what its file says about its training."""

    kind = "model"
    model: Any
    training: Mapping[str, Any] = field(default_factory=dict)

    def section(self) -> Section:
        model = self.model
        weights = _weights(model)
        about = (inspect.getdoc(type(model)) or "").split("\n\n")[0].replace("\n", " ")
        blocks: list[Block] = [Paragraph(about)] if about else []
        blocks.append(Facts(_facts(self, weights)))
        blocks += _parameters(model)
        classes = _classes(model)
        if classes is not None and _has_trees(_kernel(model)):
            blocks += fragment_blocks(model, classes)
        blocks += weight_blocks(model)
        if weights is not None and weights.n_nonzero:
            blocks += _sparsity(weights, _function_names(model, len(weights.of_functions)))
        kind = type(model).__name__
        title = kind if self.name == kind else f"{self.name}: {kind}"
        return Section(title, blocks, kicker="Model", highlights=_highlights(model, weights, self.name))

    def trace(self) -> TraceItem | None:
        """What the model recorded while it was trained, if it did."""
        trace = fitted(self.model, "trace_")
        return (
            None if trace is None or kind_of(trace.columns) is None else TraceItem(self.name, trace.to_dict())
        )


# -- facts ------------------------------------------------------------------------------------------------------


def _facts(item: ModelItem, weights: _Weights | None) -> list[tuple[str, str]]:
    """What it is, what it has seen, what it keeps and how training ended, as far as it is known."""
    model, training = item.model, item.training
    seen, supports = fitted(model, "n_seen_"), fitted(model, "n_support_")
    whose = " by the predictor of the moment" if fitted(model, "averaging") else ""
    of_seen = (
        f", {share(np.sum(supports) / seen)} of the examples seen" if seen and supports is not None else ""
    )
    known: list[tuple[str, Any, Callable[[Any], str]]] = [
        ("Kernel", _kernel(model), in_full),
        ("Problem", fitted(model, "problem_"), lambda problem: type(problem).__name__),
        ("Classes", _classes(model), lambda labels: f"{len(labels):,}: {listed(labels)}"),
        ("Trained on", training.get("data") or None, listed),
        ("Examples", training.get("examples"), whole),
        ("Examples seen", seen, lambda n: f"{n:,}, each once for every pass"),
        (
            "Mistakes while learning",
            fitted(model, "mistakes_") if seen else None,
            lambda n: f"{n:,}, {share(n / seen)} of those seen{whose}",
        ),
        ("Features", fitted(model, "n_features_in_"), whole),
        ("Saved by", training.get("version") or None, lambda version: f"hedgerow {version}"),
        ("Supports", supports, lambda counts: f"{_total(counts)}{of_seen}"),
        (
            "Weights that are not 0",
            weights if supports is None else None,
            lambda kept: f"{kept.n_nonzero:,} of {kept.size:,}, {share(kept.n_nonzero / kept.size)}",
        ),
        ("Rounds or iterations", fitted(model, "n_iter_"), _total),
        ("Largest duality gap", fitted(model, "dual_gap_"), _largest),
        ("Certificate", fitted(model, "certificate_"), _largest),
        ("Converged", fitted(model, "converged_"), lambda converged: "yes" if converged else "no"),
    ]
    return [(name, words(value)) for name, value, words in known if value is not None]


def _total(counts: Any) -> str:
    """Of one number or several: scikit-learn's machines count class by class."""
    return whole(np.sum(counts))


def _largest(values: Any) -> str:
    return figure(float(np.max(values)))


def _kernel(model: Any) -> Any:
    """Of a classifier, or of the problem of a structured learner."""
    kernel = fitted(model, "kernel")
    return fitted(fitted(model, "problem_"), "kernel") if kernel is None else kernel


def _has_trees(kernel: Any) -> bool:
    """Whether a tree kernel is among those that the kernel is made of."""
    return hasattr(kernel, "_terms") and any(leaf._has_fragments for leaf, _ in kernel._leaves())


def _classes(model: Any) -> list[Any] | None:
    """The labels of a classifier, or those of the problem of a structured learner."""
    for owner in (model, fitted(model, "problem_")):
        if (labels := fitted(owner, "classes_")) is not None:
            return list(np.asarray(labels).tolist())
    return None


def _highlights(model: Any, weights: _Weights | None, name: str) -> list[tuple[str, str]]:
    supports = fitted(model, "n_support_")
    if supports is not None:
        return [(_total(supports), f"supports, {name}")]
    return [] if weights is None else [(whole(weights.n_nonzero), f"weights that are not 0, {name}")]


def _parameters(model: Any) -> list[Block]:
    """Those that differ from their defaults, and the others behind a click."""
    if not hasattr(model, "get_params"):
        return []
    shown = {name: in_full(value) for name, value in model.get_params(deep=False).items()}
    shown.pop("kernel", None)  # stands above
    defaults = inspect.signature(type(model)).parameters
    usual = {
        name for name, text in shown.items() if name in defaults and text == in_full(defaults[name].default)
    }
    rows = [row(name, text) for name, text in shown.items() if name not in usual]
    others = [row(name, text) for name, text in shown.items() if name in usual]
    folded = f"{len(others)} parameters with their default values"
    heads = ["Parameter", "Value"]
    tables = [
        CellTable(heads, rows, caption="Parameters that were chosen", words=[1]),
        CellTable(heads, others, words=[1], folded=folded),
    ]
    return [table for table in tables if table.rows]


# -- sparsity ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Weights:
    """What functions are made of: of each function the weights that are not 0, of how many in all."""

    of_functions: Sequence[Any]
    size: int
    what: str  # they belong to

    @property
    def n_nonzero(self) -> int:
        return sum(len(values) for values in self.of_functions)

    @property
    def largest_first(self) -> Any:
        return np.sort(np.abs(np.concatenate(list(self.of_functions))))[::-1]


def _weights(model: Any) -> _Weights | None:
    coefficients = fitted(model, "dual_coef_")
    if coefficients is not None and fitted(model, "n_support_") is not None:
        return _collected(coefficients, "supports")
    # Arrays of very many features would take much memory.
    sparse_weights = getattr(model, "_sparse_weights", None)
    coefficients = fitted(model, "coef_") if sparse_weights is None else sparse_weights()
    return None if coefficients is None else _collected(coefficients, "features")


def _collected(coefficients: Any, what: str) -> _Weights | None:
    if sparse.issparse(coefficients):
        rows = [coefficients[j].data for j in range(coefficients.shape[0])]
        size = coefficients.shape[0] * coefficients.shape[1]
    else:
        table = np.atleast_2d(np.asarray(coefficients, dtype=np.float64))
        rows, size = [values[values != 0] for values in table], table.size
    return _Weights(rows, size, what) if size else None


def _sparsity(weights: _Weights, names: list[str]) -> list[Block]:
    """How many weights each function has, and how few of them have most of the weight."""
    sums = np.cumsum(weights.largest_first)
    half = int(np.searchsorted(sums, sums[-1] / 2)) + 1
    said = (
        f"{weights.n_nonzero:,} of {weights.size:,} weights of {weights.what} are not 0; the largest {half:,} of them "
        f"({share(half / weights.n_nonzero)}) have half of the absolute weight."
    )
    pictures = [_bars(weights, names), _spread(weights)] if len(names) > 1 else [_spread(weights)]
    return [Heading("Sparsity"), Paragraph(said), Gallery(pictures)]


def _function_names(model: Any, n: int) -> list[str]:
    classes = fitted(model, "classes_")
    if classes is not None and len(classes) == n:
        return [str(label) for label in classes]
    if n == 1:
        return [
            f"{classes[1]} against {classes[0]}" if classes is not None and len(classes) == 2 else "weights"
        ]
    return [f"function {j + 1}" for j in range(n)]


def _bars(weights: _Weights, names: list[str]) -> Picture:
    """Weights above and below 0 of each function, of those that have most."""
    order = sorted(range(len(names)), key=lambda j: -len(weights.of_functions[j]))[:MOST_FUNCTIONS]
    order.sort()
    above = [int((weights.of_functions[j] > 0).sum()) for j in order]
    below = [int((weights.of_functions[j] < 0).sum()) for j in order]
    with new_axes((4.7, max(2.4, 0.7 + 0.26 * len(order)))) as ax:
        places = range(len(order))
        ax.barh(places, above, height=0.7, color=COLOURS[0], label="for the class")
        ax.barh(places, below, left=above, height=0.7, color=COLOURS[1], label="against it")
        tidy_axes(ax)
        ax.grid(False, axis="y")
        ax.set_yticks(places, [plain(names[j]) for j in order])
        ax.invert_yaxis()
        ax.set(xlabel=f"Weights of {weights.what} that are not 0")
        ax.legend(frameon=False)
        counted = ", ".join(f"{names[j]} {a + b:,}" for j, a, b in zip(order, above, below, strict=True))
        which = "" if len(order) == len(names) else f", the {len(order)} largest of {len(names)}"
        return picture(
            ax, f"Weights that are not 0 of each function: {counted}", f"Weights that are not 0{which}"
        )


def _spread(weights: _Weights) -> Picture:
    """The share of the absolute weight that the largest weights have."""
    every = weights.largest_first
    shares = np.cumsum(every) / every.sum()
    numbers = np.arange(1, len(every) + 1)
    chosen = np.unique(np.round(np.geomspace(1, len(every), 200)).astype(int)) - 1  # all that can be seen
    with new_axes() as ax:
        ax.plot(numbers[chosen], shares[chosen], color=COLOURS[0], linewidth=1.6)
        ax.set_xscale("log")
        tidy_axes(ax)
        ax.set(xlabel="Largest weights", ylabel="Share of the absolute weight", ylim=(0, 1.02))
        return picture(
            ax,
            "Share of the absolute weight that the largest weights have, rising to 1 at "
            f"{len(every):,} weights",
            "How much of the whole the largest weights have",
        )


def fitted(model: Any, name: str) -> Any:
    """A fitted attribute, or None where the model has none."""
    try:
        return getattr(model, name, None)
    except (NotFittedError, ValueError):
        return None
