"""RSS feed of a changelog: one entry per heading of its updates."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from html import escape, unescape

import msgspec

from docstead.base.decoders import json_decoder
from docstead.base.texts import clean
from docstead.content.generated_files import FEED
from docstead.content.pages import PageMeta, Section
from docstead.markup.fenced_code import without_fenced_code
from docstead.markup.rendered import LINK_MARK, RenderedPage
from docstead.search.chunks import without_own_heading

# Attributes may be in any order.
_UPDATE = re.compile(
    r'<(?:section|div) (?=[^<>]*\bclass="ds-update\b)(?:[^<>]*?\bdata-rss="(?P<rss>[^"]*)")?[^<>]*>'
    r'<div class="ds-update-side">(?:<div [^<>]*>)?<h\d (?=[^<>]*\bclass="ds-update-label")'
    r'[^<>]*?\bid="(?P<id>[^"]+)"'
)
_CODE = re.compile(r"`[^`\n]*`|<[^<>\n]+>")
_LINK = re.compile(rf"\]\({LINK_MARK}?(/[^)\s]*)\)")
_WRITTEN = json_decoder(tuple[str, str])
_DATES = ("%Y-%m-%d", "%B %d, %Y", "%b %d, %Y", "%d %B %Y", "%B %Y", "%b %Y", "%Y-%m", "%Y/%m/%d")


@dataclass(frozen=True, slots=True)
class _FeedEntry:
    title: str
    anchor: str
    text: str
    date: datetime | None


def feed_xml(meta: PageMeta, page: RenderedPage, *, site: str, url: str, root: str) -> str:
    """Return RSS 2.0; `url` is the page's public URL, `root` the site's without a slash."""
    items = "".join(_item(entry, url, root) for entry in _entries(page))
    title = escape(f"{meta.title} - {site}")
    described = escape(meta.description or meta.title)
    return clean(
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        '<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom"><channel>\n'
        f"<title>{title}</title><link>{escape(url)}</link>"
        f"<description>{described}</description>\n"
        f'<atom:link href="{escape(url)}/{FEED}" rel="self" type="application/rss+xml"/>\n'
        f"{items}</channel></rss>\n"
    )


def _item(entry: _FeedEntry, url: str, root: str) -> str:
    link = escape(f"{url}#{entry.anchor}")
    text = escape(_LINK.sub(lambda match: f"]({root}{match[1]})", entry.text))
    date = f"<pubDate>{_in_words(entry.date)}</pubDate>" if entry.date else ""
    return (
        f"<item><title>{escape(entry.title)}</title><link>{link}</link>"
        f'<guid isPermaLink="true">{link}</guid>{date}<description>{text}</description></item>\n'
    )


def _in_words(date: datetime) -> str:
    from email.utils import format_datetime  # slow to import, for few sites

    return format_datetime(date)


def _entries(page: RenderedPage) -> Iterator[_FeedEntry]:
    own = {found["id"]: found["rss"] for found in _UPDATE.finditer(page.html)}
    update: Section | None = None
    inner: list[Section] = []
    for section in page.sections:
        if section.anchor in own:
            yield from _of_update(update, inner, own)
            update, inner = section, []
        elif update is not None and section.anchor:
            inner.append(section)
    yield from _of_update(update, inner, own)


def _of_update(
    update: Section | None, inner: list[Section], own: Mapping[str, str | None]
) -> Iterator[_FeedEntry]:
    """Yield one entry per heading, or the one that its author wrote (`rss`)."""
    if update is None:
        return
    date = _date(update.heading_path[-1]) or _date(_first_line(update.markdown))
    if (written := _written(own[update.anchor])) is not None:
        title, text = written
        yield _FeedEntry(title or update.heading_path[-1], update.anchor, text, date)
        return
    for section in inner or [update]:
        yield _FeedEntry(section.heading_path[-1], section.anchor, _text(section.markdown), date)


def _written(attribute: str | None) -> tuple[str, str] | None:
    """Return title and text of an entry, which the component stores in an attribute."""
    try:
        return _WRITTEN.decode(unescape(attribute)) if attribute else None
    except msgspec.DecodeError:  # an author wrote the attribute manually
        return None


def _text(markdown: str) -> str:
    """Return Markdown without code and HTML, which feed readers show badly."""
    bare = _CODE.sub("", without_fenced_code(without_own_heading(markdown)))
    return re.sub(r"\n{3,}", "\n\n", bare).strip()


def _first_line(markdown: str) -> str:
    return next((line for line in without_own_heading(markdown).splitlines() if line.strip()), "")


def _date(text: str) -> datetime | None:
    for pattern in _DATES:
        try:
            return datetime.strptime(text.strip(" *_"), pattern).replace(tzinfo=UTC)
        except ValueError:
            continue
    return None
