"""Journeys: the examples run as a user runs them, and say what they should."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

EXAMPLES = Path(__file__).parents[1] / "examples"


def test_classify_questions() -> None:
    script = str(EXAMPLES / "classify_questions.py")
    shown = subprocess.run(
        [sys.executable, "-W", "error", script],
        check=True,
        capture_output=True,
        text=True,
        env={**os.environ, "COLUMNS": "120"},
    ).stdout
    accuracy = {
        model: float(re.search(rf"{model}.* (\d+\.\d)%", shown)[1])
        for model in ("parse trees", "bag of words")
    }
    assert accuracy["parse trees"] > 85
    assert accuracy["parse trees"] > accuracy["bag of words"] > 100 / 6
    assert "predicted" in shown
    assert "nearest by kernel value" in shown


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
    # All solvers end within n C epsilon of the optimum: 75 examples, 0.2.
    objectives = [float(cells[2]) for cells in rows.values() if cells[2]]
    assert len(objectives) == 3
    assert max(objectives) - min(objectives) <= 15
