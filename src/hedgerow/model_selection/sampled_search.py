"""Fast parameterisation: parameters are ranked with machines that learn from small samples."""

from __future__ import annotations

import time
from collections.abc import Callable
from copy import deepcopy
from dataclasses import dataclass, field
from typing import Any, Literal, Self

import numpy as np
from sklearn import get_config
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV, ParameterGrid
from sklearn.utils.metadata_routing import process_routing

from hedgerow.checks import Count
from hedgerow.parameters import check_parameters
from hedgerow.svm import CuttingPlaneSVC
from hedgerow.svm.machine import KernelMachine

CHOSEN_BY_SEARCH = ("sampling", "sample_size", "random_state")
# Parameters of scikit-learn's search.
PASSED_ON = ("param_grid", "scoring", "cv", "n_jobs", "verbose", "return_train_score", "error_score")
_SEVERAL_SCORES = "scoring must be one measure, by which the winner is refitted; for several set refit=None"


@dataclass(eq=False, repr=False, kw_only=True)
class SampledSearchCV(GridSearchCV):  # type: ignore[misc]
    """A grid search that ranks with fast sampled machines, and refits only the winner exactly.

    What is best for a cutting-plane machine whose planes are made of few examples (uSVM) is about best for the exact
    machine too: the two behave alike over C, kernels and their parameters. With uniform samples the time of a fit
    hardly depends on the number of examples, so this is for large data; for some thousand examples exact machines are
    as fast, and `SVC.path` is the fastest way to choose C.

    Parameters
    ----------
    estimator : SVC or CuttingPlaneSVC of `hedgerow.svm`
        Or an estimator that contains one, such as a pipeline. Candidates are ranked with a `CuttingPlaneSVC` that has
        all its parameters but those that only an `SVC` knows (the sampled machine has no bias, and hinge loss), and
        its ``tol`` and ``max_iter``, which say when each machine stops in its own way.
    param_grid : dict or list of dicts
        Names of parameters with the values to try, such as ``{"C": [1, 10], "kernel": [...]}``; nested parameters
        are named as in scikit-learn (``kernel__decay``, ``kernel__kernel__decay``).
    sampling : {"uniform", "importance"}, default="uniform"
        How the sampled machines draw examples; see `CuttingPlaneSVC`.
    sample_size : int, default=100
        Examples in a sample, when candidates are ranked. Few examples cannot tell large values of C apart: where these
        have the same score, the first is chosen, and larger samples tell more.
    scoring : str, callable, list, tuple or dict, optional
        As in ``sklearn.model_selection.GridSearchCV``; by default accuracy. Several measures need ``refit=None``.
    refit : {"exact", "sampled", None}, default="exact"
        What is trained on all examples with the best parameters. "exact": the estimator as it was given, an `SVC`, or
        a `CuttingPlaneSVC` without sampling. "sampled": a `CuttingPlaneSVC` with samples of ``refit_sample_size``.
        None: nothing, so that there is nothing to predict with.
    refit_sample_size : int, default=1000
        Examples in a sample, when the best candidate is trained from samples.
    random_state : int, RandomState or None
        Draws the samples; an int makes searches repeatable. By default the estimator's own.
    n_jobs : int, optional
        Number of processes, as in scikit-learn; the threads of each are the estimator's ``n_jobs``.
    cv, verbose, return_train_score, error_score
        As in ``sklearn.model_selection.GridSearchCV``; the default of ``cv`` is 3.

    Attributes
    ----------
    best_params_, best_index_, best_score_ : the winner among them; its score is that of the sampled machines
    best_estimator_ : the winner, trained on all examples
    refit_time_ : seconds that this took
    classes_, n_features_in_, feature_names_in_ : those of ``best_estimator_``
    cv_results_, scorer_, n_splits_, multimetric_ : as in ``sklearn.model_selection.GridSearchCV``

    Notes
    -----
    A search that is interrupted with Ctrl-C, or fails, keeps what it had found before.

    References
    ----------
    A. Severyn and A. Moschitti, Large-scale support vector learning with structural kernels, ECML PKDD 2010,
    sections 5.5 and 5.6.

    Examples
    --------
    >>> from hedgerow.datasets import load_questions
    >>> from hedgerow.kernels import Normalized, SubsetTree, SubTree
    >>> from hedgerow.model_selection import SampledSearchCV
    >>> from hedgerow.svm import SVC
    >>> trees, y = load_questions()
    >>> grid = {"kernel": [Normalized(SubTree()), Normalized(SubsetTree())], "C": [0.01, 1.0]}
    >>> search = SampledSearchCV(SVC(), grid, scoring="f1", random_state=0).fit(trees, y == "NUM")
    >>> search.best_params_
    {'C': 1.0, 'kernel': Normalized(SubsetTree())}
    >>> search.best_estimator_
    SVC(kernel=Normalized(kernel=SubsetTree()))
    >>> search.predict(["(SBARQ (WHADJP (WRB How) (JJ many)) (SQ (VBP are) (NP (EX there))))"])
    array([ True])
    """

    estimator: Any = field(kw_only=False)
    param_grid: Any = field(kw_only=False)
    sampling: Literal["uniform", "importance"] = "uniform"
    sample_size: Count = 100
    scoring: Any = None
    cv: Any = 3
    refit: Literal["exact", "sampled"] | None = "exact"
    refit_sample_size: Count = 1000
    random_state: Any = None
    n_jobs: int | None = None
    verbose: int = 0
    return_train_score: bool = False
    error_score: Any = np.nan

    def fit(self, X: Any, y: Any, **params: Any) -> Self:
        """Rank all candidates by cross-validation, and train the winner on all examples.

        Parameters
        ----------
        X : Forest, matrix, strings or Records, as the kernels take them
        y : labels of any type
        **params
            ``sample_weight`` for the machines, ``groups`` for the splitter, as in scikit-learn's searches.
        """
        self._check_params()
        fast = sampled(self.estimator, self.sampling, self.sample_size, self.random_state)
        self._check_candidates(fast)
        passed = {name: getattr(self, name) for name in PASSED_ON}
        ranking = GridSearchCV(fast, refit=False, **passed).fit(X, y, **params)
        if ranking.multimetric_ and self.refit:  # known only now where scoring is a function
            raise ValueError(_SEVERAL_SCORES)
        learned = {name: value for name, value in vars(ranking).items() if name.endswith("_")}
        if self.refit:
            learned |= self._train_winner(ranking.best_params_, X, y, self._fit_params(params))
        kept = {name: value for name, value in vars(self).items() if not name.endswith("_")}
        self.__dict__ = kept | learned
        return self

    def _train_winner(
        self, parameters: dict[str, Any], X: Any, y: Any, params: dict[str, Any]
    ) -> dict[str, Any]:
        winner = with_parameters(self.estimator, parameters)
        if self.refit == "exact":
            winner = exact(winner)
        else:
            winner = sampled(winner, self.sampling, self.refit_sample_size, self.random_state)
        started = time.perf_counter()
        winner.fit(X, y, **params)
        trained = {"best_estimator_": winner, "refit_time_": time.perf_counter() - started}
        if hasattr(winner, "feature_names_in_"):
            trained["feature_names_in_"] = winner.feature_names_in_
        return trained

    def _fit_params(self, params: dict[str, Any]) -> dict[str, Any]:
        """Those for the estimator."""
        if get_config()["enable_metadata_routing"]:
            routed: dict[str, Any] = process_routing(self, "fit", **params).estimator.fit
            return routed
        return {name: value for name, value in params.items() if name != "groups"}

    # -- checks ---------------------------------------------------------------------------------------------

    def _check_params(self) -> None:
        check_parameters(self)
        if self.refit and isinstance(self.scoring, list | tuple | set | dict):
            raise ValueError(_SEVERAL_SCORES)

    def _check_candidates(self, fast: Any) -> None:
        """Errors that name the parameter, before the first fit."""
        candidates = list(ParameterGrid(self.param_grid))
        if not any(candidates):
            raise ValueError("param_grid is empty: give a list of values for at least one parameter")
        prefixes = machines_of(self.estimator)
        chosen = {prefix + name for prefix in prefixes for name in CHOSEN_BY_SEARCH}
        chosen |= {prefix + name for prefix, machine in prefixes.items() for name in own_parameters(machine)}
        chosen |= {prefix.removesuffix("__") for prefix in prefixes}
        for candidate in candidates:
            for name in candidate:
                parents = {
                    other: value for other, value in candidate.items() if name.startswith(f"{other}__")
                }
                models = [with_parameters(model, parents) for model in (self.estimator, fast)]
                accepted = models[0].get_params().keys() & models[1].get_params().keys() - chosen
                if name not in accepted:
                    raise ValueError(
                        f"param_grid has {name!r}, which cannot be searched; parameters of {models[0]!r} that can "
                        f"are {', '.join(sorted(accepted))}"
                    )
            for prefix, machine in machines_of(with_parameters(self.estimator, candidate)).items():
                if isinstance(machine.kernel, str):
                    raise ValueError(
                        f"{prefix}kernel must be a kernel or None, got {machine.kernel!r}: sampled machines need "
                        "the examples themselves"
                    )


