"""SVM-light-TK beside hedgerow's commands of the same flags: seconds of the processor, and how decisions differ.

The environment variable SVM_LIGHT_TK names the folder with its programs svm_learn and svm_classify. Its licence keeps
them out of hedgerow; version 1.5 builds with ``-O3 -fcommon -std=gnu89 -w``. Questions that ask for numbers against all
others, normalised tree kernels; reading, writing and starting are part of every time.
"""

from __future__ import annotations

import gzip
import os
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
from data import DATA
from rich.console import Console
from rich.table import Table

FOLDER = os.environ.get("SVM_LIGHT_TK")
QUESTIONS = DATA / "qc_num_svmtk"
RUNS = {
    "SST": "-t 5 -F 1 -C T -N 1 -L 0.4",
    "PT": "-t 5 -F 3 -C T -N 1 -L 0.4 -M 0.4",
    "ST": "-t 5 -F 0 -C T -N 1 -L 0.4",
}
console = Console(highlight=False, width=140)


def main() -> None:
    if not QUESTIONS.is_dir():
        console.print(f"no data at {QUESTIONS} (set HEDGEROW_DATA): nothing to run on")
        return
    programs = {"hedgerow": [sys.executable, "-m", "hedgerow"]}
    if FOLDER:
        programs["SVM-light-TK"] = []
    else:
        console.print("SVM-light-TK is not run: set SVM_LIGHT_TK to the folder of its programs")
    table = Table("kernel", "program", "svm_learn", "svm_classify", "largest difference of decisions")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for part in ("train", "test"):
            (folder / part).write_bytes(gzip.decompress((QUESTIONS / f"{part}.tk.gz").read_bytes()))
        for kernel, flags in RUNS.items():
            decisions = {}
            for program, start in programs.items():
                learn, classify = (
                    [*start, tool if start else str(Path(str(FOLDER), tool))]
                    for tool in ("svm_learn", "svm_classify")
                )
                trained = seconds(folder, [*learn, *flags.split(), "train", "model"])
                scored = seconds(folder, [*classify, "test", "model", "decisions"])
                decisions[program] = np.loadtxt(folder / "decisions")
                apart = np.abs(decisions[program] - decisions["hedgerow"]).max()
                table.add_row(kernel, program, f"{trained:.2f} s", f"{scored:.2f} s", f"{apart:.4f}")
    console.print(table)


def seconds(folder: Path, command: list[str]) -> float:
    """Of the processor, that a program takes on one thread."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    environment = {**os.environ, "HEDGEROW_NUM_THREADS": "1"}
    subprocess.run(command, cwd=folder, env=environment, check=True, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return sum(after[:2]) - sum(before[:2])


if __name__ == "__main__":
    main()
