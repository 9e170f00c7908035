"""Data that ships with hedgerow, data made by chance, and data read from a local folder or fetched into it."""

from hedgerow.datasets.adult import load_adult
from hedgerow.datasets.ewt_nbest import load_ewt_nbest
from hedgerow.datasets.fetching import fetch
from hedgerow.datasets.gaussians import make_two_gaussians
from hedgerow.datasets.label_sequences import load_conll2000, load_conll2002_esp, load_ocr
from hedgerow.datasets.labelled_texts import load_enron_spam, load_movie_reviews, load_sms_spam
from hedgerow.datasets.newsgroups import load_newsgroups
from hedgerow.datasets.question_types import load_question_types
from hedgerow.datasets.questions import load_questions
from hedgerow.datasets.reuters import load_reuters
from hedgerow.datasets.short_sentences import load_wcfg10
from hedgerow.datasets.sources import DataSet, sources
from hedgerow.datasets.srl_boundaries import load_srl_boundaries
from hedgerow.datasets.string_pairs import make_string_pairs
from hedgerow.datasets.taxonomies import load_imageclef07, load_imageclef07_taxonomy, load_newsgroups_taxonomy
from hedgerow.datasets.uci import (
    load_breast_cancer_wisconsin,
    load_credit,
    load_house_votes,
    load_internet_ads,
    load_nursery,
)

__all__ = [
    "DataSet",
    "fetch",
    "load_adult",
    "load_breast_cancer_wisconsin",
    "load_conll2000",
    "load_conll2002_esp",
    "load_credit",
    "load_enron_spam",
    "load_ewt_nbest",
    "load_house_votes",
    "load_imageclef07",
    "load_imageclef07_taxonomy",
    "load_internet_ads",
    "load_movie_reviews",
    "load_newsgroups",
    "load_newsgroups_taxonomy",
    "load_nursery",
    "load_ocr",
    "load_question_types",
    "load_questions",
    "load_reuters",
    "load_sms_spam",
    "load_srl_boundaries",
    "load_wcfg10",
    "make_string_pairs",
    "make_two_gaussians",
    "sources",
]
