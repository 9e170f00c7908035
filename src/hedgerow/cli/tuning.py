"""What ``hedgerow tune`` does: candidates, their ranking, and the training that uses the best."""

from __future__ import annotations

import shlex
import warnings
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from itertools import product
from typing import Any

import typer
from sklearn.exceptions import ConvergenceWarning
from sklearn.metrics import accuracy_score, f1_score, make_scorer
from sklearn.model_selection import GridSearchCV, StratifiedKFold

from hedgerow.cli.examples import look_at
from hedgerow.cli.failures import as_sentences, plain_warnings
from hedgerow.cli.kernel_choice import is_for_text
from hedgerow.cli.learner_choice import choose_learner, option_name
from hedgerow.cli.learning import check_output, trained_on
from hedgerow.cli.machines import fit_machine, outcome
from hedgerow.cli.names import LearnerName, Refit, Sampling, Score
from hedgerow.cli.plot_files import check_plot
from hedgerow.cli.progress import counting, spinning
from hedgerow.cli.tuning_grid import (
    DataOptions,
    KernelChoice,
    default_kernels,
    kernel_choices,
    parse_kernels,
    parse_values,
    value_text,
)
from hedgerow.io.examples import Examples, Vector
from hedgerow.io.formats import DataFormat
from hedgerow.model_selection import SampledSearchCV
from hedgerow.persistence.model_file import write_model
from hedgerow.svm import SVC

EXACT_UP_TO = 10_000  # examples; among so many an exact machine is found sooner than one from samples
SAMPLE_SIZE, REFIT_SAMPLE_SIZE = 100, 5000


@dataclass(frozen=True)
class SearchOptions:
    """How candidates are compared."""

    sampling: Sampling | None  # None: as suits the number of examples
    sample_size: int | None
    folds: int
    score: Score
    seed: int
    jobs: int  # processes

    @property
    def size(self) -> int:
        return self.sample_size or SAMPLE_SIZE

    def for_examples(self, n: int) -> SearchOptions:
        """With a way of sampling, whether it was said or not."""
        exact = self.sample_size is None and n <= EXACT_UP_TO
        return replace(self, sampling=self.sampling or (Sampling.none if exact else Sampling.uniform))


@dataclass(frozen=True)
class Candidate:
    """What was tried, and how it did."""

    kernel: KernelChoice
    of_machine: dict[str, Any]  # C, and j if it was tried
    mean: float
    deviation: float
    seconds: float

    @property
    def settings(self) -> dict[str, Any]:
        return {"kernel": self.kernel.name.value, **self.kernel.parameters, **self.of_machine}


@dataclass(frozen=True)
class Training:
    """How ``hedgerow train`` would train the best candidate."""

    learner: LearnerName
    of_learner: dict[str, Any]
    kernel: KernelChoice

    def command(self, data: DataOptions, output: str | None) -> str:
        words = ["hedgerow", "train", *data.inputs, "-o", output or "MODEL", "--learner", self.learner.value]
        words += ["--kernel", self.kernel.name.value]
        for parameter, value in {**self.kernel.parameters, **self.of_learner}.items():
            words += [option_name(parameter), value_text(value)]
        return shlex.join([*words, *data.arguments()])


@dataclass
class Ranking:
    """All candidates, best first."""

    n_examples: int
    options: SearchOptions
    candidates: list[Candidate]
    varied: list[str] = field(default_factory=list)  # parameters with more than one value

    @property
    def best(self) -> Candidate:
        return self.candidates[0]


def rank(
    X: Examples,
    y: Vector,
    choices: list[KernelChoice],
    of_machine: dict[str, list[Any]],
    options: SearchOptions,
) -> Ranking:
    """Compares all candidates by cross-validation."""
    grid = {"kernel": [choice.kernel for choice in choices], **of_machine}
    n_candidates = len(choices)
    for values in of_machine.values():
        n_candidates *= len(values)
    search = _search(grid, options)
    scorer = _scorer(options.score, y)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)  # good enough to be compared
        if options.jobs > 1:  # in processes of their own, which cannot be counted
            with spinning(f"Comparing {n_candidates} candidates"):
                search.set_params(scoring=scorer).fit(X, y)
        else:
            with counting("Comparing", n_candidates * options.folds) as advance:
                search.set_params(scoring=_counted(scorer, advance)).fit(X, y)
    by_kernel = {repr(choice.kernel): choice for choice in choices}
    results = search.cv_results_
    candidates = [
        Candidate(
            by_kernel[repr(parameters["kernel"])],
            {name: parameters[name] for name in of_machine},
            float(results["mean_test_score"][i]),
            float(results["std_test_score"][i]),
            float(results["mean_fit_time"][i] + results["mean_score_time"][i]),
        )
        for i, parameters in enumerate(results["params"])
    ]
    varied = {name: len(values) for name, values in of_machine.items()}
    for name in {name for choice in choices for name in choice.parameters}:
        varied[name] = len({choice.parameters.get(name) for choice in choices} - {None})
    candidates.sort(key=lambda candidate: -candidate.mean)  # ties stay in the order of the grid
    return Ranking(len(y), options, candidates, [name for name, count in varied.items() if count > 1])


