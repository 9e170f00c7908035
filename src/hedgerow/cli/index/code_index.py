"""An index of functions, with the places that they come from, as a file."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import astuple, dataclass
from typing import Any

from hedgerow.data import FormatError
from hedgerow.data.converters.source_code import TreeOptions
from hedgerow.kernels.base import Kernel
from hedgerow.neighbors import TreeIndex
from hedgerow.neighbors.code_units import CodeBase, CodeUnit
from hedgerow.persistence.model_file import read_model, write_model

_NOTE = "code"  # under which the file has the places


@dataclass
class CodeIndex:
    """An index, how its trees were made, and where each comes from."""

    index: TreeIndex
    options: dict[str, Any]
    units: list[CodeUnit]

    @classmethod
    def built(cls, kernel: Kernel, options: dict[str, Any], base: CodeBase, jobs: int | None) -> CodeIndex:
        index = TreeIndex(kernel, measure="similarity", n_jobs=jobs).fit(base.trees)
        index.n_jobs = None  # the number of threads is not a property of a file
        return cls(index, options, base.units)

    @classmethod
    def read(cls, path: str, jobs: int | None) -> CodeIndex:
        index, notes = read_model(path)
        if not isinstance(index, TreeIndex) or _NOTE not in notes:
            raise FormatError("not a file of hedgerow index build", path=path)
        index.n_jobs = jobs
        try:
            options = dict(notes[_NOTE]["options"])
            TreeOptions(**{name: value for name, value in options.items() if name != "language"}).check()
            units = [CodeUnit(str(p), str(n), int(a), int(b)) for p, n, a, b in notes[_NOTE]["units"]]
            if index.numbers_.tolist() != list(range(len(units))):
                raise ValueError("there must be a place for every tree")
        except (KeyError, TypeError, ValueError) as error:
            raise FormatError(f"the places of its functions are damaged: {error}", path=path) from None
        return cls(index, options, units)

    def write(self, path: str) -> None:
        places = {"options": self.options, "units": [list(astuple(unit)) for unit in self.units]}
        jobs, self.index.n_jobs = self.index.n_jobs, None
        write_model(self.index, path, {_NOTE: places})
        self.index.n_jobs = jobs

    def add(self, base: CodeBase) -> None:
        self.index.add(base.trees)
        self.units += base.units

    def similar(self, base: CodeBase, n: int) -> Iterator[tuple[CodeUnit, list[tuple[float, CodeUnit]]]]:
        """For each function of the base, the most similar ones of the index."""
        values, numbers = self.index.kneighbors(base.trees, min(n, len(self.units)))
        for unit, row, found in zip(base.units, values.tolist(), numbers.tolist(), strict=True):
            yield unit, [(value, self.units[i]) for value, i in zip(row, found, strict=True)]
