"""Allowed link targets of an answer: pages of the site, and configured hosts."""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Sequence
from urllib.parse import SplitResult, quote, unquote, urlsplit

from docstead.base.networks import is_listed_host

_UNSAFE = re.compile(r"[\\\x00-\x20\x7f-\x9f\u200b-\u200f\u2028-\u202f\u2060-\u206f\ufeff]")
_ESCAPED = re.compile(r"\\([!-/:-@\[-`{-~])")
_KEPT = "/-._~!$&'*+,;=:@%"


class LinkPolicy:
    """`page_url` returns the full URL of a page by path, or None."""

    def __init__(
        self,
        site_url: str,
        page_url: Callable[[str], str | None],
        hosts: Sequence[str] = (),
        contacts: Sequence[str] = (),  # email addresses and whole links that are allowed
    ) -> None:
        self._site = urlsplit(site_url)
        self._page_url = page_url
        self._hosts = tuple(host.lower() for host in hosts)
        self._contacts = frozenset(contact.lower() for contact in contacts)

    def resolved(self, target: str) -> str | None:
        """Return an allowed URL, escaped for Markdown, or None.

        `target` is as written, with escapes and entities.
        """
        url = html.unescape(_ESCAPED.sub(r"\1", target.strip())).replace(" ", "%20")
        if not url or _UNSAFE.search(url):
            return None
        try:
            parts = urlsplit(url)
            parts.port  # noqa: B018 - raises where it is no number
        except ValueError:
            return None
        if parts.scheme == "mailto":
            return url if parts.path.lower() in self._contacts else None
        if url.lower() in self._contacts:
            return _quoted(parts)
        if self._is_site(parts):
            return self._page(parts)
        return _quoted(parts) if self._is_allowed(parts) else None

    def allows_mail(self, contact: str) -> bool:
        return contact.lower() in self._contacts

    def _is_site(self, parts: SplitResult) -> bool:
        if not parts.scheme and not parts.netloc:
            return True
        own = parts.netloc.lower() == self._site.netloc.lower()
        path = self._site.path.rstrip("/")
        inside = parts.path == path or parts.path.startswith(f"{path}/")
        return own and inside and parts.scheme in ("http", "https")

    def _page(self, parts: SplitResult) -> str | None:
        path = parts.path
        if parts.netloc:
            path = path[len(self._site.path.rstrip("/")) :] or "/"
        if not path:
            return None  # an anchor without a page
        url = self._page_url(unquote(path))
        if url is None:
            return None
        anchor = f"#{quote(unquote(parts.fragment), safe=_KEPT)}" if parts.fragment else ""
        return url + anchor

    def _is_allowed(self, parts: SplitResult) -> bool:
        host = parts.hostname or ""
        plain = parts.netloc.lower() == host  # neither user name nor port
        return parts.scheme in ("http", "https") and plain and is_listed_host(host, self._hosts)


def _quoted(parts: SplitResult) -> str:
    path = quote(unquote(parts.path), safe=_KEPT)
    query = f"?{quote(parts.query, safe=_KEPT + '?')}" if parts.query else ""
    fragment = f"#{quote(parts.fragment, safe=_KEPT + '?')}" if parts.fragment else ""
    return f"{parts.scheme}://{parts.netloc}{path}{query}{fragment}"
