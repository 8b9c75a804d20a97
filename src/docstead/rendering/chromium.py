"""Headless Chromium that prints documents and takes screenshots, in isolation.

Requests are intercepted and answered from memory. Chromium resolves no names, has a temporary
profile and no environment, and is killed with its children.
"""

from __future__ import annotations

import base64
import math
import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self

from docstead.base.errors import InvalidRequest
from docstead.base.sandbox import SandboxFailed, SandboxMode
from docstead.base.texts import counted
from docstead.rendering.devtools import BrowserGone, DevTools, Event

#: Origin of everything that a document refers to; `.invalid` is reserved (RFC 2606).
ORIGIN = "http://docstead.invalid"

_NAMES = ("chromium", "chromium-browser", "google-chrome-stable", "google-chrome", "chrome")
_ARGUMENTS = (
    "--headless",
    "--remote-debugging-pipe",
    "--host-resolver-rules=MAP * ~NOTFOUND",
    "--no-proxy-server",
    "--no-first-run",
    "--no-default-browser-check",
    "--disable-gpu",
    "--disable-back-forward-cache",
    "--disable-dev-shm-usage",
    "--disable-extensions",
    "--disable-sync",
    "--disable-breakpad",
    "--disable-component-update",
    "--disable-background-networking",
    "--disable-domain-reliability",
    "--force-color-profile=srgb",
    "about:blank",
)
# Chromium reads commands from descriptor 3 and writes to 4.
_ON_PIPES = ("/bin/sh", "-c", 'exec "$@" 3<&0 4>&1 </dev/null >/dev/null', "chromium")
_START_SECONDS = 120
_POLL_SECONDS = 0.01
# With animations, components that wait for their script start collapsed.
_MEDIA_FEATURES = (
    {"name": "prefers-color-scheme", "value": "light"},
    {"name": "prefers-reduced-motion", "value": "reduce"},
)
_LARGEST_FILE = 64 << 20  # bytes; Chromium accepts messages of up to 100 MiB
_DOCUMENT = f"{ORIGIN}/document.html"
# Elements of a document with these names would shadow its properties.
_PROPERTY = "Object.getOwnPropertyDescriptor(Document.prototype, '{}').get.call(document)"
_IS_LOADED = f"{_PROPERTY.format('readyState')} === 'complete'"
_FONTS = f"{_PROPERTY.format('fonts')}.ready"
_PAGE_HEIGHT = f"{_PROPERTY.format('documentElement')}.scrollHeight"
_QUALITIES = (80, 50, 20)  # JPEG qualities to try
_NO_SCRIPTS = "default-src 'none'; img-src 'self' data:; font-src 'self' data:"
_STYLES = "style-src 'self' 'unsafe-inline'"


class ChromiumMissing(InvalidRequest):
    """No Chromium was found. Install Chromium or Chrome, or set `chromium` to its path."""


def find_chromium(path: Path | None = None) -> Path:
    """Return the program at `path`, or the first one on the PATH.

    Raises:
        ChromiumMissing: it is not installed.
    """
    if path is not None:
        if os.access(path, os.X_OK) and path.is_file():
            return path
        raise ChromiumMissing(f"the setting `chromium` names {path}, which is not a program")
    found = next(filter(None, map(shutil.which, _NAMES)), None)
    if found is None:
        raise ChromiumMissing
    return Path(found)


@dataclass(frozen=True, slots=True)
class OfflineDocument:
    """A document to print or capture.

    `files` returns contents and media type of a path below `ORIGIN`. `scripts` are the only paths
    whose scripts run; Chromium waits until the expression `until` is true.
    """

    html: str
    files: Callable[[str], tuple[bytes, str] | None] = lambda _: None
    scripts: tuple[str, ...] = field(default=())
    until: str = "true"

    @property
    def policy(self) -> str:
        """Return the document's Content-Security-Policy."""
        sources = " ".join(f"{ORIGIN}/{path}" for path in self.scripts)
        scripts = (f"script-src {sources}",) if sources else ()
        return "; ".join((_NO_SCRIPTS, _STYLES, *scripts))


