"""The estimator for label sequences."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from hedgerow.checks import Cost, Positive
from hedgerow.kernels.base import Matrix
from hedgerow.structured.sequence.label_sequence import LabelSequence, SequenceParameters
from hedgerow.structured.svm import StructuredMachine


@dataclass(eq=False, repr=False, kw_only=True)
class SequenceSVC(SequenceParameters, StructuredMachine):
    """Labels the tokens of sequences: a structured SVM with weights for tokens and label transitions.

    The same as `StructuredSVM` of a `LabelSequence`, which says what sequences may be. For perceptrons write
    ``StructuredPerceptron(LabelSequence(...))``.

    Other parameters and attributes are those of `LabelSequence` and `StructuredSVM`.

    Parameters
    ----------
    C : float, default=0.1
        What a slack costs, for each sequence.
    tol : float, default=0.05
        Stop when slacks are known this exactly, in wrong labels per sequence with the default loss. That is coarser
        than in `StructuredSVM`, since nearly all labels are settled by then; take less for losses of at most 1.

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

    C: Cost = field(default=0.1, kw_only=False)
    tol: Positive = 0.05
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

    @property
    def transition_features_(self) -> dict[tuple[Any, Any], float]:
        """What each move from label to label adds to a score, as sklearn-crfsuite has it."""
        labels, scores = self.classes_.tolist(), self.transitions_.tolist()
        return {
            (before, after): score
            for before, row in zip(labels, scores, strict=True)
            for after, score in zip(labels, row, strict=True)
        }

    @property
    def state_features_(self) -> dict[tuple[str, Any], float]:
        """Weights of features with labels that are not 0, as sklearn-crfsuite has them."""
        names, labels, weights = self.feature_names_, self.classes_.tolist(), self.emissions_
        used = zip(*np.nonzero(weights), strict=True)
        return {(names[feature], labels[label]): float(weights[label, feature]) for label, feature in used}
