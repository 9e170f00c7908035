"""A headless Chromium, driven through pipes: one page, what it says on its console, and what is on it."""

from __future__ import annotations

import itertools
import json
import os
import shutil
import subprocess

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
FLAGS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--remote-debugging-pipe",
]
COMPLAINTS = ("Runtime.consoleAPICalled", "Runtime.exceptionThrown", "Log.entryAdded")


class Browser:
    """Speaks the DevTools protocol: JSON between zero bytes, on the descriptors 3 and 4 of the browser."""

    def __init__(self, profile) -> None:
        theirs_in, self._out = os.pipe()
        self._in, theirs_out = os.pipe()
        command = [CHROMIUM, *FLAGS, f"--user-data-dir={profile}", "about:blank"]

        def place():
            # First out of the way: either may be 3 or 4 itself.
            high_in, high_out = os.dup2(theirs_in, 60), os.dup2(theirs_out, 61)
            os.dup2(high_in, 3)
            os.dup2(high_out, 4)

        self._process = subprocess.Popen(
            command, preexec_fn=place, close_fds=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        os.close(theirs_in)
        os.close(theirs_out)
        self._numbers = itertools.count(1)
        self._held = b""
        self.console: list[dict] = []
        self._session = None
        (target,) = (one for one in self.call("Target.getTargets")["targetInfos"] if one["type"] == "page")
        attached = self.call("Target.attachToTarget", targetId=target["targetId"], flatten=True)
        self._session = attached["sessionId"]
        for domain in ("Page", "Runtime", "Log"):
            self.call(f"{domain}.enable")

    def call(self, method, **params):
        number = next(self._numbers)
        message = {"id": number, "method": method, "params": params}
        if self._session:
            message["sessionId"] = self._session
        os.write(self._out, json.dumps(message).encode() + b"\0")
        while True:
            told = self._message()
            if told.get("id") == number:
                assert "error" not in told, (method, told)
                return told["result"]

    def _message(self):
        while b"\0" not in self._held:
            piece = os.read(self._in, 1 << 16)
            assert piece, "the browser has gone"
            self._held += piece
        message, _, self._held = self._held.partition(b"\0")
        told = json.loads(message)
        if told.get("method") in COMPLAINTS:
            self.console.append(told["params"])
        return told

    def run(self, script):
        """The value of an expression in the page, which may be a promise."""
        told = self.call("Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True)
        assert "exceptionDetails" not in told, told
        return told["result"].get("value")

    def open(self, url) -> None:
        self.call("Page.navigate", url=url)
        self.until("document.readyState === 'complete' && location.href !== 'about:blank'")

    def until(self, condition) -> None:
        """Waits until an expression is true, asked again and again."""
        waiting = f"""new Promise((resolve, reject) => {{
            const begin = Date.now();
            const look = () => ({condition}) ? resolve(true)
                : Date.now() - begin > 60000 ? reject(new Error("never")) : setTimeout(look, 20);
            look();
        }})"""
        assert self.run(waiting)

    def key(self, key, *, modifiers=0, code=0) -> None:
        for kind in ("keyDown", "keyUp"):
            self.call(
                "Input.dispatchKeyEvent",
                type=kind,
                key=key,
                code=key,
                modifiers=modifiers,
                windowsVirtualKeyCode=code,
            )

    def resize(self, width, dark=False) -> None:
        self.call(
            "Emulation.setDeviceMetricsOverride", width=width, height=800, deviceScaleFactor=1, mobile=False
        )
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.call("Emulation.setEmulatedMedia", features=[scheme])

    def close(self) -> None:
        self._process.kill()
        self._process.wait()
        os.close(self._out)
        os.close(self._in)
