"""What every learner promises."""

from __future__ import annotations

import copy
import inspect
import warnings
from collections.abc import Collection
from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.utils import get_tags

from hedgerow.kernels.base import Matrix
from hedgerow.kernels.batches import as_collection, number_of
from hedgerow.testing.contracts import Contracts, contract, copies_of, expect, expect_close, take, unchanged

# What was learned, of those learners that have it.
ATTRIBUTES = [
    "support_",
    "dual_coef_",
    "coef_",
    "intercept_",
    "mistakes_",
    "n_seen_",
    "n_updates_",
    "objective_",
]


def check_learner(learner: Any, X: Any, y: Any, *, skip: Collection[str] = ()) -> None:
    """Check the contracts of a learner, on a few examples.

    ``fit`` forgets what was learned before and gives the same model again; copies, pickles and model files score the
    same to the last bit, and continue learning where the original stopped; ``partial_fit`` in pieces equals one
    pass; bad parameters and input are refused by name. An AssertionError lists the contracts that do not
    hold, with the numbers.

    Parameters
    ----------
    learner : a learner that need not be fitted
        Of hedgerow, or of your own: `hedgerow.online.OnlineLearner` with a rule, a subclass, or a learner on a kernel
        of your own. It is not changed.
    X, y : examples, as ``fit`` takes them
        Some dozens, of two or more classes.
    skip : names of contracts, optional
        Those that the learner need not keep.

    Examples
    --------
    >>> from hedgerow.datasets import load_questions
    >>> from hedgerow.kernels import Normalized, SubsetTree
    >>> from hedgerow.online import Forgetron
    >>> from hedgerow.testing import check_learner
    >>> trees, y = load_questions()
    >>> check_learner(Forgetron(Normalized(SubsetTree()), budget=20), trees[:60], y[:60])
    """
    LearnerContracts(learner, X, y).run(skip)


