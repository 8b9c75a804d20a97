"""Documents of one edition below one base path, rendered on first use."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cached_property

from docstead.base.features import ALL_FEATURES, Features
from docstead.content.generated_files import FEED, LLMS, LLMS_FULL, LLMS_PARTS
from docstead.content.slugs import find_page, path_of
from docstead.hosting.pointers import page_headers
from docstead.hosting.served_document import HTML, RecentDocuments, ServedDocument, document
from docstead.hosting.speculation import speculation_header, speculation_rules
from docstead.outputs.search_bundle import FOLDER as SEARCH_FOLDER
from docstead.outputs.search_bundle import INDEX as SEARCH_INDEX
from docstead.outputs.search_bundle import announcing, joined
from docstead.publishing.assets import content_type
from docstead.publishing.browser_search import search_files
from docstead.publishing.edition import Edition
from docstead.publishing.frames import ShellInputs
from docstead.theme.external_services import NOTHING, ExternalServices
from docstead.theme.mode import ShellMode
from docstead.theme.oauth import OAUTH_PAGE
from docstead.theme.page import ISLANDS, island_file, slug_of_island_file

MARKDOWN = "text/markdown; charset=utf-8"
_PREVIEWS = "_docs/preview/"
_MOST_BYTES = 20_000_000  # of an image behind the text of a preview


class SiteDocuments:
    """Pages, their Markdown versions and site-wide text files.

    All are cached in `recent` under the edition's id, so cached entries are never stale.
    """

    def __init__(
        self,
        edition: Edition,
        base_path: str,
        site_url: str,
        recent: RecentDocuments,
        external_services: ExternalServices = NOTHING,
        *,
        features: Features = ALL_FEATURES,
        is_shared: bool = False,
        before: SiteDocuments | None = None,
    ) -> None:
        """Initialize; `before` are the documents of the previous edition at the same URL."""
        self._edition = edition
        self._base_path = base_path
        self._is_shared = is_shared
        mode = ShellMode.hosted(base_path, site_url, is_shared=is_shared)
        frame = ShellInputs.of(edition, mode, external_services, features)
        self._frame: ShellInputs = before._frame if before and before._frame == frame else frame
        self._shell = self._frame.shell
        self._recent = recent
        here = (is_shared, base_path, site_url)
        self._key = (edition.id, *here, features, external_services)

    @property
    def connects(self) -> tuple[str, ...]:
        """Other origins to which scripts of the pages send requests."""
        assistant = self._shell.services.assistant
        asked = [f"{assistant.url}/"] if assistant else []
        if self._is_shared or not self._edition.site.config.api.playground_proxy:
            asked.append("https:")
        if "socket" in self._edition.page_features:
            asked += ("wss:", "ws:")  # not proxied: browsers connect directly
        return (*asked, *self._shell.services.third_party.connects)

    @property
    def scripts(self) -> tuple[str, ...]:
        """Other origins from which the pages load scripts."""
        return self._shell.services.third_party.scripts

    @property
    def home(self) -> str | None:
        """Slug of the page at the root, or of the page that it redirects to if not "index"."""
        return self._shell.home

    def home_of(self, path: str) -> str | None:
        """Return the first page in the language of the pages around a path, or the home page."""
        contexts = self._shell.contexts
        language = contexts.language_at(path.lstrip("/"))
        return (contexts.home_in(language) if language else None) or self.home

    def page(self, slug: str) -> ServedDocument | None:
        return self._kept("page", slug, self._make_page)

    def markdown(self, slug: str) -> ServedDocument | None:
        return self._kept("markdown", slug, self._make_markdown)

    def not_found(self, path: str) -> ServedDocument:
        """Return the 404 page in the language of the pages around a path."""
        language = self._shell.contexts.language_at(path.lstrip("/")) or ""
        return self._kept("not-found", language, self._make_not_found) or self._make_not_found("")

    def shared(self, name: str) -> ServedDocument | None:
        """Return a style sheet or script of the shell, `_docs/…`; its name contains its hash."""
        if name.startswith(f"{SEARCH_FOLDER}/"):
            return self._search_file(name)
        if name.startswith(_PREVIEWS):
            return self._kept("preview", name, self._make_preview)
        if name not in self._frame.assets:
            return speculation_rules(name, self._base_path)
        return self._kept("shared", name, self._make_shared)

    def islands(self, name: str) -> ServedDocument | None:
        """Return the script of a page's islands; its name contains the page's hash and its own."""
        if not name.startswith(f"{ISLANDS}/"):
            return None
        slug = slug_of_island_file(name)
        page = self._edition.page(slug) if slug in self._frame.site.pages else None
        if page is None or island_file(page) != name:
            return None
        return document(page.script, _content_type(name), immutable=True)

    def text(self, name: str) -> ServedDocument | None:
        """Return a generated text file: `sitemap.xml`, `robots.txt`, `llms.txt` and others."""
        is_part = name.startswith(LLMS_PARTS) and name in self._frame.parts
        if name not in self._frame.texts and name != LLMS_FULL and not is_part:
            return None
        return self._kept("text", name, self._make_text)

    def feed(self, name: str) -> ServedDocument | None:
        """Return the feed of a changelog, `<page>/rss.xml`."""
        folder, slash, file = name.rpartition("/")
        if not slash or file != FEED:
            return None
        slug = find_page(self._frame.site, folder)
        return None if slug is None else self._kept("feed", slug, self._make_feed)

    def _search_file(self, name: str) -> ServedDocument | None:
        """Return a file of the browser search index, which is built on the first search."""
        data = self._search_files.get(name)
        if data is None:
            return self._joined_search_files(name)
        if name == SEARCH_INDEX:
            return document(announcing(data), _content_type(name))
        return document(data, _content_type(name), immutable=True)

    def _joined_search_files(self, name: str) -> ServedDocument | None:
        data = joined(name, self._search_files.get)
        if data is None:
            return None
        return replace(document(data, _content_type(name), immutable=True), is_cacheable=False)

    @cached_property
    def _search_files(self) -> Mapping[str, bytes]:
        shown = self._frame.site.pages
        pages = (self._edition.page(slug) for slug in self._edition.slugs() if slug in shown)
        found = (page for page in pages if page is not None)
        return dict(search_files(self._shell, self._frame.site, found))

    def _make_page(self, slug: str) -> ServedDocument | None:
        rendered = self._edition.page(slug)
        if rendered is None:
            return None
        headers = self._page_headers(slug)
        if not self._is_shared:  # links of an opaque origin are never same-origin
            headers = (*headers, speculation_header(self._base_path, self._frame.own_files))
        return document(self._shell.page(rendered), headers=headers)

    def _make_markdown(self, slug: str) -> ServedDocument | None:
        rendered = self._edition.page(slug)
        if rendered is None:
            return None
        return document(
            self._frame.generated.markdown(rendered), MARKDOWN, headers=self._page_headers(slug)
        )

    def _make_feed(self, slug: str) -> ServedDocument | None:
        rendered = self._edition.page(slug)
        feed = None if rendered is None else self._frame.generated.feed(rendered)
        return None if feed is None else document(feed, "application/rss+xml; charset=utf-8")

    def _make_not_found(self, language: str) -> ServedDocument:
        return document(self._shell.not_found(language), HTML, status=404)

    def _make_shared(self, name: str) -> ServedDocument:
        is_immutable = name != OAUTH_PAGE
        data = self._frame.assets[name]
        return document(data, _content_type(name), immutable=is_immutable, is_shared=True)

    def _make_preview(self, name: str) -> ServedDocument | None:
        image = self._shell.preview(name, self._file)
        return None if image is None else document(image, _content_type(name))

    def _file(self, path: str) -> bytes | None:
        asset = self._edition.asset(path)
        if asset is None or asset.size_bytes > _MOST_BYTES:
            return None
        return b"".join(self._edition.blocks(asset))

    def _make_text(self, name: str) -> ServedDocument | None:
        if name == LLMS_FULL:
            pages = map(self._edition.page, self._edition.slugs())
            full = "".join(
                self._frame.generated.llms_full(page for page in pages if page is not None)
            )
            return document(full, _content_type(name)) if full else None
        texts = self._frame.parts if name.startswith(LLMS_PARTS) else self._frame.texts
        return document(texts[name], _content_type(name))

    def _page_headers(self, slug: str) -> tuple[tuple[str, str], ...]:
        markdown_path = "/index.md" if slug == "index" else f"{path_of(slug)}.md"
        return page_headers(self._base_path, markdown_path, self._has_text)

    def _has_text(self, name: str) -> bool:
        has_llms = LLMS in self._frame.texts or self._edition.asset(LLMS) is not None
        return has_llms if name in (LLMS, LLMS_FULL) else name in self._frame.texts

    def _kept(
        self, kind: str, name: str, make: Callable[[str], ServedDocument | None]
    ) -> ServedDocument | None:
        key = (*self._key, kind, name)
        found = self._recent.get(key)
        if found is None:
            found = make(name)
            if found is not None:
                self._recent.add(key, found)
        return found


def _content_type(name: str) -> str:
    guessed = content_type(name)
    if guessed.startswith("text/") or guessed in ("application/xml", "application/javascript"):
        return f"{guessed}; charset=utf-8"
    return guessed
