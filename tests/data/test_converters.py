"""Trees from other sources: shapes, safe labels, depth without recursion, errors with their place."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import nltk
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hedgerow import Forest, FormatError
from hedgerow.data.converters.postorder import safe_label

DEEP = 100_000


def shown(forest: Forest) -> str:
    """The only tree, which must also read back."""
    (text,) = forest.to_brackets()
    assert Forest([text]) == forest
    return text


@given(st.text())
def test_safe_labels_can_be_written_and_stay_as_they_are(text):
    label = safe_label(text)
    assert Forest([f"({label})"])[0].label == label
    assert safe_label(label) == label


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("a b", "a_b"),
        (" \n", "_"),
        ("f(x)", "f-LRB-x-RRB-"),
        ("", "-NONE-"),
        ("a\0", "a\ufffd"),
        ("\ud800", "\ufffd"),
    ],
)
def test_safe_label(text, label):
    assert safe_label(text) == label


class TestPython:
    @pytest.mark.parametrize(
        ("code", "tree"),
        [
            ("", "(Module)"),
            ("x = 1", "(Module (body (Assign (targets (Name x)) (Constant 1))))"),
            ("f('b c', k=1)",
             "(Module (body (Expr (Call (Name f) (args (Constant 'b_c')) "
             "(keywords (keyword k (Constant 1)))))))"),
            ("a.b", "(Module (body (Expr (Attribute (Name a) b))))"),
            ("if a: b\nelse: c",
             "(Module (body (If (Name a) (body (Expr (Name b))) (orelse (Expr (Name c))))))"),
            ("from .. import a as b", "(Module (body (ImportFrom (names (alias a b)) ..)))"),
            ("{**a}", "(Module (body (Expr (Dict (keys None) (values (Name a))))))"),
            ("def f(x): pass", "(Module (body (FunctionDef f (arguments (args (arg x))) (body Pass))))"),
            ("global a, b", "(Module (body (Global (names a b))))"),
            ("-x < 3",
             "(Module (body (Expr (Compare (UnaryOp USub (Name x)) (ops Lt) (comparators (Constant 3))))))"),
        ],
    )  # fmt: skip
    def test_shapes(self, code, tree):
        assert shown(Forest.from_python([code])) == tree

    def test_without_names_and_constants(self):
        forest = Forest.from_python(["def f(x):\n  return x.y + 'z'"], identifiers=False, constants=False)
        assert shown(forest) == (
            "(Module (body (FunctionDef (arguments (args arg)) "
            "(body (Return (BinOp (Attribute Name) Add (Constant str)))))))"
        )

    def test_bytes_with_a_declared_encoding(self):
        assert shown(Forest.from_python(["# coding: latin-1\nx = 'é'".encode("latin-1")])).endswith("'é'))))")

    def test_own_sources_read_back(self):
        code = [
            Path(module.__file__).read_text(encoding="utf-8") for module in (json, json.decoder, nltk.tree)
        ]
        forest = Forest.from_python(code)
        assert Forest(forest.to_brackets()) == forest
        assert len(forest) == 3

    def test_long_chains_need_no_recursion(self):
        elifs = "if a: pass\n" + "elif a: pass\n" * 80
        assert Forest.from_python([elifs])[0].label == "Module"

    def test_huge_number(self):
        assert "0xfff" in shown(Forest.from_python(["x = 0x" + "f" * 5000]))

    def test_invalid_escape_is_no_warning(self):
        assert len(Forest.from_python(["x = '\\d'"])) == 1

    @pytest.mark.parametrize(
        ("code", "line", "column", "message"),
        [
            ("x = 1\ny = (", 2, 5, "not Python: '(' was never closed"),
            ("x = 1\nif x:\ny = 2", 3, 1, "not Python: expected an indented block"),
            (b"x = '\xff'", None, None, "not Python: "),
            ("x = '\0'", None, None, "not Python: "),
            ("x = '\ud800'", None, None, "not Python: "),
        ],
    )
    def test_errors(self, code, line, column, message):
        with pytest.raises(FormatError) as caught:
            Forest.from_python(["fine", code])
        assert caught.value.item == 1
        assert caught.value.message.startswith(message)
        if line:
            assert (caught.value.line, caught.value.column) == (line, column)

    def test_too_deep_for_the_parser(self):
        with pytest.raises(FormatError, match=r"item 0.*(too deeply|too many nested|recursion|complex)"):
            Forest.from_python(["(" * 5000 + ")" * 5000])

    def test_collect(self):
        forest, errors = Forest.from_python(["x", "x =", "y"], errors="collect")
        assert len(forest) == 2
        assert [e.item for e in errors] == [1]


class TestJson:
    @pytest.mark.parametrize(
        ("document", "tree"),
        [
            ('{"a": 1, "b": [true, null, "x y"]}', "(object (a 1) (b (array true null x_y)))"),
            ({"a": {}}, "(object (a object))"),
            ([], "(array)"),
            (("t", 1.5, False), "(array t 1.5 false)"),
            ('"(text)"', "(-LRB-text-RRB-)"),
            ('{"": ""}', "(object (-NONE- -NONE-))"),
            (b'\xef\xbb\xbf{"\xc3\xa9": 1}', "(object (é 1))"),
            (None, "(null)"),
            ({1: 2}, "(object (1 2))"),
            ('"\\ud800"', "(\ufffd)"),
        ],
    )
    def test_shapes(self, document, tree):
        assert shown(Forest.from_json([document])) == tree

    def test_sorted_keys(self):
        a, b = Forest.from_json(['{"x": 1, "y": 2}', '{"y": 2, "x": 1}'], sort_keys=True)
        assert a == b

    @given(st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
        lambda below: st.lists(below) | st.dictionaries(st.text(), below),
    ).filter(lambda value: not isinstance(value, str)))  # fmt: skip
    def test_text_and_decoded_agree_and_read_back(self, value):
        forest = Forest.from_json([value])
        assert forest == Forest.from_json([json.dumps(value)])
        shown(forest)

    def test_deep(self):
        value: list = []
        for _ in range(DEEP):
            value = [value]
        assert Forest.from_json([value]).n_nodes == DEEP + 1
        while value:  # Python would free it recursively
            value = value.pop()

    def test_text_too_deep_for_python(self):
        with pytest.raises(FormatError, match="item 0: the document is nested too deeply"):
            Forest.from_json(["[" * DEEP + "]" * DEEP])

    @pytest.mark.parametrize(
        ("document", "place", "message"),
        [
            ('{"a": 1,\n "b" 2}', (2, 6), "not JSON: Expecting ':' delimiter"),
            ("", (1, 1), "not JSON: Expecting value"),
            ("1 2", (1, 3), "not JSON: Extra data"),
            (b"[1,\n \xff]", (2, 2), "byte 0xFF is not UTF-8 here"),
            ({"a": {1, 2}}, (None, None), "a set cannot be part of JSON"),
        ],
    )
    def test_errors(self, document, place, message):
        with pytest.raises(FormatError) as caught:
            Forest.from_json(["1", "2", document])
        assert caught.value.message == message
        assert (caught.value.item, caught.value.line, caught.value.column) == (2, *place)

    def test_collect(self):
        forest, errors = Forest.from_json(["1", "{", [{1}], "2"], errors="collect")
        assert forest.to_brackets() == ["(1)", "(2)"]
        assert [e.item for e in errors] == [1, 2]


class TestXml:
    def test_shape(self):
        document = "<?xml version='1.0'?><!-- c --><a x='1 2' y=''>one <b/>two (3) <![CDATA[four]]></a>"
        assert shown(Forest.from_xml([document])) == "(a (@x 1 2) @y one b two -LRB-3-RRB- four)"
        assert shown(Forest.from_xml([document], attributes=False)) == "(a one b two -LRB-3-RRB- four)"
        assert shown(Forest.from_xml([document], text=False)) == "(a (@x 1 2) @y b)"

    def test_entities_and_encodings(self):
        assert shown(Forest.from_xml(["<a>&lt;&amp;&#233;</a>"])) == "(a <&é)"
        latin = "<?xml version='1.0' encoding='latin-1'?><a>é</a>".encode("latin-1")
        assert shown(Forest.from_xml([latin])) == "(a é)"
        html = '<!DOCTYPE html PUBLIC "x" "http://nowhere.invalid/x.dtd"><a>b&nbsp;c</a>'
        assert shown(Forest.from_xml([html])) == "(a b &nbsp; c)"

    @pytest.mark.parametrize(
        "declaration",
        [
            '<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">',
            '<!ENTITY a SYSTEM "file:///etc/passwd">',
            '<!ENTITY % p "x">',
        ],
    )
    def test_declared_entities_are_refused(self, declaration):
        with pytest.raises(
            FormatError, match=r"item 0, line 1, column \d+: the document declares the entity"
        ):
            Forest.from_xml([f"<!DOCTYPE r [{declaration}]><r>&a;</r>"])

    def test_deep(self):
        assert Forest.from_xml(["<a>" * DEEP + "</a>" * DEEP]).n_nodes == DEEP

    @pytest.mark.parametrize(
        ("document", "place", "message"),
        [
            ("<a>\n <b></a>", (2, 7), "not XML: mismatched tag"),
            ("", (1, 1), "not XML: no element found"),
            ("<a/><b/>", (1, 5), "not XML: junk after document element"),
            ("<a>&nbsp;</a>", (1, 4), "not XML: undefined entity"),
            (b"<a>\xff</a>", (1, 4), "not XML: not well-formed (invalid token)"),
        ],
    )
    def test_errors(self, document, place, message):
        with pytest.raises(FormatError) as caught:
            Forest.from_xml(["<a/>", document])
        assert caught.value.message == message
        assert (caught.value.item, caught.value.line, caught.value.column) == (1, *place)
        forest, errors = Forest.from_xml(["<a/>", document, "<b/>"], errors="collect")
        assert forest.to_brackets() == ["(a)", "(b)"]
        assert len(errors) == 1


class TestHtml:
    @pytest.mark.parametrize(
        ("document", "tree"),
        [
            ("", "(html)"),
            ("just text", "(html just text)"),
            ("<!DOCTYPE html><HTML lang=en><head><title>T</title></head><body>b</body></html>\n",
             "(html (@lang en) (head (title T)) (body b))"),
            ("<p>a<p>b", "(html (p a) (p b))"),
            ("<p>a<div>b</div>c", "(html (p a) (div b) c)"),
            ("<p>a<b>c<p>d", "(html (p a (b c)) (p d))"),
            ("a<br>b<img src=x>c<hr/>d", "(html a br b (img (@src x)) c hr d)"),
            ("<ul><li>a<li>b<ul><li>c</ul><li>d</ul>", "(html (ul (li a) (li b (ul (li c))) (li d)))"),
            ("<dl><dt>a<dd>b<dt>c</dl>", "(html (dl (dt a) (dd b) (dt c)))"),
            ("<table><tr><td>a<td>b<tr><th>c</table>d", "(html (table (tr (td a) (td b)) (tr (th c))) d)"),
            ("<table><thead><tr><td>a<tbody><tr><td>b</table>",
             "(html (table (thead (tr (td a))) (tbody (tr (td b)))))"),
            ("<select><option>a<option>b</select>", "(html (select (option a) (option b)))"),
            ("a</b></p>b", "(html a b)"),
            ("<b><i>a</b>c</i>", "(html (b (i a)) c)"),
            ("<div><table><tr><td></div>a</table></div>b", "(html (div (table (tr (td a)))) b)"),
            ("<script>if (a < b) {}</script><style>p {}</style>x", "(html script style x)"),
            ("<svg><path d='M 0'/><g/></svg><div/>x", "(html (svg (path (@d M 0)) g) (div x))"),
            ("<a href>x</a>&eacute;&amp;&#40;", "(html (a @href x) é&-LRB-)"),
            ("<!-- c --><?php x ?>y", "(html y)"),
            ("<head><title>t</title><body>b", "(html (head (title t)) (body b))"),
            ("a < b <", "(html a < b <)"),
        ],
    )  # fmt: skip
    def test_shapes(self, document, tree):
        assert shown(Forest.from_html([document])) == tree

    def test_options(self):
        document = ["<p class='a b'>text<b>bold</b></p>"]
        assert shown(Forest.from_html(document)) == "(html (p (@class a b) text (b bold)))"
        assert shown(Forest.from_html(document, attributes=False, text=False)) == "(html (p b))"

    def test_deep(self):
        assert Forest.from_html(["<div>" * DEEP]).n_nodes == DEEP + 1
        assert Forest.from_html(["<ul><li>" * 10_000]).n_nodes == 20_001

    def test_bytes_must_be_utf8(self):
        assert shown(Forest.from_html(["<p>é".encode()])) == "(html (p é))"
        with pytest.raises(FormatError, match="item 0, line 2, column 4: byte 0xE9 is not UTF-8 here"):
            Forest.from_html(["é\n<p>é".encode()[:-2] + b"\xe9"])

    @given(st.text(st.sampled_from("<>/ab p!-=\"'&;?[]table")))
    def test_any_text_gives_a_tree_or_an_error(self, text):
        forest, errors = Forest.from_html([text], errors="collect")
        assert len(forest) + len(errors) == 1
        if len(forest):
            shown(forest)


SENTENCES = """\
# text = How far is it from Denver to Aspen ?
1	How	how	ADV	WRB	_	2	advmod	_	_
2	far	far	ADV	RB	_	3	advmod	_	_
3	is	be	VERB	VBZ	_	0	root	_	_
4	it	it	PRON	PRP	_	3	nsubj	_	_
5	Denver	Denver	PROPN	NNP	_	3	prep_from	_	_
6	Aspen	Aspen	PROPN	NNP	_	5	prep_to	_	_

