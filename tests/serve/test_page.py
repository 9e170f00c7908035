"""The page: what it says, that all is escaped, and the whole journey in a browser."""

from __future__ import annotations

import base64
import os
import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

from hedgerow.serve.app import App
from tests.serve.browser import CHROMIUM, Browser
from tests.serve.services import (
    Process,
    call,
    closed,
    opened,
    text_model,
    tree_model,
    vector_model,
    vectors,
)

EVIL = "<script>alert(1)</script>\"'&<b>"


@pytest.fixture
def app(tmp_path):
    service = opened([text_model(tmp_path / "mail.model")], tmp_path / "data")
    yield App(service)
    closed(service)


class Seen(HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.tags, self.words = [], []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        self.tags.append((tag, dict(attributes)))

    def handle_data(self, data):
        self.words.append(data)


def give(app, example, label, key):
    (one,) = call(app, "POST", "/predict", {"examples": [example]}).json["predictions"]
    body = {"feedback": [{"key": key, "id": one["id"], "label": label}]}
    assert call(app, "POST", "/feedback?wait=position", body).status == 200


def test_what_others_wrote_is_escaped(app):
    for label in ("ham", "spam"):
        give(app, EVIL, label, f"{EVIL}{label}")
    for path in ("/", "/?search=%3Cscript%3E", "/?search=%22%3E%3Cb%3E", "/report"):
        reply = call(app, "GET", path)
        assert reply.status == 200
        seen = Seen(reply.content.decode())
        assert "script-src 'self'" in reply.headers["content-security-policy"] or path == "/report"
        assert [one for tag, one in seen.tags if tag == "script"] in (
            [{"src": "/page.js", "defer": None}],
            [],
        )
        assert not any(tag == "b" for tag, _ in seen.tags)
        assert not any(name.startswith("on") for _, attributes in seen.tags for name in attributes)
    assert EVIL in "".join(Seen(call(app, "GET", "/").content.decode()).words)


def test_nothing_from_elsewhere(app):
    for path in ("/", "/page.css", "/page.js"):
        reply = call(app, "GET", path)
        assert reply.status == 200
        assert not re.search(rb"https?://", reply.content)


def test_history_and_mistakes(app):
    for i in range(25):
        give(app, f"message {i} cheap pens", "ham" if i % 2 else "spam", f"k{i}")
    text = call(app, "GET", "/").content.decode()
    assert "message 24" in text
    assert "message 3 " not in text.partition('id="history"')[2]
    older = re.search(r'href="(\?[^"]*before=[^"]*)">Older', text)[1].replace("&amp;", "&")
    assert "message 3 " in call(app, "GET", f"/{older}").content.decode().partition('id="history"')[2]
    found = call(app, "GET", "/?search=message+7+").content.decode().partition('id="history"')[2]
    assert "message 7 " in found
    assert "message 8 " not in found
    assert 'class="wrong"' in text.partition('id="mistakes"')[2]


def test_several_models(tmp_path):
    service = opened(
        [vector_model(tmp_path / "ab.model"), tree_model(tmp_path / "t.model")], tmp_path / "data"
    )
    app = App(service)
    assert b'href="/models/ab/"' in call(app, "GET", "/").content
    assert b'data-base="/models/ab"' in call(app, "GET", "/models/ab/").content
    assert call(app, "GET", "/models/zz/").status == 404
    closed(service)


# -- in a browser -------------------------------------------------------------------------------------------

browsing = pytest.mark.skipif(CHROMIUM is None, reason="no chromium to look at the page with")


@pytest.fixture
def browser(tmp_path):
    browser = Browser(tmp_path / "profile")
    yield browser
    browser.close()


def picture(browser, name):
    """For those who want to see it: HEDGEROW_PICTURES names a folder."""
    if folder := os.environ.get("HEDGEROW_PICTURES"):
        shot = browser.call("Page.captureScreenshot", captureBeyondViewport=True)
        Path(folder, f"{name}.png").write_bytes(base64.b64decode(shot["data"]))


@browsing
def test_the_journey(tmp_path, browser):
    """Type an example, see what decided, correct it with one click, see the figures move; by keyboard, on a phone."""
    with Process(text_model(tmp_path / "mail.model"), "--data", tmp_path / "data") as process:
        browser.resize(375)
        browser.open(process.url + "/")
        browser.run("document.getElementById('example').focus()")
        browser.call("Input.insertText", text="cheap lunch " + EVIL)
        browser.key("Enter", modifiers=2, code=13)
        browser.until("document.querySelector('.answer')")
        assert browser.run("document.querySelector('.answer').textContent") in ("ham", "spam")
        assert "cheap" in browser.run("document.getElementById('answer').textContent")
        assert browser.run("document.activeElement.id") == "answer"
        wrong = browser.run("document.querySelector('.answer').textContent === 'ham' ? 'spam' : 'ham'")
        assert browser.run("document.getElementById('position').textContent") == "0"
        browser.run(f"document.querySelector('.choices button[value={wrong}]').click()")
        browser.until("document.getElementById('learned')")
        browser.until("document.getElementById('position').textContent === '1'")
        browser.until("document.querySelector('#mistakes td.wrong')")
        assert EVIL in browser.run("document.querySelector('#history .example').textContent")
        picture(browser, "phone")
        # By keyboard alone: everything that can be used is reached, in the order of the page.
        browser.open(process.url + "/?")
        reached = []
        for _ in range(12):
            browser.key("Tab", code=9)
            reached.append(
                browser.run("document.activeElement.id || document.activeElement.textContent.trim()")
            )
        assert reached.index("example") < reached.index("Predict") < reached.index("search")
        # What is wrong is said, in a live region.
        browser.run("document.getElementById('example').value = 'x'.repeat(1100000)")
        browser.run("document.getElementById('ask').requestSubmit()")
        browser.until("document.getElementById('problem').textContent.includes('bytes')")
        assert [
            one for one in browser.console if "413" not in str(one)
        ] == []  # which the network panel notes
        browser.console.clear()
        for width, dark in ((375, False), (375, True), (1200, False), (1200, True)):
            browser.resize(width, dark)
            browser.open(process.url + "/?search=cheap")
            assert browser.run("document.documentElement.scrollWidth") <= width
            ink = browser.run("getComputedStyle(document.body).color")
            assert (sum(map(int, re.findall(r"\d+", ink)[:3])) > 500) == dark
            picture(browser, f"{width}-{'dark' if dark else 'light'}")
        unnamed = """[...document.querySelectorAll('input, textarea, button, a, svg')].filter(
            one => !(one.labels?.length || one.textContent.trim() || one.ariaLabel)).length"""
        assert browser.run(unnamed) == 0
        assert browser.console == []
        process.stop()


@browsing
@pytest.mark.slow
def test_vectors_and_a_curve(tmp_path, browser):
    with Process(vector_model(tmp_path / "ab.model"), "--data", tmp_path / "data") as process:
        from hedgerow.serve import Client

        client = Client(process.url)
        for x, label in vectors(1, 200):
            client.feedback(label, id=client.predict(x)["id"])
        browser.resize(1200)
        browser.open(process.url + "/")
        browser.until("document.querySelector('#curve polyline')")
        browser.run("document.getElementById('example').value = '[0.1, 0.9'")
        browser.run("document.getElementById('ask').requestSubmit()")
        browser.until("document.getElementById('problem').textContent.includes('not JSON')")
        browser.run("document.getElementById('example').value = '[0.1, 0.9]'")
        browser.run("document.getElementById('ask').requestSubmit()")
        browser.until("document.querySelector('.answer')?.textContent === 'b'")
        picture(browser, "vectors")
        assert browser.console == []
        process.stop()