# -- machines: the estimator itself, or those that it contains, like a pipeline -----------------------------------


def machines_of(estimator: Any) -> dict[str, KernelMachine]:
    """The machines by the names that their parameters begin with."""
    if isinstance(estimator, KernelMachine):
        return {"": estimator}
    parameters = estimator.get_params() if hasattr(estimator, "get_params") else {}
    machines = {f"{name}__": value for name, value in parameters.items() if isinstance(value, KernelMachine)}
    if not machines:
        raise TypeError(
            f"estimator must be an SVC or a CuttingPlaneSVC of hedgerow, or contain one, got {estimator!r}"
        )
    return machines


def own_parameters(machine: KernelMachine) -> tuple[str, ...]:
    """Parameters that do not mean the same to the sampled machine."""
    return () if isinstance(machine, CuttingPlaneSVC) else ("tol", "max_iter")


def with_parameters(estimator: Any, parameters: dict[str, Any]) -> Any:
    """A copy of the estimator with these parameters; kernels among them stay as they are."""
    return clone(estimator).set_params(
        **{name: clone(value, safe=False) for name, value in parameters.items()}
    )


def sampled(estimator: Any, sampling: str, sample_size: int, random_state: Any) -> Any:
    """A copy with cutting-plane machines over samples, which keep all parameters that they know."""

    def change(machine: KernelMachine) -> Any:
        fast = _cutting_plane(machine).set_params(sampling=sampling, sample_size=sample_size)
        return fast if random_state is None else fast.set_params(random_state=random_state)

    return _with_machines(estimator, change)


def exact(estimator: Any) -> Any:
    """A copy without sampling."""

    def change(machine: KernelMachine) -> Any:
        copy = clone(machine)
        if not isinstance(copy, CuttingPlaneSVC):
            return copy
        return copy.set_params(sampling=None, sample_size=CuttingPlaneSVC.sample_size)

    return _with_machines(estimator, change)


def _with_machines(estimator: Any, change: Callable[[KernelMachine], Any]) -> Any:
    changed = {name: change(machine) for name, machine in machines_of(estimator).items()}
    if "" in changed:
        return changed[""]
    return clone(estimator).set_params(
        **{name.removesuffix("__"): machine for name, machine in changed.items()}
    )


def _cutting_plane(machine: KernelMachine) -> Any:
    if isinstance(machine, CuttingPlaneSVC):
        return clone(machine)
    known = CuttingPlaneSVC().get_params(deep=False).keys() - own_parameters(machine)
    given = machine.get_params(deep=False)
    fast = CuttingPlaneSVC(**{name: clone(given[name], safe=False) for name in known if name in given})
    if hasattr(machine, "_metadata_request"):  # as clone does
        fast._metadata_request = deepcopy(machine._metadata_request)
    return fast
