"""Score against one parameter, for one search or several: does a fast search choose what an exact one would?"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from numbers import Real
from typing import Any, Self

import numpy as np

from hedgerow.inspection.drawing import further_styles, new_axes, tidy_axes

SCALES = ("auto", "linear", "log")


@dataclass(frozen=True)
class ParameterCurve:
    """The best score for each value of a parameter, over all candidates that have it.

    Attributes
    ----------
    values : list, numbers in their order or else as they came
    means, deviations : arrays, of the score over the splits
    best : int, the position of the value with the highest mean

    Examples
    --------
    >>> import numpy as np
    >>> from hedgerow.inspection import ParameterCurve
    >>> curve = ParameterCurve([0.1, 1.0, 10.0], np.array([0.7, 0.9, 0.8]), np.array([0.1, 0.1, 0.1]), best=1)
    >>> curve.values[curve.best]
    1.0
    """

    values: list[Any]
    means: np.ndarray[Any, np.dtype[np.float64]]
    deviations: np.ndarray[Any, np.dtype[np.float64]]
    best: int


class ParameterChoiceDisplay:
    """How the cross-validated score depends on a parameter, with the standard deviation over the splits as a band.

    Where other parameters vary too, each value is shown with the best choice of these. Numbers that span decades get a
    logarithmic axis; kernels and other things that are not numbers stand side by side. A ring marks what each search
    chooses.

    Parameters
    ----------
    curves : mapping from names to `ParameterCurve`
    parameter : str
        Its name.
    score_name : str
        What is written beside the scores.

    Attributes
    ----------
    ax_ : matplotlib Axes
    figure_ : matplotlib Figure
    lines_ : list of matplotlib Line2D
        One for each search.
    bands_ : list of matplotlib artists
        One for each search; where categories stand side by side, containers of error bars.
    rings_ : list of matplotlib Line2D
        One for each search, at the best value.

    Examples
    --------
    >>> from sklearn.model_selection import GridSearchCV
    >>> from hedgerow.datasets import make_two_gaussians
    >>> from hedgerow.inspection import ParameterChoiceDisplay
    >>> from hedgerow.kernels import RBF
    >>> from hedgerow.model_selection import SampledSearchCV
    >>> from hedgerow.svm import CuttingPlaneSVC
    >>> X, y = make_two_gaussians(200, random_state=0)
    >>> machine, grid = CuttingPlaneSVC(RBF()), {"C": [0.01, 0.1, 1.0, 10.0]}
    >>> fast = SampledSearchCV(machine, grid, sample_size=50, refit=None, random_state=0).fit(X, y)
    >>> exact = GridSearchCV(machine, grid, cv=3).fit(X, y)
    >>> display = ParameterChoiceDisplay.from_results({"uSVM": fast, "SVM": exact}, "C")
    >>> display.ax_.get_xlabel(), display.ax_.get_xscale()
    ('C', 'log')
    >>> [line.get_label() for line in display.lines_]
    ['uSVM', 'SVM']
    """

    def __init__(
        self, curves: Mapping[str, ParameterCurve], parameter: str, score_name: str = "Score"
    ) -> None:
        if not curves:
            raise ValueError("there are no results to draw")
        self.curves = dict(curves)
        self.parameter = parameter
        self.score_name = score_name

    @classmethod
    def from_search(
        cls, search: Any, parameter: str | None = None, *, name: str | None = None, **options: Any
    ) -> Self:
        """Draw the results of one search.

        Parameters
        ----------
        search : fitted search, of hedgerow or of scikit-learn
        parameter : str, optional
            A key of its grid. By default the only one that varies.
        name : str, optional
            Its name in the legend; without one there is no legend.
        **options
            As in `from_results`.
        """
        return cls.from_results({name or "": search}, parameter, **options)

    @classmethod
    def from_results(
        cls,
        results: Mapping[str, Any],
        parameter: str | None = None,
        *,
        measure: str = "score",
        **options: Any,
    ) -> Self:
        """Draw the results of several searches in one plot.

        Parameters
        ----------
        results : mapping from names to fitted searches, or to their ``cv_results_``
            Of ``cv_results_`` only ``param_<parameter>``, ``mean_test_<measure>`` and, if it is there,
            ``std_test_<measure>`` are read, so that figures of other origin can be drawn too.
        parameter : str, optional
            As in `from_search`.
        measure : str, default="score"
            Which one, where searches have several.
        **options
            As in `plot`, the axes among them.
        """
        tables = {name: _table_of(name, result) for name, result in results.items()}
        if parameter is None:
            parameter = _only_parameter(tables)
        curves = {name: _curve(name, table, parameter, measure) for name, table in tables.items()}
        return cls(curves, parameter, _score_name(results, measure)).plot(**options)

    def plot(self, ax: Any = None, *, scale: str = "auto", **line_kw: Any) -> Self:
        """Draw into the axes, or into a new figure.

        Parameters
        ----------
        ax : matplotlib Axes, optional
        scale : {"auto", "linear", "log"}
            Of the parameter, where its values are numbers.
        **line_kw
            For matplotlib's ``plot``; they hold for every line.
        """
        if scale not in SCALES:
            raise ValueError(f"scale must be 'auto', 'linear' or 'log', got {scale!r}")
        if ax is None:
            ax = new_axes()
        self.ax_, self.figure_ = ax, ax.figure
        self.lines_: list[Any] = []
        self.bands_: list[Any] = []
        self.rings_: list[Any] = []
        all_values = [value for curve in self.curves.values() for value in curve.values]
        if all(_is_number(value) for value in all_values):
            self._draw_numbers(line_kw)
            if scale == "log" or (scale == "auto" and _spans_decades(all_values)):
                ax.set_xscale("log")
            tidy_axes(ax)
        else:
            categories = list(dict.fromkeys(map(str, all_values)))
            self._draw_categories(categories, line_kw)
            tidy_axes(ax)
            _label_categories(ax, categories)
        ax.set(xlabel=self.parameter, ylabel=self.score_name)
        if any(self.curves):
            ax.legend(frameon=False, handlelength=3.2)
        return self

    def _draw_numbers(self, line_kw: dict[str, Any]) -> None:
        for name, curve, style in self._styled():
            options = {"label": name or None, "linewidth": 1.6, "marker": "o", "markersize": 3.5, **style}
            (line,) = self.ax_.plot(curve.values, curve.means, **{**options, **line_kw})
            low, high = curve.means - curve.deviations, curve.means + curve.deviations
            colour = line.get_color()
            self.bands_.append(
                self.ax_.fill_between(curve.values, low, high, color=colour, alpha=0.15, linewidth=0)
            )
            self._ring(curve.values[curve.best], curve, colour)
            self.lines_.append(line)

    def _draw_categories(self, categories: list[str], line_kw: dict[str, Any]) -> None:
        shifts = 0.12 * (np.arange(len(self.curves)) - (len(self.curves) - 1) / 2)
        for (name, curve, style), shift in zip(self._styled(), shifts, strict=True):
            places = np.array([categories.index(str(value)) for value in curve.values]) + shift
            options = {"label": name or None, "marker": "o", **style, "linestyle": "none", "capsize": 3.0}
            bars = self.ax_.errorbar(places, curve.means, curve.deviations, **{**options, **line_kw})
            self._ring(places[curve.best], curve, bars[0].get_color())
            self.lines_.append(bars[0])
            self.bands_.append(bars)

    def _styled(self) -> list[tuple[str, ParameterCurve, dict[str, Any]]]:
        styles = further_styles(self.ax_, len(self.curves))
        return [
            (name, curve, style) for (name, curve), style in zip(self.curves.items(), styles, strict=True)
        ]

    def _ring(self, place: float, curve: ParameterCurve, colour: Any) -> None:
        ring = {"marker": "o", "markersize": 11, "markerfacecolor": "none", "markeredgewidth": 1.4}
        self.rings_ += self.ax_.plot(
            [place], [curve.means[curve.best]], color=colour, linestyle="none", **ring
        )


# -- results ----------------------------------------------------------------------------------------------------


def _table_of(name: str, result: Any) -> Mapping[str, Any]:
    table = result if isinstance(result, Mapping) else getattr(result, "cv_results_", None)
    if table is None:
        raise ValueError(
            f"{name or type(result).__name__} has no cv_results_: give a search that was fitted, or its results"
        )
    return table


def _only_parameter(tables: Mapping[str, Mapping[str, Any]]) -> str:
    names = dict.fromkeys(
        key.removeprefix("param_")
        for table in tables.values()
        for key, values in table.items()
        if key.startswith("param_") and len({str(value) for value in _shown(values)}) > 1
    )
    if len(names) != 1:
        raise ValueError(f"parameter must be given: those that vary are {', '.join(names) or 'none'}")
    return next(iter(names))


def _curve(name: str, table: Mapping[str, Any], parameter: str, measure: str) -> ParameterCurve:
    values = _column(name, table, "param_", parameter, "parameter")
    means = np.asarray(_column(name, table, "mean_test_", measure, "measure"), dtype=np.float64)
    deviations = np.asarray(table.get(f"std_test_{measure}", np.zeros(len(means))), dtype=np.float64)
    best: dict[str, tuple[Any, float, float]] = {}  # kernels are the same when they look the same
    rows = zip(np.ma.getdata(values), means, deviations, np.ma.getmaskarray(values), strict=True)
    for value, mean, deviation, skip in rows:
        known = best.get(str(value))
        if not skip and (known is None or np.isnan(known[1]) or mean > known[1]):
            best[str(value)] = (value, float(mean), float(deviation))
    points = list(best.values())
    if all(np.isnan(mean) for _, mean, _ in points):
        raise ValueError(f"{name or 'the search'} has no score for any value of {parameter}")
    if all(_is_number(value) for value, _, _ in points):
        points.sort(key=lambda point: point[0])
    curve = np.array([point[1:] for point in points])
    return ParameterCurve(
        [point[0] for point in points], curve[:, 0], curve[:, 1], int(np.nanargmax(curve[:, 0]))
    )


def _column(name: str, table: Mapping[str, Any], start: str, wanted: str, kind: str) -> Any:
    if start + wanted not in table:
        there = [key.removeprefix(start) for key in table if key.startswith(start)]
        owner = name or "the search"
        raise ValueError(f"{kind} must be one of those of {owner}: {', '.join(there)}; got {wanted!r}")
    return table[start + wanted]


def _shown(values: Any) -> Any:
    return values.compressed() if isinstance(values, np.ma.MaskedArray) else values


def _score_name(results: Mapping[str, Any], measure: str) -> str:
    """What the searches call their score, if they agree."""
    if measure != "score":
        return measure
    names = {
        getattr(search, "scoring", None) for search in results.values() if not isinstance(search, Mapping)
    }
    name = names.pop() if len(names) == 1 else None
    return f"Cross-validated {name}" if isinstance(name, str) else "Cross-validated score"


# -- axes -------------------------------------------------------------------------------------------------------


def _is_number(value: Any) -> bool:
    return isinstance(value, Real | np.number) and not isinstance(value, bool | np.bool_)


def _spans_decades(values: list[Any]) -> bool:
    """Whether positive values are spread over a power of ten or more, more evenly by their ratios than themselves."""
    distinct = np.unique(np.array(values, dtype=np.float64))
    if distinct[0] <= 0 or distinct[-1] < 10 * distinct[0]:
        return False
    gaps, ratios = np.diff(distinct), np.diff(np.log(distinct))
    return len(distinct) == 2 or float(ratios.std() / ratios.mean()) < float(gaps.std() / gaps.mean())


def _label_categories(ax: Any, categories: list[str]) -> None:
    """Kernels without what repeats in all of them: Normalized(SubsetTree) for Normalized(SubsetTree())."""
    labels = [" ".join(text.split()).replace("()", "") for text in categories]
    long = sum(map(len, labels)) > 60
    slanted = {"rotation": 20, "ha": "right", "rotation_mode": "anchor"} if long else {}
    ax.set_xticks(range(len(labels)), labels, **slanted)
    ax.grid(False, axis="x")
