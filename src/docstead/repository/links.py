"""Broken links and images within a repository (anchors are checked elsewhere)."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Iterator
from functools import partial
from typing import Any, NamedTuple
from urllib.parse import unquote

from docstead.content.config import LinkItem, Redirect, SiteConfig
from docstead.content.generated_files import FEED, is_generated
from docstead.content.pages import Repository
from docstead.content.setting_keys import declared, key_of
from docstead.content.slugs import PAGE_SUFFIXES, find_slug, inner_path, path_of, slug_of
from docstead.content.style_settings import BackgroundSettings, LightAndDark
from docstead.content.written_settings import ThumbnailKeys, WrittenSettings
from docstead.repository.json_fields import ObjectReader
from docstead.repository.json_text import JsonArray, JsonObject
from docstead.repository.markdown_text import without_code
from docstead.repository.nearest import NearestFiles, NearestPages
from docstead.repository.parse_cache import SHARED, ParseCache
from docstead.repository.positions import Diagnostics, FilePosition, LineIndex
from docstead.repository.reading import check_reading
from docstead.repository.redirects import RedirectTable
from docstead.repository.sources import is_media

_INLINE = re.compile(
    r"\]\([ \t\n]*(?:<(?P<angled>[^<>\n]{1,2000})>"
    r"|<?(?P<bare>(?:[^()\s<>]|\([^()\s]{0,200}\)){1,2000}))"
)
_DEFINITION = re.compile(r"\]:[ \t]*<?([^\s>]+)")
_LABEL = re.compile(r"[ ]{0,3}\[[^\]^\n][^\]\n]{0,200}")
_LONGEST_LABEL = 205  # maximum characters matched by the expression above
_ATTRIBUTES = tuple(
    (re.compile(rf"{name}=\{{?[ \t]*([\"'])(?P<value>[^\"'\n]*)\1"), name != "href")
    for name in ("href", "src", "img")
)
_FILE_MARK = re.compile(r"[./]")
_BRACKET = re.compile(r"[\[\]\\](?:(?<=\\).)?", re.DOTALL)  # a backslash with what it escapes
_LABEL_LIMIT = 2_000  # maximum characters of a link's text
_SCHEME = re.compile(r"[a-zA-Z][a-zA-Z0-9+.-]*:|//")
_HOPS = 5  # maximum length of a chain of redirects


class WrittenLink(NamedTuple):
    """A link as written, with the offset of its target; a tuple, which is pickled quickly."""

    target: str
    offset: int
    image: bool


def links_of(source: str) -> Iterator[WrittenLink]:
    """Yield links and images of MDX outside code and comments, except external URLs."""
    return _links_in(without_code(source))


def _links_in(text: str) -> Iterator[WrittenLink]:
    found = (*_inline_links(text), *_definitions(text), *_attributes(text))
    return (link for link in found if _is_internal(link.target))


def _inline_links(text: str) -> Iterator[WrittenLink]:
    pairs = _brackets(text) if "](" in text else {}
    for match in _INLINE.finditer(text):
        opening = pairs.get(match.start())
        if opening is not None and match.start() - opening < _LABEL_LIMIT:
            name = "angled" if match["angled"] else "bare"
            is_image = text[max(0, opening - 1) : opening] == "!"
            yield WrittenLink(match[name], match.start(name), is_image)


def _definitions(text: str) -> Iterator[WrittenLink]:
    for match in _DEFINITION.finditer(text):
        earliest = max(0, match.start() - _LONGEST_LABEL - 1)
        line_start = text.rfind("\n", earliest, match.start()) + 1
        if (line_start or not earliest) and _LABEL.fullmatch(text, line_start, match.start()):
            yield WrittenLink(match[1], match.start(1), image=False)


def _attributes(text: str) -> Iterator[WrittenLink]:
    for pattern, image in _ATTRIBUTES:
        for match in pattern.finditer(text):
            # A single word is not a file, but a value for an author's component.
            is_word = image and not _FILE_MARK.search(match["value"])
            if text[match.start() - 1 : match.start()].isspace() and not is_word:
                yield WrittenLink(match["value"], match.start("value"), image)


def _brackets(text: str) -> dict[int, int]:
    """Return the opening bracket of each closing bracket."""
    opened: list[int] = []
    pairs: dict[int, int] = {}
    for bracket in _BRACKET.finditer(text):
        if bracket.group() == "[":
            opened.append(bracket.start())
        elif bracket.group() == "]" and opened:
            pairs[bracket.start()] = opened.pop()
    return pairs


def _is_internal(target: str) -> bool:
    return bool(target) and not (
        target.startswith(("#", "?")) or _SCHEME.match(target) or "{" in target or "$" in target
    )


class LinkDestinations:
    """All valid link targets of a site."""

    def __init__(self, repository: Repository) -> None:
        self._config = repository.site.config
        self._pages = repository.pages
        self._assets = frozenset(repository.assets)
        self._redirects = RedirectTable(repository.site.config.redirects)
        self._folders = _folders(repository.pages)
        self._nearest = NearestPages(repository.pages)
        self._nearest_files = NearestFiles(repository.assets)
        self._known: dict[str, bool] = {}
        self._looping: dict[str, bool] = {}

    def has(self, path: str) -> bool:
        """Report whether a root-absolute path leads to a page or file, also through redirects.

        Paths may include the site's base path.
        """
        if path not in self._known:
            inner = inner_path(self._config, path)
            self._known[path] = self._leads(path) or (inner != path and self._leads(inner))
        return self._known[path]

    def _leads(self, path: str) -> bool:
        for _ in range(_HOPS):
            if self._is_there(path.strip("/")):
                return True
            match = self._redirects.match(path)
            if match is None:
                return False
            if not match.destination.startswith("/"):
                return True
            path = linked_path(match.destination, "")
        return False

    def _is_there(self, bare: str) -> bool:
        return (
            not bare  # the root shows the first page unless it has its own
            or find_slug(self._pages, bare) is not None
            or bare in self._assets
            or is_generated(bare)
            or bare.startswith("_docs/")
            or self._is_feed(bare)
        )

    def hint(self, path: str, linking: str | None = None) -> str:
        """Return a hint with the page that the author of the `linking` page probably meant."""
        folder = path.strip("/")
        if folder in self._folders:
            return f"It is a folder without an index page; {self._folders[folder]} is in it."
        if near := self._nearest.find(path, linking=linking):
            return f"Did you mean {path_of(near)}?"
        return "Correct the path, or add a redirect."

    def image_hint(self, path: str) -> str:
        """Return a hint with the file that the author probably meant."""
        if near := self._nearest_files.find(inner_path(self._config, path)):
            return f"Did you mean /{near}?"
        return "Correct the path, or add the file."

    def loops(self, path: str) -> bool:
        """Report whether the redirects of a path are circular.

        Results are shared along the chain, so that each redirect is followed once.
        """
        seen: set[str] = set()
        while path not in self._looping and path not in seen:
            seen.add(path)
            match = self._redirects.match(path)
            if match is None or self._is_there(path.strip("/")):
                break
            path = linked_path(match.destination, "")
        else:
            self._looping.setdefault(path, True)
        loops = self._looping.get(path, False)
        self._looping.update(dict.fromkeys(seen, loops))
        return loops

    def _is_feed(self, bare: str) -> bool:
        return bare.endswith(FEED) and find_slug(self._pages, bare.removesuffix(FEED)) is not None


def check_pages(
    repository: Repository,
    settings: ObjectReader,
    diagnostics: Diagnostics,
    parse_cache: ParseCache,
) -> None:
    """Report broken links of pages, modules and settings, and accessibility problems
    of pages.
    """
    destinations = LinkDestinations(repository)
    for page in repository.pages.values():
        if page.body and page.meta.file.endswith(PAGE_SUFFIXES):
            lines = LineIndex(page.meta.file, page.body, page.body_line)
            key = ("prose", page.meta.file, page.body_line, page.body)
            read = partial(_read_prose, page.body, lines)
            links = parse_cache.cached(key, read, diagnostics, characters=len(page.body) // SHARED)
            _check_links(links, page.meta.file, lines, destinations, diagnostics)
    for module in repository.modules.values():
        if module.path.endswith(PAGE_SUFFIXES):
            lines = LineIndex(module.path[1:], module.source, module.source_line)
            _check_links(links_of(module.source), None, lines, destinations, diagnostics)
    _check_settings(settings.values, destinations, diagnostics)
    _check_images(settings.values, destinations, diagnostics)


def _check_settings(
    values: JsonObject, destinations: LinkDestinations, diagnostics: Diagnostics
) -> None:
    for target, position in _settings_links(values):
        path = linked_path(target, "")
        if destinations.has(path):
            continue
        if not destinations.loops(path):
            _report(target, position, destinations.hint(path), diagnostics, image=False)
        else:
            message = f"the redirect to {target!r} is part of a loop"
            diagnostics.warning(
                position, "redirect-loop", message, "Let one of them lead to a page."
            )


def _check_images(
    values: JsonObject, destinations: LinkDestinations, diagnostics: Diagnostics
) -> None:
    """Report missing images of the settings, which are replaced by defaults."""
    for target, position in _settings_images(values):
        path = linked_path(target, "")
        if not destinations.has(path):
            _report(target, position, destinations.image_hint(path), diagnostics, image=True)


def _read_prose(body: str, lines: LineIndex, diagnostics: Diagnostics) -> tuple[WrittenLink, ...]:
    text = without_code(body)
    check_reading(text, lines, diagnostics)
    return tuple(_links_in(text))


def _check_links(
    links: Iterable[WrittenLink],
    file: str | None,
    lines: LineIndex,
    destinations: LinkDestinations,
    diagnostics: Diagnostics,
) -> None:
    """Check links; `file` is None for modules, whose relative links depend on the page."""
    folder = posixpath.dirname(file or "")
    for link in links:
        if file is None and not link.target.startswith("/"):
            continue
        path = linked_path(link.target, folder)
        if destinations.has(path):
            continue
        from_root = linked_path(link.target, "")
        if destinations.has(from_root):
            meant = f"Write {from_root!r}."
        elif link.image:
            meant = destinations.image_hint(path)
        else:
            meant = destinations.hint(path, file and slug_of(file))
        _report(link.target, lines.position(link.offset), meant, diagnostics, image=link.image)


def _report(
    target: str, position: FilePosition, hint: str, diagnostics: Diagnostics, *, image: bool
) -> None:
    code, what = ("broken-image", "image") if image else ("broken-link", "page or file")
    if image and is_media(linked_path(target, "")):
        code, what = "broken-link", "file"
    diagnostics.warning(position, code, f"there is no {what} at {target!r}", hint)


def linked_path(target: str, folder: str) -> str:
    """Return the root-absolute path of a link in a file of `folder`."""
    bare = unquote(target.split("#", 1)[0].split("?", 1)[0])
    joined = bare if bare.startswith("/") else posixpath.join("/", folder, bare)
    return posixpath.normpath(joined)


def _settings_links(values: JsonObject) -> Iterator[tuple[str, FilePosition]]:
    site, destination = declared(SiteConfig), key_of(declared(Redirect).destination)
    for section in (site.languages, site.navbar, site.footer):
        yield from _hrefs(values.get(key_of(section)))
    redirects = values.get(key_of(site.redirects))
    for item in redirects if isinstance(redirects, JsonArray) else ():
        target = item.get(destination) if isinstance(item, JsonObject) else None
        if isinstance(target, str) and _is_internal(target) and not re.search(r"[:*]", target):
            yield target, item.position(destination)


def _settings_images(values: JsonObject) -> Iterator[tuple[str, FilePosition]]:
    site, background = declared(SiteConfig), declared(BackgroundSettings)
    thumbnails = values.get(key_of(declared(WrittenSettings).thumbnails))
    yield from _images(values, key_of(site.logo))
    yield from _images(values, key_of(site.favicon))
    yield from _images(values.get(key_of(site.background)), key_of(background.image))
    yield from _images(thumbnails, key_of(declared(ThumbnailKeys).background))


def _images(holder: Any, key: str) -> Iterator[tuple[str, FilePosition]]:
    """Yield the image paths of a setting, possibly for light and dark."""
    image = holder.get(key) if isinstance(holder, JsonObject) else None
    if isinstance(image, JsonObject):
        yield from _images(image, key_of(declared(LightAndDark).light))
        yield from _images(image, key_of(declared(LightAndDark).dark))
    elif isinstance(image, str) and _is_internal(image) and not image.startswith("//"):
        yield image, holder.position(key)


def _hrefs(value: Any) -> Iterator[tuple[str, FilePosition]]:
    if isinstance(value, JsonArray):
        for item in value:
            yield from _hrefs(item)
    elif isinstance(value, JsonObject):
        for key, item in value.items():
            if (
                key == key_of(declared(LinkItem).href)
                and isinstance(item, str)
                and _is_internal(item)
            ):
                yield item, value.position(key)
            else:
                yield from _hrefs(item)


def _folders(pages: Any) -> dict[str, str]:
    """Return the first page of each folder without an index page."""
    found: dict[str, str] = {}
    for slug in pages:
        folder = posixpath.dirname(slug)
        while folder:
            found.setdefault(folder, path_of(slug))
            folder = posixpath.dirname(folder)
    return found
