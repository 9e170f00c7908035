"""The page of reproduced tables is what its tool writes from the results beside it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from hedgerow.cli.app import app
from hedgerow_papers.experiments import EXPERIMENTS
from papers.tools.write_reproductions import PAGE, RESULTS, load, page


def test_page_is_up_to_date() -> None:
    assert PAGE.read_text(encoding="utf-8") == page(load(RESULTS)), "run papers/tools/write_reproductions.py"


def test_files_are_named_after_their_experiments() -> None:
    assert {path.stem for path in RESULTS.glob("*.json")} == set(load(RESULTS)) <= set(EXPERIMENTS)


@pytest.fixture(scope="module")
def result(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What the command writes."""
    folder = tmp_path_factory.mktemp("result")
    rows = ["--rows", "Perceptron*", "--permutations", "1", "--quick"]
    output = ["--output", str(folder), "--json", str(folder / "result.json")]
    done = CliRunner().invoke(app, ["reproduce", "online_synthetic", *rows, *output])
    assert done.exit_code == 0, done.output
    content: dict[str, Any] = json.loads(Path(folder, "result.json").read_text(encoding="utf-8"))
    return content


def test_result_of_the_command(result: dict[str, Any]) -> None:
    text = page({"online_synthetic": result})
    table = result["tables"][0]
    row = next(row for row in table["rows"] if row["runs"])
    cell = row["measures"]["f1"]
    assert f"| {row['row']} | 1 |" in text
    assert f"{cell['mean']:.2f}" in text
    assert f"*{cell['published_mean']:.2f} ± {cell['published_deviation']:.2f}*" in text
    assert "This is the quick version" in text
    assert "Some rows only" in text
    absent = [row["row"] for row in table["rows"] if not row["runs"] and not row["published_only"]]
    assert "Not run: " in text
    assert absent[0] in text.partition("Not run: ")[2].partition("\n")[0]
    assert "Not complete" not in text
    assert "`online_questions`" in text.partition("Not on this page")[2]


def test_figures(result: dict[str, Any]) -> None:
    name = "online_srl"  # which has rows of the same names
    assert "![" not in page({name: {**result, "experiment": name}})
    text = page({name: {**result, "experiment": name, "figure": True}})
    assert "](reproductions/online_srl.svg)" in text
    assert "2011, figures 6.1-6.3 (argument boundaries: F1, supports and time while learning)." in text


def test_marks_and_what_is_missing(result: dict[str, Any]) -> None:
    changed = json.loads(json.dumps(result))
    changed.update(quick=False, rows=[], complete=False, runs=1, runs_wanted=90)
    row = next(row for row in changed["tables"][0]["rows"] if row["runs"])
    row["row"] = "a|b*"
    row["measures"]["f1"].update(mean=12.345, deviation=None, mark="below")
    text = page({"online_synthetic": changed})
    assert "12.35 ↓" in text or "12.34 ↓" in text
    assert r"| a\|b\* | 1 |" in text
    assert "**Not complete: 1 of 90 runs.**" in text
    assert "quick version" not in text
