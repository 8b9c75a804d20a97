"""The `dev` command: previews a folder and renders it again after each change."""

from __future__ import annotations

import shutil
import signal
import tempfile
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from rich.console import Console

from docstead.accounts.site_hosts import is_loopback
from docstead.base.archives import ArchiveLimits
from docstead.base.errors import Conflict, DocsteadError
from docstead.base.features import DeploymentType, Features
from docstead.base.files import files_below
from docstead.cli.builders import command_builders
from docstead.cli.logs import configure_logging
from docstead.cli.offline import FolderExport
from docstead.cli.report import print_diagnostics
from docstead.cli.server import browser_url, check_port, run_server
from docstead.cli.source_trees import SourceTree
from docstead.content.diagnostics import Diagnostic
from docstead.export.cache import ExportCache
from docstead.export.options import ExportOptions
from docstead.export.writers import WriterProcesses
from docstead.hosting.bundle.application import BundleHosting
from docstead.hosting.bundle.config import HostConfig
from docstead.hosting.bundle.files import BundleFiles
from docstead.hosting.bundle.local_requests import LocalRequests
from docstead.hosting.bundle.preview import PreviewHosting, PreviewState
from docstead.hosting.bundle.site import BundleSite
from docstead.publishing.builders import Builder, BuilderPool
from docstead.publishing.folders import FileMemory, no_folder
from docstead.publishing.sources import DocumentationSource
from docstead.settings import Settings, load_settings

_LOOK_SECONDS, _LOOK_SHARE = 0.1, 0.1  # at most this share of the time is spent on looking
_PORTS_TRIED = 20
_PASSED_OVER = ("node_modules", ".git")
# Previewed pages may connect to the hosts of their playgrounds and embeds.
_CONNECT = ("https:", "http:", "wss:", "ws:")
_KIND = DeploymentType.CLIENT_HOSTED


def run(source: Path, *, host: str, port: int) -> None:
    if not source.is_dir():
        raise no_folder(source)
    settings = _free(host, port)
    configure_logging("warning")
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # for cleanup
    with (
        tempfile.TemporaryDirectory(prefix="docstead-dev-") as name,
        command_builders(settings, Path(name)) as builders,
    ):
        shown = ReadableState(source, Path(name), builders)
        shown.renew()
        watching = threading.Thread(target=shown.follow, daemon=True)
        app = PreviewHosting(
            BundleHosting(shown, shown.waiting), shown.preview, lambda: shown.is_over
        )
        served = LocalRequests(app) if is_loopback(settings.host) else app
        run_server(served, settings, lambda: _begin(settings, watching), shown.stop)
        shown.stop()
        watching.join()
        shown.close()


