"""Options of an export: pages, location and features."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from docstead.base.errors import InvalidRequest
from docstead.base.features import DeploymentType, Features

if TYPE_CHECKING:
    from docstead.theme.external_services import ExternalServices
    from docstead.theme.mode import ShellMode

_LENGTH = 128
_VERSION_LENGTH = 200
_BASE_URL = re.compile(r"https?://[^\s/?#\"<>\\]+(/[^\s?#\"<>\\]*)?")


@dataclass(frozen=True, slots=True)
class ExportOptions:
    """Options of one export.

    `base_url` is the address of the published site, for canonical links and the sitemap; ""
    leaves them out. `base_path` is where the files will stand, "" for the root of a host;
    None is the path of `base_url`, or unknown where there is none. `slugs` are the pages
    wanted, None is every page. `version` is a label and nothing more. `reach` is the service
    that the pages ask from where they are, as far as their features allow; None is nothing.
    Pages for `groups` of readers are left out, but for those of these groups.
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
    """The public URL of a site; "" is none. Raises InvalidRequest."""
    if url and not _BASE_URL.fullmatch(url):
        raise InvalidRequest(
            f"--base-url: must be a URL such as https://docs.example.com, not {url!r}"
        )
    return url


def checked_base_path(path: str, base_url: str = "") -> str:
    """A base path without a slash at its end.

    Raises:
        InvalidRequest: it is no path, or the address of the site has another one.
    """
    base = path.rstrip("/")
    wrong = base and (not base.startswith("/") or "//" in base or len(base) > _LENGTH)
    if wrong or any(char in base for char in " ?#\\%") or not base.isprintable():
        raise InvalidRequest(
            f"--base-path: {path!r} is no path; it begins with a slash and has at most {_LENGTH} "
            "characters"
        )
    if any(part in (".", "..") for part in base.split("/")):
        raise InvalidRequest(f"--base-path: {path!r} walks upwards")
    own = urlsplit(base_url).path.rstrip("/")
    if own not in ("", base):
        raise InvalidRequest(f"--base-path: {path!r}, but the path of --base-url is {own!r}")
    return base


def checked_version(version: str | None) -> str | None:
    """The label of an export. Raises InvalidRequest."""
    if version is None:
        return None
    if not version.strip() or len(version) > _VERSION_LENGTH or not version.isprintable():
        raise InvalidRequest(f"version: must have 1 to {_VERSION_LENGTH} printable characters")
    return version
