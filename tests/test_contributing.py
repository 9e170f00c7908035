"""The learner that CONTRIBUTING shows is one."""

from __future__ import annotations

import re
from pathlib import Path

from hedgerow.datasets import load_questions
from hedgerow.kernels import Normalized, SubsetTree
from hedgerow.online import OnlineLearner

CONTRIBUTING = Path(__file__).parents[1] / "CONTRIBUTING.md"


def test_rule_in_python() -> None:
    code = re.search(r"```python\n(class .*?)```", CONTRIBUTING.read_text(encoding="utf-8"), flags=re.DOTALL)
    assert code is not None
    trees, y = load_questions()
    names = {
        "OnlineLearner": OnlineLearner,
        "Normalized": Normalized,
        "SubsetTree": SubsetTree,
        "trees": trees,
        "y": y,
    }
    exec(code[1], names)
    model = OnlineLearner(names["Alma"](), Normalized(SubsetTree()), averaging="average")  # type: ignore[operator]
    assert model.fit(trees[::2], y[::2]).score(trees[1::2], y[1::2]) > 0.6
