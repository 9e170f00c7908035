"""Makes model files of format version 1, and those of version 2 before `NEW_NAMES`, into ones that load::

    python tools/upgrade_models.py old.model new.model

Neither was released. In version 2 parameters have the names and values of `RENAMED`, losses of classes are called so,
numbers are arrays without dimensions, and machines on precomputed kernels are expansions like others.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from hedgerow.data.files import name_of, read_bytes, writing
from hedgerow.persistence.model_file import Arrays, pack, unpack

Json = dict[str, Any]
Change = tuple[str, Callable[[Any], Any]]


def _linear_for_none(kernel: Any) -> Any:
    return {"$object": {"class": "Linear", "parameters": {}}} if kernel is None else kernel


def _none_for_minus_one(limit: int) -> int | None:
    return None if limit == -1 else limit


def _with_hyphens(name: str) -> str:
    return name.replace("_", "-")


def _averaging(average: bool) -> str | None:
    return "average" if average else None


def _all_for_none(markov: int | None) -> int | str:
    return "all" if markov is None else markov


def _features(chosen: Any) -> Any:
    if isinstance(chosen, bool):
        return "all" if chosen else None
    return [chosen] if isinstance(chosen, str) else chosen


_OF_SEQUENCES: dict[str, str | Change] = {
    "cost": "loss",
    "labels": "classes",
    "transition_features": ("transition_features", _features),
}
_OF_STRUCTURED_SVM: dict[str, str | Change] = {
    "averaging": ("averaging", _averaging),
    "cost": "loss",
    "epsilon": "tol",
}
# Of version 1, by class: the new name of a parameter, or the name and what its value becomes.
RENAMED: dict[str, dict[str, str | Change]] = {
    "Ahpatron": {"kernel": ("kernel", _linear_for_none)},
    "CuttingPlaneSVC": {"epsilon": "tol", "max_rounds": "max_iter"},
    "ForgetfulProjectron": {"kernel": ("kernel", _linear_for_none)},
    "FTRL": {"alpha": "learning_rate"},
    "Forgetron": {"kernel": ("kernel", _linear_for_none)},
    "GrammarSVC": {**_OF_STRUCTURED_SVM, "markov": ("markov", _all_for_none)},
    "LabelSequence": _OF_SEQUENCES,
    "Multiclass": {"cost": "loss"},
    "OutputFeatures": {"cost": "loss"},
    "PCFG": {"markov": ("markov", _all_for_none)},
    "Projectron": {"kernel": ("kernel", _linear_for_none)},
    "ProjectronPlusPlus": {"kernel": ("kernel", _linear_for_none)},
    "RandomBudgetPerceptron": {"kernel": ("kernel", _linear_for_none)},
    "Reranker": {
        "features": "transformer",
        "rivals": ("loss", {"all": "zero-one", "worse": "grade"}.__getitem__),
    },
    "Reranking": {"cost": "loss"},
    "SVC": {
        "loss": ("loss", _with_hyphens),
        "max_iter": ("max_iter", _none_for_minus_one),
        "shrinking": "active_set",
    },
    "SequenceSVC": {**_OF_STRUCTURED_SVM, **_OF_SEQUENCES},
    "Stoptron": {"kernel": ("kernel", _linear_for_none)},
    "StringMapping": {"cost": "loss"},
    "StructuredPerceptron": {"update": "variant"},
    "StructuredSVM": _OF_STRUCTURED_SVM,
    "Taxonomy": {"cost": "loss"},
    "TaxonomySVC": _OF_STRUCTURED_SVM,
    "WeightedGrammar": {"cost": "loss", "markov": ("markov", _all_for_none)},
}
# Of version 2, by class.
NEW_NAMES: dict[str, dict[str, str | Change]] = {
    "AROW": {"r": "regularization"},
    "CuttingPlaneSVC": {"j": "cost_factor"},
    "ModifiedBalancedWinnow": {"top": "top_share"},
    "SVC": {"j": "cost_factor"},
}
# In this order, since one of the old names is also a new one.
_TRACE_OF_CUTS = {
    "report.trace.round": "report.trace.iteration",
    "report.trace.objective": "report.trace.dual_objective",
    "report.trace.primal": "report.trace.objective",
}
# Numbers that version 1 wrote as arrays of one element.
_NUMBERS = (
    "objective_",
    "dual_objective_",
    "certificate_",
    "n_constraints_",
    "n_iter_",
    "converged_",
    "argmax_seconds_",
    "qp_seconds_",
)
# The structs of learners on weights in version 1: cells, and what all cells of a function depend on.
_ON_WEIGHTS = ("weight offset", "scale bias")
_CONFIDENT = ("weight offset variance", "steps")
_BALANCED = ("down up sum until", "unused")
_STRUCTS = {
    "Perceptron": _ON_WEIGHTS,
    "PassiveAggressive": _ON_WEIGHTS,
    "ROMMA": _ON_WEIGHTS,
    "AROW": _CONFIDENT,
    "SCW": _CONFIDENT,
    "FTRL": ("weight offset z root", "steps"),
    "FOBOS": ("value offset born", "gain threshold growth t"),
    "TruncatedGradient": ("value offset born beyond", "gain threshold steps rates t"),
    "RDA": ("value offset born rate squares", "gain threshold ridge k"),
    "PositiveWinnow": ("up sum until", "unused"),
    "BalancedWinnow": _BALANCED,
    "ModifiedBalancedWinnow": _BALANCED,
    "ExtremalFeatureSelection": _BALANCED,
}
_OF_AVERAGES = {"offset", "born", "sum", "until"}
_OF_ADAPTIVE = {"rate", "squares", "ridge"}
# Other arrays of several numbers.
_PARTS = {
    "sums": ("squared_norm", "scale_sum", "bias_sum", "steps"),
    "examples_and_reach": ("examples", "reach"),
    "numbers": ("mistakes", "damage"),
    "counts": ("seen", "mistakes"),
    "function_numbers": ("scale", "bias", "squared_norm", "scale_sum", "bias_sum"),
}


def upgraded(content: bytes, name: str) -> bytes:
    """The content of a model file in version 2."""
    version, manifest, arrays = unpack(content, name)
    if version == 1:
        upgrade(manifest, arrays)
    for content in _objects(manifest):
        _rename(content, NEW_NAMES)
    return pack(manifest, arrays)


def upgrade(manifest: Json, arrays: Arrays) -> None:
    """From version 1 to version 2, in place."""
    for key in list(arrays):
        if re.search(r"\bfunction\d+\.cells$", key):
            _name_cells(manifest, arrays, key.removesuffix("cells"))
        elif re.search(r"\brule\d+\.numbers$", key):
            _part(arrays, key.removesuffix("numbers"), "numbers")
        elif key.endswith("function_numbers"):
            _name_functions(arrays, key.removesuffix("function_numbers"))
        elif key in ("counts", "native.counts"):
            _part(arrays, key.removesuffix("counts"), "counts")
    for content in _objects(manifest):
        _rename(content, RENAMED)
    if "problem.costs" in arrays:
        arrays["problem.losses"] = arrays.pop("problem.costs")
    for old, new in _TRACE_OF_CUTS.items():
        if old in arrays:
            arrays[new] = arrays.pop(old)
    if manifest["class"] in ("SVC", "CuttingPlaneSVC") and arrays:
        _name_objectives(arrays)
    if "problem" in manifest["description"]:  # of a structured machine
        for name in _NUMBERS:
            if (key := f"report.{name}") in arrays:
                arrays[key] = arrays[key].reshape(())
    if manifest["class"] == "SVC" and manifest["parameters"].get("kernel") == "precomputed":
        _make_expansion(arrays)


def _make_expansion(arrays: Arrays) -> None:
    """Of supports that are known by their numbers."""
    numbers, biases = arrays["numbers"], arrays["biases"]
    n, functions = len(numbers), len(biases)
    weights = arrays["coefficients"].reshape(n, functions)
    arrays |= {
        "kernel.examples": numbers.astype(np.int64),
        "kernel.weights": weights.T.ravel(),
        "offsets": np.zeros(0),
        "users": np.full(n, functions, dtype=np.int32),
        "arrivals": np.arange(n),
        "free": np.zeros(0, dtype=np.int32),
        "scale": np.ones(functions),
        "bias": biases,
        **{name: np.zeros(functions) for name in ("squared_norm", "scale_sum", "bias_sum")},
        "steps": np.zeros(functions, dtype=np.int64),
        "arrived": np.array([n]),
        "member_counts": np.full(functions, n),
        "members": np.tile(np.arange(n, dtype=np.int32), functions),
    }


def _name_objectives(arrays: Arrays) -> None:
    """Of support vector machines: the dual objective was called objective, as that of the primal is now."""
    dual = arrays["report.dual_objective_"] = arrays.pop("report.objective_")
    if "report.dual_gap_" in arrays:
        arrays["report.objective_"] = dual + arrays["report.dual_gap_"]
        return
    primal = arrays["report.objective_"] = np.full(len(dual), np.nan)
    primal[arrays["report.trace.function"]] = arrays["report.trace.objective"]  # the last one of each counts


def _objects(content: Any) -> Iterator[Json]:
    """All objects of hedgerow's classes, outer before inner."""
    if isinstance(content, dict):
        if "class" in content and "parameters" in content:
            yield content
        for value in list(content.values()):
            yield from _objects(value)
    elif isinstance(content, list):
        for value in content:
            yield from _objects(value)