class ReadableState:
    """The last readable state of a folder."""

    def __init__(self, source: Path, folder: Path, builders: BuilderPool) -> None:
        self.number = 0
        self.site: BundleSite | None = None
        self._source = source
        self._folder = folder
        self._builders = builders
        self._memory = FileMemory()
        self._cache = ExportCache(folder / "cache", str(source))
        self._builder: tuple[object, Builder] | None = None
        self._state: object = None
        self._printed: frozenset[Diagnostic] = frozenset()
        self._error = ""  # why the folder cannot be read
        self._failures = 0
        self._stopped = threading.Event()

    def report(self) -> Mapping[str, Any]:
        return {"status": "ready" if self.site else "waiting", "number": self.number}

    def waiting(self) -> tuple[str, str]:
        """Return title and text of the page that is shown before the first readable state."""
        return "Nothing to preview yet", self._error

    def preview(self) -> PreviewState:
        """Return the state for open pages. Before the first site, the page itself is the error."""
        if self._error:
            return PreviewState(f"{self.number}-{self._failures}", self._error if self.site else "")
        return PreviewState(str(self.number))

    @property
    def is_over(self) -> bool:
        return self._stopped.is_set()

    def stop(self) -> None:
        self._stopped.set()

    def close(self) -> None:
        """End the builder."""
        if self._builder is not None:
            self._builder[1].close()
            self._builder = None

    def follow(self) -> None:
        """Render every change until the command is stopped."""
        pause = _LOOK_SECONDS
        while not self._stopped.wait(pause):
            begun = time.monotonic()
            state = _state(self._source)
            pause = max(_LOOK_SECONDS, (time.monotonic() - begun) / _LOOK_SHARE)
            if state != self._state:
                self.renew()

    def renew(self) -> None:
        self._state = _state(self._source)
        begun = time.monotonic()
        try:
            found = self._exported()
        except (DocsteadError, OSError) as error:  # files may disappear while they are read
            self._failures += 1
            self._error = str(error)
            _console().print(self._error, style="red", soft_wrap=True, markup=False)
            return
        self._report(found, time.monotonic() - begun)

    def _exported(self) -> tuple[Diagnostic, ...]:
        """Export the new version and return its diagnostics. The last folder is being served."""
        requested = DocumentationSource(str(self._source))
        settings = load_settings()
        output = self._folder / f"site-{self.number}"
        with tempfile.TemporaryDirectory(dir=self._folder) as name, WriterProcesses() as writers:
            exporting = FolderExport(
                self._builders, writers,
                SourceTree(requested, Path(name) / "sources", settings, self._memory),
                output,
                ExportOptions(base_path="", deployment_type=_KIND), (), self._cache, quiet=True,
                builder_of=self._kept_builder, on_written=lambda: self._show(output),
            )  # fmt: skip
            made = exporting.run(Path(name))
        self._builders.standby_worker.prepare()  # further changes are likely
        shutil.rmtree(self._folder / f"site-{self.number - 3}", ignore_errors=True)
        return made.diagnostics

    def _show(self, output: Path) -> None:
        self._error = ""
        self.number += 1
        self.site = BundleSite(BundleFiles(output, str(self.number)), _config())

    @contextmanager
    def _kept_builder(self, path: Path) -> Iterator[Builder]:
        """Yield the builder of the last change, which has parsed the files of the folder."""
        facts = path.stat()
        folder = path, facts.st_dev, facts.st_ino  # builders are confined to a folder, not a name
        if self._builder is None or self._builder[0] != folder:
            self.close()
            self._builder = folder, self._builders.start(path)
        yield self._builder[1]

    def _report(self, found: tuple[Diagnostic, ...], seconds: float) -> None:
        """Print new diagnostics."""
        print_diagnostics([each for each in found if each not in self._printed])
        self._printed = frozenset(found)
        _console().print(f"rendered in {seconds:.1f} s", style="dim")


def _state(folder: Path) -> object:
    """Return a value that changes with every file below the folder."""
    return frozenset(_files(folder))


def _files(folder: Path) -> Iterator[tuple[str, int, int]]:
    for path, entry in files_below(folder, skip=_PASSED_OVER, ignore_errors=True):
        with suppress(OSError):  # an editor's temporary file that is already gone
            found = entry.stat()
            yield path, found.st_mtime_ns, found.st_size


def _free(host: str, port: int) -> Settings:
    """Return settings with the first free port, beginning with `port`."""
    for number in range(port, port + _PORTS_TRIED):
        settings = load_settings(host=host, port=number)
        with suppress(Conflict):
            check_port(settings)
            return settings
    raise Conflict(f"--port: {port} to {port + _PORTS_TRIED - 1} are all taken")


def _config() -> HostConfig:
    return HostConfig(
        deployment_type=_KIND,
        features=Features.of(_KIND),
        bundle_url="",
        version=None,
        sha256=None,
        allowed_networks=(),
        limits=ArchiveLimits(),
        base_path="",
        connect=_CONNECT,
    )


def _begin(settings: Settings, watching: threading.Thread) -> None:
    watching.start()
    _console().print(
        f"Preview: [bold]{browser_url(settings, 'dev')}[/bold] (reloads on change; Ctrl-C to stop)"
    )


def _console() -> Console:
    return Console(stderr=True, highlight=False)
