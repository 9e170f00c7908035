"""What the page says of each kind of thing."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from scipy import sparse
from sklearn.svm import LinearSVC

from hedgerow import distributed
from hedgerow.data import CandidateLists
from hedgerow.datasets import make_two_gaussians
from hedgerow.inspection import explain, fragments, weights
from hedgerow.kernels import RBF, Normalized, PartialTree, Spectrum, SubsetTree
from hedgerow.model_selection import progressive_validation
from hedgerow.models.tallies import tally_for
from hedgerow.online import RDA, Forgetron, Perceptron
from hedgerow.report import Report
from hedgerow.structured import (
    LabelSequence,
    Multiclass,
    Reranking,
    SequenceSVC,
    StructuredPerceptron,
    StructuredSVM,
)
from hedgerow.svm import SVC, CuttingPlaneSVC
from tests.report.conftest import Page, table_after


class TestModels:
    def test_tree_model(self, tree_model, page_of):
        page = page_of(tree_model)
        facts = page.facts()
        assert facts["Kernel"] == "Normalized(SubsetTree(decay=0.4, bag_of_words=False))"
        assert facts["Classes"] == "6: ABBR, DESC, ENTY, HUM, LOC, NUM"
        assert facts["Examples seen"].startswith("400,")
        assert facts["Supports"].startswith(f"{tree_model.n_support_:,}, ")
        chosen = dict(table_after(page, "Parameters that were chosen"))
        assert chosen == {"averaging": "&#39;average&#39;", "epochs": "2", "trace_every": "20"}
        assert "C" in page.html[page.html.index("parameters with their default values") :]
        assert page.text("h3") == ["Fragments that matter", "Sparsity", "Example by example"]
        assert page.text("h4") == ["ABBR", "DESC", "ENTY", "HUM", "LOC", "NUM"]
        assert "abbreviation" in page.text("text")
        nonzero = np.count_nonzero(tree_model.dual_coef_)
        assert f"{nonzero:,} of {tree_model.dual_coef_.size:,} weights of supports are not 0" in page.html

    def test_two_classes_and_other_tree_kernels(self, questions, page_of):
        trees, y = questions
        model = SVC(Normalized(PartialTree())).fit(trees[:60], y[:60] == "HUM")
        page = page_of(model)
        assert page.text("h4") == ["True rather than False"]
        assert page.facts()["Converged"] == "yes"
        assert page.facts()["Largest duality gap"]

    def test_classes_of_a_structured_machine(self, questions, page_of):
        trees, y = questions
        model = StructuredSVM(Multiclass(kernel=Normalized(SubsetTree())), C=1.0).fit(trees[:40], y[:40])
        page = page_of(model)
        assert page.facts()["Kernel"].startswith("Normalized(SubsetTree(")
        assert page.text("h4") == sorted(set(y[:40]))

    def test_products_have_no_fragments(self, questions, page_of):
        trees, y = questions
        page = page_of(Perceptron(SubsetTree() * SubsetTree()).fit(trees[:30], y[:30]))
        assert "Its fragments cannot be shown: " in page.html

    @pytest.mark.parametrize("learner", [RDA(l1=0.01, trace_every=50), Perceptron(trace_every=50)])
    def test_weights(self, learner, page_of):
        X, y = make_two_gaussians(200, random_state=0)
        page = page_of(learner.fit(sparse.csr_matrix(X), y))
        kept = learner.n_nonzero_
        assert page.facts()["Weights that are not 0"].startswith(f"{kept} of {X.shape[1]}, ")
        assert learner.coef_.shape == (1, X.shape[1])
        assert not sparse.issparse(learner.coef_)  # as it was before

    @pytest.mark.parametrize("kernel", [RBF(), None])
    def test_vectors(self, kernel, page_of):
        X, y = make_two_gaussians(100, random_state=0)
        page = page_of(Perceptron(kernel).fit(X, y))
        assert page.facts()["Features"] == str(X.shape[1])
        assert "Fragments that matter" not in page.html

    def test_strings(self, page_of):
        page = page_of(Perceptron(Spectrum(2)).fit(["abab", "cdcd"], [0, 1]))
        assert page.facts()["Kernel"] == "Spectrum(k=2)"

    def test_structured(self, page_of):
        X, Y = [["a", "b"], ["b", "b", "a"]], [["A", "B"], ["B", "B", "A"]]
        machine = SequenceSVC(templates=["word[0]"]).fit(X, Y)
        perceptron = StructuredPerceptron(LabelSequence(templates=["word[0]"]), epochs=3).fit(X, Y)
        page = page_of(machine, perceptron)
        assert page.text("h2") == ["SequenceSVC", "StructuredPerceptron", "Learning curves"]
        assert page.facts()["Problem"] == "LabelSequence"
        assert page.facts()["Classes"] == "2: A, B"
        assert "Towards the optimum" in page.text("h3")
        assert "Mean loss" in page.text("figcaption")

    def test_of_other_packages(self, page_of):
        X, y = make_two_gaussians(50, random_state=0)
        page = page_of(LinearSVC().fit(X, y))
        assert page.text("h2") == ["LinearSVC"]
        assert "Weights that are not 0" in page.facts()

    def test_equal_names(self, tree_model, page_of):
        page = page_of(tree_model, tree_model)
        assert page.text("h2")[:2] == ["PassiveAggressive", "PassiveAggressive (2): PassiveAggressive"]


class TestTraces:
    def test_of_several_learners(self, page_of):
        X, y = make_two_gaussians(300, random_state=0)
        one = Perceptron(RBF(), trace_every=20).fit(X, y)
        other = Forgetron(RBF(), budget=20, trace_every=20).fit(X, y)
        page = page_of(
            plain=one.trace_, budget=other.trace_, stream=progressive_validation(RDA(), X, y, trace_every=50)
        )
        rows = {row[0]: row[1:] for row in table_after(page, "At the end of learning")}
        assert rows["plain"][:2] == ["300", str(one.trace_.mistakes[-1])]
        assert rows["budget"][4] == "20"
        assert rows["stream"][3:] == ["–", "–", "–"]
        assert len(page.text("figcaption")) == 4
        assert page.text("text").count("budget") == 4  # in each legend

    def test_written_beside_its_model(self, tree_model, page_of):
        alone, both = page_of(tree_model), page_of(tree_model, tree_model.trace_)
        assert alone.html == both.html
        assert (
            "trace"
            in page_of(tree_model, Perceptron(RBF(), trace_every=1).fit([[0.0], [1.0]], [0, 1]).trace_).html
        )

    def test_rounds(self, page_of):
        X, y = make_two_gaussians(100, random_state=0)
        machine = CuttingPlaneSVC(RBF()).fit(X, y)
        page = page_of(machine)
        (row,) = table_after(page, "At the end of learning")
        assert row[:3] == ["CuttingPlaneSVC", str(machine.n_iter_.sum()), "1"]
        assert page.text("figcaption")[-3:] == [
            "Objective of the dual; thin: of the primal",
            "Violation, which ends below tol",
            "Support vectors",
        ]

    def test_with_gaps(self, page_of):
        columns = {"examples": [10, 20, 30], "mistakes": [5, 6, 7], "f1": [0.5, None, 0.7]}
        page = page_of(gaps=columns, nothing={**columns, "f1": [None, None, None]})
        assert [row[4] for row in table_after(page, "At the end of learning")] == ["0.7000", "–"]

    def test_without_entries(self, page_of):
        page = page_of(short={"examples": [], "mistakes": [], "seconds": []})
        assert "Nothing was recorded in short." in page.text("p")


class TestEvaluations:
    def test_classes(self, tree_model, questions):
        trees, y = questions
        page = Page(Report().add_evaluation(tree_model, trees[200:], y[200:], "test").html())
        predicted = tree_model.predict(trees[200:])
        assert page.facts()["Accuracy"] == f"{(predicted == y[200:]).mean():.4f}"
        rows = table_after(page, "Class by class")
        assert [row[0] for row in rows] == [*np.unique(y), "mean over classes"]
        confusion = table_after(
            page, "Confusions: a row for each true class, a column for each predicted one"
        )
        counts = [[0 if cell == "·" else int(cell) for cell in row[1:]] for row in confusion]
        expected = [
            [int(((y[200:] == a) & (predicted == b)).sum()) for b in np.unique(y)] for a in np.unique(y)
        ]
        assert counts == expected
        assert page.text("dd")[0] == f"{100 * (predicted == y[200:]).mean():.1f}%"  # at the top

    def test_probabilities(self, questions):
        trees, y = questions
        model = SVC(Normalized(SubsetTree()), C=10, probability="sigmoid").fit(trees[:200], y[:200])
        page = Page(Report().add_evaluation(model, trees[200:], y[200:], "test").html())
        error = page.facts()["Expected calibration error"]
        label = f"Accuracy by probability; the expected calibration error is {error}"
        assert any(label in one.get("aria-label", "") for one in page.all("div"))

    def test_many_classes(self, page_of):
        counts = (np.eye(30, dtype=int) * 5).tolist()
        counts[3][7] = 4
        figures = {"accuracy": 0.97, "f1": 0.96, "confusion": {"labels": list(range(30)), "counts": counts}}
        page = page_of(figures)
        assert table_after(page, "The 1 most frequent of 1 confusions") == [["3", "7", "4"]]
        assert any("Confusions of 30 classes" in one.get("aria-label", "") for one in page.all("div"))

    def test_sequences(self, page_of):
        X, Y = [["a", "b"], ["b", "b", "a"]], [["B-X", "I-X"], ["O", "O", "B-X"]]
        model = SequenceSVC(templates=["word[0]"]).fit(X, Y)
        page = Page(Report().add_evaluation(model, X, Y).html())
        assert page.facts()["Sentences"] == "2"
        assert page.facts()["Tokens"] == "5"
        assert page.facts()["F1 of spans"] == "1.0000" or float(page.facts()["F1 of spans"]) < 1
        rows = table_after(page, "Spans of tokens, right when both ends and the kind are")
        assert [row[:2] for row in rows] == [["all", "2"], ["X", "2"]]

    def test_parses_lists_and_taxonomies(self, page_of):
        parses = {"trees": 4, "accuracy": 0.5, "exact": 0.5, "precision": 0.9, "recall": 0.7, "f1": 0.7875}
        parses["brackets"] = {"true": 10, "predicted": 9, "correct": 8}
        facts = page_of(parses).facts()
        assert facts["Trees"] == "4"
        assert facts["F1 of brackets"] == "0.7875"
        assert facts["Trees without a fault"] == "0.5000"
        assert "Accuracy" not in facts
        lists = {
            "lists": 7,
            "accuracy": 0.5,
            "f1": 0.5,
            "grade": 0.9,
            "baseline_grade": 0.8,
            "oracle_grade": 0.95,
        }
        assert page_of(lists).facts()["Mean grade of those chosen"] == "0.9000"
        assert page_of({"accuracy": 1.0, "f1": 1.0, "tree_loss": 0.25}).facts()["Mean tree loss"] == "0.2500"

    def test_as_distributed_evaluate_gives_it(self, tree_model, questions, page_of, tmp_path):
        from hedgerow.io import write_svmlight_tk

        trees, y = questions
        write_svmlight_tk(tmp_path / "part.tk", trees[200:], y[200:])
        figures = distributed.evaluate(tree_model, distributed.read(str(tmp_path / "*.tk"), shards=1))
        assert page_of(figures).facts()["Examples"] == "100"


def test_explanation(tree_model, questions, page_of):
    trees, _ = questions
    why = explain(tree_model, trees[[250]], n_largest=3)[0]
    page = page_of(why=why)
    assert page.facts()["Predicted"] == why.predicted
    assert page.facts()[f"Score of {why.predicted}"] == f"{why.main.score:+.4f}"
    assert page.text("h3")[0] == f"{why.predicted}: {why.main.score:.6g}"
    assert len(page.text("h3")) == 3
    assert page.html.count("<details") == len(why.accounts) - 3  # lower scores are folded
    for one in why.main.contributions:
        assert str(one) in page.text("th")
    assert "all other fragments" in page.text("th")


def test_what_inspection_finds(tree_model, page_of):
    words, tags = [["the", "dog", "barks"]], [["D", "N", "V"]]
    tagger = StructuredPerceptron(LabelSequence(templates=None), epochs=2).fit(words, tags)
    assert page_of(why=explain(tagger, words)[0]).text("h3")[0].startswith("the D: ")
    assert page_of(learned=fragments(tree_model, 2)).html.count("<svg") == 12
    page = page_of(learned=weights(tagger, 2))
    assert page.text("h3")[0].startswith("D: ")
    assert "the" in page.text("th")


def test_the_best_outputs(page_of):
    """Brute force over the k best of few sentences, one piece after another."""
    random = np.random.default_rng(0)
    X = [random.normal(size=(3, 2)) for _ in range(60)]
    Y = [(x[:, 0] + random.normal(size=3) > 0).astype(int).tolist() for x in X]
    model = SequenceSVC(random_state=0).fit(X[:30], Y[:30])
    tally = tally_for(model, 3)
    for begin in (0, 20):
        part = tally_for(model, 3)
        part.count(model, X[begin : begin + 20], Y[begin : begin + 20])
        tally.update(part)
    figures = tally.figures()
    ranked = model.predict_k(X[:40], 3)
    places = [[labels for labels, _ in some].index(y) if y in [labels for labels, _ in some] else 3
              for y, some in zip(Y, ranked, strict=False)]  # fmt: skip
    assert figures["k_best"]["within"] == [np.mean([place < k for place in places]) for k in (1, 2, 3)]
    order = np.argsort(model.decision_scores(X[:40]))
    expected = [np.mean([places[i] == 0 for i in some]) for some in np.array_split(order, 5)]
    assert [group["accuracy"] for group in figures["k_best"]["margins"]] == expected
    assert figures["examples"] == 120  # tokens
    page = page_of(figures)
    assert "How often the true output is among the best ones" in page.html
    assert [text for text in page.text("th") if text.startswith("the best")] == [
        "the best one",
        "the best 2",
        "the best 3",
    ]
    report = Report().add_evaluation(model, X, Y, k_best=2)
    assert "the best 2" in report.html()
    with pytest.raises(ValueError, match="k_best is for models with predict_k; RDA ranks no outputs"):
        Report().add_evaluation(RDA().fit([[0.0], [1.0]], [0, 1]), [[0.0]], [0], k_best=2)


def test_the_best_candidates():
    """Any candidate with the highest grade is right."""
    X = sparse.csr_matrix([[1.0], [0.5], [0.0], [0.0], [1.0]])
    lists = CandidateLists([3, 2], features=X, grades=[0.0, 1.0, 1.0, 1.0, 0.0])
    model = StructuredSVM(Reranking()).fit(
        CandidateLists([2], features=[[1.0], [0.0]], grades=[1.0, 0.0]), None
    )
    tally = tally_for(model, 2)
    tally.count(model, lists, None)
    assert tally.figures()["k_best"]["within"] == [0.0, 1.0]


def test_one_label_has_no_margin(page_of):
    model = SequenceSVC(random_state=0).fit([["a", "b"]], [["X", "X"]])
    figures = tally_for(model, 2)
    figures.count(model, [["a"]], [["X"]])
    assert figures.figures()["k_best"] == {
        "within": [1.0, 1.0],
        "margins": [{"from": None, "to": None, "examples": 1, "accuracy": 1.0}],
    }
    assert "no other" in page_of(figures.figures()).html


def test_least_sure_token(page_of):
    words, tags = [["the", "dog", "barks"]], [["D", "N", "V"]]
    tagger = SequenceSVC(random_state=0).fit(words, tags)
    margins = tagger.token_margins(words)[0]
    token = int(np.argmin(margins))
    facts = page_of(why=explain(tagger, words)[0]).facts()
    assert facts["Least sure"] == f"{words[0][token]} {tags[0][token]}, by {margins[token]:.4g}"


def test_models_stay_as_they_are(questions, tree_model, page_of):
    trees, y = questions
    X, labels = make_two_gaussians(60, random_state=0)
    words, tags = [["the", "dog", "barks"], ["a", "cat"]], [["D", "N", "V"], ["D", "N"]]
    models = [
        RDA().fit(X, labels),
        tree_model,
        Perceptron(averaging="vote").fit(X, labels),
        SVC(RBF()).fit(X, labels),
        CuttingPlaneSVC(RBF()).fit(X, labels),
        StructuredSVM(Multiclass(kernel=Normalized(SubsetTree()))).fit(trees[:40], y[:40]),
        SequenceSVC(random_state=0).fit(words, tags),
    ]
    for model in models:
        before = pickle.dumps(model)
        page_of(model)
        assert pickle.dumps(model) == before, type(model).__name__
