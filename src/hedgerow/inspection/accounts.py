"""A score taken apart: contributions that add up to it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import isfinite
from typing import Any

import numpy as np

from hedgerow.inspection.findings import Entry, Listing
from hedgerow.kernels.base import Matrix
from hedgerow.models.functions import Score


@dataclass(frozen=True)
class Feature:
    """A feature with a name, its weight in a model and its value for an input.

    Of a hashed fragment, ``places`` are the nodes of the explained tree that it begins and ends at, in post-order.
    """

    name: str
    weight: float
    value: float = 1.0
    places: tuple[tuple[int, int], ...] = ()

    @property
    def contribution(self) -> float:
        """What it adds to the score of the explained input: ``weight * value``."""
        return self.weight * self.value

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        placed = {"places": [list(place) for place in self.places]} if self.places else {}
        return {"feature": self.name, "weight": self.weight, **placed}

    def to_text(self) -> str:
        """Its name."""
        return self.name

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True)
class Account:
    """How the score of a class comes about.

    Attributes
    ----------
    label : the class
    score : float
        The sum of all that follows.
    contributions : list of Fragment or Feature
        The largest, of all parts of the kernel: first those that speak for the class, then those against it, each the
        largest first.
    remainder : float
        What all others add, which are too many or too small to be listed.
    bias : float
    others : dict from names to floats
        What all others of a part of the kernel add that is not of trees: features of a dot product, supports of
        other kernels, strings and products.
    nodes : dict from names to arrays
        For trees, what each node of the input adds, in post-order: all fragments that are rooted in it. The names are
        those of the parts of the kernel.
    exact : bool
        Whether no contribution that is not listed is larger than those listed of its sign.
    bound : float
        If not, none that is not listed is larger than this.
    what : str
        What contributions are called.
    """

    label: Any
    score: float
    contributions: Sequence[Any]
    remainder: float
    bias: float
    others: dict[str, float] = field(default_factory=dict)
    nodes: dict[str, Matrix] = field(default_factory=dict)
    exact: bool = True
    bound: float = 0.0
    what: str = "fragments"

    @property
    def speaking_for(self) -> list[Any]:
        """Positive contributions, the largest first."""
        return [one for one in self.contributions if one.contribution > 0]

    @property
    def speaking_against(self) -> list[Any]:
        """Negative contributions, the largest first."""
        return [one for one in self.contributions if one.contribution < 0]

    def total(self) -> float:
        """The sum of all parts, which is the score."""
        listed = sum(one.contribution for one in self.contributions)
        return float(listed + self.remainder + self.bias + sum(self.others.values()))

    def rest(self) -> list[tuple[str, float]]:
        """What is not taken apart, by name."""
        named = [(f"all other {self.what}", self.remainder)]
        named += [(f"all other {name}", value) for name, value in self.others.items()]
        return [*named, ("bias", self.bias)]

    def note(self) -> str:
        """What the list leaves unsaid."""
        return "" if self.exact else f"stopped at the limit: what is not listed adds at most {self.bound:.4g}"

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {
            "label": self.label,
            "score": self.score,
            "contributions": [
                {**one.to_dict(), "value": one.value, "contribution": one.contribution}
                for one in self.contributions
            ],
            "remainder": self.remainder,
            "others": self.others,
            "bias": self.bias,
            "nodes": {name: values.tolist() for name, values in self.nodes.items()},
            "exact": self.exact,
            "bound": self.bound if isfinite(self.bound) else None,
        }

    def listing(self, title: str = "") -> Listing:
        """The contributions, and what is not taken apart."""
        return Listing(
            title or f"{self.label}: {self.score:.6g}",
            ("contribution", "part" if self.others else self.what.removesuffix("s"), "weight", "value"),
            [
                Entry(one.contribution, one, (f"{one.weight:+.4g}", f"{one.value:.4g}"))
                for one in self.contributions
            ],
            self.note(),
            [(name, value) for name, value in self.rest() if value],
        )

    def __str__(self) -> str:
        return str(self.listing())


def account_of(score: Score, k: int, what: str) -> Account:
    """The k largest contributions for and the k largest against, and what all others add."""
    contributions = score.weights * score.values
    total = float(contributions.sum())
    chosen = [
        i
        for signed in (contributions, -contributions)
        for i in np.argsort(-signed, kind="stable")[:k].tolist()  # of equal ones the first
        if signed[i] > 0
    ]
    listed = [
        Feature(score.name(i), float(score.weights[i]), float(score.values[i]), score.places(i))
        for i in chosen
    ]
    rest = total - sum(feature.contribution for feature in listed)
    if len(listed) == np.count_nonzero(contributions):
        rest = 0.0  # not what rounding leaves
    return Account(score.label, total + score.bias, listed, rest, score.bias, what=what)
