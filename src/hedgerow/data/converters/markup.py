"""Trees from XML, and what HTML shares with it: elements, attributes and text as nodes, built while the text is read.

Expat, the parser below ``xml.etree``, calls back for every element, so a document of any depth needs no
recursion and no second tree. Documents that declare entities are refused: a few lines of them can unfold to
gigabytes. Nothing outside of the document is ever opened.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any
from xml.parsers import expat

from hedgerow.data.converters.postorder import PostorderBuilder
from hedgerow.data.errors import FormatError


class ElementWriter:
    """Turns starts and ends of elements into nodes in post-order.

    An attribute is a node ``@name`` above the words of its value; text is a leaf for every word.
    """

    def __init__(self, builder: PostorderBuilder, *, attributes: bool, text: bool) -> None:
        self._builder = builder
        self._with_attributes, self._with_text = attributes, text
        self.open: list[str] = []  # names of the elements under way
        self._children = [0]  # number of children so far of each of them, and of the document

    def start(self, name: str, attributes: Iterable[tuple[str, str | None]]) -> None:
        self.open.append(name)
        self._children.append(0)
        self.attributes(attributes)

    def attributes(self, attributes: Iterable[tuple[str, str | None]]) -> None:
        """Add attributes to the element under way."""
        if not self._with_attributes:
            return
        for key, value in attributes:
            words = (value or "").split()
            for word in words:
                self._builder.node(word)
            self._builder.node(f"@{key}", len(words))
            self._children[-1] += 1

    def words(self, text: str) -> None:
        if self._with_text:
            for word in text.split():
                self._builder.node(word)
                self._children[-1] += 1

    def end(self) -> None:
        self._builder.node(self.open.pop(), self._children.pop())
        self._children[-1] += 1


def add_xml(builder: PostorderBuilder, document: str | bytes, *, attributes: bool, text: bool) -> None:
    if not isinstance(document, str | bytes):
        raise TypeError(f"expected an XML document as str or bytes, got {type(document).__name__}")
    writer = ElementWriter(builder, attributes=attributes, text=text)
    parser = expat.ParserCreate()
    parser.buffer_text = True  # one call for all text between two tags
    parser.ordered_attributes = True

    def start(name: str, attributes: list[str]) -> None:
        writer.start(name, zip(attributes[::2], attributes[1::2], strict=True))

    def refuse_entity(name: str, *_: Any) -> None:
        raise FormatError(
            f"the document declares the entity {name!r}; such declarations are refused, because they can "
            "unfold to any size",
            line=parser.CurrentLineNumber,
            column=parser.CurrentColumnNumber + 1,
        )

    parser.StartElementHandler = start
    parser.EndElementHandler = lambda name: writer.end()
    parser.CharacterDataHandler = writer.words
    parser.EntityDeclHandler = refuse_entity
    # With an external DTD, which is not opened, entities may be unknown without being an error.
    parser.SkippedEntityHandler = lambda name, is_parameter: (
        None if is_parameter else writer.words(f"&{name};")
    )
    try:
        parser.Parse(document, True)
    except expat.ExpatError as error:
        raise FormatError(
            f"not XML: {expat.ErrorString(error.code)}", line=error.lineno, column=error.offset + 1
        ) from None
    except UnicodeEncodeError as error:
        raise FormatError(f"not XML: {error}") from None
