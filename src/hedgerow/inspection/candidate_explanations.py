"""Choices among candidates: the score of each as a sum over its features."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from scipy import sparse

from hedgerow.inspection.explanation import Explanation
from hedgerow.inspection.linear_functions import FeatureNames, feature_account, linear_functions, namer
from hedgerow.online.reranker import Reranker
from hedgerow.structured.learner import StructuredLearner
from hedgerow.structured.reranking import Reranking


def chooses_candidates(model: Any) -> bool:
    """Whether a model chooses among candidates by weights of their features."""
    problem = getattr(model, "problem_", None) if isinstance(model, StructuredLearner) else None
    return isinstance(model, Reranker) or (isinstance(problem, Reranking) and problem.kernel is None)


def explain_candidates(model: Any, lists: Any, k: int, names: FeatureNames) -> Iterator[Explanation]:
    """Of every list the scores of all candidates, which are counted from 1."""
    chosen = model.predict(lists)
    if isinstance(model, Reranker):
        rows = sparse.csr_array(model._rows(lists))
        weights = linear_functions(model).weights.toarray().ravel()
    else:
        rows, weights = sparse.csr_array(lists.features), np.asarray(model.coef_)
    name = namer(model, names)
    for i, place in enumerate(chosen.tolist()):
        accounts = []
        for candidate, row in enumerate(range(int(lists.begins[i]), int(lists.begins[i + 1]))):
            begin, end = rows.indptr[row], rows.indptr[row + 1]
            features, values = rows.indices[begin:end], rows.data[begin:end]
            known = features < len(weights)  # others have no weight
            features, values = features[known], values[known]
            terms = (features, weights[features], values, 0.0)
            accounts.append(feature_account(f"candidate {candidate + 1}", terms, k, name))
        yield Explanation(f"candidate {place + 1}", tuple(accounts), {})
