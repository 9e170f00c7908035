"""`hedgerow serve` and `hedgerow replay` as processes: journeys, ends in good order, and kills."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import time
from functools import partial

import pytest
from typer.testing import CliRunner

import hedgerow
from hedgerow.cli.app import app
from hedgerow.serve import Client, ServiceError
from hedgerow.serve.sqlite import SqliteStorage
from tests.serve.crashing import Crashes
from tests.serve.services import Process, tree_model, vector_model, vectors

KILLS = int(os.environ.get("HEDGEROW_KILLS", "8"))
SEED = int(os.environ.get("HEDGEROW_SEED", "0")) or random.SystemRandom().randrange(1, 10**6)


def hedgerow_command(*arguments):
    return CliRunner().invoke(app, list(map(str, arguments)))


def test_a_journey(tmp_path):
    """Predict, correct, end, start again, undo: from the command line."""
    model, data = vector_model(tmp_path / "ab.model"), tmp_path / "data"
    with Process(model, "--data", data, "--snapshot-records", 5) as process:
        client = Client(process.url)
        answer = client.predict([0.2, 0.1])
        assert (answer["label"], answer["position"]) == ("a", 0)
        assert client.feedback("b", id=answer["id"], key="first") == 1
        assert client.feedback("b", id=answer["id"], key="first") == 1
        for i, (x, label) in enumerate(vectors(1, 20)):
            position = client.feedback(label, example=x, key=f"k{i}")
        assert position == 21
        client.predict_many([], wait=21)
        content = client.model()
        with pytest.raises(ServiceError, match="422") as refused:
            client.feedback("c", example=[1, 2])
        assert refused.value.field == "feedback[0].label"
        other = [sys.executable, "-m", "hedgerow", "serve", "--data", str(data), "--port", "0"]
        again = subprocess.run(other, capture_output=True, text=True, timeout=120, check=False)
        assert (again.returncode, "another service is using it" in again.stderr) == (1, True)
        # A log that is in use can be replayed.
        assert hedgerow_command("replay", data, "-o", tmp_path / "all.model").exit_code == 0
        assert (tmp_path / "all.model").read_bytes() == content
        refused = hedgerow_command("replay", data, "--without", "k3", "--erase", "-o", tmp_path / "x.model")
        assert (refused.exit_code, "another service is using it" in refused.output) == (1, True)
        assert process.stop() == 0
    events = [json.loads(line)["event"] for line in process.lines]
    assert events[-1] == "stopped"
    with Process("--data", data) as process:
        client = Client(process.url)
        assert client.model() == content
        assert client.model(21) == content
        process.stop()
    for arguments, seen in (
        (["--to", 7], 2 + 7),
        (["--without", "k3", "k4", "--without", "k5"], 2 + 18),
        ([], 2 + 21),
    ):
        done = hedgerow_command("replay", data, *arguments, "-o", tmp_path / "some.model")
        assert done.exit_code == 0, done.output
        assert hedgerow.load(tmp_path / "some.model").n_seen_ == seen
    done = hedgerow_command("replay", data, "--without", "k3", "--erase", "-o", tmp_path / "without.model")
    assert done.exit_code == 0, done.output
    with Process("--data", data) as process:
        assert Client(process.url).model() == (tmp_path / "without.model").read_bytes()
        process.stop()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["none.model", "--data", "d"], "none.model: No such file"),
        (["--data", "d"], "d holds no model yet"),
        (["ab.model", "x/ab.model", "--data", "d"], "two models have the same name"),
        (["a b=ab.model", "--data", "d"], "cannot be the name of a model"),
        (["ab.model", "--data", "d", "--queue", "0"], "at least 1"),
        (["ab.model", "--data", "d", "--tokens", "tokens"], "tokens, line 1: a line is NAME ROLES TOKEN"),
        (["bad.model", "--data", "d"], "not a hedgerow model"),
    ],
)
def test_what_serve_refuses(tmp_path, monkeypatch, arguments, said):
    monkeypatch.chdir(tmp_path)
    vector_model(tmp_path / "ab.model")
    (tmp_path / "x").mkdir()
    vector_model(tmp_path / "x" / "ab.model")
    (tmp_path / "tokens").write_text("secret\n")
    (tmp_path / "bad.model").write_text("nonsense\n" * 9)
    done = hedgerow_command("serve", *arguments)
    assert done.exit_code in (1, 2)
    assert said in done.output.replace("\n", " ")


def test_what_replay_refuses(tmp_path):
    data = tmp_path / "data"
    models = vector_model(tmp_path / "ab.model"), tree_model(tmp_path / "trees.model")
    with Process(*models, "--data", data) as process:
        process.stop()
    out = tmp_path / "out.model"
    for arguments, said in (
        ([tmp_path / "nothing"], "holds no log of hedgerow serve"),
        ([data], "there are several models: ab, trees"),
        ([data, "--model", "zz"], "no log of hedgerow serve"),
        ([data, "--model", "ab", "--to", 5], "between 0 and 0, got 5"),
        ([data, "--model", "ab", "--without", "k"], "no record has the key 'k'"),
        ([data, "--model", "ab", "--erase"], "say what to erase"),
        ([data, "k1", "--model", "ab"], "expected --without before k1"),
    ):
        done = hedgerow_command("replay", *arguments, "-o", out)
        assert done.exit_code in (1, 2)
        assert said in done.output.replace("\n", " "), done.output
    assert not out.exists()


def test_a_client_that_finds_nobody():
    begin = time.monotonic()
    with pytest.raises(OSError, match="refused"):
        Client("http://127.0.0.1:9", retries=1).status()
    assert time.monotonic() > begin + 0.1


def crashes(tmp_path, kills):
    print(f"seed {SEED}: HEDGEROW_SEED={SEED} repeats it")
    model, data = vector_model(tmp_path / "ab.model"), tmp_path / "data"
    start = partial(Process, model, "--data", data, "--snapshot-records", "200", "--predictions", "100")
    Crashes(SEED, start, lambda: SqliteStorage(data / "ab", read_only=True)).run(kills)


def test_killed(tmp_path):
    crashes(tmp_path, 1)


@pytest.mark.slow
def test_killed_often(tmp_path):
    crashes(tmp_path, KILLS)
