"""Sections as HTML, by way of the template and the style beside this file."""

from __future__ import annotations

import re
from collections.abc import Sequence
from importlib.resources import files

import hedgerow
from hedgerow.report.blocks import Section
from hedgerow.report.evaluations import EVALUATION
from hedgerow.report.figures import inliner


def render(title: str, sections: Sequence[Section]) -> str:
    """The whole page. All texts are escaped; only drawings go in as they are."""
    from jinja2 import Environment, StrictUndefined
    from markupsafe import Markup

    folder = files("hedgerow.report")
    environment = Environment(
        autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    inline = inliner()
    environment.filters["inline"] = lambda svg: Markup(inline(svg))
    template = environment.from_string(folder.joinpath("page.html.jinja").read_text(encoding="utf-8"))
    return template.render(
        title=title,
        style=Markup(folder.joinpath("page.css").read_text(encoding="utf-8")),
        sections=list(zip(_anchors(sections), sections, strict=True)),
        highlights=[highlight for section in _by_weight(sections) for highlight in section.highlights],
        version=hedgerow.__version__,
    )


def _by_weight(sections: Sequence[Section]) -> list[Section]:
    """How well something does comes before how large it is."""
    return sorted(sections, key=lambda section: section.kicker != EVALUATION)


def _anchors(sections: Sequence[Section]) -> list[str]:
    """What links within the page call the sections."""
    words = [re.sub(r"\W+", "-", section.title.lower()).strip("-") for section in sections]
    return [f"section-{number}-{word}" for number, word in enumerate(words, start=1)]
