"""The `host` command: serves a bundle without the service that exported it."""

from __future__ import annotations

import signal
from pathlib import Path

from rich.console import Console

from docstead.base.clock import SystemClock
from docstead.base.outbound import OutboundClient
from docstead.cli.logs import configure_logging
from docstead.cli.server import browser_url, check_port, run_server
from docstead.hosting.bundle.application import BundleHosting
from docstead.hosting.bundle.config import HostConfig, read_config
from docstead.hosting.bundle.installing import Installer
from docstead.hosting.bundle.manager import BundleManager
from docstead.hosting.bundle.releases import BundleRelease, ReleaseStore
from docstead.settings import Settings, load_settings

_FOLDER = "bundles"


def run(config: Path, *, host: str | None, port: int | None) -> None:
    settings = load_settings(host=host, port=port)
    manager = _manager(config, settings)
    check_port(settings)
    configure_logging(settings.log_level)
    manager.start()
    signal.signal(signal.SIGHUP, lambda *_: manager.reload())
    try:
        run_server(BundleHosting(manager), settings, lambda: _greet(settings, manager))
    finally:
        manager.stop()


def restore_previous(config: Path) -> None:
    """Roll back to the previous bundle; a running `host` picks it up."""
    found = read_config(config)
    state = _releases(load_settings()).rollback(found.source)
    assert state.live is not None  # noqa: S101 - that is what going back means
    Console(stderr=True, highlight=False).print(
        f"The bundle of {state.live.live_since}{_version(state.live)} is live again. "
        f"{config.name} is ignored until it names another bundle, or until SIGHUP."
    )


def _version(release: BundleRelease) -> str:
    return f", version {release.version}," if release.version else ""


def _manager(config: Path, settings: Settings) -> BundleManager:
    releases = _releases(settings)
    return BundleManager(config, releases, Installer(releases, _outbound, SystemClock()))


def _releases(settings: Settings) -> ReleaseStore:
    return ReleaseStore(settings.data / _FOLDER)


def _outbound(config: HostConfig) -> OutboundClient:
    return OutboundClient(config.allowed_networks, setting="staticExport.allowedNetworks")


def _greet(settings: Settings, manager: BundleManager) -> None:
    """Print the URL as soon as a bundle is served."""
    console = Console(stderr=True, highlight=False, soft_wrap=True)
    console.print(f"Listening on {settings.public_url}; /readyz reports which bundle is served.")
    manager.on_live(
        lambda: console.print(
            f"The bundle is served on {settings.public_url}. In a browser, open "
            f"{browser_url(settings, 'bundle')}. Ctrl-C stops it."
        )
    )
