"""What XML and HTML share: elements, attributes and text as nodes, built while the text is read."""

from __future__ import annotations

from collections.abc import Iterable

from hedgerow.data.converters.postorder import PostorderBuilder


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
