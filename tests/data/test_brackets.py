"""The bracketed notation: what is read, what is written, and what is refused, where and why."""

import contextlib
import gzip
import os
import re
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hedgerow import Forest, FormatError
from tests.strategies import ANY_LABEL, brackets, size, spaced_brackets, trees


def one(text):
    """The only tree of the text, as hedgerow writes it."""
    (tree,) = Forest([text]).to_brackets()
    return tree


class TestNotation:
    @pytest.mark.parametrize(
        ("text", "expected"),
        [
            ("(S (NP Mary) (VP sings))", "(S (NP Mary) (VP sings))"),
            ("(N a b c)", "(N a b c)"),
            ("(N a (B b) c)", "(N a (B b) c)"),
            ("(S(NP(D the)(N dog))(VP(V barks)))", "(S (NP (D the) (N dog)) (VP (V barks)))"),
            (" \t\r\n(S\n  (NP\n\tMary )\r\n (VP sings)\v\f)\n ", "(S (NP Mary) (VP sings))"),
            ("( (S (NP Mary)) )", "(S (NP Mary))"),
            ("((S (NP Mary)))", "(S (NP Mary))"),
            ("( \n (dog)\n)", "(dog)"),
            ("(N (dog))", "(N dog)"),
            ("( N ( dog ) ( cat ) )", "(N dog cat)"),
            ("(dog)", "(dog)"),
            ("( dog )", "(dog)"),
            ("(Ünï (日本 語) (🌳 \u00a0))", "(Ünï (日本 語) (🌳 \u00a0))"),
            ("(SYNT##root(POS##WRB(LEX##how::w)))", "(SYNT##root (POS##WRB LEX##how::w))"),
            ("(-LRB- [ { |BT| #)", "(-LRB- [ { |BT| #)"),
        ],
    )
    def test_reads(self, text, expected):
        assert one(text) == expected

    def test_several_bare_tokens_are_several_leaves(self):
        (tree,) = Forest(["(N New York)"])
        assert tree.leaves() == ["New", "York"]
        assert tree.n_nodes == 3

    def test_a_bracketed_leaf_is_a_bare_token(self):
        assert Forest(["(N (a) (b))"]) == Forest(["(N a b)"])

    def test_the_unlabelled_outer_bracket_is_no_node(self):
        assert Forest(["((S a))"])[0].n_nodes == 2

    def test_unicode_white_space_belongs_to_labels(self):
        (tree,) = Forest(["(N a\u00a0b \u2003)"])
        assert tree.leaves() == ["a\u00a0b", "\u2003"]
        assert str(tree) == "(N a\u00a0b \u2003)"

    @given(trees(ANY_LABEL))
    def test_round_trip(self, tree):
        text = brackets(tree)
        forest = Forest([text])
        assert forest.to_brackets() == [text]
        assert forest.n_nodes == size(tree)

    @given(st.data(), trees(ANY_LABEL))
    def test_white_space_is_free(self, data, tree):
        assert one(data.draw(spaced_brackets(tree))) == brackets(tree)

    @given(
        st.lists(
            st.sampled_from(["(", ")", " ", "\n", "a", "((", "))", "\0", "é", "(a b)"]), max_size=20
        ).map("".join)
    )
    def test_text_is_read_or_refused(self, text):
        try:
            written = one(text)
        except FormatError as caught:
            error = caught
        else:
            assert one(written) == written
            assert text.count("(") == text.count(")")
            return
        assert error.item == 0
        assert 1 <= error.column <= len(text) + 1

    @given(st.text(max_size=20))
    def test_any_text_is_read_or_refused(self, text):
        for attempt in (text, f"({text})", f"(a {text})"):
            with contextlib.suppress(FormatError):
                Forest([attempt])


