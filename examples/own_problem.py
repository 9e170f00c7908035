"""A problem of your own: put the spaces back into text that has lost them.

The output is a segmentation of a string into words, the best of all by dynamic programming. No problem that ships with
hedgerow does that; the class `Segmentation` is all it takes for every solver and the perceptron to train it.

    python examples/own_problem.py
"""

from __future__ import annotations

from itertools import accumulate
from time import perf_counter

from rich.console import Console
from rich.table import Table

from hedgerow.datasets import load_questions
from hedgerow.structured import Problem, StructuredPerceptron, StructuredSVM


class Segmentation(Problem):
    """Inputs are strings, outputs lists of words; the loss counts spaces that are missing or too many."""

    rescalings, quadratic_rescalings = ("margin",), ()  # what loss_augmented_argmax can do

    def __init__(self, longest=12):
        self.longest = longest

    def describe(self, word):
        return [
            "word",
            f"length {len(word)}",
            word,
            f"{word[:2]}-",
            f"{word[:3]}-",
            f"-{word[-2:]}",
            f"-{word[-3:]}",
        ]

    def prepare(self, X, Y):
        features = dict.fromkeys(feature for y in Y for word in y for feature in self.describe(word))
        self.numbers_ = {feature: number for number, feature in enumerate(features)}

    def joint_features(self, x, y):
        counts = {}
        for number in (self.numbers_.get(feature) for word in y for feature in self.describe(word)):
            if number is not None:
                counts[number] = counts.get(number, 0) + 1
        return counts

    def loss(self, y_true, y):
        return len(ends(y_true) ^ ends(y))

    def argmax(self, x, F, cost=lambda begin, end: 0.0):
        best = [(0.0, [])]  # for every beginning of x: score, words
        for end in range(1, len(x) + 1):
            choices = []
            for begin in range(max(0, end - self.longest), end):
                numbers = (self.numbers_.get(feature) for feature in self.describe(x[begin:end]))
                score = sum(F.weights[number] for number in numbers if number is not None)
                choices.append((best[begin][0] + score + cost(begin, end), begin))
            score, begin = max(choices)
            best.append((score, [*best[begin][1], x[begin:end]]))
        return best[-1][1]

    def loss_augmented_argmax(self, x, y_true, F, violation):
        spaces = ends(y_true)  # a word costs 1 if it ends where it should not, and 1 for each space within
        return self.argmax(x, F, lambda a, b: (b not in spaces) + len(spaces.intersection(range(a + 1, b))))


def ends(words):
    return set(accumulate(map(len, words)))


def main() -> None:
    console = Console()
    trees, _ = load_questions()
    Y = [[word.lower() for word in tree.leaves()] for tree in trees]
    X = ["".join(y) for y in Y]
    train, test = slice(0, None, 4), slice(1, None, 4)
    learners = {
        "perceptron": StructuredPerceptron(Segmentation(), averaging="average", epochs=5),
        "SVM, one slack": StructuredSVM(Segmentation(), C=0.2, solver="one-slack", epsilon=0.2),
        "SVM, n slacks": StructuredSVM(Segmentation(), C=0.2, solver="n-slack", epsilon=0.2),
        "SVM, Frank-Wolfe": StructuredSVM(
            Segmentation(), C=0.2, solver="frank-wolfe", epsilon=0.2, random_state=0
        ),
    }
    table = Table(title="Spaces in questions that were not there in training", title_justify="left")
    for name in ("learner", "wrong spaces a question", "questions without fault", "objective", "seconds"):
        table.add_column(name, justify="left" if name == "learner" else "right")
    for name, learner in learners.items():
        start = perf_counter()
        learner.fit(X[train], Y[train])
        seconds = perf_counter() - start
        predicted = learner.predict(X[test])
        losses = [learner.problem_.loss(y_true, y) for y_true, y in zip(Y[test], predicted, strict=True)]
        objective = f"{learner.objective_:.3f}" if hasattr(learner, "objective_") else ""
        table.add_row(
            name,
            f"{sum(losses) / len(losses):.2f}",
            f"{learner.score(X[test], Y[test]):.1%}",
            objective,
            f"{seconds:.1f}",
        )
    console.print(table)
    for x, y in list(zip(X[test], predicted, strict=True))[:5]:
        console.print(f"{x}\n  {' '.join(y)}", highlight=False)


if __name__ == "__main__":
    main()
