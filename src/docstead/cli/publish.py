"""The `publish` command: publishes a source as the current edition of a deployment.

The service that runs on the data folder, or that `--server` names, does the work. Without a
service, the command does it.
"""

from __future__ import annotations

import os
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec
from rich.console import Console

from docstead.accounts.names import checked_domain
from docstead.app.services import AppServices, open_services
from docstead.base.decoders import json_decoder
from docstead.base.errors import InvalidRequest, SourceUnreadable, Unavailable
from docstead.base.memory import PeakMemory
from docstead.base.units import MINUTE_SECONDS
from docstead.cli.early_parent import early_parent, interruption_deferred
from docstead.cli.installation import loaded_settings, not_answered
from docstead.cli.interruption import InterruptionNotice
from docstead.cli.progress import progress_bar
from docstead.cli.report import JsonReport, print_report, reported_unreadable
from docstead.cli.service_client import ServiceClient, local_client
from docstead.content.diagnostics import Diagnostic
from docstead.publishing.archive_sources import pack_folder
from docstead.publishing.build import BuildReport
from docstead.publishing.builders import WarmParent
from docstead.publishing.publications import Destination
from docstead.publishing.sources import DocumentationSource, checkout, named_source
from docstead.publishing.update_records import UpdateStatus
from docstead.settings import Settings, load_settings

_FIRST_WAIT_SECONDS = 0.05
_LONGEST_WAIT_SECONDS = 1.0
_PATIENCE_SECONDS = MINUTE_SECONDS  # if a service does not answer
_ENDED = "Interrupted after the update had ended."


class ServiceReport(msgspec.Struct, frozen=True):
    """Report of an update that ended in a service."""

    pages: int
    failed: int
    diagnostics: tuple[Diagnostic, ...]


_REPORT = json_decoder(ServiceReport)


def run(
    source: str,
    *,
    ref: str | None,
    root: str,
    to: Destination,
    server: str | None,
    key: str | None,
    as_json: bool,
    interruption: InterruptionNotice,
) -> None:
    checked_domain(to.domain)  # before a data folder is created
    location = named_source(located(source), ref, root)
    with early_parent() as parent:
        if parent is not None:
            with interruption_deferred():
                parent.begin()
        if server := server or load_settings().server:
            settings = load_settings()
            with ServiceClient(server, _admin_key(settings, key)) as client:
                there = _ServicePublisher(client, settings, interruption, reads_folders=False)
                _publish_at(there, location, to, as_json=as_json)
        settings = loaded_settings()
        with local_client(settings) as local:
            if local is not None:
                here = _ServicePublisher(local, settings, interruption, reads_folders=True)
                _publish_at(here, location, to, as_json=as_json)
        _publish_here(settings, parent, location, to, interruption, as_json=as_json)


def located(source: str) -> str:
    """Return a source that the service can find: folders with absolute paths, without "..".

    Other symbolic links stay, because they may lead to another folder later.
    """
    if DocumentationSource(source).protocol:
        return source
    folder = Path(source).expanduser().absolute()
    return os.path.realpath(folder) if ".." in folder.parts else str(folder)


def publish(
    services: AppServices, source: DocumentationSource, to: Destination, *, quiet: bool
) -> BuildReport:
    """Publish in this process.

    Raises:
        SourceUnreadable: the update failed; the current edition stays published.
    """
    requested = services.publications.create(to, source)
    try:
        with progress_bar("Publishing", quiet=quiet) as progress:
            outcome = services.updates.run(requested.id, progress)
    finally:
        services.publications.discard(requested.project_id)
    if outcome.update.status is not UpdateStatus.SUCCESS or outcome.report is None:
        raise SourceUnreadable(outcome.update.summary or "the update failed")
    if not quiet:
        _say(outcome.update.summary or "")
    return outcome.report


