"""Weighted context-free grammars: parsing with rules learned from treebanks."""

from hedgerow.structured.grammar.brackets import BracketScores, bracket_scores
from hedgerow.structured.grammar.pcfg import PCFG
from hedgerow.structured.grammar.problem import WeightedGrammar
from hedgerow.structured.grammar.svc import GrammarSVC

__all__ = ["PCFG", "BracketScores", "GrammarSVC", "WeightedGrammar", "bracket_scores"]