class LearnerContracts(Contracts):
    """The contracts of one learner, on some examples."""

    def __init__(self, learner: Any, X: Any, y: Any) -> None:
        super().__init__(learner)
        self.learner = clone(learner)
        if "random_state" in self.learner.get_params() and self.learner.random_state is None:
            self.learner.set_params(random_state=0)  # what is random must be the same each time
        self.X, self.y = X, y
        self.n = number_of(as_collection(X))
        self.half = self.n // 2
        self.classifies = hasattr(learner, "decision_function")
        self.pairwise = get_tags(learner).input_tags.pairwise
        # Machines go on from where they are to another optimum; a pass has one way to go.
        self.streams = hasattr(learner, "partial_fit") and hasattr(learner, "epochs") and not self.pairwise
        self.told_classes = self.streams and self.classifies and _takes(learner.partial_fit, "classes")
        self.model = self._fitted(self.learner)
        self.answers = self._answers(self.model)

    def use(self, thing: Any) -> None:
        self._answers(self._fitted(thing))

    def _fitted(self, learner: Any) -> Any:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # that few examples may be too few for what a learner expects
            return learner.fit(self.X, self.y)

    def _answers(self, model: Any) -> Matrix:
        """What a model says about the examples: scores, if it has any."""
        if self.classifies:
            scores: Matrix = model.decision_function(self.X)
            return scores
        answers = model.predict(self.X)
        return answers if isinstance(answers, np.ndarray) else np.array([repr(answer) for answer in answers])

    def _expect_same(self, words: str, model: Any, expected: Any) -> None:
        """Two models that say the same, for the same reasons."""
        expect_close(f"what {words} says", self._answers(model), self._answers(expected))
        for name in ATTRIBUTES:
            value = getattr(expected, name, None)
            if isinstance(value, np.ndarray | int | float):
                expect_close(f"{name} of {words}", getattr(model, name), value)

    # -- fitting --------------------------------------------------------------------------------------------

    @contract
    def unfitted(self) -> None:
        """A learner and its clones predict nothing before they have learned."""
        for words, learner in (("a new learner", self.subject), ("a clone", self.model)):
            try:
                clone(learner).predict(self.X)
            except NotFittedError:
                continue
            raise AssertionError(f"{words} predicts without a NotFittedError")

    @contract
    def fitting(self) -> None:
        """fit returns the learner, and changes neither its parameters nor the examples."""
        learner = clone(self.learner)
        before = repr(learner.get_params())
        with unchanged("an example", self.X, self.y):
            expect(self._fitted(learner) is learner, "fit does not return the learner")
        expect(repr(learner.get_params()) == before, "fit has changed a parameter")

    @contract
    def repeatable(self) -> None:
        """The same fit gives the same model, whatever was learned before."""
        model = copy.deepcopy(self.model)
        expect_close("what it says after a second fit", self._answers(self._fitted(model)), self.answers)

    @contract
    def classes(self) -> None:
        """The classes are the labels, and the one with the highest score is predicted."""
        if not self.classifies:
            return
        expect_close("classes_", self.model.classes_, np.unique(self.y))
        n_classes = len(self.model.classes_)
        shape = (self.n,) if n_classes == 2 else (self.n, n_classes)
        expect(self.answers.shape == shape, f"scores have the shape {self.answers.shape}, expected {shape}")
        expect(np.isfinite(self.answers).all(), "scores are not all finite")
        winners = self.answers.argmax(axis=1) if n_classes > 2 else (self.answers > 0).astype(int)
        expect_close("predictions", self.model.predict(self.X), self.model.classes_[winners])

    @contract
    def functions(self) -> None:
        """The scores are what ``functions()`` says: sums over supports, or over features with weights."""
        by_votes = getattr(self.model, "multiclass", None) == "one-vs-one"
        if not self.classifies or not hasattr(self.model, "functions") or by_votes:
            return
        try:
            sums = _sums(self.model.functions(), self.X)
        except (TypeError, ValueError):
            return  # which says why the scores are not sums
        expect_close("the sum", np.reshape(sums, self.answers.shape), self.answers, 1e-9)

    @contract
    def bad_input(self) -> None:
        """Labels that are too few are an error."""
        few = self.y[: self.n - 1] if self.y is not None else [0]
        try:
            clone(self.learner).fit(self.X, few)
        except ValueError:
            return
        raise AssertionError(f"{self.n} examples with {self.n - 1} labels were accepted")

    # -- copies ---------------------------------------------------------------------------------------------

    @contract
    def copies(self) -> None:
        """Copies, pickles and model files say the same; what no file can hold is refused, and pickle is named."""
        for words, model in copies_of(self.model).items():
            self._expect_same(words, model, self.model)

    # -- streams --------------------------------------------------------------------------------------------

    def _in_order(self, epochs: int = 1) -> Any:
        """A new learner for passes in the given order, as partial_fit makes them."""
        return clone(self.learner).set_params(epochs=epochs, shuffle=False)

    def _stream(self) -> Any:
        """A learner at the beginning of a stream; one that cannot be told the classes has seen all examples once."""
        return self._in_order() if self.told_classes else self._learn(self._in_order(), 0, self.n)

    def _streamed(self) -> Any:
        """What a stream should lead to."""
        return self._fitted(self._in_order(1 if self.told_classes else 2))

    def _learn(self, model: Any, begin: int, end: int) -> Any:
        first = {"classes": np.unique(self.y)} if begin == 0 and self.told_classes else {}
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return model.partial_fit(take(self.X, range(begin, end)), self.y[begin:end], **first)

    @contract
    def pieces(self) -> None:
        """partial_fit in pieces, example by example too, equals a pass of fit."""
        if not self.streams:
            return
        for words, size in (("halves", self.half), ("single examples", 1)):
            model = self._stream()
            for begin in range(0, self.n, size):
                self._learn(model, begin, min(begin + size, self.n))
            self._expect_same(f"a stream of {words}", model, self._streamed())

    @contract
    def going_on(self) -> None:
        """A copy that was made in the middle of a stream goes on as the original does."""
        if not self.streams:
            return
        model = self._learn(self._stream(), 0, self.half)
        copies = copies_of(model)
        for words, other in {"the original": model, **copies}.items():
            self._expect_same(words, self._learn(other, self.half, self.n), self._streamed())

    # -- weights of examples --------------------------------------------------------------------------------

    @contract
    def example_weights(self) -> None:
        """Examples of weight 0 are left out, unless weights are refused."""
        if not self.streams or not self.classifies or not _takes(self.learner.fit, "sample_weight"):
            return
        kept = np.arange(self.n) % 3 > 0
        numbers = np.flatnonzero(kept)
        try:
            weighted = self._in_order().fit(self.X, self.y, sample_weight=kept.astype(np.float64))
        except ValueError as error:
            expect(
                "sample_weight" in str(error),
                f"weights are refused by an error that does not name them: {error}",
            )
            return
        y = np.asarray(self.y)[numbers]
        expect(len(np.unique(y)) == len(np.unique(self.y)), "two thirds of the examples lack a class")
        expected = self._in_order().fit(take(self.X, numbers), y)
        expect_close("what it says", self._answers(weighted), self._answers(expected))


def _sums(functions: Any, X: Any) -> Any:
    """The values of functions: a row for each item."""
    expansion = functions.expansion
    if expansion is None:
        scored = functions.scored(X)
        return [[score.weights @ score.values + score.bias for score in one.scores] for one in scored]
    supports = expansion.kernel._from_items(expansion.supports)
    return expansion.kernel(X, supports) @ expansion.coefficients.T + expansion.biases


def _takes(method: Any, parameter: str) -> bool:
    return parameter in inspect.signature(method).parameters
