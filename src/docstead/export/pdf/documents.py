"""Documents to print: title and contents, and parts of a few pages each."""

from __future__ import annotations

import mimetypes
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from urllib.parse import unquote

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from docstead.base.errors import DocsteadError
from docstead.content.filtering import filtered, visible_to
from docstead.content.slugs import find_page, path_of
from docstead.export.pdf.articles import LinkTargets, PageArticle, anchor_id, article, page_id
from docstead.export.pdf.contents import ContentsEntry
from docstead.export.pdf.options import Paper, PdfOptions
from docstead.markup.rendered import RenderedPage
from docstead.markup.words import direction, language_tag, shell_texts
from docstead.publishing.edition import Edition
from docstead.rendering.chromium import ORIGIN, OfflineDocument
from docstead.theme.document import PageShell
from docstead.theme.links import SiteLinks
from docstead.theme.mode import ShellMode

_PART_BYTES = 600_000
_PART_PAGES = 40
_ARE_RENDERED = "!document.querySelector('.ds-mermaid:not([data-drawn]):not([data-failed])')"
_PAPER_CSS = Path(__file__).with_name("paper.css")
_CSS_UNSAFE = str.maketrans({char: f"\\{ord(char):x} " for char in "\"'\\<>&\n\r\f{};"})


@dataclass(frozen=True, slots=True)
class PrintedArticle:
    """A page as passed to the template."""

    id: str
    title: str
    lang: str
    dir: str
    html: Markup
    has_title: bool
    description: Markup | None = None
    eyebrow: str = ""


@dataclass(frozen=True, slots=True)
class DocumentPart:
    """Pages that are printed as one document. `ids` may be link destinations."""

    pages: tuple[PrintedArticle, ...]
    slugs: tuple[str, ...]
    ids: tuple[str, ...]
    has_diagrams: bool = False


@dataclass(frozen=True, slots=True)
class ContentsRow:
    """A row of the printed contents; `number` is a page of the PDF."""

    title: str
    depth: int
    is_group: bool
    href: str = ""
    number: str = field(default="")


