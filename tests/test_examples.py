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
