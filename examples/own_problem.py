"""A problem of your own: put the spaces back into text that has lost them.

The output is a segmentation of a string into words, the best of all by dynamic programming. No problem that ships with
hedgerow does that; the class `Segmentation` is all it takes for every solver and the perceptron to train it.

    python examples/own_problem.py
"""

from __future__ import annotations

from collections import Counter
from functools import cache
from itertools import accumulate
from time import perf_counter
from zlib import crc32

from rich.console import Console
from rich.table import Table

from hedgerow.datasets import load_questions
from hedgerow.structured import Problem, StructuredPerceptron, StructuredSVM

N_FEATURES = 2**16  # descriptions of words are hashed to so many numbers
LONGEST = 12  # letters of a word


class Segmentation(Problem):
    """Inputs are strings, outputs lists of words; the loss counts spaces that are missing or too many."""

    rescalings, quadratic_rescalings = ("margin",), ()  # what loss_augmented_argmax can do

    @staticmethod
    @cache
    def numbers(word):
        parts = word, word[:2] + "-", word[:3] + "-", "-" + word[-2:], "-" + word[-3:], str(len(word))
        return [crc32(part.encode()) % (N_FEATURES - 1) for part in parts] + [N_FEATURES - 1]

    def joint_features(self, x, y):
        return Counter(number for word in y for number in self.numbers(word))

    def compute_loss(self, y_true, y):
        return len(ends(y_true) ^ ends(y))

    def argmax(self, x, F, loss=lambda begin, end: 0.0):
        best = [(0.0, [])]  # for every beginning of x: score, words
        for end in range(1, len(x) + 1):
            score, begin = max(
                (best[begin][0] + sum(F.weights[self.numbers(x[begin:end])]) + loss(begin, end), begin)
                for begin in range(max(0, end - LONGEST), end)
            )
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
    train, test = slice(0, None, 3), slice(1, None, 3)
    learners = {
        "perceptron": StructuredPerceptron(Segmentation(), averaging="average", epochs=5),
        "SVM, one slack": StructuredSVM(Segmentation(), C=1.0, solver="one-slack", tol=0.2),
        "SVM, n slacks": StructuredSVM(Segmentation(), C=1.0, solver="n-slack", tol=0.2),
        "SVM, Frank-Wolfe": StructuredSVM(
            Segmentation(), C=1.0, solver="frank-wolfe", tol=0.2, random_state=0
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
        losses = [
            learner.problem_.compute_loss(y_true, y) for y_true, y in zip(Y[test], predicted, strict=True)
        ]
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
