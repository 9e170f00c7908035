"""Draws docs/static/explained-question.svg, the picture of the README: why a question was classified as it was."""

from __future__ import annotations

from pathlib import Path

from sklearn.model_selection import train_test_split

import hedgerow
from hedgerow.datasets import load_questions
from hedgerow.inspection import explain

PICTURE = Path(__file__).parents[1] / "docs" / "static" / "explained-question.svg"
# As a picture of its own it has no text around it whose colour it could take.
COLOURS = (
    "<style>svg { color: #1f2328 } @media (prefers-color-scheme: dark) { svg { color: #f0f6fc } }</style>"
)


def main() -> None:
    trees, y = load_questions()
    train, test, y_train, _ = train_test_split(trees, y, stratify=y, random_state=0)
    (drawing,) = explain(hedgerow.auto(train, y_train), test[5]).drawings()
    head, end, rest = drawing.to_svg().partition(">")
    PICTURE.write_text(f"{head}{end}{COLOURS}{rest}\n", encoding="utf-8")
    print(f"{PICTURE.name}: {drawing.caption}")


if __name__ == "__main__":
    main()
