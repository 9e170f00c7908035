"""Structured outputs: joint-kernel SVMs and perceptrons for classes, taxonomies, sequences, parses and strings."""

from hedgerow.structured import losses
from hedgerow.structured.multiclass import Multiclass
from hedgerow.structured.output_features import OutputFeatures
from hedgerow.structured.problem import Problem
from hedgerow.structured.reranking import Reranking
from hedgerow.structured.string_mapping import StringMapping
from hedgerow.structured.taxonomy import Taxonomy

__all__ = [
    "Multiclass",
    "OutputFeatures",
    "Problem",
    "Reranking",
    "StringMapping",
    "Taxonomy",
    "losses",
]