class PdfDocuments:
    """Writes the documents of one PDF."""

    def __init__(
        self, edition: Edition, entries: Sequence[ContentsEntry], options: PdfOptions
    ) -> None:
        self._edition = edition
        self._options = options
        slugs = [slug for entry in entries for slug in entry.slugs()]
        self.numbers = {slug: number for number, slug in enumerate(slugs)}
        self._whole = visible_to(edition.site)
        self._site = filtered(self._whole, frozenset(slugs))
        self._paths = [asset.path for asset in edition.assets()]
        mode = ShellMode.bundle(options.base_url)
        self._links = SiteLinks(self._whole, mode)
        self._shell = PageShell(
            self._site,
            mode,
            self._paths,
            utilities=edition.utilities.css,
            page_features=edition.page_features,
        )
        self._files = self._shell.assets()
        self._by_file = {
            self._links.target_of(slug): number for slug, number in self.numbers.items()
        }
        self._targets = LinkTargets(self._number, self._public)

    # Parts

    def parts(self) -> Iterator[DocumentPart]:
        """Yield all pages in order, in parts of a limited size."""
        waiting: list[tuple[str, RenderedPage, PageArticle]] = []
        size = 0
        for slug in self.numbers:
            rendered, found = self._article(slug)
            is_full = size + len(found.html) > _PART_BYTES or len(waiting) == _PART_PAGES
            if waiting and (is_full or found.has_styles or waiting[-1][2].has_styles):
                yield self._part(waiting)
                waiting, size = [], 0
            waiting.append((slug, rendered, found))
            size += len(found.html)
        if waiting:
            yield self._part(waiting)

    def single(self, slug: str) -> DocumentPart:
        """Return a part with a single page."""
        return self._part([(slug, *self._article(slug))])

    def plain(self, slug: str) -> DocumentPart:
        """Return a part with a single page as Markdown text."""
        rendered = self._page(slug)
        html = Markup("<pre class='ds-pdf-plain'>{}</pre>").format(rendered.markdown)
        return self._part([(slug, rendered, PageArticle(str(html), (), has_styles=False))])

    def job(self, part: DocumentPart, first_page: int) -> OfflineDocument:
        """Return the document of a part whose first printed page has this number."""
        scripts = self._diagram_scripts() if part.has_diagrams else ()
        html = (
            _templates()
            .get_template("part.html")
            .render(
                **self._frame(),
                paper=Markup(self._paper_css(part.pages, first_page)),  # noqa: S704 - our own
                pages=part.pages,
                ids=part.ids,
                scripts=scripts,
            )
        )
        paths = tuple(path for path, options in scripts for path in (path, *dict(options).values()))
        return OfflineDocument(html, self._file, paths, _ARE_RENDERED if scripts else "true")

    def front(self, rows: Iterable[ContentsRow]) -> OfflineDocument:
        """Return the document with title and contents."""
        config, logo = self._site.config, self._logo()
        words = shell_texts(self._language)
        html = (
            _templates()
            .get_template("front.html")
            .render(
                **self._frame(),
                paper=Markup(self._paper_css((), 1)),  # noqa: S704 - our own
                logo=logo,
                title=config.name,
                subtitle=self._options.subtitle,
                edition=self._options.edition,
                heading=words.table_of_contents,
                rows=tuple(rows),
            )
        )
        return OfflineDocument(html, self._file)

    @property
    def title(self) -> str:
        """Names of the site and of the section or page."""
        name, subtitle = self._site.config.name, self._options.subtitle
        return f"{name} – {subtitle}" if subtitle else name

    @property
    def language(self) -> str:
        """BCP 47 tag of the first page's language."""
        return language_tag(self._language)

    # Pages

    def _article(self, slug: str) -> tuple[RenderedPage, PageArticle]:
        rendered = self._page(slug)
        html = str(self._shell.view(rendered).html)
        return rendered, article(html, self.numbers[slug], self._targets)

    def _page(self, slug: str) -> RenderedPage:
        page = self._edition.page(slug)
        if page is None:
            raise DocsteadError(f"the edition has lost its page {slug}")
        return page

    def headings(self, slug: str) -> Iterator[tuple[int, str, str]]:
        """Yield level, text and id of a page's headings."""
        number = self.numbers[slug]
        for heading in self._page(slug).headings:
            if heading.anchor and heading.text:
                yield heading.level, heading.text, anchor_id(number, heading.anchor)

    def _part(self, pages: Sequence[tuple[str, RenderedPage, PageArticle]]) -> DocumentPart:
        return DocumentPart(
            pages=tuple(self._printed(rendered, found) for _, rendered, found in pages),
            slugs=tuple(slug for slug, _, _ in pages),
            ids=tuple(
                name
                for slug, _, found in pages
                for name in (page_id(self.numbers[slug]), *found.ids)
            ),
            has_diagrams=any("mermaid" in rendered.features for _, rendered, _ in pages),
        )

    def _printed(self, rendered: RenderedPage, found: PageArticle) -> PrintedArticle:
        view, language = self._shell.view(rendered), self._shell.contexts.language(rendered.slug)
        return PrintedArticle(
            id=page_id(self.numbers[rendered.slug]),
            title=view.title,
            lang=language_tag(language),
            dir=direction(language),
            html=Markup(found.html),  # noqa: S704 - HTML of the engine
            has_title=view.has_title or "<h1" not in found.html,
            description=view.description,
            eyebrow=" › ".join(entry.label for entry in view.eyebrow),
        )

    # Links and files

    def _number(self, path: str) -> tuple[int, str] | None:
        bare, _, fragment = path.partition("#")
        target, _, moved = self._links.target(bare.partition("?")[0].strip("/")).partition("#")
        number = self._by_file.get(target)
        return None if number is None else (number, fragment or moved)

    def _public(self, path: str) -> str:
        base = self._options.base_url.rstrip("/")
        if not base:
            return ""
        bare, mark, fragment = path.partition("#")
        slug = find_page(self._whole, bare)
        return base + (path_of(slug) if slug else bare) + mark + fragment

    def _file(self, path: str) -> tuple[bytes, str] | None:
        """Return the bytes of a file of the site, and its media type."""
        bare = unquote(path.partition("?")[0].partition("#")[0])
        media = mimetypes.guess_type(bare)[0] or "application/octet-stream"
        if bare in self._files:
            return self._files[bare], media
        asset = self._edition.asset(bare)
        return None if asset is None else (b"".join(self._edition.blocks(asset)), media)

    def _logo(self) -> str:
        """Return the path of the logo for light pages, or ""."""
        logo = self._site.config.logo
        path = logo.image.light.lstrip("/") if logo else ""
        return path if path in self._paths else ""

    def _diagram_scripts(self) -> tuple[tuple[str, tuple[tuple[str, str], ...]], ...]:
        names = ("diagrams.js", "mermaid.js", "mermaid-all.js")
        main, library, complete = map(self._shell.path_of, names)
        if not (main and library and complete):
            return ()
        return ((main, (("library", library), ("complete", complete))),)

    # Style

    @property
    def _language(self) -> str | None:
        return self._shell.contexts.language(next(iter(self.numbers)))

    def _frame(self) -> dict[str, object]:
        return {
            "lang": self.language,
            "dir": direction(self._language),
            "look": self._site.config.theme,
            "name": self.title,
            "origin": ORIGIN,
            "styles": self._shell.style_sheets,
        }

    def _running_title(self, page: PrintedArticle) -> str:
        """Return the titles of the PDF and the page, or only one if they are equal."""
        is_one = page.title == self._options.subtitle
        return self.title if is_one else f"{self.title} · {page.title}"

    def _paper_css(self, pages: Sequence[PrintedArticle], first_page: int) -> str:
        """Return CSS for size, numbers and running titles. Chromium lays out before it numbers."""
        name = _css_string(self.title)
        running = "".join(
            f"@page {page.id}{{@bottom-left{{content:{_css_string(self._running_title(page))}}}}}"
            for page in pages
        )
        return (
            f"{_page_css(self._options.paper, name)}html{{counter-reset:page {first_page - 1}}}"
            f"{running}{_PAPER_CSS.read_text()}"
        )


def _page_css(paper: Paper, name: str) -> str:
    font = "font:7.5pt Inter,sans-serif;color:#6b7280;vertical-align:top;padding-top:5mm"
    return (
        f"@page{{size:{paper};margin:20mm 18mm 20mm;"
        f"@bottom-left{{content:{name};{font};width:85%;white-space:nowrap;overflow:hidden}}"
        f"@bottom-right{{content:counter(page);{font}}}}}"
        "@page title{@bottom-left{content:none}@bottom-right{content:none}}"
    )


def _css_string(text: str) -> str:
    return f'"{text.translate(_CSS_UNSAFE)}"'


@lru_cache(maxsize=1)
def _templates() -> Environment:
    return Environment(
        loader=PackageLoader("docstead.export.pdf"),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=StrictUndefined,
        auto_reload=False,
    )
