"""Metadata of a page for search engines, previews and other programs."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from docstead.content.config import CANONICAL
from docstead.content.contexts import NavigationContexts, PagePosition
from docstead.content.navigation import NavNode, NodeKind
from docstead.content.pages import PageMeta, Site
from docstead.content.written_settings import members
from docstead.markup.words import language_tag
from docstead.theme.links import SiteLinks
from docstead.theme.markup import plain_line
from docstead.theme.previews import LinkPreviews
from docstead.theme.thumbnails import SIZE

_PROPERTIES = ("og:", "article:", "fb:", "profile:", "book:")
_ORGANIZATION = ("name", "legalName", "url", "logo", "sameAs")
_OWN = (CANONICAL, "charset", "title")
_UNSAFE = re.compile(r"\s*(?!https?:)[a-z][a-z0-9+.-]*:", re.IGNORECASE)  # other schemes


@dataclass(frozen=True, slots=True)
class HeadTags:
    """Contents of `<head>`: `metas` are (attribute, name, content)."""

    title: str
    canonical: str
    metas: tuple[tuple[str, str, str], ...]
    alternates: tuple[tuple[str, str], ...] = ()  # language tag, URL
    json_ld: str = ""


class HeadWriter:
    """Creates the heads of a site's pages."""

    def __init__(
        self, site: Site, links: SiteLinks, contexts: NavigationContexts, previews: LinkPreviews
    ) -> None:
        self._site = site
        self._config = site.config
        self._links = links
        self._contexts = contexts
        self._previews = previews

    @property
    def site_hidden(self) -> bool:
        """Whether the whole site must not be indexed."""
        return "noindex" in self._config.seo.metatags.get("robots", "").lower()

    def head(self, meta: PageMeta, position: PagePosition) -> HeadTags:
        canonical = self._canonical(meta)
        title = self._title(meta)
        metas = self._metas(meta, title, canonical)
        noindex = "noindex" in metas.get("robots", "")
        return HeadTags(
            title=title,
            canonical=canonical,
            metas=tuple((_attribute(name), name, value) for name, value in metas.items()),
            alternates=() if noindex else tuple(self._alternates(meta.slug, position)),
            json_ld="" if noindex or not canonical else self._json_ld(meta, canonical, position),
        )

    def _title(self, meta: PageMeta) -> str:
        name = self._config.name
        return name if meta.title in ("", name) else f"{meta.title} - {name}"

    def _canonical(self, meta: PageMeta) -> str:
        if meta.canonical and not _UNSAFE.match(meta.canonical):
            own = meta.canonical
            return own if "://" in own else self._links.absolute("/" + own.lstrip("/"))
        base = self._config.seo.metatags.get(CANONICAL, "").rstrip("/")
        if not base or _UNSAFE.match(base):
            return self._links.public(meta.slug)
        path = self._links.public_path(meta.slug)
        end = "/" if self._config.seo.trailing_slash else ""
        return base if path == "/" else base + path + end

    def _metas(self, meta: PageMeta, title: str, canonical: str) -> dict[str, str]:
        is_home = meta.slug == self._contexts.home
        of_site = self._config.description or ""
        description = plain_line(meta.description or of_site)
        own = {**self._config.seo.metatags, **meta.metatags}
        image = own.setdefault("og:image", self._previews.path_of(meta.slug))
        width, height = map(str, SIZE) if self._previews.is_rendered(image) else ("", "")
        computed = {
            # Duplicate descriptions rank lower, so only the home page has the site's.
            "description": description if meta.description or is_home else "",
            "keywords": ", ".join(meta.keywords),
            "robots": "noindex, nofollow" if meta.noindex or meta.hidden else "",
            "generator": "Docstead",
            "application-name": self._config.name,
            "og:type": "website" if is_home else "article",
            "og:site_name": self._config.name,
            "og:title": title,
            "og:description": description,
            "og:url": canonical,
            "og:image:width": width,
            "og:image:height": height,
            "twitter:card": "summary_large_image" if image else "summary",
            "twitter:title": title,
            "twitter:description": description,
            "twitter:image": image,
        }
        given = {name: value for name, value in own.items() if value and name not in _OWN}
        merged = {**computed, **given}
        if computed["robots"]:
            merged["robots"] = computed["robots"]
        return {name: self._whole(name, value) for name, value in merged.items() if value}

    def _whole(self, name: str, value: str) -> str:
        """Return a value with public URLs of images."""
        is_path = name.endswith(("image", "video", "audio")) and value.startswith("/")
        return self._links.absolute(value) or value if is_path else value

    def _alternates(self, slug: str, position: PagePosition) -> Iterator[tuple[str, str]]:
        level = next((lv for lv in position.context.levels if lv.kind is NodeKind.LANGUAGE), None)
        if level is None or level.chosen is None:
            return
        for other in level.siblings:
            same = self._counterpart(slug, level.chosen, other)
            if same and (url := self._links.public(same)):
                yield language_tag(other.label), url

    def _counterpart(self, slug: str, chosen: NavNode, other: NavNode) -> str | None:
        return slug if other is chosen else self._contexts.same_page(slug, chosen, other)

    def _json_ld(self, meta: PageMeta, canonical: str, position: PagePosition) -> str:
        home = self._links.absolute("/")
        website = {"@type": "WebSite", "@id": f"{home}#website", "url": home}
        organization = self._organization(home)
        publisher = {"publisher": {"@id": organization["@id"]}} if organization else {}
        graph = [
            *([organization] if organization else []),
            {**website, "name": self._config.name, **publisher},
            {
                "@type": "WebPage",
                "@id": canonical,
                "url": canonical,
                "name": meta.title,
                "isPartOf": {"@id": f"{home}#website"},
            },
            {
                "@type": "APIReference" if meta.method else "TechArticle",
                "@id": f"{canonical}#article",
                "headline": meta.title,
                "description": plain_line(meta.description or ""),
                "url": canonical,
                "inLanguage": language_tag(meta.language),
                "mainEntityOfPage": {"@id": canonical},
                **({"dateModified": meta.updated} if meta.updated else {}),
                **publisher,
            },
            {
                "@type": "BreadcrumbList",
                "itemListElement": list(self._crumbs(meta, canonical, position)),
            },
        ]
        text = json.dumps({"@context": "https://schema.org", "@graph": graph}, ensure_ascii=False)
        return text.replace("<", "\\u003c")

    def _organization(self, home: str) -> dict[str, Any]:
        """Return the publisher of the site (`seo.organization`), or an empty object."""
        given = members(self._config.extra.seo).get("organization")
        if not isinstance(given, Mapping):
            return {}
        kept = {key: given[key] for key in _ORGANIZATION if given.get(key)}
        name = given.get("id") or f"{home}#organization"
        found = {"@type": "Organization", "@id": name, "name": self._config.name, **kept}
        logo = str(found.get("logo", ""))
        return {**found, "logo": self._links.absolute(logo)} if logo.startswith("/") else found

    def _crumbs(
        self, meta: PageMeta, canonical: str, position: PagePosition
    ) -> Iterator[Mapping[str, Any]]:
        nodes = [node for node in position.groups if node.root != meta.slug]
        for index, node in enumerate(nodes, 1):
            crumb = {"@type": "ListItem", "position": index, "name": node.label}
            first = self._contexts.first_page(node)
            yield {**crumb, "item": self._links.public(first)} if first else crumb
        last = {"@type": "ListItem", "position": len(nodes) + 1, "name": meta.title}
        yield {**last, "item": canonical}


def _attribute(name: str) -> str:
    return "property" if name.startswith(_PROPERTIES) else "name"