def _rename(content: Json, names: dict[str, dict[str, str | Change]]) -> None:
    parameters = content["parameters"]
    for old, new in names.get(content["class"], {}).items():
        if old in parameters:
            name, change = (new, None) if isinstance(new, str) else new
            value = parameters.pop(old)
            parameters[name] = value if change is None else change(value)


def _name_cells(manifest: Json, arrays: Arrays, at: str) -> None:
    """Takes the structs of a learner on weights apart, which may be within a reranker; at: one of its functions."""
    learner = next(content for content in _objects(manifest) if content["class"] in _STRUCTS)
    cell, clock = (_fields(text, learner["parameters"]) for text in _STRUCTS[learner["class"]])
    _columns(arrays, at, arrays.pop(f"{at}cells"), cell)
    rest = arrays.pop(f"{at}bias_and_clock")
    _columns(arrays, f"{at}bias.", rest[: len(cell)], cell)
    _columns(arrays, at, rest[len(cell) :], clock)
    if "gain" in clock:
        _columns(arrays, at, arrays.pop(f"{at}sums"), ["gains", "cuts"])
        _part(arrays, at, "examples_and_reach")
    elif f"{at}sums" in arrays:
        _part(arrays, at, "sums")
    if f"{at}history.cells" in arrays:
        _columns(arrays, f"{at}history.", arrays.pop(f"{at}history.cells"), cell)
        _columns(arrays, f"{at}history.", arrays.pop(f"{at}history.clocks"), clock)


