"""Why a model predicts what it predicts: of one output, or of the labels of a sequence."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import isfinite
from typing import Any, NamedTuple

from hedgerow.data import Tree
from hedgerow.data.converters.source_code import TreeOptions
from hedgerow.data.tree_text import tree_text
from hedgerow.inspection.accounts import Account
from hedgerow.inspection.findings import Drawing, Findings, Listing
from hedgerow.inspection.source_marks import SourceMarks, source_marks


class NextBest(NamedTuple):
    """An output that is not predicted, and by how much its score is below that of the one that is."""

    output: Any
    behind: float

    @property
    def words(self) -> str:
        """The output as text."""
        return " ".join(map(str, self.output)) if isinstance(self.output, list) else str(self.output)

    def fact(self) -> tuple[str, str]:
        return f"Next best, {self.behind:.4f} below", self.words

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {
            "predicted": self.output if isinstance(self.output, list) else str(self.output),
            "behind": self.behind,
        }


def _lead(next_best: Sequence[NextBest]) -> str:
    return f", {next_best[0].behind:.4g} above {next_best[0].words}" if next_best else ""


@dataclass(frozen=True, repr=False)
class Explanation(Findings):
    """The scores of one input, each as contributions that add up to it.

    Attributes
    ----------
    predicted : the class that is predicted; None if the functions are of no classes
    accounts : tuple of Account
        One for each class, or for the second one if there are two.
    trees : dict from names to Trees
        The trees of the input, by part of the kernel, if it has any.
    next_best : tuple of NextBest
        Of structured outputs, which have no account each: those that follow, best first.
    """

    ranked = True

    predicted: Any
    accounts: tuple[Account, ...]
    trees: Mapping[str, Tree]
    next_best: tuple[NextBest, ...] = ()

    def __getitem__(self, label: Any) -> Account:
        """The account of a class."""
        for account in self.accounts:
            if account.label == label:
                return account
        raise KeyError(f"there are scores of {self.labels}, not of {label!r}")

    @property
    def labels(self) -> list[Any]:
        """The classes that have an account."""
        return [account.label for account in self.accounts]

    @property
    def scores(self) -> dict[Any, float]:
        """The score of each class."""
        return {account.label: account.score for account in self.accounts}

    @property
    def main(self) -> Account:
        """The account of the class that is predicted; with one score, that."""
        return next((one for one in self.accounts if one.label == self.predicted), self.accounts[0])

    @property
    def title(self) -> str:
        return "" if self.predicted is None else f"predicted {self.predicted}{_lead(self.next_best)}"

    def _ordered(self) -> list[Account]:
        """The predicted class first, then as they score."""
        return sorted(self.accounts, key=lambda one: (one.label != self.predicted, -one.score))

    def listings(self) -> list[Listing]:
        """The contributions to each score."""
        return [account.listing() for account in self._ordered()]

    def only(self, labels: Sequence[Any]) -> Explanation:
        """The scores of some classes."""
        return replace(self, accounts=tuple(self[label] for label in labels))

    def drawings(self) -> list[Drawing]:
        """The input with what each node adds to the score of the predicted class, or the output."""
        nodes = self.main.nodes
        what = f"What each node adds to the score of {self.main.label}" if nodes else "the output"
        return [
            Drawing(tree, nodes.get(name), f"{what} ({name})" if name else what)
            for name, tree in self.trees.items()
        ]

    def facts(self) -> list[tuple[str, str]]:
        """The prediction and all scores."""
        scores = [(f"Score of {account.label}", f"{account.score:+.4f}") for account in self._ordered()]
        return [("Predicted", str(self.predicted)), *scores, *map(NextBest.fact, self.next_best)]

    def tree_text(self, label: Any = None) -> str:
        """The input, with what each node adds to the score of a class (the predicted one) beside it."""
        account = self.main if label is None else self[label]
        return "\n".join(tree_text(tree, account.nodes.get(name)) for name, tree in self.trees.items())

    def in_source(
        self,
        source: str | bytes,
        language: str,
        label: Any = None,
        place: int = 0,
        **options: Any,
    ) -> SourceMarks:
        """What speaks for and against a class, marked in the source code of the tree, by line and column.

        Of models on hashed fragments these are the listed fragments, of models on tree kernels the nodes that add most.

        Parameters
        ----------
        source, language : as given to `Forest.from_source`
        label : optional
            The class; by default the predicted one.
        place : int, default=0
            Which tree of the source, with ``unit="function"`` or ``"class"``.
        options : ``unit``, ``tokens``, ``identifiers``, ``literals`` and ``fields``, as given to `Forest.from_source`

        Examples
        --------
        >>> from hedgerow import Forest
        >>> from hedgerow.feature_extraction import FragmentHasher
        >>> from hedgerow.inspection import explain
        >>> from hedgerow.online import Perceptron
        >>> code = ["print(1)", "total = 1 + 2"]
        >>> trees = Forest.from_source(code, "python")
        >>> hasher = FragmentHasher(subtrees=0, paths=0, leaves=1, productions=False, siblings=False)
        >>> model = Perceptron(vectorizer=hasher).fit(trees, ["shows", "sums"])
        >>> explain(model, trees[1:], 2)[0].in_source(code[1], "python")
        sums: 0.776393
              +0.2  1:7  =
              +0.2  1:11  +
          -0.02361  1:9  1
             1 | total = 1 + 2
               |       + - +
        """
        account = self.main if label is None else self[label]
        sizes = [len(values) for values in account.nodes.values()]
        n_nodes = sizes[0] if len(sizes) == 1 else None
        return source_marks(account, n_nodes, source, language, place, TreeOptions(**options))

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {
            "predicted": _plain(self.predicted),
            "trees": {name: str(tree) for name, tree in self.trees.items()},
            "scores": [account.to_dict() for account in self.accounts],
            **({"next_best": [one.to_dict() for one in self.next_best]} if self.next_best else {}),
        }


def _plain(predicted: Any) -> Any:
    """For JSON: classes as they are, trees and other outputs in words."""
    return predicted if predicted is None or isinstance(predicted, str | int | float) else str(predicted)


@dataclass(frozen=True, repr=False)
class SequenceExplanation(Findings):
    """The score of the predicted labels of a sequence, token by token.

    Attributes
    ----------
    tokens : list
        As they were given.
    predicted : list of labels
    accounts : tuple of Account
        One for each token: contributions of its features with the label, and of the move to the label.
    score : float
        Of all labels together.
    labels : list
        All that tokens may have.
    next_best : tuple of NextBest
        The label sequences that follow, best first.
    margins : tuple of float
        Of each account's token: by how much the score would fall at least if it had another label, see
        ``token_margins``; infinite if there is no other.
    """

    tokens: list[Any]
    predicted: list[Any]
    accounts: tuple[Account, ...]
    score: float
    _labels: list[Any]
    next_best: tuple[NextBest, ...] = ()
    margins: tuple[float, ...] = ()

    @property
    def labels(self) -> list[Any]:
        """All labels that tokens may have."""
        return self._labels

    def total(self) -> float:
        """The sum of all contributions, which is the score."""
        return float(sum(account.total() for account in self.accounts))

    @property
    def title(self) -> str:
        return f"score {self.score:.6g}{_lead(self.next_best)}"

    def listings(self) -> list[Listing]:
        """The contributions to the score, token by token."""
        return [
            account.listing(f"{account.label[0]} {account.label[1]}: {account.score:.6g}")
            for account in self.accounts
        ]

    def only(self, labels: Sequence[Any]) -> SequenceExplanation:
        """Tokens that have some labels."""
        wanted = set(map(str, labels))
        kept = [i for i, account in enumerate(self.accounts) if str(account.label[1]) in wanted]
        margins = tuple(self.margins[i] for i in kept) if self.margins else ()
        return replace(self, accounts=tuple(self.accounts[i] for i in kept), margins=margins)

    def facts(self) -> list[tuple[str, str]]:
        """The prediction and its score."""
        facts = [("Predicted", " ".join(map(str, self.predicted))), ("Score", f"{self.score:+.4f}")]
        if self.margins:
            margin, (token, label) = min(
                zip(self.margins, (account.label for account in self.accounts), strict=True),
                key=lambda pair: pair[0],
            )
            facts.append(("Least sure", f"{token} {label}, by {margin:.4g}"))
        return [*facts, *map(NextBest.fact, self.next_best)]

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        tokens = []
        margins = self.margins or (None,) * len(self.accounts)
        for account, margin in zip(self.accounts, margins, strict=True):
            entry = account.to_dict()
            token, label = entry.pop("label")
            known = margin if margin is not None and isfinite(margin) else None  # JSON knows no infinity
            tokens.append({"token": token, "label": label, "margin": known, **entry})
        next_best = [one.to_dict() for one in self.next_best]
        return {"predicted": self.predicted, "score": self.score, "next_best": next_best, "tokens": tokens}


class Explanations(list[Any]):
    """Explanations of several inputs, a list that notebooks draw."""

    def __str__(self) -> str:
        return "\n\n".join(map(str, self))

    def _repr_html_(self) -> str:
        return "<hr/>".join(one._repr_html_() for one in self)
