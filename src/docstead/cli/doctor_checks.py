"""Checks of `doctor`, each a function of the settings, listed in `CHECKS`."""

from __future__ import annotations

import os
import resource
import secrets
import shutil
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from urllib.parse import urlsplit

from sqlalchemy import text
from sqlalchemy.exc import SQLAlchemyError

from docstead.accounts.site_hosts import is_loopback
from docstead.agent.workspace import SigningFailed
from docstead.api.client_address import ClientAddress
from docstead.app.adapters import objects_of
from docstead.app.agent import signing_key_of
from docstead.app.databases import database_file, database_url
from docstead.app.features import bundle_profiles, service_profiles
from docstead.app.keys import root_secrets_of
from docstead.app.models import catalog_of
from docstead.base.clock import SystemClock
from docstead.base.errors import DocsteadError, InvalidRequest
from docstead.base.machine import FEWEST_DESCRIPTORS
from docstead.base.sandbox import SandboxMode, supported
from docstead.base.units import GIB, MIB
from docstead.limits import policies
from docstead.rendering import engine_version
from docstead.rendering.chromium import ChromiumMissing, find_chromium
from docstead.settings import Settings
from docstead.storage.database import Database
from docstead.storage.keyring import Keyring, check_lengths
from docstead.storage.links import LinkSigner

_LOW_DISK_BYTES, _FULL_DISK_BYTES = GIB, 100 * MIB
_FEW_DESCRIPTORS = 4096
_PDF_ADVICE = "`docstead pdf` needs Chromium or Chrome; the setting `chromium` may be its path."


class CheckLevel(StrEnum):
    """The severity of a finding; only `FAILED` changes the exit status."""

    OK = "ok"
    WARNING = "warning"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class ReportLine:
    """One line of the report."""

    name: str
    level: CheckLevel
    message: str  # without a full stop
    advice: str = ""  # advice in whole sentences


Check = Callable[[Settings], Iterator[ReportLine]]


def sandbox(settings: Settings) -> Iterator[ReportLine]:
    layers = supported()
    if settings.sandbox == SandboxMode.OFF:
        yield ReportLine(
            "sandbox",
            CheckLevel.WARNING,
            "disabled; V8 is the only isolation of page code",
            "Remove the setting `sandbox` unless you trust everyone who publishes.",
        )
    elif layers.is_complete:
        yield ReportLine("sandbox", CheckLevel.OK, str(layers))
    else:
        required = settings.sandbox == SandboxMode.REQUIRED
        yield ReportLine(
            "sandbox",
            CheckLevel.FAILED if required else CheckLevel.WARNING,
            f"this machine has {layers}",
            "Use Linux 5.13 or later with Landlock, and a container profile that allows it.",
        )


def engine(_settings: Settings) -> Iterator[ReportLine]:
    try:
        yield ReportLine("engine", CheckLevel.OK, f"version {engine_version()}")
    except DocsteadError as error:
        yield ReportLine(
            "engine", CheckLevel.FAILED, error.message, "Install the wheel, or `make engine`."
        )


def pdf(settings: Settings) -> Iterator[ReportLine]:
    try:
        yield ReportLine("pdf", CheckLevel.OK, f"{find_chromium(settings.chromium)} prints PDFs")
    except ChromiumMissing as error:
        level = CheckLevel.FAILED if settings.chromium else CheckLevel.OK
        yield ReportLine("pdf", level, error.message.rstrip("."), _PDF_ADVICE)


def database(settings: Settings) -> Iterator[ReportLine]:
    file = database_file(settings)
    if file is not None and not file.exists():
        yield _future("database", file)
        return
    try:
        opened = Database(database_url(settings))
        try:
            with opened.reading() as connection:
                connection.execute(text("SELECT 1"))
        finally:
            opened.close()
    except (SQLAlchemyError, ValueError, DocsteadError) as error:
        reason = str(error).splitlines()[0]
        yield ReportLine(
            "database", CheckLevel.FAILED, reason, "Check `database_url` and the server."
        )
    else:
        yield ReportLine("database", CheckLevel.OK, opened.url.render_as_string(hide_password=True))


def secret(settings: Settings) -> Iterator[ReportLine]:
    """Check whether the root secrets fit the database, without storing anything."""
    root_secrets, file = root_secrets_of(settings), database_file(settings)
    try:
        if file is not None and not file.exists():
            check_lengths(root_secrets)
            return
        with closing(Database(database_url(settings))) as opened:
            Keyring(opened, SystemClock(), root_secrets).check()
    except InvalidRequest as error:
        yield ReportLine("secret", CheckLevel.FAILED, error.message)
    except (SQLAlchemyError, ValueError, OSError, DocsteadError):
        return  # reported by other checks, or a database without tables
    else:
        yield ReportLine("secret", CheckLevel.OK, "fits the database")


