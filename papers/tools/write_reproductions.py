"""Writes docs/reproductions.md from docs/reproductions/*.json, which are results of `hedgerow reproduce NAME --json`.

    hedgerow reproduce online_questions --data FOLDER --json docs/reproductions/online_questions.json
    python papers/tools/write_reproductions.py

Beside a result may be its figure, docs/reproductions/NAME.svg, which `--plot` draws. The page says whatever the files
say; nothing on it is typed by hand but the words in this file.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from hedgerow_papers.experiments import EXPERIMENTS
from hedgerow_papers.experiments.papers import PAPERS

DOCS = Path(__file__).parents[2] / "docs"
RESULTS, PAGE = DOCS / "reproductions", DOCS / "reproductions.md"
FIGURE = ".svg"
ARROWS = {"above": " ↑", "below": " ↓", None: ""}

HEAD = """\
# Reproduced tables

Published tables and figures done again by `hedgerow reproduce`, with hedgerow's figures above the published ones.
Figures are means, and standard deviations over runs with other permutations of the training data. ↑ and ↓ mark those
that are more than a standard deviation above or below the published mean. Where the data are not those of the
publication it says so, and differences mean less. Times were taken with one thread, beside other work on the machine.

This page is written by `papers/tools/write_reproductions.py` from the results in `docs/reproductions`, which are what
`hedgerow reproduce NAME --json FILE` writes; `hedgerow reproduce --help` lists the experiments and what they need.
"""


def main() -> None:
    PAGE.write_text(page(load(RESULTS)), encoding="utf-8")


def load(folder: Path) -> dict[str, dict[str, Any]]:
    """Results by the names of their experiments; ``figure`` says whether one is drawn."""
    results = {}
    for path in sorted(folder.glob("*.json")):
        result = json.loads(path.read_text(encoding="utf-8"))
        results[result["experiment"]] = {**result, "figure": path.with_suffix(FIGURE).exists()}
    return results


def page(results: Mapping[str, Mapping[str, Any]]) -> str:
    parts = [HEAD, *overview(results)]
    for name in EXPERIMENTS:
        if name in results:
            parts.extend(section(results[name]))
    return "\n".join(parts)


# -- what there is ------------------------------------------------------------------------------------------------


def overview(results: Mapping[str, Mapping[str, Any]]) -> Iterator[str]:
    """What is on the page, and what is not."""
    yield from ("| | | figures compared | of these marked |", "|---|---|---|---|")
    for name in EXPERIMENTS:
        if name not in results:
            continue
        cells = [cell for table in results[name]["tables"] for cell in _compared(table)]
        title = _escaped(results[name]["title"])
        yield f"| [{name}](#{name}) | {title} | {len(cells) or ''} | {_marked(results[name], cells)} |"
    yield ""
    missing = [f"`{name}`" for name in EXPERIMENTS if name not in results]
    if missing:
        yield f"Not on this page: {', '.join(missing)}.\n"


def _marked(result: Mapping[str, Any], cells: Sequence[Mapping[str, Any]]) -> str:
    """How many are marked, which is worth saying where the data, or some of them, are the same."""
    if not cells:
        return ""
    marked = sum(cell["mark"] is not None for cell in cells)
    return "none: other data" if not marked and result["data_differences"] else str(marked)


def _compared(table: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """The cells that have a figure of hedgerow and a published one, in columns that are compared."""
    columns = [measure["name"] for measure in table["measures"] if measure["compared"]]
    cells = [row["measures"][name] for row in table["rows"] for name in columns]
    return [cell for cell in cells if cell["mean"] is not None and cell["published_mean"] is not None]


# -- an experiment --------------------------------------------------------------------------------------------------


def section(result: Mapping[str, Any]) -> Iterator[str]:
    yield f"## {result['experiment']}\n"
    yield f"{_escaped(_sentence(result['title']))}\n"
    yield f"{_how(result)}\n"
    yield from _bullets(result["findings"])
    for table in result["tables"]:
        if any(row["runs"] for row in table["rows"]):
            yield from _table(table)
    if result.get("figure"):
        yield from _figure(result)
    if result["notes"]:
        yield "Notes:\n"
        yield from _bullets(result["notes"])


def _how(result: Mapping[str, Any]) -> str:
    """The command that was run, and how far it got."""
    patterns = "".join(f" --rows '{pattern}'" for pattern in result["rows"])
    quick = " --quick" if result["quick"] else ""
    n, usual = result["permutations"], EXPERIMENTS[result["experiment"]].permutations
    permutations = f" --permutations {n}" if n != usual and not quick else ""
    runs = f"{n} run{'s' * (n != 1)} of each row"
    options = f"{quick}{patterns}{permutations}"
    words = [
        f"`hedgerow reproduce {result['experiment']}{options}`, hedgerow {result['hedgerow']}, seed "
        f"{result['seed']}, {runs}, {result['minutes']:.1f} minutes one run after the other."
    ]
    if result["quick"]:
        words.append("**This is the quick version: little data, so that figures are not comparable.**")
    if any(
        row["runs"] == 0 and not row["published_only"] for table in result["tables"] for row in table["rows"]
    ):
        words.append("**Some rows only.**")
    if permutations:
        words.append(f"**The usual number of runs is {usual}.**")
    if not result["complete"]:
        words.append(f"**Not complete: {result['runs']} of {result['runs_wanted']} runs.**")
    return " ".join(words)


def _table(table: Mapping[str, Any]) -> Iterator[str]:
    yield f"### {_escaped(table['title'])}\n"
    measures = table["measures"]
    yield _row([table["first_column"], "runs", *(measure["heading"] for measure in measures)])
    yield _row(["---", "--:", *("--:" for _ in measures)], escape=False)
    for row in table["rows"]:
        if row["runs"]:
            yield _row([row["row"], str(row["runs"]), *(_own(row, measure) for measure in measures)])
        published = [_published(row, measure) for measure in measures]
        if any(published) and (row["runs"] or row["published_only"]):
            first = f"*{_escaped(row['row'])}, published*" if row["published_only"] else "*published*"
            yield _row([first, "", *published], escape=False)
    yield ""
    if left_out := [row["row"] for row in table["rows"] if not row["runs"] and not row["published_only"]]:
        yield f"Not run: {_escaped('; '.join(left_out))}.\n"
    yield f"Published: {_escaped(table['source'])}: {_escaped(table['setting'])}.\n"
    if table["data_differences"]:
        yield f"Other data than published. {_escaped('; '.join(table['data_differences']))}.\n"


def _figure(result: Mapping[str, Any]) -> Iterator[str]:
    """What was drawn, and what of the papers it is."""
    name = result["experiment"]
    run = {row["row"] for table in result["tables"] for row in table["rows"] if row["runs"]}
    places = [
        f"{paper.citation}, {drawn.place} ({drawn.shows})"
        for paper in PAPERS
        for drawn in paper.results
        if drawn.drawn and drawn.experiment == name and run & {row.name for row in drawn.chosen_rows()}
    ]
    yield f"![{EXPERIMENTS[name].summary.partition(';')[0]}](reproductions/{name}{FIGURE})\n"
    yield f"Drawn as published: {_escaped('; '.join(places))}.\n"


def _own(row: Mapping[str, Any], measure: Mapping[str, Any]) -> str:
    cell = row["measures"][measure["name"]]
    if cell["mean"] is None:
        return ""
    return _number(cell["mean"], cell["deviation"], measure["decimals"]) + ARROWS[cell["mark"]]


def _published(row: Mapping[str, Any], measure: Mapping[str, Any]) -> str:
    cell = row["measures"][measure["name"]]
    if cell["published_mean"] is None:
        return ""
    return f"*{_number(cell['published_mean'], cell['published_deviation'], measure['decimals'])}*"


def _number(mean: float, deviation: float | None, decimals: int) -> str:
    spread = "" if deviation is None else f" ± {deviation:,.{decimals}f}"
    return f"{mean:,.{decimals}f}{spread}"


# -- Markdown -------------------------------------------------------------------------------------------------------


def _row(cells: Sequence[str], escape: bool = True) -> str:
    return f"| {' | '.join(_escaped(cell) if escape else cell for cell in cells)} |"


def _bullets(sentences: Sequence[str]) -> Iterator[str]:
    if sentences:
        yield "\n".join(f"- {_escaped(sentence)}" for sentence in sentences) + "\n"


def _escaped(words: str) -> str:
    return re.sub(r"([\\`*_{}\[\]<>|$])", r"\\\1", words)


def _sentence(words: str) -> str:
    return words[:1].upper() + words[1:].rstrip(".") + "."


if __name__ == "__main__":
    main()
