"""What every structured problem promises."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from scipy import sparse
from sklearn.base import clone

from hedgerow.kernels.base import Matrix
from hedgerow.structured import Problem, StructuredPerceptron
from hedgerow.structured.answers import sparse_features
from hedgerow.structured.problem import _defines
from hedgerow.structured.questions import QUESTIONS, Violation
from hedgerow.testing.contracts import Contracts, contract, copies_of, expect, expect_close, take, unchanged

ROUNDING = 1e-9
Candidates = Callable[[Any], Iterable[Any]]


def check_problem(
    problem: Problem, X: Any, y: Any, *, candidates: Candidates | None = None, skip: Collection[str] = ()
) -> None:
    """Check the contracts of a structured problem, on a few examples.

    The loss of a true output is 0; searches find what looking at all outputs finds, for every question of a solver that
    the problem supports; learners repeat what they did, can be copied and go on; bad parameters are refused by name. An
    AssertionError lists the contracts that do not hold, with the numbers.

    Parameters
    ----------
    problem : Problem
        It is not changed.
    X, y : inputs and outputs, as learners take them
        A handful of small ones, since all outputs are looked at.
    candidates : function of an input, optional
        Lists all outputs that the input may have, for problems that search but cannot list.
    skip : names of contracts, optional
        Those that the problem need not keep.

    Examples
    --------
    >>> from itertools import product
    >>> from hedgerow.structured import LabelSequence
    >>> from hedgerow.testing import check_problem
    >>> X, y = [["the", "dog"], ["a", "cat", "sleeps"]], [["D", "N"], ["D", "N", "V"]]
    >>> check_problem(LabelSequence(), X, y, candidates=lambda x: map(list, product("DNV", repeat=len(x))))
    """
    if not isinstance(problem, Problem):
        raise TypeError(f"problem must be a hedgerow.structured.Problem, got {problem!r}")
    ProblemContracts(problem, X, y, candidates).run(skip)


@dataclass(frozen=True)
class _Output:
    """A candidate, what its features differ in from those of the true output, and its loss."""

    y: Any
    difference: Matrix
    loss: float
    true: bool


class ProblemContracts(Contracts):
    """The contracts of one problem, on some examples."""

    def __init__(self, problem: Problem, X: Any, y: Any, candidates: Candidates | None) -> None:
        super().__init__(problem)
        self.X, self.y = X, y
        self.inputs = [X[[i]] for i in range(X.shape[0])] if sparse.issparse(X) else list(X)
        self.outputs = list(y)
        self.bound = clone(problem)
        self.oracle = self.bound._bind(X, y, True).oracle
        self.explicit = self.bound._kernel_in_use() is None
        listed = getattr(problem, "candidates", None) if _defines(problem, "candidates") else None
        self.candidates = candidates or (self.bound.candidates if callable(listed) else None)
        self.random = np.random.default_rng(0)

    def use(self, thing: Any) -> None:
        thing._bind(self.X, self.y, True)

    # -- losses ---------------------------------------------------------------------------------------------

    @contract
    def losses(self) -> None:
        """The true output costs nothing, and no output costs less."""
        for truth in self.outputs:
            expect(self.bound.same(truth, truth), f"{truth!r} is not the same as itself")
            loss = self.bound.compute_loss(truth, truth)
            expect(loss == 0, f"the loss of {truth!r} in its own place is {loss!r}")
        for x, truth in zip(self.inputs, self.outputs, strict=True):
            for other in self.candidates(x) if self.candidates else ():
                loss = self.bound.compute_loss(truth, other)
                expect(np.isfinite(loss) and loss >= 0, f"the loss of {other!r} for {truth!r} is {loss!r}")
        accuracy, mean = self.bound.accuracy(self.y, self.y), self.bound.mean_loss(self.y, self.y)
        expect(
            (accuracy, mean) == (1, 0), f"the true outputs have accuracy {accuracy!r} and mean loss {mean!r}"
        )

    # -- searches -------------------------------------------------------------------------------------------

    @cached_property
    def _listed(self) -> list[list[_Output]]:
        """All outputs of each example, where they can be listed and have features."""
        if self.candidates is None or not self.explicit or not _defines(self.bound, "joint_features"):
            return []
        examples = []
        for x, truth in zip(self.inputs, self.outputs, strict=True):
            outputs = [truth, *(y for y in self.candidates(x) if not self.bound.same(y, truth))]
            examples.append([(y, sparse_features(self.bound.joint_features(x, y))) for y in outputs])
        known = [int(indices.max(initial=-1)) + 1 for outputs in examples for _, (indices, _) in outputs]
        size = max(self.oracle.n_features, *known)
        return [[self._output(outputs[0], output, size) for output in outputs] for outputs in examples]

    def _output(self, true: Any, other: Any, size: int) -> _Output:
        (truth, own), (y, features) = true, other
        expect(np.isfinite(features[1]).all(), f"joint features of {y!r} are not finite")
        difference = np.zeros(size)
        np.add.at(difference, *own)
        np.subtract.at(difference, *features)
        loss = 0.0 if other is true else float(self.bound.compute_loss(truth, y))
        return _Output(y, difference, loss, other is true)

    def _weights(self, outputs: list[_Output]) -> Iterator[Matrix]:
        """Near 0 the loss decides, else the score."""
        for scale in (0.0, 0.1, 1.0, 10.0):
            yield scale * self.random.normal(size=len(outputs[0].difference))

    @contract
    def searches(self) -> None:
        """Every question of a solver is answered as by looking at all outputs."""
        for number, outputs in enumerate(self._listed):
            for question in QUESTIONS:
                if self.bound._supports(question.search, question.root):
                    for weights in self._weights(outputs):
                        self._check_answer(number, outputs, weights, question)

    def _check_answer(
        self, number: int, outputs: list[_Output], weights: Matrix, question: Violation
    ) -> None:
        indices, values, loss, correct = self.oracle.find(number, weights, question.search, question.root)
        difference = np.zeros(len(weights))
        np.add.at(difference, indices, values)
        rivals = [o for o in outputs if question.search != "best_wrong" or not o.true]
        if not rivals:
            return expect(correct, f"example {number} has no other output, but another was found")
        heights = [_height(question, o.loss, float(weights @ o.difference)) for o in rivals]
        best = rivals[int(np.argmax(heights))]
        found = _height(question, loss, float(weights @ difference))
        scale = 1 + np.abs(weights).sum()
        asked = f"{question.search}{' with the root of the loss' if question.root else ''}"
        expect(
            abs(found - max(heights)) <= ROUNDING * scale,
            f"asked for {asked} of example {number}, the answer counts {found!r}, but {best.y!r} {max(heights)!r}",
        )
        expect(
            any(
                (o.true == correct and np.isclose(o.loss, loss) and np.allclose(o.difference, difference))
                for o in outputs
            ),
            f"asked for {asked} of example {number}, the answer has features or a loss ({loss!r}) of no output",
        )
        return None

    @contract
    def predictions(self) -> None:
        """What is predicted has the highest score of all outputs."""
        for number, outputs in enumerate(self._listed):
            for weights in self._weights(outputs):
                predicted = next(iter(self.bound._decode(take(self.X, [number]), weights, 1)))
                chosen = [o for o in outputs if self.bound.same(o.y, predicted)]
                expect(chosen, f"the prediction {predicted!r} for example {number} is not among its outputs")
                margin, best = weights @ chosen[0].difference, min(weights @ o.difference for o in outputs)
                expect(
                    margin <= best + ROUNDING * (1 + np.abs(weights).sum()),
                    f"the prediction {predicted!r} for example {number} is {margin - best:.6g} below the best output",
                )

    # -- learning -------------------------------------------------------------------------------------------

    def _learner(self, epochs: int) -> StructuredPerceptron:
        return StructuredPerceptron(clone(self.subject), epochs=epochs)

    @contract
    def learning(self) -> None:
        """A fit is repeatable, and leaves the problem and the examples as they were."""
        learner = self._learner(2)
        before = sorted(vars(learner.problem))
        with unchanged("an example", self.X, self.y):
            coefficients = learner.fit(self.X, self.y).coef_
        expect(sorted(vars(learner.problem)) == before, "fit has changed the problem instead of a clone")
        expect_close("coef_ after a second fit", learner.fit(self.X, self.y).coef_, coefficients)

    @contract
    def copies(self) -> None:
        """Copies, pickles and model files predict the same; what no file can hold is refused, and pickle is named."""
        model = self._learner(2).fit(self.X, self.y)
        expected = list(model.predict(self.X))
        for words, other in copies_of(model).items():
            expect_close(f"coef_ of {words}", other.coef_, model.coef_)
            self._expect_same(f"{words} predicts", list(other.predict(self.X)), expected)

    @contract
    def pieces(self) -> None:
        """partial_fit, in pieces too, goes on as further passes do; with a kernel it is refused."""
        whole = self._learner(2).fit(self.X, self.y)
        stream = self._learner(1).partial_fit(self.X, self.y)
        half = len(self.inputs) // 2
        try:
            for part in (range(half), range(half, len(self.inputs))):
                stream.partial_fit(take(self.X, part), take(self.y, part))
        except ValueError:
            expect(not self.explicit, "more examples are refused, though there is no kernel")
            return
        expect_close("coef_ after three calls", stream.coef_, whole.coef_, ROUNDING)

    @contract
    def shards(self) -> None:
        """What is settled from surveys of parts is what all examples say together."""
        if not self.explicit:
            return
        half = len(self.inputs) // 2
        parts = [
            (take(self.X, part), take(self.y, part)) for part in (range(half), range(half, len(self.inputs)))
        ]
        try:
            surveys = [clone(self.subject).survey(*part) for part in parts]
        except TypeError as error:
            expect("must define survey and settle" in str(error), str(error))
            return
        settled = clone(self.subject)
        settled.settle(pickle.loads(pickle.dumps(surveys)))
        weights = self.random.normal(size=self.oracle.n_features)
        found, expected = (list(problem._decode(self.X, weights, 1)) for problem in (settled, self.bound))
        self._expect_same("a problem that was settled from shards predicts", found, expected)

    def _expect_same(self, words: str, found: list[Any], expected: list[Any]) -> None:
        for number, (one, other) in enumerate(zip(found, expected, strict=True)):
            expect(self.bound.same(one, other), f"{words} {one!r} for example {number}, expected {other!r}")


def _height(question: Violation, loss: float, margin: float) -> float:
    return -margin if question.search == "best" else question(loss, margin)
