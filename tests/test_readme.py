"""A journey: the Python code of the README runs as it stands, from top to bottom."""

from __future__ import annotations

import re
from importlib.resources import files
from pathlib import Path

import pytest

README = Path(__file__).parents[1] / "README.md"
BLOCKS = re.findall(
    r"^```python\n(.*?)^```", README.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL
)


def test_readme(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(tmp_path)
    questions = files("hedgerow.datasets").joinpath("questions.tk").read_bytes()
    Path("questions.tk").write_bytes(questions)
    Path("treebank.mrg").write_text("( (S (NP (D the) (N dog))\n     (VP (V barks))) )\n", encoding="utf-8")
    names: dict[str, object] = {}
    assert len(BLOCKS) == 10
    for block in BLOCKS:
        exec(block, names)
    shown = re.match(r"accuracy (\d\.\d\d) with \d+ supports\n", capsys.readouterr().out)
    assert shown is not None
    assert float(shown[1]) > 0.8
    assert (len(names["y"]), len(names["good"]), names["errors"]) == (300, 1, [])
