"""Programming languages: the endings of their files, and what grammars of tree-sitter call things."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

_ENDINGS = {
    "bash": ".sh .bash",
    "c": ".c .h",
    "clojure": ".clj .cljs .cljc",
    "cpp": ".cpp .cc .cxx .c++ .hpp .hh .hxx .h++ .ino",
    "csharp": ".cs",
    "dart": ".dart",
    "elixir": ".ex .exs",
    "erlang": ".erl .hrl",
    "fortran": ".f90 .f95 .f03 .f08 .f .for",
    "go": ".go",
    "haskell": ".hs",
    "java": ".java",
    "javascript": ".js .mjs .cjs .jsx",
    "julia": ".jl",
    "kotlin": ".kt .kts",
    "lua": ".lua",
    "matlab": ".m",
    "objc": ".mm",
    "ocaml": ".ml",
    "pascal": ".pas",
    "perl": ".pl .pm",
    "php": ".php",
    "python": ".py .pyi",
    "r": ".r",
    "ruby": ".rb",
    "rust": ".rs",
    "scala": ".scala .sc",
    "sql": ".sql",
    "swift": ".swift",
    "typescript": ".ts .mts .cts",
    "tsx": ".tsx",
    "zig": ".zig",
}


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_OF_ENDING = {ending: name for name, endings in _ENDINGS.items() for ending in endings.split()}
ENDINGS = tuple(_OF_ENDING)

FUNCTIONS = _words(
    "function_definition function_declaration function_item function method_declaration method_definition method "
    "singleton_method constructor_declaration compact_constructor_declaration destructor_declaration "
    "generator_function_declaration local_function_statement init_declaration subroutine "
    "subroutine_declaration_statement function_statement"
)
CLASSES = _words(
    "class_definition class_declaration class_specifier class struct_specifier struct_item struct_declaration "
    "interface_declaration trait_item trait_definition impl_item object_definition record_declaration enum_declaration "
    "enum_item protocol_declaration module"
)
_NAMES = _words("variable_name constant name simple_identifier instance_variable word")
_LITERALS = _words("string number integer float char character regex raw_string template_string heredoc_body")


def language_of(path: str) -> str | None:
    """The language that a file's name speaks of, with or without .gz."""
    return _OF_ENDING.get(Path(path.removesuffix(".gz")).suffix.lower())


@cache
def parser_of(language: str) -> Any:
    """The parser of a language, by its name or by the ending of its files, such as ".py"."""
    try:
        import tree_sitter_language_pack as pack
    except ImportError:
        raise ImportError("from_source needs tree-sitter: pip install 'hedgerow[code]'") from None
    if not isinstance(language, str):
        raise TypeError(f"language must be a string such as 'java' or '.java', got {language!r}")
    name = _OF_ENDING.get(language.lower(), language.lower())
    try:
        return pack.get_parser(name)  # type: ignore[arg-type]  # which knows all names as literals
    except LookupError:
        known = ", ".join(sorted(_ENDINGS))
        raise ValueError(
            f"language must be one that tree-sitter-language-pack has, such as {known}, or the ending of a file, "
            f"got {language!r}"
        ) from None


def is_comment(kind: str) -> bool:
    return "comment" in kind


def is_identifier(kind: str) -> bool:
    return kind.endswith("identifier") or kind in _NAMES


def is_literal(kind: str) -> bool:
    return (
        kind in _LITERALS
        or (
            kind.endswith("_literal")
            and not kind.startswith(("compound", "initializer", "func", "struct", "composite"))
        )
        or kind.endswith(("_lit", "string_literal"))
    )
