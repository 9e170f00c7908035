"""What matters in a model: fragments, drawn as trees; or weights of features, moves between labels or rules."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from hedgerow.inspection import Feature, fragments, weights
from hedgerow.report.blocks import Block, CellTable, Heading, Paragraph, row
from hedgerow.report.findings import listing_blocks
from hedgerow.report.numbers import several, whole

MOST_DRAWN = 12  # classes whose fragments are drawn
FRAGMENTS_OF_A_CLASS = 6
MOST_LISTED = 24  # classes whose weights are listed
WEIGHTS_OF_A_CLASS = 5


def fragment_blocks(model: Any, labels: list[Any]) -> list[Block]:
    """The heaviest fragments of each class: first those for it, then those against it."""
    chosen = labels[1:] if len(labels) == 2 else labels[:MOST_DRAWN]
    try:
        found = {label: fragments(model, FRAGMENTS_OF_A_CLASS, label=label) for label in chosen}
    except (ValueError, TypeError) as error:  # products of kernels have no fragments, for instance
        return [Paragraph(f"Its fragments cannot be shown: {error}", aside=True)]
    said = (
        "The score of a tree is the sum of the weights of its fragments, each times what the tree has of it. These "
        "have the largest weights. Words are slanted; a dotted line is a node whose children may be anything."
    )
    blocks: list[Block] = [Heading("Fragments that matter"), Paragraph(said)]
    for label, own in found.items():
        what = f"{label} rather than {labels[0]}" if len(labels) == 2 else str(label)
        for listing in own.listings():
            if listing.entries:
                blocks += listing_blocks(replace(listing, title=what), small=True)
    if len(chosen) < len(labels) and len(labels) > 2:
        blocks.append(
            Paragraph(f"And {several(len(labels) - len(chosen), 'more class', 'more classes')}.", aside=True)
        )
    return blocks


def weight_blocks(model: Any) -> list[Block]:
    """The largest weights for and against each class; nothing for models that are not taken apart."""
    try:
        found = weights(model, WEIGHTS_OF_A_CLASS)
    except (ValueError, TypeError, AttributeError):
        return []
    rows = [
        row(
            str(table.label),
            whole(table.n_weights),
            _listed(feature for feature in table.features if feature.weight > 0),
            _listed(feature for feature in table.features if feature.weight < 0),
        )
        for table in found[:MOST_LISTED]
    ]
    heads = ["Class", "Weights", "Largest for it", "Largest against it"]
    blocks: list[Block] = [Heading("Weights that matter"), CellTable(heads, rows, words=[2, 3])]
    rest = len(found) - MOST_LISTED
    return [*blocks, Paragraph(f"And {rest:,} more.", aside=True)] if rest > 0 else blocks


def _listed(features: Iterable[Feature]) -> str:
    return ", ".join(f"{feature} ({feature.weight:+.3g})" for feature in features)
