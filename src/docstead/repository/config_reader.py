"""`docs.json` -> `SiteConfig`, key by key."""

from __future__ import annotations

import re
from dataclasses import fields
from typing import Any

from docstead.content.config import (
    EXAMPLE_LANGUAGES,
    SHIPPED_FONTS,
    ApiSettings,
    Appearance,
    Banner,
    Colors,
    FeedbackControls,
    Footer,
    LanguageSettings,
    LinkColumn,
    LinkItem,
    Logo,
    Navbar,
    NotFoundPage,
    Redirect,
    Related,
    Seo,
    SiteConfig,
    Themed,
    WrittenSettings,
)
from docstead.content.reserved import is_reserved
from docstead.repository.code_themes import check_code_theme
from docstead.repository.integrations import read_integrations
from docstead.repository.json_fields import Keys
from docstead.repository.json_text import JsonObject, plain
from docstead.repository.redirects import (
    PATTERN_LIMIT,
    WILDCARD_LIMIT,
    has_wildcard,
    reader_chooses_host,
    too_many_wildcards,
)
from docstead.repository.settings_keys import check_keys

THEMES = frozenset(
    {"mint", "maple", "palm", "willow", "linden", "almond", "aspen", "sequoia", "luma"}
)
ICON_LIBRARIES = frozenset({"fontawesome", "lucide", "tabler"})
_COMPONENT = re.compile(r"<[A-Z][\w.]*[\s/>]")
_VARIABLE = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]*")
_MOST_RELATED = 10
_NAMES = {"github": "GitHub", "discord": "Discord"}


def read_config(keys: Keys) -> SiteConfig:
    """The settings; `name` must be there already, all else has a default."""
    _check_thumbnails(keys.child("thumbnails"))
    check_keys(keys.values, keys.faults)
    return SiteConfig(
        name=keys.text("name") or "",
        theme=keys.choice("theme", THEMES, "mint"),
        description=keys.text("description"),
        colors=_colors(keys),
        logo=_logo(keys),
        favicon=keys.themed("favicon"),
        appearance=_appearance(keys.child("appearance")),
        icon_library=_icon_library(keys.child("icons")),
        fonts=_fonts(keys.child("fonts")),
        background=plain(keys.child("background").values),
        styling=_styling(keys.child("styling")),
        navbar=read_navbar(keys.child("navbar")),
        footer=read_footer(keys.child("footer")),
        banner=read_banner(keys),
        redirects=_redirects(keys),
        variables=_variables(keys.child("variables")),
        contextual=keys.child("contextual").texts("options"),
        seo=_seo(keys.child("seo")),
        not_found=_not_found(keys.child("errors").child("404")),
        api=_api(keys.child("api")),
        search_prompt=keys.child("search").text("prompt"),
        timestamps=keys.child("metadata").flag("timestamp"),
        feedback=_feedback(keys.child("feedback")),
        related=_related(keys.child("related")),
        languages=_languages(keys.child("navigation")),
        integrations=read_integrations(keys.child("integrations")),
        telemetry=keys.child("integrations").child("telemetry").flag("enabled", default=True),
        extra=_written(keys.values),
    )


def _feedback(keys: Keys) -> FeedbackControls:
    return FeedbackControls(
        thumbs=keys.flag("thumbsRating"),
        suggest_edit=keys.flag("suggestEdit"),
        raise_issue=keys.flag("raiseIssue"),
        repository=keys.text("repository"),
    )


def _related(keys: Keys) -> Related:
    limit = keys.number("limit") or Related().limit
    if not 1 <= limit <= _MOST_RELATED:
        keys.wrong("limit", f"a number from 1 to {_MOST_RELATED}")
        limit = Related().limit
    return Related(keys.flag("automatic"), int(limit))


def _written(values: JsonObject) -> WrittenSettings:
    names = (each.name for each in fields(WrittenSettings))
    return WrittenSettings(**{name: plain(values.get(name)) for name in names})


def _colors(keys: Keys) -> Colors:
    colors = keys.child("colors")
    primary = colors.color("primary")
    if "primary" not in colors.values:
        place = keys.values.place("colors")
        hint = 'Add "colors": {"primary": "#16A34A"}.'
        keys.faults.warning(place, "missing-key", "colors.primary is missing", hint)
    return Colors(
        primary=primary or Colors().primary,
        light=colors.color("light"),
        dark=colors.color("dark"),
    )


def _logo(keys: Keys) -> Logo | None:
    image = keys.themed("logo")
    if image is None:
        return None
    is_object = isinstance(keys.values["logo"], JsonObject)
    return Logo(image, keys.child("logo").href("href") if is_object else None)