def _publish_here(
    settings: Settings,
    parent: WarmParent | None,
    source: DocumentationSource,
    to: Destination,
    interruption: InterruptionNotice,
    *,
    as_json: bool,
) -> None:
    started, memory = time.monotonic(), PeakMemory()
    error_report = reported_unreadable(memory, started, as_json=as_json)
    with error_report, memory, open_services(settings, parent) as services:
        report = publish(services, source, to, quiet=as_json)
        interruption.sentence = _ENDED
        url = services.browser_url(services.tenancy.deployment_of_domain(to.domain))
    if not as_json:
        _say(f"No service runs on {settings.data}, so this command published without a service.")
        _say(not_answered(settings))
    _print(JsonReport.of(report, started, memory), f"{url}/", as_json=as_json)


@dataclass(frozen=True, slots=True)
class _ServicePublisher:
    """A service that publishes, and what an interruption of the command says meanwhile."""

    client: ServiceClient
    settings: Settings
    interruption: InterruptionNotice
    reads_folders: bool  # of this machine; otherwise they are uploaded


def _publish_at(
    service: _ServicePublisher, source: DocumentationSource, to: Destination, *, as_json: bool
) -> None:
    """Publish through a service, wait for the result, print the report and exit."""
    started, memory = time.monotonic(), PeakMemory(lifetime=False)
    with reported_unreadable(memory, started, as_json=as_json):
        update_id = _begun(service, source, to)
        service.interruption.sentence = (
            f"Update {update_id} continues in the service. "
            f"See its status at {service.client.url}/dashboard"
        )
        if not as_json:
            _say(f"Started update {update_id} in the service at {service.client.url}.")
        ended = _followed(service.client, update_id, quiet=as_json)
        service.interruption.sentence = _ENDED
        built = _built(ended)
    if not as_json:
        _say(str(ended["summary"]))
    memory.peak_bytes = int(ended["report"]["peakMemoryBytes"])
    report = JsonReport.of(built, started, memory)
    _print(report, f"{ended['siteUrl']}/", as_json=as_json)


def _print(report: JsonReport, url: str, *, as_json: bool) -> None:
    print_report(report, as_json=as_json, done=f"published at {url}", hides_info=True)


def _begun(service: _ServicePublisher, source: DocumentationSource, to: Destination) -> str:
    """Start an update and return its id, without an upload if the service can read the source."""
    client = service.client
    unconfirmed = (
        "Interrupted before an update was confirmed. "
        f"See at {client.url}/dashboard whether one has started"
    )
    if service.reads_folders:
        service.interruption.sentence = unconfirmed
        try:
            return client.publish_source(to, source)
        except SourceUnreadable:
            if source.protocol is not None:
                raise
    with tempfile.TemporaryDirectory(prefix="publish-") as folder:
        packed = Path(folder, "source.tar.gz")
        tree = checkout(source, service.settings.data / "cache" / "sources")
        try:
            pack_folder(tree.path, packed)
        finally:
            tree.discard()
        service.interruption.sentence = unconfirmed
        return client.publish_archive(to, packed)


def _followed(client: ServiceClient, update_id: str, *, quiet: bool) -> dict[str, Any]:
    """Wait for an update and return its final status."""
    wait, answered_at = _FIRST_WAIT_SECONDS, time.monotonic()
    with progress_bar("Publishing", quiet=quiet) as progress:
        while True:
            try:
                status = client.status(update_id)
                answered_at = time.monotonic()
            except Unavailable:
                if time.monotonic() - answered_at > _PATIENCE_SECONDS:
                    raise
            else:
                if status["status"] in ("success", "failure"):
                    return status
                if status["progress"]["total"]:
                    progress(status["progress"]["done"], status["progress"]["total"])
            time.sleep(wait)
            wait = min(wait * 1.5, _LONGEST_WAIT_SECONDS)


def _built(ended: dict[str, Any]) -> ServiceReport:
    report = ended["report"]
    if ended["status"] != "success" or report is None:
        raise SourceUnreadable(str(ended["summary"] or "the update failed"))
    return _REPORT.decode(msgspec.json.encode(report))


def _admin_key(settings: Settings, key: str | None) -> str:
    found = key or settings.admin_key.get_secret_value()
    if not found:
        raise InvalidRequest(
            "--server needs an admin key of that service: set DOCSTEAD_ADMIN_KEY "
            "(create one with: docstead keys create admin)"
        )
    return found


def _say(text: str) -> None:
    Console(stderr=True, highlight=False, soft_wrap=True).print(text, markup=False)
