"""Data that ships with hedgerow, data made by chance, and data read from a local folder or fetched into it."""

from hedgerow.datasets.fetching import fetch
from hedgerow.datasets.loaders import (
    load_adult,
    load_conll2000,
    load_conll2002_esp,
    load_newsgroups,
    load_newsgroups_taxonomy,
    load_question_types,
    load_questions,
)
from hedgerow.datasets.sources import DataSet, sources
from hedgerow.datasets.synthetic import make_string_pairs, make_two_gaussians

__all__ = [
    "DataSet",
    "fetch",
    "load_adult",
    "load_conll2000",
    "load_conll2002_esp",
    "load_newsgroups",
    "load_newsgroups_taxonomy",
    "load_question_types",
    "load_questions",
    "make_string_pairs",
    "make_two_gaussians",
    "sources",
]
