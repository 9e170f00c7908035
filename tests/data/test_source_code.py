"""Trees of source code: what becomes a node, units with their places, odd input, and many processes."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hedgerow import Forest, FormatError, get_limits, set_limits
from hedgerow.data.converters import source_code

JAVA = """class Shop {
  // the price
  int price(int n) { return 3 * n; }
  Shop() { name = "shop"; }
}
"""
DEEP = 10_000


def tree(code: str | bytes, language: str = "c", **options: object) -> str:
    (text,) = Forest.from_source([code], language, **options).to_brackets()
    assert Forest([text]).to_brackets() == [text]
    return text


def test_kinds_are_nodes_and_words_stand_below_theirs():
    assert tree("x = f(2) + y; // why") == (
        "(translation_unit (expression_statement (assignment_expression (identifier x) = (binary_expression "
        "(call_expression (identifier f) (argument_list -LRB- (number_literal 2) -RRB-)) + (identifier y))) ;))"
    )


@pytest.mark.parametrize(
    ("options", "statement"),
    [
        ({"tokens": False}, "(assignment_expression (identifier x) (number_literal 2))"),
        ({"tokens": False, "identifiers": "kind"}, "(assignment_expression identifier (number_literal 2))"),
        ({"tokens": False, "identifiers": "drop"}, "(assignment_expression (number_literal 2))"),
        ({"literals": "kind"}, "(assignment_expression (identifier x) = number_literal)"),
        ({"literals": "drop"}, "(assignment_expression (identifier x) =)"),
        (
            {"tokens": False, "fields": True},
            "(assignment_expression (left (identifier x)) (right (number_literal 2)))",
        ),
    ],
)
def test_what_is_kept(options, statement):
    assert statement in tree("x = 2;", **options)


def test_strings_are_one_word():
    assert '(string "a_b-LRB-c-RRB-")' in tree('x = "a b(c)"', "python")


def test_languages_by_name_and_by_ending():
    by_name, by_ending = (Forest.from_source([JAVA], language) for language in ("java", ".JAVA"))
    assert by_name == by_ending
    mixed = Forest.from_source(["x = 1", "int x;"], ["python", "c"])
    assert [root.label for root in mixed] == ["module", "translation_unit"]
    with pytest.raises(ValueError, match="2 sources but 1 languages"):
        Forest.from_source(["x", "y"], ["python"])
    with pytest.raises(ValueError, match="got 'klingon'"):
        Forest.from_source(["x"], "klingon")


@pytest.mark.parametrize(
    ("language", "code", "functions", "classes"),
    [
        ("java", JAVA, ["price", "Shop"], ["Shop"]),
        ("python", "class A:\n  def f(self): pass\n@d\ndef g():\n  def inner(): pass\n", ["f", "g"], ["A"]),
        ("cpp", "int A::f() { return 0; }\nstruct B { int g() { return 1; } };", ["f", "g"], ["B"]),
        ("c", "int *f(int x) { return 0; }", ["f"], []),
        ("javascript", "function f() {}\nclass B { m() {} }", ["f", "m"], ["B"]),
        ("typescript", "class A { f(x: number) { return 1 } }", ["f"], ["A"]),
        ("rust", "fn f() {}\nstruct S;\nimpl S { fn g(&self) {} }", ["f", "g"], ["S", "S"]),
        ("go", "package m\nfunc (a *A) F() {}\nfunc G() {}", ["F", "G"], []),
        ("ruby", "module M\n class A\n  def f; end\n end\nend", ["f"], ["M"]),
        ("csharp", "class A { int F() { return 1; } }", ["F"], ["A"]),
        ("kotlin", "class A { fun f(): Int { return 1 } }", ["f"], ["A"]),
        ("php", "<?php function f() {} class A { function g() {} }", ["f", "g"], ["A"]),
    ],
)
def test_units_have_names(language, code, functions, classes):
    for unit, names in ("function", functions), ("class", classes):
        forest, units = Forest.from_source([code], language, unit=unit, return_units=True)
        assert [found.name for found in units] == names
        assert len(forest) == len(names)


def test_units_have_lines_and_sources():
    code = ["int a;", "\nint f() {\n  return 1;\n}\nint g() { return 2; }\n"]
    forest, units = Forest.from_source(code, "c", unit="function", return_units=True)
    assert [(u.source, u.name, u.first_line, u.last_line) for u in units] == [(1, "f", 2, 4), (1, "g", 5, 5)]
    assert [root.label for root in forest] == ["function_definition"] * 2
    _, files = Forest.from_source(code, "c", return_units=True)
    assert [(u.source, u.name) for u in files] == [(0, ""), (1, "")]


def test_syntax_errors_are_counted_or_refused():
    code = ["int x;", "int f( { return 1; }\nint g() { return 2; }"]
    forest, units = Forest.from_source(code, "c", return_units=True)
    assert [bool(unit.syntax_errors) for unit in units] == [False, True]
    assert len(forest) == 2
    with pytest.raises(FormatError, match="syntax error") as caught:
        Forest.from_source(code, "c", strict=True)
    assert (caught.value.item, caught.value.line) == (1, 1)


@given(st.binary(max_size=200))
@settings(max_examples=50, deadline=None)
def test_any_bytes_give_a_tree(content):
    for language in "c", "python", "javascript":
        assert len(Forest.from_source([content, content.decode("latin-1")], language)) == 2


def test_nesting_and_size():
    deep = "x = " + "(" * DEEP + "1" + ")" * DEEP
    assert Forest.from_source([deep], "python", n_jobs=1).n_nodes > DEEP
    before = get_limits()
    try:
        set_limits(depth=100)
        with pytest.raises(FormatError, match="depth"):
            Forest.from_source(["x = 1", deep], "python")
    finally:
        set_limits(**before)


def test_the_number_of_processes_changes_nothing(monkeypatch):
    monkeypatch.setattr(source_code, "_CHUNK", 100)
    code = [f"int f{i}(int a) {{ return a * {i}; }}" for i in range(20)] + ["int broken( {"]
    one, two = (Forest.from_source(code, "c", unit="function", return_units=True, n_jobs=n) for n in (1, 2))
    assert one[0].to_brackets() == two[0].to_brackets()
    assert one[1] == two[1]
    assert len(Forest.from_source([], "c")) == 0


def test_options_are_checked():
    with pytest.raises(TypeError, match="takes a sequence of sources"):
        Forest.from_source("int x;", "c")
    with pytest.raises(ValueError, match="unit must be one of file, function, class, got 'module'"):
        Forest.from_source(["int x;"], "c", unit="module")
    with pytest.raises(ValueError, match="identifiers must be one of keep, kind, drop, got True"):
        Forest.from_source(["int x;"], "c", identifiers=True)
    with pytest.raises(TypeError, match="got int"):
        Forest.from_source([1], "c")
