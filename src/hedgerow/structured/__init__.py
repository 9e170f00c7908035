"""Structured outputs: joint-kernel SVMs and perceptrons for classes, taxonomies, sequences, parses and strings."""

from hedgerow.structured.problem import Problem
from hedgerow.structured.svm import StructuredSVM

__all__ = ["Problem", "StructuredSVM"]
