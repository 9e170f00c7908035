"""Parameters of grammars, which their problem and their learners share."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from hedgerow.checks import Count, NotNegative, Whole
from hedgerow.structured.grammar.brackets import UNCOUNTED

TreeLoss: TypeAlias = Literal["f1", "brackets", "zero-one"]


@dataclass(eq=False, repr=False, kw_only=True)
class GrammarParameters:
    """See `WeightedGrammar`."""

    input: Literal["tags", "words"] = "tags"
    branching: Literal["right", "left"] = "right"
    markov: Whole | Literal["all"] = 1
    parents: bool = False
    min_word_count: Count = 2
    uncounted: Sequence[str] = UNCOUNTED
    beam: NotNegative | None = None
