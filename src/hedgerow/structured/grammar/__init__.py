"""Weighted context-free grammars: parsing with rules learned from treebanks."""

from hedgerow.structured.grammar.brackets import BracketScores, bracket_scores

__all__ = ["BracketScores", "bracket_scores"]
