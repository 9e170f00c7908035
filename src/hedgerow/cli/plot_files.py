"""Files that plots are written to."""

from __future__ import annotations

from pathlib import Path

from hedgerow.cli.failures import refused


def check_plot(path: str) -> None:
    """Complains before the work when a plot cannot be written to a file of that name."""
    from hedgerow.inspection.drawing import pyplot

    accepted = sorted(pyplot().Figure().canvas.get_supported_filetypes())
    if Path(path).suffix.removeprefix(".") not in accepted:
        raise refused("--plot", f"{path} must end in one of {', '.join('.' + kind for kind in accepted)}")
