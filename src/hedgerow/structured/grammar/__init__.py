"""Weighted context-free grammars: parsing with rules learned from treebanks."""

from hedgerow.structured.grammar.brackets import BracketScores, bracket_scores
from hedgerow.structured.grammar.pcfg import PCFG
from hedgerow.structured.grammar.problem import WeightedGrammar

__all__ = ["PCFG", "BracketScores", "WeightedGrammar", "bracket_scores"]
