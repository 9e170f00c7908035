"""Parallel calls in children of a process that has made some: nothing may hang, and results stay the same.

Programs run in processes of their own with a limit of time, so that one that hangs fails.
"""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from hedgerow.threads import _cores

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no fork")

# What two threads compute equals what one computes.
FORKS = int(os.environ.get("HEDGEROW_FORKS", "200"))

START = """
import multiprocessing, os, signal, sys, threading
import numpy as np
from hedgerow.kernels import RBF

X = np.random.default_rng(0).normal(size=(400, 10))
expected = RBF()(X, n_jobs=1)

def check(_=None):
    assert np.array_equal(RBF()(X, n_jobs=2), expected)
    return os.getpid()

def exit_code(pid):
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])

def forked(work):
    pid = os.fork()
    if pid == 0:
        signal.alarm(30)  # whoever hangs is killed
        code = 1
        try:
            work()
            code = 0
        finally:
            os._exit(code)
    return pid
"""


def run(program: str, seconds: float = 60, **environment: str) -> str:
    """What the program prints, if it ends well and in time."""
    clean = {"PATH": "/usr/bin:/bin", "OPENBLAS_NUM_THREADS": "1", **environment}
    done = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        text=True,
        timeout=seconds,
        check=False,
        env=clean,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def ends_well(program: str, seconds: float = 60) -> None:
    assert run(START + program + "\nprint('done')", seconds) == "done\n"


def test_os_fork():
    """Children, theirs, and one that ends with sys.exit, which destroys what is static."""
    ends_well("""
def deeper():
    check()
    assert exit_code(forked(check)) == 0
    check()

check()
assert exit_code(forked(deeper)) == 0
pid = os.fork()
if pid == 0:
    check()
    sys.exit(7)
assert exit_code(pid) == 7
check()
""")


@pytest.mark.parametrize("before", [True, pytest.param(False, marks=pytest.mark.slow)])
def test_multiprocessing(before):
    ends_well(f"""
if {before}:
    check()
with multiprocessing.get_context("fork").Pool(3) as pool:
    children = set(pool.map(check, range(12)))
assert os.getpid() not in children
check()
""")


@pytest.mark.slow
def test_forkserver(tmp_path):
    """The children's program is a file, since they import it."""
    program = tmp_path / "program.py"
    program.write_text(
        START
        + """
if __name__ == "__main__":
    check()
    with multiprocessing.get_context("forkserver").Pool(2) as pool:
        assert os.getpid() not in pool.map(check, range(4))
    print("done")
"""
    )
    run_it = (
        f"import runpy, sys; sys.argv = [{str(program)!r}]; runpy.run_path(sys.argv[0], run_name='__main__')"
    )
    assert run(run_it) == "done\n"


@pytest.mark.slow
def test_servers_that_fork_their_workers():
    """As gunicorn does: the model is there before the fork, workers answer until they are told to end."""
    ends_well("""
from hedgerow.online import Perceptron

def serve(questions, answers):
    os.close(questions[1])
    while os.read(questions[0], 1):
        assert np.array_equal(model.predict(X), labels)
        check()
        os.write(answers[1], b"y")

model = Perceptron(RBF(), n_jobs=2).fit(X, np.sign(X[:, 0]))
labels = model.predict(X)
check()
workers = []
for _ in range(3):
    questions, answers = os.pipe(), os.pipe()
    others = [q for q, _, _ in workers]
    def work():
        for other in others:
            os.close(other[1])
        serve(questions, answers)
    workers.append((questions, answers, forked(work)))
for _ in range(5):
    for questions, answers, _ in workers:
        os.write(questions[1], b"?")
    check()
    for _, answers, _ in workers:
        assert os.read(answers[0], 1) == b"y"
for questions, _, pid in workers:
    os.close(questions[1])
    assert exit_code(pid) == 0
""")


BUSY = """
over = threading.Event()

def keep_busy():
    while not over.is_set():
        check()

others = [threading.Thread(target=keep_busy) for _ in range(2)]
for other in others:
    other.start()
"""


@pytest.mark.parametrize("times", [10, pytest.param(FORKS, marks=pytest.mark.slow)])
def test_forks_while_other_threads_are_in_parallel_calls(times):
    ends_well(
        f"""{BUSY}
for _ in range({times}):
    assert exit_code(forked(check)) == 0
over.set()
for other in others:
    other.join()
check()
""",
        seconds=500,
    )


