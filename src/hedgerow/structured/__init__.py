"""Structured outputs: joint-kernel SVMs and perceptrons for classes, taxonomies, sequences, parses and strings."""

from hedgerow.registry import Learner, ProblemRow, public_names
from hedgerow.structured import losses as losses
from hedgerow.structured.class_machines import MulticlassSVC as MulticlassSVC
from hedgerow.structured.class_machines import OutputFeaturesSVC as OutputFeaturesSVC
from hedgerow.structured.class_machines import TaxonomySVC as TaxonomySVC
from hedgerow.structured.classes import Multiclass as Multiclass
from hedgerow.structured.grammar.brackets import BracketScores as BracketScores
from hedgerow.structured.grammar.brackets import bracket_scores as bracket_scores
from hedgerow.structured.grammar.learners import PCFG as PCFG
from hedgerow.structured.grammar.learners import GrammarSVC as GrammarSVC
from hedgerow.structured.grammar.problem import WeightedGrammar as WeightedGrammar
from hedgerow.structured.output_features import OutputFeatures as OutputFeatures
from hedgerow.structured.perceptron import StructuredPerceptron as StructuredPerceptron
from hedgerow.structured.problem import Problem as Problem
from hedgerow.structured.reranking import Reranking as Reranking
from hedgerow.structured.sequence.label_sequence import LabelSequence as LabelSequence
from hedgerow.structured.sequence.sequence_svc import SequenceSVC as SequenceSVC
from hedgerow.structured.sequence.spans import Span as Span
from hedgerow.structured.sequence.spans import SpanScores as SpanScores
from hedgerow.structured.sequence.spans import marks_spans as marks_spans
from hedgerow.structured.sequence.spans import span_scores as span_scores
from hedgerow.structured.sequence.spans import spans as spans
from hedgerow.structured.sequence.spans import token_accuracy as token_accuracy
from hedgerow.structured.sequence.templates import Templates as Templates
from hedgerow.structured.string_mapping import StringMapping as StringMapping
from hedgerow.structured.svm import StructuredSVM as StructuredSVM
from hedgerow.structured.taxonomy import Taxonomy as Taxonomy

LEARNERS = (
    Learner("structured-svm", StructuredSVM),
    Learner("structured-perceptron", StructuredPerceptron),
    Learner("pcfg", PCFG),
)
PROBLEMS = (
    ProblemRow("sequence", LabelSequence, machine=SequenceSVC),
    ProblemRow("taxonomy", Taxonomy, machine=TaxonomySVC),
    ProblemRow("grammar", WeightedGrammar, machine=GrammarSVC),
    ProblemRow("multiclass", Multiclass, machine=MulticlassSVC),
    ProblemRow("reranking", Reranking),
    ProblemRow("output-features", OutputFeatures, machine=OutputFeaturesSVC),
    ProblemRow("string-mapping", StringMapping),
)

__all__ = [*public_names(__name__, globals()), "losses"]
