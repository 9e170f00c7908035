"""Data sets of the papers, read from a local folder."""

from hedgerow_papers.datasets.all_sources import sources
from hedgerow_papers.datasets.ewt_nbest import load_ewt_nbest
from hedgerow_papers.datasets.handwritten_words import load_ocr
from hedgerow_papers.datasets.imageclef07 import load_imageclef07, load_imageclef07_taxonomy
from hedgerow_papers.datasets.labelled_texts import load_enron_spam, load_movie_reviews, load_sms_spam
from hedgerow_papers.datasets.public_sets import (
    load_adult,
    load_conll2000,
    load_conll2002_esp,
    load_newsgroups,
    load_newsgroups_taxonomy,
    load_question_types,
)
from hedgerow_papers.datasets.reuters import load_reuters
from hedgerow_papers.datasets.short_sentences import load_wcfg10
from hedgerow_papers.datasets.srl_boundaries import load_srl_boundaries
from hedgerow_papers.datasets.uci import (
    load_breast_cancer_wisconsin,
    load_credit,
    load_house_votes,
    load_internet_ads,
    load_nursery,
)

__all__ = [
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
    "load_reuters",
    "load_sms_spam",
    "load_srl_boundaries",
    "load_wcfg10",
    "sources",
]
