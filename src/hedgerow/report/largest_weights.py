"""The weights that matter in a model that keeps weights, of features, moves between labels or rules."""

from __future__ import annotations

from typing import Any

from hedgerow.inspection import Feature, weights
from hedgerow.report.blocks import Block, CellTable, Heading, Paragraph, row
from hedgerow.report.numbers import whole

MOST_CLASSES = 24
OF_A_CLASS = 5


def weight_blocks(model: Any) -> list[Block]:
    """The largest weights for and against each class; nothing for models that are not taken apart."""
    try:
        found = weights(model, OF_A_CLASS)
    except (ValueError, TypeError, AttributeError):
        return []
    rows = [
        row(
            str(table.label),
            whole(table.n_weights),
            _listed(feature for feature in table.features if feature.weight > 0),
            _listed(feature for feature in table.features if feature.weight < 0),
        )
        for table in found[:MOST_CLASSES]
    ]
    heads = ["Class", "Weights", "Largest for it", "Largest against it"]
    blocks: list[Block] = [Heading("Weights that matter"), CellTable(heads, rows, words=[2, 3])]
    rest = len(found) - MOST_CLASSES
    return [*blocks, Paragraph(f"And {rest:,} more.", aside=True)] if rest > 0 else blocks


def _listed(features: Any) -> str:
    return ", ".join(map(_written, features))


def _written(feature: Feature) -> str:
    return f"{feature} ({feature.weight:+.3g})"
