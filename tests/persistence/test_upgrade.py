"""What tools/upgrade_models.py makes of files of version 1."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import hedgerow
from hedgerow import FormatError
from hedgerow.kernels import Linear
from hedgerow.online import FTRL, Forgetron, Reranker
from hedgerow.persistence.values import decode_object
from hedgerow.structured import Multiclass, SequenceSVC, StructuredPerceptron
from hedgerow.svm import SVC, CuttingPlaneSVC
from tests.persistence.kept_models import FOLDER, read_archive
from tools.upgrade_models import upgrade


def upgraded(name: str, **parameters: Any) -> Any:
    manifest = {"class": name, "parameters": parameters, "description": {}}
    upgrade(manifest, {})
    return decode_object(manifest)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (
            ("Forgetron", {"kernel": None, "budget": 3, "shrinking": "basic"}),
            Forgetron(Linear(), 3, shrinking="basic"),
        ),
        (("FTRL", {"alpha": 0.3}), FTRL(learning_rate=0.3)),
        (("CuttingPlaneSVC", {"epsilon": 0.1, "max_rounds": 5}), CuttingPlaneSVC(tol=0.1, max_iter=5)),
        (("SVC", {"loss": "squared_hinge", "max_iter": -1}), SVC(loss="squared-hinge")),
        (("SVC", {"loss": "hinge", "max_iter": 7, "shrinking": False}), SVC(max_iter=7, active_set=False)),
        (("SequenceSVC", {"epsilon": 0.1, "labels": ["a"]}), SequenceSVC(tol=0.1, classes=["a"])),
        (("SequenceSVC", {"transition_features": True}), SequenceSVC(transition_features="all")),
        (("SequenceSVC", {"transition_features": "t"}), SequenceSVC(transition_features=["t"])),
        (("SequenceSVC", {"averaging": False}), SequenceSVC(averaging=None)),
        (("Multiclass", {"cost": "zero-one"}), Multiclass()),
        (("Reranker", {"learner": None, "rivals": "worse"}), Reranker(None, loss="grade")),
        (("StructuredPerceptron", {"update": "PA"}), StructuredPerceptron(variant="PA")),
    ],
)
def test_parameters_of_version_1(old, new):
    name, parameters = old
    assert repr(upgraded(name, **parameters)) == repr(new)


def test_a_file_of_version_1_is_loaded_by_way_of_the_script(tmp_path):
    old, new = tmp_path / "old.model", tmp_path / "new.model"
    old.write_bytes(read_archive(FOLDER / "1" / "weights.zip")[0]["arow-last"])
    script = "tools/upgrade_models.py"
    with pytest.raises(FormatError, match=rf"a model of format 1.*{re.escape(script)}"):
        hedgerow.load(old)
    root = Path(__file__).parents[2]
    subprocess.run([sys.executable, script, old, new], check=True, cwd=root)
    assert hedgerow.load(new).n_seen_ > 0