def _search(grid: dict[str, list[Any]], options: SearchOptions) -> Any:
    common = {
        "cv": StratifiedKFold(options.folds, shuffle=True, random_state=options.seed),
        "n_jobs": options.jobs,
        "error_score": "raise",
    }
    if options.sampling is Sampling.none:
        return GridSearchCV(SVC(n_jobs=1 if options.jobs > 1 else None), grid, refit=False, **common)
    return SampledSearchCV(
        SVC(n_jobs=1),  # rounds over small samples are too short to be shared among threads
        grid,
        sampling="importance" if options.sampling is Sampling.importance else "uniform",
        sample_size=options.size,
        refit=None,
        random_state=options.seed,
        **common,
    )


def _scorer(score: Score, y: Vector) -> Any:
    if score is Score.accuracy:
        return make_scorer(accuracy_score)
    classes = sorted(set(y.tolist()))
    if len(classes) == 2:
        return make_scorer(f1_score, pos_label=classes[1], zero_division=0.0)
    return make_scorer(f1_score, average="macro", zero_division=0.0)


def _counted(scorer: Any, advance: Callable[[int], object]) -> Callable[[Any, Any, Any], float]:
    def score(estimator: Any, X: Any, y: Any) -> float:
        advance(1)
        value: float = scorer(estimator, X, y)
        return value

    return score


def tune_and_report(
    data: DataOptions,
    search: SearchOptions,
    kernels: str | None,
    tried: dict[str, str | None],
    of_machine: dict[str, str | None],
    output: str | None,
    refit: Refit | None,
    refit_sample_size: int | None,
    as_json: bool,
    plot: str | None,
) -> None:
    """Everything from the options to the report and the model."""
    from hedgerow.cli.tuning_report import draw, print_json, print_table

    names = None if kernels is None else parse_kernels(kernels)
    values = {name: parse_values(name, text) for name, text in tried.items() if text is not None}
    costs = {name: parse_values(name, text) for name, text in of_machine.items() if text is not None}
    for C, j in product(costs["C"], costs.get("j", [1.0])):
        SVC(C=C, j=j)._check_params()
    if output is not None:
        check_output(output, data.inputs)
    if plot is not None:
        check_plot(plot)
        check_output(plot, data.inputs)
    if names is not None and all(map(is_for_text, names)) and data.schema.format is None:
        data = replace(data, schema=replace(data.schema, format=DataFormat.text.value))
    with plain_warnings(), as_sentences():
        examples = look_at(data.inputs, data.schema, data.features, keep_all=True)
        data = replace(data, schema=examples.schema)
        X, y = examples.everything()
        choices = kernel_choices(names or default_kernels(data), values, data)
        ranking = rank(X, y, choices, costs, search.for_examples(len(y)))
    training = _training(ranking, refit, refit_sample_size)
    command = training.command(data, output)
    if as_json:
        print_json(ranking, command)
    else:
        print_table(ranking, command)
    if plot is not None:
        draw(ranking, plot)
    if output is not None:
        with plain_warnings(), as_sentences():
            machine = choose_learner(training.learner, training.kernel.kernel, training.of_learner)

            def write(path: str) -> None:
                write_model(machine, path, data.schema.notes(), trained_on(data.inputs, len(y)))

            fit_machine(machine, X, y, output, write)
        write(output)
        if not as_json:
            typer.echo(f"{output}: {machine.n_support_} supports, {outcome(machine)}")


def _training(ranking: Ranking, refit: Refit | None, sample_size: int | None) -> Training:
    best = ranking.best
    if refit is not Refit.sampled:
        return Training(LearnerName.svm, best.of_machine, best.kernel)
    sampling = ranking.options.sampling
    of_learner = {
        **best.of_machine,
        "sampling": "importance" if sampling is Sampling.importance else "uniform",
        "sample_size": sample_size or REFIT_SAMPLE_SIZE,
        "random_state": ranking.options.seed,
    }
    return Training(LearnerName.cutting_plane, of_learner, best.kernel)
