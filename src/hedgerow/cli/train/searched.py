"""Training without ``--learner``: what was not said is found by a search, as `hedgerow.auto` does it."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import chain
from typing import Any

from hedgerow import registry
from hedgerow.cli.derived import option_name, text_of
from hedgerow.cli.examples import look_at
from hedgerow.cli.failures import complain, refused
from hedgerow.cli.progress import spinning
from hedgerow.cli.tasks.weights import vectorizer_for
from hedgerow.cli.train.choice import Choice, DataOptions
from hedgerow.cli.train.lessons import ProgressOptions
from hedgerow.cli.train.named import passes
from hedgerow.data import Records
from hedgerow.data.records import kind_of_column
from hedgerow.model_selection.choosing import AVERAGED, choose
from hedgerow.model_selection.suggestions import COSTS, Suggestion, decays, on_weights, suggestions
from hedgerow.parameters import parameters_of
from hedgerow.registry import DataKind


def searched(choice: Choice, inputs: Sequence[str], progress: ProgressOptions) -> Choice:
    """The choice that does best on held-out parts of the examples; one line says which, and why."""
    found = look_at(inputs, choice.schema(), choice.data.features)
    if found.kept is None:
        return averaged(choice, "examples that are larger than memory are not searched", progress)
    X, y = found.everything()
    columns = {name: X[name] if isinstance(X, Records) else X for name in found.schema.columns}
    column = choice.data.column
    if column is not None:
        if column not in columns:
            raise ValueError(f"--column must be one of {', '.join(columns)}, got {column!r}")
        X, columns = columns[column], {column: columns[column]}
    kinds = {name: kind_of_column(values) for name, values in columns.items()}
    suggested = _suggested(choice, columns)
    choices = [_chosen(choice, one, len(columns) > 1) for one in suggested]
    estimators = [_made(one, suggestion, kinds) for one, suggestion in zip(choices, suggested, strict=True)]
    with spinning("Choosing") as say:
        best = choose(estimators, X, y, watch=say)
    chosen = choices[best.place]
    if not best.exact:
        chosen = replace(chosen, learner=passes(), given=AVERAGED)
    if not progress.quiet:
        complain(f"chose {described(chosen, kinds)}: {best.reason}")
    return chosen


def averaged(choice: Choice, why: str, progress: ProgressOptions) -> Choice:
    """What is good in one pass, with one line that says so."""
    for name in choice.given:
        if name not in passes().parameters:
            raise refused(option_name(name), f"name a --learner that takes it: {why}")
    if not progress.quiet:
        complain(f"chose --learner {passes().name} --averaging average: {why}")
    return replace(choice, learner=passes(), given={"averaging": "average", **choice.given}, searched=False)


def described(
    choice: Choice, columns: Mapping[str, DataKind], of_problem: Mapping[str, str] | None = None
) -> str:
    """Options that train what was chosen; those of the problem are given as they are written."""
    kernel = choice.kernel.said(columns)
    words = [] if choice.problem is None else ["--problem", choice.problem.name]
    words += ["--learner", choice.learner.name, *chain(*(of_problem or {}).items())]
    words += [] if kernel.row is None else ["--kernel", kernel.row.name]
    normalize = {} if kernel.normalize is None else {"normalize": kernel.normalize}
    defaults = {name: parameter.default for name, parameter in parameters_of(DataOptions).items()}
    data = {name: value for name, value in vars(choice.data).items() if value != defaults[name]}
    data |= data.pop("words", {})
    for parameter, value in {**kernel.given, **choice.given, **normalize, **choice.features, **data}.items():
        name = option_name(parameter)
        if isinstance(value, bool):
            words.append(name if value else name.replace("--", "--no-", 1))
        else:
            words += [name, text_of(value)]
    return shlex.join(words)


def _suggested(choice: Choice, columns: Mapping[str, Any]) -> list[Suggestion]:
    """What suits the data, as far as the command line leaves it open."""
    data, kernel = choice.data, choice.kernel
    if kernel.row is not None:
        own: list[dict[str, Any]] = [{}]
        trees = next((values for values in columns.values() if kind_of_column(values) == "tree"), None)
        if kernel.row.name == "sst" and "decay" not in kernel.given and trees is not None:
            own = [{"decay": decay} for decay in decays(trees)]
        found = [Suggestion("svm", {"C": C}, kernel.row.name, given) for given in own for C in COSTS]
    else:
        found = suggestions(columns)
        if data.hash_bits is not None or data.words:  # they are features of weights
            texts = any(kind_of_column(values) == "text" for values in columns.values())
            found = on_weights(data.words.get("ngrams", 1) if texts else None)
        elif kernel.normalize is not None:
            found = [one for one in found if one.kernel is not None]
    if choice.given:
        found = [one for one in found if one.learner == "svm"] or [Suggestion("svm", {"C": C}) for C in COSTS]
        found = [replace(one, given={**one.given, **choice.given}) for one in found]
    return [one for i, one in enumerate(found) if one not in found[:i]]


def _chosen(choice: Choice, one: Suggestion, several: bool) -> Choice:
    """The suggestion as the command line would say it."""
    kernel, data = choice.kernel, choice.data
    if kernel.row is None and one.kernel is not None:
        row = registry.kernels()[one.kernel]
        normalize = True if row.data_kind == "text" and not several else None
        normalize = normalize if kernel.normalize is None else kernel.normalize
        kernel = replace(kernel, row=row, given=one.of_kernel, normalize=normalize, combines=several)
    elif kernel.row is not None:
        kernel = replace(kernel, given={**kernel.given, **one.of_kernel})
    if one.ngrams is not None:
        data = replace(data, words={**data.words, "ngrams": one.ngrams})
    learner = registry.learners()[one.learner]
    return replace(choice, learner=learner, given=one.given, kernel=kernel, data=data, searched=False)


def _made(choice: Choice, suggestion: Suggestion, kinds: Mapping[str, DataKind]) -> Any:
    if suggestion.ngrams is not None:
        return choice.make_learner(None, vectorizer=vectorizer_for(choice, None))
    if choice.kernel.row is None and suggestion.learner != "svm":
        return choice.make_learner(None)
    return choice.make_learner(choice.kernel.make(kinds))
