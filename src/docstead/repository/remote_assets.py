"""Logos, favicons and fonts in `docs.json` with URLs of other hosts.

Readers' browsers load copies from the site, never from that host.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from enum import StrEnum
from typing import TypeVar

from docstead.base.errors import DocsteadError, Unavailable
from docstead.content.config import SiteConfig, ThemedValue
from docstead.content.diagnostics import Diagnostic
from docstead.content.setting_keys import declared, key_of
from docstead.content.style_settings import FontSettings, SiteFontSettings
from docstead.repository.json_fields import ObjectReader

_CODES = frozenset({"logo-elsewhere", "favicon-elsewhere", "font-elsewhere"})
_PICTURE_HINT = 'Put the file into the repository and name it: "/images/name.svg".'
_FONT_HINT = 'Put its woff2 file into the repository and name it: "source": "/fonts/name.woff2".'
_FONTS, _SOURCE = key_of(declared(SiteConfig).fonts), key_of(declared(FontSettings).source)
_AnyFont = TypeVar("_AnyFont", FontSettings, SiteFontSettings)


class AssetKind(StrEnum):
    """Kind of file that a setting expects."""

    PICTURE = "picture"
    FONT = "font"


#: Returns the path in the site of the file at a URL. Raises `DocsteadError`.
ReadAsset = Callable[[str, AssetKind], str]


class RemoteAssets:
    """Replaces URLs of other hosts in the settings with paths of fetched files.

    Without `read`, or if it fails, the URL is kept and reported.
    """

    def __init__(self, settings: ObjectReader, read: ReadAsset | None) -> None:
        self._settings = settings
        self._read = read
        self._paths: dict[str, str] = {}

    @property
    def paths(self) -> tuple[str, ...]:
        """Paths of fetched files, from the root of the site."""
        return tuple(dict.fromkeys(self._paths.values()))

    def fetched(self, config: SiteConfig) -> SiteConfig:
        """Return the settings with paths of fetched files."""
        settings, logo = self._settings, config.logo
        if logo is not None:
            logo = replace(logo, image=self._themed(settings, "logo", logo.image))
        icon = config.favicon and self._themed(settings, "favicon", config.favicon)
        return replace(config, logo=logo, favicon=icon, fonts=self._fonts(config.fonts))

    def _themed(self, keys: ObjectReader, key: str, image: ThemedValue) -> ThemedValue:
        instead = "the site's name" if key == "logo" else "the site's initial"
        found = {
            url: self._picture(keys, key, url, instead)
            for url in dict.fromkeys((image.light, image.dark))
        }
        return ThemedValue(found[image.light], found[image.dark])

    def _picture(self, keys: ObjectReader, key: str, url: str, instead: str) -> str:
        if not is_remote(url):
            return url
        named = keys.child(key) if not isinstance(keys.values.get(key), str) else keys
        names = [each for each in ("light", "dark", key) if named.values.get(each) == url]
        try:
            return self._path(url, AssetKind.PICTURE)
        except DocsteadError as error:
            message = f"{named.name(names[0])} cannot be fetched from {url}: {error.message}"
            self._report(named, names[0], f"{key}-elsewhere", f"{message}; pages show {instead}")
            return url

    def _fonts(self, fonts: SiteFontSettings) -> SiteFontSettings:
        keys, names = self._settings.child(_FONTS), declared(SiteFontSettings)
        heading, body = keys.child(key_of(names.heading)), keys.child(key_of(names.body))
        return replace(
            self._font(keys, fonts),
            heading=self._font(heading, fonts.heading),
            body=self._font(body, fonts.body),
        )

    def _font(self, keys: ObjectReader, font: _AnyFont) -> _AnyFont:
        url = font.source
        if not is_remote(url):
            return font
        try:
            path = self._path(url, AssetKind.FONT)
        except DocsteadError as error:
            message = f"{keys.name(_SOURCE)} cannot be fetched from {url}: {error.message}"
            self._report(keys, _SOURCE, "font-elsewhere", f"{message}; pages use another font")
            return font
        return replace(font, source=path, format=path.rpartition(".")[2])

    def _path(self, url: str, kind: AssetKind) -> str:
        if url not in self._paths:
            if self._read is None:
                raise Unavailable("network access is disabled")
            self._paths[url] = self._read(_with_scheme(url), kind)
        return f"/{self._paths[url]}"

    def _report(self, keys: ObjectReader, key: str, code: str, message: str) -> None:
        hint = _FONT_HINT if key == _SOURCE else _PICTURE_HINT
        keys.diagnostics.warning(keys.values.position(key), code, message, hint)


def was_not_fetched(diagnostic: Diagnostic) -> bool:
    """Report whether a diagnostic is about a file of the settings, not of a style sheet."""
    return diagnostic.code in _CODES and diagnostic.file.endswith(".json")


def is_remote(url: str) -> bool:
    """Report whether an image or font is on another host."""
    return url.startswith("//") or "://" in url


def _with_scheme(url: str) -> str:
    return f"https:{url}" if url.startswith("//") else url
