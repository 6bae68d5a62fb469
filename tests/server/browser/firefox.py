"""Debian's Firefox, driven by WebDriver BiDi: the protocol that it speaks by itself, over one socket."""

from __future__ import annotations

import json
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from websockets.sync.client import ClientConnection, connect

PATIENCE = 60.0
"""Seconds, far more than anything takes."""
PREFERENCES = {
    "app.normandy.enabled": False,
    "app.update.disabledForTesting": True,
    "browser.aboutwelcome.enabled": False,
    "browser.safebrowsing.malware.enabled": False,
    "browser.shell.checkDefaultBrowser": False,
    "datareporting.policy.dataSubmissionEnabled": False,
    "extensions.getAddons.cache.enabled": False,
    "network.captive-portal-service.enabled": False,
    "network.connectivity-service.enabled": False,
    "services.settings.server": "data:,",
    "ui.prefersReducedMotion": 1,
}
"""It asks nobody for anything, and nothing moves."""


class FirefoxError(Exception):
    """What Firefox refused."""


class Firefox:
    """One window."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket
        self.sent = 0
        self.call("session.new", capabilities={})
        self.context = self.call("browsingContext.getTree")["contexts"][0]["context"]

    def call(self, method: str, **params: Any) -> dict[str, Any]:
        self.sent += 1
        self.socket.send(json.dumps({"id": self.sent, "method": method, "params": params}))
        while True:
            told = json.loads(self.socket.recv(timeout=PATIENCE))
            if told.get("id") != self.sent:
                continue  # an event
            if told["type"] == "error":
                raise FirefoxError(f"{method}: {told['message']}")
            result: dict[str, Any] = told["result"]
            return result

    def resize(self, width: int, height: int) -> None:
        self.call("browsingContext.setViewport", context=self.context, viewport={"width": width, "height": height})

    def go(self, address: str) -> None:
        self.call("browsingContext.navigate", context=self.context, url=address, wait="complete")

    def evaluate(self, expression: str) -> Any:
        """The value of an expression, by way of JSON."""
        told = self.call(
            "script.evaluate",
            expression=f"(async () => JSON.stringify(await ({expression})) ?? 'null')()",
            target={"context": self.context},
            awaitPromise=True,
        )
        if told["type"] == "exception":
            raise FirefoxError(f"{expression}: {told['exceptionDetails']['text']}")
        return json.loads(told["result"]["value"])

    def wait_for(self, expression: str) -> Any:
        """Until an expression is true."""
        end = time.monotonic() + PATIENCE
        while not (found := self.evaluate(expression)):
            if time.monotonic() > end:
                raise FirefoxError(f"this never came true: {expression}")
            time.sleep(0.05)
        return found

    def click(self, selector: str, number: int = 0) -> None:
        """A real click into the middle of an element that is seen."""
        element = (
            f"[...document.querySelectorAll({json.dumps(selector)})].filter(each => each.checkVisibility())[{number}]"
        )
        self.wait_for(f"{element} !== undefined")
        self.evaluate(f"{element}.scrollIntoView({{block: 'nearest'}})")
        at = self.evaluate(
            f"(box => ({{x: box.x + box.width / 2, y: box.y + box.height / 2}}))({element}.getBoundingClientRect())"
        )
        self.click_at(at["x"], at["y"])

    def click_at(self, x: float, y: float) -> None:
        actions = [
            {"type": "pointerMove", "x": round(x), "y": round(y)},
            {"type": "pointerDown", "button": 0},
            {"type": "pointerUp", "button": 0},
        ]
        self._perform({"type": "pointer", "id": "mouse", "actions": actions})

    def press(self, key: str) -> None:
        self._perform(
            {"type": "key", "id": "keys", "actions": [{"type": how, "value": key} for how in ("keyDown", "keyUp")]}
        )

    def _perform(self, source: dict[str, Any]) -> None:
        self.call("input.performActions", context=self.context, actions=[source])


@contextmanager
def started() -> Iterator[Firefox]:
    """Firefox without a screen and with a profile of its own; FirefoxError if there is none, or it does not start."""
    found = shutil.which("firefox-esr") or shutil.which("firefox")
    if found is None:
        raise FirefoxError("no Firefox on the path")
    with tempfile.TemporaryDirectory() as profile:
        lines = (f"user_pref({json.dumps(name)}, {json.dumps(value)});" for name, value in PREFERENCES.items())
        (Path(profile) / "user.js").write_text("\n".join(lines), encoding="utf-8")
        command = [
            found,
            "--headless",
            "--no-remote",
            "--remote-debugging-port",
            "0",
            "--profile",
            profile,
            "about:blank",
        ]
        with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) as process:
            try:
                assert process.stderr is not None
                address = next((line.split()[-1] for line in process.stderr if "BiDi listening" in line), None)
                if address is None:
                    raise FirefoxError(f"{found} did not say where it listens")
                with connect(f"{address}/session", max_size=None, proxy=None) as socket:
                    yield Firefox(socket)
            finally:
                process.terminate()
