"""Structured outputs: joint-kernel SVMs and perceptrons for classes, taxonomies, sequences, parses and strings."""

from hedgerow.structured import losses
from hedgerow.structured.grammar import PCFG, BracketScores, GrammarSVC, WeightedGrammar, bracket_scores
from hedgerow.structured.multiclass import Multiclass
from hedgerow.structured.output_features import OutputFeatures
from hedgerow.structured.perceptron import StructuredPerceptron
from hedgerow.structured.problem import Problem
from hedgerow.structured.reranking import Reranking
from hedgerow.structured.sequence.label_sequence import LabelSequence
from hedgerow.structured.sequence.sequence_svc import SequenceSVC
from hedgerow.structured.sequence.spans import (
    Span,
    SpanScores,
    marks_spans,
    span_scores,
    spans,
    token_accuracy,
)
from hedgerow.structured.sequence.templates import Templates
from hedgerow.structured.string_mapping import StringMapping
from hedgerow.structured.svm import StructuredSVM
from hedgerow.structured.taxonomy import Taxonomy
from hedgerow.structured.taxonomy_svc import TaxonomySVC
from hedgerow.structured.trace import SolverTrace

__all__ = [
    "PCFG",
    "BracketScores",
    "GrammarSVC",
    "LabelSequence",
    "Multiclass",
    "OutputFeatures",
    "Problem",
    "Reranking",
    "SequenceSVC",
    "SolverTrace",
    "Span",
    "SpanScores",
    "StringMapping",
    "StructuredPerceptron",
    "StructuredSVM",
    "Taxonomy",
    "TaxonomySVC",
    "Templates",
    "WeightedGrammar",
    "bracket_scores",
    "losses",
    "marks_spans",
    "span_scores",
    "spans",
    "token_accuracy",
]
