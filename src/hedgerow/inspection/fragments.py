"""The most heavily weighted tree fragments of a model."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import isfinite
from typing import Any, overload

import numpy as np

from hedgerow.checks import check_whole
from hedgerow.data import Forest
from hedgerow.data.tree_outline import Kind, TreeOutline
from hedgerow.data.tree_svg import tree_svg
from hedgerow.data.tree_text import tree_text
from hedgerow.inspection.findings import Entry, Findings, Listing, scrolling
from hedgerow.inspection.functions import best_of, functions_of
from hedgerow.inspection.hashed_fragments import hashed_fragments
from hedgerow.inspection.tree_parts import Found, Parts, parts_of
from hedgerow.inspection.weights import Weights

KINDS: tuple[Kind, ...] = ("expanded", "word", "open")
LIMIT = 100_000  # partial fragments to look at, for each class


@dataclass(frozen=True)
class Fragment:
    """A part of trees that a tree kernel counts, with its weight in a model.

    Attributes
    ----------
    tree : str
        In brackets. Nodes whose children the fragment leaves open are bare, as words are; see ``kinds``.
    weight : float
        In the feature space of the kernel, where the score is ``sum of weight * value`` over all fragments.
    label : the class whose score it is part of
    value : float
        Of this feature for the explained input, 1 in lists of what a model has learned.
    part : str
        Which part of the kernel it belongs to: the column that this looks at, or the name of the kernel.
    labels, arity, kinds : tuples
        The nodes in post-order: label, number of children, and "expanded", "word" or "open".
    """

    labels: tuple[str, ...]
    arity: tuple[int, ...]
    kinds: tuple[Kind, ...]
    weight: float
    label: Any
    part: str = ""
    value: float = 1.0

    @property
    def contribution(self) -> float:
        """What it adds to the score of the explained input: ``weight * value``."""
        return self.weight * self.value

    @property
    def tree(self) -> str:
        """The fragment in brackets; words and nodes whose children it leaves open are bare."""
        forest = Forest.from_postorder(self.labels, self.arity, [len(self.labels)])
        return forest.to_brackets(replace_space="_")[0]

    @property
    def n_nodes(self) -> int:
        """How many nodes it has, open ones and words too."""
        return len(self.labels)

    def _outline(self, values: Sequence[float] | None = None, **limits: int) -> TreeOutline:
        return TreeOutline(self.labels, self.arity, self.kinds, values, **limits)

    def to_text(self) -> str:
        """The fragment as indented text; see `tree_text`."""
        return tree_text(self)

    def to_svg(self) -> str:
        """The fragment as a picture; see `tree_svg`."""
        return tree_svg(self)

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {"tree": self.tree, "weight": self.weight, "label": self.label, "part": self.part}

    def __str__(self) -> str:
        return self.tree

    def _repr_html_(self) -> str:
        return scrolling(tree_svg(self))


@dataclass(frozen=True)
class Fragments(Findings, Sequence[Fragment]):
    """The fragments of a model with the largest weights, class by class.

    Attributes
    ----------
    exact : bool
        Whether no other fragment of the class has a larger weight than those listed. If the search has stopped at its
        limit, ``bounds`` say what it may have missed.
    bounds : dict from labels to floats
        No fragment that is not listed has a larger absolute weight; 0 where the list is exact.
    labels : list of the classes
    """

    fragments: tuple[Fragment, ...]
    bounds: dict[Any, float]

    @property
    def labels(self) -> list[Any]:
        """The classes."""
        return list(self.bounds)

    @property
    def exact(self) -> bool:
        """Whether all lists are exact."""
        return not any(self.bounds.values())

    @overload
    def __getitem__(self, key: int) -> Fragment: ...
    @overload
    def __getitem__(self, key: slice) -> Sequence[Fragment]: ...
    def __getitem__(self, key: int | slice) -> Fragment | Sequence[Fragment]:
        return self.fragments[key]

    def __len__(self) -> int:
        return len(self.fragments)

    def of(self, label: Any) -> list[Fragment]:
        """Those of one class, the most heavily weighted first."""
        if label not in self.labels:
            raise ValueError(f"the model has the classes {self.labels}, not {label!r}")
        return [fragment for fragment in self if fragment.label == label]

    def note(self, label: Any) -> str:
        """What a list leaves unsaid."""
        bound = self.bounds[label]
        return f"stopped at the limit: what is not listed weighs at most {bound:.4g}" if bound > 0 else ""

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {
            "exact": self.exact,
            "bounds": [
                {"label": label, "bound": bound if isfinite(bound) else None}
                for label, bound in self.bounds.items()
            ],
            "fragments": [fragment.to_dict() for fragment in self],
        }

    def listings(self) -> list[Listing]:
        """The fragments, class by class."""
        several = len({fragment.part for fragment in self}) > 1
        return [
            Listing(
                f"{label}:",
                ("weight", "fragment", *(["part"] if several else [])),
                [Entry(f.weight, f, (f.part,) if several else ()) for f in self.of(label)],
                self.note(label),
                drawn=True,
            )
            for label in self.labels
        ]

    def only(self, labels: Sequence[Any]) -> Fragments:
        """Those of some classes."""
        kept = tuple(fragment for fragment in self if fragment.label in labels)
        return Fragments(kept, {label: self.bounds[label] for label in labels})

    def __repr__(self) -> str:
        return f"<{len(self)} fragments, {'exact' if self.exact else 'with bounds'}>\n{self}"


@overload
def fragments(
    model: Any, *, n_largest: int = ..., label: Any = ..., sign: str | None = ..., limit: int = ...
) -> Fragments: ...
@overload
def fragments(
    model: Any, X: int, *, label: Any = ..., sign: str | None = ..., limit: int = ...
) -> Fragments: ...
@overload
def fragments(
    model: Any, X: Any, n_largest: int = ..., *, label: Any = ..., sign: str | None = ...
) -> Weights: ...
def fragments(
    model: Any,
    X: Any = None,
    n_largest: int = 10,
    *,
    label: Any = None,
    sign: str | None = None,
    limit: int = LIMIT,
) -> Fragments | Weights:
    """The tree fragments with the largest weights in a model: ``fragments(model, 5)``, or ``fragments(model, X, 5)``.

    A model on a tree kernel is linear in fragments: its score is the sum, over all fragments of a tree, of a weight
    times what the tree has of the fragment. There are far too many fragments to list. The largest weights are found by
    a search of the distinct subtrees of the supports: a fragment that grows matches fewer of them, which bounds its
    weight, so that most never come up.

    A learner on features that a `FragmentHasher` makes keeps weights of columns, which are hashes. A second look at
    trees X, such as those that were learned from, finds the fragments that the columns with the largest weights stand
    for.

    Parameters
    ----------
    model : a fitted classifier of `hedgerow.online` or `hedgerow.svm` on a tree kernel, or an `Expansion`
        The kernel may be normalised, on a column, and a weighted sum with other kernels; of these only the tree
        kernels have fragments. A `StructuredSVM` of classes on a tree kernel will do too. With X, a pipeline of a
        `FragmentHasher`, perhaps tf-idf, and a linear classifier, or a learner with ``vectorizer=FragmentHasher()``.
    X : trees, optional
        To be looked at for fragments. Not for models on kernels, which keep trees themselves.
    n_largest : int, default=10
        How many, for each class.
    label : optional
        Only for this class. With two classes there is one function, whose positive values speak for the second class.
    sign : {"for", "against"}, optional
        Only fragments with positive weights, or with negative ones; by default those with the largest weights of
        either sign.
    limit : int, default=100000
        How many partial fragments to look at for each class.

    Returns
    -------
    found : Fragments, with X Weights
        ``found.exact`` says whether the search came to its end. If not, ``found.bounds`` say what may be missing.
        With X, weights are those of the learner; where fragments share a column, the most frequent of X comes first,
        and a minus marks those that count the other way round.

    References
    ----------
    D. Pighin, A. Moschitti: On reverse feature engineering of syntactic tree kernels, CoNLL 2010.

    Examples
    --------
    >>> from hedgerow.inspection import fragments
    >>> from hedgerow.kernels import SubsetTree
    >>> from hedgerow.online import Perceptron
    >>> trees = ["(S (NP Mary) (VP sings))", "(S (NP Mary) (VP sleeps))", "(S (NP John) (VP sings))"]
    >>> model = Perceptron(SubsetTree(decay=0.5), epochs=5).fit(trees, ["loud", "quiet", "loud"])
    >>> for fragment in fragments(model, 2):
    ...     print(f"{fragment.weight:+.2f} {fragment}")
    -0.71 (VP sings)
    +0.71 (VP sleeps)

    Of hashed fragments:

    >>> from sklearn.pipeline import make_pipeline
    >>> from hedgerow.feature_extraction import FragmentHasher
    >>> hashed = make_pipeline(FragmentHasher(paths=0, leaves=0, siblings=False), Perceptron(epochs=5))
    >>> hashed = hashed.fit(trees, ["loud", "quiet", "loud"])
    >>> print(fragments(hashed, trees, 2))
    quiet: 4 weights
            +0.5  (S (NP Mary) (VP sleeps))
            -0.5  (VP sings)
    """
    model = best_of(model)
    if isinstance(X, int | np.integer) and not isinstance(X, bool):  # how many, of a model on a kernel
        X, n_largest = None, int(X)
    check_whole("n_largest", n_largest, at_least=1)
    check_whole("limit", limit, at_least=0)
    of_model = functions_of(model)
    if X is not None:
        chosen = _chosen([column.label for column in of_model.columns()], label)
        return hashed_fragments(of_model, X, n_largest, chosen, _sign(sign))
    functions = of_model.expansion
    if functions is None:
        raise TypeError(
            f"this {type(model).__name__} keeps weights of features, not supports; see weights, or with hashed "
            "fragments of trees X fragments(model, X)"
        )
    chosen = _chosen(functions.labels, label)
    if not functions.kernel._has_fragments:
        raise TypeError(
            f"the kernel {functions.kernel!r} has no part that is a tree kernel, so there are no fragments; a product "
            "of kernels is not a sum over the fragments of either"
        )
    parts = parts_of(model, functions)
    found: list[Fragment] = []
    bounds: dict[Any, float] = {}
    for function in chosen:
        best, bounds[functions.labels[function]] = best_fragments(
            parts, function, n_largest, [_sign(sign)], limit
        )
        found += best
    return Fragments(tuple(found), bounds)


def _chosen(labels: list[Any], label: Any) -> list[int]:
    """The numbers of the functions of a class, or of all."""
    if label is None:
        return list(range(len(labels)))
    if label not in labels:
        raise ValueError(f"label must be one of {labels}, got {label!r}")
    return [labels.index(label)]


def _sign(sign: str | None) -> int:
    signs = {None: 0, "for": 1, "against": -1}
    if sign not in signs:
        raise ValueError(f"sign must be 'for', 'against' or None, got {sign!r}")
    return signs[sign]


def best_fragments(
    parts: Parts, function: int, k: int, signs: list[int], limit: int, items: Sequence[Any] | None = None
) -> tuple[list[Fragment], float]:
    """The best of a function over all parts, those of an item if there is one, a list of k for each sign; and a bound
    on others, 0 if exact."""
    label = parts.functions.labels[function]
    best: list[Fragment] = []
    bound = 0.0
    for i, part in enumerate(parts.trees):
        found = part.search(function, k, signs, limit, None if items is None else items[i])
        best += _fragments(found, part.labels, label, part.name if parts.several else "")
        bound = max(bound, 0.0 if found.exact else found.bound)
    # Of equal ones the smaller; the rest of the order makes lists the same whatever happens.
    best.sort(key=lambda fragment: (-abs(fragment.contribution), fragment.n_nodes, fragment.labels))
    if signs == [0]:
        return best[:k], bound
    lists = [[fragment for fragment in best if sign * fragment.contribution > 0] for sign in signs]
    return [fragment for one in lists for fragment in one[:k]], bound


def _fragments(found: Found, names: list[str], label: Any, part: str) -> list[Fragment]:
    ends = np.cumsum(found.size).tolist()
    return [
        Fragment(
            tuple(names[i] for i in found.label[end - size : end].tolist()),
            tuple(found.arity[end - size : end].tolist()),
            tuple(KINDS[kind] for kind in found.kind[end - size : end].tolist()),
            weight,
            label,
            part,
            value,
        )
        for end, size, weight, value in zip(
            ends, found.size.tolist(), found.weight.tolist(), found.feature.tolist(), strict=True
        )
    ]
