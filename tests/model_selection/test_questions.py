"""Fast parameterisation on questions, as in the paper: small samples choose a good C for the exact machine."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.metrics import f1_score
from sklearn.model_selection import StratifiedKFold

from hedgerow.kernels import Normalized, SubsetTree
from hedgerow.model_selection import SampledSearchCV
from hedgerow.svm import SVC
from hedgerow_papers.datasets import load_question_types

Cs = [0.01, 0.1, 1.0, 10.0, 100.0, 1000.0]


@pytest.fixture(scope="module")
def questions(data_folder):
    trees, kinds = load_question_types(data_folder)
    some = np.random.default_rng(0).permutation(len(kinds))[:600]
    return trees[some], kinds[some]


@pytest.mark.slow
@pytest.mark.shared_data
@pytest.mark.parametrize("kind", ["DESC", "NUM"])
def test_the_choice_is_good_for_the_exact_machine(questions, kind):
    trees, y = questions[0], questions[1] == kind
    machine = SVC(Normalized(SubsetTree(decay=0.4)))
    splits = list(StratifiedKFold(3, shuffle=True, random_state=0).split(trees, y))
    search = SampledSearchCV(
        machine, {"C": Cs}, sample_size=100, scoring="f1", cv=splits, refit=None, random_state=0
    )
    chosen = search.fit(trees, y).best_index_
    exact = np.array(
        [
            [
                f1_score(y[test], model.predict(trees[test]))
                for model in machine.path(trees[train], y[train], Cs)
            ]
            for train, test in splits
        ]
    ).mean(axis=0)
    assert exact.max() - exact.min() > 0.2  # a bad choice would show
    assert exact[chosen] >= exact.max() - 0.01
