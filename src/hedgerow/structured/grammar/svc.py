"""The support vector machine for parsing."""

from __future__ import annotations

from dataclasses import dataclass, field

from hedgerow.checks import Positive
from hedgerow.structured.grammar.problem import GrammarParameters, TreeLoss, WeightedGrammar
from hedgerow.structured.svm import Slack, Solver, StructuredMachine


@dataclass(eq=False, repr=False, kw_only=True)
class GrammarSVC(GrammarParameters, StructuredMachine):
    """A parser whose grammar is weighted by a structured SVM.

    Parameters
    ----------
    C : float, default=0.1
        What a slack costs, for each sentence.
    input, loss, branching, markov, parents, min_word_count, uncounted, beam
        As in `WeightedGrammar`.
    slack, rescaling, solver, tol, max_iter, optimization, averaging, random_state, n_jobs, verbose
        As in `StructuredSVM`, but quadratic slacks are the default, as in the thesis.

    Notes
    -----
    Defaults were chosen on the development sentences of the English Web Treebank. There the average of weights that
    ``slack="linear", solver="frank-wolfe", C=0.3`` gives is no worse and takes half the time, and ``parents=True``
    makes parsers better by about a point of F1.

    Attributes
    ----------
    problem_, coef_ and others : as in `StructuredSVM`

    Examples
    --------
    >>> from hedgerow.structured import GrammarSVC
    >>> trees = ["(S (NP (PRP we)) (VP (VBP eat)))", "(S (NP (PRP I)) (VP (VBP eat) (NP (NN rice))))"]
    >>> model = GrammarSVC().fit(trees, trees)
    >>> model.predict(["PRP VBP NN"])
    ['(S (NP (PRP PRP)) (VP (VBP VBP) (NP (NN NN))))']
    """

    problem_class = WeightedGrammar

    C: Positive = field(default=0.1, kw_only=False)
    loss: TreeLoss = "f1"
    slack: Slack = "quadratic"
    solver: Solver = "n-slack"
