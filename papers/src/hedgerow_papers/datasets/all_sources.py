"""Where the data sets of the experiments are to be had, those of hedgerow among them."""

from __future__ import annotations

from functools import cache

from hedgerow import datasets
from hedgerow.datasets.sources import DataSet, read_sources
from hedgerow_papers.datasets.conversions import CONVERSIONS


def sources() -> dict[str, DataSet]:
    """The data sets of `hedgerow.datasets` and of the loaders here, by name; `hedgerow.datasets.fetch` takes them.

    Examples
    --------
    >>> from hedgerow_papers.datasets import sources
    >>> sources()["movie_reviews"].terms
    'CC BY 4.0, as nltk_data states'
    >>> print(sources()["sms_spam"].where())  # doctest: +ELLIPSIS
    sms_spam comes from https://raw.githubusercontent.com/ret0/... (terms: CC BY 4.0 at UCI)
    """
    return {**datasets.sources(), **_own()}


@cache
def _own() -> dict[str, DataSet]:
    return read_sources("hedgerow_papers.datasets", CONVERSIONS)
