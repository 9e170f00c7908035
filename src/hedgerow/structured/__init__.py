"""Structured outputs: joint-kernel SVMs and perceptrons for classes, taxonomies, sequences, parses and strings."""

from hedgerow.structured.grammar import BracketScores, bracket_scores
from hedgerow.structured.problem import Problem

__all__ = ["BracketScores", "Problem", "bracket_scores"]
