"""Structured outputs: joint-kernel SVMs and perceptrons for classes, taxonomies, sequences, parses and strings."""

from hedgerow.structured.grammar import BracketScores, PCFG, WeightedGrammar, bracket_scores
from hedgerow.structured.problem import Problem
from hedgerow.structured.sequence.label_sequence import LabelSequence
from hedgerow.structured.sequence.spans import Span, SpanScores, marks_spans, span_scores, spans, token_accuracy
from hedgerow.structured.sequence.templates import Templates

__all__ = [
    "BracketScores",
    "LabelSequence",
    "Multiclass",
    "OutputFeatures",
    "PCFG",
    "Problem",
    "Reranking",
    "Span",
    "SpanScores",
    "StringMapping",
    "StructuredSVM",
    "Taxonomy",
    "Templates",
    "WeightedGrammar",
    "bracket_scores",
    "losses",
    "marks_spans",
    "span_scores",
    "spans",
    "token_accuracy",
]