def _name_functions(arrays: Arrays, at: str) -> None:
    """Of an expansion."""
    _part(arrays, at, "function_numbers")
    counts = arrays.pop(f"{at}function_counts")
    arrays[f"{at}arrived"] = counts[:1].copy()
    _columns(arrays, at, counts[1:], ["steps", "member_counts"])


def _fields(text: str, parameters: Json) -> list[str]:
    """Those that a struct had with these parameters."""
    missing = set()
    if parameters.get("averaging") not in ("average", "normalized"):
        missing |= _OF_AVERAGES
    if not parameters.get("adaptive", False):
        missing |= _OF_ADAPTIVE
    if parameters.get("threshold") == {"$float": "inf"}:  # beyond which a TruncatedGradient shrinks nothing
        missing.add("beyond")
    return [field for field in text.split() if field not in missing]


def _columns(arrays: Arrays, prefix: str, structs: np.ndarray[Any, Any], fields: list[str]) -> None:
    table = structs.reshape(-1, len(fields))
    for place, field in enumerate(fields):
        arrays[prefix + field] = table[:, place].copy()


def _part(arrays: Arrays, prefix: str, name: str) -> None:
    _columns(arrays, prefix, arrays.pop(prefix + name), list(_PARTS[name]))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Upgrade a model file of format version 1 to version 2.")
    parser.add_argument("old")
    parser.add_argument("new")
    paths = parser.parse_args()
    content = upgraded(read_bytes(paths.old), name_of(paths.old))
    with writing(paths.new) as out:
        out.write(content)
