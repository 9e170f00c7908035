"""Trees from XML.

Expat, the parser below ``xml.etree``, calls back for every element, so a document of any depth needs no
recursion and no second tree. Documents that declare entities are refused: a few lines of them can unfold to
gigabytes. Nothing outside of the document is ever opened.
"""

from __future__ import annotations

from typing import Any
from xml.parsers import expat

from hedgerow.data.converters.markup import ElementWriter
from hedgerow.data.converters.postorder import PostorderBuilder
from hedgerow.data.errors import FormatError


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
