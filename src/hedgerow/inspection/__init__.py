"""Plots of what learners and searches did, in scikit-learn's Display style. Drawing needs the extra ``report``."""

from hedgerow.inspection.convergence import ConvergenceDisplay
from hedgerow.inspection.parameter_choice import ParameterChoiceDisplay, ParameterCurve
from hedgerow.inspection.traces import OnlinePerformanceDisplay, RuntimeDisplay, SupportGrowthDisplay

__all__ = [
    "ConvergenceDisplay",
    "OnlinePerformanceDisplay",
    "ParameterChoiceDisplay",
    "ParameterCurve",
    "RuntimeDisplay",
    "SupportGrowthDisplay",
]
