"""The learners of svm_learn: the support vector machine of ``-z c``, and the algorithms of ``-z o``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from hedgerow.kernels import Linear
from hedgerow.online import Forgetron, PassiveAggressive, Perceptron, Projectron, ProjectronPlusPlus
from hedgerow.registry import Learner
from hedgerow.svm import SVC
from hedgerow.svmlight_tk.flags import FlagError
from hedgerow.svmlight_tk.parameters import number, whole

MACHINE = Learner("svm", SVC)
# What a row settles, no flag can change: PA has neither a C nor weights of classes, which multiply it, and the model
# file has one threshold, but every voter would have its own bias.
ALGORITHMS = {
    row.name: row
    for row in (
        Learner("perceptron", Perceptron),
        Learner("averaged", Perceptron, averaging="average"),
        Learner("voted", Perceptron, averaging="vote", bias=False),
        Learner("pa", PassiveAggressive, variant="PA", C=1.0, class_weight=None),
        Learner("pai", PassiveAggressive, variant="PA-I"),
        Learner("paii", PassiveAggressive, variant="PA-II"),
        Learner("forgetron", Forgetron, shrinking="basic"),
        Learner("tunedforgetron", Forgetron, shrinking="self-tuned"),
        Learner("greedyforgetron", Forgetron, shrinking="greedy"),
        Learner("projectron", Projectron),
        Learner("projectron++", ProjectronPlusPlus),
    )
}
# The parameters behind the letters, by method (-z).
LETTERS = {
    "c": {"c": "C", "j": "cost_factor", "b": "bias", "e": "tol", "m": "cache_size", "#": "max_iter"},
    "o": {"c": "C", "j": "class_weight", "b": "bias", "B": "budget", "E": "eta"},
}


def learner_for(method: str, flags: Mapping[str, str]) -> Any:
    """The learner that the flags describe, for a kernel yet to come."""
    row = MACHINE if method == "c" else _algorithm(flags)
    given = {
        name: _value(letter, row, name, flags[letter])
        for letter, name in LETTERS[method].items()
        if letter in flags and name in row.parameters
    }
    learner = row.make(kernel=Linear(), **given)
    learner._check_params()
    return learner


def _algorithm(flags: Mapping[str, str]) -> Learner:
    """The one that -A names, which takes all flags that are there."""
    name = flags.get("A")
    if name not in ALGORITHMS:
        got = "nothing" if name is None else repr(name)
        raise FlagError(f"-A must be one of {', '.join(ALGORITHMS)}, got {got}")
    row = ALGORITHMS[name]
    for letter, parameter in LETTERS["o"].items():
        if letter in flags and parameter not in row.parameters and (letter, flags[letter]) != ("b", "0"):
            takers = [other.name for other in ALGORITHMS.values() if parameter in other.parameters]
            raise FlagError(f"-A {name} does not take -{letter}, which is for {', '.join(takers)}")
    budget = row.parameters.get("budget")
    if budget is not None and not budget.optional and "B" not in flags:
        raise FlagError(f"-A {name} keeps a limited number of support vectors; say how many with -B")
    if "E" in flags and "B" in flags:
        raise FlagError("-E has no effect with -B: a budget, not eta, decides what is projected")
    return row


def _value(letter: str, row: Learner, name: str, text: str) -> Any:
    if name == "class_weight":
        return {-1: 1.0, 1: number(f"-{letter}", text)}
    types = row.parameters[name].types
    if bool in types:
        if text not in ("0", "1"):
            raise FlagError(f"-{letter} must be 0 or 1, got {text}")
        return text == "1"
    return number(f"-{letter}", text) if float in types else whole(f"-{letter}", text)