class TestRefused:
    @pytest.mark.parametrize(
        ("text", "column", "message"),
        [
            ("(S (NP a)", 1, "the tree is not closed: 1 ')' is missing"),
            ("(S (NP (D a", 1, "the tree is not closed: 3 ')' are missing"),
            ("  (S", 3, "the tree is not closed: 1 ')' is missing"),
            ("(", 1, "the tree is not closed: 1 ')' is missing"),
            ("((S a)", 1, "the tree is not closed: 1 ')' is missing"),
            ("(S (", 1, "the tree is not closed: 2 ')' are missing"),
            ("(S a))", 6, "a ')' too many"),
            ("((S a)) )", 9, "a ')' too many"),
            ("(S a) b", 7, "text after the tree: 'b'"),
            ("(S a) (S b)", 7, "text after the tree: '('"),
            ("(S ())", 5, "the label is empty: expected a label after '(', found ')'"),
            ("(S ((NP a)))", 5, "the label is empty: expected a label after '(', found '('"),
            ("(((S a)))", 3, "the label is empty: expected a label after '(', found '('"),
            ("()", 2, "the tree is empty: expected a label after '('"),
            ("(  )", 4, "the tree is empty: expected a label after '('"),
            ("", 1, "the tree is empty: expected '('"),
            (" \n ", 4, "the tree is empty: expected '('"),
            ("S", 1, "expected '(', found 'S'"),
            (") (S a)", 1, "expected '(', found ')'"),
            ("((S a) (S b))", 8, "an unlabelled outer bracket holds one tree, here is a second one"),
            ("((S a) b)", 8, "an unlabelled outer bracket holds one tree, found 'b'"),
            ("(S a\0b)", 5, "a NUL byte; the text must be UTF-8 without NUL bytes"),
            ("(日本 語) 木", 8, "text after the tree: '木'"),
        ],
    )
    def test_place_and_reason(self, text, column, message):
        with pytest.raises(FormatError) as caught:
            Forest(["(fine)", text, "(S"])
        error = caught.value
        assert (error.item, error.column, error.message) == (1, column, message)
        assert error.line is None
        assert error.path is None
        assert str(error) == f"item 1, column {column}: {message}"

    def test_half_a_surrogate_pair(self):
        with pytest.raises(FormatError, match=r"item 1, column 4: .*UTF-8"):
            Forest(["(fine)", "(S \ud800)"])

    def test_the_number_of_the_item_counts_trees_of_all_kinds(self):
        tree = Forest(["(a b)"])[0]
        with pytest.raises(FormatError, match="item 2, column 1: expected '\\('"):
            Forest([tree, "(a)", "oops"])


class TestWriting:
    def test_labels_that_brackets_cannot_express(self):
        forest = Forest.from_postorder(["New York", "f(x)", "N"], [0, 0, 2], [3])
        for label, tree in (("New York", ["New York"]), ("f(x)", ["f(x)"])):
            single = Forest.from_postorder([*tree, "N"], [0, 1], [2])
            with pytest.raises(
                ValueError, match=rf"the label '{re.escape(label)}' cannot be written.*replace_space"
            ):
                single.to_brackets()
        assert forest.to_brackets(replace_space="_") == ["(N New_York f-LRB-x-RRB-)"]
        assert str(forest[0]) == "(N New_York f-LRB-x-RRB-)"

    def test_replacing_touches_only_what_must_be_replaced(self):
        forest = Forest.from_postorder(["a\u00a0b", " \t", "N"], [0, 0, 2], [3])
        assert forest.to_brackets(replace_space="+") == ["(N a\u00a0b +)"]

    @pytest.mark.parametrize("replacement", ["", " ", "(", "a b", "\0"])
    def test_a_replacement_must_be_part_of_a_label(self, replacement):
        with pytest.raises(ValueError, match="replace_space"):
            Forest(["(a b)"]).to_brackets(replace_space=replacement)

    def test_an_empty_tree_is_an_empty_string(self):
        assert Forest.from_postorder(["a"], [0], [0, 1, 0]).to_brackets() == ["", "(a)", ""]


@pytest.fixture
def write(tmp_path):
    """Writes a file of the given bytes and returns its path."""

    def write(content, name="trees.mrg"):
        path = tmp_path / name
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path

    return write


