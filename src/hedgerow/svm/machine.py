"""What the support vector machines share: a fitted machine is an expansion over its support vectors."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal, Self

import numpy as np
from sklearn.base import clone

from hedgerow import _core
from hedgerow.checks import Cost, Count, Positive, check_number
from hedgerow.kernels.base import Matrix
from hedgerow.locks import reads
from hedgerow.models.annotations import ClassWeight, KernelOrValues, Precision, Probability
from hedgerow.models.example_weights import example_weights, given_weights
from hedgerow.models.kernel_classifier import KernelClassifier, Supports
from hedgerow.models.native_estimator import above
from hedgerow.models.probabilities import cross_validated
from hedgerow.threads import resolve


@dataclass(eq=False, repr=False, kw_only=True)
class KernelMachine(KernelClassifier, Supports):
    """One function for two classes; for more, one for each class against the rest."""

    kernel: KernelOrValues = field(default=None, kw_only=False)
    C: Cost = field(default=1.0, kw_only=False)
    class_weight: ClassWeight = None
    cost_factor: float | Mapping[Any, float] | Literal["balanced"] = 1.0
    tol: Positive = 1e-3
    max_iter: Count | None = None
    probability: Probability = None
    precision: Precision = "double"
    n_jobs: int | None = None
    n_iter_: Matrix = field(init=False)
    converged_: bool = field(init=False)
    # Fitted attributes that are saved with a model, arrays and single numbers.
    _arrays: ClassVar[tuple[str, ...]]
    _numbers: ClassVar[tuple[str, ...]]
    _step: ClassVar[str]  # what ``n_iter_`` counts

    def _check_params(self) -> None:
        super()._check_params()
        factors: Any = self.cost_factor
        if isinstance(factors, str) and factors != "balanced":
            raise ValueError(
                "cost_factor must be a number above 0, a mapping of classes to such numbers, or 'balanced', got "
                f"{factors!r}"
            )
        if isinstance(factors, Mapping):
            for label, factor in factors.items():
                check_number(f"cost_factor of {label!r}", factor, at_least=1e-20, at_most=1e20)
        elif not isinstance(factors, str):
            check_number("cost_factor", factors, at_least=1e-20, at_most=1e20)

    # -- problems -------------------------------------------------------------------------------------------

    @property
    def _n_functions(self) -> int:
        return 1 if len(self.classes_) == 2 else len(self.classes_)

    def _signs(self, labels: Matrix, function: int) -> Matrix:
        """+1 for the examples of the function's class, -1 for the others, 0 for those that are left out."""
        positive = 1 if self._n_functions == 1 else function
        return np.where(labels == positive, 1, -1).astype(np.int8)

    def _costs(self, labels: Matrix, sample_weight: Any, function: int) -> Matrix:
        """What an error on each example costs, in units of C."""
        # A function has two classes to balance, its own and the rest.
        balanced = isinstance(self.class_weight, str) and self.class_weight == "balanced"
        given = example_weights(self.classes_, labels, sample_weight, None if balanced else self.class_weight)
        costs = np.ones(len(labels)) if given is None else given
        signs = self._signs(labels, function)
        positive, negative = signs > 0, signs < 0
        n_positive, n_negative = int(positive.sum()), int(negative.sum())
        costs[signs == 0] = 0.0
        if balanced:
            costs[positive] *= (n_positive + n_negative) / (2 * n_positive)
            costs[negative] *= (n_positive + n_negative) / (2 * n_negative)
        costs[positive] *= (
            n_negative / n_positive if self.cost_factor == "balanced" else self._cost_factor(function)
        )
        return costs

    def _cost_factor(self, function: int) -> float:
        """What an error on a positive example of the function costs, as a multiple of one on a negative example."""
        factors: Any = self.cost_factor
        if not isinstance(factors, Mapping):
            return float(factors)
        positive = self.classes_[-self._n_functions :].tolist()  # of two classes the second
        if unknown := [label for label in factors if label not in positive]:
            raise ValueError(
                f"cost_factor has {unknown[0]!r}, which must be a class with a function of its own: {positive}"
            )
        return float(factors.get(positive[function], 1.0))

    def _calibrate(
        self, items: Any, labels: Matrix, sample_weight: Any, learn: Callable[[Self, Matrix], object]
    ) -> None:
        """Keep scores of held-out examples, if they are wanted; ``learn`` trains a machine on some examples."""
        if self.probability is None:
            return

        def score(learned: Matrix, held: Matrix) -> Matrix:
            machine = clone(self).set_params(probability=None)
            machine.classes_, machine.kernel_ = self.classes_, self.kernel_
            learn(machine, learned)
            single = self.precision == "single"
            scores: Matrix = machine._native.decisions(items.select(held), resolve(self.n_jobs), single)
            if len(self.classes_) == 2:
                return scores
            of_classes: Matrix = machine._of_classes(scores, len(held))
            return of_classes

        counted = given_weights(sample_weight, len(labels)) > 0
        self._held_out = cross_validated(self.probability, labels, counted, score)

    # -- words ----------------------------------------------------------------------------------------------

    @abstractmethod
    def _certificate(self) -> str:
        """How far the machine may be from the best one."""

    def _how_far(self) -> str | None:
        """How far learning has come; None before its beginning."""
        if not getattr(self, "n_support_", 0):
            return None
        count = int(self.n_iter_.sum())
        return f"{count} {self._step}{'' if count == 1 else 's'}"

    def _outcome(self) -> str:
        """What came of learning."""
        return f"{self.n_support_} supports, {self._convergence()}"

    def _convergence(self) -> str:
        converged = "converged" if self.converged_ else "not converged"
        return f"{self._how_far()}, {self._certificate()}, {converged}"

    # -- what was learned -----------------------------------------------------------------------------------

    def _make_native(self) -> Any:
        return _core.Expansion(self.kernel_._model(), self._n_functions)

    def _set_functions(self, items: Any, functions: list[tuple[Matrix, Matrix]], biases: Matrix) -> None:
        """Keep the functions, each given by the examples that have a coefficient, and these coefficients."""
        support = np.unique(np.concatenate([examples for examples, _ in functions])).astype(np.int64)
        coefficients = np.zeros((len(support), len(functions)))
        for function, (examples, values) in enumerate(functions):
            coefficients[np.searchsorted(support, examples), function] = values
        native = self._make_native()
        native.add_supports(items.select(support), coefficients, support)
        for function, bias in enumerate(biases):
            native.set_bias(function, float(bias))
        self._native = native

    def _expansion(self) -> _core.Expansion:
        native: _core.Expansion = self._fitted()
        return native

    @property
    def intercept_(self) -> Matrix:
        """Biases of the functions."""
        return self._expansion().biases()

    # -- copies ---------------------------------------------------------------------------------------------

    @reads
    def _to_state(self) -> tuple[dict[str, Any], dict[str, Matrix]]:
        """What was learned: a description for JSON, and arrays."""
        native = self._fitted()
        reports = {name: np.asarray(getattr(self, name)) for name in (*self._arrays, *self._numbers)}
        return self._describe(), native.save() | above("report.", reports) | self._held_out_arrays()

    def _from_state(self, description: dict[str, Any], arrays: dict[str, Matrix]) -> Self:
        """Take up what another machine with these parameters had learned."""
        self._take_description(description)
        arrays = self._take_held_out(arrays)
        for name in self._arrays:
            value = arrays[f"report.{name}"]
            if value.shape != (self._n_functions,):
                raise ValueError(f"report.{name} must hold one number for each function")
            setattr(self, name, value)
        for name in self._numbers:
            setattr(self, name, arrays[f"report.{name}"].item())
        self._take_native({name: value for name, value in arrays.items() if not name.startswith("report.")})
        return self
