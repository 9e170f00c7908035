"""What models have learned, why they predict what they predict, and plots of what learners and searches did.

Plots are in scikit-learn's Display style, and need the extra ``report``.
"""

from hedgerow.data.tree_svg import tree_svg
from hedgerow.data.tree_text import tree_text
from hedgerow.inspection.accounts import Account, Feature
from hedgerow.inspection.bounds import MistakeBound, mistake_bounds
from hedgerow.inspection.convergence import ConvergenceDisplay
from hedgerow.inspection.curve_text import curve_text
from hedgerow.inspection.explaining import explain
from hedgerow.inspection.explanation import Explanation, Explanations, SequenceExplanation
from hedgerow.inspection.fragments import Fragment, Fragments, fragments
from hedgerow.inspection.likeness import LikenessDisplay
from hedgerow.inspection.parameter_choice import ParameterChoiceDisplay, ParameterCurve
from hedgerow.inspection.source_marks import SourceMark, SourceMarks
from hedgerow.inspection.traces import OnlinePerformanceDisplay, RuntimeDisplay, SupportGrowthDisplay
from hedgerow.inspection.weights import Weights, WeightTable, weights

__all__ = [
    "Account",
    "ConvergenceDisplay",
    "Explanation",
    "Explanations",
    "Feature",
    "Fragment",
    "Fragments",
    "LikenessDisplay",
    "MistakeBound",
    "OnlinePerformanceDisplay",
    "ParameterChoiceDisplay",
    "ParameterCurve",
    "RuntimeDisplay",
    "SequenceExplanation",
    "SourceMark",
    "SourceMarks",
    "SupportGrowthDisplay",
    "WeightTable",
    "Weights",
    "curve_text",
    "explain",
    "fragments",
    "mistake_bounds",
    "tree_svg",
    "tree_text",
    "weights",
]
