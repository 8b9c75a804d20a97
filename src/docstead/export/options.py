"""Options of an export: pages, location and features."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from docstead.base.errors import InvalidRequest
from docstead.base.features import DeploymentType, Features
from docstead.theme.external_services import ExternalServices

if TYPE_CHECKING:
    from docstead.theme.mode import ShellMode

_LENGTH = 128
_VERSION_LENGTH = 200
_UNKEPT = "\ufffd"  # in JSON bodies, instead of NUL and lone surrogates
_BASE_URL = re.compile(r"https?://[^\s/?#\"<>\\]+(/[^\s?#\"<>\\]*)?")


@dataclass(frozen=True, slots=True)
class ExportOptions:
    """Options of one export.

    `base_url` is the URL of the published site, for canonical links and the sitemap; "" omits them.
    `base_path` is the path where the files will be served, "" for the root of a host; None is the
    path of `base_url`, or unknown. `slugs` are the pages to export, None means all. `version` is a
    label. `external_services` are used by pages as far as their features allow; None means none.
    Restricted pages are omitted, except those of `groups`.
    """

    base_url: str = ""
    base_path: str | None = None
    slugs: tuple[str, ...] | None = None
    version: str | None = None
    deployment_type: DeploymentType = DeploymentType.CLIENT_HOSTED
    features: Features = field(default_factory=lambda: Features.of(DeploymentType.CLIENT_HOSTED))
    external_services: ExternalServices | None = None
    groups: tuple[str, ...] = ()

    @property
    def mode(self) -> ShellMode:
        from docstead.theme.mode import ShellMode

        return ShellMode.bundle(self.base_url, self.base_path)


def checked_base_url(url: str) -> str:
    """Return the public URL of a site; "" means none.

    Raises:
        InvalidRequest: it is invalid.
    """
    if url and not _BASE_URL.fullmatch(url):
        raise InvalidRequest(
            f"--base-url: must be a URL such as https://docs.example.com, not {url!r}"
        )
    return url


def checked_base_path(path: str, base_url: str = "") -> str:
    """Return a base path without a trailing slash.

    Raises:
        InvalidRequest: it is invalid, or differs from the path of the site's URL.
    """
    base = path.rstrip("/")
    wrong = base and (not base.startswith("/") or "//" in base or len(base) > _LENGTH)
    if wrong or any(char in base for char in " ?#\\%") or not base.isprintable():
        raise InvalidRequest(
            f"--base-path: {path!r} is not a path that begins with a slash "
            f"and has at most {_LENGTH} characters"
        )
    if any(part in (".", "..") for part in base.split("/")):
        raise InvalidRequest(f"--base-path: {path!r} contains . or ..")
    own = urlsplit(base_url).path.rstrip("/")
    if own not in ("", base):
        raise InvalidRequest(f"--base-path: {path!r}, but the path of --base-url is {own!r}")
    return base


def checked_version(version: str | None) -> str | None:
    """Return the label of an export.

    Raises:
        InvalidRequest: it is invalid.
    """
    if version is None:
        return None
    is_readable = version.isprintable() and _UNKEPT not in version
    if not version.strip() or len(version) > _VERSION_LENGTH or not is_readable:
        raise InvalidRequest(f"version: must have 1 to {_VERSION_LENGTH} printable characters")
    return version
