"""Check built documentation: links between pages lead somewhere, and readers can find every page.

    python tools/check_pages.py build/docs

A page must exist for every link, and have the place that the link names. Every page is at most two clicks from the
first one, and all but the last have a link to the next. Links to other sites are not followed.
"""

from __future__ import annotations

import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

GENERATED = {"genindex.html", "search.html", "py-modindex.html"}  # by Sphinx, beside the pages
MOST_CLICKS = 2


class Page(HTMLParser):
    """The links of a page, and the places that others can link to."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.places: set[str] = set()
        self.has_next = False
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = {name: value for name, value in attrs if value is not None}
        self.places.update(values[name] for name in ("id", "name") if name in values)
        for name in ("href", "src"):
            if name in values:
                self.links.append(values[name])
        self.has_next |= tag == "link" and values.get("rel") == "next"


def links_within(page: Page, path: Path) -> list[tuple[Path, str]]:
    """Files and places of the same site that a page links to."""
    found = []
    for link in page.links:
        parts = urlsplit(link)
        if not parts.scheme and not parts.netloc:
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            found.append((target, unquote(parts.fragment)))
    return found


def faults(folder: Path) -> list[str]:
    """Everything that is wrong, one line each."""
    paths = [path.resolve() for path in sorted(folder.rglob("*.html")) if path.name not in GENERATED]
    pages = {path: Page(path.read_text(encoding="utf-8")) for path in paths}
    found, leads_to = [], {}
    for path, page in pages.items():
        links = links_within(page, path)
        leads_to[path] = {target for target, _ in links}
        for target, place in links:
            known = pages.get(target)
            if not target.exists():
                found.append(f"{path.name} links to {target}, which does not exist")
            elif place and known and place not in known.places:
                found.append(f"{path.name} links to #{place} of {target.name}, which has no such place")

    reached = front = {(folder / "index.html").resolve()}
    for _ in range(MOST_CLICKS):
        front = {target for path in front for target in leads_to.get(path, ())} & pages.keys()
        reached = reached | front
    found += [f"{path.name} is more than {MOST_CLICKS} clicks away" for path in pages if path not in reached]
    last = [path.name for path, page in pages.items() if not page.has_next]
    if len(last) > 1:
        found.append(f"more than one page has no next one: {', '.join(last)}")
    return found


def main() -> int:
    """Print what is wrong."""
    found = faults(Path(sys.argv[1]))
    print(*found, sep="\n", end="\n" if found else "")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
