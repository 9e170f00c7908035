"""``hedgerow train``: a command whose options follow from the learner, the kernel and the problem."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from hedgerow.cli.cluster import ClusterOptions, Scheduler, ShardCount, ShardOptions, WorkerCount
from hedgerow.cli.derived import said
from hedgerow.cli.derived_command import Derived
from hedgerow.cli.failures import refused
from hedgerow.cli.options import Inputs, Normalize
from hedgerow.cli.train.named import SETTLED, Named
from hedgerow.cli.train.saving import Every

TRACE_EVERY = 100

Output = Annotated[
    str,
    typer.Option("--output", "-o", metavar="MODEL", help="The model file to write; - is standard output."),
]
LearnerName = Annotated[
    str | None,
    typer.Option(metavar="NAME", help="Default: chosen by the data; structured-svm with --problem."),
]
KernelName = Annotated[
    str | None,
    typer.Option(
        metavar="NAME",
        help='Also an expression, as "sst + 0.5 * linear on vector". Default: chosen by the data; with --learner sst, '
        "spectrum, linear or none.",
    ),
]
ProblemName = Annotated[
    str | None, typer.Option(metavar="NAME", help="What is predicted, if it has structure.")
]
Resume = Annotated[
    str | None,
    typer.Option(metavar="MODEL", help="Continue training this model, as if it had never been saved."),
]
SkipSeen = Annotated[
    bool | None,
    typer.Option(
        "--skip-seen/--no-skip-seen",
        help="With --resume, whether DATA begins with the examples that the model had seen when it was written, and "
        "that are then skipped. Default: yes for files in which its training was stopped, else no.",
        show_default=False,
        rich_help_panel="Saving",
    ),
]
SaveEvery = Annotated[
    Any,
    typer.Option(
        parser=Every.parse,
        metavar="N|TIME",
        help="Write the model while it learns, after every N examples, or so often: 30s, 5m, 1h.",
        rich_help_panel="Saving",
    ),
]
Final = Annotated[
    bool,
    typer.Option(
        "--final",
        help="Write a small model that predicts but cannot continue with --resume.",
        rich_help_panel="Saving",
    ),
]
Trace = Annotated[
    str | None, typer.Option(metavar="FILE", help="Write a learning curve, as comma-separated values.")
]
Jobs = Annotated[
    int | None,
    typer.Option(min=1, metavar="N", help="Threads; the model does not depend on it. Default: one per core."),
]
Quiet = Annotated[bool, typer.Option("--quiet", help="Do not show progress.")]
ProgressEvery = Annotated[
    int | None,
    typer.Option(
        min=1,
        metavar="N",
        help="Examples between two lines of the progressive error. Default: without a kernel after 1, 2, 4, 8, ... "
        "examples, with a kernel never. Of votes on weights, it is that of the last predictor.",
        rich_help_panel="Progress",
    ),
]


def _train(
    named: Named,
    inputs: Inputs,
    output: Output,
    learner: LearnerName = None,
    kernel: KernelName = None,
    problem: ProblemName = None,
    resume: Resume = None,
    trace: Trace = None,
    final: Final = False,
    jobs: Jobs = None,
    quiet: Quiet = False,
    normalize: Normalize = None,
    progress_every: ProgressEvery = None,
    save_every: SaveEvery = None,
    skip_seen: SkipSeen = None,
    scheduler: Scheduler = None,
    workers: WorkerCount = None,
    shards: ShardCount = None,
    **values: Any,
) -> None:
    """Learn a model from files of labelled examples.

    Without --learner, suitable learners, kernels and C are compared on held-out parts of the data; -C and --kernel fix
    that part of the choice. `hedgerow list learners` (kernels, problems, formats) shows what there is. Options follow
    from what is named: `hedgerow train --learner svm --help` adds those of **svm**, and of data and clusters; so do
    --kernel and --problem.

    - `hedgerow train questions.tk -o questions.model`
    - `hedgerow train chunks.txt -o chunks.model --problem sequence`
    """
    from hedgerow.cli.train.lessons import ProgressOptions
    from hedgerow.cli.train.run import run
    from hedgerow.threads import set_n_jobs

    if normalize is not None:
        _check_kernel(named)
    if skip_seen is not None and resume is None:
        raise refused("--skip-seen", "it needs --resume")
    if quiet and progress_every is not None:
        raise refused("--progress-every", "--quiet shows nothing")
    shard_options = ShardOptions(ClusterOptions(scheduler, workers), shards)
    if jobs is not None:
        set_n_jobs(jobs)
    run(
        named.choice(_traced(values, trace), normalize),
        inputs,
        output,
        trace=trace,
        resume=resume,
        skip_seen=skip_seen,
        save_every=save_every,
        final=final,
        progress=ProgressOptions(progress_every, quiet),
        shards=shard_options,
    )


def _check_kernel(named: Named) -> None:
    """Refuses to normalise where there is no kernel, or one that is settled."""
    if named.resumed or not named.on_kernels:
        why = SETTLED if named.resumed else f"the learner {named.learner.name} has no kernel"
        raise refused("--normalize", why)


def _traced(values: dict[str, Any], trace: str | None) -> dict[str, Any]:
    """With examples between two lines of the trace, if one is wanted."""
    if "learner_trace_every" not in values:
        return values
    every = values["learner_trace_every"]
    if trace is None and every is not None:
        raise refused("--trace-every", "there is nothing to write it to; give --trace too")
    if every is not None and said(every) is None:
        raise refused("--trace-every", "--trace needs a number")
    return {**values, "learner_trace_every": every or (TRACE_EVERY if trace is not None else None)}


train = Derived(_train, Named)