1	Who	who	PRON	WP	_	0	root	_	_
2-3	was'nt	_	_	_	_	_	_	_	_
2	was	be	AUX	VBD	_	1	cop	_	_
2.1	x	x	X	X	_	_	_	_	_
3	Galileo	_	PROPN	_	_	1	nsubj	_	_
"""


class TestConllu:
    def test_grct_looks_like_kelps(self):
        grct = Forest.from_conllu(SENTENCES)
        assert grct.to_brackets() == [
            "(SYNT##root (SYNT##advmod (SYNT##advmod (POS##WRB LEX##how::w)) (POS##RB LEX##far::r)) "
            "(POS##VBZ LEX##be::v) (SYNT##nsubj (POS##PRP LEX##it::p)) "
            "(SYNT##prep_from (POS##NNP LEX##denver::n) (SYNT##prep_to (POS##NNP LEX##aspen::n))))",
            "(SYNT##root (POS##WP LEX##who::w) (SYNT##cop (POS##VBD LEX##be::v)) "
            "(SYNT##nsubj (POS##PROPN LEX##galileo::p)))",
        ]

    def test_lct_looks_like_kelps(self):
        assert Forest.from_conllu(SENTENCES, form="lct").to_brackets()[0] == (
            "(LEX##be::v (LEX##far::r (LEX##how::w POS##WRB SYNT##advmod) POS##RB SYNT##advmod) "
            "(LEX##it::p POS##PRP SYNT##nsubj) "
            "(LEX##denver::n (LEX##aspen::n POS##NNP SYNT##prep_to) POS##NNP SYNT##prep_from) "
            "POS##VBZ SYNT##root)"
        )

    def test_options(self):
        forest = Forest.from_conllu(SENTENCES, prefixes=False, word="form", tag="upos")
        assert forest.to_brackets()[1] == "(root (PRON Who) (cop (AUX was)) (nsubj (PROPN Galileo)))"

    def test_sources(self, tmp_path):
        import conllu

        path = tmp_path / "a.conllu"
        path.write_text(SENTENCES.replace("\n", "\r\n"))
        expected = Forest.from_conllu(SENTENCES)
        assert Forest.from_conllu(path) == expected
        assert Forest.from_conllu(str(path)) == expected
        assert Forest.from_conllu(conllu.parse(SENTENCES)) == expected
        assert len(Forest.from_conllu("")) == 0
        assert len(Forest.from_conllu("# only a comment\n\n")) == 0

    def test_deep(self):
        rows = (f"{i}\tw\tw\tX\tX\t_\t{i - 1}\tdep\t_\t_\n" for i in range(1, 20_001))
        assert Forest.from_conllu("".join(rows)).n_nodes == 60_000

    @pytest.mark.parametrize(
        ("change", "line", "message"),
        [
            (("\t3\tnsubj", "\t9\tnsubj"), 5, "word 4 depends on word 9, which is not there"),
            (("\t3\tnsubj", "\t0\tnsubj"), 5, "a sentence needs one root (a word with head 0), found 2"),
            (("\t0\troot", "\t4\troot"), 2, "a sentence needs one root (a word with head 0), found 0"),
            (("\t3\tprep_from", "\t6\tprep_from"), 2, "the words do not form a tree"),
            (("\t3\tnsubj", "\tx\tnsubj"), 5, "not CoNLL-U: "),
            (("\t3\tnsubj", "\t_\tnsubj"), 5, "word 4 has no head"),
            (("\t3\tnsubj\t_\t_", ""), 5, "expected 10 tab-separated fields, found 6"),
        ],
    )
    def test_errors(self, tmp_path, change, line, message):
        path = tmp_path / "bad.conllu"
        path.write_text(SENTENCES.replace(*change, 1))
        with pytest.raises(FormatError) as caught:
            Forest.from_conllu(path)
        assert caught.value.message.startswith(message)
        assert (caught.value.path, caught.value.item, caught.value.line) == (str(path), 0, line)
        forest, errors = Forest.from_conllu(path, errors="collect")
        assert (len(forest), len(errors)) == (1, 1)

    def test_bad_options(self):
        with pytest.raises(ValueError, match="form must be 'grct' or 'lct', got 'ct'"):
            Forest.from_conllu(SENTENCES, form="ct")

    def test_missing_package_is_named(self, monkeypatch):
        monkeypatch.setitem(sys.modules, "conllu", None)
        with pytest.raises(ImportError, match=r"pip install 'hedgerow\[nlp\]'"):
            Forest.from_conllu(SENTENCES)


def test_from_nltk():
    trees = [nltk.Tree.fromstring("(S (NP a) (VP b))")]
    assert Forest.from_nltk(trees) == Forest(["(S (NP a) (VP b))"])
    with pytest.raises(TypeError, match=r"write Forest\.from_nltk\(\[tree\]\)"):
        Forest.from_nltk(trees[0])
    with pytest.raises(TypeError, match=r"item 0 is a str, not an nltk\.Tree"):
        Forest.from_nltk(["(S a)"])


@pytest.mark.parametrize("name", ["from_python", "from_json", "from_xml", "from_html"])
def test_one_document_is_no_sequence(name):
    with pytest.raises(TypeError, match=rf"write Forest\.{name}\(\[text\]\) for one"):
        getattr(Forest, name)("<a/>")
    assert len(getattr(Forest, name)([])) == 0
    with pytest.raises(ValueError, match="errors must be 'raise' or 'collect', got 'skip'"):
        getattr(Forest, name)([], errors="skip")
