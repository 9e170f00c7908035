"""Parsers: a support vector machine, and the generative baseline by maximum likelihood."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Self

import numpy as np

from hedgerow.checks import Cost
from hedgerow.locks import replacement
from hedgerow.structured.grammar.problem import GrammarParameters, SpanParameters, TreeLoss, WeightedGrammar
from hedgerow.structured.learner import StructuredLearner
from hedgerow.structured.problem import Problem
from hedgerow.structured.svm import Slack, StructuredMachine


@dataclass(eq=False, repr=False, kw_only=True)
class GrammarSVC(SpanParameters, GrammarParameters, StructuredMachine):
    """A parser whose grammar is weighted by a structured SVM.

    Other parameters and attributes are those of `WeightedGrammar` and `StructuredSVM`. Quadratic
    slacks are the default, as in the thesis.

    Parameters
    ----------
    C : float, default=0.1
        What a slack costs, for each sentence.

    Notes
    -----
    Defaults were chosen on the development sentences of the English Web Treebank, those of slack and C for rules alone.
    There the average of weights that ``slack="linear", solver="frank-wolfe"`` gives is no worse and takes half the
    time, with C=0.3 for rules alone and C=0.03 with features of spans; ``parents=True`` makes rules alone better by
    about a point of F1.

    Examples
    --------
    >>> from hedgerow.structured import GrammarSVC
    >>> trees = ["(S (NP (PRP we)) (VP (VBP eat)))", "(S (NP (PRP I)) (VP (VBP eat) (NP (NN rice))))"]
    >>> model = GrammarSVC().fit(trees, trees)
    >>> model.predict(["PRP VBP NN"])
    ['(S (NP (PRP PRP)) (VP (VBP VBP) (NP (NN NN))))']
    """

    problem_class = WeightedGrammar

    C: Cost = field(default=0.1, kw_only=False)
    loss: TreeLoss = "f1"
    slack: Slack = "quadratic"


@dataclass(eq=False, repr=False, kw_only=True)
class PCFG(GrammarParameters, StructuredLearner):
    """A probabilistic context-free grammar: weights are the logarithms of relative rule frequencies in training.

    The same grammar as that of `GrammarSVC`; a rule's probability is its share among all rules with the same
    left-hand side, the estimate of maximum likelihood.

    Other parameters are those of `WeightedGrammar`.

    Parameters
    ----------
    n_jobs : int, optional
        Number of threads that parse.

    Examples
    --------
    >>> from hedgerow.structured import PCFG
    >>> trees = ["(S (NP (PRP we)) (VP (VBP eat)))", "(S (NP (PRP I)) (VP (VBP eat) (NP (NN rice))))"]
    >>> model = PCFG().fit(trees, trees)
    >>> model.predict(["PRP VBP NN"])
    ['(S (NP (PRP PRP)) (VP (VBP VBP) (NP (NN NN))))']
    >>> model.score(trees, trees)
    1.0
    """

    problem_class = WeightedGrammar

    n_jobs: int | None = None

    def _make_problem(self) -> Problem:
        problem = super()._make_problem()
        problem.set_params(span_features=None)  # probabilities are those of rules
        return problem

    def fit(self, X: Any, y: Any) -> Self:
        """Count the rules of trees y over sentences X, which may be the trees themselves; see `WeightedGrammar`."""
        problem: Any = self._make_problem()
        counts = problem._count(X, y)
        parents = problem.book_.parents_of_features()
        with replacement(self) as new:
            new.coef_ = np.log(counts / np.bincount(parents, weights=counts)[parents])
            new.problem_ = problem
        return self

    def _outcome(self) -> str:
        """What came of learning."""
        return f"{len(self.coef_)} rules"
