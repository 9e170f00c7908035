"""What a command line names, the learner, the kernel and the problem, and the options that these take."""

from __future__ import annotations

from dataclasses import dataclass, replace
from difflib import get_close_matches
from typing import Any

import typer

from hedgerow import registry
from hedgerow.cli.derived import DerivedOption, derived, values_by_panel
from hedgerow.cli.derived_command import value_among
from hedgerow.cli.tasks import TASKS
from hedgerow.cli.train.choice import FLAT_DATA, Choice, DataOptions, KernelChoice
from hedgerow.parameters import parameters_of
from hedgerow.registry import KernelRow, Learner, ProblemRow

SETTLED = "the model that --resume names has this settled already"
DATA = "Data"  # the panel of the help where options of the data stand
# What options of the command say.
_ELSEWHERE = ("kernel", "problem", "n_features", "n_jobs", "verbose", "classes")


@dataclass(frozen=True)
class Named:
    """What the command line names, with the defaults in place of what it does not."""

    learner: Learner
    kernel: KernelRow | None
    problem: ProblemRow | None
    said: bool  # whether anything was named
    resumed: bool

    @classmethod
    def among(cls, arguments: list[str]) -> Named:
        words = {
            name: value_among(arguments, f"--{name}") for name in ("learner", "kernel", "problem", "resume")
        }
        problem = named_row("problem", words["problem"], problems())
        default = "perceptron" if problem is None else "structured-svm"
        learner = named_row("learner", words["learner"] or default, registry.learners())
        assert learner is not None
        named = cls(
            learner,
            named_row("kernel", words["kernel"], registry.kernels()),
            problem,
            any(words.values()),
            words["resume"] is not None,
        )
        for name in ("learner", "kernel", "problem"):
            if named.resumed and words[name] is not None:
                raise typer.BadParameter(SETTLED, param_hint=f"--{name}")
        named._check()
        return named

    def _check(self) -> None:
        if self.problem is None and self.learner.structured:
            fitting = [name for name, row in problems().items() if row.takes(self.learner)]
            raise typer.BadParameter(
                f"the learner {self.learner.name} needs --problem: {', '.join(fitting)}",
                param_hint="--learner",
            )
        if self.problem is not None and not self.problem.takes(self.learner):
            fitting = [name for name, row in registry.learners().items() if self.problem.takes(row)]
            raise typer.BadParameter(
                f"the learners of --problem {self.problem.name} are {', '.join(fitting)}",
                param_hint="--learner",
            )
        if self.kernel is not None and not self.on_kernels:
            who = (
                f"the learner {self.learner.name}"
                if self.problem is None
                else f"the problem {self.problem.name}"
            )
            raise typer.BadParameter(f"{who} has no kernel; it keeps weights", param_hint="--kernel")

    @property
    def on_kernels(self) -> bool:
        return self.learner.on_kernels if self.problem is None else self.problem.on_kernels

    @property
    def shards_need_budget(self) -> bool:
        """Whether what shards have learned together may be bounded, though the learner has no budget."""
        return self.problem is None and self.learner.on_kernels and "budget" not in self.learner.parameters

    def __str__(self) -> str:
        named = [self.learner, self.kernel, self.problem]
        kinds = zip(("learner", "kernel", "problem"), named, strict=True)
        return " with ".join(f"the {kind} {row.name}" for kind, row in kinds if row is not None)

    def options(self) -> list[DerivedOption]:
        """All options that are taken beside those of every training."""
        problem: list[DerivedOption]
        data: tuple[str, ...]
        if self.resumed:
            return data_options(("spaces_in_leaves",))
        if self.problem is None:
            of_learner, problem, data = self.learner.parameters, [], FLAT_DATA
        else:
            of_learner, of_problem = self.problem.parameters_with(self.learner)
            problem, data = _problem_options(self.problem, of_problem), TASKS[self.problem.name].data
        return [
            *derived(_open(of_learner), f"Learner {self.learner.name}"),
            *(
                derived(self.kernel.parameters, f"Kernel {self.kernel.name}")
                if self.kernel is not None
                else ()
            ),
            *problem,
            *data_options(data),
        ]

    def choice(self, values: dict[str, Any], normalize: bool | None) -> Choice:
        """What was chosen, given the values of the derived options."""
        given = values_by_panel(self.options(), values, ("Learner", "Kernel", "Problem", DATA))
        data = DataOptions(**given[DATA])
        kernel = KernelChoice(self.kernel, given["Kernel"], normalize, data.column)
        choice = Choice(self.learner, given["Learner"], kernel, self.problem, given["Problem"], data)
        choice.check()
        return choice


def problems() -> dict[str, ProblemRow]:
    """Those whose examples are read from files."""
    return {name: row for name, row in registry.problems().items() if name in TASKS}


def _open(parameters: Any) -> Any:
    return {name: parameter for name, parameter in parameters.items() if name not in _ELSEWHERE}


def data_options(names: tuple[str, ...]) -> list[DerivedOption]:
    """Options for these fields of `DataOptions`."""
    known = dict(parameters_of(DataOptions))
    formats = tuple(name for name, row in registry.formats().items() if row.labelled)
    known["format"] = replace(known["format"], types=(), choices=formats)
    return derived({name: known[name] for name in names}, DATA)


def named_row(kind: str, name: str | None, rows: Any) -> Any:
    """The row of that name; None if there is none."""
    if name is None:
        return None
    if name not in rows:
        close = get_close_matches(name, rows)
        hint = f"did you mean {close[0]}? " if close else ""
        raise typer.BadParameter(
            f"{name!r} is not a {kind}; {hint}hedgerow list {kind}s shows all", param_hint=f"--{kind}"
        )
    return rows[name]


def variants() -> list[list[str]]:
    """Arguments that, one after the other, bring up all options."""
    learners = [name for name, row in registry.learners().items() if not row.structured]
    return [
        *(["--learner", name] for name in learners),
        *(["--kernel", name] for name in registry.kernels()),
        *(
            ["--problem", name, "--learner", learner.name]
            for name, row in problems().items()
            for learner in registry.learners().values()
            if row.takes(learner)
        ),
    ]


def owners(option: str) -> str:
    """Who takes an option, in words; empty if nobody does."""
    takers: dict[str, list[str]] = {"learner": [], "kernel": [], "problem": []}
    for learner in registry.learners().values():
        if not learner.structured and _has(derived(_open(learner.parameters), ""), option):
            takers["learner"].append(learner.name)
    for kernel in registry.kernels().values():
        if _has(derived(kernel.parameters, ""), option):
            takers["kernel"].append(kernel.name)
    for problem in problems().values():
        for learner in filter(problem.takes, registry.learners().values()):
            of_learner, of_problem = problem.parameters_with(learner)
            if _has(derived(_open(of_learner), ""), option):
                takers["learner"].append(learner.name)
            data = data_options(TASKS[problem.name].data)
            if _has([*_problem_options(problem, of_problem), *data], option):
                takers["problem"].append(problem.name)
    return " and ".join(
        f"the {kind}{'s' if len(names) > 1 else ''} {', '.join(names)}"
        for kind, found in takers.items()
        if (names := list(dict.fromkeys(found)))
    )


def _has(options: list[DerivedOption], name: str) -> bool:
    return any(option.name == name for option in options)


def _problem_options(row: ProblemRow, parameters: Any) -> list[DerivedOption]:
    task = TASKS[row.name]
    return derived(_open(parameters), f"Problem {row.name}", task.option_names, task.files)
