"""The fragments that matter in a model on a tree kernel, drawn as trees."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from hedgerow.inspection import fragments
from hedgerow.report.blocks import Block, Heading, Paragraph
from hedgerow.report.findings import listing_blocks
from hedgerow.report.numbers import several

MOST_CLASSES = 12  # whose fragments are drawn
OF_A_CLASS = 6


def fragment_blocks(model: Any, labels: list[Any]) -> list[Block]:
    """The heaviest fragments of each class: first those for it, then those against it."""
    chosen = labels[1:] if len(labels) == 2 else labels[:MOST_CLASSES]
    try:
        found = {label: fragments(model, OF_A_CLASS, label=label) for label in chosen}
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
