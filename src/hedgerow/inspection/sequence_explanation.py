"""Why a structured learner gives the tokens of a sequence their labels."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from hedgerow.inspection.accounts import Account
from hedgerow.inspection.findings import Findings, Listing


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
    """

    tokens: list[Any]
    predicted: list[Any]
    accounts: tuple[Account, ...]
    score: float
    _labels: list[Any]

    @property
    def labels(self) -> list[Any]:
        """All labels that tokens may have."""
        return self._labels

    def total(self) -> float:
        """The sum of all contributions, which is the score."""
        return float(sum(account.total() for account in self.accounts))

    @property
    def title(self) -> str:
        return f"score {self.score:.6g}"

    def listings(self) -> list[Listing]:
        """The contributions to the score, token by token."""
        return [
            account.listing(f"{account.label[0]} {account.label[1]}: {account.score:.6g}")
            for account in self.accounts
        ]

    def only(self, labels: Sequence[Any]) -> SequenceExplanation:
        """Tokens that have some labels."""
        wanted = set(map(str, labels))
        kept = tuple(account for account in self.accounts if str(account.label[1]) in wanted)
        return replace(self, accounts=kept)

    def facts(self) -> list[tuple[str, str]]:
        """The prediction and its score."""
        return [("Predicted", " ".join(map(str, self.predicted))), ("Score", f"{self.score:+.4f}")]

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        tokens = []
        for account in self.accounts:
            entry = account.to_dict()
            token, label = entry.pop("label")
            tokens.append({"token": token, "label": label, **entry})
        return {"predicted": self.predicted, "score": self.score, "tokens": tokens}