@dataclass(frozen=True, slots=True)
class PageScreenshot:
    """Screenshot of a part of a page as JPEG. `parts` is the number of parts."""

    data: bytes
    parts: int


class ChromiumBrowser:
    """A running browser. `seconds` is the time limit per document."""

    def __init__(self, program: Path, *, sandbox: SandboxMode, seconds: float) -> None:
        self._program = program
        self._mode = sandbox
        self._seconds = seconds
        self._profile = tempfile.TemporaryDirectory(
            prefix="docstead-chromium-",
            ignore_cleanup_errors=True,  # a child may still be exiting
        )
        self._process: subprocess.Popen[bytes] | None = None
        self._has_opened = False

    def print(self, job: OfflineDocument) -> bytes:
        """Print a document and return the PDF; a browser that has ended is restarted.

        Raises:
            BrowserGone: Chromium ended or exceeded the deadline; the next call starts a new one.
        """
        with self._running():
            return self._printed(job)

    def photograph(
        self, document: OfflineDocument, part: int, size: tuple[int, int], most_bytes: int
    ) -> PageScreenshot:
        """Return a screenshot of a part, numbered from 1, in a window of this size.

        Raises:
            InvalidRequest: the document has no such part.
            BrowserGone: as for `print`.
        """
        with self._running():
            return self._photographed(document, part, size, most_bytes)

    @contextmanager
    def _running(self) -> Iterator[None]:
        try:
            if self._process is None:
                self._start()
            yield
        except BrowserGone:
            self._stop()
            raise

    @property
    def is_running(self) -> bool:
        """Report whether a browser is waiting for a document."""
        return self._process is not None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._stop()
        self._profile.cleanup()

    def _start(self) -> None:
        """Start the browser, with Chromium's own sandbox if machine and user allow it."""
        if self._mode is not SandboxMode.OFF and os.geteuid():
            try:
                return self._launch()
            except BrowserGone:
                self._stop()
        if self._mode is SandboxMode.REQUIRED:
            raise SandboxFailed(
                "the setting `sandbox` is `required`, and Chromium starts no sandbox here: use a "
                "user other than root, and a machine with user namespaces"
            )
        return self._launch("--no-sandbox")

    def _launch(self, *arguments: str) -> None:
        profile = self._profile.name
        self._process = subprocess.Popen(
            (*_ON_PIPES, str(self._program), f"--user-data-dir={profile}", *arguments, *_ARGUMENTS),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            cwd=profile,
            # Relative: the path of its socket in there may have 107 characters.
            env={"HOME": profile, "TMPDIR": ".", "PATH": os.defpath, "LANG": "C.UTF-8"},
            start_new_session=True,
        )
        assert self._process.stdin  # noqa: S101 - both are pipes
        assert self._process.stdout  # noqa: S101
        self._devtools = DevTools(self._process.stdin.fileno(), self._process.stdout.fileno())
        self._devtools.deadline = time.monotonic() + _START_SECONDS
        target = self._devtools.call("Target.createTarget", url="about:blank")["targetId"]
        attached = self._devtools.call("Target.attachToTarget", targetId=target, flatten=True)
        self._session = str(attached["sessionId"])
        self._call("Page.enable")
        self._call("Fetch.enable", patterns=[{"urlPattern": "*"}])

    def _printed(self, job: OfflineDocument) -> bytes:
        self._open(job, "print")
        pdf = self._call(
            "Page.printToPDF", preferCSSPageSize=True, printBackground=True, generateTaggedPDF=True
        )
        return base64.b64decode(pdf["data"])

    def _photographed(
        self, document: OfflineDocument, part: int, size: tuple[int, int], most_bytes: int
    ) -> PageScreenshot:
        width, height = size
        window = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
        self._open(document, "screen")
        self._call("Emulation.setDeviceMetricsOverride", **window)
        self._call("Emulation.setScrollbarsHidden", hidden=True)
        parts = max(1, math.ceil(self._evaluate(_PAGE_HEIGHT) / height))
        if part > parts:
            raise InvalidRequest(f"the page has {counted(parts, 'part')}")
        self._evaluate(f"window.scrollTo(0, {(part - 1) * height})")
        for quality in _QUALITIES:
            shot = self._call("Page.captureScreenshot", format="jpeg", quality=quality)
            data = base64.b64decode(shot["data"])
            if len(data) <= most_bytes:
                return PageScreenshot(data, parts)
        raise InvalidRequest(f"the picture is larger than {most_bytes:,} bytes")

    def _open(self, job: OfflineDocument, media: str) -> None:
        """Load a document with its fonts."""
        self._devtools.deadline = time.monotonic() + self._seconds
        self._has_opened = False
        self._devtools.on_event = lambda event: self._answer(event, job)
        self._call("Emulation.setEmulatedMedia", media=media, features=_MEDIA_FEATURES)
        self._call("Emulation.setScriptExecutionDisabled", value=not job.scripts)
        if error := self._call("Page.navigate", url=_DOCUMENT).get("errorText"):
            raise BrowserGone(f"Chromium could not open a document: {error}")
        # Events may overtake responses to commands, and disabled scripts receive none.
        self._wait_until(_IS_LOADED)
        self._evaluate(_FONTS)
        self._wait_until(job.until)

    def _wait_until(self, expression: str) -> None:
        while not self._evaluate(expression):
            time.sleep(_POLL_SECONDS)

    def _evaluate(self, expression: str) -> Any:
        options = {"expression": expression, "awaitPromise": True}
        return self._call("Runtime.evaluate", **options)["result"].get("value")

    def _call(self, method: str, **params: Any) -> Any:
        return self._devtools.call(method, self._session, **params)

    def _answer(self, event: Event, job: OfflineDocument) -> None:
        """Answer a request of the document from memory; others fail."""
        if event["method"] != "Fetch.requestPaused":
            return
        request = event["params"]["requestId"]
        is_navigation = event["params"]["resourceType"] == "Document"
        if is_navigation and self._has_opened:
            # The document stays, also one that refreshes itself.
            self._send("Fetch.failRequest", requestId=request, errorReason="Aborted")
            return
        self._has_opened = self._has_opened or is_navigation
        found = _response(event["params"]["request"]["url"], job)
        if found is None:
            self._send("Fetch.failRequest", requestId=request, errorReason="BlockedByClient")
            return
        body, headers = found
        self._send(
            "Fetch.fulfillRequest",
            requestId=request,
            responseCode=200,
            responseHeaders=[{"name": name, "value": value} for name, value in headers.items()],
            body=base64.b64encode(body).decode(),
        )

    def _send(self, method: str, **params: Any) -> None:
        self._devtools.send(method, self._session, **params)

    def _stop(self) -> None:
        """Kill the browser and its children, which share a process group."""
        if self._process is None:
            return
        process, self._process = self._process, None
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.communicate()


def _response(url: str, job: OfflineDocument) -> tuple[bytes, Mapping[str, str]] | None:
    if url == _DOCUMENT:
        return _awaiting_fonts(job.html.encode()), {
            "Content-Type": "text/html; charset=utf-8",
            "Content-Security-Policy": job.policy,
            "X-DNS-Prefetch-Control": "off",
        }
    if not url.startswith(f"{ORIGIN}/"):
        return None
    found = job.files(url.removeprefix(f"{ORIGIN}/"))
    if found is None or len(found[0]) > _LARGEST_FILE:
        return None
    is_style = found[1].startswith("text/css")
    body = _awaiting_fonts(found[0]) if is_style else found[0]
    return body, {"Content-Type": found[1], "X-Content-Type-Options": "nosniff"}


def _awaiting_fonts(data: bytes) -> bytes:
    """Use fonts however late they come. On a busy machine, optional ones would be left out."""
    return data.replace(b"font-display:optional", b"font-display:block")
