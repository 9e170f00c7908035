"""What a command line names, the learner, the kernel and the problem, and the options that these take."""

from __future__ import annotations

from dataclasses import dataclass, replace
from difflib import get_close_matches
from typing import Any

from hedgerow import registry
from hedgerow.cli.derived import DerivedOption, derived, option_name, values_by_panel
from hedgerow.cli.derived_command import Naming, value_among
from hedgerow.cli.failures import refused
from hedgerow.cli.tasks import has_files, task_for
from hedgerow.cli.tasks.task import Task
from hedgerow.cli.train.choice import WORDS, Choice, DataOptions, KernelChoice
from hedgerow.feature_extraction import TextHasher
from hedgerow.kernels.expressions import Expression
from hedgerow.parameters import Parameter, parameters_of
from hedgerow.registry import KernelRow, Learner, ProblemRow

SETTLED = "the model that --resume names has this settled already"
DATA = "Data"  # the panel of the help where options of the data stand
FEATURES = "Features"  # and where those of what makes features of them
# Those that the help shows before anything is named.
_FIRST = ("inputs", "output", "learner", "kernel", "problem", "resume", "trace", "jobs", "quiet")
# What options of the command say.
ELSEWHERE = ("kernel", "problem", "n_features", "n_jobs", "verbose", "classes", "vectorizer")


@dataclass(frozen=True)
class Named(Naming):
    """What the command line names, with the defaults in place of what it does not."""

    learner: Learner
    kernel: KernelRow | None
    problem: ProblemRow | None
    said: bool  # whether anything was named
    resumed: bool
    searched: bool = False  # whether a learner is to be found; meanwhile it is the exact machine

    @classmethod
    def among(cls, arguments: list[str]) -> Named:
        words = {name: value_among(arguments, f"--{name}") for name in ("learner", "kernel", "problem")}
        resumed = value_among(arguments, "--resume") is not None
        for name, word in words.items():
            if resumed and word is not None:
                raise refused(f"--{name}", SETTLED)
        searched = words["learner"] is None and words["problem"] is None and not resumed
        default = "svm" if words["problem"] is None else "structured-svm"
        learner = named_row("learner", words["learner"] or default, registry.learners())
        kernel = None if words["kernel"] is None else named_kernel("--kernel", words["kernel"])
        problem = named_row("problem", words["problem"], problems())
        named = cls(learner, kernel, problem, resumed or any(words.values()), resumed, searched)
        named._check()
        return named

    def _check(self) -> None:
        if self.problem is None and self.learner.structured:
            fitting = ", ".join(name for name, row in problems().items() if row.takes(self.learner))
            raise refused("--learner", f"the learner {self.learner.name} needs --problem: {fitting}")
        if self.problem is not None and not self.problem.takes(self.learner):
            fitting = ", ".join(name for name, row in registry.learners().items() if self.problem.takes(row))
            raise refused("--learner", f"the learners of --problem {self.problem.name} are {fitting}")
        if self.kernel is not None and not self.on_kernels:
            raise refused("--kernel", f"{self._without_kernel()} has no kernel; it keeps weights")

    def _without_kernel(self) -> str:
        return (
            f"the learner {self.learner.name}" if self.problem is None else f"the problem {self.problem.name}"
        )

    @property
    def on_kernels(self) -> bool:
        return self.learner.on_kernels if self.problem is None else self.problem.on_kernels(self.learner)

    def hides(self, name: str) -> bool:
        return not self.said and name not in _FIRST

    def why_not(self, option: str) -> str:
        takers = owners(option)
        sentence = SETTLED if self.resumed else f"{self} does not take it; it is for {takers}"
        return sentence if takers else ""

    def __str__(self) -> str:
        named = [None if self.searched else self.learner, self.kernel, self.problem]
        kinds = zip(("learner", "kernel", "problem"), named, strict=True)
        words = [f"the {kind} {row.name}" for kind, row in kinds if row is not None]
        return " with ".join(words) or "the learner that the data suit"

    def options(self) -> list[DerivedOption]:
        """All options that are taken beside those of every training."""
        if self.resumed:
            return data_options(("spaces_in_leaves",))
        of_learner, of_problem = self.learner.parameters, dict[str, Parameter]()
        if self.searched:  # what asks for passes is taken too
            of_learner = {**of_learner, **passes().parameters}
        of_kernel = {} if self.kernel is None else self.kernel.parameters
        if self.problem is not None:
            of_learner, of_problem = self.problem.parameters_with(self.learner)
        task = task_for(self.problem)
        return [
            *derived(open_ones(of_learner), f"Learner {self.learner.name}"),
            *derived(of_kernel, f"Kernel {getattr(self.kernel, 'name', '')}"),
            *derived(
                open_ones(of_problem),
                f"Problem {getattr(self.problem, 'name', '')}",
                task.option_names,
                task.files,
            ),
            *derived(open_ones(parameters_of(task.extractor)) if task.extractor else {}, FEATURES),
            *data_options(task.data, task.formats),
        ]

    def choice(self, values: dict[str, Any], normalize: bool | None) -> Choice:
        """What was chosen, given the values of the derived options."""
        given = values_by_panel(self.options(), values, ("Learner", "Kernel", "Problem", FEATURES, DATA))
        words = {name: given[DATA].pop(name) for name in WORDS if name in given[DATA]}
        data = DataOptions(**given[DATA], words=words)
        kernel = KernelChoice(self.kernel, given["Kernel"], normalize, data.column)
        learner, searched = self._learner(given["Learner"])
        choice = Choice(
            learner, given["Learner"], kernel, self.problem, given["Problem"], data, given[FEATURES], searched
        )
        choice.check()
        return choice

    def _learner(self, given: dict[str, Any]) -> tuple[Learner, bool]:
        """The learner, and whether it is to be found; options such as --epochs ask for passes."""
        if not self.searched:
            return self.learner, False
        asking = [name for name in given if name not in self.learner.parameters]
        for name in given:
            if asking and name not in passes().parameters:
                words = (
                    f"{option_name(asking[0])} asks for the learner {passes().name}, which does not take it"
                )
                raise refused(option_name(name), words)
        return (passes(), False) if asking else (self.learner, True)


