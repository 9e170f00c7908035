"""A page of clones: two sources of each group side by side, with what they share marked."""

from __future__ import annotations

from html import escape
from pathlib import Path
from typing import Any

from hedgerow.data.converters.languages import language_of
from hedgerow.neighbors.shared_source import Spans, shared_spans

_MOST = 300  # groups that are shown with their sources

_STYLE = """
body { font: 15px/1.4 system-ui, sans-serif; margin: 2em auto; max-width: 110em; padding: 0 1em; }
section { border-top: 1px solid #8888; margin-top: 1.5em; }
.pair { display: grid; grid-template-columns: 1fr 1fr; gap: 1em; }
.pair > div { min-width: 0; }
pre { overflow-x: auto; background: #8881; padding: .7em; font: 13px/1.35 ui-monospace, monospace; }
mark { background: #9d95; color: inherit; }
.place { font-family: ui-monospace, monospace; }
@media (max-width: 60em) { .pair { grid-template-columns: 1fr; } }
"""


def clone_page(base: Any, groups: list[Any], options: dict[str, Any], kernel: str, similarity: float) -> str:
    """The whole page; nothing in it comes from elsewhere, and all that files say is escaped."""
    alike = sum(len(group.members) for group in groups)
    sections = [
        _section(number, group, base.units, options["language"])
        for number, group in enumerate(groups[:_MOST], 1)
    ]
    if len(groups) > _MOST:
        sections.append(f"<p>{len(groups) - _MOST} more groups are not shown.</p>")
    left_out = "".join(f"<li>{escape(sentence)}</li>" for sentence in base.left_out)
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width">\n'
        f"<title>Clones</title>\n<style>{_STYLE}</style>\n</head>\n<body>\n<h1>Clones</h1>\n"
        f"<p>{len(base.units)} functions in {base.n_files} files; {alike} are alike, in {len(groups)} groups. "
        f"Kernel {escape(kernel)}, similarity {similarity:g} or more. What both sources share is marked.</p>\n"
        + "\n".join(sections)
        + (f"\n<section><h2>Left out</h2><ul>{left_out}</ul></section>" if left_out else "")
        + "\n</body>\n</html>\n"
    )


def _section(number: int, group: Any, units: list[Any], language: str | None) -> str:
    first, second, value = group.example
    a, b = units[first], units[second]
    shown = {first, second}
    others = "".join(f"<li>{_place(units[i])}</li>" for i in group.members if i not in shown)
    texts = _marked(a, b, language)
    columns = "".join(
        f"<div><p>{_place(unit)}</p><pre>{text}</pre></div>" for unit, text in zip((a, b), texts, strict=True)
    )
    return (
        f'<section id="group-{number}"><h2>Group {number}: {len(group.members)} functions</h2>'
        f'<p>Similarity {value:.3f}</p><div class="pair">{columns}</div>'
        + (f"<p>Also in this group:</p><ul>{others}</ul>" if others else "")
        + "</section>"
    )


def _place(unit: Any) -> str:
    return f'<span class="place">{escape(str(unit))}</span> {escape(unit.name)}'


def _marked(a: Any, b: Any, language: str | None) -> tuple[str, str]:
    """Both sources as HTML."""
    try:
        contents = Path(a.path).read_bytes(), Path(b.path).read_bytes()
    except OSError as error:  # gone since it was parsed
        return escape(str(error)), escape(str(error))
    lines = (a.first_line, a.last_line), (b.first_line, b.last_line)
    named = language or language_of(a.path)
    same = named is not None and (language or language_of(b.path)) == named
    spans = shared_spans(named, contents, lines) if named is not None and same else ([], [])
    return _html(contents[0], lines[0], spans[0]), _html(contents[1], lines[1], spans[1])


def _html(content: bytes, lines: tuple[int, int], spans: Spans) -> str:
    """Some lines of a file, escaped, with marks."""
    starts = [0]
    for line in content.split(b"\n"):
        starts.append(starts[-1] + len(line) + 1)
    at, end = starts[lines[0] - 1], min(starts[min(lines[1], len(starts) - 1)], len(content))
    pieces = []
    for start, stop in spans:
        pieces += [_text(content[at:start]), "<mark>", _text(content[start:stop]), "</mark>"]
        at = stop
    return "".join([*pieces, _text(content[at:end])])


def _text(piece: bytes) -> str:
    return escape(piece.decode("utf-8", "replace"))
