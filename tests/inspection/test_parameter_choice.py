"""The display of scores against a parameter, drawn without a screen."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

from hedgerow.datasets import make_two_gaussians
from hedgerow.inspection import ParameterChoiceDisplay
from hedgerow.kernels import RBF, Normalized, Polynomial, SubsetTree, SubTree
from hedgerow.model_selection import SampledSearchCV
from hedgerow.svm import CuttingPlaneSVC


def results(means, deviations=None, **parameters):
    """As a search leaves them; None stands for a candidate without the parameter."""
    table = {"mean_test_score": np.array(means)}
    if deviations is not None:
        table["std_test_score"] = np.array(deviations)
    for name, values in parameters.items():
        column = np.ma.masked_all(len(values), dtype=object)
        for place, value in enumerate(values):
            if value is not None:
                column[place] = value
        table[f"param_{name}"] = column
    return table


def legend_of(display):
    return [text.get_text() for text in display.ax_.get_legend().get_texts()]


class TestNumbers:
    def test_sorted_with_band_and_ring(self):
        table = results([0.7, 0.5, 0.9], [0.01, 0.02, 0.03], C=[1.0, 0.1, 10.0])
        display = ParameterChoiceDisplay.from_search(SimpleNamespace(cv_results_=table), "C")
        assert display.lines_[0].get_xdata().tolist() == [0.1, 1.0, 10.0]
        assert display.lines_[0].get_ydata().tolist() == [0.5, 0.7, 0.9]
        assert display.rings_[0].get_xydata().tolist() == [[10.0, 0.9]]
        box = display.bands_[0].get_datalim(display.ax_.transData)
        assert (box.y0, box.y1) == pytest.approx((0.48, 0.93))
        assert (display.ax_.get_xlabel(), display.ax_.get_ylabel()) == ("C", "Cross-validated score")
        assert display.ax_.get_legend() is None
        assert display.figure_ is display.ax_.figure

    def test_best_choice_of_other_parameters(self):
        table = results(
            [0.1, 0.3, np.nan, 0.6, 0.5, 0.4],
            [0.0, 0.1, 0.2, 0.3, 0.4, 0.5],
            C=[1, 1, 2, 2, 2, None],
            decay=[0.1, 0.2, 0.1, 0.2, 0.3, 0.4],
        )
        display = ParameterChoiceDisplay.from_results({"uSVM": table}, "C")
        curve = display.curves["uSVM"]
        assert (curve.values, curve.means.tolist(), curve.deviations.tolist()) == (
            [1, 2],
            [0.3, 0.6],
            [0.1, 0.3],
        )

    @pytest.mark.parametrize(
        ("values", "scale"),
        [
            ([0.01, 0.1, 1.0, 10.0], "log"),
            ([1, 3, 10], "log"),
            ([0.1, 100.0], "log"),
            ([0.1, 0.2, 0.4, 0.6, 0.8, 1.0], "linear"),
            ([1, 2, 3], "linear"),
            ([0.0, 0.01, 1.0], "linear"),
            ([5.0], "linear"),
        ],
    )
    def test_decades_on_a_logarithmic_axis(self, values, scale):
        table = results(np.linspace(0.5, 0.6, len(values)), C=values)
        assert ParameterChoiceDisplay.from_results({"": table}, "C").ax_.get_xscale() == scale

    def test_the_scale_can_be_chosen(self):
        table = results([0.1, 0.2], C=[0.01, 100.0])
        assert ParameterChoiceDisplay.from_results({"": table}, scale="linear").ax_.get_xscale() == "linear"
        with pytest.raises(ValueError, match="scale must be 'auto', 'linear' or 'log', got 'ln'"):
            ParameterChoiceDisplay.from_results({"": table}, scale="ln")

    def test_several_searches(self):
        tables = {"uSVM": results([0.1, 0.2], C=[1, 2]), "SVM": results([0.3, 0.2], C=[1, 2])}
        display = ParameterChoiceDisplay.from_results(tables, "C")
        assert legend_of(display) == ["uSVM", "SVM"]
        assert len({line.get_color() for line in display.lines_}) == 2
        again = ParameterChoiceDisplay.from_results({"iSVM": tables["SVM"]}, "C", ax=display.ax_, linewidth=3)
        assert again.ax_ is display.ax_
        assert again.lines_[0].get_color() not in {line.get_color() for line in display.lines_}
        assert again.lines_[0].get_linewidth() == 3
        assert legend_of(again) == ["uSVM", "SVM", "iSVM"]


class TestCategories:
    def test_kernels_side_by_side(self):
        kernels = [Normalized(SubTree()), Normalized(SubsetTree(bag_of_words=True))]
        copies = [Normalized(SubsetTree(bag_of_words=True)), Normalized(SubTree())]
        tables = {
            "uSVM": results([0.5, 0.8], [0.1, 0.2], kernel=kernels),
            "SVM": results([0.9, 0.4], [0.1, 0.2], kernel=copies),
        }
        display = ParameterChoiceDisplay.from_results(tables, "kernel")
        labels = [label.get_text() for label in display.ax_.get_xticklabels()]
        assert labels == ["Normalized(SubTree)", "Normalized(SubsetTree(bag_of_words=True))"]
        fast, exact = (line.get_xdata() for line in display.lines_)
        assert fast.round().tolist() == [0, 1]
        assert exact.round().tolist() == [1, 0]
        assert (exact > fast[[1, 0]]).all()  # beside each other
        assert [ring.get_ydata().tolist() for ring in display.rings_] == [[0.8], [0.9]]
        assert legend_of(display) == ["uSVM", "SVM"]

    def test_words_flags_and_numbers_mixed(self):
        table = results([0.5, 0.8, 0.7], j=["balanced", 1.0, True])
        display = ParameterChoiceDisplay.from_results({"": table})
        assert [label.get_text() for label in display.ax_.get_xticklabels()] == ["balanced", "1.0", "True"]


class TestSearches:
    def test_a_search(self):
        X, y = make_two_gaussians(90, random_state=0)
        grid = [{"C": [0.1, 1.0], "kernel": [RBF()]}, {"kernel": [Polynomial()]}]
        machine = CuttingPlaneSVC(tol=0.02)
        search = SampledSearchCV(
            machine, grid, sample_size=20, scoring="f1_macro", refit=None, random_state=0
        )
        search.fit(X, y)
        by_C = ParameterChoiceDisplay.from_search(search, "C", name="uSVM")
        np.testing.assert_array_equal(by_C.lines_[0].get_ydata(), search.cv_results_["mean_test_score"][:2])
        assert by_C.ax_.get_ylabel() == "Cross-validated f1_macro"
        assert legend_of(by_C) == ["uSVM"]
        by_kernel = ParameterChoiceDisplay.from_search(search, "kernel")
        assert by_kernel.rings_[0].get_ydata() == [search.best_score_]
        with pytest.raises(ValueError, match="parameter must be given: those that vary are C, kernel"):
            ParameterChoiceDisplay.from_search(search)
        search.set_params(scoring=["accuracy", "f1_macro"]).fit(X, y)
        several = ParameterChoiceDisplay.from_search(search, "C", measure="accuracy")
        assert several.ax_.get_ylabel() == "accuracy"

    def test_errors(self):
        table = results([0.5, 0.8], C=[1, 2])
        with pytest.raises(ValueError, match="parameter must be one of those of uSVM: C; got 'decay'"):
            ParameterChoiceDisplay.from_results({"uSVM": table}, "decay")
        with pytest.raises(ValueError, match="measure must be one of those of the search: score; got 'f1'"):
            ParameterChoiceDisplay.from_results({"": table}, "C", measure="f1")
        with pytest.raises(ValueError, match="SampledSearchCV has no cv_results_"):
            ParameterChoiceDisplay.from_search(SampledSearchCV(CuttingPlaneSVC(), {"C": [1]}), "C")
        with pytest.raises(ValueError, match="no score for any value of C"):
            ParameterChoiceDisplay.from_results({"": results([np.nan, np.nan], C=[1, 2])}, "C")
        with pytest.raises(ValueError, match="no results"):
            ParameterChoiceDisplay.from_results({}, "C")