def passes() -> Learner:
    """The learner for examples that come once, or in passes."""
    return registry.learners()["perceptron"]


def problems() -> dict[str, ProblemRow]:
    """Those whose examples are read from files."""
    return {name: row for name, row in registry.problems().items() if has_files(row)}


def open_ones(parameters: Any) -> Any:
    """Parameters that have options of their own."""
    return {name: parameter for name, parameter in parameters.items() if name not in ELSEWHERE}


def data_options(names: tuple[str, ...], formats: tuple[str, ...] = Task.formats) -> list[DerivedOption]:
    """Options for these fields of `DataOptions`, and parameters of `TextHasher`."""
    known = {**parameters_of(TextHasher), **parameters_of(DataOptions)}
    known["format"] = replace(known["format"], types=(), choices=formats)
    return derived({name: known[name] for name in names}, DATA)


def named_row(kind: str, name: str | None, rows: Any) -> Any:
    """The row of that name; None if there is none."""
    if name is None:
        return None
    if name not in rows:
        close = get_close_matches(name, rows)
        hint = f"did you mean {close[0]}? " if close else ""
        raise refused(f"--{kind}", f"{name!r} is not a {kind}; {hint}hedgerow list {kind}s shows all")
    return rows[name]


def named_kernel(option: str, text: str) -> KernelRow:
    """The kernel of that name, or the one that the expression describes."""
    try:
        return registry.kernels().get(text) or Expression(text)
    except ValueError as error:
        raise refused(option, str(error)) from None


def variants() -> list[list[str]]:
    """Arguments that, one after the other, bring up all options."""
    learners = [name for name, row in registry.learners().items() if not row.structured]
    return [
        *(["--learner", name] for name in learners),
        *(["--learner", "svm", "--kernel", name] for name in registry.kernels()),
        *(
            ["--problem", name, "--learner", learner.name]
            for name, row in problems().items()
            for learner in registry.learners().values()
            if row.takes(learner)
        ),
    ]


def owners(option: str) -> str:
    """Who takes an option, in words; empty if nobody does."""
    takers: dict[str, dict[str, None]] = {"learner": {}, "kernel": {}, "problem": {}}
    for named in map(Named.among, variants()):
        for panel in (found.panel for found in named.options() if found.name == option):
            kind, _, name = panel.lower().partition(" ")
            if panel not in (DATA, FEATURES):
                takers[kind][name] = None
            elif named.problem is not None:
                takers["problem"][named.problem.name] = None
    return " and ".join(
        f"the {kind}{'s' if len(names) > 1 else ''} {', '.join(names)}"
        for kind, names in takers.items()
        if names
    )
