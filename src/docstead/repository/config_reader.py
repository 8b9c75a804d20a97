"""Reader of `docs.json` into `SiteConfig`, driven by the declared fields."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, TypeVar, Union, get_args, get_origin

from docstead.content.config import (
    CANONICAL,
    SHIPPED_FONTS,
    ApiSettings,
    Banner,
    Color,
    Colors,
    Href,
    Icon,
    Integrations,
    LanguageSettings,
    LinkItem,
    Logo,
    MetaTags,
    NotFoundPage,
    Redirect,
    SiteConfig,
    SocialLinks,
    SpecificationFiles,
    Telemetry,
    ThemedColor,
    ThemedValue,
    Variables,
)
from docstead.content.navigation import LISTS, NodeKind
from docstead.content.reserved import is_reserved
from docstead.content.sample_languages import SAMPLE_ALIASES, SAMPLE_LANGUAGES
from docstead.content.setting_keys import SettingField, declared, key_of, setting_fields
from docstead.content.style_settings import (
    FontSettings,
    FontWeight,
    SiteFontSettings,
    StylingSettings,
    is_font_weight,
)
from docstead.content.written_settings import (
    IntegrationsKeys,
    SpecificationKeys,
    TelemetryKeys,
    ThumbnailFontKeys,
    WrittenObject,
)
from docstead.repository.code_themes import check_code_theme
from docstead.repository.integrations import read_integrations
from docstead.repository.json_fields import ObjectReader
from docstead.repository.json_text import JsonObject, plain
from docstead.repository.redirects import (
    PATTERN_LIMIT,
    WILDCARD_LIMIT,
    has_wildcard,
    reader_chooses_host,
    too_many_wildcards,
)
from docstead.repository.settings_keys import check_keys

_COMPONENT = re.compile(r"<[A-Z][\w.]*[\s/>]")
_VARIABLE = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]*")
_ReadValue = Callable[[ObjectReader, str, SettingField], Any]
_AnyFont = TypeVar("_AnyFont", FontSettings, SiteFontSettings)
_NAMES = {"github": "GitHub", "discord": "Discord"}


def read_config(keys: ObjectReader) -> SiteConfig:
    """Return the settings. `name` is required; every other setting has a default."""
    check_keys(keys.values, keys.diagnostics)
    config: SiteConfig = _object(SiteConfig, keys)
    colors = key_of(declared(SiteConfig).colors)
    if key_of(declared(Colors).primary) not in keys.child(colors).values:
        hint = 'Add "colors": {"primary": "#16A34A"}.'
        position = keys.values.position(colors)
        keys.diagnostics.warning(position, "missing-key", "colors.primary is missing", hint)
    if config.icon_library == "tabler":
        message = "Tabler's icons are not included; Lucide icons of the same names are used"
        hint = "Use lucide or fontawesome, or name a drawing of the repository: /icons/name.svg."
        position = keys.position_of(declared(SiteConfig).icon_library)
        keys.diagnostics.info(position, "without-effect", message, hint)
    return config


def read_settings(kind: type, keys: ObjectReader) -> dict[str, Any]:
    """Return the settings declared by the fields of a class."""
    return {each.name: _value(each, keys) for each in setting_fields(kind)}


def _object(kind: type, keys: ObjectReader) -> Any:
    """Read an object; None, with a diagnostic, if it is invalid."""
    value = kind(**read_settings(kind, keys))
    check = _CHECKS.get(kind)
    return check(value, keys) if check else value


def _value(setting: SettingField, keys: ObjectReader) -> Any:
    """Return the value of a setting; its default if it is missing or invalid."""
    if not setting.path:
        return _object(setting.kind, keys)
    *objects, key = setting.path
    for name in objects:
        keys = keys.child(name)
    otherwise = _READERS_OF_ORIGINS.get(get_origin(setting.kind), _child)
    value = _READERS.get(setting.kind, otherwise)(keys, key, setting)
    return setting.default if value is None else value


def _text_or_object(keys: ObjectReader, key: str, setting: SettingField) -> Any:
    is_object = setting.shape and isinstance(keys.values.get(key), JsonObject)
    return _child(keys, key, setting) if is_object else keys.text(key)


def _weight(keys: ObjectReader, key: str, _: SettingField) -> int | None:
    value: int | None = keys.values.get(key)
    if value is None or is_font_weight(value):
        return value
    keys.wrong(key, "a whole number from 1 to 1000")
    return None


def _child(keys: ObjectReader, key: str, setting: SettingField) -> Any:
    child = keys.child(key)
    is_missing = setting.is_optional and not child.values
    return None if is_missing else _object(setting.shape or setting.kind, child)


def _items(keys: ObjectReader, key: str, setting: SettingField) -> tuple[Any, ...]:
    found = (_object(get_args(setting.kind)[0], item) for item in keys.objects(key))
    return tuple(each for each in found if each is not None)


def _text(keys: ObjectReader, key: str, setting: SettingField) -> str | None:
    choices = frozenset(setting.key.choices)
    if not choices:
        return keys.text(key)
    return keys.choice(key, choices, "") or None


def _flag(keys: ObjectReader, key: str, setting: SettingField) -> bool | None:
    if setting.key.true_for:
        text = _text(keys, key, setting)
        return None if text is None and setting.is_optional else text == setting.key.true_for
    if setting.is_optional and not isinstance(keys.values.get(key), bool):
        keys.flag(key)  # reports any other value
        return None
    return keys.flag(key, default=bool(setting.default))


def _number(keys: ObjectReader, key: str, setting: SettingField) -> int:
    number, most = keys.number(key) or setting.default, setting.key.most
    if not 1 <= number <= most:
        keys.wrong(key, f"a number from 1 to {most}")
        number = setting.default
    return int(number)


def _written(keys: ObjectReader, key: str, setting: SettingField) -> Any:
    """Return an object unchanged, after checking its declared keys."""
    child = keys.child(key)
    if setting.shape:
        _object(setting.shape, child)
    return plain(keys.values.get(key))


def _texts(keys: ObjectReader, key: str, setting: SettingField) -> tuple[str, ...] | None:
    return keys.texts(key, or_objects=setting.key.shape is not None) or None


def _any(keys: ObjectReader, key: str, setting: SettingField) -> Any:
    """Return a value unchanged, after checking it against its declaration."""
    value, facts = keys.values.get(key), setting.key
    if facts.choices:
        keys.choice(key, frozenset(facts.choices), "")
    elif facts.shape and isinstance(value, JsonObject):
        _object(facts.shape, keys.child(key))
    elif check := _CHECKS_OF_TYPES.get(facts.type):
        check(keys, key)
    return plain(value)


def _logo(keys: ObjectReader, key: str, _: SettingField) -> Logo | None:
    image = keys.themed(key)
    if image is None:
        return None
    is_object = isinstance(keys.values[key], JsonObject)
    return Logo(image, keys.child(key).href(key_of(declared(Logo).href)) if is_object else None)


def _socials(keys: ObjectReader, key: str, _: SettingField) -> tuple[LinkItem, ...]:
    links = keys.child(key)
    return tuple(LinkItem(name, href) for name in links.values if (href := links.href(name)))


def _redirects(keys: ObjectReader, key: str, _: SettingField) -> tuple[Redirect, ...]:
    items = [(item, found) for item in keys.objects(key) if (found := _object(Redirect, item))]
    wild = [item for item, redirect in items if has_wildcard(redirect.source)]
    if len(wild) > PATTERN_LIMIT:
        position, count = wild[PATTERN_LIMIT].values.position(), len(wild) - PATTERN_LIMIT
        message = f"only {PATTERN_LIMIT:,} redirects may have wildcards; {count:,} were left out"
        hint = "Write sources without wildcards, or one wildcard for several of them."
        keys.diagnostics.warning(position, "too-many-redirects", message, hint)
    return tuple(redirect for _, redirect in items)


def _variables(keys: ObjectReader, key: str, _: SettingField) -> dict[str, str]:
    found: dict[str, str] = {}
    variables = keys.child(key)
    for name in variables.values:
        value = variables.text(name)
        if value is None:
            continue
        if _VARIABLE.fullmatch(name):
            found[name] = value
        else:
            message = f"the variable name {name!r} may hold only letters, digits and hyphens"
            hint = "Rename it, here and where pages use it."
            position = variables.values.position(name)
            keys.diagnostics.warning(position, "invalid-variable", message, hint)
    return found


def _metatags(keys: ObjectReader, key: str, _: SettingField) -> dict[str, str]:
    tags = keys.mapping(key)
    if CANONICAL in tags and keys.child(key).href(CANONICAL) is None:
        del tags[CANONICAL]
    return tags


def _telemetry(keys: ObjectReader, key: str, setting: SettingField) -> bool:
    telemetry = keys.child(key).child(key_of(declared(IntegrationsKeys).telemetry))
    return telemetry.flag(key_of(declared(TelemetryKeys).enabled), default=setting.default)


def _languages(keys: ObjectReader, key: str, _: SettingField) -> dict[str, LanguageSettings]:
    found: dict[str, LanguageSettings] = {}
    for language in keys.child(key).objects(LISTS[NodeKind.LANGUAGE]):
        code = language.text(NodeKind.LANGUAGE)
        own = [each for each in setting_fields(LanguageSettings) if each.name in language.values]
        if code and own:
            values = {each.name: _object(each.kind, language.child(each.name)) for each in own}
            found[code] = LanguageSettings(**values)
    return found


def specification_files(keys: ObjectReader, key: str) -> tuple[str, ...]:
    """Return the files of `openapi` or `asyncapi`: a string, an array, or `{source, directory}`."""
    if isinstance(keys.values.get(key), JsonObject):
        return keys.child(key).texts(key_of(declared(SpecificationKeys).source))
    return keys.texts(key) if key in keys.values else ()


_CHECKS_OF_TYPES: Mapping[str, Callable[[ObjectReader, str], object]] = {
    "boolean": ObjectReader.flag,
    "color": ObjectReader.color,
    "object": ObjectReader.child,
    "string": ObjectReader.text,
}
_READERS_OF_ORIGINS: Mapping[Any, _ReadValue] = {tuple: _items, Union: _text_or_object}
_READERS: Mapping[Any, _ReadValue] = {
    Any: _any,
    bool: _flag,
    int: _number,
    float: lambda keys, key, _: keys.number(key),
    str: _text,
    tuple[str, ...]: _texts,
    Color: lambda keys, key, _: keys.color(key),
    FontWeight: _weight,
    Href: lambda keys, key, _: keys.href(key),
    Icon: lambda keys, key, _: keys.icon(key),
    ThemedValue: lambda keys, key, _: keys.themed(key),
    ThemedColor: lambda keys, key, _: keys.themed_color(key),
    SpecificationFiles: lambda keys, key, _: specification_files(keys, key),
    Mapping[str, LanguageSettings]: _languages,
    tuple[Redirect, ...]: _redirects,
    Integrations: lambda keys, key, _: read_integrations(keys.child(key)),
    Logo: _logo,
    MetaTags: _metatags,
    SocialLinks: _socials,
    Telemetry: _telemetry,
    Variables: _variables,
    WrittenObject: _written,
}


def _link(link: LinkItem, keys: ObjectReader) -> LinkItem | None:
    if link.href:
        return replace(link, label=link.label or _NAMES.get(link.kind or "", ""))
    message, position = f"{keys.path} has no URL", keys.values.position()
    keys.diagnostics.warning(position, "missing-key", message, 'Add an "href".')
    return None


def _banner(banner: Banner, _: ObjectReader) -> Banner | None:
    return banner if banner.content else None


def _redirect(redirect: Redirect, keys: ObjectReader) -> Redirect | None:
    source, destination = redirect.source, redirect.destination
    problem, hint = "", 'Write {"source": "/old", "destination": "/new"}.'
    if not source or not destination:
        problem = "needs a source and a destination"
    elif "#" in source or "?" in source:
        problem = f"has '#' or '?' in its source {source!r}, which never reaches the server"
        hint = "Remove what follows it."
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
    if not problem:
        return replace(redirect, source=_rooted(source), destination=_rooted(destination))
    message = f"{keys.path} {problem} and was left out"
    keys.diagnostics.warning(keys.values.position(), "invalid-redirect", message, hint)
    return None


def _rooted(path: str) -> str:
    return path if path.startswith(("/", "http:", "https:", "mailto:")) else f"/{path}"


def _not_found(page: NotFoundPage, keys: ObjectReader) -> NotFoundPage:
    if page.description and _COMPONENT.search(page.description):
        message = "errors.404.description is inline Markdown; components are shown as text"
        hint = "Keep to words, **bold**, *italic*, `code` and [links](/path)."
        keys.diagnostics.info(
            keys.position_of(declared(NotFoundPage).description),
            "without-effect",
            message,
            hint,
        )
    return page


def _font(font: _AnyFont, keys: ObjectReader) -> _AnyFont:
    """Report fonts that are neither shipped nor files."""
    if not font.source and font.family and font.family.lower() not in SHIPPED_FONTS:
        message = f"the font {font.family!r} is not shipped; readers see it where they have it"
        hint = 'Put its woff2 file into the repository and name it: "source": "/fonts/name.woff2".'
        keys.diagnostics.info(
            keys.position_of(declared(FontSettings).family),
            "font-not-shipped",
            message,
            hint,
        )
    return font


def _thumbnail_font(font: ThumbnailFontKeys, keys: ObjectReader) -> ThumbnailFontKeys:
    if font.family and font.family.lower() not in SHIPPED_FONTS:
        hint = f"Use one of {', '.join(SHIPPED_FONTS.values())}."
        message = f"the font {font.family!r} is not shipped; thumbnails are set in Inter"
        keys.diagnostics.info(
            keys.position_of(declared(FontSettings).family),
            "font-not-shipped",
            message,
            hint,
        )
    return font


def _api(api: ApiSettings, keys: ObjectReader) -> ApiSettings:
    """Report unknown languages of samples."""
    for language in api.examples:
        name = language.strip().lower()
        if name not in SAMPLE_LANGUAGES and name not in SAMPLE_ALIASES:
            message = f"api.examples.languages: {language!r} is not known and has no effect"
            hint = f"Use some of {', '.join(SAMPLE_LANGUAGES)}."
            keys.diagnostics.info(keys.values.position(), "unknown-value", message, hint)
    return api


def _styling(styling: StylingSettings, keys: ObjectReader) -> StylingSettings:
    check_code_theme(keys)
    return styling


#: Checks of complete objects; None drops the object.
_CHECKS: Mapping[type, Callable[[Any, ObjectReader], Any]] = {
    ApiSettings: _api,
    Banner: _banner,
    FontSettings: _font,
    SiteFontSettings: _font,
    LinkItem: _link,
    NotFoundPage: _not_found,
    Redirect: _redirect,
    StylingSettings: _styling,
    ThumbnailFontKeys: _thumbnail_font,
}
