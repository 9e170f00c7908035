"""Parts of a report that other packages make: entry points of the group ``hedgerow.report_items``.

Each is a function that takes a mapping, as JSON files hold them, and gives a `FurtherItem`, or None for one that it
does not know.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from importlib.metadata import entry_points
from typing import Any, ClassVar

from hedgerow.report.blocks import Section

GROUP = "hedgerow.report_items"


@dataclass(frozen=True)
class FurtherItem:
    """What other packages derive their items from."""

    name: str
    kind: ClassVar[str]  # as in "2 reproductions"

    def section(self) -> Section:
        """What the page says about it."""
        raise NotImplementedError


def further_item(content: Mapping[str, Any]) -> FurtherItem | None:
    """What a package makes of the mapping, if one knows it."""
    for point in entry_points(group=GROUP):
        item: FurtherItem | None = point.load()(content)
        if item is not None:
            return item
    return None
