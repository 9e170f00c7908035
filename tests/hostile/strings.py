"""Names and labels that try to be something else."""

from __future__ import annotations

SCRIPT = "document.title = 'hacked'"
HOSTILE = [
    f"<script>{SCRIPT}</script>",
    f"</script><script>{SCRIPT}</script>",
    f"</title></style></svg></text><script>{SCRIPT}</script>",
    f'"><img src=x onerror="{SCRIPT}">',
    f"' onmouseover='{SCRIPT}' x='",
    f"<svg/onload={SCRIPT.replace(' ', '')}>",
    f"javascript:{SCRIPT}",
    "<!--", "-->", "]]>", "<![CDATA[", "&lt;b&gt;", "&amp;", "&#x1b;", "{{ 7 * 7 }}", "{% raw %}",
    "a\x1b[31mred\x1b[0m", "\x00nul", "\x9b2J", "\x07\x08\x0b\x0c\x7f", "\u202egnp.exe", "\u2066\u2028\ufffe\uffff",
    "[red]markup[/red]", "[/nothing]", "[link=http://a.b]", "$x^2$", "$\\frac{", "%s %d {0} {name}", "\\x1b",
    "#000000", "_hidden", "x" * 500, "\N{DECIDUOUS TREE}\u200d\N{ROCKET}",
]  # fmt: skip
