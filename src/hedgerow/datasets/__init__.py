"""Data that ships with hedgerow, data made by chance, and data read from a local folder or fetched into it."""

from hedgerow.datasets.adult import load_adult
from hedgerow.datasets.fetching import fetch
from hedgerow.datasets.gaussians import make_two_gaussians
from hedgerow.datasets.label_sequences import load_conll2000, load_conll2002_esp
from hedgerow.datasets.newsgroups import load_newsgroups, load_newsgroups_taxonomy
from hedgerow.datasets.question_types import load_question_types
from hedgerow.datasets.questions import load_questions
from hedgerow.datasets.sources import DataSet, sources
from hedgerow.datasets.string_pairs import make_string_pairs

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
