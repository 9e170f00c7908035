"""One object used by several threads: nothing breaks, and nobody sees it in between."""

from __future__ import annotations

import os
import subprocess
import sys
import threading

import numpy as np
import pytest

from hedgerow.kernels import RBF
from hedgerow.online import OnlineLearner, Perceptron
from tests.hostile.thread_stress import GROUPS, LABELS, VECTORS
from tests.interrupting import output_of_interrupted


def stress(group: str, seconds: float) -> str:
    """What the threads did; in a process of their own, since faults in native code would end this one."""
    command = [sys.executable, "-m", "tests.hostile.thread_stress", group, str(seconds)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=3600)
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"
    return done.stdout


@pytest.mark.parametrize("group", list(GROUPS)[:1])
def test_threads_see_a_model_before_or_after_a_call(group: str) -> None:
    assert stress(group, 0.02)


@pytest.mark.slow
@pytest.mark.parametrize("group", [*GROUPS, "data"])
def test_threads_see_a_model_before_or_after_a_call_for_long(group: str) -> None:
    assert stress(group, float(os.environ.get("HEDGEROW_THREAD_SECONDS", 1)))


class Meddler:
    """A rule that uses its own model."""

    def __init__(self, use: str) -> None:
        self.use = use

    def __deepcopy__(self, memo: object) -> Meddler:
        return self

    def learn(self, f: object, y: float, weight: float) -> None:
        getattr(self.model, self.use)(VECTORS[:2], *([LABELS[:2]] if "fit" in self.use else []))


@pytest.mark.parametrize("use", ["predict", "partial_fit"])
def test_a_rule_that_uses_its_own_model_is_an_error(use: str) -> None:
    rule = Meddler(use)
    model = rule.model = OnlineLearner(rule, RBF())
    with pytest.raises(RuntimeError, match="used the very object that called it"):
        model.partial_fit(VECTORS, LABELS, classes=np.unique(LABELS))
    assert len(model.predict(VECTORS)) == len(VECTORS)


class Waiting:
    """A rule that stops until it is told to go on."""

    def __init__(self) -> None:
        self.started, self.go_on = threading.Event(), threading.Event()

    def __deepcopy__(self, memo: object) -> Waiting:
        return self

    def learn(self, f: object, y: float, weight: float) -> None:
        self.started.set()
        assert self.go_on.wait(60)


def test_predictions_wait_for_partial_fit_but_not_for_fit() -> None:
    rule = Waiting()
    rule.go_on.set()
    model = OnlineLearner(rule, RBF()).fit(VECTORS, LABELS)
    rule.go_on.clear()
    rule.started.clear()
    fitting = threading.Thread(target=model.fit, args=(VECTORS, LABELS == "NUM"))
    fitting.start()
    assert rule.started.wait(60)
    assert model.predict(VECTORS[:1]).dtype == LABELS.dtype  # of the model before
    rule.go_on.set()
    fitting.join()
    assert model.predict(VECTORS[:1]).dtype == bool

    rule.go_on.clear()
    rule.started.clear()
    learning = threading.Thread(target=model.partial_fit, args=(VECTORS[:1], [True]))
    learning.start()
    assert rule.started.wait(60)
    seen: list[int] = []
    looking = threading.Thread(target=lambda: seen.append(model.n_seen_))
    looking.start()
    looking.join(0.1)
    assert looking.is_alive()
    rule.go_on.set()
    for thread in (learning, looking):
        thread.join()
    assert seen == [len(VECTORS) + 1]


@pytest.mark.slow
def test_ctrl_c_reaches_a_thread_that_waits() -> None:
    program = """
import threading, numpy as np
from hedgerow.kernels import RBF
from hedgerow.online import OnlineLearner
from tests.hostile.test_threads import LABELS, VECTORS, Waiting
rule = Waiting()
model = OnlineLearner(rule, RBF())
learning = threading.Thread(target=model.partial_fit, args=(VECTORS[:1], LABELS[:1], np.unique(LABELS)))
learning.start()
rule.started.wait()
print("ready", flush=True)
try:
    model.predict(VECTORS)
except KeyboardInterrupt:
    print("interrupted")
rule.go_on.set()
learning.join()
print(len(model.predict(VECTORS)))
"""
    assert output_of_interrupted(program).split() == ["interrupted", str(len(VECTORS))]


def test_copies_have_locks_of_their_own() -> None:
    import copy
    import pickle

    model = Perceptron(RBF()).fit(VECTORS, LABELS)
    copies = [copy.copy(model), copy.deepcopy(model), pickle.loads(pickle.dumps(model))]
    with model._lock.reading:
        for other in copies:
            other.partial_fit(VECTORS[:1], LABELS[:1])


FORKED = """
import os, sys, threading, numpy as np
from hedgerow.kernels import RBF
from hedgerow.online import OnlineLearner
from tests.hostile.test_threads import LABELS, VECTORS, Waiting, WaitingKernel

if sys.argv[1] == "learning":
    held = Waiting()
    model = OnlineLearner(held, RBF())
    other = threading.Thread(target=model.partial_fit, args=(VECTORS[:1], LABELS[:1], np.unique(LABELS)))
else:
    held = WaitingKernel()
    model = held.fitted()
    other = threading.Thread(target=model.predict, args=(VECTORS,))
other.start()
held.started.wait()
child = os.fork()
if child == 0:
    held.go_on.set()
    try:
        print(model.partial_fit(VECTORS[:1], LABELS[:1]).n_seen_, flush=True)
    except RuntimeError as error:
        print(error, flush=True)
    os._exit(0)
os.waitpid(child, 0)
held.go_on.set()
other.join()
"""


class WaitingKernel:
    """What stops a prediction until it is told to go on."""

    def __init__(self) -> None:
        self.started, self.go_on = threading.Event(), threading.Event()

    def fitted(self) -> Perceptron:
        model = Perceptron(RBF()).fit(VECTORS, LABELS)
        prepare = model._more

        def wait(X: object) -> object:
            self.started.set()
            assert self.go_on.wait(60)
            return prepare(X)

        model._more = wait  # type: ignore[method-assign]
        return model


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
@pytest.mark.parametrize(
    ("use", "said"), [("learning", "another thread was changing"), ("predicting", str(len(VECTORS) + 1))]
)
def test_a_child_does_not_wait_for_threads_of_its_parent(use: str, said: str) -> None:
    command = [sys.executable, "-c", FORKED, use]
    done = subprocess.run(command, capture_output=True, text=True, timeout=100)
    assert done.stdout.startswith(said), f"{done.stdout}\n{done.stderr}"
