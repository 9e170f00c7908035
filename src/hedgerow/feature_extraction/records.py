"""Records of data frames, as a step of pipelines."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Self

from sklearn.base import TransformerMixin, clone
from sklearn.exceptions import NotFittedError

from hedgerow.data import Records
from hedgerow.data.frames import is_frame
from hedgerow.parameters import Estimator


@dataclass(eq=False, repr=False)
class ToRecords(TransformerMixin, Estimator):  # type: ignore[misc]
    """Turns data frames into Records, for pipelines: trees, texts and numbers by column, some of them transformed.

    It takes frames of pandas and polars; a ``ColumnTransformer`` gives such after ``set_output(transform="pandas")``.

    Parameters
    ----------
    trees : sequence of str, default=()
        Columns with bracketed trees, which are parsed.
    vectors : mapping, optional
        Names of new columns to lists of columns of numbers that make a vector together. All other numbers are in
        one column ``numbers``.
    transformers : mapping, optional
        Names of new columns to pairs of a transformer and the column, or list of columns, that it takes:
        ``{"words": (TfidfVectorizer(), "text")}``. `fit` fits copies of them. These columns are in the Records as the
        transformers give them only.

    Attributes
    ----------
    columns_ : list
        The columns of the frame that it was fitted to. Others are left out of what is transformed.
    kinds_ : dict
        What the columns of the Records hold, see `Records.kinds`.
    transformers_ : dict
        The fitted transformers.

    Examples
    --------
    >>> import pandas as pd
    >>> from sklearn.feature_extraction.text import CountVectorizer
    >>> from sklearn.pipeline import make_pipeline
    >>> from hedgerow.feature_extraction import ToRecords
    >>> from hedgerow.kernels import Linear, Normalized, SubsetTree
    >>> from hedgerow.svm import SVC
    >>> frame = pd.DataFrame(
    ...     {"parse": ["(S (NP Mary) (VP sings))", "(S (NP John) (VP sleeps))"], "text": ["Mary sings", "John sleeps"]}
    ... )
    >>> records = ToRecords(trees=["parse"], transformers={"words": (CountVectorizer(), "text")})
    >>> kernel = Normalized(SubsetTree()).on("parse") + 0.5 * Linear().on("words")
    >>> make_pipeline(records, SVC(kernel)).fit(frame, ["loud", "quiet"]).predict(frame[:1])
    array(['loud'], dtype='<U5')
    """

    trees: Sequence[str] = ()
    vectors: Mapping[str, Sequence[str]] | None = None
    transformers: Mapping[str, tuple[Any, Any]] | None = None
    columns_: list[Any] = field(init=False)
    kinds_: dict[str, Any] = field(init=False)
    transformers_: dict[str, Any] = field(init=False)

    def fit(self, X: Any, y: Any = None) -> Self:
        """Note the columns of a frame, and fit the transformers."""
        self.fit_transform(X, y)
        return self

    def fit_transform(self, X: Any, y: Any = None) -> Records:
        """Fit, and the Records of the same frame."""
        _check_frame(X)
        fitted = {}
        for name, (transformer, columns) in (self.transformers or {}).items():
            fitted[name] = clone(transformer).fit(_chosen(X, columns), y)
        self.columns_, self.transformers_ = list(X.columns), fitted
        records = self._records(X)
        self.kinds_ = dict(records.kinds)
        return records

    def transform(self, X: Any) -> Records:
        """The Records of a frame with the same columns."""
        if not hasattr(self, "kinds_"):
            raise NotFittedError("this ToRecords is not fitted yet; call fit first")
        _check_frame(X)
        records = self._records(X)
        if records.kinds != self.kinds_:
            raise ValueError(
                f"the columns must hold what they held in fit, {self.kinds_}, got {records.kinds}"
            )
        return records

    def _records(self, X: Any) -> Records:
        made = {}
        taken: set[Any] = set()
        for name, (_, columns) in (self.transformers or {}).items():
            made[name] = self.transformers_[name].transform(_chosen(X, columns))
            taken.update([columns] if isinstance(columns, str) else columns)
        rest = [name for name in self.columns_ if name not in taken]
        if not rest:
            return Records(made)
        return Records(Records.from_frame(_chosen(X, rest), trees=self.trees, vectors=self.vectors), **made)


def _chosen(frame: Any, columns: Any) -> Any:
    missing = [
        name
        for name in ([columns] if isinstance(columns, str) else columns)
        if name not in list(frame.columns)
    ]
    if missing:
        known = ", ".join(repr(name) for name in frame.columns)
        raise ValueError(f"the frame has no column {missing[0]!r}; its columns are {known}")
    return frame[columns]


def _check_frame(X: Any) -> None:
    if not is_frame(X) or isinstance(X, Records):
        raise TypeError(
            f"ToRecords takes data frames, of pandas or polars, got a {type(X).__name__}; a ColumnTransformer gives "
            'such after set_output(transform="pandas")'
        )
