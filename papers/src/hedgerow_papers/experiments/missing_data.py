"""Data that an experiment needs and the folder does not have."""

from __future__ import annotations

from collections.abc import Iterable

from hedgerow.datasets.fetching import find_file
from hedgerow_papers.datasets import sources
from hedgerow_papers.experiments.experiment import Experiment, Settings


def missing_files(experiment: Experiment, settings: Settings) -> list[str]:
    """The files that the chosen rows need and the folder lacks."""
    needed = experiment.needed_files(settings)
    if settings.data is None:
        return needed
    return [file for file in needed if find_file(settings.data, file) is None]


def sets_of(files: Iterable[str]) -> list[str]:
    """The data sets that files belong to."""
    return list(dict.fromkeys(file.partition("/")[0] for file in files))


def lacking(experiment: Experiment, settings: Settings) -> str | None:
    """What is lacking, from where it is to be had, and the command that gets it, in words; None if nothing is."""
    missing = missing_files(experiment, settings)
    if not missing:
        return None
    known = sources()
    where = "; ".join(known[name].where() for name in sets_of(missing))
    if settings.data is None:
        words = (
            f"{experiment.name} reads data ({', '.join(missing)}): --data must name the folder that has them"
        )
    else:
        words = (
            f"{experiment.name} needs {', '.join(missing)}, plain or with .gz, which {settings.data} lacks"
        )
    if any(known[name].originals for name in sets_of(missing)):
        folder = settings.data or "FOLDER"
        where += f". To fetch: hedgerow reproduce {experiment.name} --data {folder} --fetch"
    return f"{words}. {where}"
