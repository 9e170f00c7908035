"""The estimator for label sequences."""

from __future__ import annotations

from dataclasses import dataclass, field

from hedgerow.checks import Cost
from hedgerow.kernels.base import Matrix
from hedgerow.structured.sequence.label_sequence import LabelSequence, SequenceParameters
from hedgerow.structured.svm import Solver, StructuredMachine


@dataclass(eq=False, repr=False, kw_only=True)
class SequenceSVC(SequenceParameters, StructuredMachine):
    """Labels the tokens of sequences: a structured SVM with weights for tokens and for moves between labels.

    The same as `StructuredSVM` of a `LabelSequence`, which says what sequences may be. For perceptrons write
    ``StructuredPerceptron(LabelSequence(...))``.

    Parameters and attributes that are not described here are as for `LabelSequence` and `StructuredSVM`.

    Parameters
    ----------
    C : float, default=1.0
        What a slack costs, for each sequence.

    Attributes
    ----------
    problem_ : the fitted `LabelSequence`
    coef_ : all weights; with a kernel, coefficients of distinct training tokens after those of labels

    Examples
    --------
    >>> from hedgerow.structured import SequenceSVC
    >>> X = [["the", "cat", "sleeps"], ["a", "dog", "sees", "the", "cat"]]
    >>> y = [["D", "N", "V"], ["D", "N", "V", "D", "N"]]
    >>> model = SequenceSVC(random_state=0).fit(X, y)
    >>> model.predict([["the", "dog", "sees", "a", "fish"]])
    [['D', 'N', 'V', 'D', 'N']]
    >>> model.classes_.tolist(), model.transitions_.shape
    (['D', 'N', 'V'], (3, 3))
    """

    problem_class = LabelSequence

    C: Cost = field(default=1.0, kw_only=False)
    solver: Solver = "frank-wolfe"
    problem_: LabelSequence = field(init=False)

    @property
    def classes_(self) -> Matrix:
        """The labels."""
        self._check_fitted()
        return self.problem_.classes_

    @property
    def transitions_(self) -> Matrix:
        """What moves add to a score, from label (rows) to label (columns)."""
        self._check_fitted()
        return self.problem_.transitions(self.coef_)

    @property
    def emissions_(self) -> Matrix:
        """Weights of features, labels by features."""
        self._check_fitted()
        return self.problem_.emissions(self.coef_).T

    @property
    def feature_names_(self) -> list[str]:
        """Names of the columns of ``emissions_``."""
        self._check_fitted()
        return self.problem_.feature_names()
