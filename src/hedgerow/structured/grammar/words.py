"""Kinds of words: what a grammar knows of a word.

Parts of speech as input are their own kinds. Words that are frequent enough in training are, too. Of others, in
training as later, only a signature is known: how they are written and how they end; signatures that are rare
themselves are shortened to the shape, and then to nothing.
"""

from __future__ import annotations

from collections import Counter

UNKNOWN = ""


def signatures(word: str) -> tuple[str, str, str]:
    """From the most to the least telling one; no word has white space, as these do.

    Examples
    --------
    >>> signatures("Unhedged")
    (' Capital ged', ' Capital', '')
    >>> signatures("1984")
    (' digits', ' digits', '')
    """
    letters = any(c.isalpha() for c in word)
    parts = []
    if letters and word.isupper() and len(word) > 1:
        parts.append("CAPITALS")
    elif word[:1].isupper():
        parts.append("Capital")
    elif letters:
        parts.append("small")
    if any(c.isdigit() for c in word):
        parts.append("digits")
    if "-" in word[1:-1]:
        parts.append("hyphen")
    shape = " " + "-".join(parts or ["symbol"])
    ending = "".join(c for c in word[-3:].lower() if c.isalpha())
    return (f"{shape} {ending}" if ending and len(word) > 3 else shape), shape, UNKNOWN


class WordKinds:
    """Numbers of kinds of words.

    Words that occur less than ``min_count`` times in training are unknown; None knows every one by itself, and no
    other.
    """

    def __init__(self, min_count: int | None):
        self.min_count = min_count
        self.numbers: dict[str, int] = {}

    def learn(self, counts: Counter[str]) -> None:
        """Know how often words occur in training; they come in the order in which they are met."""
        if self.min_count is None:
            kinds = list(counts)
        else:
            kinds = [word for word, count in counts.items() if count >= self.min_count]
            rare = {word: count for word, count in counts.items() if count < self.min_count}
            for level in range(3):
                found: Counter[str] = Counter()
                for word, count in rare.items():
                    found[signatures(word)[level]] += count
                common = [s for s, count in found.items() if count >= self.min_count]
                kinds += common
                rare = {w: count for w, count in rare.items() if signatures(w)[level] not in common}
            kinds.append(UNKNOWN)
        for kind in kinds:
            self.numbers.setdefault(kind, len(self.numbers))

    def __getitem__(self, word: str) -> int:
        """The number of a word's kind; -1 for an unknown part of speech."""
        if word in self.numbers or self.min_count is None:
            return self.numbers.get(word, -1)
        return next((self.numbers[s] for s in signatures(word) if s in self.numbers), -1)

    def add(self, word: str) -> int:
        """The number of a word's kind, a new one if needed."""
        number = self[word]
        return number if number >= 0 else self.numbers.setdefault(word, len(self.numbers))
