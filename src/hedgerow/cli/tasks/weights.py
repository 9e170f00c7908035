"""Learners that keep weights: the column that they look at, and how texts and trees become features."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from hedgerow.cli.derived import option_name
from hedgerow.cli.failures import refused
from hedgerow.cli.train.choice import WORDS, Choice, warn_unused
from hedgerow.feature_extraction import FragmentHasher, TextHasher
from hedgerow.feature_extraction.vectorizers import Vectorizer
from hedgerow.io.examples import Table
from hedgerow.io.schema import Schema, SchemaBuilder
from hedgerow.registry import DataKind

_HASHER: dict[DataKind, tuple[str, ...]] = {"text": WORDS, "tree": ("counts", "norm"), "vector": ()}


def may_keep_weights(choice: Choice) -> bool:
    """Whether the learner keeps weights if the data are such; complains about options that do not fit together."""
    if (choice.learner.on_weights or choice.learner.structured) and choice.kernel.silent:
        return True
    _refuse_hashing(choice)
    return False


def weights_schema(first: Table, choice: Choice, schema: Schema) -> Schema | None:
    """The schema with the column of the weights; None when the data ask for a kernel."""
    learner, data = choice.learner, choice.data
    builder = SchemaBuilder(schema, data.features)
    builder.meet(first)
    columns = builder.build().columns
    takes_kernels = learner.on_kernels or learner.structured
    combines = data.column is None and len(columns) > 1
    # Who could have a kernel hashes fragments of trees only when told to.
    hashes_trees = learner.on_weights and data.hash_bits is not None and not combines
    if takes_kernels and ("tree" in columns.values() or combines) and not hashes_trees:
        _refuse_hashing(choice)
        return None
    column = data.column or _only_column(columns)
    if column not in columns:
        raise ValueError(f"--column must be one of {', '.join(columns)}, got {column!r}")
    kind = columns[column]
    if kind == "text" and schema.tokens:
        raise refused("--tokens", "it is for kernels of texts; here words are features")
    for name in data.words:
        if name not in _HASHER[kind]:
            what = {"tree": "trees", "vector": "vectors"}[kind]
            raise refused(option_name(name), f"the data are {what}, no texts (see --format)")
    if combines:
        why = f"the learner {learner.name} keeps weights"
        warn_unused([name for name in columns if name != column], why)
    # New features may come at any time, unless their number is given.
    return replace(schema, columns=columns).only(column, data.features)


def vectorizer_for(choice: Choice, default_bits: int | None, kind: DataKind = "text") -> Vectorizer:
    """How texts or trees become vectors: as was said, else as suits the learner.

    Winnows take counts, to which they add the feature that is always on before they scale the sum to 1.
    """
    bits = choice.data.hash_bits or default_bits
    given: dict[str, Any] = {} if bits is None else {"n_features": 1 << bits}
    if not choice.learner.signed:
        given |= {"alternate_sign": False, "norm": "none"}
    hasher = FragmentHasher if kind == "tree" else TextHasher
    return hasher(**{**given, **choice.data.words})


def _refuse_hashing(choice: Choice) -> None:
    for name in ("hash_bits",) * (choice.data.hash_bits is not None) + tuple(choice.data.words):
        raise refused(option_name(name), "only learners without a kernel have hashed features")


def _only_column(columns: Mapping[str, DataKind]) -> str:
    """That of vectors or texts if there are any, else that of trees."""
    usable = [name for name, kind in columns.items() if kind != "tree"] or list(columns)
    if len(usable) > 1:
        what = "trees" if columns[usable[0]] == "tree" else "vectors"
        raise ValueError(f"the data have several {what}; choose one of {', '.join(usable)} with --column")
    return usable[0]
