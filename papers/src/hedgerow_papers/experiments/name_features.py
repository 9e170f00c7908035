"""What tells names from other words: the word, its spelling, and the spelling of its neighbours."""

from __future__ import annotations

from collections.abc import Sequence

WINDOW = (-1, 0, 1)
SUFFIXES = (1, 2, 3)


def name_features(words: Sequence[str]) -> list[list[str]]:
    """Features of every word of a sentence, as in the experiments of Altun, Tsochantaridis and Hofmann (2003).

    >>> name_features(["Sao", "Paulo"])[0]
    ['word=Sao', '0:capital', '0:-o', '0:-ao', '0:-sao', '1:capital', '1:-o', '1:-lo', '1:-ulo', 'first']
    """
    around = [_spelling(word) for word in words]
    features = []
    for t, word in enumerate(words):
        found = [f"word={word}"]
        for offset in WINDOW:
            if 0 <= t + offset < len(words):
                found += [f"{offset}:{feature}" for feature in around[t + offset]]
        if t == 0:
            found.append("first")
        if t == len(words) - 1:
            found.append("last")
        features.append(found)
    return features


def _spelling(word: str) -> list[str]:
    found = []
    if word[0].isupper():
        found.append("capital")
    if len(word) > 1 and word.isupper():
        found.append("capitals")
    if any(letter.isdigit() for letter in word):
        found.append("digits" if word.isdigit() else "some digits")
    if not any(letter.isalnum() for letter in word):
        found.append("signs")
    found += [f"-{word[-n:].lower()}" for n in SUFFIXES if len(word) >= n]
    return found
