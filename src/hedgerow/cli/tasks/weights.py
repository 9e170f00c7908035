"""Learners that keep weights: the column that they look at, and how texts become features."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from hedgerow.cli.derived import option_name
from hedgerow.cli.failures import refused
from hedgerow.cli.train.choice import Choice
from hedgerow.io.examples import Table
from hedgerow.io.hashing import Hashing
from hedgerow.io.schema import Schema, SchemaBuilder
from hedgerow.registry import Learner


def may_keep_weights(choice: Choice) -> bool:
    """Whether the learner keeps weights if the data are such; complains about options that do not fit together."""
    if (choice.learner.on_weights or choice.learner.structured) and choice.kernel.silent:
        return True
    for name in ("hash_bits", "ngrams"):
        if getattr(choice.data, name) is not None:
            raise refused(option_name(name), "only learners without a kernel have hashed features")
    return False


def weights_schema(first: Table, choice: Choice, schema: Schema, default_bits: int) -> Schema | None:
    """The schema with the column of the weights and how texts are hashed; None when the data ask for a kernel."""
    learner, data = choice.learner, choice.data
    builder = SchemaBuilder(schema, data.features)
    builder.meet(first)
    columns = builder.build().columns
    kinds = set(columns.values())
    words_are_features = not learner.on_kernels or data.hash_bits is not None or data.ngrams is not None
    takes_trees = learner.on_kernels or learner.structured
    if (takes_trees and "tree" in kinds) or ("text" in kinds and not words_are_features):
        return None
    column = data.column or _only_vectors(learner, columns)
    if column not in columns or columns[column] == "tree":
        usable = ", ".join(name for name, kind in columns.items() if kind != "tree")
        raise ValueError(f"--column must be one of {usable}, which hold no trees, got {column!r}")
    if columns[column] == "text":
        if schema.tokens:
            raise refused("--tokens", "it is for kernels of texts; here words are features")
        hashing = Hashing(data.hash_bits or default_bits, data.ngrams or 1, learner.signed)
        schema = replace(schema, hashing=hashing)
    elif data.ngrams is not None:
        raise refused("--ngrams", "the data are vectors, no texts (see --format)")
    # New features may come at any time, unless their number is given.
    return replace(schema, columns=columns).only(column, data.features)


def _only_vectors(learner: Learner, columns: Mapping[str, str]) -> str:
    usable = [name for name, kind in columns.items() if kind != "tree"]
    if not usable:
        raise ValueError(f"the learner {learner.name} takes vectors or texts, but the data have trees only")
    if len(usable) > 1:
        raise ValueError(f"the data have several vectors; choose one of {', '.join(usable)} with --column")
    return usable[0]
