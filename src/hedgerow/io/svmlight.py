"""Reading SVM-light vectors as a stream: chunk by chunk, in constant memory."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from hedgerow.data.errors import OnEachError, error_handler
from hedgerow.data.files import STREAM_PIECE, Source
from hedgerow.io.examples import Labels
from hedgerow.io.svmlight_tk import batches, make_reader


def iter_svmlight(
    source: Source,
    chunk_bytes: int = STREAM_PIECE,
    *,
    errors: OnEachError = "raise",
    zero_based: bool = False,
    n_features: int | None = None,
    query_id: bool = False,
    labels: Labels = "auto",
) -> Iterator[tuple[Any, ...]]:
    """Read vectors in SVM-light format for learning in one pass, holding one chunk at a time in memory.

    A line is ``LABEL 1:0.5 7:2 # comment``, with indices that increase; ``qid:3`` may stand behind the label. Chunks
    are made of whole lines. A pipe gives chunks as its lines arrive, so that nobody waits for a chunk to be full.

    Parameters
    ----------
    source : path, "-" for standard input, or a file that is open for reading bytes
        Paths may be gzip files. A file that was open stays open.
    chunk_bytes : int
        About how much text makes a chunk. The default is fastest, because it stays in the processor's cache.
    errors : "raise" or a function
        Stop at the first bad line, or leave bad lines out and call the function with each `FormatError`.
    zero_based, query_id
        As in `read_svmlight_tk`.
    n_features : int, optional
        The width of the vectors; a higher index is an error. By default the highest index so far, so that the width
        may grow from chunk to chunk, as learners on weights expect.
    labels : {"auto", "int", "float", "word"}
        What labels are; one of another kind is an error. "auto" is settled by the first chunk.

    Yields
    ------
    X : csr_matrix
    y : int64, float64 or str array
    query_ids : int64 array
        Only with ``query_id=True``.

    Examples
    --------
    >>> import io
    >>> from hedgerow.io import iter_svmlight
    >>> from hedgerow.online import Perceptron
    >>> stream = io.BytesIO(b"spam 1:1 3:0.5\\nham 2:1\\nspam 3:2\\n")
    >>> model = Perceptron()
    >>> for X, y in iter_svmlight(stream):
    ...     _ = model.partial_fit(X, y, classes=["ham", "spam"])
    >>> model.n_seen_, model.coef_.tolist()
    (3, [[1.0, -1.0, 0.5]])
    """
    if chunk_bytes < 1:
        raise ValueError(f"chunk_bytes must be at least 1, got {chunk_bytes}")
    reader = make_reader(False, zero_based, n_features, labels, None, collect=errors != "raise")
    reader.declare_column("vector", False)
    reader.fix_columns(": lines of iter_svmlight are vectors; iter_svmlight_tk reads trees too")
    on_error = error_handler(errors)
    return batches(reader, source, on_error, None, chunk_bytes, True, labels, n_features, query_id)
