"""What a report is made of: items, hedgerow's own and those of other packages.

Other packages name functions as entry points of the group ``hedgerow.report_items``. Each takes a mapping, as JSON
files hold them, and gives an `Item`, or None for a mapping that it does not know.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from importlib.metadata import entry_points
from typing import Any, ClassVar

from hedgerow.report.blocks import Section

GROUP = "hedgerow.report_items"


@dataclass(frozen=True)
class Item:
    """Something with a section of its own."""

    name: str
    kind: ClassVar[str]  # as in "2 evaluations"

    def section(self) -> Section:
        """What the page says about it."""
        raise NotImplementedError

    def trace(self) -> Any:
        """What was recorded while something learned, if the item tells of that."""
        return None


def further_item(content: Mapping[str, Any]) -> Item | None:
    """What another package makes of the mapping, if one knows it."""
    for point in entry_points(group=GROUP):
        item: Item | None = point.load()(content)
        if item is not None:
            return item
    return None
