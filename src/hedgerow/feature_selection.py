"""Feature selection."""

from hedgerow.online.feature_selection import ExtremalFeatureSelection

__all__ = ["ExtremalFeatureSelection"]
