"""``--problem taxonomy`` and ``--problem multiclass``: vectors, texts and trees with one label each."""

from __future__ import annotations

import json

import numpy as np
import pytest
from scipy import sparse

import hedgerow
from hedgerow.io import write_svmlight_tk
from hedgerow.kernels import Normalized, Polynomial, SubsetTree
from hedgerow.structured import Multiclass, MulticlassSVC, StructuredSVM, TaxonomySVC

PARENTS = {"cat": ("animal",), "dog": ("animal",), "oak": ("plant",), "animal": ("ROOT",), "plant": ("ROOT",)}


@pytest.fixture
def classes(folder):
    """Vectors of three classes in a tree: train.svm, test.svm and parents.tsv."""
    random = np.random.RandomState(0)
    names = np.array(["cat", "dog", "oak"])
    sets = {}
    for name, n in (("train", 60), ("test", 30)):
        y = names[random.randint(3, size=n)]
        X = random.normal(size=(n, 5)) + 2 * (y[:, None] == [["cat", "dog", "oak", "", ""]])
        X[random.random_sample(X.shape) < 0.3] = 0
        sets[name] = sparse.csr_matrix(X), y
        write_svmlight_tk(f"{name}.svm", *sets[name])
    links = "".join(f"{parent}\t{child}\n" for child, above in PARENTS.items() for parent in above)
    (folder / "parents.tsv").write_text(links)
    return sets


