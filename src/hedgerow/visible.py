"""Control characters made visible, so that names and labels of others cannot tell a terminal what to do."""

from __future__ import annotations

import re

# Control characters, those that turn the direction of writing or end lines, non-characters, and halves of one,
# such as bytes of file names that are not UTF-8.
_UNSEEN = re.compile(
    "[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff\ufffe\uffff]"
)


def visible(text: str, *, lines: bool = False) -> str:
    r"""The text with invisible characters escaped; ``lines`` keeps tabs and line ends.

    Examples
    --------
    >>> from hedgerow.visible import visible
    >>> print(visible("\x1b[2Ja\u202eb\n"))
    \x1b[2Ja\u202eb\n
    """

    def escaped(found: re.Match[str]) -> str:
        letter = found[0]
        if lines and letter in "\t\n":
            return letter
        # As JSON has it too: beyond ASCII, which json.dumps escapes itself, only this form reads back.
        return f"\\u{ord(letter):04x}" if letter > "~" else letter.encode("unicode_escape").decode()

    return _UNSEEN.sub(escaped, text)


def blotted(text: str) -> str:
    """The text with a replacement character for each that is not seen, where there is no room for escapes."""
    return _UNSEEN.sub("\N{REPLACEMENT CHARACTER}", text)
