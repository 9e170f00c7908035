"""``hedgerow train``: a command whose options follow from the learner, the kernel and the problem."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from copy import deepcopy
from typing import Annotated, Any

import typer

from hedgerow.cli.cluster import CLUSTER, ClusterOptions, Scheduler, ShardCount, ShardOptions, WorkerCount
from hedgerow.cli.derived import Derived, option_name
from hedgerow.cli.options import Inputs
from hedgerow.cli.train.named import SETTLED, Named, owners

TRACE_EVERY = 100
_PROGRESS = "Progress"
# Those that the help shows before anything is named.
_FIRST = (
    "inputs",
    "output",
    "learner",
    "kernel",
    "problem",
    "resume",
    "trace",
    "jobs",
    "quiet",
    "data_format",
)


def _train(
    inputs: Inputs,
    output: Annotated[
        str,
        typer.Option(
            "--output", "-o", metavar="MODEL", help="The model file to write; - is standard output."
        ),
    ],
    learner: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="Default: perceptron; structured-svm with --problem."),
    ] = None,
    kernel: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="Default: sst for trees, spectrum for texts, for vectors linear or none.",
        ),
    ] = None,
    problem: Annotated[
        str | None, typer.Option(metavar="NAME", help="What is predicted, if it has structure.")
    ] = None,
    resume: Annotated[
        str | None,
        typer.Option(metavar="MODEL", help="Go on with this model, as if it had never been saved."),
    ] = None,
    trace: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="Write a learning curve, as comma-separated values."),
    ] = None,
    jobs: Annotated[
        int | None,
        typer.Option(
            min=1, metavar="N", help="Threads; the model does not depend on it. Default: one per core."
        ),
    ] = None,
    quiet: Annotated[bool, typer.Option("--quiet", help="Do not show how far it is.")] = False,
    normalize: Annotated[
        bool | None,
        typer.Option(
            "--normalize/--no-normalize",
            help="Give every item length 1 under the kernel. Default: trees only.",
            rich_help_panel="Kernel",
        ),
    ] = None,
    progress_every: Annotated[
        int | None,
        typer.Option(
            min=1,
            help="Examples between two lines of the progressive error. Default: without a kernel after 1, 2, 4, 8, "
            "... examples, with a kernel never.",
            rich_help_panel=_PROGRESS,
        ),
    ] = None,
    scheduler: Scheduler = None,
    workers: WorkerCount = None,
    shards: ShardCount = None,
    budget: Annotated[
        int | None,
        typer.Option(
            min=1,
            metavar="N",
            help="The most supports that are kept of what shards have learned with a kernel.",
            rich_help_panel=CLUSTER,
        ),
    ] = None,
    **values: Any,
) -> None:
    """Learn a model from files of labelled examples.

    `hedgerow list learners` (kernels, problems, formats) shows what there is. Options follow from what is named:
    `hedgerow train --learner svm --help` adds those of **svm**, and of data and clusters; so do --kernel and --problem.

    - `hedgerow train questions.tk -o questions.model --learner svm -C 3`
    - `hedgerow train chunks.txt -o chunks.model --problem sequence`
    """


def _made(named: Named) -> Callable[..., None]:
    """The command's function, with the options that are taken."""

    def train(**values: Any) -> None:
        _run(named, **values)

    signature = inspect.signature(_train, eval_str=True)
    absent = {"values"} if named.shards_need_budget else {"values", "budget"}
    own = [parameter for name, parameter in signature.parameters.items() if name not in absent]
    options = [option.argument(hidden=not named.said) for option in named.options()]
    shown = [parameter if named.said or parameter.name in _FIRST else _hidden(parameter) for parameter in own]
    train.__signature__ = signature.replace(parameters=[*shown, *options])  # type: ignore[attr-defined]
    train.__annotations__ = {parameter.name: parameter.annotation for parameter in [*shown, *options]}
    train.__doc__ = _train.__doc__
    return train


def _hidden(parameter: inspect.Parameter) -> inspect.Parameter:
    kind, option = parameter.annotation.__origin__, deepcopy(parameter.annotation.__metadata__[0])
    option.hidden = True
    return parameter.replace(annotation=Annotated[kind, option])


def _run(
    named: Named,
    inputs: list[str],
    output: str,
    trace: str | None,
    resume: str | None,
    jobs: int | None,
    quiet: bool,
    normalize: bool | None,
    progress_every: int | None,
    scheduler: str | None,
    workers: int | None,
    shards: int | None,
    budget: int | None = None,
    **values: Any,
) -> None:
    from hedgerow.cli.train.run import run
    from hedgerow.cli.training import ProgressOptions
    from hedgerow.threads import set_n_jobs

    if normalize is not None and (named.resumed or not named.on_kernels):
        why = SETTLED if named.resumed else f"the learner {named.learner.name} has no kernel"
        raise typer.BadParameter(why, param_hint="--normalize")
    if values.get("learner_trace_every") is not None and trace is None:
        raise typer.BadParameter(
            "there is nothing to write it to; give --trace too", param_hint="--trace-every"
        )
    if trace is not None and "learner_trace_every" in values:
        values["learner_trace_every"] = values["learner_trace_every"] or TRACE_EVERY
    options = ShardOptions(ClusterOptions(scheduler, workers), shards, quiet, budget)
    if budget is not None and not options.wanted:
        raise typer.BadParameter("it needs --shards, --workers or --scheduler here", param_hint="--budget")
    if jobs is not None:
        set_n_jobs(jobs)
    run(
        named.choice(values, normalize),
        inputs,
        output,
        trace=trace,
        resume=resume,
        progress=ProgressOptions(progress_every, quiet),
        shards=options,
    )


def _for_arguments(arguments: list[str]) -> Callable[..., None]:
    named = Named.among(arguments)
    function = _made(named)
    known = {"-h", "--help"} | {
        name for parameter in inspect.signature(function).parameters.values() for name in _names(parameter)
    }
    for argument in arguments[: arguments.index("--") if "--" in arguments else None]:
        option = argument.partition("=")[0] if argument.startswith("--") else argument[:2]
        if option.startswith("-") and option not in known and (sentence := _refusal(option, named)):
            raise typer.BadParameter(sentence, param_hint=option)
    return function


def _names(parameter: inspect.Parameter) -> list[str]:
    option = parameter.annotation.__metadata__[0]
    # In an annotation the first name stands where typer otherwise has the default.
    declared = [option.default, *(option.param_decls or ())]
    names = [name for words in declared if isinstance(words, str) for name in words.split("/")]
    return names or [option_name(parameter.name)]


def _refusal(option: str, named: Named) -> str:
    """Why an option of something else is not taken; empty for what nobody has."""
    takers = owners(option.replace("--no-", "--"))
    if not takers:
        return ""
    if named.resumed:
        return SETTLED
    return f"{named} does not take it; it is for {takers}"


train = Derived(_for_arguments)
