"""``hedgerow convert`` as people use it: formats, labels, failures in one sentence, and real processes."""

from __future__ import annotations

import gzip
import json
import os
import signal
import subprocess
import sys

import pytest
from typer.testing import CliRunner

from hedgerow import Forest
from hedgerow.cli.app import app
from hedgerow.data.files import writing
from hedgerow.data.tree_text import tree_lines
from hedgerow.io import read_svmlight_tk

COMMAND = [sys.executable, "-c", "from hedgerow.cli import main; main()"]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """An empty working folder, into which tests write files by name."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(*args: str, stdin: str | bytes | None = None):
    return CliRunner().invoke(app, ["convert", *args], input=stdin)


def good(*args: str, stdin: str | bytes | None = None) -> str:
    result = run(*args, stdin=stdin)
    assert result.exit_code == 0, result.output
    assert result.stderr == ""
    return result.stdout


def sentence(*args: str, code: int, stdin: str | bytes | None = None) -> str:
    """The one line on standard error of a command that fails and writes nothing to standard output."""
    result = run(*args, stdin=stdin)
    assert result.exit_code == code, result.output
    assert result.stdout == ""
    (line,) = result.stderr.splitlines()
    assert line.startswith("hedgerow: ")
    return line.removeprefix("hedgerow: ")


class TestSource:
    def test_functions_of_a_folder(self, folder):
        (folder / "src" / "sums").mkdir(parents=True)
        (folder / "src" / "sums" / "a.c").write_text("int f() { return 1; }\nint g() { return 2; }\n")
        (folder / "src" / "b.py").write_text("def h():\n    return 3\n")
        (folder / "src" / "notes.txt").write_text("no code")
        trees = good("src", "--from", "source", "--unit", "function", "--no-tokens").splitlines()
        assert [line.split()[0] for line in trees] == ["(function_definition"] * 3
        assert "(identifier h)" in trees[0]
        good("src", "--from", "source", "--unit", "function", "--labels-from", "folder", "-o", "code.tk")
        assert read_svmlight_tk("code.tk")[1].tolist() == ["src", "sums", "sums"]
        good("src", "--from", "source", "--unit", "function", "-o", "code.tk")
        assert read_svmlight_tk("code.tk")[1].tolist() == [0, 0, 0]

    def test_one_file_by_its_name(self, folder):
        (folder / "A.java").write_text("class A { int x; }")  # its ninth letter is that of a model file
        assert good("A.java", "--identifiers", "kind").startswith(
            "(program (class_declaration class identifier "
        )

    def test_errors(self, folder):
        (folder / "bad.java").write_text("class A {\n int f( { }\n}")
        (folder / "bad.c").write_text("int f( { }")
        result = CliRunner().invoke(app, ["convert", "bad.java", "bad.c"])
        assert result.exit_code == 0
        assert result.stdout.startswith("(program")
        assert result.stderr.startswith("hedgerow: syntax errors: 2 in 2 files, most in bad.java")
        assert sentence("bad.java", "--strict", code=1).startswith("bad.java, line 2, column")
        (folder / "x").write_text("int x;")
        assert "--language" in sentence("x", "--from", "source", code=2)
        assert good("x", "--from", "source", "--language", "c").startswith("(translation_unit")


class TestFormats:
    def test_svmlight_tk_to_the_others(self, folder):
        (folder / "a.tk").write_text("+1 |BT| (S (N a) b) |ET|\nx |BT| (T c) |ET| # comment\n")
        assert good("a.tk") == "(S (N a) b)\n(T c)\n"
        assert good("a.tk", "--to", "json") == '["S",["N",["a"]],["b"]]\n["T",["c"]]\n'
        assert good("a.tk", "--to", "svmlight-tk") == "+1 |BT| (S (N a) (b)) |ET|\nx |BT| (T c) |ET|\n"

    def test_everything_in_svmlight_tk_lines_is_kept(self, folder):
        text = "1.50 qid:3 |BT:q| (S a) |ET| |BV:bow| 1:2 |EV|\n-1 |BT:q| |ET| |BV:bow| 3:0.1 |EV|\n"
        (folder / "a.tk").write_text(text)
        assert good("a.tk", "--to", "svmlight-tk") == text
        (folder / "b.tk").write_text("1 |BT:only| (S a) |ET|\n")
        assert good("b.tk", "--to", "svmlight-tk") == "1 |BT:only| (S a) |ET|\n"

    def test_several_inputs_are_joined(self, folder):
        (folder / "a.tk").write_text("1 |BT| (S a) |ET|\n")
        (folder / "b.tk.gz").write_bytes(gzip.compress(b"2 |BT| (S b) |ET| 2:1\n"))
        good("a.tk", "b.tk.gz", "a.tk", "-o", "c.tk")
        X, y = read_svmlight_tk("c.tk")
        assert y.tolist() == [1, 2, 1]
        assert X["tree"].to_brackets() == ["(S a)", "(S b)", "(S a)"]
        assert X["vector"].toarray().tolist() == [[0, 0], [0, 1], [0, 0]]

    def test_brackets(self, folder):
        (folder / "a.mrg").write_text("( (S\n  (N a)) )\n( (S (N b)) )\n")
        assert good("a.mrg") == "(S (N a))\n(S (N b))\n"
        assert good("a.mrg", "--to", "svmlight-tk", "--label", "-1") == (
            "-1 |BT| (S (N a)) |ET|\n-1 |BT| (S (N b)) |ET|\n"
        )

    def test_documents(self, folder):
        (folder / "a.py").write_text("x = 1\n")
        assert good("a.py") == "(Module (body (Assign (targets (Name x)) (Constant 1))))\n"
        assert good("a.py", "--no-identifiers", "--no-constants") == (
            "(Module (body (Assign (targets Name) (Constant int))))\n"
        )
        (folder / "a.json").write_text('{"a":\n [1]}')
        (folder / "a.jsonl").write_text('{"b": 2}\n\n3\n')
        assert good("a.json", "a.jsonl") == "(object (a (array 1)))\n(object (b 2))\n(3)\n"
        (folder / "a.xml").write_text("<a b='c'>d</a>")
        (folder / "a.htm").write_text("<p id=x>y")
        assert good("a.xml", "a.htm") == "(a (@b c) d)\n(html (p (@id x) y))\n"
        assert good("a.xml", "a.htm", "--no-attributes", "--no-text") == "(a)\n(html p)\n"
        (folder / "a.conllu").write_text("1\tGo\tgo\tVERB\tVB\t_\t0\troot\t_\t_\n")
        assert good("a.conllu") == "(SYNT##root (POS##VB LEX##go::v))\n"
        assert good("a.conllu", "--form", "lct", "--no-prefixes") == "(go VB root)\n"

    def test_options_follow_from_the_inputs(self, folder):
        (folder / "a.json").write_text('{"b": 1, "a": 2}')
        assert good("a.json", "--sort-keys") == "(object (a 2) (b 1))\n"
        (folder / "a.conllu").write_text("1\tGo\tgo\tVERB\tVB\t_\t0\troot\t_\t_\n")
        assert good("a.conllu", "--word", "form", "--tag", "upos") == "(SYNT##root (POS##VERB LEX##Go::v))\n"
        assert "it is for inputs of the format xml or html" in sentence("a.json", "--no-text", code=2)
        assert "it is for inputs of the format json" in sentence("a.conllu", "--sort-keys", code=2)
        assert "--no-identifiers" in good("--from", "python", "--help")
        assert "--no-identifiers" not in good("--help")

    def test_standard_input(self, folder):
        assert good("-", "--from", "brackets", stdin="(S a)\n(S b)\n") == "(S a)\n(S b)\n"
        assert good("-", "--from", "conllu", stdin="1\tGo\tgo\tV\tV\t_\t0\troot\t_\t_\n")

    def test_gzip_output_is_reproducible(self, folder):
        (folder / "a.mrg").write_text("(S a)\n")
        good("a.mrg", "-o", "a.tk.gz", "--label", "x")
        good("a.mrg", "-o", "b.tk.gz", "--label", "x")
        assert (folder / "a.tk.gz").read_bytes() == (folder / "b.tk.gz").read_bytes()
        assert gzip.decompress((folder / "a.tk.gz").read_bytes()) == b"x |BT| (S a) |ET|\n"

    def test_output_may_be_the_input(self, folder):
        (folder / "a.tk").write_text("1 |BT| (S a (B c)) |ET|\n")
        good("a.tk", "-o", "a.tk")
        assert (folder / "a.tk").read_text() == "1 |BT| (S (a) (B c)) |ET|\n"

    def test_spaces_in_leaves(self, folder):
        (folder / "a.tk").write_text("1 |BT| (N New York) |ET|\n")
        assert good("a.tk", "--to", "json") == '["N",["New"],["York"]]\n'
        assert good("a.tk", "--to", "json", "--spaces-in-leaves") == '["N",["New York"]]\n'
        assert good("a.tk", "--to", "svmlight-tk", "--spaces-in-leaves") == "1 |BT| (N New York) |ET|\n"

    def test_column(self, folder):
        (folder / "a.tk").write_text("1 |BT| (S a) |BT| (T b) |ET| 1:1 |EV|\n")
        assert good("a.tk", "--column", "tree_2") == "(T b)\n"

    def test_deep_tree_as_json(self):
        depth = 100_000
        (line,) = tree_lines(Forest(["(a " * depth + "b" + ")" * depth]))
        assert line == '["a",' * depth + '["b"]' + "]" * depth
        assert tree_lines(Forest.from_postorder([], [], [0])) == ["[]"]
        assert json.loads(tree_lines(Forest(["(A (B c d) e)"]))[0]) == ["A", ["B", ["c"], ["d"]], ["e"]]


class TestFolders:
    @pytest.fixture
    def code(self, folder):
        for path, text in {"b/z.py": "z", "b/a.py": "a", "a/q.py": "q", "a/notes.txt": "no code"}.items():
            (folder / "code" / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / "code" / path).write_text(text)
        return folder

    def test_all_files_in_sorted_order_labelled_by_folder(self, code):
        good("code", "--from", "python", "--labels-from", "folder", "-o", "code.tk")
        X, y = read_svmlight_tk("code.tk")
        assert y.tolist() == ["a", "b", "b"]
        assert [tree.leaves() for tree in X] == [["q"], ["a"], ["z"]]

    def test_folder_needs_a_format(self, code):
        assert sentence("code", code=2).startswith("Invalid value for --from: say which files of the folder")

    def test_folder_without_such_files(self, code):
        assert "no xml file in this folder" in sentence("code", "--from", "xml", code=1)


class TestFailures:
    def test_usage(self, folder):
        (folder / "a.mrg").write_text("(S a)\n")
        assert sentence("a.txt", code=2).startswith(
            "Invalid value for --from: cannot tell the format of a.txt, please say it (see "
        )
        assert "cannot tell the format of standard input" in sentence("-", code=2)
        assert "cannot tell the format of b.xml" in sentence("a.mrg", "-o", "b.xml", code=2)
        assert "a.mrg has no labels" in sentence("a.mrg", "-o", "b.tk", code=2)
        assert "must be one of svmlight-tk, brackets, python" in sentence("a.mrg", "--from", "foo", code=2)
        assert "INPUT" in sentence(code=2)
        assert "--nonsense" in sentence("a.mrg", "--nonsense", code=2)
        assert "in no folder" in sentence(
            "-", "--from", "brackets", "--labels-from", "folder", "--to", "svmlight-tk", code=2, stdin="(S a)"
        )

    def test_files(self, folder):
        assert sentence("none.tk", code=1) == "none.tk: No such file or directory"
        (folder / "empty.tk").write_text("")
        assert sentence("empty.tk", code=1) == "no example in empty.tk"
        (folder / "a.mrg").write_text("(S a)\n")
        assert sentence("a.mrg", "-o", "none/b.mrg", code=1) == "none/b.mrg: No such file or directory"
        assert sentence("a.mrg", "--to", "svmlight-tk", "--label", "a b", code=1).startswith("y[0] is 'a b'")

    @pytest.mark.parametrize(
        ("name", "content", "message"),
        [
            ("a.tk", b"1 |BT| (S a) |ET|\n" * 16 + b"1 |BT| (S a |ET|\n",
             "a.tk, line 17, column 8: the tree is not closed: 1 ')' is missing"),
            ("a.tk", b"1 |BT| (S \xff) |ET|\n", "a.tk, line 1, column 11: byte 0xFF is not UTF-8 here"),
            ("a.mrg", b"(S a)\n(S b\n", "a.mrg, line 2, column 1: the tree is not closed: 1 ')' is missing"),
            ("a.py", b"x = 1\ny = (\n", "a.py, line 2, column 5: not Python: '(' was never closed"),
            ("a.json", b"{", "a.json, line 1, column 2: not JSON: "),
            ("a.jsonl", b"1\n\n{\n", "a.jsonl, line 3, column 2: not JSON: "),
            ("a.xml", b"<a>", "a.xml, line 1, column 4: not XML: no element found"),
            ("a.html", b"\xff", "a.html, line 1, column 1: byte 0xFF is not UTF-8 here"),
            ("a.conllu", b"1\ta\n", "a.conllu, line 1: expected 10 tab-separated fields, found 2"),
            ("a.tk.gz", gzip.compress(b"1 1:1\n" * 50, mtime=0)[:-9],
             "a.tk.gz: the gzip file is damaged or cut short"),
        ],
    )  # fmt: skip
    def test_bad_data(self, folder, name, content, message):
        (folder / name).write_bytes(content)
        (folder / "out.tk").write_text("old")
        assert sentence(name, "-o", "out.tk", "--label", "1", code=1).startswith(message)
        assert (folder / "out.tk").read_text() == "old"
        assert sorted(os.listdir(folder)) == sorted([name, "out.tk"])

    def test_collect_writes_the_good_ones(self, folder):
        (folder / "a.tk").write_text("1 |BT| (S a) |ET|\n1 |BT| (S b\n1 x\n1 |BT| (S c) |ET|\n")
        (folder / "b.py").write_text("x =")
        (folder / "c.html").write_bytes(b"\xff")
        result = run("a.tk", "b.py", "c.html", "--errors", "collect")
        assert result.exit_code == 1
        assert result.stdout == "(S a)\n(S c)\n"
        lines = result.stderr.splitlines()
        assert [line.split(":")[1].strip() for line in lines[:-1]] == [
            "a.tk, line 2, column 8", "a.tk, line 3, column 3", "b.py, line 1, column 4",
            "c.html, line 1, column 1",
        ]  # fmt: skip
        assert lines[-1] == "hedgerow: 4 of 6 examples could not be read; the others were written"

    def test_what_does_not_fit_the_output_is_not_dropped(self, folder):
        (folder / "a.tk").write_text("1 |BT| (S a) |ET| 1:1\n")
        assert "columns tree, vector" in sentence("a.tk", code=1)
        assert "no column 'x'; the columns are tree, vector" in sentence("a.tk", "--column", "x", code=1)
        assert "no trees in the column vector" in sentence("a.tk", "--column", "vector", code=1)
        (folder / "b.tk").write_text("1 |BV:tree| 1:1 |EV|\n")
        assert "trees in one input and vectors in another" in sentence(
            "a.tk", "b.tk", "--to", "svmlight-tk", code=1
        )

    def test_interruption_leaves_no_damaged_output(self, folder):
        (folder / "out").write_text("old")

        def write_and_be_interrupted():
            with writing("out") as out:
                out.write(b"new")
                raise KeyboardInterrupt

        with pytest.raises(KeyboardInterrupt):
            write_and_be_interrupted()
        assert (folder / "out").read_text() == "old"
        assert os.listdir(folder) == ["out"]


class TestProcesses:
    def test_version_and_help(self, folder):
        done = subprocess.run([*COMMAND, "--version"], capture_output=True, text=True, check=True)
        assert done.stdout.startswith("hedgerow 0.")
        done = subprocess.run([*COMMAND, "convert", "--help"], capture_output=True, text=True, check=True)
        assert "--labels-from" in done.stdout
        assert done.stderr == ""

    def test_pipe(self, folder):
        done = subprocess.run(
            [*COMMAND, "convert", "-", "--from", "brackets", "--to", "json"],
            input="(S (N é))\n", capture_output=True, encoding="utf-8", check=True,
        )  # fmt: skip
        assert done.stdout == '["S",["N",["é"]]]\n'

    def test_error_is_no_traceback(self, folder):
        done = subprocess.run([*COMMAND, "convert", "none.tk"], capture_output=True, text=True)
        assert done.returncode == 1
        assert done.stderr == "hedgerow: none.tk: No such file or directory\n"
        done = subprocess.run([*COMMAND, "convert"], capture_output=True, text=True)
        assert done.returncode == 2
        assert done.stderr.count("\n") == 1

    def test_broken_pipe_is_silent(self, folder):
        (folder / "many.mrg").write_text("(S (N some) (V words))\n" * 50_000)
        process = subprocess.Popen(
            [*COMMAND, "convert", "many.mrg"], stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
        assert process.stdout is not None
        assert process.stdout.readline() == b"(S (N some) (V words))\n"
        process.stdout.close()
        assert process.stderr is not None
        assert process.stderr.read() == b""
        process.stderr.close()
        assert process.wait() == 141

    def test_interrupt(self, folder):
        os.mkfifo("in.mrg")
        process = subprocess.Popen([*COMMAND, "convert", "in.mrg", "-o", "out.mrg"], stderr=subprocess.PIPE)
        with open("in.mrg", "wb"):  # returns when the process has opened the other end
            process.send_signal(signal.SIGINT)
            _, errors = process.communicate()
        assert process.returncode == 130
        assert errors == b"hedgerow: interrupted; nothing was written\n"
        assert os.listdir(folder) == ["in.mrg"]

    def test_unwritable_output(self, folder):
        (folder / "a.mrg").write_text("(S a)\n")
        done = subprocess.run(
            [*COMMAND, "convert", "a.mrg", "-o", "/dev/full", "--to", "brackets"],
            capture_output=True,
            text=True,
        )
        assert done.returncode == 1
        assert "No space left on device" in done.stderr
        assert done.stderr.count("\n") == 1


def test_choices_that_there_are_not():
    line = sentence("a.tk", "--to", "model", code=2)
    assert line.startswith("Invalid value for '--to': 'model' is not one of 'svmlight-tk', ")


def test_without_arguments_there_is_help_and_nothing_else():
    done = subprocess.run([sys.executable, "-m", "hedgerow"], capture_output=True, text=True, check=False)
    assert "Commands" in done.stdout + done.stderr
    assert "hedgerow:" not in done.stdout + done.stderr
    assert done.returncode == 2
