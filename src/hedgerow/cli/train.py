"""``hedgerow train``: learn a model from files of examples."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from hedgerow.cli.cluster import ClusterOptions, Scheduler, ShardCount, ShardOptions, WorkerCount
from hedgerow.cli.names import (
    BATCH,
    STRUCTURED,
    STRUCTURED_LOSSES,
    Averaging,
    ClassWeight,
    KernelName,
    LearnerName,
    Loss,
    Multiclass,
    ProblemName,
    Sampling,
    Variant,
)
from hedgerow.cli.options import (
    DATA,
    Column,
    Features,
    Format,
    HashBits,
    Inputs,
    Ngrams,
    SpacesInLeaves,
    Tokens,
)
from hedgerow.cli.structured.options import (
    Comments,
    ConstraintsChoice,
    InputChoice,
    LabelColumn,
    Markov,
    Order,
    ParentsFlag,
    ProblemChoice,
    RescalingChoice,
    SlackChoice,
    SolverChoice,
    StreamFlag,
    TaxonomyFile,
    Templates,
)
from hedgerow.cli.weight_options import (
    L1,
    L2,
    Alpha,
    Beta,
    Confidence,
    Demotion,
    LearningRate,
    Margin,
    MaxFeatures,
    Promotion,
    R,
    ScheduleChoice,
    Threshold,
    Top,
    TruncateEvery,
    UpdateChoice,
)

TRACE_EVERY = 100


_LEARNER, _MACHINE, _KERNEL, _PROGRESS = "Learner", "Support vector machines", "Kernel", "Progress"


def train(
    inputs: Inputs,
    output: Annotated[
        str,
        typer.Option(
            "--output", "-o", metavar="MODEL", help="The model file to write; - is standard output."
        ),
    ],
    learner: Annotated[
        LearnerName | None,
        typer.Option(
            help="The learner. Default: perceptron; structured-svm with --problem.", rich_help_panel=_LEARNER
        ),
    ] = None,
    averaging: Annotated[
        Averaging | None,
        typer.Option(
            help="What predicts: the last predictor, or the average or majority vote of all.",
            rich_help_panel=_LEARNER,
        ),
    ] = None,
    variant: Annotated[
        Variant | None,
        typer.Option(
            help="Of pa: PA, PA-I or PA-II (default: PA-I); of scw: SCW-I or SCW-II (default: SCW-I); of forgetron: "
            "self-tuned, basic or greedy (default: self-tuned).",
            rich_help_panel=_LEARNER,
        ),
    ] = None,
    C: Annotated[
        float | None,
        typer.Option(
            "-C",
            help="Aggressiveness of PA-I, PA-II and scw; what an error costs svm, cutting-plane and structured-svm. "
            "Default: 1.",
            rich_help_panel=_LEARNER,
        ),
    ] = None,
    budget: Annotated[
        int | None, typer.Option(help="The most supports that are kept.", rich_help_panel=_LEARNER)
    ] = None,
    eta: Annotated[
        float | None,
        typer.Option(
            help="What a projectron may lose by projecting. Default: 0.1.", rich_help_panel=_LEARNER
        ),
    ] = None,
    aggressive: Annotated[
        bool | None,
        typer.Option("--aggressive", help="ROMMA learns from small margins too.", rich_help_panel=_LEARNER),
    ] = None,
    bias: Annotated[
        bool | None,
        typer.Option(
            "--bias/--no-bias",
            help="With or without a bias. Default: without, perceptron; with, svm.",
            rich_help_panel=_LEARNER,
        ),
    ] = None,
    multiclass: Annotated[
        Multiclass | None,
        typer.Option(help="For more than two classes. Default: one-vs-rest.", rich_help_panel=_LEARNER),
    ] = None,
    epochs: Annotated[int, typer.Option(min=1, help="Passes over the data.", rich_help_panel=_LEARNER)] = 1,
    shuffle: Annotated[
        bool, typer.Option("--shuffle", help="A new random order in each pass.", rich_help_panel=_LEARNER)
    ] = False,
    seed: Annotated[
        int | None, typer.Option(min=0, help="Makes random choices repeatable.", rich_help_panel=_LEARNER)
    ] = None,
    resume: Annotated[
        str | None,
        typer.Option(
            metavar="MODEL",
            help="Go on with this model, as if it had never been saved; it has the learner and the kernel.",
            rich_help_panel=_LEARNER,
        ),
    ] = None,
    trace: Annotated[
        str | None,
        typer.Option(
            metavar="FILE",
            help="Write mistakes, F1, supports (or weights) and CPU time during learning, as comma-separated values; "
            "of cutting-plane the objective, violation, supports and time after each round.",
            rich_help_panel=_LEARNER,
        ),
    ] = None,
    trace_every: Annotated[
        int | None,
        typer.Option(
            min=1,
            help=f"Examples between two lines of --trace. Default: {TRACE_EVERY}.",
            rich_help_panel=_LEARNER,
        ),
    ] = None,
    jobs: Annotated[
        int | None,
        typer.Option(
            min=1,
            help="Threads; the model does not depend on it. Default: one a core.",
            rich_help_panel=_LEARNER,
        ),
    ] = None,
    l1: L1 = None,
    l2: L2 = None,
    learning_rate: LearningRate = None,
    margin: Margin = None,
    promotion: Promotion = None,
    demotion: Demotion = None,
    threshold: Threshold = None,
    max_features: MaxFeatures = None,
    top: Top = None,
    update: UpdateChoice = None,
    truncate_every: TruncateEvery = None,
    schedule: ScheduleChoice = None,
    alpha: Alpha = None,
    beta: Beta = None,
    r: R = None,
    confidence: Confidence = None,
    j: Annotated[
        str | None,
        typer.Option(
            "--j",
            metavar="FLOAT|balanced",
            help="Multiplies C for positive examples, of each class against the rest; balanced: the number of the "
            "negative ones over theirs. Default: 1.",
            rich_help_panel=_MACHINE,
        ),
    ] = None,
    class_weight: Annotated[
        ClassWeight | None,
        typer.Option(
            help="balanced: each class and its rest have the same weight.", rich_help_panel=_MACHINE
        ),
    ] = None,
    loss: Annotated[
        Loss | None,
        typer.Option(
            help="Of svm: hinge or squared-hinge; of rda, fobos and the like: hinge, logistic, exponential. "
            "Default: hinge; of ftrl: logistic. With --problem: what a wrong output costs; of sequence: hamming, mean, "
            "zero-one; of grammar: f1, brackets, zero-one; of taxonomy: tree, path, zero-one; of multiclass: zero-one; "
            "of reranking: grade, zero-one. Default: the first one.",
            rich_help_panel=_LEARNER,
        ),
    ] = None,
    tol: Annotated[
        float | None,
        typer.Option(
            help="Of svm: the violation of the optimality conditions at which it stops; of cutting-plane and "
            "structured-svm: how exactly the mean loss is known then. Default: 0.001; of structured-svm: 0.01.",
            rich_help_panel=_MACHINE,
        ),
    ] = None,
    cache_size: Annotated[
        float | None,
        typer.Option(
            metavar="MB", help="Of svm: memory for kernel values. Default: 1000.", rich_help_panel=_MACHINE
        ),
    ] = None,
    max_iter: Annotated[
        int | None,
        typer.Option(
            help="Of svm: the most iterations for a class; of cutting-plane and structured-svm: the most rounds. "
            "Default: any number; of cutting-plane: 1000.",
            rich_help_panel=_MACHINE,
        ),
    ] = None,
    sampling: Annotated[
        Sampling | None,
        typer.Option(
            help="Of cutting-plane: what a plane is made of. none: all examples within the margin; uniform: those of "
            "a new sample; importance: a sample of those within the margin. Default: none.",
            rich_help_panel=_MACHINE,
        ),
    ] = None,
    sample_size: Annotated[
        int | None, typer.Option(help="Of --sampling. Default: 1000.", rich_help_panel=_MACHINE)
    ] = None,
    problem: ProblemChoice = None,
    solver: SolverChoice = None,
    slack: SlackChoice = None,
    rescaling: RescalingChoice = None,
    templates: Templates = None,
    label_column: LabelColumn = None,
    comments: Comments = None,
    order: Order = None,
    constraints: ConstraintsChoice = None,
    taxonomy: TaxonomyFile = None,
    grammar_input: InputChoice = None,
    markov: Markov = None,
    parents: ParentsFlag = None,
    stream: StreamFlag = False,
    kernel: Annotated[
        KernelName | None,
        typer.Option(
            help="Default: sst for trees, spectrum for texts; for vectors none (perceptron, pa, romma) or linear.",
            rich_help_panel=_KERNEL,
        ),
    ] = None,
    normalize: Annotated[
        bool | None,
        typer.Option(
            "--normalize/--no-normalize",
            help="Give every item length 1. Default: trees only.",
            rich_help_panel=_KERNEL,
        ),
    ] = None,
    decay: Annotated[
        float | None,
        typer.Option(help="Lambda. Default: 0.4; subsequence: 0.5.", rich_help_panel=_KERNEL),
    ] = None,
    vertical_decay: Annotated[
        float | None, typer.Option(help="Mu, of pt and upt. Default: 0.4.", rich_help_panel=_KERNEL)
    ] = None,
    max_length: Annotated[
        int | None,
        typer.Option(
            help="Longest sequence of children of pt and upt. Default: any.", rich_help_panel=_KERNEL
        ),
    ] = None,
    terminal_factor: Annotated[
        float | None,
        typer.Option(help="Of matching leaves, of pt and upt. Default: 1.", rich_help_panel=_KERNEL),
    ] = None,
    gamma: Annotated[float | None, typer.Option(help="Of rbf. Default: 1.", rich_help_panel=_KERNEL)] = None,
    degree: Annotated[
        int | None, typer.Option(help="Of polynomial. Default: 3.", rich_help_panel=_KERNEL)
    ] = None,
    scale: Annotated[
        float | None, typer.Option(help="Of polynomial and sigmoid. Default: 1.", rich_help_panel=_KERNEL)
    ] = None,
    offset: Annotated[
        float | None,
        typer.Option(help="Of polynomial (default: 1) and sigmoid (default: 0).", rich_help_panel=_KERNEL),
    ] = None,
    k: Annotated[
        int | None,
        typer.Option(
            "--k", help="Symbols of a k-mer, of spectrum and mismatch. Default: 3.", rich_help_panel=_KERNEL
        ),
    ] = None,
    mismatches: Annotated[
        int | None, typer.Option(help="Of mismatch. Default: 1.", rich_help_panel=_KERNEL)
    ] = None,
    alphabet: Annotated[
        str | None, typer.Option(help="All characters of the texts, for mismatch.", rich_help_panel=_KERNEL)
    ] = None,
    length: Annotated[
        int | None, typer.Option(help="Of subsequence. Default: 3.", rich_help_panel=_KERNEL)
    ] = None,
    data_format: Format = None,
    column: Column = None,
    classes: Annotated[
        str | None,
        typer.Option(
            metavar="A,B,...",
            help="All labels that will come, so that one pass over the data is enough: for endless input. With "
            "--problem: the labels of a --stream.",
            rich_help_panel=DATA,
        ),
    ] = None,
    features: Features = None,
    tokens: Tokens = False,
    hash_bits: HashBits = None,
    ngrams: Ngrams = None,
    spaces_in_leaves: SpacesInLeaves = False,
    progress_every: Annotated[
        int | None,
        typer.Option(
            min=1,
            help="Examples between two lines of the progressive error. Default: without a kernel after 1, 2, 4, 8, "
            "... examples, with a kernel never.",
            rich_help_panel=_PROGRESS,
        ),
    ] = None,
    quiet: Annotated[
        bool,
        typer.Option(
            "--quiet", help="Print no progressive error, nor how far it is.", rich_help_panel=_PROGRESS
        ),
    ] = False,
    scheduler: Scheduler = None,
    workers: WorkerCount = None,
    shards: ShardCount = None,
) -> None:
    """Learn a model from files of labelled examples.

    Files may be gzip. Formats:

    - **svmlight-tk**: lines `LABEL |BT| tree |ET| 1:0.5 7:2 |EV|`; labels are numbers or words
    - **brackets**: lines `LABEL (S (NP Mary) (VP sings))` (.mrg, .ptb, .tree, .trees, .brackets)
    - **text**: lines `LABEL<tab>text`

    Vectors need no kernel: the learners **perceptron**, **pa** and **romma** keep a weight for every feature when none
    is asked for, and **winnow**, **bw**, **mbw** (Winnows), **rda**, **vrda**, **adagrad-rda** (dual averaging: of all
    examples, of mistakes only, with steps of AdaGrad), **fobos**, **truncated-gradient**, **ftrl**, **arow** and
    **scw** always do. They learn in one pass and constant memory, from files or pipes, and print the error of
    predictions that are made before each example is learned from. Texts become hashed words (--format text). The labels
    of files are found beforehand; a pipe shows them in its first examples, or they are named with --classes.

    Several files are read one after the other. What fits in memory is read once; larger files are read once
    more for every pass, in pieces. The model appears only when all of it is written. Ctrl-C writes the model as
    learned so far, beside an older one of that name, and ends with exit code 130.

    Two learners are support vector machines, which look at all examples together, in memory: **svm** is exact, for up
    to some ten thousand examples; **cutting-plane** is for very many, without a bias, and with --sampling for
    millions; with --sampling uniform these may take more memory than there is. They say how far they got when they are
    done; after Ctrl-C the best model so far is written, marked as not converged. `hedgerow tune` finds a kernel and a C
    for them.

    With --workers or --scheduler (Dask), and with --shards, the data are parted into shards, which are learned from at
    the same time: learners that keep weights, and structured perceptrons, mix what the shards have learned after every
    pass (--epochs); cutting-plane, and structured-svm with --solver one-slack, learn what they learn otherwise;
    learners with a kernel learn a model for each shard and bring their mean back to --budget supports. The model does
    not depend on the number of workers.

    With --problem outputs have structure, and the learners are **structured-svm** and **structured-perceptron**:

    - **sequence**: a label for every token; files have a token a line in columns, with the label in the last one, and
      blank lines between sentences. --templates say what features tokens have
    - **grammar**: parses; files have trees in brackets. Rules are those of the training trees
    - **taxonomy**: a class of a hierarchy, which --taxonomy names; **multiclass**: a class. Files as above
    - **reranking**: the best of some candidates; lines `GRADE qid:7 1:0.5 3:2`, where a list has one qid

    Examples:

    - `hedgerow train questions.tk -o questions.model --averaging average`
    - `hedgerow train questions.tk -o questions.model --learner pa --variant PA-II -C 0.5 --kernel pt`
    - `hedgerow train a9a -o a9a.model --learner projectron++ --eta 0.1 --kernel rbf --gamma 0.04`
    - `hedgerow train questions.tk -o questions.model --learner svm -C 3 --j balanced`
    - `hedgerow train huge.tk -o huge.model --learner cutting-plane --sampling uniform --sample-size 5000 --seed 1`
    - `hedgerow train news.svm -o news.model --learner vrda --loss logistic --l1 0.001 --averaging average`
    - `zcat mail.tsv.gz | hedgerow train - -o spam.model --format text --learner mbw --ngrams 2 --classes ham,spam`
    - `hedgerow train today.tk --resume questions.model -o questions.model`
    - `zcat huge.tk.gz | hedgerow train - -o huge.model --classes -1,1 --learner forgetron --budget 5000`
    - `hedgerow train chunks.txt -o chunks.model --problem sequence -C 0.1`
    - `hedgerow train chunks.txt -o chunks.model --problem sequence --learner structured-perceptron --epochs 10 \
      --averaging average`
    - `hedgerow train news.svm -o news.model --problem taxonomy --taxonomy parents.tsv --rescaling slack`
    - `hedgerow train 'parts/*.svm.gz' -o news.model --learner pa --epochs 5 --workers 8`
    - `hedgerow train wsj.mrg -o parser.model --problem grammar --solver n-slack --slack quadratic`
    """
    of_learner: dict[str, Any] = {
        "averaging": None if averaging in (None, Averaging.none) else averaging.value,
        "variant": variant and variant.value,
        "C": C,
        "budget": budget,
        "eta": eta,
        "bias": bias,
        "aggressive": aggressive or None,
        "multiclass": multiclass and multiclass.value,
        "random_state": seed,
        "epochs": epochs if epochs > 1 else None,
        "shuffle": shuffle or None,
        "trace_every": trace_every,
        "j": j and _cost_factor(j),
        "class_weight": class_weight and class_weight.value,
        "loss": loss and loss.value,
        "tol": tol,
        "cache_size": cache_size,
        "max_iter": max_iter,
        "sampling": None if sampling in (None, Sampling.none) else sampling.value,
        "sample_size": sample_size,
        "l1": l1,
        "l2": l2,
        "learning_rate": learning_rate,
        "margin": margin,
        "promotion": promotion,
        "demotion": demotion,
        "threshold": threshold,
        "max_features": max_features,
        "top": top,
        "update": update and update.value,
        "truncate_every": truncate_every,
        "schedule": schedule and schedule.value,
        "alpha": alpha,
        "beta": beta,
        "r": r,
        "confidence": confidence,
    }
    of_kernel: dict[str, Any] = {
        "decay": decay,
        "vertical_decay": vertical_decay,
        "max_length": max_length,
        "terminal_factor": terminal_factor,
        "gamma": gamma,
        "degree": degree,
        "scale": scale,
        "offset": offset,
        "k": k,
        "mismatches": mismatches,
        "alphabet": alphabet,
        "length": length,
    }
    of_structured: dict[str, Any] = {"solver": solver, "slack": slack, "rescaling": rescaling}
    of_problem: dict[str, Any] = {
        "templates": templates,
        "label_column": label_column,
        "comments": comments,
        "order": order,
        "constraints": constraints and constraints.value,
        "taxonomy": taxonomy,
        "input": grammar_input and grammar_input.value,
        "markov": markov,
        "parents": parents,
    }
    if trace_every is not None and trace is None:
        raise typer.BadParameter(
            "there is nothing to write it to; give --trace too", param_hint="--trace-every"
        )
    if sample_size is not None and learner is LearnerName.cutting_plane and of_learner["sampling"] is None:
        raise typer.BadParameter(
            "nothing is sampled; give --sampling uniform or importance too", param_hint="--sample-size"
        )
    # Imported here: scikit-learn takes a second to load, which help and other commands need not wait for.
    from hedgerow.cli.training import KernelOptions, ProgressOptions, go_on, start, start_batch
    from hedgerow.cli.weights import HashingOptions
    from hedgerow.io.schema import Schema
    from hedgerow.threads import set_n_jobs

    if jobs is not None:
        set_n_jobs(jobs)
    progress = ProgressOptions(progress_every, quiet)
    shard_options = ShardOptions(ClusterOptions(scheduler, workers), shards, quiet)
    if shard_options.wanted:
        shard_options.refuse({"resume": resume, "progress_every": progress_every, "trace_every": trace_every})
    if resume is not None:
        settled: dict[str, Any] = {
            "learner": learner,
            "kernel": kernel,
            "normalize": normalize,
            "column": column,
        }
        settled |= {"classes": classes, "features": features, "format": data_format}
        settled |= {"hash_bits": hash_bits, "ngrams": ngrams}
        settled |= {**of_structured, **of_problem, "problem": problem}
        go_on(resume, inputs, output, {**of_learner, **of_kernel, **settled}, trace, progress)
        return
    kernel_options = KernelOptions(kernel, of_kernel, normalize, column)
    schema = Schema(data_format and data_format.value, spaces_in_leaves, tokens)
    hashing = HashingOptions(hash_bits, ngrams)
    if problem is not None:
        from hedgerow.cli.structured.task import TaskOptions
        from hedgerow.cli.structured.training import Plan, train_structured

        # Averaging and loss as they were said: here none is a choice too, and losses are of the problem.
        parameters = {**of_learner, **of_structured, "averaging": averaging, "loss": None, "epochs": None}
        plan = Plan(
            problem,
            learner or LearnerName.structured_svm,
            parameters,
            of_learner["epochs"],
            classes,
            stream,
            trace,
        )
        train_structured(
            inputs,
            output,
            plan,
            TaskOptions(schema, kernel_options, hashing, features, loss, of_problem),
            shard_options,
        )
        return
    for name, value in {**of_structured, **of_problem, "stream": stream or None}.items():
        if value is not None:
            raise typer.BadParameter(
                "it is for structured problems; give --problem too", param_hint=f"--{name.replace('_', '-')}"
            )
    learner = learner or LearnerName.perceptron
    if learner in STRUCTURED:
        raise typer.BadParameter(
            f"the learner {learner.value} needs --problem, which is one of {', '.join(ProblemName)}",
            param_hint="--learner",
        )
    if loss in STRUCTURED_LOSSES:
        raise typer.BadParameter(
            "this loss is for structured problems; give --problem too", param_hint="--loss"
        )
    if shard_options.wanted:
        from hedgerow.cli.training import start_on_shards

        unwanted = {"classes": classes, "trace": trace if learner not in BATCH else None}
        shard_options.refuse(unwanted)
        start_on_shards(
            inputs,
            output,
            learner,
            of_learner,
            kernel_options,
            hashing,
            schema,
            features,
            trace,
            shard_options,
        )
        return
    if learner in BATCH:
        if classes is not None:
            raise typer.BadParameter(
                f"the learner {learner.value} needs all examples in memory, so that their classes are known",
                param_hint="--classes",
            )
        if trace is not None and learner is not LearnerName.cutting_plane:
            raise typer.BadParameter(f"the learner {learner.value} records none", param_hint="--trace")
        start_batch(inputs, output, learner, of_learner, kernel_options, schema, features, trace)
        return
    if trace is not None:
        of_learner["trace_every"] = trace_every or TRACE_EVERY
    start(
        inputs,
        output,
        learner,
        of_learner,
        kernel_options,
        hashing,
        schema,
        classes,
        features,
        trace,
        progress,
    )


def _cost_factor(text: str) -> float | str:
    """A number if it is one; whoever takes it knows the words."""
    try:
        return float(text)
    except ValueError:
        return text
