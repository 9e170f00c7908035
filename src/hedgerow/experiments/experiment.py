"""What an experiment is: settings, rows, runs, and the tables that they fill.

A new experiment is a subclass of `Experiment` in a file of its own, named in ``catalogue.py``. Its published figures go
to ``published.json``.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import numpy as np


@dataclass(frozen=True)
class Settings:
    """What a user may choose; the same for all experiments.

    Parameters
    ----------
    data : path, optional
        The folder of data sets, for experiments that need one.
    quick : bool
        Little data and few runs, to see that all works; the figures are not comparable with published ones.
    seed : int
        Another seed gives other permutations and other random data.
    permutations : int, optional
        How often every row is run. By default as often as in the publication.
    traced : bool
        Sample traces in the first run of each row, for plots.
    """

    data: Path | None = None
    quick: bool = False
    seed: int = 0
    permutations: int | None = None
    traced: bool = False

    def random_state(self, *path: int) -> np.random.RandomState:
        """A source of randomness of its own for each path of numbers."""
        return np.random.RandomState(np.random.SeedSequence(self.seed, spawn_key=path).generate_state(8))

    def data_folder(self) -> Path:
        if self.data is None:
            raise ValueError("this experiment reads data sets: data must name the folder that has them")
        return self.data


@dataclass(frozen=True)
class Row:
    """A row of the tables. With ``published_only`` there is nothing to run."""

    name: str
    published: str  # the row of the published table
    published_only: bool = False


@dataclass(frozen=True)
class Measure:
    """A column of a table. ``compared``: differences from the published figure are worth a mark."""

    name: str
    heading: str
    decimals: int = 2
    compared: bool = True


@dataclass(frozen=True)
class Layout:
    """A table: where its published figures are, and its columns."""

    title: str
    published: str
    measures: tuple[Measure, ...]


@dataclass(frozen=True)
class Run:
    """What one run of a row found: figures by measure, and the learner's trace if it was asked for."""

    row: str
    permutation: int
    figures: Mapping[str, float]
    trace: Any = None


class Experiment(ABC):
    """Something published that hedgerow does again."""

    name: ClassVar[str]
    summary: ClassVar[str]  # one line
    needs_data: ClassVar[bool] = True
    permutations: ClassVar[int] = 5
    same_data: ClassVar[bool] = True  # as the publication; else nothing is marked

    @property
    @abstractmethod
    def layouts(self) -> Sequence[Layout]:
        """The tables."""

    @property
    @abstractmethod
    def rows(self) -> Sequence[Row]:
        """The rows, the same in all tables."""

    @abstractmethod
    def load(self, settings: Settings) -> Any:
        """The data, which all runs of a process share."""

    @abstractmethod
    def run(self, data: Any, row: str, permutation: int, settings: Settings) -> Run:
        """Learn and test once. The result, times apart, depends on nothing but the arguments."""

    def notes(self, settings: Settings) -> list[str]:
        """What a reader of the tables should know."""
        return []

    def runs_of_a_row(self, settings: Settings) -> int:
        if settings.permutations is not None:
            return settings.permutations
        return min(2, self.permutations) if settings.quick else self.permutations