class TestClasses:
    @pytest.mark.parametrize("loss", [None, "path", "zero-one"])
    def test_taxonomy(self, classes, hedgerow_command, loss):
        options = ["--problem", "taxonomy", "--taxonomy", "parents.tsv", "-C", 0.5, "--seed", 1]
        settings = {"C": 0.5, "random_state": 1}
        if loss is not None:
            options += ["--loss", loss]
            settings |= {"loss": loss} | ({"rescaling": None} if loss == "zero-one" else {})
        hedgerow_command.good("train", "train.svm", "-o", "a.model", *options)
        expected = TaxonomySVC(PARENTS, **settings).fit(*classes["train"])
        model = hedgerow.load("a.model")
        assert type(model) is TaxonomySVC
        np.testing.assert_allclose(model.coef_, expected.coef_, rtol=0, atol=0)
        X, y = classes["test"]
        predicted = expected.predict(X)
        assert hedgerow_command.good("predict", "a.model", "test.svm").split() == predicted.tolist()
        figures = json.loads(hedgerow_command.good("evaluate", "a.model", "test.svm", "--json"))
        cost = {("cat", "dog"): 1, ("cat", "oak"): 2, ("dog", "oak"): 2}
        losses = [cost.get(tuple(sorted(pair)), 0) for pair in zip(y, predicted, strict=True)]
        assert figures["tree_loss"] == pytest.approx(np.mean(losses))
        assert figures["accuracy"] == pytest.approx(np.mean(predicted == y))
        assert "mean tree loss" in hedgerow_command.good("evaluate", "a.model", "test.svm")

    def test_classes_that_training_had_none_of(self, classes, hedgerow_command):
        X, y = classes["train"]
        write_svmlight_tk("few.svm", X[y != "dog"], y[y != "dog"])
        hedgerow_command.good(
            "train", "few.svm", "-o", "a.model", "--problem", "taxonomy", "--taxonomy", "parents.tsv"
        )
        figures = json.loads(hedgerow_command.good("evaluate", "a.model", "test.svm", "--json"))
        assert figures["classes"]["dog"]["recall"] == 0
        assert figures["tree_loss"] > 0

    @pytest.mark.parametrize("stream", [[], ["--stream"]], ids=["at once", "stream"])
    @pytest.mark.parametrize(
        ("named", "expected"),
        [("leaves", ["cat", "dog", "oak"]), ("all", ["ROOT", "animal", "cat", "dog", "oak", "plant"])],
    )
    def test_classes_of_the_taxonomy(self, classes, hedgerow_command, named, expected, stream):
        X, y = classes["train"]
        write_svmlight_tk("few.svm", X[y != "dog"], y[y != "dog"])
        options = ["--problem", "taxonomy", "--taxonomy", "parents.tsv", "--classes", named, *stream]
        hedgerow_command.good("train", "few.svm", "-o", "a.model", *options)
        assert hedgerow.load("a.model").classes_.tolist() == expected

    def test_labels_are_words_in_a_taxonomy(self, hedgerow_command, folder):
        (folder / "a.svm").write_text("1 1:1\n2 2:1\n1 1:2\n")
        (folder / "p.tsv").write_text("0\t1\n0\t2\n")
        hedgerow_command.good(
            "train", "a.svm", "-o", "a.model", "--problem", "taxonomy", "--taxonomy", "p.tsv"
        )
        assert hedgerow_command.good("predict", "a.model", "a.svm") == "1\n2\n1\n"

    def test_multiclass(self, classes, hedgerow_command):
        hedgerow_command.good("train", "train.svm", "-o", "a.model", "--problem", "multiclass", "--seed", 1)
        expected = MulticlassSVC(random_state=1).fit(*classes["train"])
        np.testing.assert_array_equal(hedgerow.load("a.model").coef_, expected.coef_)
        hedgerow_command.good(
            "train",
            "train.svm",
            "-o",
            "a.model",
            "--problem",
            "multiclass",
            "--kernel",
            "polynomial",
            "--seed",
            1,
        )
        expected = StructuredSVM(Multiclass(Polynomial()), random_state=1).fit(*classes["train"])
        assert (
            hedgerow_command.good("predict", "a.model", "test.svm").split()
            == expected.predict(classes["test"][0]).tolist()
        )

    def test_new_features_are_left_out(self, classes, hedgerow_command, folder):
        hedgerow_command.good("train", "train.svm", "-o", "a.model", "--problem", "multiclass")
        (folder / "wide.svm").write_text("cat 1:3\ncat 1:3 99:5\n")
        first, second = hedgerow_command.good("predict", "a.model", "wide.svm").split()
        assert first == second

    def test_texts_and_trees(self, questions, hedgerow_command, folder):
        words = [" ".join(tree.leaves()) for tree in questions.trees]
        lines = [f"{label}\t{text}\n" for label, text in zip(questions.y, words, strict=True)]
        (folder / "train.tsv").write_text("".join(lines[:240]))
        (folder / "test.tsv").write_text("".join(lines[240:]))
        options = ["--problem", "multiclass", "--seed", 1]
        hedgerow_command.good(
            "train", "train.tsv", "-o", "a.model", *options, "--format", "text", "--hash-bits", 12
        )
        figures = json.loads(hedgerow_command.good("evaluate", "a.model", "test.tsv", "--json"))
        assert figures["accuracy"] > 0.8
        hedgerow_command.good("train", "six.tk", "-o", "b.model", *options)
        kernel = Normalized(SubsetTree())
        expected = StructuredSVM(Multiclass(kernel), random_state=1).fit(
            questions.trees[:240], questions.y[:240]
        )
        predicted = hedgerow_command.good("predict", "b.model", "test.tk").split()
        assert predicted == expected.predict(questions.trees[240:]).tolist()

    def test_stream(self, classes, hedgerow_command):
        options = ["--problem", "multiclass", "--learner", "structured-perceptron"]
        hedgerow_command.good("train", "train.svm", "-o", "a.model", *options)
        hedgerow_command.good("train", "train.svm", "-o", "b.model", *options, "--stream")
        a, b = (hedgerow.load(name) for name in ("a.model", "b.model"))
        np.testing.assert_array_equal(a.coef_, b.coef_)

    def test_failures(self, classes, hedgerow_command, folder):
        train = ["train", "train.svm", "-o", "a.model", "--problem", "taxonomy"]
        text = hedgerow_command.sentence(*train, code=2)
        assert "--taxonomy: the problem taxonomy needs it" in text
        (folder / "bad.tsv").write_text("ROOT\tcat\nROOT dog oak\n")
        text = "bad.tsv, line 2: expected parent and child with a tab between, found 'ROOT dog oak'"
        assert hedgerow_command.sentence(*train, "--taxonomy", "bad.tsv") == text
        (folder / "few.tsv").write_text("ROOT\tcat\nROOT\tdog\n")
        assert "the taxonomy has no 'oak'" in hedgerow_command.sentence(*train, "--taxonomy", "few.tsv")
        (folder / "cycle.tsv").write_text("a\tb\nb\ta\n")
        assert "cycle" in hedgerow_command.sentence(*train, "--taxonomy", "cycle.tsv")
