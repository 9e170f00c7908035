"""Fetching from a server on this machine: good, wrong, broken off, out of reach."""

from __future__ import annotations

import gzip
import hashlib
import socket
import threading
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import SimpleNamespace

import pytest

from hedgerow.datasets import fetch
from hedgerow.datasets.conversions import stripped_lines, zip_member
from hedgerow.datasets.fetching import DOWNLOADS
from hedgerow.datasets.sources import DataFile, DataSet, Original

ORIGINAL = b"-1 3:1 11:1 \r\n+1 5:1 \n" * 20_000  # several pieces
CONTENT = b"-1 3:1 11:1\n+1 5:1\n" * 20_000


@pytest.fixture
def server():
    """Serves ORIGINAL; ``stop_after`` bytes it hangs up, ``ranges`` says whether it can go on."""
    state = SimpleNamespace(stop_after=None, ranges=True, asked=[], content=ORIGINAL)

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            if self.path != "/original":
                self.send_error(404)
                return
            asked = self.headers.get("Range")
            state.asked.append(asked)
            begin = int(asked.removeprefix("bytes=").removesuffix("-")) if asked and state.ranges else 0
            if begin and begin >= len(state.content):
                self.send_error(416)
                return
            rest = state.content[begin:]
            self.send_response(206 if begin else 200)
            self.send_header("Content-Length", str(len(rest)))
            self.end_headers()
            self.wfile.write(rest[: state.stop_after])

        def log_message(self, *_):
            pass

    http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=http.serve_forever)
    thread.start()
    state.address = f"http://127.0.0.1:{http.server_port}/original"
    yield state
    http.shutdown()
    thread.join()
    http.server_close()


def data_set(address, *, original_sum=None, sum_of_file=None, conversion=stripped_lines):
    return DataSet(
        "toy",
        "a toy",
        "none",
        {"all": Original(address, len(ORIGINAL), original_sum)},
        {"toy/all.libsvm": DataFile("toy/all.libsvm", ("all",), conversion, {}, sum_of_file)},
    )


def good(address):
    return data_set(
        address,
        original_sum=hashlib.sha256(ORIGINAL).hexdigest(),
        sum_of_file=hashlib.sha256(CONTENT).hexdigest(),
    )


def everything_in(folder):
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())


class TestGood:
    def test_fetched_checked_and_converted(self, server, tmp_path):
        seen = []
        folder = tmp_path / "new" / "data"
        (path,) = fetch(
            good(server.address), folder, progress=lambda address, *counts: seen.append((address, *counts))
        )
        assert gzip.decompress(path.read_bytes()) == CONTENT
        assert everything_in(folder) == ["toy/all.libsvm.gz"]
        assert seen[-1] == (server.address, len(ORIGINAL), len(ORIGINAL))
        assert len(seen) > 1

    def test_file_address(self, tmp_path):
        (tmp_path / "original").write_bytes(ORIGINAL)
        (path,) = fetch(good((tmp_path / "original").as_uri()), tmp_path / "data")
        assert gzip.decompress(path.read_bytes()) == CONTENT

    @pytest.mark.parametrize("name", ["all.libsvm", "all.libsvm.gz"])
    def test_an_existing_file_is_kept(self, server, tmp_path, name):
        (tmp_path / "toy").mkdir()
        (tmp_path / "toy" / name).write_text("mine")
        assert fetch(good(server.address), tmp_path) == [tmp_path / "toy" / name]
        assert (tmp_path / "toy" / name).read_text() == "mine"
        assert server.asked == []

    def test_equal_content_makes_equal_files(self, server, tmp_path):
        first, second = (fetch(good(server.address), tmp_path / name)[0] for name in "ab")
        assert first.read_bytes() == second.read_bytes()