def _icon_library(keys: Keys) -> str:
    library = keys.choice("library", ICON_LIBRARIES, "fontawesome")
    if library == "tabler":
        message = "Tabler's icons are not included; Lucide icons of the same names are used"
        hint = "Use lucide or fontawesome, or name a drawing of the repository: /icons/name.svg."
        keys.faults.info(keys.values.place("library"), "without-effect", message, hint)
    return library


def _styling(keys: Keys) -> dict[str, Any]:
    check_code_theme(keys)
    styling: dict[str, Any] = plain(keys.values)
    return styling


def _fonts(keys: Keys) -> dict[str, Any]:
    for font in (keys, keys.child("heading"), keys.child("body")):
        _check_font(font)
    fonts: dict[str, Any] = plain(keys.values)
    return fonts


def _check_font(font: Keys) -> None:
    """Report a font that is not shipped and names no file."""
    family, source = font.text("family"), font.text("source")
    hint = 'Put its woff2 file into the repository and name it: "source": "/fonts/name.woff2".'
    if family and not source and family.lower() not in SHIPPED_FONTS:
        message = f"the font {family!r} is not shipped; readers see it where they have it"
        font.faults.info(font.values.place("family"), "font-not-shipped", message, hint)


def _check_thumbnails(keys: Keys) -> None:
    """Report invalid values of `WrittenSettings.thumbnails`."""
    keys.choice("appearance", frozenset({"light", "dark"}), "")
    family = keys.child("fonts").text("family")
    if family and family.lower() not in SHIPPED_FONTS:
        names = ", ".join(SHIPPED_FONTS.values())
        message = f"the font {family!r} is not shipped; thumbnails are set in Inter"
        place = keys.child("fonts").values.place("family")
        keys.faults.info(place, "font-not-shipped", message, f"Use one of {names}.")


def _appearance(keys: Keys) -> Appearance:
    choices = frozenset({"system", "light", "dark"})
    return Appearance(keys.choice("default", choices, "system"), keys.flag("strict"))


def read_navbar(keys: Keys) -> Navbar:
    links = tuple(link for item in keys.objects("links") if (link := _link(item)))
    primary = keys.child("primary")
    return Navbar(links, _link(primary) if primary.values else None)


def read_footer(keys: Keys) -> Footer:
    socials = keys.child("socials")
    return Footer(
        socials=tuple(
            LinkItem(name, href) for name in socials.values if (href := socials.href(name))
        ),
        columns=tuple(_column(column) for column in keys.objects("links")),
    )


def _column(keys: Keys) -> LinkColumn:
    items = tuple(link for item in keys.objects("items") if (link := _link(item)))
    return LinkColumn(keys.text("header"), items)


def _link(keys: Keys) -> LinkItem | None:
    href = keys.href("href")
    if href is None:
        place = keys.values.place()
        hint = 'Add an "href".'
        keys.faults.warning(place, "missing-key", f"{keys.path} leads nowhere", hint)
        return None
    kind = keys.text("type")
    label = keys.text("label") or _NAMES.get(kind or "", "")
    return LinkItem(label, href, keys.icon(), keys.text("iconType"), kind)


def read_banner(keys: Keys) -> Banner | None:
    banner = keys.child("banner")
    content = banner.text("content")
    if content is None:
        return None
    kind = banner.choice("type", frozenset({"info", "warning", "critical"}), "info")
    return Banner(content, banner.flag("dismissible"), kind, themed_color(banner))


def themed_color(keys: Keys) -> Themed | None:
    """`color` as one colour, or as one for light and one for dark."""
    if isinstance(keys.values.get("color"), str):
        color = keys.color("color")
        return Themed(color, color) if color else None
    child = keys.child("color")
    light, dark = child.color("light"), child.color("dark")
    one = light or dark
    return Themed(light or one, dark or one) if one else None


def _redirects(keys: Keys) -> tuple[Redirect, ...]:
    items = [(item, found) for item in keys.objects("redirects") if (found := _redirect(item))]
    wild = [item for item, redirect in items if has_wildcard(redirect.source)]
    if len(wild) > PATTERN_LIMIT:
        place, count = wild[PATTERN_LIMIT].values.place(), len(wild) - PATTERN_LIMIT
        message = f"only {PATTERN_LIMIT:,} redirects may have wildcards; {count:,} were left out"
        hint = "Write sources without wildcards, or one wildcard for several of them."
        keys.faults.warning(place, "too-many-redirects", message, hint)
    return tuple(redirect for _, redirect in items)