@pytest.mark.parametrize("times", [10, pytest.param(FORKS, marks=pytest.mark.slow)])
def test_forks_while_other_threads_use_a_model(times):
    """A child may find the model's locks taken by threads that it does not have."""
    program = """
from hedgerow.online import Perceptron
model = Perceptron(RBF()).fit(X, X[:, 0] > 0)

def check():
    model.predict(X[:1])
    model.predict(X[:40])
"""
    ends_well(
        f"""{program}{BUSY}
for _ in range({times}):
    assert exit_code(forked(check)) == 0
over.set()
for other in others:
    other.join()
""",
        seconds=500,
    )


@pytest.mark.slow
def test_multiprocessing_while_other_threads_are_in_parallel_calls():
    ends_well(f"""{BUSY}
with multiprocessing.get_context("fork").Pool(2) as pool:
    pool.map(check, range(20))
over.set()
for other in others:
    other.join()
""")


@pytest.mark.slow
@pytest.mark.parametrize("end", ["sys.exit()", "os._exit(0)"])
def test_the_end_does_not_wait_for_daemons(end):
    """Of a program with threads that compute for ever."""
    assert (
        run(f"""{START}
def forever():
    while True:
        check()

for _ in range(2):
    threading.Thread(target=forever, daemon=True).start()
check()
print("done", flush=True)
{end}
""")
        == "done\n"
    )


@pytest.mark.slow
def test_several_callers():
    """More threads than cores call at once, each for more threads than there are."""
    ends_well("""
def call(n_jobs):
    for _ in range(20):
        assert np.array_equal(RBF()(X, n_jobs=n_jobs), expected)
        ended.append(n_jobs)

ended = []
callers = [threading.Thread(target=call, args=(2 + k % 4,)) for k in range(8)]
for caller in callers:
    caller.start()
for caller in callers:
    caller.join()
assert len(ended) == 160
""")


@pytest.mark.slow
def test_where_the_system_has_no_more_threads():
    ends_well("""
import resource
limit = 200 << 20
check_it = lambda n: np.array_equal(RBF()(X, n_jobs=n), expected)
now = int(open("/proc/self/statm").read().split()[0]) * os.sysconf("SC_PAGE_SIZE")
resource.setrlimit(resource.RLIMIT_AS, (now + limit, now + limit))  # stacks of some threads
assert check_it(300)
assert check_it(2)
""")


class TestNumberOfThreads:
    """What a call asks for is what it gets, whatever others put into the environment."""

    # What Dask's nannies set in their own process, for workers that they start.
    DASK: dict[str, str] = {  # noqa: RUF012
        **dict.fromkeys(("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS"), "1"),
        "MALLOC_TRIM_THRESHOLD_": "65536",
    }
    SHOW = "import hedgerow; print(hedgerow.get_n_jobs())"

    @pytest.mark.slow
    @pytest.mark.skipif(sys.platform != "linux", reason="counts in /proc")
    @pytest.mark.parametrize("environment", [{}, DASK | {"OMP_THREAD_LIMIT": "1"}])
    def test_threads_that_are_asked_for_are_started(self, environment):
        program = """
import os
import numpy as np
from hedgerow.kernels import RBF
before = len(os.listdir("/proc/self/task"))
RBF()(np.zeros((5_000, 2)), np.zeros((10, 2)), n_jobs=4)
print(len(os.listdir("/proc/self/task")) - before)
"""
        assert run(program, **environment) == "3\n"

    def test_the_default(self):
        assert run(self.SHOW) == f"{_cores()}\n"
        assert run(self.SHOW, HEDGEROW_NUM_THREADS="3") == "3\n"

    def test_a_process_that_starts_workers(self):
        assert run(self.SHOW, **self.DASK) == f"{_cores()}\n"
        assert run(self.SHOW, **self.DASK, HEDGEROW_NUM_THREADS="3") == "3\n"

    @pytest.mark.parametrize(("own", "expected"), [({}, 1), ({"HEDGEROW_NUM_THREADS": "3"}, 3)])
    def test_a_worker(self, own, expected):
        program = """
import multiprocessing
def show():
    import hedgerow
    print(hedgerow.get_n_jobs())
worker = multiprocessing.get_context("fork").Process(target=show)
worker.start()
worker.join()
"""
        assert run(program, **self.DASK, **own) == f"{expected}\n"

    @pytest.mark.slow
    def test_dask(self):
        """Dask itself, which may change what it sets."""
        program = """
if __name__ == "__main__":
    from distributed import Client
    with Client(n_workers=1, threads_per_worker=1, dashboard_address=":0") as client:
        import hedgerow
        there = client.submit(lambda: __import__("hedgerow").get_n_jobs()).result()
        print(hedgerow.get_n_jobs(), there)
"""
        assert run(program) == f"{_cores()} 1\n"
