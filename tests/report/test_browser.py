"""The page in a real browser: no complaint, figures to be seen, nothing wider than a phone."""

from __future__ import annotations

import html
import json
import re
import shutil
import subprocess

import pytest

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="no chromium to look at the page with")

QUIET = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
# Shows the page in frames as wide as a phone and a desktop, and says what it finds there.
PROBE = """<!DOCTYPE html><title>probe</title>
<iframe src="page.html" width="375" height="700"></iframe>
<iframe src="page.html" width="1200" height="900"></iframe>
<pre id="found"></pre>
<script>
window.onload = () => {
  const found = [...document.querySelectorAll("iframe")].map(frame => {
    const page = frame.contentDocument, root = page.documentElement;
    const width = frame.contentWindow.innerWidth;
    return {
      width,
      content: root.scrollWidth,
      shown: page.body.innerText.length,
      drawings: [...page.querySelectorAll(".drawing svg")].map(svg => {
        const box = svg.getBoundingClientRect();
        return [box.width, box.height];
      }),
      beyond: [...page.querySelectorAll("section, figure, h1, h2, p, dl, .scroll")]
        .filter(one => one.getBoundingClientRect().right > width + 0.5).map(one => one.outerHTML.slice(0, 80)),
      ink: getComputedStyle(page.body).color,
    };
  });
  document.getElementById("found").textContent = JSON.stringify(found);
};
</script>
"""


def browse(folder, *flags):
    """What the probe found, and what the console said."""
    command = [
        CHROMIUM,
        *QUIET,
        *flags,
        "--allow-file-access-from-files",
        "--enable-logging=stderr",
        "--virtual-time-budget=5000",
        f"--user-data-dir={folder / 'profile'}",
        "--dump-dom",
        (folder / "probe.html").as_uri(),
    ]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=True)
    found = re.search(r'<pre id="found">(.*?)</pre>', done.stdout, re.DOTALL)
    assert found, done.stdout[-2000:]
    return json.loads(html.unescape(found[1])), [
        line for line in done.stderr.splitlines() if "CONSOLE" in line
    ]


@pytest.mark.parametrize("colours", ["light", "dark"])
def test_page(tmp_path, full_page, colours):
    (tmp_path / "page.html").write_text(full_page, encoding="utf-8")
    (tmp_path / "probe.html").write_text(PROBE, encoding="utf-8")
    scheme = {"dark": 0, "light": 1}[colours]
    found, console = browse(tmp_path, f"--blink-settings=preferredColorScheme={scheme}")
    assert console == []
    assert [frame["width"] for frame in found] == [375, 1200]
    for frame in found:
        assert frame["content"] <= frame["width"]
        assert frame["beyond"] == []
        assert frame["shown"] > 1000
        assert len(frame["drawings"]) == full_page.count('class="drawing"') > 10
        assert all(width > 20 and height > 20 for width, height in frame["drawings"])
        brightness = sum(map(int, re.findall(r"\d+", frame["ink"])[:3]))
        assert (brightness > 500) == (colours == "dark")


def test_probe_notices(tmp_path):
    """The looking itself: a page that is too wide and complains is found out."""
    wide = '<body><section style="width: 900px">wide</section><script>console.error("oh")</script></body>'
    (tmp_path / "page.html").write_text(wide, encoding="utf-8")
    (tmp_path / "probe.html").write_text(PROBE, encoding="utf-8")
    (phone, desktop), console = browse(tmp_path)
    assert console
    assert phone["content"] > 375
    assert phone["beyond"]
    assert desktop["beyond"] == []


def test_paper(tmp_path, full_page):
    (tmp_path / "page.html").write_text(full_page, encoding="utf-8")
    command = [
        CHROMIUM,
        *QUIET,
        f"--user-data-dir={tmp_path / 'profile'}",
        f"--print-to-pdf={tmp_path / 'page.pdf'}",
    ]
    subprocess.run(
        [*command, (tmp_path / "page.html").as_uri()], capture_output=True, timeout=300, check=True
    )
    assert (tmp_path / "page.pdf").read_bytes().startswith(b"%PDF")
