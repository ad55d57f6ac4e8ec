"""A headless Chromium that tests drive over a pipe, in the words of its DevTools protocol.

A pipe instead of the usual port needs neither a WebSocket nor a network.
"""

from __future__ import annotations

import base64
import fcntl
import json
import os
import select
import shutil
import signal
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

NAMES = ("chromium", "chromium-browser", "google-chrome")
_FLAGS = (
    "--headless=new", "--remote-debugging-pipe", "--no-sandbox", "--disable-gpu",
    "--no-first-run", "--disable-extensions", "--disable-dev-shm-usage", "--hide-scrollbars",
)  # fmt: skip
_SECONDS = 60

# Every text with its contrast to what is behind it: the nearest background that is opaque.
CONTRAST = """(() => {
  const light = (color) => {
    const [r, g, b] = color.match(/[\\d.]+/g).map((part) => {
      const share = part / 255;
      return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const behind = (element) => {
    for (let each = element; each; each = each.parentElement) {
      const color = getComputedStyle(each).backgroundColor;
      if (!color.startsWith("rgba")) return color;
    }
    return "rgb(255, 255, 255)";
  };
  const low = [];
  for (const details of document.querySelectorAll("details")) details.open = true;
  for (const element of document.querySelectorAll("body *:not(script)")) {
    const own = [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim());
    if (!own || element.closest("svg title, svg desc")) continue;
    const style = getComputedStyle(element);
    const color = element.closest("svg") ? style.fill : style.color;
    const [a, b] = [light(color), light(behind(element))].sort((x, y) => y - x);
    const contrast = (a + 0.05) / (b + 0.05);
    if (contrast < 4.5) low.push([element.tagName, element.className, color, contrast]);
  }
  return low;
})()"""


def find_browser() -> str | None:
    """Return the path of a Chromium, or None."""
    return next((path for name in NAMES if (path := shutil.which(name))), None)


class Browser:
    """One browser with one page; `open`, then ask and act."""

    def __init__(self, program: str) -> None:
        self._profile = tempfile.TemporaryDirectory(prefix="tfgpu-browser-")
        ours_in, theirs_out = os.pipe()
        theirs_in, ours_out = os.pipe()
        # The browser wants them as 3 and 4, which may be taken here: out of the way first.
        theirs = [fcntl.fcntl(end, fcntl.F_DUPFD_CLOEXEC, 64) for end in (theirs_in, theirs_out)]
        null = os.open(os.devnull, os.O_RDWR)
        self._process = os.posix_spawn(
            program,
            [program, *_FLAGS, f"--user-data-dir={self._profile.name}", "about:blank"],
            {**os.environ, "HOME": self._profile.name},
            file_actions=[
                (os.POSIX_SPAWN_DUP2, null, 1),
                (os.POSIX_SPAWN_DUP2, null, 2),
                (os.POSIX_SPAWN_DUP2, theirs[0], 3),
                (os.POSIX_SPAWN_DUP2, theirs[1], 4),
            ],
            setpgroup=0,
        )
        for end in (theirs_in, theirs_out, *theirs, null):
            os.close(end)
        self._in, self._out = ours_in, ours_out
        self._rest = b""
        self._count = 0
        self.events: list[dict[str, Any]] = []
        target = self._call("Target.createTarget", {"url": "about:blank"}, None)["targetId"]
        attached = self._call("Target.attachToTarget", {"targetId": target, "flatten": True}, None)
        self._session = attached["sessionId"]
        for domain in ("Page", "Runtime", "Network", "Log"):
            self.call(f"{domain}.enable")

    def close(self) -> None:
        """End the browser and all its processes."""
        os.close(self._in)
        os.close(self._out)
        os.killpg(self._process, signal.SIGKILL)
        os.waitpid(self._process, 0)
        for _ in range(50):  # its helpers may still write into the profile
            shutil.rmtree(self._profile.name, ignore_errors=True)
            if not Path(self._profile.name).exists():
                break
            time.sleep(0.1)
        self._profile.cleanup()

    def call(self, method: str, **parameters: object) -> dict[str, Any]:
        """Call a method of the protocol on the page."""
        return self._call(method, parameters, self._session)

    def _call(
        self, method: str, parameters: Mapping[str, object], session: str | None
    ) -> dict[str, Any]:
        self._count += 1
        number = self._count
        message = {"id": number, "method": method, "params": parameters}
        if session:
            message["sessionId"] = session
        os.write(self._out, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._next()
            if answer.get("id") == number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']}")
                result: dict[str, Any] = answer["result"]
                return result
            self.events.append(answer)

    def _next(self) -> dict[str, Any]:
        while b"\0" not in self._rest:
            if not select.select([self._in], [], [], _SECONDS)[0]:
                raise RuntimeError("the browser does not answer")
            got = os.read(self._in, 1 << 20)
            if not got:
                raise RuntimeError("the browser ended")
            self._rest += got
        line, _, self._rest = self._rest.partition(b"\0")
        answer: dict[str, Any] = json.loads(line)
        return answer

    def wait(self, event: str) -> None:
        """Wait until an event has come since the page was opened."""
        while not any(seen.get("method") == event for seen in self.events):
            self.events.append(self._next())

    def open(self, page: Path, width: int = 1280, dark: bool = False, script: bool = True) -> None:
        """Open a file in a window of a width, in a colour scheme, with or without JavaScript."""
        self.call(
            "Emulation.setDeviceMetricsOverride",
            width=width, height=900, deviceScaleFactor=1, mobile=width < 500,
        )  # fmt: skip
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.call("Emulation.setEmulatedMedia", features=[scheme])
        self.call("Emulation.setScriptExecutionDisabled", value=not script)
        self.events.clear()
        self.call("Page.navigate", url=page.as_uri())
        self.wait("Page.loadEventFired")

    def ask(self, expression: str) -> Any:
        """Return the value of a JavaScript expression in the page."""
        answer = self.call(
            "Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True
        )
        if "exceptionDetails" in answer:
            raise RuntimeError(answer["exceptionDetails"])
        return answer["result"].get("value")

    def type(self, text: str) -> None:
        """Type into what has the focus, as a user does."""
        self.call("Input.insertText", text=text)

    def screenshot(self) -> bytes:
        """Return what the window shows as PNG."""
        made = self.call("Page.captureScreenshot")
        return base64.b64decode(made["data"])

    def requests(self) -> list[str]:
        """Return the addresses that the page asked for since it was opened."""
        return [
            event["params"]["request"]["url"]
            for event in self.events
            if event.get("method") == "Network.requestWillBeSent"
        ]

    def complaints(self) -> list[str]:
        """Return what the console holds: errors, refused styles and scripts."""
        return [
            str(event["params"])
            for event in self.events
            if event.get("method") in {"Runtime.exceptionThrown", "Log.entryAdded"}
        ]
