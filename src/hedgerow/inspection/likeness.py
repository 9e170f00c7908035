"""A picture of the kernel before learning: how much alike items are."""

from __future__ import annotations

from typing import Any, Self

import numpy as np

from hedgerow.inspection.drawing import new_axes
from hedgerow.kernels.base import Kernel, Matrix
from hedgerow.kernels.likeness import largest_likeness, likeness


class LikenessDisplay:
    """The kernel values between some items, divided by their lengths: 1 on the diagonal.

    Where all else is white, items resemble nothing but themselves, and a model can do little but learn them by heart:
    take a smaller decay, or another kernel. With labels, items are sorted by class, and a kernel that tells classes
    apart shows a square for each.

    Parameters
    ----------
    values : array of shape (n, n)
        Then call `plot`. The class method `from_kernel` does both.
    labels : sequence, optional
        Of the items, in order.

    Attributes
    ----------
    largest_, mean_ : float
    ax_, figure_ : matplotlib Axes and Figure

    Examples
    --------
    >>> from hedgerow.datasets import load_questions
    >>> from hedgerow.inspection import LikenessDisplay
    >>> from hedgerow.kernels import PartialTree, SubsetTree
    >>> trees, y = load_questions()
    >>> for kernel in (SubsetTree(), PartialTree()):
    ...     display = LikenessDisplay.from_kernel(kernel, trees, y)
    ...     print(f"{display.mean_:.2f} {display.largest_:.2f}")
    0.21 0.58
    0.50 0.81
    """

    def __init__(self, values: Matrix, labels: Any = None) -> None:
        self.values = values
        self.labels = labels

    @classmethod
    def from_kernel(cls, kernel: Kernel, X: Any, y: Any = None, *, n_items: int = 50, ax: Any = None) -> Self:
        """Draw the values between ``n_items`` items, evenly chosen from X.

        Parameters
        ----------
        kernel : Kernel
        X : items, as the kernel takes them
        y : labels, optional
        n_items : int
        ax : matplotlib Axes, optional
        """
        kernel._check_params()
        items = kernel._items(kernel._prepare(X))
        if len(items) < 2:
            raise ValueError(f"X must have at least two items, got {len(items)}")
        chosen = np.unique(np.linspace(0, len(items) - 1, min(n_items, len(items))).astype(np.int64))
        labels = None
        if y is not None:
            labels = np.asarray(y)[chosen]
            order = np.argsort(labels, kind="stable")
            chosen, labels = chosen[order], labels[order]
        return cls(likeness(kernel, items, chosen), labels).plot(ax)

    @property
    def largest_(self) -> float:
        """The likeness of an item to the one that it resembles most, on the median over items."""
        return largest_likeness(self.values)

    @property
    def mean_(self) -> float:
        """The mean likeness of two items."""
        n = len(self.values)
        return float((self.values.sum() - np.trace(self.values)) / (n * (n - 1)))

    def plot(self, ax: Any = None) -> Self:
        """Draw into the axes, or into a new figure."""
        self.ax_ = new_axes() if ax is None else ax
        self.figure_ = self.ax_.figure
        image = self.ax_.imshow(self.values, cmap="Blues", vmin=0.0, vmax=1.0, interpolation="nearest")
        self.figure_.colorbar(image, ax=self.ax_, label="Likeness")
        self.ax_.set(title=f"mean {self.mean_:.2g}, nearest {self.largest_:.2g}", xticks=[], yticks=[])
        if self.labels is not None:
            names, begins = np.unique(self.labels, return_index=True)
            middles = (begins + np.append(begins[1:], len(self.labels)) - 1) / 2
            self.ax_.set_yticks(middles, [str(name) for name in names])
        return self
