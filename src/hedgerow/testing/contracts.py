"""Contracts: methods whose docstrings say what must hold, and which raise when it does not."""

from __future__ import annotations

import copy
import pickle
import re
import tempfile
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from inspect import getdoc
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
from sklearn.base import clone

import hedgerow
from hedgerow.kernels.base import Matrix
from hedgerow.kernels.batches import Batch, as_collection

Method = TypeVar("Method", bound=Callable[..., None])


def contract(method: Method) -> Method:
    """Marks a method as one of the contracts of its class."""
    method.is_contract = True  # type: ignore[attr-defined]
    return method


class Contracts:
    """All contracts of a kind of thing; a subclass has a method for each."""

    def __init__(self, subject: Any) -> None:
        self.subject = subject

    def run(self, skip: Collection[str]) -> None:
        """Raise an AssertionError that lists the contracts that do not hold."""
        named = {name: getattr(self, name) for name in self._names()}
        unknown = [name for name in skip if name not in named]
        if unknown:
            raise ValueError(f"skip must name contracts, {', '.join(named)}, got {', '.join(unknown)}")
        broken: list[tuple[str, Exception]] = []
        for name, holds in named.items():
            if name in skip:
                continue
            try:
                holds()
            except Exception as error:
                broken.append((f"{name} ({getdoc(holds)}): {_described(error)}", error))
        if broken:
            lines = "".join(f"\n- {line}" for line, _ in broken)
            count = f"{len(broken)} contract{'s' if len(broken) > 1 else ''}"
            raise AssertionError(f"{self.subject!r} breaks {count}:{lines}") from broken[0][1]

    @classmethod
    def _names(cls) -> Iterator[str]:
        for base in reversed(cls.__mro__):
            for name, value in vars(base).items():
                if getattr(value, "is_contract", False):
                    yield name

    # -- what all kinds promise -----------------------------------------------------------------------------

    @contract
    def parameters(self) -> None:
        """A clone has the same parameters."""
        other = clone(self.subject)
        for name, value in self.subject.get_params().items():
            found = other.get_params()[name]
            expect(_shown(found) == _shown(value), f"{name} of a clone is {found!r}, expected {value!r}")

    @contract
    def bad_parameters(self) -> None:
        """A parameter of the wrong kind is refused by an error that names it."""
        faults = []
        for name in self.subject.get_params(deep=False):
            wrong = clone(self.subject).set_params(**{name: Nonsense()})
            try:
                self.use(wrong)
                faults.append(f"{name}={Nonsense()} was accepted")
            except (TypeError, ValueError) as error:
                if not re.search(rf"\b{name}\b", str(error)):
                    faults.append(f"the error for {name}={Nonsense()} does not name it: {error}")
        expect(not faults, "; ".join(faults))

    def use(self, thing: Any) -> None:
        """Use a thing that may have wrong parameters."""
        raise NotImplementedError


class Nonsense:
    """A value that no parameter takes."""

    def __repr__(self) -> str:
        return "<nonsense>"


# -- data -----------------------------------------------------------------------------------------------------


def take(X: Any, numbers: Any) -> Any:
    """Some of the items."""
    return Batch(as_collection(X)).select(np.asarray(numbers)).items


@contextmanager
def unchanged(what: str, *things: Any) -> Iterator[None]:
    """Things that are the same afterwards as before."""
    before = [pickle.dumps(thing) for thing in things]
    yield
    for thing, content in zip(things, before, strict=True):
        expect(pickle.dumps(thing) == content, f"{what} was changed")


def copies_of(model: Any) -> dict[str, Any]:
    """Copies of all kinds; what a model file cannot hold must be refused by an error that names pickle."""
    copies = {"a deep copy": copy.deepcopy(model), "a pickle": pickle.loads(pickle.dumps(model))}
    with tempfile.TemporaryDirectory() as folder:
        try:
            hedgerow.save(model, Path(folder, "model"))
            copies["a model file"] = hedgerow.load(Path(folder, "model"))
        except TypeError as error:
            if "pickle" not in str(error):
                raise
    return copies


# -- comparisons that say which numbers differ ------------------------------------------------------------------


def expect(holds: Any, otherwise: str) -> None:
    if not holds:
        raise AssertionError(otherwise)


def expect_close(what: str, found: Any, expected: Any, rtol: float = 0.0) -> None:
    """Arrays that are equal but for a part of the largest value; with rtol 0 to the last bit."""
    found, expected = np.asarray(found), np.asarray(expected)
    expect(found.shape == expected.shape, f"{what} has the shape {found.shape}, expected {expected.shape}")
    if found.dtype.kind not in "fiub":
        expect(np.array_equal(found, expected), f"{what} differs: {found.tolist()} and {expected.tolist()}")
        return
    if not np.isfinite(found).all():
        raise AssertionError(f"{what} is not finite at {_first(~np.isfinite(found))}")
    far = np.abs(found - expected) > rtol * np.abs(expected).max(initial=0.0)
    if far.any():
        place = _first(far)
        raise AssertionError(
            f"{what} differs in {int(far.sum())} of {far.size} values: at {place} it is {found[place]!r}, "
            f"expected {expected[place]!r}"
        )


def _shown(value: Any) -> str:
    """How an object is printed, but for its address."""
    return re.sub(r" at 0x[0-9a-f]+", "", repr(value))


def _first(places: Matrix) -> tuple[int, ...]:
    return tuple(int(axis[0]) for axis in np.nonzero(places))


def _described(error: Exception) -> str:
    return str(error) if isinstance(error, AssertionError) else f"{type(error).__name__}: {error}"
