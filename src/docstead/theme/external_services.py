"""External services that pages of a site use."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from urllib.parse import quote, urlencode, urlsplit

_SCP = re.compile(r"(?:[\w.-]+@)?([\w.-]+):(?!/)(.+)")
_OWN = "/_docs/api"


@dataclass(frozen=True, slots=True)
class AssistantLink:
    """The service's API for a site's assistant. The key is public, for use in pages."""

    url: str  # of the API, including `/discovery`
    domain: str
    key: str

    def as_json(self, version: str, language: str) -> str:
        """Return the settings of a page as JSON, with version and language for its answers."""
        known = {"address": self.url, "domain": self.domain, "key": self.key}
        return json.dumps({**known, "version": version, "language": language})


@dataclass(frozen=True, slots=True)
class ReadersLink:
    """Endpoints to which pages send views, searches and feedback.

    URLs of the site itself begin with a slash, and need no key.
    """

    events: str
    feedback: str
    key: str = ""

    @classmethod
    def of_site(cls) -> ReadersLink:
        """Return the site's own endpoints, on the service."""
        return cls(f"{_OWN}/v1/e", f"{_OWN}/feedback")

    @classmethod
    def of_service(cls, link: AssistantLink) -> ReadersLink:
        """Return the service's endpoints, for sites hosted elsewhere."""
        base = f"{link.url}/v1"
        return cls(f"{base}/events/{link.domain}", f"{base}/feedback/{link.domain}", link.key)


@dataclass(frozen=True, slots=True)
class ForgeRepository:
    """Repository of a site on GitHub or GitLab, for links to edit pages and open issues."""

    url: str  # of its web page, without a trailing slash
    ref: str | None = None  # None is the default branch
    root: str = ""  # folder of docs.json

    @classmethod
    def of(cls, source: str, ref: str | None = None, root: str = "") -> ForgeRepository | None:
        """Return the forge repository of a clone URL, or None for other hosts."""
        scp = _SCP.fullmatch(source)
        host, path = scp.groups() if scp else (urlsplit(source).hostname, urlsplit(source).path)
        parts = path.strip("/").removesuffix(".git")
        if not host or not _kind(host) or "/" not in parts:
            return None
        return cls(f"https://{host}/{parts}", ref, root.strip("/"))

    def edit(self, file: str) -> str:
        """Return the URL for editing a file, or for viewing it if the branch is unknown."""
        path = quote("/".join(filter(None, (self.root, file))))
        ref, within = quote(self.ref or "HEAD"), "/-" if self._is_gitlab else ""
        return f"{self.url}{within}/{'edit' if self.ref else 'blob'}/{ref}/{path}"

    def issue(self, title: str, page: str) -> str:
        """Return the URL for opening an issue about a page."""
        if self._is_gitlab:
            said = {"issue[title]": title, "issue[description]": page}
            return f"{self.url}/-/issues/new?{urlencode(said)}"
        return f"{self.url}/issues/new?{urlencode({'title': title, 'body': page})}"

    @property
    def _is_gitlab(self) -> bool:
        return _kind(urlsplit(self.url).hostname or "") == "gitlab"


@dataclass(frozen=True, slots=True)
class ExternalServices:
    """External services of a site; None for missing ones.

    `integrations` allows the third-party scripts that the site's settings name, and `script_hosts`
    are further hosts of scripts, such as `cdn.example.com`.
    """

    assistant: AssistantLink | None = None
    readers: ReadersLink | None = None
    repository: ForgeRepository | None = None
    integrations: bool = False
    script_hosts: tuple[str, ...] = ()


NOTHING = ExternalServices()


def _kind(host: str) -> str:
    return next((kind for kind in ("github", "gitlab") if kind in host.split(".")), "")
