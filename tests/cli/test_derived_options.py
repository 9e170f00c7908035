"""Options that are made from classes: all of them are shown, taken, and reach the model."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any, get_args, get_origin

import pytest
from scipy import sparse

import hedgerow
from hedgerow import registry
from hedgerow.cli.commands import COMMANDS
from hedgerow.cli.derived import DerivedOption, derived, text_of
from hedgerow.cli.listing import Kind
from hedgerow.cli.scoring import load_model
from hedgerow.cli.train.choice import WORDS, DataOptions
from hedgerow.cli.train.named import Named, problems, variants
from hedgerow.io import write_svmlight_tk

FLAT = [name for name, row in registry.learners().items() if not row.structured]
STRUCTURED = [
    (problem, name)
    for problem, row in problems().items()
    for name, learner in registry.learners().items()
    if row.takes(learner)
]
# Values in place of those that are found by type.
VALUES: dict[str, Any] = {
    "alphabet": "abcdefghijklmnopqrstuvwxyz ",
    "classes": ["a", "b", "c"],
    "confidence": 0.8,
    "constraints": "bio",
    "demotion": 0.6,
    "hash_bits": 4,
    "features": 9,
    "half_life": 5.0,
    "initial_weights": (3.0, 1.5),
    "label_column": 2,
    "mismatches": 2,
    "promotion": 1.7,
    "threshold": 2.0,
    "variant": "PA-II",
    "class_weight": {"a": 2.0, "b": 1.0, "c": 0.5},
}
# Options that exclude others, or are refused here, each with what it needs instead of all others.
APART: dict[str, dict[str, list[str]]] = {
    "budget": {"projectron": [], "projectron++": []},
    "adaptive": {"rda": [], "vrda": []},
    "counting": {name: ["--averaging", "average"] for name in ("truncated-gradient", "regret-winnow")},
    "l2": {"adagrad-rda": []},
    "averaging": {"structured-svm": ["--solver", "frank-wolfe", "--slack", "linear"]},
    "class_weight": {name: [] for name in FLAT},
    "column": {name: [] for name in [*FLAT, "structured-svm", "structured-perceptron"]},
    "max_iter": {"structured-svm": ["--tol", "1"], "svm": [], "cutting-plane": []},
    "optimization": {"structured-svm": ["--solver", "n-slack"]},
    "precision": {
        "perceptron": ["--kernel", "linear"],
        "pa": ["--kernel", "linear"],
        "romma": ["--kernel", "linear"],
    },
    "slack": {"structured-svm": ["--solver", "n-slack"]},
    "random_state": {"svm": ["--multiclass", "codes"]},
    "rescaling": {"structured-svm": []},
    "solver": {"structured-svm": ["--slack", "linear"]},
    "transition_features": {"structured-svm": [], "structured-perceptron": []},
    "window": {"structured-svm": [], "structured-perceptron": []},
    "order": {"structured-svm": [], "structured-perceptron": []},
    "stream": {
        "structured-svm": ["--solver", "frank-wolfe", "--slack", "linear"],
        "structured-perceptron": [],
    },
}

REFUSED = {("rivals", "structured-perceptron")}  # of the problem, but without effect on this learner


def other_value(option: DerivedOption) -> Any:
    """A value that is not the default."""
    parameter = option.parameter
    value = VALUES.get(parameter.name)
    if value is not None and (not parameter.choices or parameter.types or value in parameter.choices):
        return value
    if parameter.choices:
        others = [value for value in parameter.choices if value != parameter.default]
        return next((value for value in others if value is not None), None)
    if bool in parameter.types:
        return not parameter.default
    for kind in parameter.types:
        if kind is int:
            return 2 if parameter.default is None else parameter.default + 1
        if kind is float:
            return (
                0.5 if not parameter.default or parameter.default == float("inf") else parameter.default / 2
            )
        if get_origin(kind) is Sequence:
            return ["TOP", "X"]
        if kind is str:
            return "#"
    raise AssertionError(f"no value for {option.name}")


def words(option: DerivedOption, value: Any) -> list[str]:
    if isinstance(value, bool):
        return [option.name if value else option.name.replace("--", "--no-", 1)]
    return [option.name, text_of(value)]


@pytest.fixture
def files(folder):
    write_files(folder)
    return folder


def write_files(folder: Path) -> None:
    """A file of examples for every kind of data, with what else options read."""
    rows = [[(i * j) % 4 + (i % 3 == j % 3) * 2 for j in range(1, 6)] for i in range(24)]
    write_svmlight_tk(
        folder / "vectors", sparse.csr_matrix(rows, dtype=float), ["abc"[i % 3] for i in range(24)]
    )
    trees = [f"{'abc'[i % 3]} |BT| (S (N {'xyz'[i % 3]}) (V {'pq'[i % 2]})) |ET|\n" for i in range(12)]
    (folder / "trees").write_text("".join(trees))
    (folder / "both").write_text("".join(f"{line[:-1]} {1 + i % 3}:1 |EV|\n" for i, line in enumerate(trees)))
    (folder / "texts").write_text("".join(f"{'abc'[i % 3]}\t{'the cat sat'[i % 5 :]}\n" for i in range(12)))
    (folder / "columns").write_text(
        "the DT B-NP\ncat NN I-NP\nsat VB O\n\na DT B-NP\ndog NN I-NP\nran VB O\n\n" * 3
    )
    (folder / "brackets").write_text(
        "(S (NP (D a) (A b) (N c)) (VP (V d)))\n(S (NP (N c)) (VP (V d) (NP (N a))))\n" * 2
    )
    (folder / "lists.nbest").write_text(
        "qid:1 (S (A a))\n-1 (S (A a))\n-2 (X (B a))\nqid:2 (S (A b))\n-1 (X (B b))\n-2 (S (A b))\n" * 4
    )
    (folder / "taxonomy.tsv").write_text("top\ta\ntop\tb\nROOT\ttop\nROOT\tc\n")
    (folder / "weights.tsv").write_text("top\t0.5\n")
    (folder / "losses.tsv").write_text("a\tb\t0.5\nB-NP\tO\t2\n")
    (folder / "classes.tsv").write_text("a\tone two\nb\ttwo three\nc\tfour\n")
    (folder / "pairs").write_text("aab\txyx\nabb\tyyx\naaa\txxx\n")
    (folder / "words.templates").write_text("word[0]\n")


FILES = {
    "taxonomy": "vectors",
    "multiclass": "vectors",
    "output-features": "vectors",
    "sequence": "columns",
    "grammar": "brackets",
    "reranking": "lists.nbest",
    "tree": "trees",
    "text": "texts",
    "vector": "vectors",
}
READ = {
    "parents": "taxonomy.tsv",
    "node_weights": "weights.tsv",
    "loss": "losses.tsv",
    "templates": "words.templates",
    "features": "classes.tsv",
}


def checked_run(
    hedgerow_command, file: str, named: list[str], options: Mapping[DerivedOption, Any], more: list[str]
):
    """Trains with these values and finds them in the model."""
    command = ["train", "--learner", "perceptron", file, "-o", "a.model", *named, *more, "--quiet"]
    for option, value in options.items():
        command += words(option, value)
    if any(option.parameter.name == "trace_every" for option in options):
        command += ["--trace", "a.csv"]
    result = hedgerow_command.run(*command)
    assert result.exit_code == 0, f"{' '.join(map(str, command))}: {result.output}"
    model = hedgerow.load("a.model")
    for option, value in options.items():
        found = model.get_params(deep=True)
        key = option.parameter.name
        own = (key, f"problem__{key}", f"kernel__{key}", f"kernel__kernel__{key}")
        names = (*own, f"transformer__{key}", f"problem__transformer__{key}")
        if option.panel.startswith("Learner") and key not in (
            "epochs",
            "shuffle",
            "random_state",
            "trace_every",
        ):
            names = (f"learner__{key}", *names)
        (name, *_) = [name for name in names if name in found]
        expected = value if option.reads is None else option.reads(value)
        # Templates are kept with the columns that they speak of.
        assert getattr(found[name], "templates", found[name]) == expected, option.name


def run_all(
    hedgerow_command, file: str, named: list[str], learner: str, options: list[DerivedOption]
) -> None:
    """All options at once, but for those that exclude others: these one by one."""
    given = {
        option: other_value(option) if option.reads is None else READ[option.parameter.name]
        for option in options
    }
    required = {o: v for o, v in given.items() if o.name in ("--taxonomy", "--class-features")}
    together = {o: v for o, v in given.items() if learner not in APART.get(o.parameter.name, {})}
    checked_run(hedgerow_command, file, named, together, [])
    for option, value in given.items():
        if option not in together:
            checked_run(
                hedgerow_command,
                file,
                named,
                {**required, option: value},
                APART[option.parameter.name][learner],
            )


@pytest.mark.parametrize("name", FLAT)
def test_every_option_of_a_learner(files, hedgerow_command, name):
    options = [
        option for option in Named.among(["--learner", name]).options() if option.panel.startswith("Learner")
    ]
    run_all(hedgerow_command, "vectors", ["--learner", name], name, options)


@pytest.mark.parametrize("name", registry.kernels())
def test_every_option_of_a_kernel(files, hedgerow_command, name):
    row = registry.kernels()[name]
    options = derived(row.parameters, f"Kernel {name}")
    run_all(hedgerow_command, FILES[row.data_kind], ["--kernel", name], "perceptron", options)


@pytest.mark.parametrize(("problem", "learner"), STRUCTURED)
def test_every_option_of_a_problem(files, hedgerow_command, problem, learner):
    named = ["--problem", problem, "--learner", learner]
    options = [
        option
        for option in Named.among(named).options()
        if option.panel != "Data" and (option.parameter.name, learner) not in REFUSED
    ]
    run_all(hedgerow_command, FILES.get(problem, "pairs"), named, learner, options)


# How each option on the data is given, and what then is in the model and its notes.
SEQUENCES = ["--problem", "sequence"]
OF_DATA: dict[str, tuple[list[str], Callable[[Any, Any], bool]]] = {
    "format": (["texts", "--format", "text"], lambda model, notes: notes["format"] == "text"),
    "column": (["both", "--column", "vector"], lambda model, notes: notes["columns"] == {"vector": "vector"}),
    "classes": (["vectors", "--classes", "a,b,c,d"], lambda model, notes: "d" in model.classes_),
    "features": (["vectors", "--features", "9"], lambda model, notes: model.n_features_in_ == 9),
    "tokens": (
        ["texts", "--kernel", "spectrum", "--tokens"],
        lambda model, notes: notes["tokens"] and not isinstance(model.support_items_[0], str),
    ),
    "hash_bits": (
        ["texts", "--format", "text", "--hash-bits", "4"],
        lambda model, notes: model.n_features_in_ == 16,
    ),
    "ngrams": (
        ["texts", "--format", "text", "--ngrams", "2"],
        lambda model, notes: model.vectorizer.ngrams == 2,
    ),
    "analyzer": (
        ["texts", "--format", "text", "--analyzer", "char"],
        lambda model, notes: model.vectorizer.analyzer == "char",
    ),
    "lowercase": (
        ["texts", "--format", "text", "--no-lowercase"],
        lambda model, notes: not model.vectorizer.lowercase,
    ),
    "counts": (
        ["texts", "--format", "text", "--counts", "log"],
        lambda model, notes: model.vectorizer.counts == "log",
    ),
    "norm": (
        ["texts", "--format", "text", "--norm", "l1"],
        lambda model, notes: model.vectorizer.norm == "l1",
    ),
    "spaces_in_leaves": (["trees", "--spaces-in-leaves"], lambda model, notes: notes["spaces_in_leaves"]),
    "label_column": (
        [*SEQUENCES, "columns", "--label-column", "2"],
        lambda model, notes: set(model.problem_.classes_) == {"DT", "NN", "VB"},
    ),
    "comments": (
        [*SEQUENCES, "columns", "--comments", "cat"],
        lambda model, notes: notes["comments"] == "cat",
    ),
    "stream": (
        [*SEQUENCES, "columns", "--stream", "--classes", "B-NP,I-NP,O,X"],
        lambda model, notes: "X" in model.problem_.classes_,
    ),
}


@pytest.mark.parametrize(
    "name", [*(field.name for field in fields(DataOptions) if field.name != "words"), *WORDS]
)
def test_every_option_on_the_data(files, hedgerow_command, name):
    arguments, reached = OF_DATA[name]
    learner = ["--learner", "structured-perceptron" if arguments[0] == "--problem" else "arow"]
    if name in ("tokens", "spaces_in_leaves"):
        learner = ["--learner", "pa"]
    hedgerow_command.good(
        "train", "--learner", "perceptron", "-o", "a.model", *learner, *arguments, "--quiet"
    )
    assert reached(*load_model("a.model", spaces_in_leaves=False))


# -- help ---------------------------------------------------------------------------------------------------


def shown(text: str) -> str:
    """The words of a help, without frames and line ends."""
    return " ".join(text.replace("│", " ").split())


@pytest.mark.parametrize("named", variants(), ids=" ".join)
def test_help_shows_what_is_taken(hedgerow_command, monkeypatch, named):
    monkeypatch.setenv("COLUMNS", "400")  # so that no word is broken
    text = shown(hedgerow_command.good("train", *named, "--help"))
    options = Named.among(named).options()
    assert len({option.name for option in options}) == len(options)
    for option in options:
        assert option.name in text
        assert option.help.partition(" Default: ")[0] == option.parameter.summary
        assert " ".join(option.help.split()) in text, option.name


def test_help_fits_on_a_screen(hedgerow_command, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    lines = hedgerow_command.good("train", "--help").splitlines()
    assert len(lines) <= 40
    assert max(map(len, lines)) <= 80


@pytest.mark.parametrize("name", COMMANDS)
def test_the_list_of_commands_has_their_first_lines(hedgerow_command, monkeypatch, name):
    monkeypatch.setenv("COLUMNS", "200")
    assert COMMANDS[name][1].replace("`", "") in shown(hedgerow_command.good(name, "--help"))


@pytest.mark.parametrize("kind", get_args(Kind))
def test_lists(hedgerow_command, kind):
    rows = problems() if kind == "problems" else getattr(registry, kind)()
    lines = hedgerow_command.good("list", kind).splitlines()
    assert [line.split()[0] for line in lines] == list(rows)
    assert all(line.endswith(row.purpose) for line, row in zip(lines, rows.values(), strict=True))
    assert json.loads(hedgerow_command.good("list", kind, "--json")) == {
        name: row.purpose for name, row in rows.items()
    }


@pytest.mark.parametrize("argument", ["--version", "--help"])
def test_starting_imports_little(argument):
    program = (
        "import sys\nfrom hedgerow.cli import main\nsys.argv[1:] = [%r]\n"
        "try:\n    main()\nfinally:\n    assert not {'numpy', 'sklearn', 'scipy'} & sys.modules.keys()"
    )
    subprocess.run([sys.executable, "-c", program % argument], check=True, capture_output=True)


def test_no_function_of_the_command_line_is_long():
    for path in sorted(Path(hedgerow.cli.__file__).parent.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.FunctionDef):
                assert node.end_lineno - node.lineno < 60, f"{path.name}: {node.name}"
