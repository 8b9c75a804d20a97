"""`publish`: a source becomes the current edition of a deployment."""

from __future__ import annotations

import time
from pathlib import Path

from rich.console import Console

from docstead.accounts.tenancy import Deployment
from docstead.app.services import Services, open_services
from docstead.base.errors import SourceUnreadable
from docstead.cli.memory import PeakMemory
from docstead.cli.progress import progress_bar
from docstead.cli.report import Report, print_report, unreadable_told
from docstead.cli.tenants import deployment_for
from docstead.publishing.build import BuildReport
from docstead.publishing.sources import Source
from docstead.publishing.update_records import Update, UpdateStatus
from docstead.settings import load_settings


def run(
    source: str,
    *,
    ref: str | None,
    root: str,
    domain: str,
    hostname: str | None,
    as_json: bool,
) -> None:
    started, memory = time.monotonic(), PeakMemory()
    told = unreadable_told(memory, started, as_json=as_json)
    with told, memory, open_services(load_settings()) as services:
        place = located(source)
        wanted = deployment_for(services, domain, hostname, source=place, ref=ref, root=root)
        with wanted as target:
            _, report = publish(services, target, quiet=as_json)
        url = services.site_hosts.link(target).url
    print_report(Report.of(report, started, memory), as_json=as_json, done=f"published at {url}/")


def located(source: str) -> str:
    """The source as the service can find it again: folders by their absolute path."""
    return source if Source(source).protocol else str(Path(source).expanduser().absolute())


def publish(services: Services, target: Deployment, *, quiet: bool) -> tuple[Update, BuildReport]:
    """Publish a deployment's project now, in this process.

    Raises:
        SourceUnreadable: the update failed, with its summary; the old edition stays current.
    """
    wanted = services.updates.create(target.project_id, "internal")
    with progress_bar("Publishing", quiet=quiet) as progress:
        outcome = services.updates.run(wanted.id, progress)
    if outcome.update.status is not UpdateStatus.SUCCESS or outcome.report is None:
        raise SourceUnreadable(outcome.update.summary or "the update failed")
    if not quiet:
        Console(stderr=True, highlight=False).print(outcome.update.summary)
    return outcome.update, outcome.report
