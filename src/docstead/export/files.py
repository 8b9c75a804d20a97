"""Static files of an edition.

Pages take precedence over generated files of the site, the repository's files over other generated
ones (such as `robots.txt`), and redirect pages use the remaining paths.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import cache, cached_property, partial
from pathlib import PurePosixPath

import msgspec

from docstead.base.archive_names import folded_name, is_portable
from docstead.base.errors import DocsteadError
from docstead.base.units import MIB
from docstead.content.config import Redirect
from docstead.content.filtering import filtered, visible_to
from docstead.content.generated_files import LLMS_FULL, NOT_FOUND, FileOrigin, feed_of
from docstead.content.slugs import path_of
from docstead.export.manifest import MANIFEST, MARKER, BundleFacts, facts_json
from docstead.export.options import ExportOptions
from docstead.export.page_additions import PageAddition
from docstead.export.page_scripts import PageScript
from docstead.export.redirects import script_file, with_redirects
from docstead.export.selection import with_links_outward, with_redirects_outward
from docstead.export.static_file import StaticFile
from docstead.export.temp_files import TempFiles
from docstead.markup.rendered import RenderedPage
from docstead.outputs.skill import skill_redirects
from docstead.publishing.browser_search import BrowserSearch, PageResults, ReadPage
from docstead.publishing.edition import Edition
from docstead.publishing.frames import ShellInputs
from docstead.theme.external_services import NOTHING
from docstead.theme.page import island_file
from docstead.theme.previews import logo_path

_LARGEST_LOGO = 5 * MIB
_TRANSLATIONS = PageScript("not_found.js", "ds-not-found-texts")


class StaticSite:
    """An edition as files. `results` has what was derived from its pages before.

    `chrome` is that of the last export, which is used again if its inputs are equal.
    """

    def __init__(
        self,
        edition: Edition,
        options: ExportOptions,
        results: PageResults | None = None,
        chrome: ShellInputs | None = None,
    ) -> None:
        self.edition = edition
        self.options = options
        self._results = results
        self._mode = options.mode
        requested = edition.slugs() if options.slugs is None else options.slugs
        part = filtered(visible_to(edition.site, options.groups), frozenset(requested))
        self._site = with_redirects_outward(part, edition.site, self._mode.base_url)
        self._assets = edition.assets()
        inputs = ShellInputs(
            self._site,
            self._mode,
            own_files=tuple(asset.path for asset in self._assets),
            utilities=edition.utilities.css,
            page_features=edition.page_features,
            external_services=options.external_services or NOTHING,
            features=options.features,
            logo=_logo(edition),
        )
        self.chrome = chrome if chrome == inputs else inputs
        self._shell = self.chrome.shell
        self._generated = self.chrome.generated
        self.slugs = tuple(slug for slug in edition.slugs() if slug in self._site.pages)
        self.framed: tuple[str, ...] = ()  # files that depend on the frame only, once written

    def page_files(self, slugs: Iterable[str]) -> Iterator[StaticFile]:
        """Yield each page as HTML and as Markdown, and its islands' script."""
        for slug in slugs:
            page = self._page(slug)
            yield StaticFile.of(self._shell.file_of(slug), self._shell.page(page).encode())
            yield StaticFile.of(
                self._shell.markdown_of(slug), self._generated.markdown(page).encode()
            )
            if feed := self._generated.feed(page):
                yield StaticFile.of(_checked(feed_of(slug)), feed.encode())
            if islands := island_file(page):
                yield StaticFile.of(_checked(islands), page.script.encode())

    def page_paths(self, slug: str) -> tuple[str, ...]:
        """Return the paths that files of a page may have, without its islands'."""
        return self._shell.file_of(slug), self._shell.markdown_of(slug), feed_of(slug)

    @cached_property
    def keys(self) -> Mapping[str, str]:
        """Keys of pages that could be rendered."""
        failed = self.edition.failed_pages()
        keys = self.edition.page_keys()
        return {slug: key for slug, key in keys.items() if key and slug not in failed}

    @cached_property
    def frame(self) -> str:
        """Digest of everything else that pages depend on."""
        edition, paths = self.edition, tuple(asset.path for asset in self._assets)
        styles = edition.utilities.css, edition.page_features
        site = edition.site, self.chrome.logo
        options = replace(self.options, version=None)  # a label, which no page shows
        inputs = (edition.made_by, site, options, self.slugs, paths, styles)
        return hashlib.sha256(msgspec.json.encode(inputs)).hexdigest()

    @property
    def keeps_results(self) -> bool:
        """Whether results of pages are kept for the next export."""
        return self._results is not None

    @property
    def shared(self) -> int:
        """Number of `shared_files`."""
        return len(self.slugs) + len(self._asset_files)

    def shared_files(self, numbers: Iterable[int]) -> Iterator[StaticFile]:
        """Yield pages and assets by number, for several writing processes."""
        for number in numbers:
            if number < len(self.slugs):
                yield from self.page_files(self.slugs[number : number + 1])
            else:
                yield self._asset_files[number - len(self.slugs)]

    def other_files(self, temp_files: TempFiles) -> Iterator[StaticFile]:
        """Yield all other files, each path once; large ones are held in `temp_files`."""
        yield from self._asset_files
        yield from self.gathered_files(temp_files)

    def part(self, number: int, parts: int) -> tuple[str, ...]:
        """Return one of the `parts` of all pages, by number from 0."""
        pages = len(self.slugs)
        return self.slugs[pages * number // parts : pages * (number + 1) // parts]

    def additions(self, slugs: Iterable[str]) -> Iterator[PageAddition]:
        """Yield what these pages add to the files of all pages."""
        for slug in slugs:
            key, read = self._known_key(slug), cache(self._page)
            yield PageAddition(self._text_of(slug, key, read), self._search.made(slug, read))

    def gathered_files(
        self, temp_files: TempFiles, additions: Iterable[PageAddition] | None = None
    ) -> Iterator[StaticFile]:
        """Yield the files that are not in `shared_files`, without `framed` ones.

        `additions` are those of all pages in order, unless they are made here.
        """
        taken = {*self._page_paths, *(file.path for file in self._asset_files), *self.framed}
        if not self.framed:
            framed = []
            for file in _untaken(self._framed_files(), taken):
                framed.append(file.path)
                yield file
            self.framed = tuple(framed)
        made = self.additions(self.slugs) if additions is None else additions
        yield from _untaken(self._of_all_pages(temp_files, made), taken)
        stand_ins = []
        for file in _distinct(self._redirect_pages(), taken):
            stand_ins.append(file.path)
            yield file
        yield StaticFile.of(MARKER, facts_json(self._facts(stand_ins)))

    def _redirect_pages(self) -> Iterator[StaticFile]:
        for path, html in self._shell.redirect_pages().items():
            yield StaticFile.of(_checked(path), html.encode())

    def _framed_files(self) -> Iterator[StaticFile]:
        yield from _of_bytes(self._shell_assets)
        yield from self._not_found()
        yield from _of_bytes(self._generated.texts())
        yield from _of_bytes(self._generated.texts(FileOrigin.PART))

    @cached_property
    def _shell_assets(self) -> Mapping[str, bytes]:
        return self._shell.assets()

    @cached_property
    def _page_paths(self) -> frozenset[str]:
        pages = (self._shell.file_of(slug) for slug in self.slugs)
        markdown_files = (self._shell.markdown_of(slug) for slug in self.slugs)
        return frozenset((*pages, *markdown_files, MARKER, MANIFEST))

    @cached_property
    def _asset_files(self) -> tuple[StaticFile, ...]:
        """Return repository files whose paths are not taken by generated files."""
        generated = frozenset(self.framed) or self._shell_assets.keys()
        return tuple(
            StaticFile(
                _checked(asset.path),
                asset.size_bytes,
                partial(self.edition.blocks, asset),
                sha256=asset.sha256,
            )
            for asset in self._assets
            if asset.path not in self._page_paths and asset.path not in generated
        )

    def _not_found(self) -> Iterator[StaticFile]:
        root = f"{self._mode.base_path}/" if self._mode.is_placed else ""
        html = self._shell.not_found()
        if texts := self._shell.not_found_texts():
            html = _TRANSLATIONS.added(html, texts, root)
            yield StaticFile.of(*_TRANSLATIONS.file())
        redirecting = with_redirects(html, self._site.config.redirects, root)
        yield StaticFile.of(NOT_FOUND, redirecting.encode())
        if redirecting is not html:
            yield StaticFile.of(*script_file())

    def _facts(self, stand_ins: Iterable[str]) -> BundleFacts:
        home = self._shell.home
        home_redirects = (Redirect("/", path_of(home), permanent=False),) if home else ()
        home_redirects = home_redirects if home != "index" else ()
        skills = skill_redirects(self._site.skills)
        return BundleFacts(
            version=self.options.version,
            commit=self.edition.commit,
            deployment_type=self.options.deployment_type.value,
            features=self.options.features.by_name(),
            redirects=(*self._site.config.redirects, *home_redirects, *skills),
            redirect_pages=tuple(stand_ins),
            connects=self._shell.services.connects,
            scripts=self._shell.services.third_party.scripts,
        )

    @cached_property
    def _search(self) -> BrowserSearch:
        return BrowserSearch(self._shell, self._site, self._results)

    def _of_all_pages(
        self, temp_files: TempFiles, additions: Iterable[PageAddition]
    ) -> Iterator[StaticFile]:
        """Yield files made from all pages: full text and search index."""
        if self._results is not None:
            keys = {slug: self.keys[slug] for slug in self.slugs if slug in self.keys}
            self._search.renew(keys, self._page)
        file = temp_files.add(LLMS_FULL, self._full_text(additions))
        if file.size_bytes:
            yield file
        yield from (StaticFile.of(*found) for found in self._search.files())

    def _full_text(self, additions: Iterable[PageAddition]) -> Iterator[bytes]:
        """Yield the full text by page, and add each page to the search."""
        for slug, addition in zip(self.slugs, additions, strict=True):
            if addition.search is not None:
                self._search.add(slug, addition.search)
            yield addition.text

    def _text_of(self, slug: str, key: str, read: ReadPage) -> bytes:
        """Return the page in the full text; nothing if it is not public."""
        name, digest = f"text/{slug}", ""
        if self._results is not None and key:
            digest = f"{self._generated.llms_full_digest(slug)} {key}"
            known = self._results.get(name, digest)
            if known is not None:
                return known
        text = "".join(self._generated.llms_full((read(slug),))).encode()
        if self._results is not None and key:
            self._results.put(name, digest, text)
        return text

    def _known_key(self, slug: str) -> str:
        """Return the key of a page whose results may be kept, or nothing."""
        return self.keys.get(slug, "") if self._results is not None else ""

    def _page(self, slug: str) -> RenderedPage:
        page = self.edition.page(slug)
        if page is None:
            raise DocsteadError(f"the edition has lost its page {slug}")
        return with_links_outward(page, self.edition.site, self._site, self._mode.base_url)


def _logo(edition: Edition) -> bytes:
    """Return the logo of the link preview, or b""."""
    asset = edition.asset(logo_path(edition.site.config))
    if asset is None or asset.size_bytes > _LARGEST_LOGO:
        return b""
    return b"".join(edition.blocks(asset))


def _untaken(files: Iterable[StaticFile], taken: set[str]) -> Iterator[StaticFile]:
    """Yield files whose paths are not taken yet."""
    for file in files:
        if file.path not in taken:
            taken.add(file.path)
            yield file


def _distinct(files: Iterable[StaticFile], taken: Iterable[str]) -> Iterator[StaticFile]:
    """Yield files whose paths are valid, and not taken, on all file systems."""
    names = {folded_name(path) for path in taken}
    for file in files:
        if is_portable(file.path) and folded_name(file.path) not in names:
            names.add(folded_name(file.path))
            yield file


def _of_bytes(files: Mapping[str, bytes]) -> Iterator[StaticFile]:
    for path, data in files.items():
        yield StaticFile.of(path, data)


def _checked(path: str) -> str:
    """Return a path after verifying that it stays below the root of the export."""
    parts = PurePosixPath(path).parts
    if not parts or path.startswith("/") or ".." in parts or "\\" in path or "\0" in path:
        raise DocsteadError(f"{path!r} is not the path of a file")
    return path
