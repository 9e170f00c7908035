"""The class methods of Forest that make trees of other things than bracketed text.

Labels that brackets cannot express are made safe on the way: white space becomes ``_``, brackets ``-LRB-``
and ``-RRB-``, an empty text ``-NONE-``. So every converted forest prints and reads back.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Any, Literal, Self, TypeAlias, TypedDict, Unpack, overload

from hedgerow import _core
from hedgerow.data import nltk_trees
from hedgerow.data.converters.conllu_sentences import from_conllu
from hedgerow.data.converters.html_documents import add_html
from hedgerow.data.converters.json_documents import add_json
from hedgerow.data.converters.markup import add_xml
from hedgerow.data.converters.postorder import convert_each
from hedgerow.data.converters.python_source import add_python
from hedgerow.data.converters.source_code import SourceUnit, TreeOptions, Unit, Words, from_source
from hedgerow.data.errors import Collect, Collected, FormatError, OnError, Raise, check_on_error

Texts: TypeAlias = Iterable[str | bytes]
Parses: TypeAlias = str | os.PathLike[str] | Iterable[Any]
Form: TypeAlias = Literal["grct", "lct"]


class CodeOptions(TypedDict, total=False):
    identifiers: bool
    constants: bool


class SourceOptions(TypedDict, total=False):
    unit: Unit
    tokens: bool
    identifiers: Words
    literals: Words
    fields: bool
    strict: bool
    n_jobs: int | None


class MarkupOptions(TypedDict, total=False):
    attributes: bool
    text: bool


class ParseOptions(TypedDict, total=False):
    prefixes: bool
    word: Literal["lemma", "form"]
    tag: Literal["xpos", "upos"]


class ForestSources:
    """What Forest inherits its converters from."""

    __slots__ = ()

    @classmethod
    def _wrap(cls, native: _core.Forest) -> Self:
        raise NotImplementedError

    @classmethod
    def _converted(
        cls, converted: tuple[_core.Forest, list[FormatError]], errors: OnError
    ) -> Self | Collected[Self]:
        native, problems = converted
        check_on_error(errors)
        if errors == "collect":
            return cls._wrap(native), problems
        if problems:
            raise problems[0]
        return cls._wrap(native)

    @classmethod
    def _of_each(
        cls, documents: Any, add: Callable[..., None], errors: OnError, **options: bool
    ) -> Self | Collected[Self]:
        """One tree for each document, which ``add`` gives to a builder."""
        name = f"Forest.from_{add.__name__.removeprefix('add_')}"
        if isinstance(documents, str | bytes):  # it would be read letter by letter
            raise TypeError(f"{name} takes a sequence of documents; write {name}([text]) for one")
        return cls._converted(convert_each(documents, partial(add, **options)), errors)

    @classmethod
    def from_nltk(cls, trees: Iterable[Any]) -> Self:
        """Trees from ``nltk.Tree`` objects, as they are; ``Forest(trees)`` takes them too.

        Examples
        --------
        >>> import nltk
        >>> from hedgerow import Forest
        >>> Forest.from_nltk([nltk.Tree("NP", ["dogs"])])[0]
        Tree('(NP dogs)')
        """
        if nltk_trees.is_nltk(trees):
            raise TypeError("Forest.from_nltk takes a sequence of trees; write Forest.from_nltk([tree])")
        items = list(trees)
        for number, item in enumerate(items):
            if not nltk_trees.is_nltk(item):
                raise TypeError(f"item {number} is a {type(item).__name__}, not an nltk.Tree")
        return cls._wrap(nltk_trees.from_nltk(items))

    @overload
    @classmethod
    def from_python(cls, sources: Texts, *, errors: Raise = ..., **options: Unpack[CodeOptions]) -> Self: ...
    @overload
    @classmethod
    def from_python(
        cls, sources: Texts, *, errors: Collect, **options: Unpack[CodeOptions]
    ) -> Collected[Self]: ...
    @classmethod
    def from_python(
        cls,
        sources: Texts,
        *,
        identifiers: bool = True,
        constants: bool = True,
        errors: OnError = "raise",
    ) -> Self | Collected[Self]:
        """Syntax trees of Python source code, one for each module, as the module ``ast`` parses it.

        A node has the name of its class, and its fields below it in order. A field with a list is a node with
        the field's name, so that the branches of an ``if`` stay apart; empty and absent fields are left out,
        and so is what only repeats what the tree shows, as whether a name is read or written.

        Parameters
        ----------
        sources : iterable of str or bytes
        identifiers : bool
            Names of variables, functions, attributes, arguments and modules as leaves. False leaves them out.
        constants : bool
            Constants as leaves, as ``repr`` writes them. False writes their types instead.
        errors : {"raise", "collect"}
            Stop at the first bad source, or leave bad ones out and return them as a list of `FormatError`,
            whose ``item`` is the number of the source.

        Examples
        --------
        >>> from hedgerow import Forest
        >>> code = ["total = price * 2"]
        >>> print(Forest.from_python(code)[0])
        (Module (body (Assign (targets (Name total)) (BinOp (Name price) Mult (Constant 2)))))
        >>> print(Forest.from_python(code, identifiers=False, constants=False)[0])
        (Module (body (Assign (targets Name) (BinOp Name Mult (Constant int)))))
        """
        return cls._of_each(sources, add_python, errors, identifiers=identifiers, constants=constants)

    @overload
    @classmethod
    def from_source(
        cls,
        sources: Texts,
        language: str | Sequence[str],
        *,
        return_units: Literal[False] = ...,
        **options: Unpack[SourceOptions],
    ) -> Self: ...
    @overload
    @classmethod
    def from_source(
        cls,
        sources: Texts,
        language: str | Sequence[str],
        *,
        return_units: Literal[True],
        **options: Unpack[SourceOptions],
    ) -> tuple[Self, list[SourceUnit]]: ...
    @classmethod
    def from_source(
        cls,
        sources: Texts,
        language: str | Sequence[str],
        *,
        unit: Unit = "file",
        tokens: bool = True,
        identifiers: Words = "keep",
        literals: Words = "keep",
        fields: bool = False,
        strict: bool = False,
        return_units: bool = False,
        n_jobs: int | None = None,
    ) -> Self | tuple[Self, list[SourceUnit]]:
        """Syntax trees of source code in any language, as tree-sitter parses it. Needs the ``code`` extra.

        A node has the name of its kind in the grammar; names, numbers and strings stand below their kind. Comments
        are left out. Code with syntax errors gives a tree too, with nodes ``ERROR``.

        Parameters
        ----------
        sources : iterable of str or bytes
        language : str or sequence of str
            A name such as "java", or the ending of its files, ".java"; one for all sources, or one for each.
        unit : {"file", "function", "class"}
            What becomes a tree: a whole source, or every function or class of it. Functions inside of functions, and
            classes inside of classes, are not cut out.
        tokens : bool
            Keywords, operators and punctuation as leaves. False leaves them out.
        identifiers : {"keep", "kind", "drop"}
            Names: as they stand, by their kind alone, or not at all.
        literals : {"keep", "kind", "drop"}
            Numbers and strings, in the same way.
        fields : bool
            A node for the part that a child plays, such as ``left`` or ``condition``, above the child.
        strict : bool
            Refuse code with syntax errors, with a `FormatError` that names the first.
        return_units : bool
            Also return where each tree comes from: its source, its name, its lines and its syntax errors.
        n_jobs : int or None
            Processes that parse large amounts of code at the same time. None means one per core.

        Returns
        -------
        forest : Forest
        units : list of SourceUnit
            With ``return_units``.

        Examples
        --------
        >>> from hedgerow import Forest
        >>> print(Forest.from_source(["total = 2 * price"], "python", tokens=False)[0])
        (module (assignment (identifier total) (binary_operator (integer 2) (identifier price))))
        >>> code = ["int twice(int x) { return 2 * x; }"]
        >>> Forest.from_source(code, ".c", unit="function", return_units=True)[1]
        [SourceUnit(source=0, name='twice', first_line=1, last_line=1, syntax_errors=0)]
        """
        if isinstance(sources, str | bytes):
            raise TypeError(
                "Forest.from_source takes a sequence of sources; write Forest.from_source([text], ...)"
            )
        forest, units, problems = cls._from_source(
            sources,
            language,
            unit=unit,
            tokens=tokens,
            identifiers=identifiers,
            literals=literals,
            fields=fields,
            strict=strict,
            n_jobs=n_jobs,
        )
        if problems:
            raise problems[0]
        return (forest, units) if return_units else forest

    @classmethod
    def _from_source(
        cls,
        sources: Texts,
        language: str | Sequence[str],
        *,
        strict: bool = False,
        n_jobs: int | None = None,
        **options: Any,
    ) -> tuple[Self, list[SourceUnit], list[FormatError]]:
        """The trees that can be had, where they come from, and what is wrong with the others."""
        found = from_source(list(sources), language, TreeOptions(**options), strict=strict, n_jobs=n_jobs)
        return cls._wrap(found.forest), found.units, found.problems

    @overload
    @classmethod
    def from_json(cls, documents: Iterable[Any], *, sort_keys: bool = ..., errors: Raise = ...) -> Self: ...
    @overload
    @classmethod
    def from_json(
        cls, documents: Iterable[Any], *, sort_keys: bool = ..., errors: Collect
    ) -> Collected[Self]: ...
    @classmethod
    def from_json(
        cls, documents: Iterable[Any], *, sort_keys: bool = False, errors: OnError = "raise"
    ) -> Self | Collected[Self]:
        """Trees from JSON documents: texts, or what ``json.loads`` makes of them.

        An object is a node ``object`` with a node for every key, above the key's value; an array is a node
        ``array``; strings, numbers, true, false and null are leaves.

        Parameters
        ----------
        documents : iterable of str, bytes, dict, list, int, float, bool or None
            A str is the text of a document, not a decoded string.
        sort_keys : bool
            Sort the keys of objects, for data where their order means nothing.
        errors : {"raise", "collect"}
            As in `from_python`.

        Examples
        --------
        >>> from hedgerow import Forest
        >>> print(Forest.from_json(['{"name": "New York", "at": [40.7, -74]}'])[0])
        (object (name New_York) (at (array 40.7 -74)))
        """
        if isinstance(documents, Mapping):
            raise TypeError(
                "Forest.from_json takes a sequence of documents; write Forest.from_json([document])"
            )
        return cls._of_each(documents, add_json, errors, sort_keys=sort_keys)

    @overload
    @classmethod
    def from_xml(cls, documents: Texts, *, errors: Raise = ..., **options: Unpack[MarkupOptions]) -> Self: ...
    @overload
    @classmethod
    def from_xml(
        cls, documents: Texts, *, errors: Collect, **options: Unpack[MarkupOptions]
    ) -> Collected[Self]: ...
    @classmethod
    def from_xml(
        cls,
        documents: Texts,
        *,
        attributes: bool = True,
        text: bool = True,
        errors: OnError = "raise",
    ) -> Self | Collected[Self]:
        """Trees from XML documents: elements are nodes, named as they are written.

        Comments and processing instructions are left out. Documents that declare entities are errors, because
        such declarations can unfold to any size; nothing outside of a document is opened.

        Parameters
        ----------
        documents : iterable of str or bytes
        attributes : bool
            Attributes as nodes ``@name`` above the words of the value.
        text : bool
            Text as leaves, one for each word.
        errors : {"raise", "collect"}
            As in `from_python`.

        Examples
        --------
        >>> from hedgerow import Forest
        >>> print(Forest.from_xml(["<item id='7'><name>Blue chair</name><sold/></item>"])[0])
        (item (@id 7) (name Blue chair) sold)
        """
        return cls._of_each(documents, add_xml, errors, attributes=attributes, text=text)

    @overload
    @classmethod
    def from_html(
        cls, documents: Texts, *, errors: Raise = ..., **options: Unpack[MarkupOptions]
    ) -> Self: ...
    @overload
    @classmethod
    def from_html(
        cls, documents: Texts, *, errors: Collect, **options: Unpack[MarkupOptions]
    ) -> Collected[Self]: ...
    @classmethod
    def from_html(
        cls,
        documents: Texts,
        *,
        attributes: bool = True,
        text: bool = True,
        errors: OnError = "raise",
    ) -> Self | Collected[Self]:
        """Trees from HTML documents or pieces of them: as `from_xml`, but forgiving.

        Missing end tags are supplied and needless ones ignored, as browsers do in the simple cases. The root
        is always ``html``. The content of scripts and styles is left out.

        Parameters
        ----------
        documents : iterable of str or bytes
            bytes must be UTF-8.
        attributes : bool
            Attributes as nodes ``@name`` above the words of the value.
        text : bool
            Text as leaves, one for each word.
        errors : {"raise", "collect"}
            As in `from_python`.

        Examples
        --------
        >>> from hedgerow import Forest
        >>> print(Forest.from_html(["<ul class='a b'><li>one<li>two<br>more</ul>"])[0])
        (html (ul (@class a b) (li one) (li two br more)))
        """
        return cls._of_each(documents, add_html, errors, attributes=attributes, text=text)

    @overload
    @classmethod
    def from_conllu(
        cls, source: Parses, form: Form = ..., *, errors: Raise = ..., **options: Unpack[ParseOptions]
    ) -> Self: ...
    @overload
    @classmethod
    def from_conllu(
        cls, source: Parses, form: Form = ..., *, errors: Collect, **options: Unpack[ParseOptions]
    ) -> Collected[Self]: ...
    @classmethod
    def from_conllu(
        cls,
        source: Parses,
        form: Form = "grct",
        *,
        prefixes: bool = True,
        word: Literal["lemma", "form"] = "lemma",
        tag: Literal["xpos", "upos"] = "xpos",
        errors: OnError = "raise",
    ) -> Self | Collected[Self]:
        """Trees from dependency parses in CoNLL-U, one for each sentence. Needs the ``nlp`` extra.

        Parameters
        ----------
        source : path, text with line breaks, or iterable of conllu.TokenList
            "-" is standard input.
        form : {"grct", "lct"}
            Centred on grammatical relations: ``(root (nsubj (NNP mary)) (VBZ sing))``, or on words:
            ``(sing (mary NNP nsubj) VBZ root)``.
        prefixes : bool
            Mark labels as KeLP does: ``SYNT##nsubj``, ``POS##NNP`` and ``LEX##mary::n``, a word with the
            first letter of its part of speech.
        word : {"lemma", "form"}
            Lower-case lemmas, or words as they stand; where there is no lemma, the word.
        tag : {"xpos", "upos"}
            The column of the part of speech; where it is empty, the other one.
        errors : {"raise", "collect"}
            As in `from_python`; ``item`` is the number of the sentence.

        Examples
        --------
        >>> from hedgerow import Forest
        >>> lines = ["1 Mary Mary PROPN NNP _ 2 nsubj _ _", "2 sings sing VERB VBZ _ 0 root _ _"]
        >>> text = "\\n".join(lines).replace(" ", "\\t")
        >>> print(Forest.from_conllu(text)[0])
        (SYNT##root (SYNT##nsubj (POS##NNP LEX##mary::n)) (POS##VBZ LEX##sing::v))
        >>> print(Forest.from_conllu(text, form="lct", prefixes=False)[0])
        (sing (mary NNP nsubj) VBZ root)
        """
        converted = from_conllu(source, form=form, prefixes=prefixes, word=word, tag=tag)
        return cls._converted(converted, errors)
