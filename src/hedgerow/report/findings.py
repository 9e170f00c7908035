"""What inspection finds: what spoke for and against a prediction, and what matters in a model.

That is fragments, drawn as trees; or weights of features, of moves between labels, or of rules.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

from hedgerow.data.tree_svg import tree_svg
from hedgerow.inspection import Feature, fragments, weights
from hedgerow.inspection.findings import Drawing, Entry, Findings, Listing
from hedgerow.report.blocks import (
    Block,
    Cell,
    CellTable,
    Facts,
    Gallery,
    Heading,
    Item,
    Paragraph,
    Picture,
    Section,
    row,
)
from hedgerow.report.numbers import several, whole

MOST_OPEN = 3  # lists of an explanation that are seen without a click: those of the highest scores
MOST_DRAWN = 12  # classes whose fragments are drawn
FRAGMENTS_OF_A_CLASS = 6
MOST_LISTED = 24  # classes whose weights are listed
WEIGHTS_OF_A_CLASS = 5


@dataclass(frozen=True)
class FindingsItem(Item):
    kind = "explanation"
    findings: Findings

    def section(self) -> Section:
        """The input in the colours of what its parts add, and lists."""
        blocks: list[Block] = [Facts(facts)] if (facts := self.findings.facts()) else []
        if drawings := self.findings.drawings():
            blocks.append(Gallery([_picture(drawing) for drawing in drawings], size="tree"))
        for place, listing in enumerate(self.findings.listings()):
            blocks += listing_blocks(listing, folded=self.findings.ranked and place >= MOST_OPEN)
        return Section(self.name, blocks, kicker="Explanation")


def _picture(drawing: Drawing) -> Picture:
    colours = "" if drawing.values is None else ": blue speaks for it, orange against it"
    return Picture(drawing.to_svg(), f"{drawing.tree}: {drawing.caption}", f"{drawing.caption}{colours}")


def listing_blocks(listing: Listing, *, small: bool = False, folded: bool = False) -> list[Block]:
    """Trees side by side, or a table; and what the list leaves unsaid."""
    heading = [] if folded else [Heading(listing.title, small=small)]
    blocks: list[Block] = [*heading, _gallery(listing) if listing.drawn else _table(listing, folded)]
    if listing.note:
        blocks.append(Paragraph(f"The search was cut short: {listing.note}.", aside=True))
    return blocks


def _table(listing: Listing, folded: bool) -> CellTable:
    amount, what, *details = listing.heads
    rows = [
        [Cell(str(entry.what)), _amount(entry, listing.largest), *map(Cell, entry.details)]
        for entry in listing.entries
    ]
    blanks = [""] * len(details)
    rows += [row(name, f"{value:+.4f}", *blanks) for name, value in listing.rest]
    heads = [head.capitalize() for head in (what, amount, *details)]
    return CellTable(heads, rows, folded=listing.title if folded else "")


def _amount(entry: Entry, largest: float) -> Cell:
    share = abs(entry.amount) / largest if largest else 0.0
    return Cell(f"{entry.amount:+.4f}", shade=share, against=entry.amount < 0)


def _gallery(listing: Listing) -> Gallery:
    """Those for it first."""
    ordered = sorted(listing.entries, key=lambda entry: -entry.amount)
    return Gallery([_fragment(entry.what) for entry in ordered], size="small")


def _fragment(fragment: Any) -> Picture:
    part = f", {fragment.part}" if fragment.part else ""
    speaks = "for" if fragment.weight > 0 else "against"
    return Picture(
        tree_svg(fragment, max_nodes=60),
        f"{fragment.tree}, weight {fragment.weight:+.4g}{part}",
        f"{fragment.weight:+.3f} {speaks}{part}",
    )


# -- what matters in a model ------------------------------------------------------------------------------------


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
