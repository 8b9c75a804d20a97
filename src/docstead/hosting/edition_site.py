"""An edition as a site below a base path: resolves paths to content."""

from __future__ import annotations

import mimetypes

from docstead.content.filtering import visible_to
from docstead.content.generated_files import names_of
from docstead.content.reserved import is_reserved
from docstead.content.slugs import find_page, path_of
from docstead.hosting.documents import SiteDocuments
from docstead.hosting.served_document import (
    RecentDocuments,
    Redirection,
    ServedDocument,
    SiteContent,
    StoredFile,
)
from docstead.outputs.skill import skill_redirects
from docstead.publishing.edition import Edition
from docstead.repository.redirects import RedirectTable

_PERMANENT = 308
_TEMPORARY = 307


def show_home(edition: Edition) -> SiteContent:
    """Render the home page of an edition; raise the error that readers would get."""
    documents = SiteDocuments(edition, "", "", RecentDocuments(0))
    return EditionSite(edition, "", documents).at("/")


class EditionSite:
    """Resolves the paths of an edition. Blocking: call it off the event loop.

    A path is looked up in this order: shared styles and scripts, files of the repository, generated
    text files, pages, redirects of `docs.json`, Markdown versions, alternative spellings of pages.
    Other paths do not exist. Below a reserved path there are only generated files.
    """

    def __init__(self, edition: Edition, base_path: str, documents: SiteDocuments) -> None:
        self._edition = edition
        self._site = visible_to(edition.site)
        self._base_path = base_path
        self.documents = documents
        self._redirects = RedirectTable(edition.site.config.redirects)

    @property
    def edition_id(self) -> str:
        return self._edition.id

    def is_of(self, edition: Edition) -> bool:
        """Report whether the site reads from this open edition, not from the same one reopened."""
        return self._edition is edition

    @property
    def connects(self) -> tuple[str, ...]:
        """Other origins to which scripts of the pages may send requests."""
        return self.documents.connects

    @property
    def scripts(self) -> tuple[str, ...]:
        """Other origins from which the pages load scripts."""
        return self.documents.scripts

    def at(self, path: str, *, wants_markdown: bool = False) -> SiteContent:
        """Return the content at an unescaped path, which begins with a slash unless it is empty."""
        if not path:
            return self._moved("/", _PERMANENT)
        if is_reserved(path):
            return self._own_file(path.removeprefix("/")) or self.documents.not_found(path)
        return (
            self._file(path.removeprefix("/"))
            or self._page(path, wants_markdown=wants_markdown)
            or self._redirect(path)
            or self._markdown_version(path)
            or self._other_spelling(path)
            or self._nothing(path)
        )

    def page_at(self, path: str) -> str:
        """Return the path of the page that `at` returns in any form, or "" for other content."""
        slug = None if is_reserved(path) else find_page(self._site, path)
        is_page = slug is not None and (path_of(slug) == path or path.endswith(".md"))
        return path_of(slug) if slug is not None and is_page else ""

    def text(self, name: str) -> str:
        """Return a site-wide text file, preferring the repository's own; "" if there is none."""
        asset = self._edition.asset(name)
        if asset is not None:
            return b"".join(self._edition.blocks(asset)).decode(errors="replace")
        made = self.documents.text(name)
        return made.body.decode() if made else ""

    def _own_file(self, name: str) -> ServedDocument | None:
        documents = self.documents
        return documents.shared(name) or documents.islands(name) or documents.text(name)

    def _file(self, name: str) -> SiteContent | None:
        asset = self._edition.asset(name)
        if asset is not None:
            return StoredFile(asset)
        texts = filter(None, map(self.documents.text, names_of(name)))
        return next(texts, None) or self.documents.feed(name) or self._several_skills(f"/{name}")

    def _several_skills(self, path: str) -> Redirection | None:
        found = (each for each in skill_redirects(self._site.skills) if each.source == path)
        return next((self._moved(each.destination, _TEMPORARY) for each in found), None)

    def _page(self, path: str, *, wants_markdown: bool) -> ServedDocument | None:
        slug = find_page(self._site, path)
        if slug is None or path_of(slug) != path:
            return None
        return self.documents.markdown(slug) if wants_markdown else self.documents.page(slug)

    def _redirect(self, path: str) -> Redirection | None:
        match = self._redirects.match(path)
        return None if match is None else self._moved(match.destination, match.status)

    def _markdown_version(self, path: str) -> ServedDocument | None:
        slug = find_page(self._site, path) if path.endswith(".md") else None
        return None if slug is None else self.documents.markdown(slug)

    def _other_spelling(self, path: str) -> Redirection | None:
        slug = find_page(self._site, path.removesuffix("/").removesuffix(".html"))
        if slug is not None and path_of(slug) != path:
            return self._moved(path_of(slug), _PERMANENT)
        return None

    def _nothing(self, path: str) -> SiteContent:
        is_file = mimetypes.guess_type(path)[0] is not None
        wants_home = path == "/" or (self._site.config.not_found.redirect and not is_file)
        home = self.documents.home_of(path)
        if wants_home and home is not None and path_of(home) != path:
            return self._moved(path_of(home), _TEMPORARY)
        return self.documents.not_found(path)

    def _moved(self, destination: str, status: int) -> Redirection:
        # Two leading slashes would name another host.
        is_inside = destination.startswith("/") and not destination.startswith("//")
        return Redirection(self._base_path + destination if is_inside else destination, status)
