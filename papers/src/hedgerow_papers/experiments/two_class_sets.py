"""The two-class sets of Carvalho and Cohen (2006) as far as they are at hand, and stand-ins for some that are not.

NLP-like sets have many features, few of them in an example; texts become counts of words. The others are small tables.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.feature_extraction.text import CountVectorizer

from hedgerow_papers.datasets import (
    load_adult,
    load_breast_cancer_wisconsin,
    load_credit,
    load_enron_spam,
    load_house_votes,
    load_internet_ads,
    load_movie_reviews,
    load_newsgroups,
    load_nursery,
    load_reuters,
    load_sms_spam,
)

QUICK = 400  # examples
FILES = {
    "Spam": ("enron_spam/enron1.tsv",),
    "SMS": ("sms_spam/all.tsv",),
    "Reuters": ("reuters21578/train.tsv", "reuters21578/test.tsv"),
    "Reuters earn": ("reuters21578/train.tsv", "reuters21578/test.tsv"),
    "20newsgroup": ("newsgroups20/train.tsv", "newsgroups20/test.tsv"),
    "MovieReviews": ("movie_reviews/all.tsv",),
    "Ads": ("uci/internet_ads_partial.libsvm",),
    "Adult": ("a9a/train.libsvm",),
    "Congressional": ("uci/house_votes_84.csv",),
    "Credit": ("uci/crx.csv",),
    "WiscBreast": ("uci/breast_cancer_wisconsin.csv",),
    "Nursery": ("uci/nursery.csv",),
}
# Where the paper's sets are not at hand or not fully described.
DIFFERENCES = {
    "Spam": "Spam is enron1 (paper: 3,302 other messages)",
    "SMS": "SMS is an addition",
    "Reuters": "Reuters is all stories that have a topic, those of money-fx or money-supply against the rest (the "
    'paper says "money"; its F1 of 96 speaks for a larger and easier class)',
    "Reuters earn": "Reuters earn is an addition",
    "20newsgroup": "20newsgroup is comp.windows.x against the four other comp groups, without headers (paper: 5,000 "
    "posts, one topic)",
    "MovieReviews": "MovieReviews has 2,000 reviews (paper: 1,400)",
    "Ads": "Ads has 998 of 3,279 pictures, about half of them advertisements (paper: 14%)",
    "Adult": "Adult is a9a, with its numbers cut into ranges (paper: raw numbers)",
}


@dataclass(frozen=True)
class TwoClassSet:
    """Examples as CSR, and which of them are positive."""

    X: Any
    y: Any

    def sample(self, n: int, random_state: np.random.RandomState) -> TwoClassSet:
        """Some examples in random order, or all if there are fewer."""
        chosen = random_state.permutation(len(self.y))[:n]
        return TwoClassSet(self.X[chosen], self.y[chosen])


def _words(texts: Iterable[str], y: Any) -> TwoClassSet:
    return TwoClassSet(CountVectorizer(dtype=np.float64).fit_transform(texts), np.asarray(y))


def _spam(folder: Path) -> TwoClassSet:
    texts, y = load_enron_spam(folder, part=1)
    return _words(texts, y == "spam")


def _sms(folder: Path) -> TwoClassSet:
    texts, y = load_sms_spam(folder)
    return _words(texts, y == "spam")


def _reuters(folder: Path, wanted: set[str]) -> TwoClassSet:
    train, test = load_reuters(folder, "train"), load_reuters(folder, "test")
    stories = [
        story
        for texts, topics in (train, test)
        for story in zip(texts, topics, strict=True)
        if story[1]  # as in the paper, whose 11,367 stories are all those with a topic
    ]
    return _words((text for text, _ in stories), [not wanted.isdisjoint(topics) for _, topics in stories])


def _newsgroups(folder: Path) -> TwoClassSet:
    train, test = load_newsgroups(folder, "train"), load_newsgroups(folder, "test")
    posts = [
        post
        for texts, groups in (train, test)
        for post in zip(texts, groups, strict=True)
        if post[1].startswith("comp.")
    ]
    return _words((text for text, _ in posts), [group == "comp.windows.x" for _, group in posts])


def _movie_reviews(folder: Path) -> TwoClassSet:
    texts, y = load_movie_reviews(folder)
    return _words(texts, y == "pos")


def _ads(folder: Path) -> TwoClassSet:
    X, y = load_internet_ads(folder)
    return TwoClassSet(X, y > 0)


def _adult(folder: Path) -> TwoClassSet:
    X, y = load_adult(folder, "train")
    return TwoClassSet(X, y > 0)


def _labelled(load: Callable[[Path], tuple[Any, Any]], positive: str) -> Callable[[Path], TwoClassSet]:
    def load_set(folder: Path) -> TwoClassSet:
        X, y = load(folder)
        return TwoClassSet(X, y == positive)

    return load_set


NLP_LIKE: dict[str, Callable[[Path], TwoClassSet]] = {
    "Spam": _spam,
    "SMS": _sms,
    "Reuters": lambda folder: _reuters(folder, {"money-fx", "money-supply"}),
    "Reuters earn": lambda folder: _reuters(folder, {"earn"}),
    "20newsgroup": _newsgroups,
    "MovieReviews": _movie_reviews,
    "Ads": _ads,
}
OTHERS: dict[str, Callable[[Path], TwoClassSet]] = {
    "Adult": _adult,
    "Congressional": _labelled(load_house_votes, "democrat"),
    "Credit": _labelled(load_credit, "+"),
    "WiscBreast": _labelled(load_breast_cancer_wisconsin, "benign"),
    "Nursery": _labelled(load_nursery, "priority"),
}


def load_two_class_set(name: str, folder: Path, quick: bool = False) -> TwoClassSet:
    """A set by its name in the tables; with ``quick`` a few of its examples."""
    examples = (NLP_LIKE | OTHERS)[name](folder)
    return examples.sample(QUICK, np.random.RandomState(0)) if quick else examples
