"""Choice of parameters and kernels; how well a learner predicts a stream that it learns from."""

from hedgerow.model_selection.progressive import ProgressiveResult, progressive_validation
from hedgerow.model_selection.sampled_search import SampledSearchCV

__all__ = ["ProgressiveResult", "SampledSearchCV", "progressive_validation"]
