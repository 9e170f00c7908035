"""Follows a stream of labelled messages, predicts each before it learns from it, and says when spam has changed.

Messages are lines "label<tab>text" of standard input or a file; without any they are made up, and spam changes twice.
The Modified Balanced Winnow learns in one pass and constant memory; a perceptron runs beside it.

    python examples/spam_stream.py
    tail -f mail.tsv | python examples/spam_stream.py -
    python examples/spam_stream.py mail.tsv --window 500
"""

from __future__ import annotations

import argparse
import random
import sys
from collections import deque
from collections.abc import Iterator

from rich.console import Console

from hedgerow.feature_extraction import TextHasher
from hedgerow.online import ModifiedBalancedWinnow, Perceptron

CLASSES = ["ham", "spam"]
COMMON = "the a you your for and we is now please to of all it so this with today very my"
TALK = "lunch report train meeting call late office notes weekend thanks draft budget flat garden bus"
CAMPAIGNS = [
    "watches luxury pens half price gold brand cheap replica silver rings sale discount bags shoes",
    "wallet coins bonus claim token waiting profit double unlock transfer exchange key chain rich",
    "remote earn sofa hiring salary weekly apply simple tasks boss income flexible reviews rating",
]


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("messages", nargs="?", help="a file; - is standard input")
    parser.add_argument("--window", type=int, default=100, help="messages of one line of the report")
    options = parser.parse_args()
    follow(lines_of(options.messages), options.window)


def follow(lines: Iterator[str], window: int) -> None:
    console = Console(highlight=False)
    words = TextHasher(n_features=2**18, ngrams=2, alternate_sign=False, norm="none")
    learners = {
        "winnow": ModifiedBalancedWinnow(vectorizer=words),
        "perceptron": Perceptron(vectorizer=words),
    }
    wrong = {name: deque(maxlen=window) for name in learners}  # of the last messages
    usual = 0.0
    console.print(
        f"{'messages':>10} {'winnow':>10} {'perceptron':>10}   share of errors in the last {window}"
    )
    for number, line in enumerate(lines, 1):
        label, text = line.rstrip("\n").split("\t", 1)
        for name, learner in learners.items():
            wrong[name].append(number == 1 or learner.predict([text])[0] != label)
            learner.partial_fit([text], [label], classes=CLASSES)
        if number % window == 0:
            errors = [sum(wrong[name]) / window for name in learners]
            changed = number > window and errors[0] > usual + 0.02
            usual = errors[0]
            shown = "".join(f" {error:>10.3f}" for error in errors)
            console.print(f"{number:>10}{shown}{'   [bold]something has changed[/]' if changed else ''}")
    winnow = learners["winnow"]
    console.print(f"The winnow has {winnow.n_nonzero_} weights.")


def lines_of(path: str | None) -> Iterator[str]:
    if path is None:
        yield from made_up(1500)
    elif path == "-":
        yield from sys.stdin
    else:
        with open(path, encoding="utf-8") as file:
            yield from file


def made_up(n: int) -> Iterator[str]:
    draw = random.Random(0)
    for number in range(n):
        spam = draw.random() < 0.4
        campaign = CAMPAIGNS[number * len(CAMPAIGNS) // n]
        text = draw.choices(COMMON.split(), k=6) + draw.choices(TALK.split(), k=1 if spam else 3)
        text += draw.choices(campaign.split(), k=3) if spam else []
        yield f"{CLASSES[spam]}\t{' '.join(draw.sample(text, len(text)))}\n"


if __name__ == "__main__":
    main()
