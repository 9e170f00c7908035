"""Explanations: one prediction, and what spoke for and against it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from hedgerow.inspection import Account, Explanation, tree_svg
from hedgerow.report.blocks import (
    Block,
    Cell,
    Facts,
    Gallery,
    Heading,
    Picture,
    Section,
    Sentence,
    Table,
    row,
)

MOST_CLASSES = 3  # that are taken apart: those with the highest scores


@dataclass(frozen=True)
class ExplanationItem:
    name: str
    explanation: Explanation


def explanation_section(item: ExplanationItem) -> Section:
    """The input in the colours of what its parts add, and the contributions to the highest scores."""
    explanation = item.explanation
    ranked = sorted(explanation.accounts, key=lambda one: (one.label != explanation.predicted, -one.score))
    facts = [("Predicted", str(explanation.predicted))]
    facts += [(f"Score of {account.label}", f"{account.score:+.4f}") for account in ranked]
    blocks: list[Block] = [Facts(facts)]
    main = explanation.main
    pictures = [
        Picture(
            tree_svg(tree, main.nodes[name]),
            f"{tree}, with what each node adds to the score of {main.label}",
            f"What each node adds to the score of {main.label}: blue speaks for it, orange against it"
            + (f" ({name})" if name else ""),
        )
        for name, tree in explanation.trees.items()
        if name in main.nodes
    ]
    if pictures:
        blocks.append(Gallery(pictures, size="tree"))
    for account in ranked[:MOST_CLASSES]:
        blocks += _account(account)
    return Section(item.name, blocks, kicker="Explanation")


def _account(account: Account) -> list[Block]:
    """Contributions that add up to the score."""
    largest = max((abs(one.contribution) for one in account.contributions), default=0.0)
    rows = [
        [Cell(str(one)), _contribution(one, largest), Cell(f"{one.weight:+.4f}"), Cell(f"{one.value:.4f}")]
        for one in account.contributions
    ]
    rows += [row(name, f"{value:+.4f}", "", "") for name, value in account.rest() if value]
    rows.append([Cell("score", strong=True), Cell(f"{account.score:+.4f}", strong=True), Cell(""), Cell("")])
    heads = [account.what.capitalize(), "Adds", "Weight", "Value"]
    blocks: list[Block] = [Heading(f"For and against {account.label}"), Table(heads, rows)]
    note = account.note()
    return [*blocks, Sentence(f"The search was cut short: {note}.", aside=True)] if note else blocks


def _contribution(one: Any, largest: float) -> Cell:
    share = abs(one.contribution) / largest if largest else 0.0
    return Cell(f"{one.contribution:+.4f}", shade=share, against=one.contribution < 0)
