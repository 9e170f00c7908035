"""Functions that are sums over supports."""

from hedgerow.models.expansion import Expansion

__all__ = ["Expansion"]
