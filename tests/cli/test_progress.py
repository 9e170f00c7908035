"""Progress bars: on terminals only, and nowhere where nobody wants them."""

from __future__ import annotations

import sys

import pytest

from hedgerow.cli.progress import counting, silenced, spinning, with_progress


@pytest.mark.parametrize("silent", [False, True])
def test_bars_on_a_terminal(silent, monkeypatch, capsys):
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm")
    with silenced(silent):
        assert list(with_progress([("a", 1)], "Reading")) == [("a", 1)]
        with counting("Counting", 3) as advance:
            advance(3)
        with spinning("Learning") as say:
            say("words")
    shown = capsys.readouterr().err
    assert [what in shown for what in ("Reading", "Counting", "Learning")] == [not silent] * 3
