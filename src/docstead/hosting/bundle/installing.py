"""Installation of a bundle: download, verify and unpack it as a release."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

import msgspec

from docstead.base.archives import UnpackedFile, unpack
from docstead.base.clock import Clock, rfc3339
from docstead.base.errors import InvalidRequest
from docstead.base.features import FORMER_SEARCH
from docstead.base.outbound import OutboundClient
from docstead.export.manifest import MANIFEST, BundleFacts, read_manifest
from docstead.hosting.bundle.config import HostConfig
from docstead.hosting.bundle.fetch import FetchedArchive, fetch
from docstead.hosting.bundle.files import BundleFiles
from docstead.hosting.bundle.releases import BundleRelease, DownloadFolder, ReleaseStore


class Installer:
    """Installs bundles in `releases`; `outbound` creates the client that a configuration allows."""

    def __init__(
        self, releases: ReleaseStore, outbound: Callable[[HostConfig], OutboundClient], clock: Clock
    ) -> None:
        self._releases = releases
        self._outbound = outbound
        self._clock = clock

    def bring(self, config: HostConfig, live: BundleRelease | None) -> BundleRelease:
        """Download, verify and unpack the configured bundle without making it live.

        Raises:
            InvalidRequest: the configuration, the archive or its contents are rejected.
            Unavailable: the archive is temporarily unavailable.
        """
        etag = live.etag if live is not None and live.source == config.source else None
        with self._releases.workplace() as folder:
            fetched = fetch(config, self._outbound(config), folder.archive, etag)
            if fetched is None and live is not None:
                return live
            assert fetched is not None  # noqa: S101 - only a validator makes that answer
            return self._known(config, fetched) or self._unpacked(config, fetched, folder)

    def _known(self, config: HostConfig, fetched: FetchedArchive) -> BundleRelease | None:
        """Return an unpacked release of the same archive, or None if there is none."""
        state = self._releases.state()
        for release in (state.live, state.previous):
            if release is not None and release.sha256 == fetched.sha256:
                folder = self._releases.folder(release)
                check_bundle(BundleFiles(folder, release.sha256).facts, config)
                return msgspec.structs.replace(release, source=config.source, etag=fetched.etag)
        return None

    def _unpacked(
        self, config: HostConfig, fetched: FetchedArchive, folder: DownloadFolder
    ) -> BundleRelease:
        unpacked = unpack(folder.archive, folder.files, config.limits)
        facts = BundleFiles(folder.files, fetched.sha256).facts
        check_bundle(facts, config)
        _check_digests(folder.files, unpacked)
        return BundleRelease(
            name=self._releases.add(folder.files, fetched.sha256),
            sha256=fetched.sha256,
            source=config.source,
            etag=fetched.etag,
            version=facts.version,
            live_since=rfc3339(self._clock.now()),
        )


def check_bundle(facts: BundleFacts, config: HostConfig) -> None:
    """Verify that a bundle has the pinned version and fits the configured features.

    Raises:
        InvalidRequest: it does not.
    """
    if config.version is not None and facts.version != config.version:
        found = "no version" if facts.version is None else f"version {facts.version!r}"
        raise InvalidRequest(
            f"staticExport.version: {config.version!r} is pinned, the bundle has {found}"
        )
    allowed = config.features.by_name()
    for name, is_on in facts.features.items():
        if name != FORMER_SEARCH and is_on and not allowed.get(name, False):
            raise InvalidRequest(
                f"features.{name}: disabled here (deploymentType {config.deployment_type}), but "
                f"enabled in the bundle, which was exported for {facts.deployment_type}; "
                "export it again with the same deployment type and features"
            )


def _check_digests(folder: Path, unpacked: Mapping[str, UnpackedFile]) -> None:
    if MANIFEST not in unpacked:
        return
    for path, fact in read_manifest((folder / MANIFEST).read_bytes()).items():
        if unpacked[path].sha256 != fact.sha256:
            raise InvalidRequest(f"the archive was rejected: {path!r} does not match {MANIFEST}")
