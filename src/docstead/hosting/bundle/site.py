"""One live bundle with everything that answers need: its files, its settings, its responses."""

from __future__ import annotations

import re
from dataclasses import replace
from operator import attrgetter

from docstead.base.lru_cache import LruCache
from docstead.base.units import KIB, MIB
from docstead.content.generated_files import NOT_FOUND
from docstead.hosting.bundle.config import ORIGIN, HostConfig
from docstead.hosting.bundle.files import BundleFile, BundleFiles
from docstead.hosting.notices import notice
from docstead.hosting.pointers import page_headers
from docstead.hosting.prepared_response import PreparedResponse
from docstead.hosting.responses import SANDBOX, SANDBOXED_TYPES, page_policy, with_charset
from docstead.hosting.served_document import HTML, Redirection, ServedDocument, document
from docstead.hosting.speculation import speculation_header, speculation_rules

_KEPT_BYTES = 64 * MIB
_WHOLE_BYTES = 256 * KIB  # any file up to this is sent from memory
_WHOLE_TEXT_BYTES = 8 * MIB  # and texts up to this, because compressing them is worth it
# What names a file of the bundle; scripts read the last four.
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
        told = filter(ORIGIN.fullmatch, files.facts.connects)
        scripts = filter(ORIGIN.fullmatch, files.facts.scripts)
        self._policy = page_policy(" ".join(("'self'", *scripts)), (*config.connect, *told))

    def respond(
        self, path: str, *, wants_markdown: bool, is_zipped: bool
    ) -> PreparedResponse | BundleFile | Redirection:
        """Return the response for a path; a large file is streamed. Blocking."""
        found = self.files.at(path, wants_markdown=wants_markdown)
        if found is None:
            missing = speculation_rules(path.removeprefix("/"), self.base_path) or self._not_found()
            return self._made(missing, missing.content_type, is_zipped=is_zipped)
        if isinstance(found, Redirection) or not _is_whole(found):
            return found
        return self._made(self._document(found), found.content_type, is_zipped=is_zipped)

    def policy(self, content_type: str) -> str:
        """Drawings and other documents that are opened as documents run no scripts."""
        is_page = content_type.startswith("text/html")
        is_sandboxed = content_type.startswith(SANDBOXED_TYPES) and not is_page
        return SANDBOX if is_sandboxed else self._policy

    def _made(
        self, shown: ServedDocument, content_type: str, *, is_zipped: bool
    ) -> PreparedResponse:
        zips = is_zipped and shown.gzipped is not None
        return PreparedResponse.of(shown, self.policy(content_type), is_zipped=zips)

    def _document(self, file: BundleFile) -> ServedDocument:
        made = document(
            self.files.read(file),
            with_charset(file.content_type),
            status=404 if file.path == NOT_FOUND else 200,
            immutable=file.is_immutable,
            headers=(("Accept-Ranges", "bytes"), *self._told(file)),
        )
        return replace(made, etag=file.etag)

    def _told(self, file: BundleFile) -> tuple[tuple[str, str], ...]:
        bare, dot, kind = file.path.rpartition(".")
        if dot and kind in ("html", "md"):
            has_twin = self.files.has(f"{bare}.md")
            pointers = page_headers(self.base_path, f"/{bare}.md", self.files.has)
            headers = pointers if has_twin else (("Vary", "Accept"),)
            return (*headers, self._speculation) if kind == "html" else headers
        is_text = file.content_type.startswith(_INDEXED)
        return () if is_text or file.is_immutable else (("X-Robots-Tag", "noindex"),)

    def _not_found(self) -> ServedDocument:
        """Shown at any depth, so its links begin at the root in every bundle."""
        page = self.files.not_found()
        if page is None:
            return notice("There is no such page", "Check the URL.", 404)
        html = _ROOT_FINDER.sub("", self.files.read(page).decode(errors="replace"), count=1)
        return document(_RELATIVE.sub(rf"\g<1>{self.base_path}/", html), HTML, status=404)


def _is_whole(file: BundleFile) -> bool:
    is_text = file.content_type.startswith(_TEXTS)
    return file.size_bytes <= (_WHOLE_TEXT_BYTES if is_text else _WHOLE_BYTES)
