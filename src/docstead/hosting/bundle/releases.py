"""Unpacked bundles on disk: the live release, the previous one, and the state file.

    state.json          live and previous release, and the source of each
    b-<sha256>/         files of a bundle; complete as soon as the folder has this name
    .new-…/             an incomplete one, removed at the next start

Failure rule: if the process dies, the live bundle stays live. `state.json` is replaced atomically,
after everything that it names is on disk.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import msgspec

from docstead.base.decoders import json_decoder
from docstead.base.errors import Conflict

_STATE = "state.json"
_NEW = ".new-"
_RELEASE = "b-"
_NAME_LENGTH = 32


class BundleRelease(msgspec.Struct, frozen=True, rename="camel"):
    """A bundle that is or was live. `source` identifies the configuration that it came from."""

    name: str
    sha256: str  # of the archive
    source: str
    etag: str | None = None
    version: str | None = None
    live_since: str = ""


class ReleaseState(msgspec.Struct, frozen=True, rename="camel"):
    """Live and previous release.

    `passed_over` is the source that was live before a rollback, and `left` its bundle: neither is
    installed again by polling or a further rollback.
    """

    live: BundleRelease | None = None
    previous: BundleRelease | None = None
    passed_over: str | None = None
    left: str | None = None  # the name of a release


_STATE_DECODER = json_decoder(ReleaseState)


@dataclass(frozen=True, slots=True)
class DownloadFolder:
    """Temporary location where a bundle is downloaded and unpacked."""

    archive: Path
    files: Path


class ReleaseStore:
    """Bundles in the folder `root`, which only one process may use at a time."""

    def __init__(self, root: Path) -> None:
        self._root = root

    def clean(self) -> None:
        """Create the folder, and remove incomplete files of an interrupted process."""
        self._root.mkdir(parents=True, exist_ok=True)
        state = self.state()
        kept = {release.name for release in (state.live, state.previous) if release}
        for entry in self._root.iterdir():
            if entry.name.startswith((_NEW, _RELEASE)) and entry.name not in kept:
                shutil.rmtree(entry, ignore_errors=True)

    def state(self) -> ReleaseState:
        """Return the stored state, or an empty one if it is missing or unreadable."""
        try:
            state = _STATE_DECODER.decode((self._root / _STATE).read_bytes())
        except (OSError, msgspec.DecodeError):
            return ReleaseState()
        if state.live is not None and not self.folder(state.live).is_dir():
            return ReleaseState()
        return state

    def folder(self, release: BundleRelease) -> Path:
        return self._root / release.name

    @contextmanager
    def workplace(self) -> Iterator[DownloadFolder]:
        """Yield a temporary folder, which is removed unless `add` has moved its files."""
        folder = Path(tempfile.mkdtemp(prefix=_NEW, dir=self._root))
        try:
            files = folder / "files"
            files.mkdir()
            yield DownloadFolder(folder / "archive", files)
        finally:
            shutil.rmtree(folder, ignore_errors=True)

    def add(self, files: Path, sha256: str) -> str:
        """Move the files of an archive into the store and return the release's name."""
        name = f"{_RELEASE}{sha256[:_NAME_LENGTH]}"
        target = self._root / name
        if target.is_dir():
            shutil.rmtree(target)
        os.sync()  # the name must not become durable before the files
        files.chmod(0o755)
        files.rename(target)
        return name

    def make_live(self, release: BundleRelease) -> ReleaseState:
        """Make the release live and keep the live one as the previous release."""
        before = self.state()
        is_same = before.live is not None and before.live.name == release.name
        previous = before.previous if is_same else before.live
        state = ReleaseState(release, previous)
        self._write(state)
        self.clean()
        return state

    def rollback(self, source: str | None) -> ReleaseState:
        """Make the previous release live; `source` is not installed again until it changes.

        Raises:
            Conflict: there is no previous release.
        """
        state = self.state()
        if state.live is None or state.previous is None or not self.folder(state.previous).is_dir():
            raise Conflict("there is no previous bundle to roll back to")
        if state.previous.name == state.left:
            raise Conflict(
                "there is no bundle before the live one. To serve the newer one again, send SIGHUP "
                "to `docstead host`"
            )
        turned = ReleaseState(state.previous, state.live, source, state.live.name)
        self._write(turned)
        return turned

    def _write(self, state: ReleaseState) -> None:
        partial = self._root / f"{_STATE}.new"
        with partial.open("wb") as file:
            file.write(msgspec.json.encode(state))
            file.flush()
            os.fsync(file.fileno())
        partial.replace(self._root / _STATE)
