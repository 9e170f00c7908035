"""Learning to parse: machines, the PCFG, and what is saved of them."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV

import hedgerow
from hedgerow import Forest
from hedgerow.structured import PCFG, GrammarSVC, StructuredPerceptron, StructuredSVM, WeightedGrammar
from tests.structured.slow_grammar import random_tree

# Phrases with "of" belong to nouns, others to verbs.
TREES = [
    "(S (NP (N we)) (VP (V saw) (NP (NP (N birds)) (OP (OF of) (NP (N prey))))))",
    "(S (NP (N we)) (VP (V saw) (NP (N birds)) (PP (IN in) (NP (N trees)))))",
    "(S (NP (N we)) (VP (V saw) (NP (N birds)) (PP (IN in) (NP (N trees)))))",
    "(S (NP (NP (N birds)) (OP (OF of) (NP (N prey)))) (VP (V sang)))",
    "(S (NP (N we)) (VP (V saw) (NP (NP (N birds)) (OP (OF of) (NP (N prey)))) (PP (IN in) (NP (N trees)))))",
]


@pytest.mark.parametrize(
    "parameters",
    [
        {},
        {"rescaling": "slack"},
        {"rescaling": None},
        {"loss": "brackets", "slack": "linear", "solver": "one-slack"},
        {"loss": "zero-one"},
        {"input": "words", "min_word_count": 1},
        {"parents": True, "branching": "left", "markov": 1},
    ],
    ids=str,
)
def test_machines_learn_their_trees(parameters):
    model = GrammarSVC(C=100.0, **parameters).fit(TREES, TREES)
    assert model.converged_
    assert model.predict(TREES) == TREES
    assert model.score(TREES, TREES) == 1.0


def test_the_estimator_is_the_machine_of_its_problem():
    model = GrammarSVC(C=0.5, markov=2).fit(TREES, TREES)
    machine = StructuredSVM(WeightedGrammar(markov=2), 0.5, slack="quadratic", solver="n-slack")
    assert np.array_equal(machine.fit(TREES, TREES).coef_, model.coef_)


def test_the_pcfg_has_the_shares_of_rules():
    trees = ["(S (A (x u)) (A (A (x u)) (B (y v))))", "(S (A (x u)) (B (y v)))"]
    model = PCFG().fit(trees, trees)
    book = model.problem_.book_
    names = [symbol.label for symbol in book.symbols]
    shares = {(names[a], names[b], names[c]): np.exp(model.coef_[f]) for (a, b, c), f in book.rules.items()}
    assert shares == pytest.approx({("S", "A", "A"): 0.5, ("S", "A", "B"): 0.5, ("A", "A", "B"): 0.25})
    unary = {(names[a], names[b]): np.exp(model.coef_[f]) for (a, b), f in book.unaries.items()}
    assert unary == pytest.approx({("A", "x"): 0.75, ("B", "y"): 1.0})


def test_probabilities_do_not_depend_on_how_full_rules_are_split():
    rng = np.random.default_rng(0)
    trees = [random_tree(rng, int(rng.integers(2, 8)), arity=5) for _ in range(20)]
    right, left = (PCFG(branching=b, markov="all").fit(trees, trees) for b in ("right", "left"))
    for tree in trees:
        scores = [
            sum(model.coef_[f] * count for f, count in model.problem_.joint_features(tree, tree).items())
            for model in (right, left)
        ]
        assert scores[0] == pytest.approx(scores[1])


def test_models_are_saved_copied_and_searched(tmp_path):
    sentences = ["N V N OF N", "N V N IN N IN N", "IN", ""]
    for model in (
        GrammarSVC(parents=True, markov=1).fit(TREES, TREES),
        GrammarSVC(input="words").fit(TREES, Forest(TREES)),
        PCFG(branching="left").fit(TREES, TREES),
    ):
        hedgerow.save(model, tmp_path / "model")
        for copy in (hedgerow.load(tmp_path / "model"), pickle.loads(pickle.dumps(model))):
            assert copy.predict(sentences) == model.predict(sentences)
            assert copy.predict(TREES) == model.predict(TREES)
            assert np.array_equal(copy.coef_, model.coef_)
            assert copy.get_params() == model.get_params()
    search = GridSearchCV(clone(GrammarSVC()), {"C": [0.1, 1.0]}, cv=2, error_score="raise").fit(TREES, TREES)
    assert set(search.cv_results_["param_C"]) == {0.1, 1.0}


def test_a_grammar_grows_and_keeps_the_places_of_its_weights():
    problem = WeightedGrammar()
    first = problem._bind(TREES[:2], TREES[:2], True).oracle.n_features
    old = problem.joint_features(TREES[0], TREES[0])
    more = ["(S (NP (ADJ old) (N birds)) (VP (V sang) (ADV aloud)))"]
    grown = problem._bind(more, more, False).oracle.n_features
    assert grown > first
    assert problem.joint_features(TREES[0], TREES[0]) == old
    new = set(problem.joint_features(more[0], more[0])) - set(range(first))
    assert new == set(range(first, grown))
    with pytest.raises(ValueError, match="does not have all rules"):
        problem.joint_features("(X (N we))", "(X (N we))")
    assert problem._bind(TREES, TREES, True).oracle.n_features != grown


@pytest.mark.parametrize(
    "learner",
    [
        StructuredPerceptron(WeightedGrammar(), averaging="average"),
        GrammarSVC(C=10.0, slack="linear", solver="frank-wolfe"),
    ],
    ids=["perceptron", "machine"],
)
def test_streams_of_trees(learner):
    model = clone(learner)
    for _ in range(10):
        for k in range(0, len(TREES), 2):
            model.partial_fit(TREES[k : k + 2], TREES[k : k + 2])
    assert model.predict(TREES) == TREES


def test_the_loss_of_a_flat_tree_is_that_of_any_tree():
    problem = WeightedGrammar()
    flat = "(S (N we) (V saw) (N birds) (IN in) (N trees))"
    assert problem.compute_loss(TREES[1], flat) == pytest.approx(1 - 2 / 7)
    assert problem.compute_loss(TREES[1], TREES[1]) == 0
    assert problem.set_params(loss="brackets").compute_loss(TREES[1], flat) == 5
    assert problem.set_params(loss="zero-one").compute_loss(TREES[1], flat) == 1


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"input": "letters"}, "input must be one of 'tags', 'words'"),
        ({"loss": "hamming"}, "loss must be one of 'f1', 'brackets', 'zero-one'"),
        ({"branching": "up"}, "branching must be one of"),
        ({"markov": -1}, "markov must be a whole number at least 0"),
        ({"min_word_count": 0}, "min_word_count must be a whole number at least 1"),
        ({"beam": -1.0}, "beam must be a number at least 0"),
    ],
)
def test_bad_parameters_are_named(parameters, message):
    with pytest.raises(ValueError, match=message):
        GrammarSVC(**parameters).fit(TREES, TREES)
    with pytest.raises(TypeError, match="uncounted must be a sequence of labels"):
        GrammarSVC(uncounted="TOP").fit(TREES, TREES)


@pytest.mark.shared_data
def test_machines_fit_treebanks_better_than_probabilities(data_folder):
    train = Forest.read(data_folder / "wcfg10/ptb.train.mrg.gz")
    pcfg, machine = (model.fit(train, train).score(train, train) for model in (PCFG(), GrammarSVC(C=1.0)))
    assert machine > pcfg + 0.01


# -- learning that fails ------------------------------------------------------------------------------------------

TREEBANK = [
    "(S (NP (D the) (N dog)) (VP (V barks)))",
    "(S (NP (N cats)) (VP (V see) (NP (D the) (N dog))))",
    "(S (NP (D a) (A small) (N cat)) (VP (V sleeps) (ADV well)))",
    "(Q (W who) (VP (V sees) (NP (NP (D the) (N cat)) (PP (P of) (NP (N dogs))))))",
    "(X (Y (Z (V go))))",
]


def known(model):
    problem = model.problem_
    tables = [list(table.items()) for table in problem.book_.tables()]
    counts = problem.book_.starts, problem.tag_counts_, problem.book_.n_features
    spans = problem.spans_
    of_spans = spans and [
        *(list(table.items()) for table in spans.tables()),
        *map(list, spans.native.state()),
    ]
    return tables, list(problem.kinds_.numbers), counts, of_spans


def failing(*_):
    raise RuntimeError("too large")


@pytest.mark.parametrize("learner", [StructuredPerceptron, StructuredSVM])
@pytest.mark.parametrize(
    "given",
    [{}, {"span_features": None}, {"input": "words"}, {"input": "words", "min_word_count": 1, "markov": 0}],
)
# While it meets the trees, when it has, and while it learns.
@pytest.mark.parametrize("where", ["_packed", "_weigh", "_report"])
def test_no_rule_stays_when_nothing_was_learned(learner, given, where, monkeypatch):
    """They stayed, and what was learned next could use them."""
    model, other = (
        learner(WeightedGrammar(**given), random_state=0).partial_fit(TREEBANK[:1], TREEBANK[:1])
        for _ in range(2)
    )
    before = pickle.dumps(model)
    owner = WeightedGrammar if where == "_packed" else learner
    name = "_learn" if where == "_report" and learner is StructuredPerceptron else where
    with monkeypatch.context() as there:
        there.setattr(owner, name, failing)
        with pytest.raises(RuntimeError):
            model.partial_fit(TREEBANK[1:], TREEBANK[1:])
    assert known(model) == known(other)
    assert pickle.dumps(model) == before
    assert model.predict(TREEBANK) == other.predict(TREEBANK)
    for one in (model, other):
        one.partial_fit(TREEBANK[1:], TREEBANK[1:])
    assert known(model) == known(other)
    assert_array_equal(model.coef_, other.coef_)


@pytest.mark.parametrize("learner", [StructuredPerceptron, StructuredSVM])
def test_a_first_call_that_fails_leaves_nothing(learner):
    model = learner(WeightedGrammar(), random_state=0)
    with pytest.raises(ValueError, match="sample_weight"):
        model.partial_fit(TREEBANK, TREEBANK, sample_weight=[-1.0] * len(TREEBANK))
    assert not hasattr(model, "problem_")
    other = learner(WeightedGrammar(), random_state=0).partial_fit(TREEBANK[:2], TREEBANK[:2])
    assert known(model.partial_fit(TREEBANK[:2], TREEBANK[:2])) == known(other)


def test_examples_that_were_learned_before_an_interruption_stay():
    model = StructuredPerceptron(WeightedGrammar())
    told = []

    def watch(words):
        told.append(words)
        if len(told) == 2:
            raise KeyboardInterrupt

    model._watch = watch
    with pytest.raises(KeyboardInterrupt):
        model.partial_fit(TREEBANK, TREEBANK)
    assert model.n_seen_ > 0
    assert len(model.predict(TREEBANK)) == len(TREEBANK)
