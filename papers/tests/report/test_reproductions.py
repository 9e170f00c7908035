"""Reproductions on the page that ``hedgerow report`` writes."""

from __future__ import annotations

import json
from typing import ClassVar

from hedgerow.report.inputs import read_item
from hedgerow_papers.report.reproductions import ReproductionItem
from tests.report.conftest import Page, page_of, table_after
from tests.report.test_page import EVIL

__all__ = ["page_of"]


def test_reproductions(folder, hedgerow_command):
    """What reproduce writes is what report reads: tables, published figures, traces and plots."""
    common = ("--quick", "--permutations", "2")
    hedgerow_command.good("reproduce", "online_synthetic", *common, "--rows", "P*", "-o", "all")
    content = json.loads((folder / "all" / "online_synthetic.json").read_text(encoding="utf-8"))
    hedgerow_command.good("report", "all/online_synthetic.json", "-o", "page.html")
    page = Page((folder / "page.html").read_text(encoding="utf-8"))
    assert page.text("h2") == ["online_synthetic"]
    assert page.facts()["Runs"] == str(content["runs"]) == "8"
    assert "not comparable" in page.facts()["Quick"]
    (table,) = content["tables"]
    assert table["title"] in page.text("span")
    ran = [row for row in table["rows"] if row["runs"]]
    assert [row["row"] for row in ran] == ["Perceptron", "Perceptron, biased", "PA-I", "Projectron++"]
    for row in ran:
        assert row["row"] in page.text("th")
        for measure in table["measures"]:
            figures, decimals = row["measures"][measure["name"]], measure["decimals"]
            assert any(text.startswith(f"{figures['mean']:,.{decimals}f} ±") for text in page.text("td"))
            assert any(
                text.startswith(f"{figures['published_mean']:,.{decimals}f}") for text in page.text("small")
            )
    for note in content["notes"]:
        assert note in page.text("p")
    assert content["traces"].keys() == {row["row"] for row in ran}
    assert "Example by example" in page.text("h3")


def test_kind_by_content(tmp_path):
    path = tmp_path / "anything.xyz"
    path.write_text('{"experiment": "online_srl", "tables": []}', encoding="utf-8")
    found = read_item(path)
    assert isinstance(found, ReproductionItem)
    assert found.name == "online_srl"


class TestReproductions:
    content: ClassVar = {
        "experiment": "names",
        "title": "names in news",
        "complete": False,
        "runs": 2,
        "runs_wanted": 6,
        "minutes": 3.0,
        "legend": "↑ ↓ beyond a deviation",
        "tables": [
            {
                "table": "t1",
                "title": "Table 1",
                "first_column": "Learner",
                "source": "Someone, 2004",
                "setting": "all data",
                "data_differences": ["other sentences"],
                "measures": [{"name": "f1", "heading": "F1", "decimals": 1, "compared": True}],
                "rows": [
                    {
                        "row": "ours",
                        "runs": 2,
                        "measures": {
                            "f1": {"mean": 81.26, "deviation": 0.5, "published_mean": 80.0, "mark": "above"}
                        },
                    },
                    {
                        "row": "theirs",
                        "runs": 0,
                        "published_only": True,
                        "measures": {"f1": {"published_mean": 79.0}},
                    },
                    {"row": "left out", "runs": 0, "measures": {"f1": {"published_mean": 78.0}}},
                ],
            }
        ],
        "plots": [
            {
                "title": "F1 by size",
                "parameter": "Size",
                "measure": "F1",
                "lines": [
                    {
                        "name": "ours",
                        "points": [[1, 70], [10, 80]],
                        "beside": [[10, "most"]],
                        "joined": True,
                        "deviations": [[1, 2.5], [10, 1.5]],
                    }
                ],
                "levels": {"theirs": 79.0},
                "parameter_scale": "log",
                "measure_scale": "linear",
                "diagonal": False,
            }
        ],
    }

    def test_published_and_own(self, page_of):
        page = page_of(self.content)
        assert table_after(page, "Table 1") == [
            ["ours", "2", "81.3 ±0.5 ↑80.0"],
            ["theirspublished only", "", "79.0"],
        ]
        assert page.facts()["Runs"] == "2 of 6; the others were not run"
        assert page.facts()["Time of all runs"] == "3 min"
        said = page.text("p")
        assert "Names in news." in said
        assert any("Other data than published. other sentences." in text for text in said)
        assert "↑ ↓ beyond a deviation" in said

    def test_plots(self, page_of):
        page = page_of(self.content)
        assert page.text("figcaption") == ["F1 by size"]
        assert {"ours", "theirs", "most", "Size", "F1"} <= set(page.text("text"))

    def test_with_no_more_than_figures(self, page_of):
        """As earlier versions wrote it."""
        row = {
            "row": "a",
            "runs": 1,
            "measures": {"f1": {"mean": 1.0, "difference": 0.5, "beyond_deviation": True}},
        }
        table = {"table": "t", "source": "S", "setting": "s", "rows": [row]}
        page = page_of({"experiment": "e", "complete": False, "tables": [table]})
        assert table_after(page, "t") == [["a", "1", "1.00 ↑"]]
        assert page.facts() == {"Complete": "no: it was interrupted"}


def test_texts_are_escaped(page_of):
    page = page_of(
        {
            "experiment": EVIL,
            "title": EVIL,
            "notes": [EVIL],
            "tables": [
                {
                    "table": EVIL,
                    "source": EVIL,
                    "setting": EVIL,
                    "rows": [{"row": EVIL, "runs": 1, "measures": {EVIL: {"mean": 1.0}}}],
                }
            ],
            "traces": {EVIL: {"examples": [1, 2], "mistakes": [0, 1], "seconds": [0.0, 0.1]}},
        },
        title=EVIL,
    )
    assert "<script" not in page.html
    assert page.html.count("</style>") == 1
    assert page.all("script") == []
    assert sum(EVIL in text for text in page.text()) >= 7
