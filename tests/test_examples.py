"""Journeys: the examples run as a user runs them, and say what they should."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parents[1] / "examples"


def test_classify_questions(tmp_path: Path) -> None:
    script = str(EXAMPLES / "classify_questions.py")
    shown = subprocess.run(
        [sys.executable, "-W", "error", script],
        check=True,
        capture_output=True,
        text=True,
        cwd=tmp_path,
        env={**os.environ, "COLUMNS": "120"},
    ).stdout
    accuracy = {
        model: float(re.search(rf"{model}: accuracy (\d+\.\d)%", shown)[1])
        for model in ("parse trees", "bag of words")
    }
    assert accuracy["parse trees"] > 85
    assert accuracy["parse trees"] > accuracy["bag of words"] > 100 / 6
    drawn = [line for line in shown.splitlines() if re.search("[\u2801-\u28ff]", line)]
    assert len(drawn) == 10  # the curves
    assert any(line.endswith(" parse trees") for line in drawn)
    assert re.search(r"^LOC +\+\d\.\d\d \(WRB Where\)", shown, re.MULTILINE)
    score, *added = re.findall(
        r"^(?:LOC:| +)\s*([+-]?\d[.\d]*)(?=$|  \S)", shown[shown.index("Why") :], re.MULTILINE
    )
    assert sum(map(float, added)) == pytest.approx(float(score), abs=1e-3)
    page = (tmp_path / "demo-output" / "report.html").read_text(encoding="utf-8")
    assert "demo-output/report.html" in shown
    assert "Fragments that matter" in page
    assert page.count("<svg") > 10


def test_own_problem() -> None:
    script = str(EXAMPLES / "own_problem.py")
    shown = subprocess.run(
        [sys.executable, "-W", "error", script],
        check=True,
        capture_output=True,
        text=True,
        env={**os.environ, "COLUMNS": "120", "OMP_NUM_THREADS": "1"},
    ).stdout
    rows = {
        cells[0].strip(): [cell.strip() for cell in cells[1:]]
        for cells in (line.strip("│ ").split("│") for line in shown.splitlines() if line.startswith("│"))
    }
    assert list(rows) == ["perceptron", "SVM, one slack", "SVM, n slacks", "SVM, Frank-Wolfe"]
    for wrong, without_fault, *_ in rows.values():
        assert float(wrong) < 1.5  # without any space it were 8
        assert float(without_fault.rstrip("%")) > 40
    # All solvers end within n C epsilon of the optimum: 100 examples, 0.2.
    objectives = [float(cells[2]) for cells in rows.values() if cells[2]]
    assert len(objectives) == 3
    assert max(objectives) - min(objectives) <= 20
