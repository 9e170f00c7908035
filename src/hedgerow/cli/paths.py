"""Paths: outputs are checked before the work, and models say what they were trained on."""

from __future__ import annotations

import errno
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from hedgerow.cli.failures import refused
from hedgerow.data.files import name_of


def public_name(path: str) -> str:
    """A path for others to see, without the folders of an absolute one."""
    return os.path.basename(path) if os.path.isabs(path) else name_of(path)


def trained_on(inputs: Sequence[str], examples: int, before: dict[str, Any] | None = None) -> dict[str, Any]:
    """What a model file says about its training data: names and the number of examples.

    A model that goes on has ``before`` what was said about it then; if that is nothing, nothing is said now.
    """
    if before is None:
        before = {"data": [], "examples": 0}
    if not before:
        return {}
    data = {"data": [*before["data"], *map(public_name, inputs)]}
    earlier = before.get("examples")
    return data if earlier is None else {**data, "examples": earlier + examples}


def check_output(output: str, inputs: Sequence[str]) -> None:
    """Complains before the work, not after it, when a file cannot be written."""
    if output == "-":
        return
    folder = os.path.dirname(os.path.realpath(output))
    if os.path.isdir(output):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), output)
    if not os.path.isdir(folder):
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), output)
    if not os.access(output if os.path.exists(output) else folder, os.W_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), output)
    for path in inputs:
        if os.path.exists(path) and os.path.exists(output) and os.path.samefile(path, output):
            raise ValueError(f"{output} is also an input, which the output would replace")


def check_plot(path: str) -> None:
    """Complains before the work when a plot cannot be written to a file of that name."""
    from hedgerow.inspection.drawing import pyplot

    accepted = sorted(pyplot().Figure().canvas.get_supported_filetypes())
    if Path(path).suffix.removeprefix(".") not in accepted:
        raise refused("--plot", f"{path} must end in one of {', '.join('.' + kind for kind in accepted)}")
