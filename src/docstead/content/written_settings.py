"""Settings of `docs.json` that are kept as written and checked on use.

Classes that end in `Keys` declare their keys.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any

from docstead.content.setting_keys import setting

#: An object kept as written, with a diagnostic if it is not one.
WrittenObject = Annotated[Any, "object"]
AT_PUBLISHING = "an `https` URL is fetched when the site is published"


def members(value: object) -> Mapping[str, Any]:
    """Return the members of a setting that is an object, and none of another value."""
    return value if isinstance(value, Mapping) else {}


@dataclass(frozen=True, slots=True)
class ThumbnailFontKeys:
    family: str = setting("", "one of the included fonts", shown_default="that of the site")


@dataclass(frozen=True, slots=True)
class ThumbnailKeys:
    appearance: str = setting("", choices=("light", "dark"), shown_default="that of the site")
    background: Any = setting(None, "image of the repository behind the text", type="string")
    fonts: ThumbnailFontKeys = ThumbnailFontKeys()


@dataclass(frozen=True, slots=True)
class OrganizationKeys:
    id: Any = None
    name: Any = None
    legal_name: Any = None
    url: Any = None
    logo: Any = None
    same_as: Any = None


@dataclass(frozen=True, slots=True)
class PublisherKeys:
    organization: Any = setting(
        None,
        "publisher in structured data: `id`, `name`, `legalName`, `url`, `logo`, `sameAs`",
        type="object",
        shape=OrganizationKeys,
    )


@dataclass(frozen=True, slots=True)
class ConsentKeys:
    key: Any = None
    value: Any = None


@dataclass(frozen=True, slots=True)
class TelemetryKeys:
    enabled: Any = None


@dataclass(frozen=True, slots=True)
class IntegrationsKeys:
    """Keys of `integrations` other than vendors."""

    telemetry: Any = setting(None, shape=TelemetryKeys)
    cookies: Any = setting(None, shape=ConsentKeys)


@dataclass(frozen=True, slots=True)
class IconKeys:
    """Keys of an icon written as an object."""

    name: Any = None


@dataclass(frozen=True, slots=True)
class SpecificationKeys:
    source: Any = None
    directory: Any = None


@dataclass(frozen=True, slots=True)
class ContextualOptionKeys:
    title: Any = None
    description: Any = None
    icon: Any = None
    icon_type: Any = None
    href: Any = None


@dataclass(frozen=True, slots=True)
class ContextualKeys:
    options: tuple[str, ...] = setting(
        (), "[menu of a page](/guides/reading#page-menu)", shape=ContextualOptionKeys
    )
    display: Any = setting(
        None,
        "`toc` shows that menu below the contents",
        type="string",
        choices=("header", "toc"),
    )


@dataclass(frozen=True, slots=True)
class InteractionKeys:
    drilldown: Any = setting(
        None,
        "whether the name of a group opens its first page",
        type="boolean",
        shown_default="`false`",
    )
    detect_language: Any = setting(
        None,
        "whether the home page leads to a language of the browser, on the first visit",
        "detectLanguage",
        type="boolean",
        shown_default="`false`",
    )


@dataclass(frozen=True, slots=True)
class MarkdownKeys:
    schema: Any = setting(
        None,
        "whether Markdown versions of API pages contain the operation",
        type="boolean",
        shown_default="`true`",
    )
    instructions: Any = setting(
        None, "text at the top of each Markdown version", type="string or list"
    )


@dataclass(frozen=True, slots=True)
class WrittenSettings:
    """Settings as written, or None; any JSON value, checked on use."""

    contextual: WrittenObject = setting(None, shape=ContextualKeys)
    interaction: WrittenObject = setting(None, shape=InteractionKeys)
    markdown: WrittenObject = setting(None, shape=MarkdownKeys)
    seo: Any = setting(None, shape=PublisherKeys)
    thumbnails: WrittenObject = setting(None, shape=ThumbnailKeys)
