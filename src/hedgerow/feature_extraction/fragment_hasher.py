"""Trees as sparse vectors of hashed fragments, for learners on weights."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, Literal, Self

from sklearn.base import TransformerMixin

from hedgerow import _core
from hedgerow.checks import Bounds
from hedgerow.data import Forest, Records, Tree
from hedgerow.data.nltk_trees import is_nltk
from hedgerow.feature_extraction.hashed_rows import bits_of, check_n_features, csr_rows, joined
from hedgerow.kernels.base import Matrix
from hedgerow.parameters import Estimator
from hedgerow.registry import DataKind
from hedgerow.threads import resolve

Size = Annotated[int, Bounds(at_least=0, at_most=20)]


@dataclass(eq=False, repr=False)
class FragmentHasher(TransformerMixin, Estimator):  # type: ignore[misc]
    """Turns trees into vectors: each fragment counts in the column given by its hash.

    Learners on weights then learn from trees in time that does not grow with the number of examples, where kernels
    compare with every support. Nothing needs to be remembered, so any tree can come at any time, in any number of
    pieces. A family whose size is 0, or False, is left out.

    Parameters
    ----------
    n_features : int, default=2**20
        How many columns there are, a power of two. Fragments that share a column add up.
    subtrees : int, default=3
        Nodes with all that is below them, cut off below 2, 3, ... levels, up to this.
    paths : int, default=4
        Chains of nodes downwards, of 1, 2, ... nodes, up to this.
    leaves : int, default=3
        Neighbouring leaves, 1, 2, ..., up to this; of source code these are tokens.
    productions : bool, default=True
        Nodes with their children.
    siblings : bool, default=True
        Two neighbouring children, with their parent.
    counts : {"binary", "log", "raw"}, default="binary"
        What a fragment that occurs n times is worth: 1, 1 + ln n, or n.
    norm : {"l2", "l1", "none"}, default="l2"
        What each vector is divided by: the length, the sum of absolute values, or nothing.
    alternate_sign : bool, default=True
        Whether half of the fragments count negatively, so that those that share a column cancel out rather than add
        up. Winnows take no negative features.
    n_jobs : int or None, default=None
        Threads; see `hedgerow.set_n_jobs`.

    See Also
    --------
    hedgerow.kernels.SubsetTree : Compares trees by all fragments of any size, without listing them.

    Examples
    --------
    >>> from hedgerow import Forest
    >>> from hedgerow.feature_extraction import FragmentHasher
    >>> trees = Forest(["(S (NP Mary) (VP sings))", "(S (NP Mary) (VP (V saw) (NP John)))"])
    >>> X = FragmentHasher(n_features=2**10).transform(trees)
    >>> X.shape, float((X[[0]] @ X[[1]].T).toarray()[0, 0]) > 0.3
    ((2, 1024), True)
    """

    data_kind: ClassVar[DataKind] = "tree"

    n_features: int = 2**20
    subtrees: Size = 3
    paths: Size = 4
    leaves: Size = 3
    productions: bool = True
    siblings: bool = True
    counts: Literal["binary", "log", "raw"] = "binary"
    norm: Literal["l2", "l1", "none"] = "l2"
    alternate_sign: bool = True
    n_jobs: int | None = None

    def fit(self, X: Any, y: Any = None) -> Self:
        """Check the parameters; there is nothing to learn."""
        self._check_params()
        return self

    def transform(self, X: Any) -> Any:
        """A row for each tree: a CSR array of trees by features."""
        arrays = self._hashing().vectors(forest_of(X)._native, resolve(self.n_jobs))
        return csr_rows(arrays, self.n_features)

    def fragments(self, tree: Any) -> list[tuple[int, int, str]]:
        """The fragments of one tree: column, node, and the fragment in words.

        Nodes are numbered in post-order. Of a path the node is its lowest, of leaves the first, else the top.

        Examples
        --------
        >>> from hedgerow import Forest
        >>> from hedgerow.feature_extraction import FragmentHasher
        >>> hasher = FragmentHasher(subtrees=0, leaves=0, siblings=False, paths=2)
        >>> [name for _, _, name in hasher.fragments(Forest(["(S (NP Mary))"]))]
        ['(NP Mary)', '(S NP)', 'Mary', 'NP > Mary', 'NP', 'S > NP', 'S']
        """
        native = forest_of(tree)._native
        if len(native) != 1:
            raise ValueError(f"fragments takes one tree, got {len(native)}")
        return [(column, node, name) for column, _, node, _, name in self._hashing().names(native, 0)]

    # -- for learners ---------------------------------------------------------------------------------------

    def _takes(self, X: Any) -> bool:
        """Whether these are trees rather than vectors."""
        if isinstance(X, Records):
            return "tree" in X.kinds.values()
        return isinstance(X, Forest) or (
            isinstance(X, list | tuple) and bool(X) and (isinstance(X[0], str | Tree) or is_nltk(X[0]))
        )

    def _names(self, tree: Any) -> dict[int, str]:
        """What each column stands for in one tree; several fragments may share one."""
        names: dict[int, dict[str, bool]] = {}
        for column, negative, _, _, name in self._hashing().names(forest_of(tree)._native, 0):
            names.setdefault(column, {}).setdefault(name, negative)
        return {
            column: joined((negative, name) for name, negative in of.items()) for column, of in names.items()
        }

    def _places(self, tree: Any) -> dict[int, tuple[tuple[int, int], ...]]:
        """The first and last nodes of the fragments of each column in one tree."""
        places: dict[int, dict[tuple[int, int], None]] = {}
        for column, _, node, last, _ in self._hashing().names(forest_of(tree)._native, 0):
            places.setdefault(column, {})[node, last] = None
        return {column: tuple(of) for column, of in places.items()}

    def _hashing(self) -> _core.FragmentHashing:
        self._check_params()
        return _core.FragmentHashing(
            bits_of(self.n_features),
            self.subtrees,
            self.paths,
            self.leaves,
            self.productions,
            self.siblings,
            self.alternate_sign,
            self.counts,
            self.norm,
        )

    def _check_params(self) -> None:
        check_n_features(self.n_features)
        super()._check_params()
        if not (self.subtrees > 1 or self.paths or self.leaves or self.productions or self.siblings):
            raise ValueError("all families of fragments are left out; choose at least one")

    def _to_state(self) -> tuple[dict[str, Any], dict[str, Matrix]]:
        return {}, {}

    def _from_state(self, description: dict[str, Any], arrays: dict[str, Matrix]) -> Self:
        self._check_params()
        return self

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.two_d_array = False
        tags.requires_fit = False
        tags.no_validation = True
        return tags


def forest_of(X: Any) -> Forest:
    """The trees of any input that holds some."""
    if isinstance(X, Records):
        names = [name for name, kind in X.kinds.items() if kind == "tree"]
        if len(names) != 1:
            raise ValueError(f"Records must have one column of trees, got {names}")
        X = X[names[0]]
    if isinstance(X, Forest):
        return X
    return Forest([X] if isinstance(X, str | Tree) or is_nltk(X) else X)