MRG = """
( (S
    (NP-SBJ (DT The) (NN dog) )
    (VP (VBZ barks) )
    (. .) ))

( (S
    (NP-SBJ (NNP Mary) )
    (VP (VBZ sings) ) ))
"""
MRG_TREES = [
    "(S (NP-SBJ (DT The) (NN dog)) (VP (VBZ barks)) (. .))",
    "(S (NP-SBJ (NNP Mary)) (VP (VBZ sings)))",
]
LINES = "(A b)\n(C (D e) f)\n(g)\n"
LINES_TREES = ["(A b)", "(C (D e) f)", "(g)"]


class TestRead:
    @pytest.mark.parametrize("layout", ["auto", "lines", "free"])
    @pytest.mark.parametrize(
        ("content", "expected"),
        [
            (LINES, LINES_TREES),
            (LINES.rstrip("\n"), LINES_TREES),
            (LINES.replace("\n", "\r\n"), LINES_TREES),
            ("\ufeff" + LINES, LINES_TREES),
            (LINES.replace("\n", "\n\n \n"), LINES_TREES),
            ("\n\n" + LINES, LINES_TREES),
            ("  (A b)\n  (C (D e) f)\n  (g)\n", LINES_TREES),
            ("(A b)\n  (C (D e) f)\n(g)\n", LINES_TREES),
            ("   (A b)\n(C (D e) f)\n (g)\n", LINES_TREES),
            (MRG, MRG_TREES),
            (MRG.replace("\n", "\r\n"), MRG_TREES),
            (MRG.replace("\n\n", "\n"), MRG_TREES),
            ("\t(S\n\t\t(NP a)\n\t\t(VP b))\n\t(X y)", ["(S (NP a) (VP b))", "(X y)"]),
            ("(S\n a\n b\n)\n(T\nc)", ["(S a b)", "(T c)"]),
            ("", []),
            ("\n \r\n", []),
            ("\ufeff", []),
        ],
    )
    def test_layouts(self, write, content, expected, layout):
        assert Forest.read(write(content), layout=layout).to_brackets() == expected

    @pytest.mark.parametrize(
        "content",
        [
            "(S\n(NP a)\n(VP b))\n(X\n(Y z))\n",
            "(S (NP a)\n(VP b))\n(X (Y z))\n",
            "(\n(S (NP a) (VP b))\n)\n(\n(X (Y z))\n)\n",
            "(S\n(\nNP a) (VP b))(X (Y z))",
        ],
    )
    def test_trees_broken_without_indentation(self, write, content):
        expected = ["(S (NP a) (VP b))", "(X (Y z))"]
        assert Forest.read(write(content)).to_brackets() == expected
        assert Forest.read(write(content), layout="free").to_brackets() == expected
        forest, errors = Forest.read(write(content), errors="collect")
        assert (forest.to_brackets(), errors) == (expected, [])
        with pytest.raises(FormatError, match="line 1, column 1: the tree is not closed"):
            Forest.read(write(content), layout="lines")

    @pytest.mark.parametrize("name", ["trees.mrg.gz", "trees.txt"])
    def test_gzip_is_known_by_its_content(self, write, name):
        assert Forest.read(write(gzip.compress(LINES.encode()), name)).to_brackets() == LINES_TREES

    def test_str_and_path(self, write):
        path = write(LINES)
        assert Forest.read(str(path)) == Forest.read(path)

    @pytest.mark.parametrize(
        "content",
        [LINES.encode(), gzip.compress(LINES.encode())],
        ids=["plain", "gzip"],  # ids must not hold the time
    )
    def test_standard_input(self, content):
        program = "from hedgerow import Forest; print(*Forest.read('-').to_brackets(), sep='|')"
        done = subprocess.run([sys.executable, "-c", program], input=content, capture_output=True, check=True)
        assert done.stdout.decode().strip() == "|".join(LINES_TREES)

    def test_gzip_files_are_closed(self, write):
        path = write(gzip.compress(LINES.encode()))
        program = f"from hedgerow import Forest; Forest.read({str(path)!r})"
        done = subprocess.run([sys.executable, "-X", "dev", "-c", program], capture_output=True, check=True)
        assert b"ResourceWarning" not in done.stderr

    def test_damaged_gzip(self, write):
        path = write(gzip.compress(os.urandom(1000))[:500])
        with pytest.raises(FormatError, match=r"trees\.mrg: .*gzip"):
            Forest.read(path)

    def test_field(self, write):
        path = write("1\t(A b)\tx\n\n0\t(C (D e) f)\ty\r\n2\t (g) \n")
        assert Forest.read(path, field=1).to_brackets() == LINES_TREES
        assert Forest.read(write(LINES.replace("\n", "\r\n")), field=0).to_brackets() == LINES_TREES

    def test_bad_fields(self, write):
        path = write("é\t(A b)\nno tree here\né\t(A\né\té(\né\t\né\t(A b) c\né\t(A \0)\né\t(C d)\n")
        forest, errors = Forest.read(path, field=1, errors="collect")
        assert forest.to_brackets() == ["(A b)", "(C d)"]
        assert [(e.line, e.column, e.message) for e in errors] == [
            (2, 13, "expected at least 2 tab-separated fields, found 1"),
            (3, 3, "the tree is not closed: 1 ')' is missing"),
            (4, 3, "expected '(', found 'é'"),
            (5, 3, "the tree is empty: expected '('"),
            (6, 9, "text after the tree: 'c'"),
            (7, 6, "a NUL byte; the text must be UTF-8 without NUL bytes"),
        ]
        with pytest.raises(FormatError, match="line 2, column 13"):
            Forest.read(path, field=1)

    def test_spaces_in_leaves(self, write):
        forest = Forest.read(write("(N New York (D a) in the  US )\n"), spaces_in_leaves=True)
        assert forest[0].leaves() == ["New York", "a", "in the  US"]

    @pytest.mark.parametrize(
        ("option", "message"),
        [
            ({"errors": "ignore"}, "errors must be 'raise' or 'collect', got 'ignore'"),
            ({"layout": "xml"}, "layout must be 'auto', 'lines' or 'free', got 'xml'"),
            ({"field": -1}, "field counts from 0, got -1"),
        ],
    )
    def test_bad_options(self, write, option, message):
        with pytest.raises(ValueError, match=message):
            Forest.read(write(LINES), **option)

    def test_missing_file(self, tmp_path):
        with pytest.raises(FileNotFoundError):
            Forest.read(tmp_path / "nowhere.mrg")


