"""Data that ships with hedgerow, data made by chance, and data read from a local folder."""

from hedgerow.datasets.adult import load_adult
from hedgerow.datasets.ewt_nbest import load_ewt_nbest
from hedgerow.datasets.gaussians import make_two_gaussians
from hedgerow.datasets.question_types import load_question_types
from hedgerow.datasets.questions import load_questions
from hedgerow.datasets.srl_boundaries import load_srl_boundaries

__all__ = [
    "load_adult",
    "load_ewt_nbest",
    "load_question_types",
    "load_questions",
    "load_srl_boundaries",
    "make_two_gaussians",
]
