"""``hedgerow reproduce --fetch``: data that are missing are downloaded first."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import typer
from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TransferSpeedColumn

from hedgerow.cli.failures import complain
from hedgerow.cli.progress import bar as progress_bar

if TYPE_CHECKING:
    from hedgerow_papers.experiments import Experiment, Settings


def fetch_missing(experiments: Sequence[Experiment], settings: Settings) -> None:
    """Fetch what the experiments need and can be fetched; complain about what cannot, and go on."""
    from hedgerow.datasets import fetch
    from hedgerow_papers.datasets import sources
    from hedgerow_papers.experiments.missing_data import missing_files, sets_of

    if settings.data is None:
        raise typer.BadParameter(
            "--data must name the folder that data are fetched into", param_hint="--fetch"
        )
    missing = [file for experiment in experiments for file in missing_files(experiment, settings)]
    known = sources()
    for name in sets_of(missing):
        if not known[name].originals:
            continue  # the experiment that needs it says how it is made
        files = [file for file in dict.fromkeys(missing) if sets_of([file]) == [name]]
        print(f"fetching {known[name].where()}", file=sys.stderr, flush=True)
        with _bar() as bar:
            task = bar.add_task(name, total=None)

            def report(
                address: str, there: int, total: int | None, bar: Progress = bar, task: object = task
            ) -> None:
                bar.update(task, description=Path(address).name, completed=there, total=total)  # type: ignore[arg-type]

            try:
                fetch(known[name], settings.data, files=files, progress=report)
            except (OSError, ValueError) as error:
                complain(str(error))


def _bar() -> Progress:
    columns = (
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        DownloadColumn(),
        TransferSpeedColumn(),
    )
    return progress_bar(*columns)
