"""What an experiment is: settings, rows, runs, and the tables that they fill.

A new experiment is a subclass of `Experiment` in a file of its own, named in ``catalogue.py``. Its published figures go
to ``published.json``.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

if TYPE_CHECKING:
    from hedgerow_papers.experiments.plot import Plot
    from hedgerow_papers.experiments.summary import Table


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
    rows : tuple of str
        The rows to run, by name or with the wildcards of a shell (``"SST*"``). By default all but those that take
        very long, and all in quick runs.
    """

    data: Path | None = None
    quick: bool = False
    seed: int = 0
    permutations: int | None = None
    traced: bool = False
    rows: tuple[str, ...] = ()

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
    published: str | None  # the row of the published table, if that has one
    published_only: bool = False
    minutes: float = 0.0  # of a run on two cores, roughly
    by_default: bool = True  # else it has to be asked for
    traced: bool = True  # where runs are traced on request, those of this row are
    files: tuple[str, ...] = ()  # of the data folder, besides those that all rows read
    data_difference: str = ""  # what it learns from instead of what the publication did


@dataclass(frozen=True)
class Measure:
    """A column of a table. ``compared``: differences from the published figure are worth a mark."""

    name: str
    heading: str
    decimals: int = 2
    compared: bool = True


@dataclass(frozen=True)
class Layout:
    """A table: where its published figures are, its columns, and the names of its rows (None: all)."""

    title: str
    published: str
    measures: tuple[Measure, ...]
    rows: tuple[str, ...] | None = None
    first_column: str = "Learner"
    data_difference: str = ""  # of all its rows; where data differ, nothing is marked
    slight_difference: str = ""  # one that leaves the figures comparable


@dataclass(frozen=True)
class Run:
    """What one run of a row found: figures by measure, and what happened while it learned, if that was asked for.

    A trace is made of mappings, lists and numbers, so that it can be kept as JSON.
    """

    row: str
    permutation: int
    figures: Mapping[str, float]
    trace: Mapping[str, Any] | None = None
    seconds: float = 0.0  # by the clock, tests included

    def __post_init__(self) -> None:
        # Plain numbers, so that a run that was kept equals the one that was made.
        object.__setattr__(self, "figures", {name: float(value) for name, value in self.figures.items()})


class Experiment(ABC):
    """Something published that hedgerow does again."""

    name: ClassVar[str]
    summary: ClassVar[str]  # one line
    files: ClassVar[tuple[str, ...]] = ()  # of the data folder, plain or gzip, that all rows read
    permutations: ClassVar[int] = 5
    traces_on_request: ClassVar[bool] = False  # else runs with ``Settings.traced`` are like those without

    @property
    @abstractmethod
    def layouts(self) -> Sequence[Layout]:
        """The tables."""

    @property
    @abstractmethod
    def rows(self) -> Sequence[Row]:
        """The rows of all tables."""

    @abstractmethod
    def load(self, settings: Settings) -> Any:
        """The data, which all runs of a process share."""

    @abstractmethod
    def run(self, data: Any, row: str, permutation: int, settings: Settings) -> Run:
        """Learn and test once. The result, times apart, depends on nothing but the arguments."""

    def notes(self, settings: Settings) -> list[str]:
        """What a reader of the tables should know."""
        return []

    def findings(self, tables: Sequence[Table]) -> list[str]:
        """What the figures say, as far as there are figures."""
        return []

    def plots(self, tables: Sequence[Table]) -> list[Plot]:
        """Measures against a parameter. Without any, ``--plot`` draws the traces of learners."""
        return []

    def trace_plots(self, runs: Sequence[Run]) -> list[Plot]:
        """What happened while learning, from the traces of runs."""
        return []

    def chosen_rows(self, settings: Settings) -> list[Row]:
        """The rows to run."""
        rows = [row for row in self.rows if not row.published_only]
        if not settings.rows:
            return [row for row in rows if row.by_default or settings.quick]
        for pattern in settings.rows:
            if not any(fnmatchcase(row.name, pattern) for row in rows):
                names = "; ".join(row.name for row in rows)
                raise ValueError(f"rows: {pattern!r} fits none of the rows of {self.name}: {names}")
        return [row for row in rows if any(fnmatchcase(row.name, pattern) for pattern in settings.rows)]

    def needed_files(self, settings: Settings) -> list[str]:
        """The files of the data folder that the chosen rows read."""
        by_row = (row.files for row in self.chosen_rows(settings))
        return list(dict.fromkeys([*self.files, *(file for files in by_row for file in files)]))

    def minutes(self, settings: Settings) -> float:
        """How long all runs take on two cores, roughly; 0 where it is not worth saying."""
        if settings.quick:
            return 0.0
        return self.runs_of_a_row(settings) * sum(row.minutes for row in self.chosen_rows(settings))

    def runs_of_a_row(self, settings: Settings) -> int:
        if settings.permutations is not None:
            return settings.permutations
        return min(2, self.permutations) if settings.quick else self.permutations
