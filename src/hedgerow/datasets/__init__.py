"""Data that ships with hedgerow, data made by chance, and data fetched into a local folder."""

from hedgerow.datasets.fetching import fetch
from hedgerow.datasets.questions import load_questions
from hedgerow.datasets.sources import DataSet, sources
from hedgerow.datasets.synthetic import make_string_pairs, make_two_gaussians

__all__ = [
    "DataSet",
    "fetch",
    "load_questions",
    "make_string_pairs",
    "make_two_gaussians",
    "sources",
]
