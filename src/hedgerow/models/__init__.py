"""Functions that are sums over supports, and those of SVM-light-TK's model files."""

from hedgerow.models.expansion import Expansion
from hedgerow.models.svmlight_tk import SvmlightTkScorer

__all__ = ["Expansion", "SvmlightTkScorer"]