def _redirect(keys: Keys) -> Redirect | None:
    source, destination = keys.text("source"), keys.href("destination")
    problem, hint = "", 'Write {"source": "/old", "destination": "/new"}.'
    if source is None or destination is None:
        problem = "needs a source and a destination"
    elif "#" in source or "?" in source:
        problem = f"has '#' or '?' in its source {source!r}, which never reaches the server"
        hint = "Leave out what follows it."
    elif "://" in source:
        problem = f"has a full URL as its source {source!r}"
    elif is_reserved(source):
        problem = f"has a source below a reserved path, {source!r}"
        hint = "Choose another path for the source."
    elif reader_chooses_host(destination):
        problem = f"has a wildcard in the host of its destination {destination!r}"
        hint = "Name the host in full, with a slash before the wildcard: https://example.com/*"
    elif too_many_wildcards(source):
        problem = f"has more wildcards in {source!r} than one for the rest and one a segment"
        hint = f"Use at most {WILDCARD_LIMIT} wildcards in a source."
    if problem or source is None or destination is None:
        message = f"{keys.path} {problem} and was left out"
        keys.faults.warning(keys.values.place(), "invalid-redirect", message, hint)
        return None
    return Redirect(_rooted(source), _rooted(destination), keys.flag("permanent", default=True))


def _rooted(path: str) -> str:
    return path if path.startswith(("/", "http:", "https:", "mailto:")) else f"/{path}"


def _variables(keys: Keys) -> dict[str, str]:
    found: dict[str, str] = {}
    texts = ((name, keys.text(name)) for name in keys.values)
    for name, value in texts:
        if value is None:
            continue
        if _VARIABLE.fullmatch(name):
            found[name] = value
        else:
            message = f"the variable name {name!r} may hold only letters, digits and hyphens"
            hint = "Rename it, here and where pages use it."
            keys.faults.warning(keys.values.place(name), "invalid-variable", message, hint)
    return found


def _seo(keys: Keys) -> Seo:
    indexing = keys.choice("indexing", frozenset({"navigable", "all"}), "navigable")
    metatags = dict(keys.mapping("metatags"))
    if "canonical" in metatags and keys.child("metatags").href("canonical") is None:
        del metatags["canonical"]
    return Seo(indexing, metatags, keys.flag("trailingSlash"))


def _not_found(keys: Keys) -> NotFoundPage:
    redirect = keys.flag("redirect", default=True)
    description = keys.text("description")
    if description and _COMPONENT.search(description):
        message = "errors.404.description is inline Markdown; components are shown as text"
        hint = "Keep to words, **bold**, *italic*, `code` and [links](/path)."
        keys.faults.info(keys.values.place("description"), "without-effect", message, hint)
    return NotFoundPage(redirect, keys.text("title"), description)


def _languages(keys: Keys) -> dict[str, LanguageSettings]:
    found: dict[str, LanguageSettings] = {}
    for language in keys.objects("languages"):
        code, own = language.text("language"), language.values
        if code and not own.keys().isdisjoint(("navbar", "footer", "banner")):
            found[code] = LanguageSettings(
                navbar=read_navbar(language.child("navbar")) if "navbar" in own else None,
                footer=read_footer(language.child("footer")) if "footer" in own else None,
                banner=read_banner(language),
            )
    return found


AUTH_METHODS = frozenset({"bearer", "basic", "key", "none"})
PLAYGROUNDS = frozenset({"interactive", "simple", "none", "auth"})
_EXAMPLE_FIELDS = frozenset({"all", "required"})
_EXPANDED = frozenset({"all", "closed"})


def _api(keys: Keys) -> ApiSettings:
    mdx = keys.child("mdx")
    auth = mdx.child("auth")
    playground = keys.child("playground")
    examples, params = keys.child("examples"), keys.child("params")
    return ApiSettings(
        openapi=specification_files(keys, "openapi"),
        asyncapi=specification_files(keys, "asyncapi"),
        server=mdx.texts("server"),
        auth_method=auth.choice("method", AUTH_METHODS, "") or None,
        auth_name=auth.text("name"),
        playground=playground.choice("display", PLAYGROUNDS, "interactive"),
        playground_proxy=playground.flag("proxy", default=True),
        playground_credentials=playground.flag("credentials"),
        examples=examples.texts("languages") or EXAMPLE_LANGUAGES,
        only_required=examples.choice("defaults", _EXAMPLE_FIELDS, "all") == "required",
        prefill=examples.flag("prefill"),
        autogenerate=examples.flag("autogenerate", default=True),
        expanded=params.choice("expanded", _EXPANDED, "closed") == "all",
        pills=params.texts("post"),
        full_url=keys.text("url") == "full",
    )


def specification_files(keys: Keys, kind: str) -> tuple[str, ...]:
    """`openapi` or `asyncapi` as a text, an array, or `{source, directory}`."""
    if isinstance(keys.values.get(kind), JsonObject):
        return keys.child(kind).texts("source")
    return keys.texts(kind) if kind in keys.values else ()