class TestWrong:
    def test_wrong_checksum_of_the_original(self, server, tmp_path):
        wrong = data_set(server.address, original_sum="0" * 64)
        with pytest.raises(
            ValueError, match=rf"its SHA-256 is {hashlib.sha256(ORIGINAL).hexdigest()}, not 000"
        ):
            fetch(wrong, tmp_path)
        assert everything_in(tmp_path) == []

    def test_wrong_checksum_of_what_is_made(self, server, tmp_path):
        wrong = data_set(server.address, sum_of_file="0" * 64)
        with pytest.raises(
            ValueError, match=r"toy/all.libsvm: the SHA-256 of what was made is .* nothing was"
        ):
            fetch(wrong, tmp_path)
        assert everything_in(tmp_path) == []

    def test_another_kind_of_file(self, server, tmp_path):
        with pytest.raises(ValueError, match="the downloaded file is not the expected one"):
            fetch(data_set(server.address, conversion=partial(zip_member, member="a")), tmp_path)
        assert everything_in(tmp_path) == []

    def test_not_found(self, server, tmp_path):
        with pytest.raises(OSError, match=r"/nothing: the server says 404"):
            fetch(good(server.address.replace("original", "nothing")), tmp_path)
        assert everything_in(tmp_path) == []

    def test_unknown_names(self, server, tmp_path):
        with pytest.raises(ValueError, match=r"data_set must be one of a9a, .* got 'magic'"):
            fetch("magic", tmp_path)
        with pytest.raises(ValueError, match=r"files: toy has toy/all.libsvm, not toy/x"):
            fetch(good(server.address), tmp_path, files=["toy/x"])

    def test_sets_that_cannot_be_fetched(self, tmp_path):
        with pytest.raises(ValueError, match=r"toy cannot be fetched: it is made of clay"):
            fetch(DataSet("toy", "a toy", "none", {}, {"toy/a": DataFile("toy/a")}, "made of clay"), tmp_path)
        assert everything_in(tmp_path) == []


class TestBrokenOff:
    @pytest.mark.parametrize("ranges", [True, False])
    def test_the_next_call_goes_on(self, server, tmp_path, ranges):
        server.stop_after, server.ranges = 100_000, ranges
        with pytest.raises(OSError, match=r"broke off after 100,000 of 440,000 bytes.* continues"):
            fetch(good(server.address), tmp_path)
        assert everything_in(tmp_path) == [f"{DOWNLOADS}/toy.all.part"]
        server.stop_after = None
        (path,) = fetch(good(server.address), tmp_path)
        assert gzip.decompress(path.read_bytes()) == CONTENT
        assert server.asked == [None, "bytes=100000-"]
        assert everything_in(tmp_path) == ["toy/all.libsvm.gz"]

    def test_ctrl_c_keeps_what_has_come(self, server, tmp_path):
        def interrupt(*_):
            raise KeyboardInterrupt

        with pytest.raises(KeyboardInterrupt):
            fetch(good(server.address), tmp_path, progress=interrupt)
        size = (tmp_path / DOWNLOADS / "toy.all.part").stat().st_size
        assert 0 < size < len(ORIGINAL)
        fetch(good(server.address), tmp_path)
        assert server.asked == [None, f"bytes={size}-"]

    def test_a_part_that_is_no_beginning(self, server, tmp_path):
        """Longer than the file: the server refuses the range, and all is fetched anew."""
        (tmp_path / DOWNLOADS).mkdir()
        (tmp_path / DOWNLOADS / "toy.all.part").write_bytes(b"x" * (len(ORIGINAL) + 1))
        (path,) = fetch(good(server.address), tmp_path)
        assert gzip.decompress(path.read_bytes()) == CONTENT

    def test_a_part_of_another_file_is_found_out(self, server, tmp_path):
        (tmp_path / DOWNLOADS).mkdir()
        (tmp_path / DOWNLOADS / "toy.all.part").write_bytes(b"x" * 1000)
        with pytest.raises(ValueError, match="SHA-256"):
            fetch(good(server.address), tmp_path)
        fetch(good(server.address), tmp_path)  # the wrong part is gone


class TestWithoutNetwork:
    @pytest.fixture
    def nobody(self):
        """An address where nobody answers."""
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            return f"http://127.0.0.1:{free.getsockname()[1]}/original"

    def test_says_what_to_do(self, nobody, tmp_path):
        with pytest.raises(
            OSError, match=r"cannot be downloaded \(.*refused.*\).* Without a network, get that file"
        ) as error:
            fetch(good(nobody), tmp_path)
        place = tmp_path / DOWNLOADS / "toy.all"
        assert f"save it as {place} and call again" in str(error.value)

    def test_and_that_works(self, nobody, tmp_path):
        (tmp_path / DOWNLOADS).mkdir()
        (tmp_path / DOWNLOADS / "toy.all").write_bytes(ORIGINAL)
        (path,) = fetch(good(nobody), tmp_path)
        assert gzip.decompress(path.read_bytes()) == CONTENT
        assert everything_in(tmp_path) == ["toy/all.libsvm.gz"]

    def test_what_was_put_there_is_checked_too(self, nobody, tmp_path):
        (tmp_path / DOWNLOADS).mkdir()
        (tmp_path / DOWNLOADS / "toy.all").write_bytes(b"something else")
        with pytest.raises(ValueError, match="SHA-256"):
            fetch(good(nobody), tmp_path)
