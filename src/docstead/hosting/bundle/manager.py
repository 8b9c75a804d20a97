"""Keeps the configured bundle live.

Failure rule: if a configuration or a bundle is unusable, the live bundle stays live and `report`
shows the error. Temporary failures are retried with increasing delays. Errors in an archive are
not retried before the configuration changes or `reload` is called.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from time import monotonic
from typing import Any

from docstead.base.errors import DocsteadError, Unavailable
from docstead.hosting.bundle.config import HostConfig, read_config
from docstead.hosting.bundle.files import BundleFiles
from docstead.hosting.bundle.installing import Installer, check_bundle
from docstead.hosting.bundle.releases import BundleRelease, ReleaseStore
from docstead.hosting.bundle.site import BundleSite

_log = logging.getLogger(__name__)
_POLL_SECONDS = 1.0
_RETRY_SECONDS, _RETRY_AT_MOST_SECONDS = 15.0, 600.0


@dataclass(frozen=True, slots=True)
class _LiveBundle:
    release: BundleRelease
    site: BundleSite


class BundleManager:
    """Watches one configuration file in its own thread.

    After `start` it serves the previously live bundle until a newer one is ready.
    """

    def __init__(
        self,
        config_path: Path,
        releases: ReleaseStore,
        installer: Installer,
        *,
        poll_seconds: float = _POLL_SECONDS,
        retry_seconds: float = _RETRY_SECONDS,
    ) -> None:
        self._path = config_path
        self._releases = releases
        self._installer = installer
        self._poll_seconds = poll_seconds
        self._retry_seconds = retry_seconds
        self._config = read_config(config_path)
        self._live: _LiveBundle | None = None
        self._announce: Callable[[], object] | None = None
        self._announcing = threading.Lock()
        self._error: str | None = None
        self._retry_at: float | None = None
        self._pause_seconds = retry_seconds
        self._forced = False
        self._woken = threading.Event()
        self._stopped = False
        self._thread = threading.Thread(
            target=self._poll_repeatedly, name="bundle-manager", daemon=True
        )

    @property
    def site(self) -> BundleSite | None:
        """The live bundle, or None."""
        live = self._live
        return None if live is None else live.site

    @property
    def source(self) -> str:
        """Digest of the configured source."""
        return self._config.source

    def on_live(self, action: Callable[[], object]) -> None:
        """Call `action` once, as soon as a bundle is served."""
        with self._announcing:
            self._announce = action
        self._announce_live()

    def start(self) -> None:
        self.open()
        self._thread.start()

    def open(self) -> None:
        """Serve the previously live bundle, if there is one."""
        self._releases.clean()
        self._attempt(self._adopt)
        self._retry_at = 0.0  # replace a stored bundle that no longer fits the configuration

    def poll(self) -> None:
        """Check for a new configuration or bundle and apply it. Called repeatedly after `start`."""
        forced, self._forced = self._forced, False
        due = self._retry_at is not None and monotonic() >= self._retry_at
        self._attempt(self._follow_rollback)
        if self._attempt(self._reload_config) or forced or due:
            self._attempt(lambda: self._refresh(forced=forced))

    def stop(self) -> None:
        self._stopped = True
        self._woken.set()
        self._thread.join()

    def reload(self) -> None:
        """Read the configuration and download its bundle again, even if nothing has changed."""
        self._forced = True
        self._woken.set()

    def report(self) -> dict[str, Any]:
        live, config, previous = self._live, self._config, self._releases.state().previous
        return {
            "status": "not ready" if live is None else "ready",
            "deploymentType": config.deployment_type.value,
            "features": _features(live, config),
            "bundle": None if live is None else _release_facts(live.release, len(live.site.files)),
            "previous": None if previous is None else _release_facts(previous),
            "error": self._error,
        }

    def _poll_repeatedly(self) -> None:
        while not self._stopped:
            self.poll()
            self._woken.wait(self._poll_seconds)
            self._woken.clear()

    def _reload_config(self) -> bool:
        """Read the configuration again and report whether it has changed."""
        config = read_config(self._path)
        if config == self._config:
            if self._error is not None and self._error.startswith(self._path.name):
                self._error = None  # it was invalid in the meantime
            return False
        self._config, self._pause_seconds = config, self._retry_seconds
        return True

    def _follow_rollback(self) -> None:
        """Serve the bundle that `docstead host --rollback` made live."""
        found = self._releases.state().live
        if found is not None and self._live is not None and found.name != self._live.release.name:
            self._adopt()
            _log.warning("rolled back to bundle %s", found.sha256[:12])

    def _adopt(self) -> None:
        release = self._releases.state().live
        if release is not None:
            self._serve(release)

    def _refresh(self, *, forced: bool = False) -> None:
        state, config = self._releases.state(), self._config
        live = state.live if self._live is not None else None
        is_same = live is not None and live.source == config.source
        if not forced and (state.passed_over == config.source or (is_same and config.is_pinned)):
            if live is not None:
                self._serve(live)
            self._confirm()
            return
        release = self._installer.bring(config, live)
        opened = self._opened(release)
        if release != live:  # the change can be rolled back immediately
            self._releases.make_live(release)
            version = f", version {release.version}" if release.version else ""
            _log.info("serving the bundle %s%s", release.sha256[:12], version)
        self._live = opened
        self._announce_live()
        self._confirm()

    def _serve(self, release: BundleRelease) -> None:
        self._live = self._opened(release)
        self._announce_live()

    def _announce_live(self) -> None:
        with self._announcing:
            action = self._announce if self._live is not None else None
            if action is not None:
                self._announce = None
                action()

    def _opened(self, release: BundleRelease) -> _LiveBundle:
        files = BundleFiles(self._releases.folder(release), release.sha256, self._config.base_path)
        check_bundle(files.facts, self._config)
        return _LiveBundle(release, BundleSite(files, self._config))

    def _confirm(self) -> None:
        self._error = self._retry_at = None
        self._pause_seconds = self._retry_seconds

    def _attempt(self, action: Callable[[], bool | None]) -> bool:
        """Run the action and return its result; on an error, log it and return False."""
        try:
            return bool(action())
        except (Unavailable, OSError) as error:
            self._retry_at = monotonic() + self._pause_seconds
            self._pause_seconds = min(2 * self._pause_seconds, _RETRY_AT_MOST_SECONDS)
            self._fail(error)
        except DocsteadError as error:
            self._retry_at = None
            self._fail(error)
        except Exception as error:
            _log.exception("the bundle could not be installed")
            self._retry_at = None
            self._fail(error)
        return False

    def _fail(self, error: Exception) -> None:
        error_text = error.message if isinstance(error, DocsteadError) else f"{error}"
        if error_text != self._error:
            kept = "" if self._live is None else "; the previous bundle stays live"
            _log.error("%s%s", error_text, kept)
        self._error = error_text


def _features(live: _LiveBundle | None, config: HostConfig) -> dict[str, bool]:
    """Return the features of the live bundle; missing ones are off."""
    if live is None:
        return config.features.by_name()
    return {name: live.site.files.facts.features.get(name, False)
            for name in config.features.by_name()}  # fmt: skip


def _release_facts(release: BundleRelease, files: int | None = None) -> dict[str, Any]:
    error_text = {
        "version": release.version,
        "sha256": release.sha256,
        "liveSince": release.live_since,
    }
    return error_text if files is None else {**error_text, "files": files}
