"""Conversion of `mint.json`, the older settings file, to `docs.json`.

Values keep their positions in `mint.json` for diagnostics.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from docstead.content.slugs import clean_path
from docstead.repository.json_text import JsonArray, JsonObject, LazyPosition

MAIN_TAB = "Documentation"
_SAME_TEXT = "name favicon redirects banner thumbnails variables contextual feedback"
_SAME = tuple(_SAME_TEXT.split())
_RENAMED = {"analytics": "integrations", "description": "description"}
_MODES = {"show": "interactive", "simple": "simple", "hide": "none"}


def upgrade(old: JsonObject) -> JsonObject:
    """Return the settings of a `mint.json` with the keys of `docs.json`."""
    new = JsonObject(old.spot)
    for key in _SAME:
        _copy(old, key, new, key)
    for key, name in _RENAMED.items():
        _copy(old, key, new, name)
    for section in (_looks, _bars, _footer, _metadata, _api):
        section(old, new)
    new.put("theme", "mint", old.spot)
    if "navigation" in old:
        new.put("navigation", _navigation(old), old.spots["navigation"])
    return new


def _copy(old: Any, key: str, new: JsonObject, name: str) -> None:
    if isinstance(old, JsonObject) and key in old:
        new.put(name, old[key], old.spots[key])


def _child(old: JsonObject, key: str) -> JsonObject:
    value = old.get(key)
    return value if isinstance(value, JsonObject) else JsonObject(old.spots.get(key, old.spot))


def _renamed(old: Any, names: dict[str, str]) -> JsonObject:
    new = JsonObject(old.spot)
    for key, name in names.items():
        _copy(old, key, new, name)
    return new


def _put(new: JsonObject, key: str, value: JsonObject | JsonArray) -> None:
    if value:
        new.put(key, value, value.spot)


def _objects(old: JsonObject, key: str) -> Iterator[JsonObject]:
    value = old.get(key)
    for item in value if isinstance(value, JsonArray) else ():
        if isinstance(item, JsonObject):
            yield item


def _array(spot: LazyPosition, items: Iterator[JsonObject]) -> JsonArray:
    return JsonArray(spot, ((item, item.spot) for item in items))


def _looks(old: JsonObject, new: JsonObject) -> None:
    if isinstance(old.get("logo"), str | JsonObject):
        _copy(old, "logo", new, "logo")
    colors = _child(old, "colors")
    _put(new, "colors", _renamed(colors, {"primary": "primary", "light": "light", "dark": "dark"}))
    background = _renamed(_child(old, "background"), {"style": "decoration"})
    _copy(colors, "background", background, "color")
    _copy(old, "backgroundImage", background, "image")
    _put(new, "background", background)
    fonts = {"headings": "heading", "body": "body", "family": "family", "weight": "weight"}
    _put(new, "fonts", _renamed(_child(old, "font"), fonts))
    toggle = {"default": "default", "isHidden": "strict"}
    _put(new, "appearance", _renamed(_child(old, "modeToggle"), toggle))
    _put(new, "styling", _renamed(_child(old, "eyebrow"), {"display": "eyebrows"}))
    _put(new, "search", _renamed(_child(old, "search"), {"prompt": "prompt"}))


def _bars(old: JsonObject, new: JsonObject) -> None:
    navbar = JsonObject(old.spot)
    names = {"name": "label", "url": "href", "type": "type"}
    links = (_renamed(link, names) for link in _objects(old, "topbarLinks"))
    _put(navbar, "links", _array(old.spots.get("topbarLinks", old.spot), links))
    button = _renamed(_child(old, "topbarCtaButton"), names)
    if button.get("type") in (None, "link") and button:
        button.put("type", "button", button.spot)
    _put(navbar, "primary", button)
    _put(new, "navbar", navbar)


def _footer(old: JsonObject, new: JsonObject) -> None:
    footer = JsonObject(old.spot)
    socials = old.get("footerSocials") or _child(old, "footer").get("socials")
    if isinstance(socials, JsonArray):
        pairs = (item for item in socials if isinstance(item, JsonObject) and "url" in item)
        listed = ((str(item.get("type")), item["url"], item.spots["url"]) for item in pairs)
        socials = JsonObject(socials.spot, listed)
    if isinstance(socials, JsonObject):
        _put(footer, "socials", socials)
    columns = _array(old.spot, (_column(item) for item in _objects(_child(old, "footer"), "links")))
    _put(footer, "links", columns)
    _put(new, "footer", footer)


def _column(old: JsonObject) -> JsonObject:
    column = _renamed(old, {"title": "header"})
    links = (_renamed(link, {"label": "label", "url": "href"}) for link in _objects(old, "links"))
    column.put("items", _array(old.spot, links), old.spot)
    return column


def _metadata(old: JsonObject, new: JsonObject) -> None:
    seo = JsonObject(old.spot)
    _copy(old, "metadata", seo, "metatags")
    if _child(old, "seo").get("indexHiddenPages") is True:
        seo.put("indexing", "all", old.spots["seo"])
    _put(new, "seo", seo)


def _api(old: JsonObject, new: JsonObject) -> None:
    old_api = _child(old, "api")
    api = JsonObject(old_api.spot)
    _copy(old, "openapi", api, "openapi")
    mdx = _renamed(old_api, {"baseUrl": "server", "auth": "auth"})
    _put(api, "mdx", mdx)
    mode = _child(old_api, "playground").get("mode")
    if isinstance(mode, str) and mode in _MODES:
        playground = JsonObject(api.spot, [("display", _MODES[mode], api.spot)])
        _put(api, "playground", playground)
    _put(new, "api", api)


def _navigation(old: JsonObject) -> Any:
    groups = old["navigation"]
    if not isinstance(groups, JsonArray):
        return groups
    new = JsonObject(groups.spot)
    links = [anchor for anchor in _objects(old, "anchors") if _is_link(anchor)]
    names = {"name": "anchor", "url": "href", "icon": "icon", "iconType": "iconType"}
    anchors = _array(groups.spot, (_renamed(anchor, names) for anchor in links))
    if anchors:
        new.put(
            "global", JsonObject(groups.spot, [("anchors", anchors, anchors.spot)]), groups.spot
        )
    versions = list(_versions(old))
    if not versions:
        _divide(old, groups, new)
        return new
    new.put("versions", _array(groups.spot, iter(versions)), groups.spot)
    for version in versions:
        _divide(old, _of_version(groups, version["version"]), version)
    return new


def _versions(old: JsonObject) -> Iterator[JsonObject]:
    value = old.get("versions")
    items = zip(value, value.spots, strict=True) if isinstance(value, JsonArray) else ()
    for item, spot in items:
        if isinstance(item, str):
            yield JsonObject(spot, [("version", item, spot)])
        elif isinstance(item, JsonObject):
            yield _renamed(item, {"name": "version", "default": "default"})


def _of_version(groups: JsonArray, version: str) -> JsonArray:
    pairs = zip(groups, groups.spots, strict=True)
    kept = (pair for pair in pairs if _get(pair[0], "version") in (None, version))
    return JsonArray(groups.spot, kept)


def _divide(old: JsonObject, groups: JsonArray, new: JsonObject) -> None:
    """Assign groups to the tab whose path contains their first page; the others come first."""
    inner = (anchor for anchor in _objects(old, "anchors") if not _is_link(anchor))
    sections = [*_objects(old, "tabs"), *inner]
    if not sections:
        new.put("groups", groups, groups.spot)
        return
    prefixes = ["" if _is_link(section) else _prefix(section) for section in sections]
    rest = JsonArray(groups.spot)
    parts = [JsonArray(groups.spot) for _ in sections]
    for group, spot in zip(groups, groups.spots, strict=True):
        index = _section_of(group, prefixes)
        (rest if index is None else parts[index]).put(group, spot)
    tabs = JsonArray(groups.spot)
    if rest:
        tabs.put(_main_tab(old, rest), groups.spot)
    for section, part in zip(sections, parts, strict=True):
        if part or _is_link(section):
            tabs.put(_tab(section, part), section.spot)
    new.put("tabs", tabs, groups.spot)


def _main_tab(old: JsonObject, groups: JsonArray) -> JsonObject:
    name = _child(old, "primaryTab").get("name") or MAIN_TAB
    return JsonObject(groups.spot, [("tab", name, groups.spot), ("groups", groups, groups.spot)])


def _tab(section: JsonObject, groups: JsonArray) -> JsonObject:
    names = {"name": "tab", "icon": "icon", "iconType": "iconType", "isDefaultHidden": "hidden"}
    tab = _renamed(section, names)
    _copy(section, "openapi", tab, "openapi")
    if groups:
        tab.put("groups", groups, section.spot)
    else:
        _copy(section, "url", tab, "href")
    return tab


def _section_of(group: Any, prefixes: list[str]) -> int | None:
    """Return the section with the longest path that contains the first page of a group."""
    first = next(_pages(group), None)
    if first is None:
        return None
    page = clean_path(first)
    fits = [i for i, p in enumerate(prefixes) if p and (page == p or page.startswith(f"{p}/"))]
    return max(fits, key=lambda i: len(prefixes[i]), default=None)


def _pages(group: Any) -> Iterator[str]:
    pages = _get(group, "pages")
    for page in pages if isinstance(pages, JsonArray) else ():
        if isinstance(page, str):
            yield page
        else:
            yield from _pages(page)


def _get(value: Any, key: str) -> Any:
    return value.get(key) if isinstance(value, JsonObject) else None


def _prefix(section: JsonObject) -> str:
    return clean_path(str(section.get("url") or ""))


def _is_link(section: JsonObject) -> bool:
    return "://" in str(section.get("url") or "") or str(section.get("url")).startswith("mailto:")
