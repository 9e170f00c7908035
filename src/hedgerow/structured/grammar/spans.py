"""What a node spans: templates over the borders, the length and the shape of spans, in words.

A template is made of parts with ``+`` between them, and each part is a place with a form of the token there: ``first``
and ``last`` of a span, ``before`` and ``after`` it, as ``tag``, ``word``, ``ending`` or ``shape``; ``inside:tag`` are
the tags of all tokens of a short span, and ``length`` is how many there are. The native ``span_features.hpp`` looks at
spans, here tokens become numbers and numbers words again.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal, TypeAlias

import numpy as np

from hedgerow import _core
from hedgerow.checks import as_list
from hedgerow.kernels.base import Matrix
from hedgerow.models.stored import stored, stored_texts
from hedgerow.structured.grammar.rules import RuleBook, packed
from hedgerow.structured.grammar.sentences import Sentence
from hedgerow.structured.grammar.words import WordKinds, signatures

SpanTemplates: TypeAlias = Literal["auto"] | Sequence[str] | None

BEGIN, END, LENGTH, INSIDE = range(4)
PLACES = {"before": (BEGIN, -1), "first": (BEGIN, 0), "last": (END, -1), "after": (END, 0)}
FORMS = ("tag", "word", "ending", "shape")
MOST_INSIDE = 5  # tokens of spans whose tokens all count
UNKNOWN, BEYOND = -1, -2  # as native code has them
LENGTHS = ("1", "2", "3", "4", "5", "6-7", "8-10", "11-15", "16-20", "21-30", "over 30")
BORDERS = ("first", "last", "before", "after")
PAIRS = (("first", "last"), ("before", "first"), ("last", "after"), ("before", "after"))
AUTO = (
    "length",
    *(f"{place}:tag" for place in BORDERS),
    *(f"{a}:tag+{b}:tag" for a, b in PAIRS),
    "first:tag+length",
    "last:tag+length",
    "inside:tag",
    *(f"{place}:word" for place in BORDERS),
    *(f"{place}:ending" for place in BORDERS),
    "first:word+last:word",
    "inside:shape",
)


def check_templates(value: Any) -> tuple[str, ...]:
    """The templates that a parameter asks for."""
    if value is None:
        return ()
    if isinstance(value, str):
        if value != "auto":
            raise ValueError(f"span_features must be 'auto', a list of templates or None, got {value!r}")
        return AUTO
    templates = tuple(as_list("span_features", value, "'auto', a list of templates or None"))
    for template in templates:
        _parts(template)
    return templates


def _parts(template: str) -> list[tuple[str, str]]:
    """Places and forms of a template."""
    parts = []
    for part in template.split("+") if isinstance(template, str) else [""]:
        place, _, form = part.partition(":")
        if part != "length" and (place not in (*PLACES, "inside") or form not in FORMS):
            raise ValueError(
                f"span_features has the template {template!r}, whose parts must be 'length', or one of "
                f"{', '.join(PLACES)} and inside with one of {', '.join(FORMS)}, as in 'first:tag+length'"
            )
        parts.append((place, form))
    return parts


def _length_inside(parts: list[tuple[str, str]], n_values: int) -> int:
    """How many tokens a span has of which a template with so many values saw all; 0 where it saw none of them all."""
    inside = sum(place == "inside" for place, _ in parts)
    length, rest = divmod(n_values - (len(parts) - inside), inside or 1)
    if rest or not (1 <= length <= MOST_INSIDE if inside else length == 0):
        raise ValueError("spans have values that do not fit their templates")
    return length


def _forms_seen(parts: list[tuple[str, str]], n_values: int) -> list[str]:
    """The forms of all values of a template, one after the other."""
    inside = _length_inside(parts, n_values)
    return [form for place, form in parts for _ in range(inside if place == "inside" else 1)]


class SpanBook:
    """Numbers of the forms of tokens, and the native features of nodes over spans."""

    def __init__(self, templates: Sequence[str], by_tags: bool, kinds: WordKinds) -> None:
        self.templates = list(templates)
        self.by_tags = by_tags
        # Words are known as the grammar knows them, if it does; else every one by itself.
        self.kinds = WordKinds(None) if by_tags else kinds
        used = {form for template in templates for _, form in _parts(template)}
        self.forms = [form for form in FORMS if form in used]
        self.numbers: dict[str, dict[str, int]] = {form: {} for form in self.forms if form != "word"}
        self.tags: dict[int, str] = {}  # of kinds of words, the most frequent one
        self.native = self._new_native()

    def _new_native(self) -> _core.SpanFeatures:
        parts, begin = packed([self._native_parts(template) for template in self.templates])
        return _core.SpanFeatures(parts, begin, len(self.forms))

    def _native_parts(self, template: str) -> list[int]:
        found: list[int] = []
        for place, form in _parts(template):
            if place == "length":
                found += [LENGTH, 0, 0]
            else:
                found += [*PLACES.get(place, (INSIDE, MOST_INSIDE)), self.forms.index(form)]
        return found

    # -- tokens ---------------------------------------------------------------------------------------------

    def learn_tags(self, counts: Mapping[tuple[int, str], int]) -> None:
        """Know how often kinds of words have a tag; what is known of a kind does not change any more."""
        for (kind, tag), _ in sorted(counts.items(), key=lambda item: -item[1]):
            self.tags.setdefault(kind, tag)

    def read(self, sentences: Iterable[Sentence], grow: bool) -> Matrix:
        """The numbers of all forms of all tokens, one after the other."""
        known: dict[tuple[str, str], list[int]] = {}
        found: list[int] = []
        for sentence in sentences:
            wordless = self.by_tags and sentence.words is sentence.tokens
            for token, word in zip(sentence.tokens, sentence.words, strict=True):
                key = (token, "" if wordless else word)
                if key not in known:
                    known[key] = [self._number(form, *key, grow) for form in self.forms]
                found += known[key]
        return np.array(found, np.int32)

    def _number(self, form: str, token: str, word: str, grow: bool) -> int:
        if form == "tag":
            text = token if self.by_tags else self.tags.get(self.kinds[token])
        elif not word:
            return UNKNOWN
        elif form == "word":
            return self.kinds.add(word) if grow and self.by_tags else self.kinds[word]
        else:
            text = signatures(word)[0] if form == "ending" else shape_of(word)
        if text is None:
            return UNKNOWN
        numbers = self.numbers[form]
        return numbers.setdefault(text, len(numbers)) if grow else numbers.get(text, UNKNOWN)

    def tables(self) -> list[dict[Any, Any]]:
        """All that grows by what is met, and only by that; without the words of the grammar."""
        return [*self.numbers.values(), self.tags, *([self.kinds.numbers] if self.by_tags else [])]

    # -- names ----------------------------------------------------------------------------------------------

    def names(self, classes: Sequence[str]) -> dict[int, str]:
        """What features are called."""
        templates, values, begin, attributes, of_pairs, features = (
            array.tolist() for array in self.native.state()
        )
        texts = {form: list(numbers) for form, numbers in self.numbers.items()} | {"": list(LENGTHS)}
        if "word" in self.forms:
            texts["word"] = [
                kind if not kind.startswith(" ") else f"<{kind.strip()}>" for kind in self.kinds.numbers
            ]
        names = [
            self._named(self.templates[template], values[begin[k] : begin[k + 1]], texts)
            for k, template in enumerate(templates)
        ]
        return {
            feature: f"{classes[number]} over {names[attribute]}"
            for attribute, number, feature in zip(attributes, of_pairs, features, strict=True)
        }

    def _named(self, template: str, values: list[int], texts: Mapping[str, list[str]]) -> str:
        parts = _parts(template)
        inside = _length_inside(parts, len(values))
        named = []
        for place, form in parts:
            many = inside if place == "inside" else 1
            seen = [texts[form][value].strip() if value >= 0 else "<none>" for value in values[:many]]
            del values[:many]
            named.append(" ".join([place, *([form] if form else []), *seen]))
        return ", ".join(named)

    # -- copies ---------------------------------------------------------------------------------------------

    def to_state(self, new_numbers: Matrix) -> tuple[dict[str, Any], dict[str, Matrix]]:
        """A description for JSON, and arrays, where features have these numbers; those with -1 are left out."""
        arrays = dict(zip(ARRAYS, self.native.state(), strict=True))
        return {
            "templates": self.templates,
            "forms": {form: list(numbers) for form, numbers in self.numbers.items()},
            "words": list(self.kinds.numbers) if self.by_tags else [],
            "tags": [[kind, tag] for kind, tag in self.tags.items()],
        }, _renumbered(arrays, new_numbers)

    def from_state(self, description: dict[str, Any], arrays: dict[str, Matrix], book: RuleBook) -> None:
        """Take up what another one had learned, with these rules."""
        for form in self.numbers:
            texts = stored_texts(description["forms"], form)
            self.numbers[form] = {text: k for k, text in enumerate(texts)}
            if len(self.numbers[form]) != len(texts):
                raise ValueError(f"forms of tokens, such as {form}s, must be there once each")
        if self.by_tags:
            self.kinds.numbers = {kind: k for k, kind in enumerate(stored_texts(description, "words"))}
        self.tags = {_whole(kind): _text(tag) for kind, tag in description["tags"]}
        kinds = {"value_begin": np.int64}
        self.native.assign(*(stored(arrays, name, kinds.get(name, np.int32), None) for name in ARRAYS))
        if self.native.n_features > book.n_features:
            raise ValueError("spans must have features below n_features")
        if arrays["classes"].max(initial=-1) >= len(node_classes(book)[1]):
            raise ValueError("spans have classes that no symbol has")
        self._check_values(arrays)

    def _check_values(self, arrays: dict[str, Matrix]) -> None:
        """What templates saw must be something that is known."""
        sizes = {form: len(numbers) for form, numbers in self.numbers.items()}
        sizes |= {"word": len(self.kinds.numbers), "": len(LENGTHS)}
        begin, values = arrays["value_begin"], arrays["values"]
        lengths = np.diff(begin)
        for number, template in enumerate(self.templates):
            own = np.flatnonzero(arrays["templates"] == number)
            for length in np.unique(lengths[own]).tolist():
                forms = _forms_seen(_parts(template), length)
                places = begin[own[lengths[own] == length]]
                for k, form in enumerate(forms):
                    seen = values[places + k]
                    lowest = BEYOND if form else 0
                    if seen.min() < lowest or seen.max() >= sizes[form] or (seen == UNKNOWN).any():
                        raise ValueError("spans have values that no token has")

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "native": self.native.state()}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self.native = self._new_native()
        self.native.assign(*state["native"])


ARRAYS = ("templates", "values", "value_begin", "attributes", "classes", "features")


def _renumbered(arrays: dict[str, Matrix], numbers: Matrix) -> dict[str, Matrix]:
    """Pairs whose features are left, with their new numbers, and the attributes that are in them."""
    features = numbers[arrays["features"]]
    left = features >= 0
    attributes, places = np.unique(arrays["attributes"][left], return_inverse=True)
    begin = arrays["value_begin"]
    sizes = np.diff(begin)[attributes]
    new_begin = np.concatenate([[0], np.cumsum(sizes)])
    values = np.repeat(begin[attributes] - new_begin[:-1], sizes) + np.arange(new_begin[-1])
    return {
        "templates": arrays["templates"][attributes],
        "values": arrays["values"][values],
        "value_begin": new_begin,
        "attributes": places.astype(np.int32),
        "classes": arrays["classes"][left],
        "features": features[left].astype(np.int32),
    }


def node_classes(book: RuleBook) -> tuple[list[int], list[str]]:
    """Of every symbol the class of its spans, -1 for none, and what classes are called."""
    numbers: dict[str, int] = {}
    classes = []
    for symbol in book.symbols:
        if symbol.kind == "tag" and not book.lexical:
            classes.append(-1)
        else:
            name = f"{symbol.label}|" if symbol.kind == "marker" else symbol.label
            key = f"{symbol.kind} {name}"
            classes.append(numbers.setdefault(key, len(numbers)))
    return classes, [key.partition(" ")[2] for key in numbers]


def shape_of(word: str) -> str:
    """How a word is written; punctuation is its own shape.

    Examples
    --------
    >>> shape_of("Unhedged"), shape_of("1984"), shape_of("--")
    ('Capital', 'digits', '--')
    """
    return signatures(word)[1].strip() if any(c.isalnum() for c in word) else word


def _whole(value: Any) -> int:
    if type(value) is not int:
        raise ValueError("tags must be those of kinds of words")
    return value


def _text(value: Any) -> str:
    if type(value) is not str:
        raise ValueError("tags must be texts")
    return value
