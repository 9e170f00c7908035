"""Structured outputs: joint-kernel SVMs and perceptrons for classes, taxonomies, sequences, parses and strings."""

from hedgerow.structured.grammar import PCFG, BracketScores, WeightedGrammar, bracket_scores
from hedgerow.structured.problem import Problem

__all__ = ["PCFG", "BracketScores", "Problem", "WeightedGrammar", "bracket_scores"]
