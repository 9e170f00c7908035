"""Turning structured items into vectors."""

from hedgerow.feature_extraction.parse_features import ParseFeatures

__all__ = ["ParseFeatures"]
