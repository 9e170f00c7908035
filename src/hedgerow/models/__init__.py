"""Functions that are sums over supports, and traces of learning."""

from hedgerow.models.expansion import Expansion
from hedgerow.models.trace import Trace

__all__ = ["Expansion", "Trace"]
