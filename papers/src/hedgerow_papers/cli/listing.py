"""``hedgerow reproduce --list``: every table and figure, and what does it again."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import rich.table
from rich.text import Text

from hedgerow.data.files import writing
from hedgerow_papers.cli.output import output_console

if TYPE_CHECKING:
    from hedgerow_papers.experiments.papers import Paper, Result

WIDTH = 80
EXPLANATION = (
    "Minutes are those of all runs on two cores, measured or estimated; --quick takes one or so for each experiment. "
    "* drawn with --plot FILE or --output FOLDER."
)


def print_list(data: Path | None, json_file: str | None) -> None:
    """Print the list, or write it as JSON; with a data folder it says what is missing there."""
    from hedgerow_papers.experiments.papers import PAPERS, as_objects

    if data is not None and not data.is_dir():
        raise FileNotFoundError(f"{data}: there is no such data folder")
    if json_file is not None:
        with writing(json_file) as out:
            out.write((json.dumps(as_objects(data), indent=2) + "\n").encode())
        if json_file == "-":
            return
    console = output_console(WIDTH)
    for paper in PAPERS:
        console.print(Text(paper.citation, style="bold"))
        console.print(_table(paper, data))
        for places, differences in _differences(paper).items():
            console.print(f"Other data in {places}: {differences}.", style="dim")
        console.print()
    console.print(EXPLANATION, style="dim")
    if data is None:
        console.print("--list --data FOLDER says which data sets the folder lacks.", style="dim")


def _table(paper: Paper, data: Path | None) -> rich.table.Table:
    drawn = rich.table.Table(box=None, pad_edge=False, padding=(0, 1, 0, 0), expand=True)
    drawn.add_column("", width=15)
    drawn.add_column("", ratio=1)
    drawn.add_column("Experiment", width=22)
    drawn.add_column("Data", width=15, overflow="fold")
    drawn.add_column("Minutes", justify="right", no_wrap=True)
    above: list[str] = []
    for result in paper.results:
        if result.experiment is None:
            drawn.add_row(result.place, f"{result.shows} ({result.why_not})", "", "", "", style="dim")
        else:
            repeated = len(result.data_sets()) > 1 and result.data_sets() == above
            needed = Text("as above") if repeated else _data(result, data)
            drawn.add_row(result.place, result.shows, _experiment(result), needed, _minutes(result))
            above = result.data_sets()
    return drawn


def _differences(paper: Paper) -> dict[str, str]:
    """How data differ from the paper's, by the places where they do."""
    by_words: dict[str, list[str]] = {}
    for result in paper.results:
        if words := "; ".join(result.data_differences()):
            by_words.setdefault(words, []).append(result.place)
    return {", ".join(places): words for words, places in by_words.items()}


def _experiment(result: Result) -> str:
    """Its name, a star if it draws, and the rows, if they are not all."""
    name = f"{result.experiment} *" if result.drawn else str(result.experiment)
    return name if result.rows == ("*",) else f"{name}\n  rows: {', '.join(result.rows)}"


def _data(result: Result, folder: Path | None) -> Text:
    missing = set() if folder is None else set(result.missing_sets(folder))
    words = Text()
    for i, name in enumerate(result.data_sets()):
        words.append("\n" if i else "")
        words.append(name)
        if name in missing:
            words.append(" missing" if len(name) < 8 else "\n  missing", style="red")
    return words or Text("none")


def _minutes(result: Result) -> str:
    minutes = result.minutes()
    return "< 1" if minutes < 1 else f"{minutes:.0f}"
