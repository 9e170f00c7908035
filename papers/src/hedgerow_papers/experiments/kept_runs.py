"""Runs that are kept in a file as they end, so that an experiment goes on where it was stopped.

The file of an experiment has a line of JSON for each run. Which experiment, version of hedgerow, settings and data it
belongs to stands in the line, so one file serves all of these, and a run is only taken up again where it would come
out the same. A line that was cut short, by a kill or when the power failed, counts as not written.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from hedgerow.data.files import writing
from hedgerow.datasets.fetching import find_file
from hedgerow_papers.experiments.experiment import Experiment, Row, Run, Settings
from hedgerow_papers.experiments.running import all_tasks


class KeptRuns:
    """The runs of an experiment that are kept in a folder.

    Parameters
    ----------
    folder : path
        It must exist. The file is called after the experiment: ``online_adult.runs.jsonl``.
    experiment : Experiment
    settings : Settings
        Seed, size and data must be those of the run; the number of permutations and the choice of rows need not.
    version : str
        Of hedgerow.
    """

    def __init__(
        self, folder: str | os.PathLike[str], experiment: Experiment, settings: Settings, version: str
    ) -> None:
        self.path = Path(folder, f"{experiment.name}.runs.jsonl")
        self._experiment, self._settings = experiment, settings
        setting = {
            "experiment": experiment.name,
            "version": version,
            "quick": settings.quick,
            "seed": settings.seed,
        }
        prints = _Fingerprints(settings.data)
        rows = experiment.chosen_rows(settings)
        self._keys = {row.name: {**setting, "data": prints.of(experiment, row)} for row in rows}
        wanted = experiment.traces_on_request and settings.traced
        self._traced = {row.name for row in rows if wanted and row.traced}

    def read(self) -> list[Run]:
        """The runs that need not be done again, in the order in which they would be."""
        found = {
            (line["row"], line["permutation"]): _run(line) for line, _ in self._lines() if self._is_ours(line)
        }
        wanted = all_tasks(self._experiment, self._settings)
        return [found[task] for task in wanted if task in found and self._has_trace(found[task])]

    def add(self, run: Run) -> None:
        """Keep a run; when this returns, it has reached the disk."""
        line = {
            **self._keys[run.row],
            "row": run.row,
            "permutation": run.permutation,
            "seconds": run.seconds,
            "figures": run.figures,
            "trace": run.trace,
        }
        # One write, so that lines of several processes do not mix.
        with open(self.path, "ab", buffering=0) as file:
            begin = b"" if _ends_well(self.path) else b"\n"
            file.write(begin + json.dumps(line).encode() + b"\n")
            os.fsync(file.fileno())

    def forget(self) -> None:
        """Leave out the runs of these settings and rows; those of others stay."""
        if not self.path.exists():
            return
        others = [raw for line, raw in self._lines() if not self._is_ours(line)]
        with writing(self.path) as out:
            out.writelines(others)

    def _lines(self) -> Iterator[tuple[dict[str, Any], bytes]]:
        """The lines that are whole, as they say and as they stand."""
        if not self.path.exists():
            return
        for raw in self.path.read_bytes().splitlines(keepends=True):
            try:
                line = json.loads(raw)
                _run(line)
            except (ValueError, TypeError, KeyError, AttributeError):
                continue
            if raw.endswith(b"\n"):
                yield line, raw

    def _is_ours(self, line: dict[str, Any]) -> bool:
        key = self._keys.get(line["row"])
        return key is not None and all(line.get(name) == value for name, value in key.items())

    def _has_trace(self, run: Run) -> bool:
        return run.trace is not None or run.permutation > 0 or run.row not in self._traced


def _run(line: dict[str, Any]) -> Run:
    return Run(line["row"], line["permutation"], line["figures"], line["trace"], line["seconds"])


def _ends_well(path: Path) -> bool:
    with open(path, "rb") as file:
        if file.seek(0, os.SEEK_END) == 0:
            return True
        file.seek(-1, os.SEEK_END)
        return file.read(1) == b"\n"


class _Fingerprints:
    """What tells data from other data: the SHA-256 of what the files of a row hold."""

    def __init__(self, folder: Path | None) -> None:
        self._folder = folder
        self._found: dict[str, str] = {}

    def of(self, experiment: Experiment, row: Row) -> str | None:
        files = (*experiment.files, *row.files)
        if not files:
            return None
        return hashlib.sha256("".join(map(self._of_file, files)).encode()).hexdigest()

    def _of_file(self, name: str) -> str:
        if name not in self._found:
            path = None if self._folder is None else find_file(self._folder, name)
            self._found[name] = "" if path is None else hashlib.sha256(path.read_bytes()).hexdigest()
        return self._found[name]
