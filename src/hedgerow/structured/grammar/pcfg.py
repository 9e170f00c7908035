"""The generative baseline: a probabilistic context-free grammar by maximum likelihood."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from hedgerow.structured.grammar.problem import GrammarParameters, WeightedGrammar
from hedgerow.structured.learner import StructuredLearner


@dataclass(eq=False, repr=False, kw_only=True)
class PCFG(GrammarParameters, StructuredLearner):
    """A probabilistic context-free grammar: weights are logarithms of the shares of rules in training.

    The same grammar as that of `GrammarSVC`; a rule's probability is its share among all rules with the same
    left-hand side, the estimate of maximum likelihood.

    Parameters
    ----------
    input, branching, markov, parents, min_word_count, uncounted, beam
        See `WeightedGrammar`.
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

    def fit(self, X: Any, y: Any) -> Self:
        """Count the rules of trees.

        Parameters
        ----------
        X : sentences, or the trees themselves
        y : trees, see `WeightedGrammar`
        """
        problem = self._make_problem()
        counts = problem._count(X, y)
        parents = problem.book_.parents_of_features()
        self.coef_ = np.log(counts / np.bincount(parents, weights=counts)[parents])
        self.problem_ = problem
        return self

    def _how_far(self) -> str | None:
        return None

    def _outcome(self) -> str:
        """What came of learning."""
        return f"{len(self.coef_)} rules"
