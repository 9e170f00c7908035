"""Plots of what learners did, in scikit-learn's Display style. Drawing needs the extra ``report``."""

from hedgerow.inspection.traces import OnlinePerformanceDisplay, RuntimeDisplay, SupportGrowthDisplay

__all__ = ["OnlinePerformanceDisplay", "RuntimeDisplay", "SupportGrowthDisplay"]
