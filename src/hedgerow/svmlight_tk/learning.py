"""What a command line of svm_learn asks for, and the model that comes of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from hedgerow.data.files import name_of
from hedgerow.io.examples import Examples, Vector
from hedgerow.svmlight_tk.flags import SHUFFLE, SPACES_IN_LEAVES, FlagError, parse_flags
from hedgerow.svmlight_tk.kernel import check_letters, kernel_for
from hedgerow.svmlight_tk.learners import LETTERS, learner_for
from hedgerow.svmlight_tk.model import SvmlightTkModel
from hedgerow.svmlight_tk.parameters import FLAGS, SvmlightTkParameters, whole

REFUSED = {
    **dict.fromkeys(
        "qnhf", "belongs to the solver of SVM-light; that of hedgerow chooses working sets by itself"
    ),
    **dict.fromkeys("ok", "belongs to estimates of the error, which hedgerow does not make"),
    "i": "hedgerow keeps inconsistent examples",
    "x": "hedgerow has no leave-one-out; cross_val_score in Python estimates errors",
    **dict.fromkeys("pl", "belongs to transduction, which hedgerow does not do"),
    "w": "belongs to regression (-z r), which hedgerow does not have yet",
    **dict.fromkeys("ay", "hedgerow writes coefficients to the model file only"),
    "D": "version 1.5 has -F 0 (ST) and -F 1 (SST) instead",
}
_METHODS = {"c": {*LETTERS["c"]}, "o": {*LETTERS["o"], "A", SHUFFLE}}  # and the letters that belong to them
_MISSING = {"r": "regression", "p": "ranking"}


@dataclass(frozen=True)
class Learning:
    """A command line of svm_learn, understood and checked."""

    online: bool
    learner: Any  # whose kernel is yet to come
    parameters: SvmlightTkParameters
    chooses_C: bool  # none was given
    examples: str
    output: str
    spaces_in_leaves: bool
    shuffle: bool
    verbose: bool


def understood(arguments: list[str]) -> Learning:
    """What the arguments say; a FlagError tells what is wrong with them."""
    flags, files = parse_flags(arguments, {"z", "v", *FLAGS}.union(*_METHODS.values()), REFUSED)
    method = _method(flags)
    try:
        learner = learner_for(method, flags)
        parameters = SvmlightTkParameters.from_flags({key: v for key, v in flags.items() if key in FLAGS})
        kernel_for(parameters, ("tree", "vector"))._check_params()
        check_letters(parameters, flags)
        verbose = whole("-v", flags.get("v", "1")) != 0
    except ValueError as error:
        raise FlagError(str(error)) from None
    if len(files) not in (1, 2):
        what = f"too many files: {' '.join(files)}" if files else "no file of examples"
        raise FlagError(f"{what}; expected [FLAGS] EXAMPLE_FILE [MODEL_FILE]")
    return Learning(
        online=method == "o",
        learner=learner,
        parameters=parameters,
        chooses_C="c" not in flags,
        examples=files[0],
        output=files[1] if len(files) == 2 else "svm_model",
        spaces_in_leaves=SPACES_IN_LEAVES in flags,
        shuffle=SHUFFLE in flags,
        verbose=verbose,
    )


def _method(flags: Mapping[str, str]) -> str:
    kind = flags.get("z", "c")
    accepted = "-z c (classification) and -z o (online learning) are there"
    if kind in _MISSING:
        raise FlagError(f"-z {kind} is {_MISSING[kind]}, which hedgerow does not have; {accepted}")
    if kind not in _METHODS:
        raise FlagError(f"-z must be c (classification) or o (online learning), got {kind!r}")
    for other, letters in _METHODS.items():
        for letter in flags:
            if letter in letters - _METHODS[kind]:
                flag = letter if letter.startswith("--") else f"-{letter}"
                raise FlagError(f"{flag} belongs to -z {other}, not to -z {kind}")
    return kind


def signs(y: Vector, path: str, *, both: bool = False) -> Vector:
    """Labels as 1 and -1, ``both`` of which must be there."""
    if y.dtype.kind == "U":
        raise ValueError(f"{name_of(path)}: labels must be numbers above or below 0, got {str(y[0])!r}")
    if (y == 0).any():
        raise ValueError(
            f"{name_of(path)}: the label 0 marks examples for transduction, which hedgerow does not do"
        )
    found = np.where(y > 0, 1, -1)
    if both and (found == found[0]).all():
        where = "above" if found[0] > 0 else "below"
        raise ValueError(
            f"{name_of(path)}: all labels are {where} 0; learning needs positive and negative examples"
        )
    return found


def usual_C(learner: Any, X: Examples) -> float:
    """C where none is given: one over the mean squared length of the examples."""
    mean = float(np.mean(learner.kernel.diag(X)))
    return 1 / mean if mean > 0 else 1.0


def model_of(
    learner: Any,
    parameters: SvmlightTkParameters,
    supports: Examples,
    *,
    n_documents: int,
    highest_feature: int,
) -> SvmlightTkModel:
    """What a fitted learner has learned, as SVM-light-TK writes it."""
    coefficients: Vector = learner.dual_coef_[0]
    votes: dict[str, Any] = {}
    if getattr(learner, "averaging", None) is not None:
        # Averaged and voted models have the coefficients of the last predictor, and votes: every support was one
        # predictor's last addition, and that predictor lived until the next mistake.
        weights = learner.class_weight or {}
        last = np.sign(coefficients).astype(int).tolist()
        coefficients = np.array([sign * weights.get(sign, 1.0) for sign in last])
        votes = {
            "votes": np.diff(learner.support_, append=n_documents),
            "voting": "voted" if learner.averaging == "vote" else "averaged",
        }
    return SvmlightTkModel(
        parameters,
        supports,
        coefficients,
        threshold=-float(learner.intercept_[0]),
        n_documents=n_documents,
        highest_feature=highest_feature,
        **votes,
    )
