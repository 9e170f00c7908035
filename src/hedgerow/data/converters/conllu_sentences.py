"""Trees from dependency parses in CoNLL-U.

Two shapes are common in work with tree kernels (Croce, Moschitti and Basili 2011, and KeLP's files). For
"Mary sings", where "Mary" is the subject:

- grct, centred on grammatical relations: ``(root (nsubj (NNP mary)) (VBZ sing))``. A word is its relation,
  with its dependents and its part of speech below in the order of words;
- lct, centred on words: ``(sing (mary NNP nsubj) VBZ root)``. A word has its dependents below, then its part
  of speech and its relation.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Literal, NamedTuple

from hedgerow import _core
from hedgerow.data.converters.postorder import PostorderBuilder, convert_each
from hedgerow.data.errors import FormatError
from hedgerow.data.files import read_text


class _Sentence(NamedTuple):
    lines: list[str]
    first_line: int


class _Leaf(NamedTuple):
    label: str
    below: str | None = None


class _Word(NamedTuple):
    lexical: str
    tag: str
    relation: str
    head: int
    line: int | None


def from_conllu(
    source: str | os.PathLike[str] | Iterable[Any],
    *,
    form: Literal["grct", "lct"] = "grct",
    prefixes: bool = True,
    word: Literal["lemma", "form"] = "lemma",
    tag: Literal["xpos", "upos"] = "xpos",
) -> tuple[_core.Forest, list[FormatError]]:
    for name, value, accepted in (
        ("form", form, ("grct", "lct")),
        ("word", word, ("lemma", "form")),
        ("tag", tag, ("xpos", "upos")),
    ):
        if value not in accepted:
            raise ValueError(f"{name} must be {accepted[0]!r} or {accepted[1]!r}, got {value!r}")
    try:
        from conllu import parser
    except ImportError:
        raise ImportError("from_conllu needs conllu: pip install 'hedgerow[nlp]'") from None

    def add(builder: PostorderBuilder, sentence: Any) -> None:
        lines: list[int | None] = [None] * len(sentence)
        if isinstance(sentence, _Sentence):
            sentence, lines = _parse(parser, sentence)
        words = {
            token["id"]: _word(token, line, prefixes, word, tag)
            for token, line in zip(sentence, lines, strict=True)
            if isinstance(token["id"], int)  # not 3-4 (two words written as one) nor 5.1 (an unwritten word)
        }
        _add_tree(builder, words, form)

    path, sentences = _sentences(source)
    native, problems = convert_each(sentences, add)
    return native, [
        FormatError(e.message, path=path, line=e.line, column=e.column, item=e.item) for e in problems
    ]


def _sentences(source: Any) -> tuple[str | None, Iterable[Any]]:
    """The sentences, and the name of their file. A str without a line break is a path."""
    if isinstance(source, str) and ("\n" in source or not source):
        return None, _split(source)
    if isinstance(source, str | os.PathLike):
        return os.fspath(source), _split(read_text(source))
    return None, source


def _split(text: str) -> Iterator[_Sentence]:
    lines: list[str] = []
    for number, line in enumerate([*text.removeprefix("\ufeff").split("\n"), ""], 1):
        if line.strip():
            lines.append(line.rstrip("\r"))
            continue
        if any(not kept.startswith("#") for kept in lines):
            yield _Sentence(lines, number - len(lines))
        lines = []


def _parse(parser: Any, sentence: _Sentence) -> tuple[Sequence[Any], list[int | None]]:
    """The tokens of a sentence with their lines."""
    numbered = [
        (line, number) for number, line in enumerate(sentence.lines, sentence.first_line) if line[0] != "#"
    ]
    tokens = []
    for line, number in numbered:
        try:
            token = parser.parse_line(line, parser.DEFAULT_FIELDS)
        except parser.ParseException as error:
            raise FormatError(f"not CoNLL-U: {error}", line=number) from None
        if "deprel" not in token:
            raise FormatError(f"expected 10 tab-separated fields, found {len(token)}", line=number)
        tokens.append(token)
    return tokens, [number for _, number in numbered]


def _word(token: Any, line: int | None, prefixes: bool, word: str, tag: str) -> _Word:
    text = token[word] if token[word] not in (None, "_") else token["form"]
    other = "upos" if tag == "xpos" else "xpos"
    part = next((token[name] for name in (tag, other) if token[name] not in (None, "_")), "_")
    relation = token["deprel"] or "_"
    head = token["head"]
    if not isinstance(head, int):
        raise FormatError(f"word {token['id']} has no head", line=line)
    if word == "lemma":
        text = text.lower()
    if prefixes:
        return _Word(f"LEX##{text}::{part[0].lower()}", f"POS##{part}", f"SYNT##{relation}", head, line)
    return _Word(text, part, relation, head, line)


def _add_tree(builder: PostorderBuilder, words: dict[int, _Word], form: str) -> None:
    dependents: dict[int, list[int]] = {number: [] for number in words}
    roots = []
    for number, word in words.items():
        if word.head == 0:
            roots.append(number)
        elif word.head in dependents:
            dependents[word.head].append(number)
        else:
            raise FormatError(
                f"word {number} depends on word {word.head}, which is not there", line=word.line
            )
    if len(roots) != 1:
        line = words[roots[1]].line if roots else next((word.line for word in words.values()), None)
        raise FormatError(f"a sentence needs one root (a word with head 0), found {len(roots)}", line=line)

    reached = 0

    def describe(node: int | _Leaf) -> tuple[str, list[int | _Leaf]]:
        nonlocal reached
        if isinstance(node, _Leaf):
            return node.label, [] if node.below is None else [_Leaf(node.below)]
        reached += 1
        word, below = words[node], dependents[node]
        if form == "lct":
            return word.lexical, [*below, _Leaf(word.tag), _Leaf(word.relation)]
        before = [number for number in below if number < node]
        after = [number for number in below if number > node]
        return word.relation, [*before, _Leaf(word.tag, word.lexical), *after]

    root: int | _Leaf = roots[0]
    builder.walk(root, describe)
    if reached < len(words):
        raise FormatError(
            "the words do not form a tree: some depend on each other in a circle",
            line=next((word.line for word in words.values()), None),
        )
