"""Why a structured learner gives the tokens of a sequence their labels."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from hedgerow.inspection import html_pieces as html
from hedgerow.inspection.accounts import Account


@dataclass(frozen=True)
class SequenceExplanation:
    """The score of the predicted labels of a sequence, token by token.

    Attributes
    ----------
    tokens : list
        As they were given.
    predicted : list of labels
    accounts : tuple of Account
        One for each token: contributions of its features with the label, and of the move to the label.
    """

    tokens: list[Any]
    predicted: list[Any]
    accounts: tuple[Account, ...]

    @property
    def score(self) -> float:
        """Of all labels together."""
        return float(sum(account.score for account in self.accounts))

    def total(self) -> float:
        """The sum of all contributions, which is the score."""
        return float(sum(account.total() for account in self.accounts))

    def to_text(self, labels: Any = None) -> str:
        """The score and the contributions to it, token by token."""
        shown = [one for one in self.accounts if labels is None or one.label[1] in labels]
        lines = [f"score {self.score:.6g}"]
        for account in shown:
            _, *rest = str(account).split("\n")
            lines.append(f"{account.label[0]} {account.label[1]}: {account.score:.6g}")
            lines += rest
        return "\n".join(lines)

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        tokens = []
        for account in self.accounts:
            entry = account.to_dict()
            token, label = entry.pop("label")
            tokens.append({"token": token, "label": label, **entry})
        return {"predicted": self.predicted, "score": self.score, "tokens": tokens}

    def __str__(self) -> str:
        return self.to_text()

    def __repr__(self) -> str:
        return f"<SequenceExplanation: {self}>"

    def to_html(self, labels: Any = None) -> str:
        """As a part of a page: a table for each token."""
        shown = [one for one in self.accounts if labels is None or one.label[1] in labels]
        tables = [one.to_html(f"{one.label[0]} {one.label[1]}: {one.score:.6g}") for one in shown]
        return html.section(f"score {self.score:.6g}", *tables)

    def _repr_html_(self) -> str:
        return html.scrolling(self.to_html())
