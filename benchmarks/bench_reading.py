"""Reading trees: text to Forest in trees a second, and a million trees in time and memory."""

from __future__ import annotations

import gzip
import resource
from time import perf_counter

from data import DATA, forests
from timing import best_time

from hedgerow import Forest, _core
from hedgerow.io import read_svmlight_tk


def main() -> None:
    for name, forest in forests().items():
        lines = forest.to_brackets()
        text = "\n".join(lines).encode()
        strings = best_time(lambda lines=lines: Forest(lines))
        whole = best_time(lambda text=text: _core.read_brackets(text, None))
        print(
            f"{name}: {len(lines) / whole:,.0f} trees a second from text ({len(text) / whole / 1e6:.0f} MB/s), "
            f"{len(lines) / strings:,.0f} from a list of strings"
        )
    path = DATA / "srl_ewt" / "train.tk.gz"
    if path.exists():
        start = perf_counter()
        with gzip.open(path) as file:
            size = len(file.read())
        unzip = perf_counter() - start
        start = perf_counter()
        forest, _ = read_svmlight_tk(path)
        seconds = perf_counter() - start
        memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
        print(
            f"{path.parent.name}/{path.name}: {len(forest):,} trees, {forest.n_nodes:,} nodes in {seconds:.1f} s "
            f"(unzipping {size / 1e6:.0f} MB alone: {unzip:.1f} s); peak memory of this process {memory:.2f} GB"
        )


if __name__ == "__main__":
    main()
