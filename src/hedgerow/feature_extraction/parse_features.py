"""Features of parses, for telling the candidates for a sentence apart."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from scipy import sparse
from sklearn.base import TransformerMixin
from sklearn.exceptions import NotFittedError

from hedgerow import _core
from hedgerow.checks import check_number, check_whole
from hedgerow.data import CandidateLists
from hedgerow.kernels.base import Matrix
from hedgerow.locks import Shared, reads, replacement
from hedgerow.models.stored import stored, stored_whole
from hedgerow.threads import resolve


@dataclass(eq=False, repr=False)
class ParseFeatures(TransformerMixin, Shared):  # type: ignore[misc]
    """Counts features of parses: rules, heads with their modifiers, words, phrase boundaries, and so on.

    Column 0 is the base score (the log probability of the model that made the lists), less the highest of the list.
    The others are counts of: rules, alone, with one and two labels above, with the word and the tag of the head, and
    with words and tags at the borders of their span; two and three neighbouring children, and the words and tags where
    they meet; heads with modifiers, as words, tags and both, syntactic heads and those of the content ("in Rome": "in"
    and "Rome"), with distances; lengths of phrases, tags, words and shapes of words at their borders and within; what
    coordinated phrases have in common; words with tags and with the phrases that they head; tags in a row; nodes on the
    right branch and off it. Labels are those of the Penn Treebank; other trees work too, where the last child of a
    phrase counts as its head.

    What all candidates of a list have equally often says nothing about which is better and is left out: a value is
    the count beyond the least count in the list. So a row depends on the other candidates of its list.

    Parameters
    ----------
    min_lists : int, default=5
        Features that vary within fewer lists are left out when fitting.
    base_weight : float, default=4.0
        Factor of the base score, which stands beside hundreds of counts: learners that move all weights alike trust it
        more with a larger factor.
    n_features : int or None, default=None
        A power of two: that many columns, which features share by a hash of their name, so that nothing needs to be
        remembered. With None every feature has its own column.
    n_jobs : int or None, default=None
        Threads; see `hedgerow.set_n_jobs`.

    Attributes
    ----------
    n_features_out_ : int
        Number of columns.

    References
    ----------
    E. Charniak, M. Johnson: Coarse-to-fine n-best parsing and MaxEnt discriminative reranking, ACL 2005.
    M. Collins: Discriminative reranking for natural language parsing, ICML 2000. D. Hall, G. Durrett, D. Klein: Less
    grammar, more features, ACL 2014.

    Examples
    --------
    >>> from hedgerow.data import CandidateLists
    >>> from hedgerow.feature_extraction import ParseFeatures
    >>> trees = ["(S (NP (NN time)) (VP (VBZ flies)))", "(S (VP (VB time) (NP (NNS flies))))"]
    >>> lists = CandidateLists([2], trees=trees, base_scores=[-20.0, -20.5])
    >>> extractor = ParseFeatures(min_lists=1)
    >>> X = extractor.fit_transform(lists)
    >>> X.shape == (2, extractor.n_features_out_)
    True
    >>> names = extractor.get_feature_names_out()
    >>> sorted(name for name in names[X[[0]].indices] if name.startswith("rule:"))
    ['rule: NP -> NN', 'rule: S -> NP VP', 'rule: VP -> VBZ']
    """

    min_lists: int = 5
    base_weight: float = 4.0
    n_features: int | None = None
    n_jobs: int | None = None

    def fit(self, X: CandidateLists, y: Any = None) -> Self:
        """Find the features that vary within lists, which must have trees; ``y`` is ignored."""
        self._check_params()
        forest = _trees(X)
        with replacement(self) as new:
            if new.n_features is None:
                new._hashes = _core.varying_parse_features(
                    forest, X.begins, new.min_lists, resolve(new.n_jobs)
                )
                new._names = _core.parse_feature_names(forest, new._hashes)
                new.n_features_out_ = 1 + len(new._hashes)
            else:
                new.n_features_out_ = new.n_features
        return self

    @reads
    def transform(self, X: CandidateLists) -> Any:
        """A row for each candidate: a CSR array of candidates by features."""
        self._check_fitted()
        forest, threads = _trees(X), resolve(self.n_jobs)
        base = self._base(X)
        if self.n_features is None:
            arrays = _core.parse_feature_rows(forest, X.begins, self._hashes, base, threads)
        else:
            bits = self.n_features.bit_length() - 1
            arrays = _core.shared_parse_feature_rows(forest, X.begins, bits, base, threads)
        begins, columns, values = arrays
        if len(columns) < 2**31:  # as scipy keeps them itself
            begins = begins.astype(np.int32)
        return sparse.csr_array((values, columns, begins), shape=(X.n_candidates, self.n_features_out_))

    @reads
    def get_feature_names_out(self, input_features: Any = None) -> Matrix:
        """Names of the columns, such as ``"rule: NP -> DT NN"``; ``"hash 17"`` where features share columns."""
        self._check_fitted()
        if self.n_features is None:
            return np.array(["base score", *self._names], dtype=object)
        return np.array(["base score"] + [f"hash {j}" for j in range(1, self.n_features)], dtype=object)

    def _base(self, lists: CandidateLists) -> Matrix:
        if lists.base_scores is None:
            return np.zeros(lists.n_candidates)
        highest = lists.base_scores[lists.begins[:-1] + lists.baselines()]
        relative: Matrix = lists.base_scores - np.repeat(highest, lists.lengths)
        return self.base_weight * relative

    def _check_params(self) -> None:
        check_whole("min_lists", self.min_lists, at_least=1, at_most=2**31 - 1)
        check_number("base_weight", self.base_weight, at_least=0, at_most=1e9)
        n = self.n_features
        if n is not None and (
            not isinstance(n, int) or isinstance(n, bool) or not 2 <= n <= 2**30 or n & (n - 1)
        ):
            raise ValueError(f"n_features must be None or a power of two from 2 to 2**30, got {n!r}")

    def _check_fitted(self) -> None:
        if not hasattr(self, "n_features_out_"):
            raise NotFittedError("this ParseFeatures has not been fitted yet; call fit")

    # -- copies ---------------------------------------------------------------------------------------------

    @reads
    def _to_state(self) -> tuple[dict[str, Any], dict[str, Matrix]]:
        """What was learned: a description for JSON, and arrays."""
        self._check_fitted()
        arrays: dict[str, Matrix] = {}
        if self.n_features is None:
            text = "\n".join(self._names).encode()
            arrays = {"hashes": self._hashes.view(np.int64), "names": np.frombuffer(text, dtype=np.uint8)}
        return {"n_features_out_": self.n_features_out_}, arrays

    def _from_state(self, description: dict[str, Any], arrays: dict[str, Matrix]) -> Self:
        """Take up what another one with these parameters had learned."""
        self._check_params()
        self.n_features_out_ = stored_whole(description, "n_features_out_")
        if self.n_features is None:
            self._hashes = stored(arrays, "hashes", np.int64, None).view(np.uint64)
            text = stored(arrays, "names", np.uint8, None).tobytes().decode()
            self._names = text.split("\n") if len(self._hashes) else []
            if not len(self._hashes) == len(self._names) == self.n_features_out_ - 1:
                raise ValueError("the features and their names differ in number")
        elif self.n_features_out_ != self.n_features:
            raise ValueError(f"n_features_out_ must be n_features, got {self.n_features_out_}")
        return self

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.no_validation = True
        return tags


def _trees(lists: Any) -> _core.Forest:
    if not isinstance(lists, CandidateLists):
        raise TypeError(f"ParseFeatures takes CandidateLists, got a {type(lists).__name__}")
    if lists.trees is None:
        raise ValueError("ParseFeatures needs trees: CandidateLists(..., trees=trees)")
    return lists.trees._native
