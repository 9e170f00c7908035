"""Curves as text, for terminals: dots of Braille letters, two by four to a letter."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from hedgerow.checks import check_whole

# Bits of the eight dots of a Braille letter, by row and column.
_DOTS = ((0x01, 0x08), (0x02, 0x10), (0x04, 0x20), (0x40, 0x80))


def curve_text(
    curves: Mapping[str, tuple[Any, Any]], *, width: int = 56, height: int = 10, x_label: str = ""
) -> str:
    """Lines through points, drawn with letters.

    Parameters
    ----------
    curves : mapping from names to pairs (x, y) of equally long sequences
        x must rise. The name stands at the end of the line.
    width, height : int
        Letters of the drawing, without its numbers and names.
    x_label : str
        What x is; stands below.

    Returns
    -------
    text : str

    Examples
    --------
    >>> from hedgerow.inspection import curve_text
    >>> print(curve_text({"squares": ([0, 1, 2, 3, 4], [0, 1, 4, 9, 16])}, width=16, height=4, x_label="n"))
    16 ┤             ⢀⡠⠊ squares
       │           ⣀⠔⠁
       │       ⢀⡠⠔⠊
     0 ┤⣀⣀⡠⠤⠤⠒⠊⠁
       └────────────────
        0              4  n
    """
    check_whole("width", width, at_least=2)
    check_whole("height", height, at_least=2)
    points = {name: _points(name, x, y) for name, (x, y) in curves.items()}
    if not points:
        raise ValueError("there is no curve to draw")
    left, right = _range(np.concatenate([x for x, _ in points.values()]))
    low, high = _range(np.concatenate([y for _, y in points.values()]))
    letters = np.zeros((height, width), dtype=np.int64)
    ends: dict[int, list[str]] = {}
    for name, (x, y) in points.items():
        columns = np.arange(2 * width)
        across = (x - left) / (right - left) * (2 * width - 1)
        up = (high - np.interp(columns, across, y)) / (high - low) * (4 * height - 1)
        seen = (columns >= np.floor(across[0])) & (columns <= np.ceil(across[-1]))
        rows = np.round(up).astype(np.int64)
        _draw(letters, columns[seen], rows[seen])
        ends.setdefault(int(rows[seen][-1]) // 4, []).append(name)
    return _framed(letters, ends, (_number(high), _number(low)), (_number(left), _number(right)), x_label)


def _points(name: str, x: Any, y: Any) -> tuple[Any, Any]:
    x, y = np.asarray(x, dtype=np.float64), np.asarray(y, dtype=np.float64)
    if x.ndim != 1 or x.shape != y.shape or not len(x):
        raise ValueError(f"x and y of {name!r} must be equally long, and not empty")
    if not (np.isfinite(x).all() and np.isfinite(y).all()):
        raise ValueError(f"x and y of {name!r} must be finite")
    if (np.diff(x) <= 0).any():
        raise ValueError(f"x of {name!r} must rise")
    return x, y


def _range(values: Any) -> tuple[float, float]:
    low, high = float(values.min()), float(values.max())
    return (low, high) if low < high else (low - 0.5, high + 0.5)


def _draw(letters: Any, columns: Any, rows: Any) -> None:
    """Sets the dots, and those between the rows of neighbouring columns, so that steep lines have no gaps."""
    before = rows[0]
    for column, row in zip(columns.tolist(), rows.tolist(), strict=True):
        towards = np.sign(row - before)
        for step in range(before + towards if row != before else row, row + (towards or 1), towards or 1):
            letters[step // 4, column // 2] |= _DOTS[step % 4][column % 2]
        before = row


def _framed(
    letters: Any, ends: dict[int, list[str]], y_range: tuple[str, str], x_range: tuple[str, str], x_label: str
) -> str:
    height, width = letters.shape
    margin = max(map(len, y_range))
    sides = {0: y_range[0], height - 1: y_range[1]}
    lines = []
    for row in range(height):
        drawn = "".join(chr(0x2800 + dots) if dots else " " for dots in letters[row].tolist())
        number = sides.get(row)
        side = f"{'':>{margin}} │" if number is None else f"{number:>{margin}} ┤"
        lines.append(f"{side}{drawn} {', '.join(ends.get(row, []))}".rstrip())
    first, last = x_range
    lines.append(f"{'':>{margin}} └{'─' * width}")
    lines.append(
        f"{'':>{margin}}  {first}{last:>{max(width - len(first), len(last) + 1)}}  {x_label}".rstrip()
    )
    return "\n".join(lines)


def _number(value: float) -> str:
    return f"{value:,.3g}" if abs(value) < 1000 else f"{value:,.0f}"
