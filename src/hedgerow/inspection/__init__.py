"""Plots of what learners and searches did, in scikit-learn's Display style. Drawing needs the extra ``report``."""

from hedgerow.inspection.accounts import Account, Feature
from hedgerow.inspection.convergence import ConvergenceDisplay
from hedgerow.inspection.curve_text import curve_text
from hedgerow.inspection.explaining import explain
from hedgerow.inspection.explanation import Explanation, Explanations
from hedgerow.inspection.fragments import Fragment, Fragments, fragments
from hedgerow.inspection.parameter_choice import ParameterChoiceDisplay, ParameterCurve
from hedgerow.inspection.traces import OnlinePerformanceDisplay, RuntimeDisplay, SupportGrowthDisplay
from hedgerow.inspection.tree_svg import tree_svg
from hedgerow.inspection.tree_text import tree_text

__all__ = [
    "Account",
    "ConvergenceDisplay",
    "Explanation",
    "Explanations",
    "Feature",
    "Fragment",
    "Fragments",
    "OnlinePerformanceDisplay",
    "ParameterChoiceDisplay",
    "ParameterCurve",
    "RuntimeDisplay",
    "SupportGrowthDisplay",
    "curve_text",
    "explain",
    "fragments",
    "tree_svg",
    "tree_text",
]
