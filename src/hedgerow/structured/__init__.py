"""Structured outputs: joint-kernel SVMs and perceptrons for classes, taxonomies, sequences, parses and strings."""

from hedgerow.structured.perceptron import StructuredPerceptron
from hedgerow.structured.problem import Problem

__all__ = ["Problem", "StructuredPerceptron"]