class TestReadErrors:
    @pytest.mark.parametrize("layout", ["auto", "lines"])
    @pytest.mark.parametrize(
        ("bad", "column", "message"),
        [
            (b"(A (B c)", 1, "the tree is not closed: 1 ')' is missing"),
            (b"  (A (B c", 3, "the tree is not closed: 2 ')' are missing"),
            (b"(A b))", 6, "a ')' too many"),
            (b")", 1, "a ')' too many"),
            (b"(A b) c", 7, "text after the tree: 'c'"),
            (b"(A b) (C d)", 7, "text after the tree: '('"),
            (b"(A ())", 5, "the label is empty: expected a label after '(', found ')'"),
            (b"()", 2, "the tree is empty: expected a label after '('"),
            (b"word", 1, "expected '(', found 'word'"),
            (b"(A \0)", 4, "a NUL byte; the text must be UTF-8 without NUL bytes"),
            (b"(\xc3\xa9\xc3\xa9 \xff\xfe)", 5, "byte 0xFF is not UTF-8 here"),
            (b"(A \xc3)", 4, "byte 0xC3 is not UTF-8 here"),
            (b"(A \xed\xa0\x80)", 4, "byte 0xED is not UTF-8 here"),
            (b"\xff", 1, "byte 0xFF is not UTF-8 here"),
            (b"\0", 1, "a NUL byte; the text must be UTF-8 without NUL bytes"),
            (b"word \xff", 6, "byte 0xFF is not UTF-8 here"),
            (b"(A b) \xff", 7, "byte 0xFF is not UTF-8 here"),
            ("(\u00e9 b) \u6728\u6728".encode(), 7, "text after the tree: '\u6728\u6728'"),
        ],
    )
    def test_a_bad_line_spoils_only_itself(self, write, bad, column, message, layout):
        lines = [b"(S (NP n%d) (VP v))" % i for i in range(40)]
        lines[16] = bad
        path = write(b"\n".join(lines) + b"\n")
        forest, errors = Forest.read(path, errors="collect", layout=layout)
        assert [(e.path, e.line, e.column, e.message) for e in errors] == [(str(path), 17, column, message)]
        assert forest.to_brackets() == [f"(S (NP n{i}) (VP v))" for i in range(40) if i != 16]
        with pytest.raises(FormatError) as caught:
            Forest.read(path, layout=layout)
        assert str(caught.value) == f"{path}, line 17, column {column}: {message}"

    def test_a_bad_tree_of_several_lines_spoils_only_itself(self, write):
        broken = MRG.replace("(VP (VBZ barks) )", "(VP (VBZ barks)")
        forest, errors = Forest.read(write(broken + MRG), errors="collect")
        assert forest.to_brackets() == [MRG_TREES[1], *MRG_TREES]
        assert [(e.line, e.column, e.message) for e in errors] == [
            (2, 1, "the tree is not closed: 1 ')' is missing")
        ]

    def test_all_errors_are_collected_in_order(self, write):
        content = b"(A b\n(C d))\n(E f)\n\xff\n(G \0)\n()\n(H i)\nx (J k)\n\n(L m"
        forest, errors = Forest.read(write(content), errors="collect")
        assert forest.to_brackets() == ["(E f)", "(H i)"]
        assert [(e.line, e.column) for e in errors] == [
            (1, 1),
            (2, 6),
            (4, 1),
            (5, 4),
            (6, 2),
            (8, 1),
            (10, 1),
        ]

    def test_free_layout_keeps_the_trees_before_and_behind_bad_bytes(self, write):
        content = b"(A b) (C d)\n(E \xff) (F g)\n(G h)\njunk \xfe\n(I \0\n(J k)\n"
        forest, errors = Forest.read(write(content), layout="free", errors="collect")
        assert forest.to_brackets() == ["(A b)", "(C d)", "(G h)", "(J k)"]
        assert [(e.line, e.column, e.message) for e in errors] == [
            (2, 4, "byte 0xFF is not UTF-8 here"),
            (4, 6, "byte 0xFE is not UTF-8 here"),
            (5, 4, "a NUL byte; the text must be UTF-8 without NUL bytes"),
        ]

    def test_line_numbers_after_a_byte_order_mark_and_windows_line_ends(self, write):
        with pytest.raises(FormatError, match="line 2, column 5: a '\\)' too many"):
            Forest.read(write("\ufeff(A)\r\n(A) ) x\r\n"))

    PIECES = st.sampled_from(
        [
            b"(",
            b")",
            b" ",
            b"\n",
            b"\n  ",
            b"\r\n",
            b"\t",
            b"a",
            b"(a b)",
            b"\xff",
            b"\xc3",
            b"\xa9",
            b"\0",
            b"(\n(",
        ]
    )

    @given(st.lists(PIECES, max_size=25).map(b"".join))
    def test_any_bytes_are_read_or_refused(self, tmp_path_factory, content):
        path = tmp_path_factory.getbasetemp() / "any.mrg"
        path.write_bytes(content)
        for options in (
            {},
            {"layout": "lines"},
            {"layout": "free"},
            {"field": 0},
            {"field": 1},
            {"spaces_in_leaves": True},
        ):
            forest, errors = Forest.read(path, errors="collect", **options)
            n_lines = content.count(b"\n") + 1
            assert all(1 <= e.line <= n_lines and e.column >= 1 and e.message for e in errors)
            assert (len(forest) > 0 or errors) or content.count(b"(") == 0
            if errors:
                with pytest.raises(FormatError) as caught:
                    Forest.read(path, **options)
                assert str(caught.value) == str(errors[0])
            else:
                assert Forest.read(path, **options) == forest
            if not options.get("spaces_in_leaves"):
                assert Forest(forest.to_brackets()) == forest

    @given(st.lists(trees(ANY_LABEL), max_size=5))
    def test_written_lines_read_back(self, tmp_path_factory, items):
        path = tmp_path_factory.getbasetemp() / "lines.mrg"
        texts = [brackets(tree) for tree in items]
        path.write_text("".join(f"{text}\n" for text in texts), encoding="utf-8")
        assert Forest.read(path).to_brackets() == texts
        assert Forest.read(path, layout="free").to_brackets() == texts
