"""Models: what was trained, with what parameters, what it keeps, and how much of it matters."""

from __future__ import annotations

import inspect
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from scipy import sparse
from sklearn.exceptions import NotFittedError

from hedgerow.inspection.drawing import COLOURS, tidy_axes
from hedgerow.models.schema import leaves
from hedgerow.report.blocks import (
    Block,
    Cell,
    CellTable,
    Facts,
    Gallery,
    Heading,
    Paragraph,
    Picture,
    Section,
)
from hedgerow.report.figures import new_axes, picture
from hedgerow.report.items import Item
from hedgerow.report.largest_weights import weight_blocks
from hedgerow.report.numbers import figure, in_full, listed, share, whole
from hedgerow.report.traces import TraceItem, kind_of
from hedgerow.report.tree_fragments import fragment_blocks

MOST_FUNCTIONS = 20  # that bars are drawn for


@dataclass(frozen=True)
class ModelItem(Item):
    """A fitted model, and what its file says about its training."""

    kind = "model"
    model: Any
    training: Mapping[str, Any] = field(default_factory=dict)

    def section(self) -> Section:
        return _section(self)

    def trace(self) -> TraceItem | None:
        """What the model recorded while it was trained, if it did."""
        trace = fitted(self.model, "trace_")
        return (
            None if trace is None or kind_of(trace.columns) is None else TraceItem(self.name, trace.to_dict())
        )


def _section(item: ModelItem) -> Section:
    model = item.model
    weights = _weights(model)
    about = (inspect.getdoc(type(model)) or "").split("\n\n")[0].replace("\n", " ")
    blocks: list[Block] = [Paragraph(about)] if about else []
    blocks.append(Facts([*_what(model), *_on_what(item), *_kept(model, weights), *_end(model)]))
    blocks += _parameters(model)
    classes = _classes(model)
    if classes is not None and _has_trees(_kernel(model)):
        blocks += fragment_blocks(model, classes)
    blocks += weight_blocks(model)
    if weights is not None and weights.n_nonzero:
        blocks += _sparsity(weights, _function_names(model, len(weights.of_functions)))
    kind = type(model).__name__
    title = kind if item.name == kind else f"{item.name}: {kind}"
    return Section(title, blocks, kicker="Model", highlights=_highlights(model, weights, item.name))


# -- facts ------------------------------------------------------------------------------------------------------


def _what(model: Any) -> list[tuple[str, str]]:
    kernel, problem, classes = _kernel(model), fitted(model, "problem_"), _classes(model)
    facts = [] if kernel is None else [("Kernel", in_full(kernel))]
    if problem is not None:
        facts.append(("Problem", type(problem).__name__))
    if classes is not None:
        facts.append(("Classes", f"{len(classes):,}: {listed(classes)}"))
    return facts


def _kernel(model: Any) -> Any:
    """Of a classifier, or of the problem of a structured learner."""
    kernel = fitted(model, "kernel")
    return fitted(fitted(model, "problem_"), "kernel") if kernel is None else kernel


def _has_trees(kernel: Any) -> bool:
    """Whether a tree kernel is among those that the kernel is made of."""
    return hasattr(kernel, "_terms") and any(leaf._has_fragments for leaf in leaves(kernel))


def _classes(model: Any) -> list[Any] | None:
    """The labels of a classifier, or those of the problem of a structured learner."""
    for owner in (model, fitted(model, "problem_")):
        if (labels := fitted(owner, "classes_")) is not None:
            return list(np.asarray(labels).tolist())
    return None


def _on_what(item: ModelItem) -> list[tuple[str, str]]:
    facts = []
    if item.training.get("data"):
        facts.append(("Trained on", listed(item.training["data"])))
    if item.training.get("examples") is not None:
        facts.append(("Examples", whole(item.training["examples"])))
    seen = fitted(item.model, "n_seen_")
    if seen is not None:
        facts.append(("Examples seen", f"{seen:,}, each once for every pass"))
    mistakes = fitted(item.model, "mistakes_")
    if mistakes is not None and seen:
        whose = " by the predictor of the moment" if fitted(item.model, "averaging") else ""
        facts.append(
            ("Mistakes while learning", f"{mistakes:,}, {share(mistakes / seen)} of those seen{whose}")
        )
    features = fitted(item.model, "n_features_in_")
    if features is not None:
        facts.append(("Features", whole(features)))
    if item.training.get("version"):
        facts.append(("Saved by", f"hedgerow {item.training['version']}"))
    return facts


def _kept(model: Any, weights: _Weights | None) -> list[tuple[str, str]]:
    supports, seen = fitted(model, "n_support_"), fitted(model, "n_seen_")
    facts = []
    if supports is not None:
        total = int(np.sum(supports))  # scikit-learn's machines count them class by class
        part = f", {share(total / seen)} of the examples seen" if seen else ""
        facts.append(("Supports", f"{total:,}{part}"))
    if weights is not None and supports is None:
        kept = weights.n_nonzero
        facts.append(
            ("Weights that are not 0", f"{kept:,} of {weights.size:,}, {share(kept / weights.size)}")
        )
    return facts


def _end(model: Any) -> list[tuple[str, str]]:
    """How training ended, for machines that know an optimum."""
    facts = []
    rounds = fitted(model, "n_iter_")
    if rounds is not None:
        facts.append(("Rounds or iterations", whole(np.sum(rounds))))
    for name, words in {"dual_gap_": "Largest duality gap", "certificate_": "Certificate"}.items():
        value = fitted(model, name)
        if value is not None:
            facts.append((words, figure(float(np.max(value)))))
    converged = fitted(model, "converged_")
    if converged is not None:
        facts.append(("Converged", "yes" if converged else "no"))
    return facts


def _highlights(model: Any, weights: _Weights | None, name: str) -> list[tuple[str, str]]:
    supports = fitted(model, "n_support_")
    if supports is not None:
        return [(whole(np.sum(supports)), f"supports, {name}")]
    return [] if weights is None else [(whole(weights.n_nonzero), f"weights that are not 0, {name}")]


def _parameters(model: Any) -> list[Block]:
    """Those that differ from their defaults, and the others behind a click."""
    if not hasattr(model, "get_params"):
        return []
    defaults = {
        name: parameter.default for name, parameter in inspect.signature(type(model)).parameters.items()
    }
    set_apart: list[list[Cell]] = []
    usual: list[list[Cell]] = []
    for name, value in model.get_params(deep=False).items():
        if name == "kernel":  # stands above
            continue
        text = in_full(value)
        given = text != in_full(defaults.get(name, inspect.Parameter.empty))
        (set_apart if given else usual).append([Cell(name), Cell(text)])
    blocks: list[Block] = []
    if set_apart:
        blocks.append(
            CellTable(["Parameter", "Value"], set_apart, caption="Parameters that were chosen", words=[1])
        )
    if usual:
        folded = f"{len(usual)} parameters with their default values"
        blocks.append(CellTable(["Parameter", "Value"], usual, words=[1], folded=folded))
    return blocks


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
        ax.set_yticks(places, [names[j] for j in order])
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
