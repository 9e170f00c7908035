"""What inspection finds: fragments and weights of a model, or what spoke for and against a prediction."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from hedgerow.data.tree_svg import tree_svg
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

MOST_OPEN = 3  # lists of an explanation that are seen without a click: those of the highest scores


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
