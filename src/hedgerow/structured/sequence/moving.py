"""Features that have weights for moves from label to label, and where all weights of features stand."""

from __future__ import annotations

from typing import Any

import numpy as np

from hedgerow.kernels.base import Matrix
from hedgerow.models.stored import stored
from hedgerow.structured.sequence.templates import marks_moves
from hedgerow.structured.sequence.tokens import TokenReader

_LARGEST = 2**31 - 1


class MovingFeatures:
    """Which features look at moves.

    The weights of a feature are one for each label; those of a feature that looks at moves are followed by labels x
    labels more. Features stand in the order of their numbers, so that further ones go behind. Only features of the
    token itself look at moves, not those of its neighbours in the window.
    """

    def __init__(self, chosen: Any, n_labels: int, window: int):
        self.chosen = chosen  # ``transition_features`` of `LabelSequence`
        self.n_labels = n_labels
        self.window = window
        self.wide = np.zeros(0, dtype=np.uint8)  # by feature

    @property
    def n_weights(self) -> int:
        """Of moves."""
        return int(self.wide.sum(dtype=np.int64)) * self.n_labels**2

    def look_at(self, reader: TokenReader) -> None:
        """Choose among the features that are new."""
        self._check_chosen(reader)
        if len(self.wide) == reader.n_features:
            return
        span = 2 * self.window + 1
        known = len(self.wide) // span
        names = reader.new_names(known) if self._by_name(reader) else None
        if names is not None:
            chosen = np.array([self._chooses(name) for name in names], dtype=np.uint8)
        elif self.chosen is None or reader.names is not None:
            chosen = np.zeros(reader.n_features // span - known, dtype=np.uint8)
        else:
            chosen = self._choose_columns(reader.width or 0)[known:]
        wide = np.zeros((len(chosen), span), dtype=np.uint8)
        wide[:, self.window] = chosen
        self.wide = np.concatenate([self.wide, wide.ravel()])

    def _by_name(self, reader: TokenReader) -> bool:
        if reader.names is None:
            return False
        if reader.templates is not None and reader.templates._mark_moves():
            return True
        return self.chosen is not None

    def _check_chosen(self, reader: TokenReader) -> None:
        """Whether there are new features or not: what is chosen among later ones must not fail."""
        chosen = self.chosen
        if chosen is None or self._all():
            return
        if reader.names is None:
            if reader.width is not None:
                self._choose_columns(reader.width)
        elif not callable(chosen) and not (
            isinstance(chosen, list | tuple | set) and all(isinstance(begin, str) for begin in chosen)
        ):
            raise TypeError(
                "transition_features must be a list of beginnings of names, a function of a name, or 'all', "
                f"got {chosen!r}"
            )

    def _chooses(self, name: str) -> bool:
        if marks_moves(name) or self._all():
            return True
        if self.chosen is None:
            return False
        if callable(self.chosen):
            return bool(self.chosen(name))
        return name.startswith(tuple(self.chosen))

    def _all(self) -> bool:
        return isinstance(self.chosen, str) and self.chosen == "all"

    def _choose_columns(self, width: int) -> Matrix:
        if self._all():
            return np.ones(width, dtype=np.uint8)
        columns = np.asarray(self.chosen)
        if columns.ndim != 1 or columns.dtype.kind not in "iu":
            raise TypeError(f"transition_features must be numbers of columns, or 'all', got {self.chosen!r}")
        if len(columns) and not 0 <= columns.min() <= columns.max() < width:
            raise ValueError(
                f"transition_features must be numbers of columns below {width}, got {self.chosen!r}"
            )
        chosen = np.zeros(width, dtype=np.uint8)
        chosen[columns] = 1
        return chosen

    def places(self, features: Matrix, first: int) -> tuple[Matrix, Matrix | None]:
        """Where the weights of features begin, and which of them look at moves (None: none does)."""
        n = self.n_labels
        if not self.wide.any():
            starts = first + features.astype(np.int64) * n
            wide = None
        else:
            before = np.cumsum(self.wide, dtype=np.int64) - self.wide  # features that look at moves
            starts = first + features.astype(np.int64) * n + before[features] * n**2
            wide = self.wide[features]
        if len(starts) and starts.max() > _LARGEST - n - n**2:
            raise ValueError(f"there are more than {_LARGEST} weights: too many features for {n} labels")
        return starts.astype(np.int32), wide

    def to_arrays(self) -> dict[str, Matrix]:
        return {"wide": np.packbits(self.wide), "n_wide": np.array([len(self.wide)])}

    def from_arrays(self, arrays: dict[str, Matrix]) -> None:
        bits, n = stored(arrays, "wide", np.uint8, None), int(stored(arrays, "n_wide", np.int64, 1)[0])
        if len(bits) != (n + 7) // 8:
            raise ValueError("wide does not hold as many bits as n_wide says")
        self.wide = np.unpackbits(bits, count=n)
