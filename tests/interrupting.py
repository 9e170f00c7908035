"""Programs that get Ctrl-C while they compute."""

from __future__ import annotations

import signal
import subprocess
import sys


def output_of_interrupted(program: str, timeout: float = 100) -> str:
    """What a Python program prints after "ready" when Ctrl-C comes a second later, if it ends well."""
    process = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    try:
        process.wait(timeout=1)
    except subprocess.TimeoutExpired:
        process.send_signal(signal.SIGINT)
    try:
        output, _ = process.communicate(timeout=timeout)
    finally:
        process.kill()
    assert process.returncode == 0
    return output
