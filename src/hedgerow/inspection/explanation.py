"""Why a model predicts what it predicts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from hedgerow.data import Tree
from hedgerow.data.tree_svg import tree_svg
from hedgerow.data.tree_text import tree_text
from hedgerow.inspection import html_pieces as html
from hedgerow.inspection.accounts import Account


@dataclass(frozen=True)
class Explanation:
    """The scores of one input, each as contributions that add up to it.

    Attributes
    ----------
    predicted : the class that is predicted; None if the functions are of no classes
    accounts : tuple of Account
        One for each class, or for the second one if there are two.
    trees : dict from names to Trees
        The trees of the input, by part of the kernel, if it has any.
    """

    predicted: Any
    accounts: tuple[Account, ...]
    trees: Mapping[str, Tree]

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

    def to_text(self, labels: Sequence[Any] | None = None) -> str:
        """All scores, or those of some classes, with the contributions to each, a line each."""
        lines = [] if self.predicted is None else [f"predicted {self.predicted}"]
        chosen = self.accounts if labels is None else [self[label] for label in labels]
        # The predicted class first, then as they score.
        for account in sorted(chosen, key=lambda one: (one.label != self.predicted, -one.score)):
            lines.append(str(account))
        return "\n".join(lines)

    def tree_text(self, label: Any = None) -> str:
        """The input, with what each node adds to the score of a class (the predicted one) beside it."""
        account = self.main if label is None else self[label]
        return "\n".join(tree_text(tree, account.nodes.get(name)) for name, tree in self.trees.items())

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {
            "predicted": _plain(self.predicted),
            "trees": {name: str(tree) for name, tree in self.trees.items()},
            "scores": [account.to_dict() for account in self.accounts],
        }

    def __str__(self) -> str:
        return self.to_text()

    def __repr__(self) -> str:
        return f"<Explanation: {self}>"

    def to_html(self, labels: Sequence[Any] | None = None) -> str:
        """As a part of a page: the input in the colours of what its nodes add, and tables."""
        account = self.main if labels is None else self[labels[0]]
        pictures = [
            html.section(_caption(account, name), html.scrolling(tree_svg(tree, account.nodes.get(name))))
            for name, tree in self.trees.items()
        ]
        chosen = self.accounts if labels is None else [self[label] for label in labels]
        ordered = sorted(chosen, key=lambda one: (one.label != self.predicted, -one.score))
        tables = [one.to_html() for one in ordered]
        title = "scores" if self.predicted is None else f"predicted {self.predicted}"
        return html.section(title, *pictures, *tables)

    def _repr_html_(self) -> str:
        return html.scrolling(self.to_html())


def _plain(predicted: Any) -> Any:
    """For JSON: classes as they are, trees and other outputs in words."""
    return predicted if predicted is None or isinstance(predicted, str | int | float) else str(predicted)


def _caption(account: Account, name: str) -> str:
    part = f" ({name})" if name else ""
    return (
        f"What each node adds to the score of {account.label}{part}" if account.nodes else f"the output{part}"
    )


class Explanations(list[Any]):
    """Explanations of several inputs, a list that notebooks draw."""

    def __str__(self) -> str:
        return "\n\n".join(map(str, self))

    def _repr_html_(self) -> str:
        return "<hr/>".join(one._repr_html_() for one in self)
