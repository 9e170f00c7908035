"""What ``hedgerow tune`` does: candidates, their ranking, and the training that uses the best."""

from __future__ import annotations

import shlex
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from math import prod
from typing import Any

import typer
from sklearn.exceptions import ConvergenceWarning
from sklearn.metrics import accuracy_score, f1_score, make_scorer
from sklearn.model_selection import GridSearchCV, StratifiedKFold

from hedgerow import registry
from hedgerow.cli.derived import option_name, text_of
from hedgerow.cli.examples import look_at
from hedgerow.cli.failures import as_sentences, plain_warnings
from hedgerow.cli.paths import check_output, trained_on
from hedgerow.cli.plot_files import check_plot
from hedgerow.cli.progress import counting, spinning
from hedgerow.cli.rescue import rescuing
from hedgerow.cli.train.choice import Choice, DataOptions, KernelChoice
from hedgerow.cli.train.lessons import Whole
from hedgerow.cli.tune.candidates import Grid
from hedgerow.io.examples import Examples, Vector
from hedgerow.kernels import Kernel
from hedgerow.model_selection import SampledSearchCV
from hedgerow.parameters import parameters_of
from hedgerow.persistence.model_file import write_model
from hedgerow.svm import SVC

EXACT_UP_TO = 10_000  # examples; among so many an exact machine is found sooner than one from samples
SAMPLE_SIZE, REFIT_SAMPLE_SIZE = 100, 5000


@dataclass(frozen=True)
class SearchOptions:
    """How candidates are compared."""

    sampling: str | None  # None: as suits the number of examples
    sample_size: int | None
    folds: int
    score: str
    seed: int
    jobs: int  # processes

    @property
    def size(self) -> int:
        return self.sample_size or SAMPLE_SIZE

    def for_examples(self, n: int) -> SearchOptions:
        """With a way of sampling, whether it was said or not."""
        exact = self.sample_size is None and n <= EXACT_UP_TO
        return replace(self, sampling=self.sampling or ("none" if exact else "uniform"))


@dataclass(frozen=True)
class Outcome:
    """What is made of the ranking."""

    output: str | None
    sampled: bool  # whether that model is trained from samples
    sample_size: int | None
    as_json: bool
    plot: str | None


@dataclass(frozen=True)
class Candidate:
    """What was tried, and how it did."""

    kernel: KernelChoice
    of_machine: dict[str, Any]
    mean: float
    deviation: float
    seconds: float

    @property
    def settings(self) -> dict[str, Any]:
        assert self.kernel.row is not None
        return {"kernel": self.kernel.row.name, **self.kernel.given, **self.of_machine}


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
    X: Examples, y: Vector, kernels: list[tuple[KernelChoice, Kernel]], grid: Grid, options: SearchOptions
) -> Ranking:
    """Compares all candidates by cross-validation."""
    results = _searched(X, y, {"kernel": [kernel for _, kernel in kernels], **grid.of_machine}, options)
    by_kernel = {repr(kernel): choice for choice, kernel in kernels}
    candidates = [
        Candidate(
            by_kernel[repr(parameters["kernel"])],
            {name: parameters[name] for name in grid.of_machine},
            float(results["mean_test_score"][i]),
            float(results["std_test_score"][i]),
            float(results["mean_fit_time"][i] + results["mean_score_time"][i]),
        )
        for i, parameters in enumerate(results["params"])
    ]
    varied = {name: len(values) for name, values in grid.of_machine.items()}
    for name in {name for choice, _ in kernels for name in choice.given}:
        varied[name] = len({choice.given.get(name) for choice, _ in kernels} - {None})
    candidates.sort(key=lambda candidate: -candidate.mean)  # ties stay in the order of the grid
    return Ranking(len(y), options, candidates, [name for name, count in varied.items() if count > 1])


def _searched(X: Examples, y: Vector, grid: dict[str, list[Any]], options: SearchOptions) -> dict[str, Any]:
    """The results of the search, as scikit-learn gives them."""
    search = _search(grid, options)
    scorer = _scorer(options.score, y)
    n_candidates = prod(map(len, grid.values()))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)  # good enough to be compared
        if options.jobs > 1:  # in processes of their own, which cannot be counted
            with spinning(f"Comparing {n_candidates} candidates"):
                search.set_params(scoring=scorer).fit(X, y)
        else:
            with counting("Comparing", n_candidates * options.folds) as advance:
                search.set_params(scoring=_counted(scorer, advance)).fit(X, y)
    results: dict[str, Any] = search.cv_results_
    return results


