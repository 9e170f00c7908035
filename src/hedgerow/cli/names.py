"""The words that options of the command line take."""

from __future__ import annotations

from enum import StrEnum


class KernelName(StrEnum):
    sst = "sst"
    st = "st"
    sst_bow = "sst-bow"
    pt = "pt"
    upt = "upt"
    subpath = "subpath"
    linear = "linear"
    polynomial = "polynomial"
    rbf = "rbf"
    sigmoid = "sigmoid"
    spectrum = "spectrum"
    subsequence = "subsequence"
    mismatch = "mismatch"


class LearnerName(StrEnum):
    perceptron = "perceptron"
    pa = "pa"
    romma = "romma"
    stoptron = "stoptron"
    random_budget = "random-budget"
    forgetron = "forgetron"
    projectron = "projectron"
    projectron_plus_plus = "projectron++"
    forgetful_projectron = "forgetful-projectron"
    ahpatron = "ahpatron"
    winnow = "winnow"
    bw = "bw"
    mbw = "mbw"
    rda = "rda"
    vrda = "vrda"
    adagrad_rda = "adagrad-rda"
    fobos = "fobos"
    truncated_gradient = "truncated-gradient"
    ftrl = "ftrl"
    arow = "arow"
    scw = "scw"
    svm = "svm"
    cutting_plane = "cutting-plane"
    structured_svm = "structured-svm"
    structured_perceptron = "structured-perceptron"


STRUCTURED = (
    LearnerName.structured_svm,
    LearnerName.structured_perceptron,
)  # of outputs that --problem names
BATCH = (LearnerName.svm, LearnerName.cutting_plane)  # they look at all examples together
WINNOWS = (LearnerName.winnow, LearnerName.bw, LearnerName.mbw)
WEIGHTS_ONLY = (  # without a kernel
    *WINNOWS,
    LearnerName.rda,
    LearnerName.vrda,
    LearnerName.adagrad_rda,
    LearnerName.fobos,
    LearnerName.truncated_gradient,
    LearnerName.ftrl,
    LearnerName.arow,
    LearnerName.scw,
)
WITH_OR_WITHOUT_KERNEL = (LearnerName.perceptron, LearnerName.pa, LearnerName.romma)


class Variant(StrEnum):
    pa = "PA"
    pa_i = "PA-I"
    pa_ii = "PA-II"
    scw_i = "SCW-I"
    scw_ii = "SCW-II"
    self_tuned = "self-tuned"
    basic = "basic"
    greedy = "greedy"


class Averaging(StrEnum):
    none = "none"
    average = "average"
    vote = "vote"
    normalized = "normalized"


class Multiclass(StrEnum):
    one_vs_rest = "one-vs-rest"
    one_vs_one = "one-vs-one"
    codes = "codes"


class Loss(StrEnum):
    hinge = "hinge"
    squared_hinge = "squared-hinge"
    logistic = "logistic"
    exponential = "exponential"
    zero_one = "zero-one"
    hamming = "hamming"
    mean = "mean"
    f1 = "f1"
    brackets = "brackets"
    tree = "tree"
    path = "path"
    grade = "grade"


STRUCTURED_LOSSES = (
    Loss.zero_one,
    Loss.hamming,
    Loss.mean,
    Loss.f1,
    Loss.brackets,
    Loss.tree,
    Loss.path,
    Loss.grade,
)


class Update(StrEnum):
    all = "all"
    mistakes = "mistakes"


class Schedule(StrEnum):
    constant = "constant"
    decaying = "decaying"


class Sampling(StrEnum):
    none = "none"
    uniform = "uniform"
    importance = "importance"


class ClassWeight(StrEnum):
    balanced = "balanced"


class Score(StrEnum):
    accuracy = "accuracy"
    f1 = "f1"


class Refit(StrEnum):
    exact = "exact"
    sampled = "sampled"
    none = "none"


class ProblemName(StrEnum):
    sequence = "sequence"
    taxonomy = "taxonomy"
    grammar = "grammar"
    multiclass = "multiclass"
    reranking = "reranking"


class Solver(StrEnum):
    one_slack = "one-slack"
    n_slack = "n-slack"
    frank_wolfe = "frank-wolfe"


class Slack(StrEnum):
    linear = "linear"
    quadratic = "quadratic"
    none = "none"


class Rescaling(StrEnum):
    margin = "margin"
    slack = "slack"
    none = "none"


class GrammarInput(StrEnum):
    tags = "tags"
    words = "words"


class Constraints(StrEnum):
    bio = "bio"
    iobes = "iobes"
