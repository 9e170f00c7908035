"""Choice of parameters and kernels."""

from hedgerow.model_selection.sampled_search import SampledSearchCV

__all__ = ["SampledSearchCV"]
