"""A live bundle with its files, settings and prepared responses."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cached_property
from operator import attrgetter

from docstead.base.conditions import Coding
from docstead.base.lru_cache import LruCache
from docstead.base.units import KIB, MIB
from docstead.content.generated_files import NOT_FOUND
from docstead.hosting.bundle.config import ORIGIN, HostConfig
from docstead.hosting.bundle.files import BundleFile, BundleFiles
from docstead.hosting.notices import notice
from docstead.hosting.pointers import page_headers
from docstead.hosting.prepared_response import PreparedResponse
from docstead.hosting.responses import SANDBOX, is_xml, page_policy, with_charset
from docstead.hosting.served_document import HTML, Redirection, ServedDocument, document
from docstead.hosting.speculation import speculation_header, speculation_rules
from docstead.outputs.search_bundle import INDEX as SEARCH_INDEX
from docstead.outputs.search_bundle import announcing, joined
from docstead.publishing.assets import content_type

_KEPT_BYTES = 64 * MIB
_WHOLE_BYTES = 256 * KIB  # files up to this size are sent from memory
_WHOLE_TEXT_BYTES = 8 * MIB  # and text up to this size, because compression saves more
# Paths of files of the bundle in its pages; scripts read the last four.
_LINKS = "href|src|action|data-search|data-whole|data-library|data-complete"
_RELATIVE = re.compile(rf'(\s(?:{_LINKS})=")(?![a-zA-Z][a-zA-Z0-9+.-]*:|[/#"?])(?:\./)?')
_ROOT_FINDER = re.compile(r"<script data-probe=.*?</script>\n", re.DOTALL)
_INDEXED = ("text/html", "text/plain", "text/markdown", "application/xml")
_TEXTS = ("text/", "application/json", "application/xml", "application/javascript", "image/svg+xml")


class BundleSite:
    """A bundle below a base path."""

    def __init__(self, files: BundleFiles, config: HostConfig) -> None:
        self.files = files
        self.base_path = config.base_path
        self.ready = LruCache[tuple[object, ...], PreparedResponse](
            _KEPT_BYTES, attrgetter("size_bytes")
        )
        self._speculation = speculation_header(self.base_path, files.paths)
        origins = filter(ORIGIN.fullmatch, files.facts.connects)
        scripts = filter(ORIGIN.fullmatch, files.facts.scripts)
        self._policy = page_policy(" ".join(("'self'", *scripts)), (*config.connect, *origins))

    def respond(
        self, path: str, *, wants_markdown: bool, accepted: Coding | None
    ) -> PreparedResponse | BundleFile | Redirection:
        """Return the response for a path; large files are streamed. Blocking."""
        found = self.files.at(path, wants_markdown=wants_markdown)
        if found is None:
            made = self._generated(path.removeprefix("/")) or self._not_found
            return self._made(made, made.content_type, accepted)
        if isinstance(found, Redirection) or not _is_whole(found):
            return found
        return self._made(self._document(found), found.content_type, accepted)

    def policy(self, content_type: str) -> str:
        """Return the Content-Security-Policy: documents other than pages run no scripts."""
        return SANDBOX if is_xml(content_type) else self._policy

    def _made(
        self, shown: ServedDocument, content_type: str, accepted: Coding | None
    ) -> PreparedResponse:
        return PreparedResponse.of(shown, self.policy(content_type), accepted)

    def _generated(self, name: str) -> ServedDocument | None:
        """A document that is no file of the bundle."""
        search = joined(name, self._read)
        if search is not None:
            made = document(search, with_charset(content_type(name)), immutable=True)
            return replace(made, is_cacheable=False)
        return speculation_rules(name, self.base_path)

    def _read(self, path: str) -> bytes | None:
        file = self.files.at(path)
        if isinstance(file, BundleFile) and _is_whole(file):
            return self.files.read(file)
        return None

    def _document(self, file: BundleFile) -> ServedDocument:
        data = self.files.read(file)
        made = document(
            announcing(data) if file.path == SEARCH_INDEX else data,
            with_charset(file.content_type),
            status=404 if file.path == NOT_FOUND else 200,
            immutable=file.is_immutable,
            is_shared=file.is_shared,
            headers=(("Accept-Ranges", "bytes"), *self._headers_of(file)),
        )
        return replace(made, etag=file.etag)

    def _headers_of(self, file: BundleFile) -> tuple[tuple[str, str], ...]:
        bare, dot, kind = file.path.rpartition(".")
        if dot and kind in ("html", "md"):
            has_markdown = self.files.has(f"{bare}.md")
            pointers = page_headers(self.base_path, f"/{bare}.md", self.files.has)
            headers = pointers if has_markdown else (("Vary", "Accept"),)
            return (*headers, self._speculation) if kind == "html" else headers
        is_text = file.content_type.startswith(_INDEXED)
        return () if is_text or file.is_immutable else (("X-Robots-Tag", "noindex"),)

    @cached_property
    def _not_found(self) -> ServedDocument:
        """The 404 page, with links relative to the root because it is shown at any depth."""
        page = self.files.not_found()
        if page is None:
            return replace(notice("Page not found", "Check the URL.", 404), is_cacheable=False)
        html = _ROOT_FINDER.sub("", self.files.read(page).decode(errors="replace"), count=1)
        shown = document(_RELATIVE.sub(rf"\g<1>{self.base_path}/", html), HTML, status=404)
        return replace(shown, is_cacheable=False)


def _is_whole(file: BundleFile) -> bool:
    is_text = file.content_type.startswith(_TEXTS)
    return file.size_bytes <= (_WHOLE_TEXT_BYTES if is_text else _WHOLE_BYTES)
