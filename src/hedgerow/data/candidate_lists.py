"""CandidateLists: items with several candidates each, of which the best is wanted."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import chain, repeat
from typing import Any, Literal, overload

import numpy as np
from scipy import sparse

from hedgerow.checks import check_choice
from hedgerow.data.brackets import RULES, bracket_counts
from hedgerow.data.forest import Forest
from hedgerow.data.indexing import OneDimensional, as_positions, common_columns
from hedgerow.data.parse_nodes import as_forest, trees_of

Array = np.ndarray[Any, Any]


@dataclass(frozen=True, eq=False)
class Candidates:
    """The candidates of one item, as ``lists[i]`` gives them; see `CandidateLists`."""

    features: Any
    grades: Array | None
    brackets: Array | None
    base_scores: Array | None
    trees: Forest | None
    _length: int

    def __len__(self) -> int:
        return self._length


class CandidateLists(OneDimensional[Candidates]):
    """Items with a list of candidates each, such as the best parses of sentences; an immutable sequence.

    The candidates of all lists stand one after the other in each column. Whatever is not known is None. Indexed with a
    slice, a mask or an array of positions it gives lists again, so scikit-learn's splitters and searches take it as X.

    Parameters
    ----------
    lengths : sequence of int
        Number of candidates of each list, at least one.
    features : matrix, optional
        A row for each candidate; kept as CSR with float64 values.
    grades : array, optional
        How good each candidate is: 0 and 1 with a single 1 in each list, or values such as F1 against the truth. With
        brackets and no grades, the F1 of the brackets.
    brackets : integer array of shape (candidates, 3), optional
        For parses: labelled brackets that the candidate shares with the truth, those that it has and those that the
        truth has.
    base_scores : array, optional
        What the model that made the lists says, such as log probabilities.
    trees : Forest or iterable of trees, optional
        The candidates themselves.

    Attributes
    ----------
    begins : int64 array
        Where each list begins among the candidates, and the number of all candidates.
    features, grades, brackets, base_scores, trees
        The columns.

    Examples
    --------
    >>> from hedgerow.data import CandidateLists
    >>> lists = CandidateLists([2, 3], grades=[0, 1, 0.5, 0.8, 0.8], base_scores=[-1, -2, -7, -7.5, -8])
    >>> len(lists), lists.n_candidates, lists.oracles().tolist(), lists.baselines().tolist()
    (2, 5, [1, 1], [0, 0])
    >>> lists[1:].grades
    array([0.5, 0.8, 0.8])
    >>> lists[0].base_scores
    array([-1., -2.])
    """

    __slots__ = ("base_scores", "begins", "brackets", "features", "grades", "trees")

    begins: Array
    features: Any
    grades: Array | None
    brackets: Array | None
    base_scores: Array | None
    trees: Forest | None

    def __init__(
        self,
        lengths: Any,
        *,
        features: Any = None,
        grades: Any = None,
        brackets: Any = None,
        base_scores: Any = None,
        trees: Any = None,
    ) -> None:
        self.begins = _begins(lengths)
        self.features = None if features is None else _as_csr(features)
        self.brackets = None if brackets is None else _as_brackets(brackets)
        if grades is None and self.brackets is not None:
            grades = f1_of_brackets(*self.brackets.T)
        self.grades = None if grades is None else _as_values("grades", grades)
        self.base_scores = None if base_scores is None else _as_values("base_scores", base_scores)
        self.trees = trees if trees is None or isinstance(trees, Forest) else Forest(trees)
        for name in COLUMNS:
            column = getattr(self, name)
            if column is not None and column.shape[0] != self.n_candidates:
                raise ValueError(
                    f"the lengths of the lists add up to {self.n_candidates} candidates, but {name} has "
                    f"{column.shape[0]}"
                )

    # -- an array of lists ----------------------------------------------------------------------------------

    def __len__(self) -> int:
        return len(self.begins) - 1

    @property
    def n_candidates(self) -> int:
        """Number of candidates of all lists."""
        return int(self.begins[-1])

    @property
    def lengths(self) -> Array:
        """Number of candidates of each list."""
        return np.diff(self.begins)

    @overload
    def __getitem__(self, key: int) -> Candidates: ...
    @overload
    def __getitem__(self, key: Any) -> CandidateLists: ...
    def __getitem__(self, key: Any) -> Candidates | CandidateLists:
        positions = as_positions(key, len(self))
        if isinstance(positions, int):
            part = slice(int(self.begins[positions]), int(self.begins[positions + 1]))
            return Candidates(**self._take(part), _length=part.stop - part.start)
        lengths = self.lengths[positions]
        # Row r of list i is row begins[i] + r: a range for each list, all in one array.
        ends = np.cumsum(lengths)
        rows = np.arange(ends[-1] if len(ends) else 0) + np.repeat(
            self.begins[positions] - (ends - lengths), lengths
        )
        return CandidateLists(lengths, **self._take(rows))

    def _every_column(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in COLUMNS}

    def _take(self, rows: Any) -> dict[str, Any]:
        columns = self._every_column()
        return {name: None if column is None else column[rows] for name, column in columns.items()}

    @classmethod
    def concatenate(cls, parts: Iterable[CandidateLists]) -> CandidateLists:
        """All lists of the parts, which must have the same columns. ``a + b`` does the same for two."""
        tables = list(parts)
        joined: dict[str, Any] = {}
        for name in common_columns([table._columns() for table in tables]):
            columns = [getattr(table, name) for table in tables]
            if name == "trees":
                joined[name] = Forest.concatenate(columns)
            elif name == "features":
                joined[name] = sparse.vstack(columns, format="csr")
            else:
                joined[name] = np.concatenate(columns)
        return cls(np.concatenate([table.lengths for table in tables]), **joined)

    def _columns(self) -> tuple[str, ...]:
        return tuple(name for name in COLUMNS if getattr(self, name) is not None)

    def with_features(self, features: Any) -> CandidateLists:
        """The same lists with these features of the candidates."""
        return CandidateLists(self.lengths, **{**self._every_column(), "features": features})

    def with_brackets(self, true_trees: Any, *, rules: Literal["plain", "evalb"] = "evalb") -> CandidateLists:
        """The same lists, whose trees are compared with the true ones: brackets, and their F1 as grades.

        Parameters
        ----------
        true_trees : Forest, or iterable of trees
            One for each list, over the words of its candidates.
        rules : {"plain", "evalb"}, default="evalb"
            Which brackets count, as for `hedgerow.structured.bracket_scores`.

        Examples
        --------
        >>> from hedgerow.data import CandidateLists
        >>> trees = ["(S (NP (NN time)) (VP (VBZ flies)))", "(S (VP (VB time) (NP (NNS flies))))"]
        >>> lists = CandidateLists([2], trees=trees).with_brackets(["(S (NP (NN time)) (VP (VBZ flies)))"])
        >>> lists.brackets.tolist(), lists.grades.round(2).tolist()
        ([[3, 3, 3], [1, 3, 3]], [1.0, 0.33])
        """
        check_choice("rules", rules, tuple(RULES))
        if self.trees is None:
            raise ValueError("the lists have no trees to count brackets in")
        truth = as_forest(true_trees)
        if len(truth) != len(self):
            raise ValueError(f"there are {len(self)} lists, but {len(truth)} true trees")
        wanted = zip(trees_of(truth, "true_trees"), self.lengths.tolist(), strict=True)
        pairs = chain.from_iterable(repeat(nodes, length) for nodes, length in wanted)
        names = ("the true trees of candidates", "trees")
        counts = list(bracket_counts(pairs, trees_of(self.trees, "trees"), RULES[rules], names))
        brackets = np.array(counts, dtype=np.int64).reshape(-1, 3)
        return CandidateLists(self.lengths, **{**self._every_column(), "brackets": brackets, "grades": None})

    def __repr__(self) -> str:
        columns = ", ".join(self._columns()) or "nothing but their lengths"
        return f"CandidateLists({len(self)} lists, {self.n_candidates} candidates: {columns})"

    def __getstate__(self) -> dict[str, Any]:
        return {"lengths": self.lengths, **self._every_column()}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__init__(**state)  # type: ignore[misc]

    # -- which candidate ------------------------------------------------------------------------------------

    def oracles(self) -> Array:
        """Position in each list of the candidate with the highest grade: the first of several."""
        if self.grades is None:
            raise ValueError("the lists have no grades, which say which candidate is the best")
        return self.highest(self.grades)

    def baselines(self) -> Array:
        """Position in each list of the candidate with the highest base score; the first without base scores."""
        if self.base_scores is None:
            return np.zeros(len(self), dtype=np.int64)
        return self.highest(self.base_scores)

    def highest(self, values: Any) -> Array:
        """Position in each list of the highest of the values, of which there is one for each candidate.

        Of several that are equally high it is the first.
        """
        values = np.asarray(values, dtype=np.float64)
        if values.shape != (self.n_candidates,):
            raise ValueError(
                f"expected {self.n_candidates} values, one per candidate, got shape {values.shape}"
            )
        if np.isnan(values).any():
            raise ValueError("the values of candidates must be numbers, got NaN")
        if len(self) == 0:
            return np.empty(0, dtype=np.int64)
        top = np.repeat(np.maximum.reduceat(values, self.begins[:-1]), self.lengths)
        rows = np.flatnonzero(values == top)
        first = rows[np.searchsorted(rows, self.begins[:-1])]
        result: Array = first - self.begins[:-1]
        return result


COLUMNS = ("features", "grades", "brackets", "base_scores", "trees")


def f1_of_brackets(matched: Any, found: Any, wanted: Any) -> Any:
    """F1 from counts of brackets; 1 where there are none at all."""
    total = np.asarray(found) + np.asarray(wanted)
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(total > 0, 2 * np.asarray(matched) / np.where(total > 0, total, 1), 1.0)


def _begins(lengths: Any) -> Array:
    array = np.asarray(lengths)
    if array.size == 0:
        return np.zeros(1, dtype=np.int64)
    if array.ndim != 1 or array.dtype.kind not in "iu":
        raise TypeError("lengths must be whole numbers, the number of candidates of each list")
    if (array < 1).any():
        i = int(np.flatnonzero(array < 1)[0])
        raise ValueError(f"every list needs at least one candidate, but list {i} has {array[i]}")
    return np.concatenate([[0], np.cumsum(array, dtype=np.int64)])


def _as_csr(features: Any) -> Any:
    if not sparse.issparse(features):
        features = np.asarray(features, dtype=np.float64)
    if features.ndim != 2:
        raise ValueError(
            f"features must be a matrix with a row for each candidate, got shape {features.shape}"
        )
    rows = sparse.csr_array(features, dtype=np.float64)
    if not np.isfinite(rows.data).all():
        row = int(np.searchsorted(rows.indptr, np.flatnonzero(~np.isfinite(rows.data))[0], side="right")) - 1
        raise ValueError(f"features must be finite, but those of candidate {row} are not")
    return rows


def _as_values(name: str, values: Any) -> Array:
    array = np.asarray(values, dtype=np.float64)
    if array.ndim != 1:
        raise ValueError(f"{name} must have one value for each candidate, got shape {array.shape}")
    if not np.isfinite(array).all():
        i = int(np.flatnonzero(~np.isfinite(array))[0])
        raise ValueError(f"{name} must be finite, but candidate {i} has {array[i]}")
    return array


def _as_brackets(values: Any) -> Array:
    array = np.asarray(values)
    if array.ndim != 2 or array.shape[1] != 3 or (array.size and array.dtype.kind not in "iu"):
        raise ValueError(
            "brackets must be whole numbers of shape (candidates, 3): matched, the candidate's, the truth's; "
            f"got {array.dtype} of shape {array.shape}"
        )
    array = array.astype(np.int64)
    matched, found, wanted = array.T
    wrong = np.flatnonzero((matched < 0) | (matched > found) | (matched > wanted))
    if len(wrong):
        i = int(wrong[0])
        raise ValueError(
            f"matched brackets cannot be more than the candidate's or the truth's; candidate {i} has "
            f"{array[i].tolist()}"
        )
    return array