def objects(settings: Settings) -> Iterator[ReportLine]:
    location = settings.s3_bucket or str(settings.data / "objects")
    if not settings.s3_bucket and not settings.data.exists():
        yield _future("objects", Path(location))
        return
    key, clock = f"doctor/{secrets.token_hex(8)}", SystemClock()
    try:
        store = objects_of(settings, LinkSigner(dict, clock), clock)  # signs nothing
        store.put(key, b"doctor")
        store.get(key)
        store.delete(key)
    except (DocsteadError, OSError) as error:
        of_bucket = "Check the bucket, its keys and rights."
        of_folder = f"Check the rights of {location} and the free space of its disk."
        advice = of_bucket if settings.s3_bucket else of_folder
        yield ReportLine("objects", CheckLevel.FAILED, str(error), advice)
    else:
        yield ReportLine("objects", CheckLevel.OK, f"{location} is readable and writable")


def disk(settings: Settings) -> Iterator[ReportLine]:
    location = _existing(settings.data)
    free = shutil.disk_usage(location).free
    level = CheckLevel.OK if free >= _LOW_DISK_BYTES else CheckLevel.WARNING
    level = CheckLevel.FAILED if free < _FULL_DISK_BYTES else level
    advice = "" if level is CheckLevel.OK else "Free space, or set `data` to a larger disk."
    yield ReportLine("disk", level, f"{free / GIB:.1f} GB free at {location}", advice)


def descriptors(_settings: Settings) -> Iterator[ReportLine]:
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    unlimited = soft == resource.RLIM_INFINITY
    level = CheckLevel.OK if unlimited or soft >= _FEW_DESCRIPTORS else CheckLevel.WARNING
    level = CheckLevel.FAILED if not unlimited and soft < FEWEST_DESCRIPTORS else level
    advice = "" if level is CheckLevel.OK else f"Raise it to {_FEW_DESCRIPTORS}: `ulimit -n`."
    found = "no limit" if unlimited else str(soft)
    yield ReportLine("descriptors", level, f"{found} for open files and connections", advice)


def _existing(folder: Path) -> Path:
    folder = folder.absolute()
    return folder if folder.exists() else _existing(folder.parent)


def _future(name: str, path: Path) -> ReportLine:
    """Report whether the first start can create a missing folder."""
    folder = _existing(path)
    if folder.is_dir() and os.access(folder, os.W_OK | os.X_OK):
        return ReportLine(name, CheckLevel.OK, f"{path} will be created at the first start")
    message = f"{path} cannot be created, because {folder} is not a writable folder"
    return ReportLine(name, CheckLevel.FAILED, message, "Set `data` to another folder.")


def site_hosts(settings: Settings) -> Iterator[ReportLine]:
    base = urlsplit(settings.public_url).hostname or ""
    if settings.sites_host:
        is_same_site = f".{base}".endswith(f".{_parent(settings.sites_host)}")
        yield ReportLine(
            "site hosts",
            CheckLevel.WARNING if is_same_site else CheckLevel.OK,
            f"sites are served below {settings.sites_host}, the dashboard at {base}",
            "Choose a wildcard host under a different registrable domain." if is_same_site else "",
        )
    elif is_loopback(base):
        yield ReportLine("site hosts", CheckLevel.OK, "each site is served at <domain>.localhost")
    else:
        yield ReportLine(
            "site hosts",
            CheckLevel.WARNING,
            f"a site without a hostname shares {base} with the dashboard: it is sandboxed, its "
            "repository's scripts do not run, and browsers store nothing for it",
            "Publish with `--hostname`, or set `sites_host`.",
        )


def _parent(host: str) -> str:
    """Return the last two labels of a host, within which sites may share cookies."""
    return ".".join(host.removeprefix("*.").split(".")[-2:])


def combinations(settings: Settings) -> Iterator[ReportLine]:
    """Check the settings as `serve` does at startup."""
    try:
        service_profiles(settings)
        bundle_profiles(settings)
        policies.checked(settings.limits)
        ClientAddress(settings.trusted_proxies)
        names = catalog_of(settings).names
    except InvalidRequest as error:
        message = error.message.removeprefix("settings: ")
        yield ReportLine("settings", CheckLevel.FAILED, message, "Correct it before `serve`.")
        return
    yield ReportLine("settings", CheckLevel.OK, "consistent")
    models = ", ".join(names) or "none; answers quote the documentation"
    yield ReportLine("chat models", CheckLevel.OK, models)


def signing(settings: Settings) -> Iterator[ReportLine]:
    key = signing_key_of(settings)
    if key is None:
        return
    try:
        key.check()
    except SigningFailed as error:
        advice = "Set `agent_signing_key_file` to an SSH key without a passphrase, for this user."
        yield ReportLine("signing", CheckLevel.FAILED, error.reason, advice)
    else:
        yield ReportLine("signing", CheckLevel.OK, f"{key.file} signs commits of agent jobs")


CHECKS: tuple[Check, ...] = (
    combinations,
    sandbox,
    engine,
    pdf,
    database,
    secret,
    objects,
    disk,
    descriptors,
    site_hosts,
    signing,
)