def _search(grid: dict[str, list[Any]], options: SearchOptions) -> Any:
    common = {
        "cv": StratifiedKFold(options.folds, shuffle=True, random_state=options.seed),
        "n_jobs": options.jobs,
        "error_score": "raise",
    }
    if options.sampling == "none":
        return GridSearchCV(SVC(n_jobs=1 if options.jobs > 1 else None), grid, refit=False, **common)
    return SampledSearchCV(
        SVC(n_jobs=1),  # rounds over small samples are too short to be shared among threads
        grid,
        sampling="importance" if options.sampling == "importance" else "uniform",
        sample_size=options.size,
        refit=None,
        random_state=options.seed,
        **common,
    )


def _scorer(score: str, y: Vector) -> Any:
    if score == "accuracy":
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
    inputs: Sequence[str], data: DataOptions, grid: Grid, options: SearchOptions, wanted: Outcome
) -> None:
    """Everything from the options to the report and the model."""
    from hedgerow.cli.tune.report import draw, print_json, print_table

    grid.check()
    for path in filter(None, (wanted.output, wanted.plot)):
        check_output(path, inputs)
    if wanted.plot is not None:
        check_plot(wanted.plot)
    if grid.kernels and all(row.data_kind == "text" for row in grid.kernels) and data.format is None:
        data = replace(data, format="text")
    with plain_warnings(), as_sentences():
        training = look_at(inputs, _choice(grid, data).schema(), data.features, keep_all=True)
        X, y = training.everything()
        columns = training.schema.columns
        kernels = [(choice, choice.make(columns)) for choice in grid.choices(columns, data.column)]
        ranking = rank(X, y, kernels, grid, options.for_examples(len(y)))
    best = _best(ranking, grid, data, wanted)
    command = train_command(best, inputs, wanted.output)
    (print_json if wanted.as_json else print_table)(ranking, command)
    if wanted.plot is not None:
        draw(ranking, wanted.plot)
    if wanted.output is None:
        return
    with plain_warnings(), as_sentences():
        machine = best.make_learner(best.kernel.make(columns))

        def write(path: str) -> None:
            write_model(machine, path, training.schema.notes(), trained_on(inputs, len(y)))

        with rescuing(machine, wanted.output, write):
            Whole(X, y).learn(machine)
    write(wanted.output)
    if not wanted.as_json:
        typer.echo(f"{wanted.output}: {machine._outcome()}")


def _choice(grid: Grid, data: DataOptions) -> Choice:
    return Choice(grid.learner, {}, KernelChoice(), None, {}, data)


def _best(ranking: Ranking, grid: Grid, data: DataOptions, wanted: Outcome) -> Choice:
    """How ``hedgerow train`` would train the best candidate."""
    best = ranking.best
    choice = replace(_choice(grid, data), given=best.of_machine, kernel=best.kernel)
    if not wanted.sampled:
        return choice
    of_samples = {
        "sampling": "importance" if ranking.options.sampling == "importance" else "uniform",
        "sample_size": wanted.sample_size or REFIT_SAMPLE_SIZE,
        "random_state": ranking.options.seed,
    }
    sampled = registry.learners()["cutting-plane"]
    return replace(choice, learner=sampled, given={**best.of_machine, **of_samples})


def train_command(choice: Choice, inputs: Sequence[str], output: str | None) -> str:
    """The command line that trains what was chosen."""
    assert choice.kernel.row is not None
    words = ["hedgerow", "train", *inputs, "-o", output or "MODEL", "--learner", choice.learner.name]
    words += ["--kernel", choice.kernel.row.name]
    normalize = {} if choice.kernel.normalize is None else {"normalize": choice.kernel.normalize}
    data = {
        name: value
        for name, parameter in parameters_of(DataOptions).items()
        if (value := getattr(choice.data, name)) != parameter.default
    }
    for parameter, value in {**choice.kernel.given, **choice.given, **normalize, **data}.items():
        name = option_name(parameter)
        if isinstance(value, bool):
            words.append(name if value else name.replace("--", "--no-", 1))
        else:
            words += [name, text_of(value)]
    return shlex.join(words)
