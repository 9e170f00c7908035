"""Structured outputs: joint-kernel SVMs and perceptrons for classes, taxonomies, sequences, parses and strings."""

from hedgerow.structured.problem import Problem
from hedgerow.structured.sequence.spans import (
    Span,
    SpanScores,
    marks_spans,
    span_scores,
    spans,
    token_accuracy,
)

__all__ = ["Problem", "Span", "SpanScores", "marks_spans", "span_scores", "spans", "token_accuracy"]
